"""The tables at which the demo is played in tests."""

SET_UPS = (
    "aqua_romana",
    "aqua_romana --players 3",
)
"""the words for `companion demo --game`, the usual table first"""
