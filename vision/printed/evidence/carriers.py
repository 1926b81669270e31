"""Pieces that carry others: which are there, and what of them their riders hide."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Spot
from vision.printed.evidence.classify import SpotKind
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.pieces.forms import laid_before, shown_before
from vision.printed.pieces.likelihood import Gains
from vision.printed.pieces.patches import PatchView
from vision.printed.sheet.canvas import Laid

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.intp]

_ANY = 0.02
"""Share that each label of a carrier gets where only its rider tells that it is there."""
_CARRIES = 3.0
"""Nats from which a piece is taken to lie beneath a possible rider."""


class Carrier(NamedTuple):
    """A piece on which others may stand, the index of its label, and whether it is painted."""

    laid: Laid
    label: int
    painted: bool


def carriers_among(kinds: Sequence[SpotKind], riders: Mapping[str, str], evidence: Evidence) -> dict[str, Carrier]:
    """The pieces that may carry others, by spot, where one of their labels clearly beats nothing; `riders` maps kinds
    that stand on others to these.
    """
    found = {}
    for kind in kinds:
        name = kind.piece.name
        if name in riders.values():
            gains = evidence.gains[name]
            nats = gains.weighed(evidence.weights[name])[:, :-1]
            for k in np.flatnonzero(nats.max(axis=1) > _CARRIES):
                best = int(nats[k].argmax())
                placement = kind.looks.placements[gains.placements[k, best]]
                laid = Laid(kind.looks.labels[best], placement)
                found[kind.plan.spots[k].name] = Carrier(laid, best, bool(gains.painted[k, best]))
    return found


def beneath_riders(
    posteriors: Mapping[str, Mapping[str, float]], spots: Iterable[Spot], riders: Mapping[str, str]
) -> dict[str, Mapping[str, float]]:
    """The probabilities of carriers that are called emptier than what stands on them, made no emptier.

    A rider may be told by what its carrier is not, as by a network. `posteriors` are of all spots that are not covered.
    """
    at = {(spot.piece, spot.site): spot.name for spot in spots if spot.name in posteriors}
    found: dict[str, Mapping[str, float]] = {}
    for (piece, site), name in at.items():
        carrier = at.get((riders.get(piece, ""), site))
        if carrier is not None and posteriors[carrier][EMPTY] > posteriors[name][EMPTY]:
            found[carrier] = _no_emptier(posteriors[carrier], posteriors[name][EMPTY])
    return found


def _no_emptier(shares: Mapping[str, float], empty: float) -> dict[str, float]:
    labels = {label: share + _ANY for label, share in shares.items() if label != EMPTY}
    part = (1.0 - empty) / sum(labels.values())
    return {EMPTY: empty} | {label: share * part for label, share in labels.items()}


def rider_spots(rider: PatchView, carrier: PatchView) -> Integers:
    """The index of the rider's spot on each spot of its carrier."""
    by_site = {spot.site: k for k, spot in enumerate(rider.plan.spots)}
    return np.array([by_site[spot.site] for spot in carrier.plan.spots], np.intp)


def hidden_by(
    kind: SpotKind, gains: Gains, labels: Integers, view: PatchView, rows: Integers, behind: Floats
) -> Floats:
    """The probability (rows, points) that pieces of these labels (spots,) on some spots hide places behind them."""
    best = labels[rows]
    hidden = shown_before(kind.piece, view, rows, gains.ways[rows, best], behind)
    printed = np.flatnonzero(~gains.painted[rows, best])
    if printed.size:
        placements = [kind.looks.placements[k] for k in gains.placements[rows[printed], best[printed]]]
        hidden[printed] = laid_before(kind.piece, view, rows[printed], placements, behind[printed])
    return hidden
