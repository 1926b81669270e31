"""How much better a label explains the samples of a spot than what lies beneath, and what follows for all spots.

Evidence is a log-likelihood ratio in nats against the background. Neighbouring samples err together (light, placement),
so each counts for the surface it stands for, in units of `CORRELATION` square millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import cast

import numpy as np
import numpy.typing as npt

from vision.printed.appearance import NOISE, Appearance
from vision.printed.paint import Paint, PaintBounds

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]

CORRELATION = 12.0
"""The surface (mm²) over which errors are taken to be one and the same."""
_SHARP_CORRELATION = 9.0
"""The same in a picture without any blur."""
OUTLIER = -16.0
"""Log density of a sample that nothing explains: a glint, a crumb, a shadow's edge; the same for every hypothesis."""
_SOLID_OUTLIER = np.float32(-20.0)
"""The same on an upright piece in the way it stands, where neither shadows of others nor crumbs lie."""
FOREIGN = -12.7
"""Mean log density under something that does not belong to the game: worse than the worst view of a piece, better than
a piece that is not there.
"""
_STRONG, _RARE = 30.0, 0.03
"""Strength (Lab) of a colour from which on skin, sleeves and wood are rarely of it, and nats that each unit costs."""
FOREIGN_PRIOR = -3.0
"""Log odds of a foreign thing before anything is seen."""

_WELL_CORRECTED = 5.0
"""Error of patches (Lab) up to which samples count in full."""
_DIM, _DARK = np.float32(-12.0), np.float32(16.0)
"""Log density of a side in a shadow so deep (Lab lightness) that its hue is lost."""
_PAINTED = np.float32(-6.0)
"""Log odds that a piece is of one colour rather than printed."""
_LOG_LIKE_PRINT, _LOG_FREE = np.float32(math.log(0.7)), np.float32(math.log(0.3))
"""Log odds that paint is like the print, or freer."""
_WOOD = np.array([22.0, 3.0, 12.0], np.float32), np.array([80.0, 16.0, 36.0], np.float32)
"""The Lab of sides of bare wood, in the light and out of it."""
_WOODEN_SIDES = np.float32(-2.0)
"""Log odds that a printed piece's sides are bare."""
_SHADE, _LOG_SHADED = (0.4, 0.9), np.float32(math.log(0.2))
"""What a shadow leaves of a colour, all three of Lab alike, and the log odds that a sample lies in one."""
_LOG_OFF = np.float32(math.log(0.5))
"""Log odds that a printed colour is off."""
_GLOOM = np.array([0.0, -3.0, -3.0], np.float32), np.array([16.0, 6.0, 6.0], np.float32)
_LOG_GLOOM = np.float32(math.log(0.015))
"""The Lab of the deepest shadow, as beside what stands between a place and a lamp, and the log odds of a sample there.
"""
_LOG_BODY, _LOG_BESIDE, _LOG_ODD = (np.float32(math.log(share)) for share in (0.75, 0.15, 0.1))
"""Log odds that a sample of a painted piece shows it, what lies beneath beside a form narrower than its outline, or
something else: a glint, its shadow, a neighbour.
"""

_MOST_LEAD = np.float32(20.0)
"""Nats that a sample gains at the most."""

_PEAK = float(-np.log(math.sqrt(math.tau) * NOISE).sum())
"""Log density of a sample that is just as expected."""

OVER_CHANNELS = np.ones(3, np.float32)
"""Sums the last axis as a product, several times faster than `sum` over three values."""


def for_points(values: Floats, points: int) -> Floats:
    """Values of channels (..., 3) for each of so many points: NumPy runs along long rows, not along three values."""
    return np.repeat(np.atleast_2d(values), points, axis=-2)


def log_of_sum(first: Floats, second: Floats | np.float32) -> Floats:
    """The logarithm of the sum of two densities given by theirs: in a fraction of `numpy.logaddexp`'s time."""
    return np.asarray(np.maximum(first, second) + np.log1p(np.exp(-np.abs(first - second))), np.float32)


@dataclass(frozen=True, slots=True)
class NormalDensity:
    """A normal distribution of Lab (..., 3): what it takes to tell log densities of many samples."""

    mean: Floats
    deviation: Floats
    room: Floats

    @classmethod
    def of(cls, mean: Floats, variance: Floats) -> NormalDensity:
        """The distribution of such a mean and variance (..., 3)."""
        return cls(mean, np.sqrt(variance), np.asarray(np.log(math.tau * variance) @ OVER_CHANNELS, np.float32))

    def log_of(self, samples: Floats) -> Floats:
        """Log density (...,) of Lab samples (..., 3), never below `OUTLIER`."""
        off = (samples - self.mean) / self.deviation
        return np.asarray(np.maximum(-0.5 * ((off * off) @ OVER_CHANNELS + self.room), OUTLIER), np.float32)


