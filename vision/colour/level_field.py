"""Assigns a level to every cell of a grid so that neighbouring cells are alike except at edges.

Minimises a Markov random field with a truncated linear cost by passing messages along rows and columns (Felzenszwalb
and Huttenlocher, Efficient Belief Propagation for Early Vision, 2006).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_ROUNDS = 3
"""Rounds of message passing, each along the rows and then along the columns."""


def cheapest_field(cost: Floats, step_cost: float, edge_cost: float) -> npt.NDArray[np.intp]:
    """The levels (rows, columns) of an approximately cheapest field.

    `cost` (rows, columns, levels) is the cost of each level in each cell; between neighbours each step of levels costs
    `step_cost`, at most `edge_cost` in all.
    """
    # The cells of a line are the last axis, so that NumPy works along whole lines.
    along = tuple(np.ascontiguousarray(np.moveaxis(cost, (axis, 2), (0, 1))) for axis in (0, 1))
    messages = [np.zeros_like(lines) for lines in along]
    for _ in range(_ROUNDS):
        for axis, lines in enumerate(along):
            messages[axis] = _passed_on(lines + messages[1 - axis].T, step_cost, edge_cost)
    return np.asarray((along[0] + messages[0] + messages[1].T).argmin(axis=1))


def _passed_on(lines: Floats, step_cost: float, edge_cost: float) -> Floats:
    """The messages that cells in lines (lines, levels, cells) receive from both neighbours, passed line by line."""
    cells = lines.shape[2]
    own = np.concatenate([lines, lines[::-1]], axis=2)
    heard = np.zeros_like(own)
    for k in range(1, len(own)):
        _send(own[k - 1] + heard[k - 1], step_cost, edge_cost, heard[k])
    return np.asarray(heard[:, :, :cells] + heard[::-1, :, cells:])


def _send(cost: Floats, step_cost: float, edge_cost: float, heard: Floats) -> None:
    """Write into `heard` the messages (levels, cells) that cells with this cost send: for each level of the neighbour
    the cheapest own level plus the cost of the step between them.
    """
    cost -= cost.min(axis=0)
    np.minimum(cost, np.float32(edge_cost), out=heard)
    for apart in range(1, min(math.ceil(edge_cost / step_cost), len(cost))):
        raised = cost + np.float32(apart * step_cost)
        np.minimum(heard[apart:], raised[:-apart], out=heard[apart:])
        np.minimum(heard[:-apart], raised[apart:], out=heard[:-apart])
