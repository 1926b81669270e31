"""A small classifier taught from few pictures: a committee of kernel ridge regressions on descriptions of spots.

The kernels are averaged over the quarter turns in which a piece may lie (B. Haasdonk, H. Burkhardt: Invariant kernel
functions for pattern analysis and machine learning, 2007). They weight colour, arrangement, edges and texture
differently; which of them join the committee, and how confident it may be, is decided by leaving out each group of
samples in turn, for which ridge regression has a closed form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.printed.pieces.likelihood import softmax
from vision.spots.spot_features import BLOCKS, quarter_turned

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]

RECIPES: tuple[tuple[float, float, float, float], ...] = (
    (0.2, 0.1, 1.0, 0.2), (0.2, 0.6, 0.6, 0.1), (0.05, 0.05, 0.5, 0.1), (0.15, 0.1, 0.1, 0.1), (0.6, 0.4, 0.3, 0.3),
    (1.0, 0.05, 0.05, 0.2),
)  # fmt: skip
"""Weights of the blocks of a description, relative to the usual distance in each block: one row per kernel."""
_SEATS = 4
"""Kernels on a committee."""
_RIDGE = 0.02
"""Ridge penalty of the regressions."""
_SHARPNESS = np.geomspace(1.0, 24.0, 20)
"""Factors that are tried for turning scores into log probabilities."""
_MOST_SAMPLES = 1200
"""Most samples that are learnt from."""
_TURNING = ("layout", "edges")
"""The blocks of a description that change when a patch is turned."""
_STAYING = ("colour", "texture")
"""The blocks that do not."""
_UNLIKE = -50.0
"""Smallest logarithm of a kernel; smaller ones mean no more and are denormal numbers, which are slow."""
_AT_ONCE = 32
"""Spots compared with the samples at once, so that intermediate arrays stay in the processor's cache."""
_SAME = 1e-3
"""Part of the mean distance in a block below which two samples count as the same."""
_DRAWN = 0.1
"""Where half the distances are that small (drawn pictures), the usual distance is this part of the mean."""
_ANSWER_DOUBT = 1e-3
"""Probability spread evenly over all answers, so that no reading is certain (ten times that of the printed readers, as
photographs teach less).
"""
_LEAST_CAUTION = 0.6
"""Smallest exponent of doubt: smaller ones leave no answer sure in flat drawings, where noise alone is strange."""
_PARTS = 4
"""Parts that the samples of a single picture are left out in."""
_BLUNDER = 5e-3
"""The same while recipes are compared, so that one wrong label does not decide."""
_STRANGE = 0.01
"""Share of the taught samples that may be less like the others than the usual limit."""
_LEAST_STRANGE = 1.0
"""Smallest unlikeness (minus the logarithm of the kernel) from which a spot may be strange."""
_WHOLLY_STRANGE = 1.5
"""Unlikeness above the usual limit at which it is entirely strange."""


@dataclass(frozen=True, slots=True)
class Member:
    """One regression: `weights` scale the squared distances of a description's blocks; `coefficients` (samples,
    answers) are the votes of the samples for the answers.
    """

    weights: tuple[float, ...]
    coefficients: Floats


@dataclass(frozen=True, slots=True)
class Aspect:
    """One property to recognise (a tile's shape, or its colour): its answers, the committee, and `sharpness`, the
    factor that turns the committee's mean score into log probabilities.
    """

    answers: tuple[str, ...]
    members: tuple[Member, ...]
    sharpness: float


@dataclass(frozen=True, slots=True)
class KernelClassifier:
    """Taught `samples` (n, LENGTH), the number of `turns` a piece may lie in (1, 2 or 4), the aspects to recognise, and
    `likeness`: the kernel with its nearest neighbour that all but the oddest samples reach; a spot far below it is
    strange.

    `caution` (at most 1) is the exponent that makes the probabilities true for other pictures than those that taught.
    """

    samples: Floats
    turns: int
    aspects: tuple[Aspect, ...]
    likeness: float
    caution: float = 1.0

    @property
    def usual(self) -> float:
        """The unlikeness up to which no spot is strange."""
        return max(_LEAST_STRANGE, 1.5 * float(_unlikeness(np.array(self.likeness))))


