"""How much better each label explains a spot's samples than the background, and exclusive covers of cells by spots.

Evidence is a log-likelihood ratio in nats relative to the background. The errors of neighbouring samples are correlated
(light, placement), so each counts for the surface around it, in units of `CORRELATION` square millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import cast

import numpy as np
import numpy.typing as npt

from vision.printed.pieces.appearance import NOISE, Appearance
from vision.printed.pieces.paint import Paint, PaintBounds

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]

CORRELATION = 12.0
"""Surface (mm²) over which the errors of samples are assumed identical."""
_SHARP_CORRELATION = 9.0
"""The same in a picture without any blur."""
OUTLIER = -16.0
"""Log density of a sample that nothing explains (a glint, a crumb, a shadow's edge), the same under every
hypothesis.
"""
_SOLID_OUTLIER = np.float32(-20.0)
"""The same on an upright piece in a definite form and position, where neither other pieces' shadows nor crumbs lie."""
FOREIGN = -12.7
"""Mean log density of samples under a foreign object: worse than a piece in the worst view, better than a piece that is
not there.
"""
_STRONG = 30.0
"""Chroma (Lab) above which skin, sleeves and wood are rare."""
_RARE = 0.03
"""Nats per unit of chroma above it."""
FOREIGN_PRIOR = -3.0
"""Prior log odds of a foreign object."""

_WELL_CORRECTED = 5.0
"""Error of the patches (Lab) up to which samples have full weight."""
_DIM = np.float32(-12.0)
"""Log density of a side in a shadow so deep that its hue is lost."""
_DARK = np.float32(16.0)
"""Lab lightness below which it may lie in such a shadow."""
_PAINTED = np.float32(-6.0)
"""Prior log odds that a piece is painted rather than printed."""
_LOG_LIKE_PRINT = np.float32(math.log(0.7))
"""Log probability that paint is close to the printed colour of the same name."""
_LOG_FREE = np.float32(math.log(0.3))
"""Log probability that it deviates more."""
_WOOD = np.array([22.0, 3.0, 12.0], np.float32), np.array([80.0, 16.0, 36.0], np.float32)
"""Least and most Lab of bare wooden sides, lit or not."""
_WOODEN_SIDES = np.float32(-2.0)
"""Prior log odds that a printed piece has bare wooden sides."""
_SHADE = (0.4, 0.9)
"""Range of the factor of a shadow on all three of Lab."""
_LOG_SHADED = np.float32(math.log(0.2))
"""Log probability that a sample lies in such a shadow."""
_LOG_OFF = np.float32(math.log(0.5))
"""Log probability that a printed colour is off by up to the slack."""
_GLOOM = np.array([0.0, -3.0, -3.0], np.float32), np.array([16.0, 6.0, 6.0], np.float32)
"""Least and most Lab in the deepest shadow, next to an object between it and a lamp."""
_LOG_GLOOM = np.float32(math.log(0.015))
"""Log probability of a sample there."""
_LOG_BODY, _LOG_BESIDE, _LOG_ODD = (np.float32(math.log(share)) for share in (0.75, 0.15, 0.1))
"""Log probability that a sample within the outline of a painted piece shows the piece."""

_MOST_LEAD = np.float32(20.0)
"""Most nats that one sample may gain."""

_PEAK = float(-np.log(math.sqrt(math.tau) * NOISE).sum())
"""Log density of a sample exactly as expected."""

OVER_CHANNELS = np.ones(3, np.float32)
"""Sums the last axis as a matrix product, several times faster than `sum` over three values."""


def for_points(values: Floats, points: int) -> Floats:
    """Values of channels (..., 3) repeated for a number of points: NumPy is fast along long rows, not along three
    values.
    """
    return np.repeat(np.atleast_2d(values), points, axis=-2)


def log_of_sum(first: Floats, second: Floats | np.float32) -> Floats:
    """The logarithm of the sum of two densities, given by their logarithms: much faster than `numpy.logaddexp`."""
    return np.asarray(np.maximum(first, second) + np.log1p(np.exp(-np.abs(first - second))), np.float32)


@dataclass(frozen=True, slots=True)
class NormalDensity:
    """A normal distribution of Lab (..., 3), prepared for many samples."""

    mean: Floats
    deviation: Floats
    room: Floats

    @classmethod
    def of(cls, mean: Floats, variance: Floats) -> NormalDensity:
        """The distribution with this mean and variance (..., 3)."""
        return cls(mean, np.sqrt(variance), np.asarray(np.log(math.tau * variance) @ OVER_CHANNELS, np.float32))

    def log_of(self, samples: Floats) -> Floats:
        """Log density (...,) of Lab samples (..., 3), never below `OUTLIER`."""
        off = (samples - self.mean) / self.deviation
        return np.asarray(np.maximum(-0.5 * ((off * off) @ OVER_CHANNELS + self.room), OUTLIER), np.float32)


@dataclass(frozen=True, slots=True)
class EvenDensity:
    """A distribution of Lab (..., 3) uniform between two bounds, with normal flanks."""

    low: Floats
    high: Floats
    flank: Floats
    room: Floats

    @classmethod
    def of(cls, low: Floats, high: Floats, points: int, astray: Floats | float = 0.0) -> EvenDensity:
        """The distribution between these bounds, for rows of `points` samples; the flanks' deviation is `NOISE` plus
        `astray`.
        """
        flank = for_points(NOISE + astray, points)
        room = np.log(np.float32(math.sqrt(math.tau)) * flank + high - low) @ OVER_CHANNELS
        return cls(low, high, flank, np.asarray(room, np.float32))

    def log_of(self, samples: Floats) -> Floats:
        """Log density (...,) of Lab samples (..., 3), never below `OUTLIER`."""
        off = (samples - np.minimum(np.maximum(samples, self.low), self.high)) / self.flank
        return np.asarray(np.maximum(-0.5 * ((off * off) @ OVER_CHANNELS) - self.room, OUTLIER), np.float32)


def log_density(samples: Floats, mean: Floats, variance: Floats) -> Floats:
    """Log density (...,) of Lab samples (..., 3) under a normal distribution, never below `OUTLIER`."""
    return NormalDensity.of(mean, variance).log_of(samples)


def even_density(samples: Floats, low: Floats, high: Floats, astray: Floats | float = 0.0) -> Floats:
    """Log density, uniform between two bounds with normal flanks of `NOISE` plus `astray`, never below `OUTLIER`."""
    return EvenDensity.of(low, high, samples.shape[-2], astray).log_of(samples)


def paint_density(turned: Floats, like_print: PaintBounds, free: PaintBounds) -> Floats:
    """Log density of samples (..., 3), in coordinates along and across a hue, of wood painted in it: close to the
    print, or freer.
    """
    like, freer = (even_density(turned, *bounds) for bounds in (like_print, free))
    return log_of_sum(like + _LOG_LIKE_PRINT, freer + _LOG_FREE)


def paint_densities(samples: Floats, paint: tuple[Paint, Paint]) -> Floats:
    """The same of Lab samples (spots, points, 3) for every label: (labels, spots, points)."""
    like, free = paint
    labels = range(len(like.hue))
    return np.stack([paint_density(like.turned(samples, k), like.of_label(k), free.of_label(k)) for k in labels])


def allowing_shadow(density: Floats, samples: Floats) -> Floats:
    """These log densities, raised where samples may lie in a shadow so deep that it hides the expected colour."""
    low, high = (for_points(bound, samples.shape[-2]) for bound in _GLOOM)
    return np.asarray(np.maximum(density, even_density(samples, low, high) + _LOG_GLOOM), np.float32)


def foreign_density(samples: Floats) -> Floats:
    """Log density (...,) of Lab samples (..., 3) of a foreign object."""
    strength = np.hypot(samples[..., 1], samples[..., 2])
    return np.asarray(FOREIGN - _RARE * np.maximum(strength - _STRONG, 0), np.float32)


def weight_under_blur(blur: float) -> float:
    """The weight of a sample under a blur (standard deviation, mm): 1 under the usual one or less.

    Samples that receive the same light have correlated errors, over the area of the blur's autocorrelation.
    """
    return min(1.0, CORRELATION / (_SHARP_CORRELATION + 4.0 * math.pi * blur**2))


def weight_for_colour_error(error: float) -> np.float32:
    """The weight of a sample in a picture whose corrected patches are off by `error` (Lab): all samples' errors are
    then correlated.
    """
    return np.float32(min(1.0, _WELL_CORRECTED / max(error, 1e-6)) ** 1.5)


@dataclass(frozen=True, slots=True)
class Gains:
    """How much better each label explains each sample than the background: `nats` (spots, labels + 1, points).

    The last label is a foreign object. `placements` (spots, labels + 1) are those in which the labels fit best;
    `painted` (spots, labels + 1) says whether the piece is then rather painted than printed.
    """

    nats: Floats
    placements: Integers
    painted: Flags
    ways: Integers
    """the best forms and positions (spots, labels + 1) of a painted piece, as indices into `bodies`"""

    @classmethod
    def none(cls, weight: Floats, looks: Appearance) -> Gains:
        """Zero gain for samples with weights (spots, points)."""
        labels = len(looks.labels) + 1
        nats = np.zeros((weight.shape[0], labels, weight.shape[1]), np.float32)
        shape = (weight.shape[0], labels)
        return cls(nats, np.zeros(shape, np.intp), np.zeros(shape, bool), np.zeros(shape, np.intp))

    def weighed(self, weight: Floats) -> Floats:
        """Evidence (spots, labels + 1) in nats; `weight` (spots, points) is the surface in mm² that each sample stands
        for.
        """
        return np.asarray(np.matmul(self.nats, (weight / CORRELATION)[:, :, None])[:, :, 0])

    def of(self, rows: Integers) -> Gains:
        """The gains of some spots."""
        return Gains(self.nats[rows], self.placements[rows], self.painted[rows], self.ways[rows])

    def replaced(self, rows: Integers, fresh: Gains) -> Gains:
        """The same with some spots' rows taken from `fresh`."""
        nats, placements = self.nats.copy(), self.placements.copy()
        painted, ways = self.painted.copy(), self.ways.copy()
        nats[rows], placements[rows], painted[rows] = fresh.nats, fresh.placements, fresh.painted
        ways[rows] = fresh.ways
        return Gains(nats, placements, painted, ways)


def gains_of(
    samples: Floats,
    background: Floats,
    weight: Floats,
    looks: Appearance,
    bodies: Floats | None = None,
    *,
    slack: Floats | None = None,
    flawless: bool = False,
) -> Gains:
    """Compare samples (spots, points, 3) with every label.

    `background` (spots, points) is the samples' log density under the background, `weight` (spots, points) their
    surface in mm², zero where hidden. The placement is chosen by weighted least squares, a few matrix products; the
    gain is then computed robustly. Samples outside the piece in that placement gain nothing. `bodies` (spots, ways,
    points) is the probability that a sample shows a painted piece in each form and position; without them any form
    within the outline is possible. Printed colours may be off by `slack` (3,) in Lab. `flawless` painted pieces show
    nothing but their paint: used where many positions are tried and one of them fits.
    """
    share = weight / CORRELATION
    spots, points = weight.shape
    seen = _Shared.of(samples, background, share, looks)
    top = looks.top
    upper, scaled = share[:, :top], samples[:, :top] / for_points(NOISE, top)
    weighted = scaled.reshape(spots, 3 * top) * np.repeat(upper, 3, axis=1)
    beside = (_PEAK - background[:, :top]) * 2.0
    away = (upper * ((scaled * scaled) @ OVER_CHANNELS - beside)) @ looks.inside[:, :top].T
    paint = paint_densities(samples, looks.paint) if looks.paint is not None else None
    plain = None
    if paint is not None and looks.may_be_plain:
        plain = _painted(seen, seen.with_dim_sides(paint), looks, flawless, bodies)
    nats, placements, painted, ways = [], [], [], []
    for label in range(len(looks.labels)):
        misfit = away + upper @ looks.energy[label].T
        misfit -= 2.0 * weighted @ looks.sought[label].T
        best = misfit.argmin(axis=1)
        mean, variance = looks.mean(label, best), looks.variance_of(label, best)
        density = log_density(samples, mean, variance)
        if slack is not None:
            off = for_points(slack, points)
            density = np.maximum(density, even_density(samples, mean - off, mean + off) + _LOG_OFF)
        if looks.paint is not None and looks.low:
            density = np.maximum(density, _shaded(samples, mean, variance))
        better, way = np.zeros(spots, bool), np.zeros(spots, np.intp)
        if paint is not None and bodies is not None:
            density[seen.sides] = np.maximum(density[seen.sides], paint[label][seen.sides])
        gain = seen.with_wooden_sides((seen.with_dim_sides(density) - background) * looks.inside[best])
        if plain is not None:
            if_painted, way = plain[0][label], plain[1][label]
            better = (if_painted * share).sum(axis=1) > (gain * share).sum(axis=1)
            gain = np.where(better[:, None], if_painted, gain)
        nats.append(gain)
        placements.append(best)
        painted.append(better)
        ways.append(way)
    if not looks.may_be_plain:
        _beneath_figures(nats, share, top)
    nats.append(seen.foreign * looks.inside[0])
    placements.append(np.zeros(spots, np.intp))
    painted.append(np.zeros(spots, bool))
    ways.append(np.zeros(spots, np.intp))
    return Gains(*(np.stack(each, axis=1) for each in (nats, placements, painted, ways)))


def _beneath_figures(nats: Sequence[Floats], share: Floats, top: int) -> None:
    """Have the sides of pieces with a figure on top tell only that something stands there, and no more surely than its
    top shows the figure: sides lie in shade of their own, and black shadows look like black sides.
    """
    sides = np.max([gain[:, top:] for gain in nats], axis=0)
    total = (sides * share[:, top:]).sum(axis=1)
    for gain in nats:
        shown = np.maximum((gain[:, :top] * share[:, :top]).sum(axis=1), 0.0)
        part = np.where(total > shown, shown / np.maximum(total, np.float32(1e-6)), 1.0)
        gain[:, top:] = sides * part[:, None]


def _shaded(samples: Floats, mean: Floats, variance: Floats) -> Floats:
    """Log density of samples of a printed piece in the shadow of another piece."""
    middle, half = np.float32(sum(_SHADE) / 2), np.float32((_SHADE[1] - _SHADE[0]) / math.sqrt(12))
    return log_density(samples, mean * middle, variance + (mean * half) ** 2) + _LOG_SHADED


@dataclass(frozen=True, slots=True)
class _Shared:
    """Values that are the same for every label: the samples' `background` and `share`, their gain under a foreign
    object, which samples of the `sides` are nearly black, and the sides' gain as bare wood (None without sides).
    """

    background: Floats
    share: Floats
    foreign: Floats
    sides: tuple[EllipsisType, slice]
    dim: Flags
    wood: Floats | None

    @classmethod
    def of(cls, samples: Floats, background: Floats, share: Floats, looks: Appearance) -> _Shared:
        points = share.shape[1]
        top = looks.top
        sides = np.s_[..., top:]
        low, high = (for_points(bound, points - top) for bound in _WOOD)
        wood = even_density(samples[:, top:], low, high) - background[sides] if top < points else None
        foreign = foreign_density(samples) - background
        return cls(background, share, foreign, sides, samples[:, top:, 0] < _DARK, wood)

    def with_dim_sides(self, density: Floats) -> Floats:
        """Log densities (..., spots, points) of samples, where samples on sides may be nearly black."""
        result = density.copy()
        result[self.sides] = np.where(self.dim, np.maximum(density[self.sides], _DIM), density[self.sides])
        return result

    def with_wooden_sides(self, gain: Floats) -> Floats:
        """The samples' gains if a printed piece's sides may be bare wood instead of its face's colour."""
        if self.wood is None:
            return gain
        sides, share = self.sides, self.share[self.sides]
        lead = ((self.wood - gain[sides]) * share).sum(axis=1, keepdims=True) + _WOODEN_SIDES
        spread = _WOODEN_SIDES / np.maximum(share.sum(axis=1, keepdims=True), np.float32(1e-6))
        result = gain.copy()
        result[sides] = np.where(lead > 0, self.wood + spread, gain[sides])
        return result


def _painted(
    seen: _Shared, density: Floats, looks: Appearance, flawless: bool, bodies: Floats | None
) -> tuple[Floats, Integers]:
    """Gain of each sample if the piece is plain painted wood; without `bodies` of unknown form, so that samples may
    show the background.

    `density` (labels, spots, points) are the samples' log densities on paint. Also returns the best forms and positions
    (labels, spots).
    """
    share, lead = seen.share, density - seen.background
    if bodies is None:
        gain = log_of_sum(lead + _LOG_BODY, _LOG_BESIDE)
        if not flawless:
            gain = log_of_sum(gain, seen.foreign + _LOG_ODD)
        gain *= looks.inside[((gain * share) @ looks.inside.T).argmax(axis=-1)]
        ways = np.zeros(gain.shape[:2], np.intp)
    else:
        solid = np.where(density > OUTLIER, lead, _SOLID_OUTLIER - seen.background)
        rise = np.exp(np.minimum(solid, _MOST_LEAD)) - np.float32(1)
        surely = np.log1p(np.float32(0.99) * rise) * share
        ways = np.matmul(bodies, surely.transpose(1, 2, 0)).argmax(axis=1).T
        gain = np.log1p(bodies[np.arange(len(bodies)), ways] * rise)
    spread = _PAINTED / np.maximum(share.sum(axis=1, keepdims=True), np.float32(1e-6))
    return np.asarray(gain + spread, np.float32), ways


@dataclass(frozen=True, slots=True)
class Cover:
    """The claims of spots on cells; a claim is a pair of a spot and a cell.

    `spots` (claims,) is each claim's spot; `claims` (cells, most) lists each cell's claims, padded with the number of
    claims, which stands for none.
    """

    spot_count: int
    spots: Integers
    claims: Integers


def cover_of(cells: Sequence[Sequence[str]]) -> Cover:
    """The cover in which spot k occupies the cells `cells[k]`."""
    by_cell: dict[str, list[int]] = {}
    spots: list[int] = []
    for spot, taken in enumerate(cells):
        for cell in taken:
            by_cell.setdefault(cell, []).append(len(spots))
            spots.append(spot)
    most = max((len(claims) for claims in by_cell.values()), default=0)
    table = [claims + [len(spots)] * (most - len(claims)) for claims in by_cell.values()]
    return Cover(len(cells), np.array(spots, np.intp), np.array(table, np.intp).reshape(-1, most))


def cover_marginals(cover: Cover, weights: npt.NDArray[np.floating], rounds: int = 80) -> npt.NDArray[np.float64]:
    """Log odds (spots,) that a spot is taken if no cell may be occupied twice, from each spot's own log odds.

    Belief propagation between spots and cells (sum-product, damped): exact on trees; on the two-coloured graph of a
    triangular lattice its certain answers are those of the most likely cover.
    """
    own = np.asarray(weights, np.float64)
    count, most = len(cover.spots), cover.claims.shape[1]
    down = np.zeros(count)
    for _ in range(rounds):
        total = own + np.bincount(cover.spots, down, cover.spot_count)
        up = np.append(total[cover.spots] - down, -np.inf)[cover.claims]
        fresh = np.zeros(count + 1)
        for column in range(most):
            others = np.delete(up, column, axis=1)
            # The initial 0 stands for a cell that no spot occupies.
            fresh[cover.claims[:, column]] = -np.logaddexp.reduce(others, axis=1, initial=0.0)
        change = fresh[:count] - down
        down += 0.7 * change
        if np.abs(change).max(initial=0.0) < 1e-3:
            break
    return own + np.bincount(cover.spots, down, cover.spot_count)


def softmax(scores: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Probabilities along the last axis in proportion to exp(scores)."""
    shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return cast(npt.NDArray[np.float64], shifted / shifted.sum(axis=-1, keepdims=True))