@dataclass(frozen=True, slots=True)
class EvenDensity:
    """A distribution of Lab (..., 3) even between two bounds with normal flanks."""

    low: Floats
    high: Floats
    flank: Floats
    room: Floats

    @classmethod
    def of(cls, low: Floats, high: Floats, points: int, astray: Floats | float = 0.0) -> EvenDensity:
        """The distribution between such bounds, for so many points in a row, with flanks of `NOISE` and more."""
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
    """Log density, even between two bounds with normal flanks of `NOISE` and more, never below `OUTLIER`."""
    return EvenDensity.of(low, high, samples.shape[-2], astray).log_of(samples)


def paint_density(turned: Floats, like_print: PaintBounds, free: PaintBounds) -> Floats:
    """Log density of samples (..., 3), turned to a hue, of wood painted in it: as deep as the print, or freer."""
    like, freer = (even_density(turned, *bounds) for bounds in (like_print, free))
    return log_of_sum(like + _LOG_LIKE_PRINT, freer + _LOG_FREE)


def paint_densities(samples: Floats, paint: tuple[Paint, Paint]) -> Floats:
    """The same of Lab samples (spots, points, 3) for every label: (labels, spots, points)."""
    like, free = paint
    labels = range(len(like.hue))
    return np.stack([paint_density(like.turned(samples, k), like.of_label(k), free.of_label(k)) for k in labels])


def allowing_shadow(density: Floats, samples: Floats) -> Floats:
    """These log densities if samples may also lie in a shadow so deep that it hides what was expected."""
    low, high = (for_points(bound, samples.shape[-2]) for bound in _GLOOM)
    return np.asarray(np.maximum(density, even_density(samples, low, high) + _LOG_GLOOM), np.float32)


def foreign_density(samples: Floats) -> Floats:
    """Log density (...,) of Lab samples (..., 3) of what does not belong to the game."""
    strength = np.hypot(samples[..., 1], samples[..., 2])
    return np.asarray(FOREIGN - _RARE * np.maximum(strength - _STRONG, 0), np.float32)


def weight_under_blur(blur: float) -> float:
    """What a sample counts under a blur (standard deviation, mm), beside 1 under the usual one or less.

    Samples that the same light bleeds into err together, over the area in which the blur correlates with itself.
    """
    return min(1.0, CORRELATION / (_SHARP_CORRELATION + 4.0 * math.pi * blur**2))


def weight_for_colour_error(error: float) -> np.float32:
    """What a sample counts in a picture whose patches are off by `error` (Lab) as corrected: all err together then."""
    return np.float32(min(1.0, _WELL_CORRECTED / max(error, 1e-6)) ** 1.5)


