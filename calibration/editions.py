"""The editions of what is printed: the first stays readable, and printable for whoever has it already."""

from __future__ import annotations

from enum import Enum


class Edition(Enum):
    """An edition of the pieces' faces; boards look the same in all."""

    FIRST = "first"
    SECOND = "second"
    """with drawings by which a camera tells pieces apart without their colours"""


LATEST = Edition.SECOND
