"""Patterns that distinguish players' colours without colour."""

from __future__ import annotations

import math
from collections.abc import Iterator

from calibration.drawing import colours
from calibration.drawing.colours import mixed, on
from calibration.drawing.ink import Ink, PathStep

PatternBox = tuple[float, float, float, float]
"""Left, top, right and bottom."""
_ROW = 2.6
"""Distance (mm) between the pattern's rows."""


def draw_owner_pattern(ink: Ink, label: str, box: PatternBox) -> None:
    """Draw a player's pattern over a box and slightly beyond, aligned between all boxes of a frame.

    Green has scales, red courses, blue waves and yellow studs; other colours have battens.
    """
    field = colours.named(label)
    colour = mixed(field, on(field), 0.32)
    if label == "yellow":
        for x, y in _staggered(box, 2.6):
            ink.disc(x, y, 0.45, colour)
        return
    commands: list[PathStep] = []
    left, top, right, bottom = box
    if label == "green":
        for x, y in _staggered(box, 3.2):
            commands += [("M", x - 1.6, y), ("C", x - 1.6, y + 2.1, x + 1.6, y + 2.1, x + 1.6, y)]
    elif label == "blue":
        for x, y in _staggered(box, 2.2, shift=0.0):
            commands += [("M", x - 1.1, y - 0.55), ("L", x, y + 0.55), ("L", x + 1.1, y - 0.55)]
    elif label == "red":
        for x, y in _staggered(box, 4.2):
            commands += [("M", x - 2.1, y), ("L", x + 2.1, y), ("M", x, y), ("L", x, y + _ROW)]
    else:
        for k in range(math.floor(left / _ROW), math.ceil(right / _ROW) + 1):
            commands += [("M", _ROW * k, top), ("L", _ROW * k, bottom)]
    ink.path(commands, None, colour, 0.33)


def _staggered(box: PatternBox, step: float, shift: float = 0.5) -> Iterator[tuple[float, float]]:
    """Places in rows, every other row shifted by a share of the step."""
    left, top, right, bottom = box
    for row in range(math.floor(top / _ROW) - 1, math.ceil(bottom / _ROW) + 1):
        start = shift * step if row % 2 else 0.0
        for k in range(math.floor((left - start) / step), math.ceil((right - start) / step) + 1):
            yield start + k * step, _ROW * row