class PreparedClassifier:
    """A classifier prepared for many queries: what depends only on its samples is computed once.

    `untaught` is, for each aspect, the number of further answers that were never taught.
    """

    def __init__(self, classifier: KernelClassifier, untaught: Sequence[int] = ()) -> None:
        self._classifier, samples = classifier, classifier.samples
        self._untaught = tuple(untaught) or (0,) * len(classifier.aspects)
        self._weights = tuple(
            dict.fromkeys(member.weights for aspect in classifier.aspects for member in aspect.members)
        )
        weights = np.array(self._weights, np.float32)
        self._table = weights[:, [list(BLOCKS).index(name) for name in (*_TURNING, *_STAYING)]]
        self._turning = [
            [np.ascontiguousarray(turned[:, BLOCKS[name]].T) for name in _TURNING]
            for turned in (quarter_turned(samples, quarters) for quarters in _quarters(classifier.turns))
        ]
        self._staying = [np.ascontiguousarray(samples[:, BLOCKS[name]].T) for name in _STAYING]
        self._squares = _block_squares(samples)
        self._itself = self._likeness_to_itself(samples)

    def classify(self, descriptions: Floats) -> tuple[tuple[Doubles, ...], Doubles]:
        """For each aspect the probabilities (n, answers), and the strangeness (n,) of each spot, 0 to 1.

        Strange spots show an untaught answer, whose probability is then the last column; where all answers were taught,
        that probability is spread over them.
        """
        aspects = self._classifier.aspects
        first = self._weights.index(aspects[0].members[0].weights)
        members = [[self._weights.index(member.weights) for member in aspect.members] for aspect in aspects]
        scores = [np.empty((len(descriptions), len(aspect.answers)), np.float64) for aspect in aspects]
        alike = np.empty(len(descriptions), np.float64)
        for start in range(0, len(descriptions), _AT_ONCE):
            rows = slice(start, start + _AT_ONCE)
            kernels = self._kernels(descriptions[rows])
            alike[rows] = kernels[first].max(axis=1)
            for aspect, numbers, score in zip(aspects, members, scores, strict=True):
                said = (kernels[k] @ member.coefficients for k, member in zip(numbers, aspect.members, strict=True))
                score[rows] = sum(said) / len(numbers)
        strange = np.clip((_unlikeness(alike) - self._classifier.usual) / _WHOLLY_STRANGE, 0.0, 1.0)
        blur = np.maximum(strange, _ANSWER_DOUBT)[:, None]
        results = []
        for aspect, score, untaught in zip(aspects, scores, self._untaught, strict=True):
            chances = softmax(aspect.sharpness * score)
            if untaught:
                results.append(np.hstack([(1.0 - blur) * chances, blur / untaught]))
            else:
                results.append((1.0 - blur) * chances + blur / chances.shape[1])
        return tuple(results), strange

    def kernels(self, seen: Floats) -> dict[tuple[float, ...], Floats]:
        """For each recipe's weights the kernel (n, m) between spots and samples."""
        parts = [self._kernels(seen[k : k + _AT_ONCE]) for k in range(0, len(seen), _AT_ONCE)]
        return dict(zip(self._weights, np.concatenate(parts, axis=1), strict=True))

    def _kernels(self, seen: Floats) -> Floats:
        """The kernels (weights, n, m) between spots and samples.

        Blocks that turning does not change are compared once, and each block once for all weights.
        """
        count, samples = len(seen), self._squares.shape[1]
        squares = _block_squares(seen)[:, :, None] + self._squares[:, None]
        distances = np.empty((len(BLOCKS), count, samples), np.float32)
        for k, (name, own) in enumerate(zip(_STAYING, self._staying, strict=True), len(_TURNING)):
            distances[k] = squares[k] - 2 * (seen[:, BLOCKS[name]] @ own)
        total = np.zeros((len(self._weights), count, samples), np.float32)
        for turned in self._turning:
            for k, (name, own) in enumerate(zip(_TURNING, turned, strict=True)):
                distances[k] = squares[k] - 2 * (seen[:, BLOCKS[name]] @ own)
            exponents = (-self._table @ distances.reshape(len(BLOCKS), -1)).reshape(total.shape)
            np.clip(exponents, _UNLIKE, 0, out=exponents)
            total += np.exp(exponents, out=exponents)
        size = np.sqrt(self._likeness_to_itself(seen)[:, :, None] * self._itself[:, None])
        return np.asarray(total / size, np.float32)

    def _likeness_to_itself(self, descriptions: Floats) -> Floats:
        """The kernels (weights, n), not normalised, of descriptions with themselves."""
        total = np.zeros((len(self._weights), len(descriptions)), np.float32)
        for quarters in _quarters(self._classifier.turns):
            off = (descriptions - quarter_turned(descriptions, quarters)) ** 2
            blocks = np.stack([off[:, BLOCKS[name]].sum(axis=1) for name in (*_TURNING, *_STAYING)])
            total += np.exp(np.maximum(-self._table @ blocks, _UNLIKE))
        return total


def _block_squares(descriptions: Floats) -> Floats:
    """The squared lengths (blocks, n) of the blocks of descriptions, turning blocks first."""
    return np.stack([(descriptions[:, BLOCKS[name]] ** 2).sum(axis=1) for name in (*_TURNING, *_STAYING)])


