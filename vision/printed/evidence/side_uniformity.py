"""Evidence against pieces whose sides are less uniform than sides are: a false detection is made up of its neighbours.

How uniform sides look differs between pictures (blur, noise, shadows), so each picture's own pieces are the reference.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.layout import Spot
from vision.printed.evidence.classify import SpotKind
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.pieces.forms import Bodies
from vision.printed.pieces.likelihood import CORRELATION
from vision.printed.pieces.patches import TALL

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

_SURE_LEAD = 8.0
"""Nats by which a label must beat nothing for a spot to be part of the reference."""
_LABEL_LEAD = 4.0
"""Nats by which it must beat the next label."""
_USUAL = 36.0
"""Variance (Lab squared) within sides, assumed where a picture shows no pieces."""
_USUAL_COUNT = 4
"""Number of pieces that the assumed variance counts as."""
_LEAST = 4.0
"""Variance (Lab squared) added to that of all sides, so that none counts as perfectly uniform."""
_COLOUR = 0.3
"""Weight of the variance of a and b relative to that of L."""
_ALLOWED = 1.8
"""Factor by which a side's variance may exceed the reference without counting against the piece."""
_WITHIN = 0.8
"""Probability of showing the painted piece from which a sample is used."""
_FEWEST = 3
"""Fewest samples of a strip of side."""
_LEAST_SURFACE = 0.3
"""Smallest surface of a strip, in units of `CORRELATION`."""
_LEAST_SEEN = 2.0
"""Smallest surface of all of a piece's strips, in units of `CORRELATION`."""


@dataclass(frozen=True, slots=True)
class _Sides:
    """For the spots (rows,) where something may stand: the variance within sides, their visible surface in units of
    `CORRELATION`, and which of them (`telling`) are part of the reference.
    """

    rows: npt.NDArray[np.intp]
    variance: Doubles
    surface: Doubles
    telling: npt.NDArray[np.bool_]


def uneven_side_penalty(
    kinds: Iterable[SpotKind],
    evidence: Evidence,
    lab: Mapping[str, Floats],
    bodies: Mapping[str, Bodies],
    standing: Iterable[Spot],
) -> dict[str, Doubles]:
    """The evidence (spots,), in nats, of uneven sides against every piece of each upright kind.

    The sides are those of each spot's most likely label. `lab` (spots, points, 3) are the samples; the pieces on the
    spots `standing` are the reference.
    """
    names = {spot.name for spot in standing}
    upright = [kind for kind in kinds if kind.piece.height >= TALL and kind.plan.top_points < len(kind.plan.local)]
    sides = {kind.piece.name: _sides(kind, evidence, lab[kind.piece.name], bodies, names) for kind in upright}
    known = [np.log(each.variance[each.telling]) for each in sides.values()]
    usual = math.exp(float(np.median(np.concatenate([np.full(_USUAL_COUNT, math.log(_USUAL)), *known]))))
    result = {}
    for kind in upright:
        name = kind.piece.name
        seen = sides[name]
        ratio = np.maximum(seen.variance / (_ALLOWED * usual), 1.0)
        result[name] = np.zeros(len(kind.plan.spots))
        result[name][seen.rows] = 0.5 * seen.surface * (ratio - 1.0 - np.log(ratio))
    return result


def _sides(
    kind: SpotKind, evidence: Evidence, lab: Floats, bodies: Mapping[str, Bodies], standing: Container[str]
) -> _Sides:
    name, top = kind.piece.name, kind.plan.top_points
    gains, weight = evidence.gains[name], evidence.weights[name]
    nats = gains.weighed(weight)[:, :-1]
    ranked = np.sort(nats, axis=1)
    rows = np.flatnonzero(ranked[:, -1] > 0)
    best = nats[rows].argmax(axis=1)
    share = weight[rows, top:].astype(np.float64) / CORRELATION
    if name in bodies and rows.size:
        within = bodies[name].at(rows)[np.arange(len(rows)), gains.ways[rows, best], top:] > _WITHIN
        share *= within | ~gains.painted[rows, best][:, None]
    # The second edition has drawings on its sides.
    second = np.array([placement.second for placement in kind.looks.placements])
    share[second[gains.placements[rows, best]] & ~gains.painted[rows, best]] = 0.0
    normals = kind.plan.normals[top:].round(2)
    strips = (normals[:, None] == np.unique(normals, axis=0)).all(axis=2).astype(np.float64)
    surface = share @ strips
    surface *= (surface >= _LEAST_SURFACE) & ((share > 0) @ strips >= _FEWEST)
    samples = lab[rows, top:].astype(np.float64)
    room = np.maximum(surface, 1e-9)[:, :, None]
    mean, square = (
        np.einsum("rpc,ps->rsc", share[:, :, None] * values, strips) / room for values in (samples, samples * samples)
    )
    spread = np.maximum(square - mean * mean, 0.0) @ np.array([1.0, _COLOUR, _COLOUR])
    seen = surface.sum(axis=1)
    variance = (spread * surface).sum(axis=1) / np.maximum(seen, 1e-9) + _LEAST
    enough = seen > _LEAST_SEEN
    stands = np.array([kind.plan.spots[k].name in standing for k in rows], bool)
    telling = stands & enough & (ranked[rows, -1] > _SURE_LEAD) & (ranked[rows, -1] - ranked[rows, -2] > _LABEL_LEAD)
    return _Sides(rows, variance, np.where(enough, seen, 0.0), telling)
