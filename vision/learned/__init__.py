"""Small trained networks that read single spots beside the comparison with print and form (`vision.printed`).

Pictures are cut out around each spot as seen from above (`crops`), a network tells the label (`network`), and a spot
is sure only where both readers agree (`agreement`). The networks of a board come in its profile.
"""