@dataclass(frozen=True, slots=True)
class Proof:
    """The cross-validation of an aspect's committee: errors among `count` samples, each group left out in turn.

    `confused` are the answers taken for others: (answer, taken for, how often).
    """

    errors: int
    count: int
    confused: tuple[tuple[str, str, int], ...] = ()


def fit(
    descriptions: Floats,
    answers: Sequence[Sequence[str]],
    groups: Integers,
    turns: int,
    another: Floats | None = None,
) -> tuple[KernelClassifier, tuple[Proof, ...]]:
    """A classifier from descriptions (n, LENGTH), for each aspect the answers (n,), and each sample's group (n,).

    `another` (n, LENGTH) describes the same samples as they would look in another picture: read without their own group
    they show how confident readings may be.

    Samples of one group, such as one picture, are too similar to validate each other. Equal samples give an equal
    classifier. Time grows with the third power of their number; `thinned` keeps it small.
    """
    kernels = _kernels(descriptions, turns)
    ridge = _RIDGE * np.eye(len(descriptions))
    inverses = {weights: np.asarray(np.linalg.inv(kernel + ridge), np.float64) for weights, kernel in kernels.items()}
    between: dict[tuple[float, ...], Floats] = {}
    aspects, proofs, likeness, caution = [], [], 0.0, 1.0
    for words in answers:
        names = tuple(sorted(set(words)))
        index = np.array([names.index(word) for word in words])
        hit = index[:, None] == np.arange(len(names))
        targets = np.where(hit, 1.0, -1.0 / max(1, len(names) - 1)).astype(np.float64)
        judged = _validation_rows(index, groups)
        scores = {weights: _left_out(inverse, targets, groups, judged) for weights, inverse in inverses.items()}
        ranked = sorted(scores, key=lambda weights: _best_sharpness(scores[weights], index[judged])[1])[:_SEATS]
        together = np.mean([scores[weights] for weights in ranked], axis=0)
        members = tuple(Member(weights, (inverses[weights] @ targets).astype(np.float32)) for weights in ranked)
        sharpness = _best_sharpness(together, index[judged])[0]
        if another is not None:
            if missing := [weights for weights in ranked if weights not in between]:
                between |= _kernels_between(another, descriptions, turns, missing)
            committee = [(between[weights], inverses[weights]) for weights in ranked]
            elsewhere = _left_out_elsewhere(committee, targets, groups)[judged]
            # Half way: a spot in another light that lacks all samples of its group is rarer than either.
            ratio = float(np.sqrt(_best_sharpness(elsewhere, index[judged])[0] / sharpness))
            caution = max(_LEAST_CAUTION, min(caution, ratio))
        aspects.append(Aspect(names, members, sharpness))
        proofs.append(_proof(names, index[judged], together.argmax(axis=1)))
        if not likeness:
            others = np.where(groups[:, None] == groups, 0.0, kernels[ranked[0]])
            if len(np.unique(groups)) == 1:
                others = kernels[ranked[0]] - np.eye(len(descriptions))
            likeness = float(np.clip(np.quantile(others.max(axis=1), _STRANGE), 0.0, 1.0))
    return KernelClassifier(descriptions, turns, tuple(aspects), likeness, caution), tuple(proofs)


def _proof(names: tuple[str, ...], truth: Integers, read: Integers) -> Proof:
    off = Counter((names[one], names[other]) for one, other in zip(truth, read, strict=True) if one != other)
    confused = tuple((one, other, count) for (one, other), count in off.most_common())
    return Proof(off.total(), len(truth), confused)


def _validation_rows(index: Integers, groups: Integers) -> Integers:
    """The samples whose answers validate a kernel: those whose kind occurs in another group too; all, if these
    are few.
    """
    shown = [len(np.unique(groups[index == kind])) for kind in range(int(index.max()) + 1)]
    elsewhere = np.array([shown[kind] > 1 for kind in index])
    return np.flatnonzero(elsewhere) if elsewhere.mean() >= 0.5 else np.arange(len(index))


def _left_out(inverse: Doubles, targets: Doubles, groups: Integers, judged: Integers) -> Doubles:
    """Scores (judged, answers) of samples by a regression without their group, or only without themselves where all are
    judged although their kind occurs in one group only.
    """
    solved = inverse @ targets
    if len(judged) == len(targets) and len(np.unique(groups)) == 1:
        return np.asarray(targets - solved / np.diag(inverse)[:, None])
    result = np.empty_like(targets)
    for group in np.unique(groups):
        rows = np.flatnonzero(groups == group)
        result[rows] = targets[rows] - np.linalg.solve(inverse[np.ix_(rows, rows)], solved[rows])
    return result[judged]


