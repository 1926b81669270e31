"""Doubt where a picture shows something that nothing explains: a spot called empty need not be as it was printed.

How well empty spots fit differs from picture to picture, by blur, noise, light and lens; so the picture's own empty
spots are the measure of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.pictures import Gray
from vision.printed.classify import Kind, Tables
from vision.printed.evidence import Evidence
from vision.printed.likelihood import softmax
from vision.printed.patches import PatchView

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]


class Usual(NamedTuple):
    """How empty spots fit: mean log density and its standard deviation over spots, where a picture shows too few of
    them; the worst that half of them may fit if they are empty; the least deviation that is believed.
    """

    middle: float
    spread: float
    worst: float
    least_spread: float


ON_TILES = Usual(-9.9, 0.5, -10.5, 0.35)
ON_SHEET = Usual(-0.2, 0.2, -0.8, 0.2)
"""The same beside what the sheet would show if it looked just as printed."""
_FEWEST = 8
"""Spots from which a picture's own empty ones are the measure."""
_LEAST_SEEN = 0.4
"""The part of a spot that must be seen to be held against it."""
_EVEN_AT, _RISE = 4.0, 2.75
"""Standard deviations at which something unknown is as likely as nothing, and how log odds rise with each."""
_MOST = 0.5
_FAR_OFF, _FADING = -13.0, 2.0
"""Nats of the best explanation at which half of a doubt is left, and over which it fades."""
_NONE: Doubles = np.zeros(0)


def strangeness(
    background: Floats,
    weight: Floats,
    whole: Floats,
    empty: Doubles,
    usual: Usual = ON_TILES,
    beside: Doubles = _NONE,
) -> Doubles:
    """By how many standard deviations spots (spots,) fit what lies beneath worse than the empty ones of the picture do.

    `background` (spots, points) are log densities of the samples if nothing stands there, `weight` (spots, points) is
    the surface of each as far as it is seen, `whole` (spots,) that of the spots if nothing hid them; `empty` (spots,)
    are the probabilities that nothing is there. `beside` are the fits of empty spots of like kinds, the measure of a
    kind of few spots. A spot that is hardly seen is not strange.
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
    """The mean log density (spots,) of samples if nothing stands there, and of which spots enough is seen."""
    seen = weight.sum(axis=1)
    fit = (background * weight).sum(axis=1) / np.maximum(seen, 1e-6)
    return np.asarray(fit, np.float64), np.asarray(seen > _LEAST_SEEN * np.maximum(whole, 1e-6))


def doubt_of(strange: Doubles) -> Doubles:
    """The probability that something unknown is on spots of such strangeness."""
    return np.minimum(_rising(_RISE * (strange - _EVEN_AT)), _MOST)


def support_of(nats: npt.NDArray[np.floating]) -> Doubles:
    """What is left of doubt about spots where the best explanation but nothing gains so many nats: what every piece and
    anything foreign explain far worse is no piece that looks odd.
    """
    return _rising((nats - _FAR_OFF) / _FADING)


def _rising(log_odds: npt.NDArray[np.floating]) -> Doubles:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -60.0, 60.0))), np.float64)


def doubted(table: Doubles, nats: npt.NDArray[np.floating], doubt: Doubles) -> Doubles:
    """Probabilities (spots, 1 + labels + 1) with a part of those of nothing given to the labels, as they fit.

    `nats` (spots, labels + 1) is the evidence of the labels and of something foreign.
    """
    moved = table[:, 0] * doubt
    result = table.copy()
    result[:, 0] -= moved
    result[:, 1:-1] += softmax(nats[:, :-1]) * moved[:, None]
    return result


def with_doubt(
    kinds: Sequence[Kind],
    tables: Tables,
    evidence: Evidence,
    views: Mapping[str, PatchView],
    weights: Mapping[str, Floats],
    taken: Gray | None = None,
    printed: Mapping[str, Floats] = MappingProxyType({}),
    riders: Mapping[str, str] = MappingProxyType({}),
) -> Tables:
    """The tables of kinds with doubt where nothing was found, going by samples of these `weights` (spots, points).

    `taken`, a pixel a millimetre, is above 0 where tiles hide the sheet. `riders` name the kinds that stand on others:
    where one of these may have been missed, one of them may be. `printed` are the log densities, by kind, of samples
    that look just as the sheet was printed, for kinds that lie on it.
    """
    doubts, result = {}, {}
    looks: dict[str, tuple[Floats, Floats, Floats]] = {}
    for kind in kinds:
        name = kind.piece.name
        inside = kind.looks.inside[0]
        weight = weights[name] * inside
        if taken is not None:
            weight = np.where(_at(taken, views[name].ground), np.float32(0), weight)
        whole = (views[name].weight * inside).sum(axis=1)
        looks[name] = evidence.background[name] - printed.get(name, np.float32(0)), weight, whole
    fits = {name: _fits(*look) for name, look in looks.items()}
    known = [fit[judged & (tables[name][:, 0] > 0.5)] for name, (fit, judged) in fits.items()]
    beside = np.concatenate([_NONE, *known])
    for kind in kinds:
        name = kind.piece.name
        strange = strangeness(*looks[name], tables[name][:, 0], ON_SHEET if printed else ON_TILES, beside)
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


def _free_of_rivals(kind: Kind, kinds: Sequence[Kind], tables: Tables, riders: Mapping[str, str]) -> Doubles:
    """The probability (spots,) that nothing of other kinds stands where a piece would, which would be what is seen."""
    name = kind.piece.name
    free: dict[str, float] = {}
    for other in kinds:
        rival = other.piece.name
        if rival == name or riders.get(rival) == name or riders.get(name) == rival:
            continue
        for spot, empty in zip(other.plan.spots, tables[rival][:, 0].tolist(), strict=True):
            free[spot.site] = free.get(spot.site, 1.0) * empty
    return np.array([free.get(spot.site, 1.0) for spot in kind.plan.spots])


def _at(mask: Gray, places: Floats) -> npt.NDArray[np.bool_]:
    columns = np.clip(places[..., 0].round().astype(np.intp), 0, mask.shape[1] - 1)
    rows = np.clip(places[..., 1].round().astype(np.intp), 0, mask.shape[0] - 1)
    return np.asarray(mask[rows, columns] > 0)
