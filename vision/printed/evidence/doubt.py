"""Adds doubt to spots read as empty that look unlike the picture's other empty spots.

How well empty spots fit differs between pictures (blur, noise, light, lens), so each picture's own empty spots are the
reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.pictures import Gray
from vision.printed.evidence.classify import SpotKind, Tables
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.pieces.likelihood import softmax
from vision.printed.pieces.patches import PatchView

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


class Usual(NamedTuple):
    """The fit of empty spots where a picture shows too few: mean log density (`middle`) and standard deviation over
    spots (`spread`).

    `worst` is the lowest median that is accepted for empty spots, `least_spread` the smallest deviation.
    """

    middle: float
    spread: float
    worst: float
    least_spread: float


ON_TILES = Usual(-9.9, 0.5, -10.5, 0.35)
"""For spots on tiles."""
ON_SHEET = Usual(-0.2, 0.2, -0.8, 0.2)
"""For spots on the sheet, relative to a sheet that looks exactly as printed."""
_FEWEST = 8
"""Fewest empty spots of a picture that serve as the reference."""
_LEAST_SEEN = 0.4
"""Share of a spot that must be visible for it to be doubted."""
_EVEN_AT = 4.0
"""Strangeness (standard deviations) at which something unknown is as likely as nothing."""
_RISE = 2.75
"""Increase of the log odds per standard deviation."""
_MOST = 0.5
"""Largest probability of something unknown."""
_FAR_OFF = -13.0
"""Nats of the best explanation at which half of the doubt remains."""
_FADING = 2.0
"""Nats over which it fades."""
_NONE: Doubles = np.zeros(0)


def strangeness(
    background: Floats,
    weight: Floats,
    whole: Floats,
    empty: Doubles,
    usual: Usual = ON_TILES,
    beside: Doubles = _NONE,
) -> Doubles:
    """By how many standard deviations each spot (spots,) fits its background worse than the picture's empty spots do.

    `background` (spots, points) are log densities of the samples if nothing stands there, `weight` (spots, points) the
    visible surface of each, `whole` (spots,) the surface of the spots if nothing hid them; `empty` (spots,) are the
    probabilities that nothing is there. `beside` are the fits of empty spots of other kinds, the reference for a kind
    with few spots. A hardly visible spot is not strange.
    """
    fit, judged = _fits(background, weight, whole)
    known = fit[judged & (empty > 0.5)]
    if len(known) < _FEWEST:
        known = beside
    middle, spread = usual.middle, usual.spread
    if len(known) >= _FEWEST:
        middle = max(float(np.median(known)), usual.worst)
        spread = max(1.4826 * float(np.median(np.abs(known - middle))), usual.least_spread)
    return np.where(judged, (middle - fit) / spread, 0.0)


def _fits(background: Floats, weight: Floats, whole: Floats) -> tuple[Doubles, npt.NDArray[np.bool_]]:
    """The mean log density (spots,) of samples if nothing stands there, and which spots are visible enough."""
    seen = weight.sum(axis=1)
    fit = (background * weight).sum(axis=1) / np.maximum(seen, 1e-6)
    return np.asarray(fit, np.float64), np.asarray(seen > _LEAST_SEEN * np.maximum(whole, 1e-6))


def doubt_of(strange: Doubles) -> Doubles:
    """The probability that something unknown lies on spots of this strangeness."""
    return np.minimum(rising(_RISE * (strange - _EVEN_AT)), _MOST)


def support_of(nats: npt.NDArray[np.floating]) -> Doubles:
    """The factor on the doubt about spots whose best explanation other than nothing gains `nats`: an object that all
    pieces, and foreign objects too, explain far worse than nothing is not a piece that looks odd.
    """
    return rising((nats - _FAR_OFF) / _FADING)


def rising(log_odds: npt.NDArray[np.floating]) -> Doubles:
    """The probabilities of log odds."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -60.0, 60.0))), np.float64)


