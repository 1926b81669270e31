"""Where the board lies in a picture: markers, lines, features, and the poses that follow from them."""
