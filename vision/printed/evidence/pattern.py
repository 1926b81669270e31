"""Doubts that nothing lies where colours hardly tell but the picture shows the pattern of a printed face.

In dim or odd light a corrected colour may be off by more than a face differs from the sheet beneath. What remains of
both without their mean colour is the pattern, which such an error leaves as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from vision.printed.evidence.classify import SpotKind, Tables
from vision.printed.evidence.doubt import doubted, rising
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.pieces.appearance import NOISE
from vision.printed.pieces.likelihood import CORRELATION
from vision.printed.pieces.patches import TALL

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

_HARDLY = -9.0
"""Nats of the likeliest face from which colours hardly tell it from the sheet."""
_HARDLY_OVER = 2.0
_PATTERN = 6.0
"""Nats by which the pattern must be the face's rather than the sheet's."""
_PATTERN_OVER = 1.0
_DOUBT = 0.4
"""The probability of a face there: of 27 such places of path-traced pictures twelve had one."""
_LEAST_SEEN = 0.6
"""Share of a spot that must be visible: of less, colours hardly tell anything anyway."""
_CHROMA = slice(1, 3)
"""The channels that are compared: shadows have patterns of lightness."""


def with_pattern(
    kinds: Sequence[SpotKind],
    tables: Tables,
    evidence: Evidence,
    lab: Mapping[str, Floats],
    bare: Mapping[str, Floats],
    seen: Mapping[str, Floats],
    whole: Mapping[str, Floats],
) -> Tables:
    """The tables of kinds of flat printed pieces with this doubt; those of others as they are.

    `lab` are the samples (spots, points, 3) of each kind, `bare` what they would be on the bare sheet;
    `seen` (spots, points) is the surface of samples that no piece hides, `whole` that of all.
    """
    result = dict(tables)
    for kind in kinds:
        name = kind.piece.name
        if kind.looks.paint is not None or kind.piece.height >= TALL:
            continue
        nats = evidence.gains[name].weighed(evidence.weights[name])
        doubt = _DOUBT * rising((nats[:, :-1].max(axis=1) - _HARDLY) / _HARDLY_OVER)
        is_seen = seen[name].sum(axis=1) > _LEAST_SEEN * np.maximum(whole[name].sum(axis=1), 1e-6)
        rows = np.flatnonzero(is_seen & (doubt > _DOUBT / 100) & (tables[name][:, 0] > _DOUBT))
        doubt[rows] *= rising(
            (_lead(kind, evidence, rows, lab[name], bare[name], seen[name]) - _PATTERN) / _PATTERN_OVER
        )
        result[name] = tables[name].copy()
        result[name][rows] = doubted(tables[name][rows], nats[rows], doubt[rows])
    return result


def _lead(
    kind: SpotKind, evidence: Evidence, rows: npt.NDArray[np.intp], lab: Floats, bare: Floats, weight: Floats
) -> Doubles:
    """The nats (rows,) by which the pattern of the likeliest face fits the samples better than the sheet's does."""
    name, top = kind.piece.name, kind.plan.top_points
    gains = evidence.gains[name]
    best = gains.weighed(evidence.weights[name])[:, :-1].argmax(axis=1)
    found = np.zeros(len(rows))
    for k, row in enumerate(rows):
        label, placement = int(best[row]), int(gains.placements[row, best[row]])
        surface = (weight[row] * kind.looks.inside[placement])[:top]
        face, shown = kind.looks.mean(label, placement)[:top], lab[row, :top]
        found[k] = 0.5 * (_off(shown - bare[row, :top], surface) - _off(shown - face, surface))
    return found


def _off(difference: Floats, weight: Floats) -> float:
    """How much a difference of colours (points, 3) varies over a spot, in units of the noise."""
    scaled = (difference / NOISE)[:, _CHROMA]
    total = max(float(weight.sum()), 1e-6)
    varying = scaled - (weight @ scaled) / total
    return float((weight @ (varying * varying)).sum()) / CORRELATION
