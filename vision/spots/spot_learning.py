"""Teaches a kind of piece from described spots with known labels, from any source."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from companion.board.layout import EMPTY, Piece
from vision.spots.kernel_classifier import Floats, Integers, Proof, fit, thinned
from vision.spots.spot_profile import Level, TaughtPiece, aspects_of, ways_to_lie


@dataclass(frozen=True, slots=True)
class Samples:
    """Descriptions (n, LENGTH) of spots in the light of teaching, their labels, and the group of each (n,): samples of
    one group, such as one picture, may not validate each other.
    """

    descriptions: Floats
    labels: tuple[str, ...]
    groups: Integers

    def chosen(self, rows: Integers) -> Samples:
        """Some of the samples."""
        return Samples(self.descriptions[rows], tuple(self.labels[k] for k in rows), self.groups[rows])

    def with_others(self, others: Samples) -> Samples:
        """These samples and others; no group occurs in both."""
        groups = np.concatenate([self.groups, others.groups + int(self.groups.max(initial=-1)) + 1])
        return Samples(np.concatenate([self.descriptions, others.descriptions]), self.labels + others.labels, groups)


@dataclass(frozen=True, slots=True)
class Learnt:
    """A level of sharpness and the samples it was learnt from."""

    level: Level
    kept: Samples


def taught_piece(
    sharpest: Learnt, softer: Iterable[Level], light: Mapping[str, tuple[float, float, float]]
) -> TaughtPiece:
    """A kind of piece by what was learnt of it at each level, and each label's usual light."""
    kept = sharpest.kept
    return TaughtPiece((sharpest.level, *softer), light, kept.labels, tuple(int(group) for group in kept.groups))


def samples_of(taught: TaughtPiece) -> Samples:
    """The samples that a kind of piece was taught from, at its sharpest level."""
    return Samples(taught.classifier.samples, taught.labels, np.array(taught.groups, np.intp))


def learn(
    piece: Piece, samples: Samples, blur: float, another: Floats | None = None
) -> tuple[Learnt, tuple[Proof, ...]]:
    """What samples of at least two labels, shown under a blur (patch pixels), teach of a kind of piece; and its
    cross-validation over the groups. `another` describes the samples as they would look in another picture.
    """
    kinds = len(aspects_of(piece.labels)[0])
    words = dict(zip((EMPTY, *piece.labels), ((EMPTY,) * kinds, *aspects_of(piece.labels)), strict=True))
    groups = samples.groups
    if kinds > 1:  # a word must be recognised next to words it was never shown with
        numbers = {label: k for k, label in enumerate(sorted(set(samples.labels)))}
        own = np.array([numbers[label] for label in samples.labels])
        groups = np.where([label == EMPTY for label in samples.labels], groups, groups.max() + 1 + own)
    answers = [[words[label][k] for label in samples.labels] for k in range(kinds)]
    keep = thinned(answers, groups)
    kept = samples.chosen(keep)
    look = another[keep] if another is not None else None
    classifier, proofs = fit(
        kept.descriptions, [[each[k] for k in keep] for each in answers], groups[keep], ways_to_lie(piece), look
    )
    return Learnt(Level(blur, classifier), kept), proofs
