"""Finds edges of light, such as of shadows, on a board of taught pieces.

For every spot and every light it computes whether the spot's colours would be like anything taught; the light over the
board is then the cheapest Markov random field (`vision.colour.level_field`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.colour.level_field import cheapest_field
from vision.colour.light_map import LightMap
from vision.colour.space import linear_to_lab
from vision.spots.spot_features import SIDE, arrangement, light_of, quarter_turned
from vision.spots.spot_light import SpotLight
from vision.spots.taught_kind import SpotView, TaughtKind

Floats = npt.NDArray[np.float32]
Rows = Sequence[npt.NDArray[np.intp]]
"""For each kind of piece, the rows of some of its spots."""

_LEVELS = np.arange(-2.4, 2.45, 0.3, dtype=np.float32)
"""Light levels tried: natural logarithms relative to the usual light."""
_CELLS = 48
"""Cells of the field along either side of the board."""
_COARSE = 3
"""Squares along a side of a spot whose mean colours are compared."""
_KEPT = 100
"""Most samples of a kind of piece to compare with, chosen as different from each other as possible."""
_SPREAD = np.array([10.0, 6.0, 6.0], np.float32)
"""Standard deviation (Lab) of a spot from the sample it is most like."""
_UNLIKE = 4.0
"""Mean squared difference, in spreads, from which a spot is like nothing taught."""
_WORTH = 2.0
"""Nats of cost per unit of mean squared difference."""
_MOST_LIGHT = 1.3
"""Light (1 is white) that no spot shows in its right light."""
_INNER = 2 / 3
"""Part of a spot, around its centre, that is assigned to cells of the field."""
_STEP_COST = 1.5
"""Nats for each step of levels between neighbouring cells."""
_EDGE_COST = 4.0
"""Most nats for any edge between neighbouring cells."""
_UNUSUAL_COST = 0.02
"""Nats for a cell in other than the usual light."""


class LightField:
    """Finds edges of light on a board whose kinds of pieces are taught."""

    def __init__(self, kinds: Sequence[TaughtKind]) -> None:
        self._kinds = kinds

    def edges(self, views: Sequence[SpotView], light: SpotLight, rows: Rows) -> LightMap | None:
        """The edges of light relative to an even `light`, found from some rows of each kind; None where there are
        none.
        """
        cost = np.zeros((_CELLS, _CELLS, len(_LEVELS)), np.float32)
        cost += np.where(np.abs(_LEVELS) < 0.1, np.float32(0), np.float32(_UNUSUAL_COST))
        for kind, view, known, each in zip(self._kinds, views, self._looks, rows, strict=True):
            seen = each[view.inside[each]]
            if not len(seen):
                continue
            places = kind.places[seen]
            colours = _mean_colours(view.patches(seen)) * np.exp(light.at(places), dtype=np.float32)[:, None]
            costs = _WORTH * _costs(colours, known)
            low, high = (_cell(places + way * kind.reach * _INNER) for way in (-1, 1))
            for (left, top), (right, bottom), own in zip(low, high + 1, costs, strict=True):
                cost[top:bottom, left:right] += own / ((bottom - top) * (right - left))
        level = _LEVELS[cheapest_field(cost, _STEP_COST, _EDGE_COST)]
        return LightMap(2 / _CELLS, level, np.ones(3, np.float32)) if np.ptp(level) else None

    @cached_property
    def _looks(self) -> tuple[Floats, ...]:
        """For each kind, the mean colours (samples, squares * 3), in spreads, of samples in every turn."""
        found = []
        for kind in self._kinds:
            chosen = kind.samples[_unlike_one_another(_coarse(kind.samples))]
            found.append(np.concatenate([_coarse(quarter_turned(chosen, k)) for k in range(0, 4, 4 // kind.turns)]))
        return tuple(found)


def _costs(colours: Floats, known: Floats) -> Floats:
    """The cost (n, levels) of spots with mean linear colours (n, squares, 3) in each light: how unlike everything
    known.
    """
    costs = np.empty((len(colours), len(_LEVELS)), np.float32)
    squares = (known * known).sum(axis=1)
    for number, level in enumerate(_LEVELS):
        lit = colours * np.exp(-level)
        lab = (linear_to_lab(lit.reshape(-1, 3)) / _SPREAD).reshape(len(lit), -1)
        nearest = (squares - 2 * lab @ known.T).min(axis=1) + (lab * lab).sum(axis=1)
        costs[:, number] = np.minimum(nearest / _COARSE**2, _UNLIKE) + _UNLIKE * (lit.mean(axis=(1, 2)) > _MOST_LIGHT)
    return costs


def _coarse(samples: Floats) -> Floats:
    """The mean colours (n, squares * 3), in spreads, of described spots."""
    fine = arrangement(samples)
    step = fine.shape[1] // _COARSE
    parts = fine.reshape(len(fine), _COARSE, step, _COARSE, step, 3)
    return np.asarray((parts.mean(axis=(2, 4)) / _SPREAD).reshape(len(fine), -1), np.float32)


def _mean_colours(patches: npt.NDArray[np.uint8]) -> Floats:
    """The mean linear light (n, squares, 3) of the squares of patches."""
    step = SIDE // _COARSE
    parts = light_of(patches).reshape(len(patches), _COARSE, step, _COARSE, step, 3)
    return np.asarray(parts.mean(axis=(2, 4)).reshape(len(patches), -1, 3), np.float32)


def _unlike_one_another(looks: Floats) -> npt.NDArray[np.intp]:
    """Samples chosen so that no other sample is far from all of them (T. Gonzalez, 1985)."""
    chosen, far = [0], np.full(len(looks), np.inf, np.float32)
    while len(chosen) < min(_KEPT, len(looks)):
        far = np.minimum(far, ((looks - looks[chosen[-1]]) ** 2).sum(axis=1))
        chosen.append(int(far.argmax()))
    return np.array(chosen, np.intp)


def _cell(places: npt.NDArray[np.float64]) -> npt.NDArray[np.intp]:
    return np.asarray(np.clip((places + 1) / 2 * _CELLS, 0, _CELLS - 1), np.intp)
