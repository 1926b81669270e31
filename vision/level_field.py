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
    # Levels before the cells of a line, so that NumPy runs along whole lines.
    along = tuple(np.ascontiguousarray(np.moveaxis(cost, (axis, 2), (0, 1))) for axis in (0, 1))
    told = [np.zeros_like(lines) for lines in along]
    for _ in range(_ROUNDS):
        for axis, lines in enumerate(along):
            told[axis] = _passed_on(lines + told[1 - axis].T, step_cost, edge_cost)
    return np.asarray((along[0] + told[0] + told[1].T).argmin(axis=1))


def _passed_on(lines: Floats, step_cost: float, edge_cost: float) -> Floats:
    """What lines of cells (lines, levels, cells) hear from their neighbours on both sides, passed on line by line, if
    their levels cost so much beside.
    """
    cells = lines.shape[2]
    own = np.concatenate([lines, lines[::-1]], axis=2)
    heard = np.zeros_like(own)
    for k in range(1, len(own)):
        _send(own[k - 1] + heard[k - 1], step_cost, edge_cost, heard[k])
    return np.asarray(heard[:, :, :cells] + heard[::-1, :, cells:])


def _send(cost: Floats, step_cost: float, edge_cost: float, heard: Floats) -> None:
    """Write what cells whose levels cost so much (levels, cells) tell neighbours: the least, and the way to it."""
    cost -= cost.min(axis=0)
    np.minimum(cost, np.float32(edge_cost), out=heard)
    for apart in range(1, min(math.ceil(edge_cost / step_cost), len(cost))):
        raised = cost + np.float32(apart * step_cost)
        np.minimum(heard[apart:], raised[:-apart], out=heard[apart:])
        np.minimum(heard[:-apart], raised[apart:], out=heard[:-apart])
