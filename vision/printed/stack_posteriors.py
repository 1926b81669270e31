"""What fits of stacks say of the labels of their spots: the marginals of one distribution over counts and looks.

Forms are only nearly as they are drawn, so that what tells two of them apart counts the less the more there is of it:
for counts, and whether anything stands on them, the whole stack; for what stands there only that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY
from vision.printed.likelihood import softmax
from vision.printed.stack_forms import StackKind, StackPlace
from vision.printed.stack_scenes import PRIOR, Fit

Doubles = npt.NDArray[np.float64]

LEAST_SEEN = 0.3
"""A place is covered where less than this part of it, or of the stack there, is seen."""
DISTRUST = 0.3
"""How far a reading is trusted of a stack that is not well seen."""
_DOUBT = 1e-4
_OUT_OF_FORM, _FAR_OUT, _FAR_SHARE = 1.0, 2.2, 0.1
"""Standard deviation (mm on the sheet) by which a stack's outline strays from the form it is taken for, and that of the
stacks, this part of all, that stray farther.
"""
_FROM_ABOVE, _STEEP = 2.0, 25.0
"""How much more they stray straight from above, where height and focal length of the camera look alike; nothing more
from this many degrees on.
"""
_LIKE_THE_SHEET, _BLURRED_BY = 0.8, 0.5
"""Nats a pixel from which a stack's walls stand out from what lies behind, and how much more each nat that is missing
leaves heights open.
"""
_EVIDENT, _TOP_EVIDENT = 30.0, 30.0
"""Of so many nats that speak for a stack one may be wrong between two forms of it, and of so many that speak for or
against something on it one between two looks of that.
"""
_LEANING = 0.55
"""Labels of which none is likelier than this are left open."""
_LEAD = 0.005
"""By how much what is likeliest to stand on a stack is likelier than nothing, where no kind of it alone is."""
_NEARLY, _IN_VIEW = -16.0, 0.5
"""Nats from which a place that does not look bare may bear a stack after all, if more than this part of it is seen."""


@dataclass(frozen=True, slots=True)
class StackPosteriors:
    """Turns fits of stacks of one kind into probabilities under one pose.

    `looks` are the columns of fits, (piece, label), of which the first is that nothing stands there; `height` (mm) is
    that of the camera, `tilt` (degrees) how far it looks from straight down.
    """

    kind: StackKind
    looks: Sequence[tuple[str, str]]
    height: float
    tilt: float

    def of(
        self, place: StackPlace, fit: Fit | None, tile: float, seen: float
    ) -> tuple[dict[str, Mapping[str, float]], float]:
        """Probabilities of the labels of the stack's and its riders' spots at a place, of which a part is `seen`, and
        of a stack there; `tile` (nats) is what speaks for a tile instead.
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
        """The probabilities (counts, counts) of counts if a stack looks like one of so many pieces (columns): it may
        stray by whole pieces, the more the worse the view tells them apart.
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
    """The probabilities of counts and looks by scores of both (nats) of a stack of which a part is seen."""
    doubt = 1.0 + max(float(scores.max()), 0.0) / (_EVIDENT * seen)
    chances = softmax((scores / doubt).ravel()).reshape(scores.shape)
    tops = scores[:, 1:]
    borne = tops.max(axis=1, keepdims=True) - scores[:, :1]
    doubts = 1.0 + np.where(np.isfinite(borne), np.abs(borne), 0.0) / (_TOP_EVIDENT * seen)
    looks = softmax(np.maximum(tops, -1e6) / doubts)
    return np.concatenate([chances[:, :1], chances[:, 1:].sum(axis=1, keepdims=True) * looks], axis=1)


def _normal_within(off: npt.NDArray[np.floating], width: float, deviation: float) -> Doubles:
    """How likely a normal deviate falls within so wide a range around each of some places."""
    ends = np.stack([off - width / 2, off + width / 2]) / (deviation * math.sqrt(2.0))
    below = np.vectorize(math.erf, otypes=[np.float64])(ends)
    return np.asarray((below[1] - below[0]) / 2 + 1e-12)


def _spread(shares: Sequence[float], labels: Sequence[str], trust: float) -> Mapping[str, float]:
    """The probabilities of labels, as far as these are trusted; for the rest all are alike.

    If none but the first is likely enough, half of what they share is divided evenly among them.
    """
    sure = np.maximum(np.array(shares), 0.0)
    if sure.max() < _LEANING:
        sure[1:] = (sure[1:] + sure[1:].mean()) / 2
    doubted = trust * sure + (1.0 - trust) / len(labels) + _DOUBT
    return dict(zip(labels, (doubted / doubted.sum()).tolist(), strict=True))


def _named(chances: Mapping[str, float], label: str) -> Mapping[str, float]:
    """The same, but that no label is likelier than this one, by which another must make way for it half the way."""
    first = max(chances, key=chances.__getitem__)
    if first == label:
        return chances
    middle = (chances[first] + chances[label]) / 2
    return {**chances, first: middle - _LEAD, label: middle + _LEAD}
