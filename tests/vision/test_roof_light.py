"""The light on a roof tells a gable's two slopes from a dome."""

from __future__ import annotations

import numpy as np
import pytest

from vision.printed.stacks.roof_light import LEAST, largest, ridged

SIDE = 24
ACROSS, ALONG = np.array([1.0, 0.0]), np.array([0.0, 1.0])
ROWS, COLUMNS = np.mgrid[:SIDE, :SIDE]
WHOLE = np.ones((SIDE, SIDE), bool)
DISC = (ROWS - 11.5) ** 2 + (COLUMNS - 11.5) ** 2 < 11**2


def noise(seed: int, deviation: float = 2.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, deviation, (SIDE, SIDE))


def lettered(lightness: np.ndarray) -> np.ndarray:
    """With a bright letter printed on it."""
    result = lightness.copy()
    result[9:15, 4:8] = 85.0
    return result


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("ridge", [9, 12, 15])
@pytest.mark.parametrize("turned", [False, True])
def test_two_even_slopes_are_a_gable_also_with_a_letter_and_seen_aslant(seed: int, ridge: int, turned: bool) -> None:
    light = np.where(ridge > ROWS, 55.0, 30.0)
    light = lettered((light.T if turned else light) + noise(seed))
    assert ridged(light, WHOLE, (ACROSS, ALONG)) > 0.3


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.7, 0.7), (0.0, -1.0)])
def test_light_that_turns_around_is_a_dome(seed: int, direction: tuple[float, float]) -> None:
    x, y = (COLUMNS - 11.5) / 11, (ROWS - 11.5) / 11
    light = 40 + 16 * (x * direction[0] + y * direction[1]) - 8 * (x * x + y * y)
    assert ridged(lettered(light + noise(seed)), DISC, (ACROSS, ALONG)) < -0.4


def test_even_light_and_too_little_of_a_roof_tell_nothing() -> None:
    assert ridged(40 + noise(1), WHOLE, (ACROSS, ALONG)) == pytest.approx(0.0, abs=0.1)
    few = np.zeros_like(WHOLE)
    few.ravel()[: LEAST - 1] = True
    assert ridged(np.where(ROWS < 12, 55.0, 30.0), few, (ACROSS, ALONG)) == 0.0


def test_of_a_roof_the_largest_part_counts() -> None:
    mask = np.zeros((SIDE, SIDE), bool)
    mask[2:20, 2:10] = mask[5:8, 15:18] = True
    found = largest(mask)
    assert found[5, 5]
    assert not found[6, 16]
    assert not largest(np.zeros_like(mask)).any()
