"""Converts fits of stacks to probabilities of the labels of their spots: marginals over counts and looks.

Modelled shapes are approximate, so large likelihood differences between two shapes are discounted: for counts, and
whether anything stands on them, by the evidence of the whole stack; for what stands there, by that of the top alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY
from vision.printed.pieces.likelihood import softmax
from vision.printed.stacks.forms import StackKind, StackPlace
from vision.printed.stacks.scenes import PRIOR, Fit

Doubles = npt.NDArray[np.float64]

LEAST_SEEN = 0.3
"""A place is covered where less than this share of it, or of its stack, is visible."""
DISTRUST = 0.3
"""Trust in the reading of a stack that is not clearly visible; the rest of the probability is spread evenly."""
_DOUBT = 1e-4
"""Probability spread evenly over all labels, so that no reading is certain."""
_OUT_OF_FORM = 1.0
"""Standard deviation (mm on the sheet) of a stack's outline from its modelled shape."""
_FAR_OUT = 2.2
"""The same for the share `_FAR_SHARE` of stacks that deviate more."""
_FAR_SHARE = 0.1
"""Share of stacks that deviate more."""
_FROM_ABOVE = 2.0
"""Relative increase of these deviations seen straight from above, where height and focal length are confounded."""
_STEEP = 25.0
"""Tilt (degrees) from which there is no such increase."""
_LIKE_THE_SHEET = 0.8
"""Nats per pixel from which a stack's walls contrast well with their background."""
_BLURRED_BY = 0.5
"""Relative increase of the deviations per missing nat."""
_EVIDENT = 30.0
"""One of this many nats for a stack may be wrong between two shapes of it."""
_TOP_EVIDENT = 30.0
"""One of this many nats for or against a top may be wrong between two looks of it."""
_LEANING = 0.55
"""If no label is likelier than this, the labels other than empty are drawn together."""
_LEAD = 0.005
"""Lead in probability of the likeliest rider over nothing, where no single kind of rider beats nothing."""
_NEARLY = -16.0
"""Nats from which a place that does not look bare may have a stack that was missed."""
_IN_VIEW = 0.5
"""Share of the place that must be visible for that."""


@dataclass(frozen=True, slots=True)
class StackPosteriors:
    """Converts fits of stacks of one kind to probabilities under one pose.

    `looks` are the columns of fits, (piece, label), the first for nothing on top; `height` (mm) is the camera's, `tilt`
    (degrees) its angle from straight down.
    """

    kind: StackKind
    looks: Sequence[tuple[str, str]]
    height: float
    tilt: float

    def of(
        self, place: StackPlace, fit: Fit | None, tile: float, seen: float
    ) -> tuple[dict[str, Mapping[str, float]], float]:
        """The probabilities of the labels of the stack's and its riders' spots at a place of which the share `seen` is
        visible, and of a stack there; `tile` (nats) is the evidence for a tile instead.
        """
        site, counts = place.spot.site, self.kind.piece.labels
        if fit is None:
            spots = (place.spot.name, counts), *((f"{rider.name} {site}", rider.labels) for rider in self.kind.riders)
            return {spot: _spread([1.0] + [0.0] * len(labels), (EMPTY, *labels), 1.0) for spot, labels in spots}, 0.0
        table = np.maximum(fit.scores + PRIOR - math.log(fit.scores.size), -60.0)
        none = float(softmax(np.concatenate([[0.0, max(tile, -60.0)], table.ravel()]))[:2].sum())
        grid = (1.0 - none) * self._apart(place, fit) @ _tempered(fit.scores, max(seen, LEAST_SEEN))
        missed = not fit.stands(tile) and tile < 0.0 and fit.scores.max() > _NEARLY and seen > _IN_VIEW
        trust = DISTRUST if missed else fit.trust
        result: dict[str, Mapping[str, float]] = {
            place.spot.name: _spread([none, *grid.sum(axis=1)], (EMPTY, *counts), trust)
        }
        looks = np.array([1.0 - grid[:, 1:].sum(), *grid[:, 1:].sum(axis=0)])
        likeliest = self.looks[int(looks.argmax())]
        for rider in self.kind.riders:
            own = looks[[name == rider.name for name, _ in self.looks]]
            chances = _spread([1.0 - own.sum(), *own], (EMPTY, *rider.labels), trust)
            result[f"{rider.name} {site}"] = _named(chances, likeliest[1]) if rider.name == likeliest[0] else chances
        return result, trust * (1.0 - none)

    def _apart(self, place: StackPlace, fit: Fit) -> Doubles:
        """The probabilities (true counts, apparent counts): a stack may look like one of another count, the more so the
        less the view separates them.
        """
        unlike = _LIKE_THE_SHEET if fit.walls is None else min(fit.walls, _LIKE_THE_SHEET)
        wider = 1.0 + _FROM_ABOVE * max(0.0, 1.0 - self.tilt / _STEEP)
        wider *= 1.0 + _BLURRED_BY * (_LIKE_THE_SHEET - unlike)
        apart = self.kind.piece.height * place.distance / self.height
        steps = np.arange(len(fit.scores))
        off = (steps[:, None] - steps) * apart
        near, far = (_normal_within(off, apart, wider * sd) for sd in (_OUT_OF_FORM, _FAR_OUT))
        shares = (1.0 - _FAR_SHARE) * near + _FAR_SHARE * far
        return np.asarray(shares / shares.sum(axis=0))


def _tempered(scores: Doubles, seen: float) -> Doubles:
    """The probabilities of counts and looks from scores of both (nats) of a stack of which the share `seen` is
    visible.
    """
    doubt = 1.0 + max(float(scores.max()), 0.0) / (_EVIDENT * seen)
    chances = softmax((scores / doubt).ravel()).reshape(scores.shape)
    tops = scores[:, 1:]
    borne = tops.max(axis=1, keepdims=True) - scores[:, :1]
    doubts = 1.0 + np.where(np.isfinite(borne), np.abs(borne), 0.0) / (_TOP_EVIDENT * seen)
    looks = softmax(np.maximum(tops, -1e6) / doubts)
    return np.concatenate([chances[:, :1], chances[:, 1:].sum(axis=1, keepdims=True) * looks], axis=1)


def _normal_within(off: npt.NDArray[np.floating], width: float, deviation: float) -> Doubles:
    """The probability that a normal deviate falls within a range of this width around each place."""
    ends = np.stack([off - width / 2, off + width / 2]) / (deviation * math.sqrt(2.0))
    below = np.vectorize(math.erf, otypes=[np.float64])(ends)
    return np.asarray((below[1] - below[0]) / 2 + 1e-12)


def _spread(shares: Sequence[float], labels: Sequence[str], trust: float) -> Mapping[str, float]:
    """The probabilities of labels, mixed with even ones by `1 - trust`.

    If no label is clearly likely, half of the share of those other than the first is divided evenly among them.
    """
    sure = np.maximum(np.array(shares), 0.0)
    if sure.max() < _LEANING:
        sure[1:] = (sure[1:] + sure[1:].mean()) / 2
    doubted = trust * sure + (1.0 - trust) / len(labels) + _DOUBT
    return dict(zip(labels, (doubted / doubted.sum()).tolist(), strict=True))


def _named(chances: Mapping[str, float], label: str) -> Mapping[str, float]:
    """The same with `label` made the likeliest by a small lead, taking half of the difference from the present
    first.
    """
    first = max(chances, key=chances.__getitem__)
    if first == label:
        return chances
    middle = (chances[first] + chances[label]) / 2
    return {**chances, first: middle - _LEAD, label: middle + _LEAD}
