"""The tables at which the demo is played in tests, and how far a game is played before a camera is held over it."""

SET_UPS = (
    "capitol",
    "capitol --players 4",
)
"""the words for `companion demo --game`, the usual table first"""
OPENING = 60
"""actions"""