def _left_out_elsewhere(committee: Sequence[tuple[Floats, Doubles]], targets: Doubles, groups: Integers) -> Doubles:
    """A committee's mean scores (n, answers) of samples as they look in another picture, by regressions without their
    group; where there is only one group, without a part of the samples.

    Each member is its kernel (n, n) between what the samples look like there and the samples, and its inverse.
    """
    if len(np.unique(groups)) == 1:
        groups = np.arange(len(groups)) % _PARTS
    scores = np.zeros_like(targets)
    for kernel, inverse in committee:
        solved = inverse @ targets
        for group in np.unique(groups):
            rows = np.flatnonzero(groups == group)
            without = solved - inverse[:, rows] @ np.linalg.solve(inverse[np.ix_(rows, rows)], solved[rows])
            scores[rows] += kernel[rows].astype(np.float64) @ without / len(committee)
    return scores


def _kernels_between(
    seen: Floats, samples: Floats, turns: int, recipes: Sequence[tuple[float, ...]]
) -> dict[tuple[float, ...], Floats]:
    """For each recipe's weights the kernel (n, m) between spots and samples."""
    members = tuple(Member(weights, np.zeros((len(samples), 1), np.float32)) for weights in recipes)
    prepared = PreparedClassifier(KernelClassifier(samples, turns, (Aspect(("",), members, 1.0),), 1.0))
    return prepared.kernels(seen)


def _best_sharpness(scores: Doubles, truth: Integers) -> tuple[float, float]:
    """The sharpness under which scores (n, answers) predict the truth with the least log loss, and that loss."""
    # Otherwise the many empty spots would decide alone.
    share = 1.0 / np.sqrt(np.bincount(truth, minlength=scores.shape[1]))[truth]
    share = share / share.sum()
    rows = np.arange(len(truth))
    losses = [
        -float(share @ np.log((1 - _BLUNDER) * softmax(sharpness * scores)[rows, truth] + _BLUNDER / scores.shape[1]))
        for sharpness in _SHARPNESS
    ]
    best = int(np.argmin(losses))
    return float(_SHARPNESS[best]), losses[best]


def thinned(answers: Sequence[Sequence[str]], groups: Integers) -> Integers:
    """The samples to keep, few enough to learn quickly: all of the rare answers, evenly many of the frequent."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for k, key in enumerate(zip(*answers, groups.tolist(), strict=True)):
        alike.setdefault(key, []).append(k)
    most = max(map(len, alike.values()))
    while sum(min(most, len(rows)) for rows in alike.values()) > _MOST_SAMPLES and most > 1:
        most -= max(1, most // 20)
    chosen = [rows[int(k)] for rows in alike.values() for k in np.linspace(0, len(rows) - 1, min(most, len(rows)))]
    return np.array(sorted(set(chosen)), np.intp)


def _quarters(turns: int) -> range:
    """The quarters by which a piece with this many turns (1, 2 or 4) may be turned."""
    return range(0, 4, 4 // turns)


def _distances(descriptions: Floats, block: str, turns: int) -> Floats:
    """Squared distances (turns, n, n) of a block between samples and turned samples."""
    part = descriptions[:, BLOCKS[block]]
    square = (part**2).sum(axis=1)
    distances = np.stack(
        [
            np.maximum(square[:, None] + square - 2 * part @ quarter_turned(descriptions, k)[:, BLOCKS[block]].T, 0)
            for k in _quarters(turns)
        ]
    )
    np.fill_diagonal(distances[0], 0.0)
    return distances


def _usual(distances: Floats, part: Floats) -> float:
    """The usual squared distance in a block: the median, or in drawn pictures, where most samples are identical, a part
    of the mean; never less than rounding errors.
    """
    median, mean = float(np.median(distances)), float(np.mean(distances))
    rounding = 1e-5 * float(np.mean(np.sum(part**2, axis=1)))
    return max(median if median > _SAME * mean else _DRAWN * mean, rounding, 1e-9)


def _kernels(descriptions: Floats, turns: int) -> dict[tuple[float, ...], Doubles]:
    """For every recipe its weights and its kernel (n, n) between samples, 1 on the diagonal."""
    distances = [_distances(descriptions, name, turns) for name in BLOCKS]
    usual = [_usual(each, descriptions[:, BLOCKS[name]]) for name, each in zip(BLOCKS, distances, strict=True)]
    kernels = {}
    for recipe in RECIPES:
        weights = tuple(part / scale for part, scale in zip(recipe, usual, strict=True))
        total = np.zeros_like(distances[0])
        for each, weight in zip(distances, weights, strict=True):
            total += np.float32(weight) * each
        kernel = np.exp(-total).mean(axis=0, dtype=np.float64)
        kernel = (kernel + kernel.T) / 2
        size = np.sqrt(np.diag(kernel))
        kernels[weights] = kernel / size[:, None] / size
    return kernels


def _unlikeness(kernel: Doubles) -> Doubles:
    return np.asarray(-np.log(np.maximum(kernel, 1e-12)), np.float64)
