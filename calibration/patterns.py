"""Patterns that tell players' colours apart without colour."""

from __future__ import annotations

from calibration import colours
from calibration.colours import mixed, on
from calibration.ink import Ink
from calibration.shapes import arc


def draw_owner_pattern(ink: Ink, label: str, reach: float) -> None:
    """Lines over a square of twice `reach` mm around the origin: a sign of a player's colour, beside the letter.

    Green has scales, red courses, blue waves and yellow studs; other colours have battens.
    """
    field = colours.named(label)
    colour = mixed(field, on(field), 0.32)
    steps = int(reach / 2) + 1
    for k in range(-steps, steps + 1):
        y = 2.6 * k
        if label == "green":
            for j in range(-steps, steps + 1):
                ink.line(arc(1.6, 0, 180, (3.2 * j + (1.6 if k % 2 else 0), y)), colour, 0.3)
        elif label == "blue":
            ink.line(
                [(1.1 * j, y + (0.55 if j % 2 else -0.55)) for j in range(-2 * steps, 2 * steps + 1)], colour, 0.35
            )
        elif label == "yellow":
            for j in range(-steps, steps + 1):
                ink.disc(2.6 * j + (1.3 if k % 2 else 0), y, 0.45, colour)
        elif label == "red":
            ink.line([(-reach, y), (reach, y)], colour, 0.35)
            for j in range(-steps, steps + 1):
                x = 4.2 * j + (2.1 if k % 2 else 0)
                ink.line([(x, y), (x, y + 2.6)], colour, 0.3)
        else:
            ink.line([(y, -reach), (y, reach)], colour, 0.3)
