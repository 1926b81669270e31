"""A field of levels over cells that costs least: alike in neighbouring cells but for edges.

A Markov random field with a truncated linear cost, whose messages are passed along rows and columns (Felzenszwalb and
Huttenlocher, Efficient Belief Propagation for Early Vision, 2006).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_ROUNDS = 3


def cheapest_field(cost: Floats, step_cost: float, edge_cost: float) -> npt.NDArray[np.intp]:
    """The levels (rows, columns) of the cheapest field, about, given what each costs in each cell (rows, columns,
    levels), what a step of levels costs between neighbours and the most that any edge costs.
    """
    ways = [(axis, step) for axis in (0, 1) for step in (1, -1)]
    told = {way: np.zeros_like(cost) for way in ways}
    for _ in range(_ROUNDS):
        for axis, step in ways:
            across = told[1 - axis, 1] + told[1 - axis, -1]
            own = np.moveaxis(cost + across, axis, 0)[::step]
            into = np.moveaxis(told[axis, step], axis, 0)[::step]
            for k in range(1, len(own)):
                into[k] = _sent(own[k - 1] + into[k - 1], step_cost, edge_cost)
    return np.asarray((cost + sum(told.values())).argmin(axis=2))


def _sent(cost: Floats, step_cost: float, edge_cost: float) -> Floats:
    """What cells whose levels cost so much (cells, levels) tell their neighbours: the least, and the way to it."""
    least = cost - cost.min(axis=1, keepdims=True)
    result: Floats = np.minimum(least, np.float32(edge_cost))
    for apart in range(1, min(math.ceil(edge_cost / step_cost), cost.shape[1])):
        way = np.float32(apart * step_cost)
        np.minimum(result[:, apart:], least[:, :-apart] + way, out=result[:, apart:])
        np.minimum(result[:, :-apart], least[:, apart:] + way, out=result[:, :-apart])
    return result
