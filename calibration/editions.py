"""The editions of what is printed; both are read."""

from __future__ import annotations

from enum import Enum


class Edition(Enum):
    """An edition of the pieces' faces; boards look the same in all."""

    FIRST = "first"
    SECOND = "second"
    """with drawings by which a camera tells pieces apart without their colours"""


USUAL = Edition.FIRST
"""what is printed where nothing else is asked for: read better so far, but for bars (docs/benchmarks/reading.md)"""
