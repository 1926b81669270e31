"""A field of levels is alike in neighbouring cells but for edges; along a line of cells it is the cheapest of all."""

from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt

from vision.colour.level_field import cheapest_field

STEP, EDGE = 3.0, 8.0


def price(cost: npt.NDArray[np.float32], levels: tuple[int, ...]) -> float:
    """What a line of cells of such levels costs, of which each costs so much (cells, levels)."""
    steps = np.minimum(np.abs(np.diff(levels)) * STEP, EDGE)
    return float(cost[np.arange(len(levels)), levels].sum() + steps.sum())


def test_a_line_of_cells_has_the_cheapest_levels_of_all() -> None:
    random = np.random.default_rng(3)
    for shape in ((1, 5, 4), (5, 1, 4)):
        cost = (random.random(shape) * 12).astype(np.float32)
        found = tuple(cheapest_field(cost, STEP, EDGE).ravel().tolist())
        line = cost.reshape(5, 4)
        assert found == min(product(range(4), repeat=5), key=lambda levels: price(line, levels))


def test_an_edge_stays_and_noise_does_not() -> None:
    random = np.random.default_rng(4)
    truth = np.zeros((12, 16), np.intp)
    truth[:, 9:] = 5
    shown = np.where(random.random(truth.shape) < 0.1, random.integers(0, 8, truth.shape), truth)
    cost = np.full((*truth.shape, 8), 6.0, np.float32)
    np.put_along_axis(cost, shown[..., None], 0.0, axis=2)
    assert (shown != truth).any()
    assert (cheapest_field(cost, STEP, EDGE) == truth).all()
