"""The tables at which the demo is played in tests, and how far a game is played before a camera is held over it."""

SET_UPS = (
    "thurn_and_taxis --set-up modules=none",
    "thurn_and_taxis --set-up modules=audience --players 3",
    "thurn_and_taxis --set-up modules=offices --players 4",
    "thurn_and_taxis --set-up modules=both",
)
"""the words for `companion demo --game`, the usual table first"""
OPENING = 120
"""actions"""