def doubted(table: Doubles, nats: npt.NDArray[np.floating], doubt: Doubles) -> Doubles:
    """Probabilities (spots, 1 + labels + 1) with the share `doubt` of those of nothing moved to the labels, in
    proportion to their fit.

    `nats` (spots, labels + 1) is the evidence of the labels and of a foreign object.
    """
    moved = table[:, 0] * doubt
    result = table.copy()
    result[:, 0] -= moved
    result[:, 1:-1] += softmax(nats[:, :-1]) * moved[:, None]
    return result


def with_doubt(
    kinds: Sequence[SpotKind],
    tables: Tables,
    evidence: Evidence,
    views: Mapping[str, PatchView],
    weights: Mapping[str, Floats],
    taken: Gray | None = None,
    printed: Mapping[str, Floats] = MappingProxyType({}),
    riders: Mapping[str, str] = MappingProxyType({}),
) -> Tables:
    """The tables of kinds, with doubt where nothing was found; judged by samples with these `weights` (spots, points).

    `taken`, one pixel per millimetre, is above 0 where tiles hide the sheet. `riders` maps kinds that stand on others
    to these: where the carrier may have been missed, so may the rider. `printed` are the log densities, by kind, of
    samples that look exactly as the sheet was printed, for kinds that lie on it.
    """
    doubts, result = {}, {}
    looks: dict[str, tuple[Floats, Floats, Floats]] = {}
    for kind in kinds:
        name = kind.piece.name
        inside = kind.looks.inside[0]
        weight = (weights[name] if taken is None else clear_of(taken, weights[name], views[name])) * inside
        whole = (views[name].weight * inside).sum(axis=1)
        looks[name] = evidence.background[name] - printed.get(name, np.float32(0)), weight, whole
    fits = {name: _fits(*look) for name, look in looks.items()}
    known = [fit[judged & (tables[name][:, 0] > 0.5)] for name, (fit, judged) in fits.items()]
    others = np.concatenate([_NONE, *known])
    for kind in kinds:
        name = kind.piece.name
        strange = strangeness(*looks[name], tables[name][:, 0], ON_SHEET if printed else ON_TILES, others)
        best = evidence.gains[name].weighed(evidence.weights[name]).max(axis=1)
        doubts[name] = doubt_of(strange) * support_of(best) * _free_of_rivals(kind, kinds, tables, riders)
    for kind in kinds:
        name = kind.piece.name
        doubt = doubts[name]
        if name in riders:
            carrier = riders[name]
            unknown = doubts[carrier] * tables[carrier][:, 0]
            by_site = {spot.site: each for spot, each in zip(views[carrier].plan.spots, unknown, strict=True)}
            doubt = np.maximum(doubt, [by_site.get(spot.site, 0.0) for spot in kind.plan.spots])
        nats = evidence.gains[name].weighed(evidence.weights[name])
        result[name] = doubted(tables[name], nats, doubt)
    return result


def _free_of_rivals(kind: SpotKind, kinds: Sequence[SpotKind], tables: Tables, riders: Mapping[str, str]) -> Doubles:
    """The probability (spots,) that no piece of another kind stands at the site and causes the strangeness."""
    name = kind.piece.name
    free: dict[str, float] = {}
    for other in kinds:
        rival = other.piece.name
        if rival == name or riders.get(rival) == name or riders.get(name) == rival:
            continue
        for spot, empty in zip(other.plan.spots, tables[rival][:, 0].tolist(), strict=True):
            free[spot.site] = free.get(spot.site, 1.0) * empty
    return np.array([free.get(spot.site, 1.0) for spot in kind.plan.spots])


def clear_of(taken: Gray, weight: Floats, view: PatchView) -> Floats:
    """The weights (spots, points) of a view's samples, zero where `taken`, one pixel per millimetre, is above 0."""
    return np.where(_at(taken, view.ground), np.float32(0), weight)


def _at(mask: Gray, places: Floats) -> npt.NDArray[np.bool_]:
    columns = np.clip(places[..., 0].round().astype(np.intp), 0, mask.shape[1] - 1)
    rows = np.clip(places[..., 1].round().astype(np.intp), 0, mask.shape[0] - 1)
    return np.asarray(mask[rows, columns] > 0)