@dataclass(frozen=True, slots=True)
class Gains:
    """How much better each label explains each sample than what lies beneath: `nats` (spots, labels + 1, points).

    The last label is anything foreign. `placements` (spots, labels + 1) are those in which the labels fit best, and
    `painted` (spots, labels + 1) says where the piece is then rather of one colour than printed.
    """

    nats: Floats
    placements: Integers
    painted: Flags
    ways: Integers
    """the ways (spots, labels + 1) in which a painted piece stands best, by their number among `bodies`"""

    @classmethod
    def none(cls, weight: Floats, looks: Appearance) -> Gains:
        """No gain from any sample of weight (spots, points)."""
        labels = len(looks.labels) + 1
        nats = np.zeros((weight.shape[0], labels, weight.shape[1]), np.float32)
        shape = (weight.shape[0], labels)
        return cls(nats, np.zeros(shape, np.intp), np.zeros(shape, bool), np.zeros(shape, np.intp))

    def weighed(self, weight: Floats) -> Floats:
        """Evidence (spots, labels + 1) in nats; `weight` (spots, points) is the surface each sample stands for, mm²."""
        return np.asarray(np.matmul(self.nats, (weight / CORRELATION)[:, :, None])[:, :, 0])

    def replaced(self, rows: Integers, fresh: Gains) -> Gains:
        """The same with some spots' rows taken from another."""
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

    `background` (spots, points) is the log density of the samples under what lies beneath, `weight` (spots, points) the
    surface of each sample in mm², zero where it is hidden. The placement is chosen by weighted least squares, which is
    a few matrix products, the gain then taken robustly. Where a placement leaves a sample beside the piece, the sample
    gains nothing. `bodies` (spots, ways, points) say how likely a sample shows a painted piece in each form and way to
    stand; without them it may have any form within its outline. Printed colours may be off by `slack` (3,) in Lab.
    `flawless` pieces of one colour show nothing else: of many places that are tried one fits.
    """
    share = weight / CORRELATION
    spots, points = weight.shape
    seen = _Seen.of(samples, background, share, looks)
    # Sides look the same in every placement.
    top = points if looks.top_points is None else looks.top_points
    upper, scaled = share[:, :top], samples[:, :top] / for_points(NOISE, top)
    weighted = scaled.reshape(spots, 3 * top) * np.repeat(upper, 3, axis=1)
    beside = (_PEAK - background[:, :top]) * 2.0
    away = (upper * ((scaled * scaled) @ OVER_CHANNELS - beside)) @ looks.inside[:, :top].T
    paint = paint_densities(samples, looks.paint) if looks.paint is not None else None
    plain = _painted(seen, seen.with_dim_sides(paint), looks, flawless, bodies) if paint is not None else None
    nats, placements, painted, ways = [], [], [], []
    for label, variance in enumerate(looks.variance):
        misfit = away + upper @ looks.energy[label, :, :top].T
        misfit -= 2.0 * weighted @ looks.sought[label, :, : 3 * top].T
        best = misfit.argmin(axis=1)
        mean = looks.mean(label, best)
        density = log_density(samples, mean, variance[best])
        if slack is not None:
            off = for_points(slack, points)
            density = np.maximum(density, even_density(samples, mean - off, mean + off) + _LOG_OFF)
        if looks.paint is not None and looks.low:
            density = np.maximum(density, _shaded(samples, mean, variance[best]))
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
    nats.append(seen.foreign * looks.inside[0])
    placements.append(np.zeros(spots, np.intp))
    painted.append(np.zeros(spots, bool))
    ways.append(np.zeros(spots, np.intp))
    return Gains(*(np.stack(each, axis=1) for each in (nats, placements, painted, ways)))


def _shaded(samples: Floats, mean: Floats, variance: Floats) -> Floats:
    """Log density of samples of a printed piece in the shadow of another."""
    middle, half = np.float32(sum(_SHADE) / 2), np.float32((_SHADE[1] - _SHADE[0]) / math.sqrt(12))
    return log_density(samples, mean * middle, variance + (mean * half) ** 2) + _LOG_SHADED


@dataclass(frozen=True, slots=True)
class _Seen:
    """What is the same for every label: samples' `background` and `share`, what they gain by something foreign, which
    of the `sides` are nearly black, and what these gain by bare wood; None where no sides are looked at.
    """

    background: Floats
    share: Floats
    foreign: Floats
    sides: tuple[EllipsisType, slice]
    dim: Flags
    wood: Floats | None

    @classmethod
    def of(cls, samples: Floats, background: Floats, share: Floats, looks: Appearance) -> _Seen:
        points = share.shape[1]
        top = points if looks.top_points is None else looks.top_points
        sides = np.s_[..., top:]
        low, high = (for_points(bound, points - top) for bound in _WOOD)
        wood = even_density(samples[:, top:], low, high) - background[sides] if top < points else None
        foreign = foreign_density(samples) - background
        return cls(background, share, foreign, sides, samples[:, top:, 0] < _DARK, wood)

    def with_dim_sides(self, density: Floats) -> Floats:
        """Log densities (..., spots, points) of samples, of which those of sides may be nearly black."""
        result = density.copy()
        result[self.sides] = np.where(self.dim, np.maximum(density[self.sides], _DIM), density[self.sides])
        return result

    def with_wooden_sides(self, gain: Floats) -> Floats:
        """What samples gain if a printed piece's sides may be of bare wood instead of its face's colour."""
        if self.wood is None:
            return gain
        sides, share = self.sides, self.share[self.sides]
        lead = ((self.wood - gain[sides]) * share).sum(axis=1, keepdims=True) + _WOODEN_SIDES
        spread = _WOODEN_SIDES / np.maximum(share.sum(axis=1, keepdims=True), np.float32(1e-6))
        result = gain.copy()
        result[sides] = np.where(lead > 0, self.wood + spread, gain[sides])
        return result


def _painted(
    seen: _Seen, density: Floats, looks: Appearance, flawless: bool, bodies: Floats | None
) -> tuple[Floats, Integers]:
    """What each sample, of such log densities (labels, spots, points) on paint, gains if the piece is of one colour,
    whatever its form: beside it shows what lies beneath; and the ways (labels, spots) in which it stands best.
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
    """Which spots lay claim to which cells: a claim is a pair of a spot and a cell.

    `spots` (claims,) names each claim's spot; `claims` (cells, most) lists each cell's claims, filled up with the
    number of claims, which stands for none.
    """

    spot_count: int
    spots: Integers
    claims: Integers


def cover_of(cells: Sequence[Sequence[str]]) -> Cover:
    """The cover in which spot k takes the cells `cells[k]`."""
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
    """Log odds (spots,) that a spot is taken when no cell is taken twice, from each spot's own log odds.

    Belief propagation between spots and cells (sum-product, damped): exact on trees; on the two-coloured graph of a
    triangular lattice its sure answers are those of the likeliest cover.
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
            # The leading zero is the cell that nobody takes.
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
