"""Painted wood is of the printed hue, lighter, darker or deeper; of two hues the nearer one is likelier."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from vision.printed.pieces.likelihood import FOREIGN, foreign_density, paint_densities, paint_density
from vision.printed.pieces.paint import FREE, LIKE_PRINT, Paint

RED, BLUE, PURPLE, WHITE = [40.0, 55.0, 32.0], [30.0, 16.0, -45.0], [46.0, 40.0, -42.0], [96.0, 0.0, 2.0]
COLOURS, SHADES = np.array([RED, BLUE, PURPLE, WHITE]), (np.array([0.62, 0.4]), np.array([1.08, 1.04]))
LIKE, DEEPER = (Paint.of(COLOURS, *SHADES, freedom) for freedom in (LIKE_PRINT, FREE))


def density(colour: list[float], label: int) -> float:
    """Of a piece whose upper side and wall both show one colour."""
    samples = np.array([[colour, colour]], np.float32)
    return float(paint_densities(samples, (LIKE, DEEPER))[label].mean())


@pytest.mark.parametrize(("label", "colour"), enumerate([RED, BLUE, PURPLE, WHITE]))
def test_a_label_explains_its_own_colour_and_its_shades(label: int, colour: list[float]) -> None:
    for shade in (0.7, 1.0):
        seen = [part * shade for part in colour]
        assert density(seen, label) > float(foreign_density(np.array(seen, np.float32)))
    assert density(colour, label) > max(density(colour, other) for other in range(4) if other != label)


def test_deeper_paint_than_print_is_no_foreign_thing() -> None:
    for label, colour in enumerate(([37.0, 70.0, 62.0], [26.0, 45.0, -70.0])):
        assert density(colour, label) > float(foreign_density(np.array(colour, np.float32)))


def test_another_hue_is_not_explained() -> None:
    green = [50.0, -45.0, 40.0]
    assert all(density(green, label) < FOREIGN for label in range(4))


def test_upper_sides_are_held_against_the_label_of_each() -> None:
    samples = np.array([[RED, RED], [BLUE, BLUE]], np.float32)

    def found(labels: list[int]) -> npt.NDArray[np.float32]:
        turned = np.stack([LIKE.turned(each, label) for each, label in zip(samples, labels, strict=True)])
        return paint_density(turned, LIKE.upper(labels), DEEPER.upper(labels))

    assert (found([0, 1]) > found([1, 0])).all()
