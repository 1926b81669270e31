"""A kind of piece taught from photographs: its spots, their patches in a picture, and their classification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Piece, Spot
from vision.colour.space import lab_to_linear
from vision.colour.swatches import CLIPPED
from vision.location.flat_pose import Projection
from vision.pictures import Image
from vision.printed.pieces.patches import outline
from vision.spots.kernel_classifier import KernelClassifier, PreparedClassifier
from vision.spots.sketches import Sketcher
from vision.spots.spot_features import (
    LEAST_SHOWN,
    SIDE,
    Squares,
    arrangement,
    colourfulness,
    describe,
    shown_parts,
)
from vision.spots.spot_light import SpotLight
from vision.spots.spot_profile import TaughtPiece, aspects_of
from vision.spots.spot_sharpness import blur_of, level_for, softened_to, tolerance

Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
KindJudgement = tuple[Doubles, Doubles]
"""For a kind of piece: probabilities (spots, labels), and the strangeness (spots,) of each spot."""

_DOUBT = 1e-4
"""Probability spread evenly over all labels of a spot, so that no reading is certain."""
_EDGE = 0.5
"""Natural logarithm by which the light may differ across a spot that is judged in one light only."""
_DAZZLED = 0.4
"""Share of a patch in glare from which nothing can be recognised."""
_DULLER = 97.0
"""Largest mean Lab lightness of the taught spots for which glare can be told from a white piece."""
_MOST = 0.9
"""Quantile of the colourfulness of the taught samples that is compared."""
_ALWAYS = 0.99
"""Largest strangeness with which a spot counts in one of two lights."""


class SpotView:
    """The spots of a kind in one picture, cut out on demand. `shown` (spots,) is the part of each that is in the
    picture, `inside` (spots,) says of which that is enough. `blur` (patch pixels) is how sharp the picture shows them,
    0 until it is measured.
    """

    def __init__(self, squares: Squares, image: Image, pose: Projection) -> None:
        self._squares, self._image, self._pixels = squares, image, squares.pixels(pose)
        self.blur = 0.0
        self.shown = shown_parts(self._pixels, image)
        self.inside: Flags = self.shown >= LEAST_SHOWN
        self._cut = np.zeros(len(self._pixels), bool)
        self._patches = np.empty((len(self._pixels), SIDE, SIDE, 3), np.uint8)

    def measure_blur(self, rows: npt.NDArray[np.intp]) -> None:
        """Measure `blur` on some spots."""
        if len(rows):
            self.blur = blur_of(self.patches(rows))

    def patches(self, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.uint8]:
        """The patches (rows, SIDE, SIDE, 3) of some spots."""
        fresh = rows[~self._cut[rows]]
        if len(fresh):
            self._patches[fresh] = self._squares.cut(self._image, self._pixels, fresh)
            self._cut[fresh] = True
        return self._patches[rows]


class TaughtKind:
    """A kind of piece with its spots and what was taught of it."""

    def __init__(self, board: Board, name: str, taught: TaughtPiece) -> None:
        piece, classifier, light = board.pieces[name], taught.classifier, taught.light
        self.labels = (EMPTY, *piece.labels)
        self.spots: tuple[Spot, ...] = tuple(spot for spot in board.spots.values() if spot.piece == name)
        middle = np.array(board.size) / 2
        self.centres = np.array([spot.centre for spot in self.spots]).reshape(-1, 2)
        self.places = (self.centres - middle) / middle
        self.width = float(np.ptp(outline(piece), axis=0).min())
        self.reach = self.width / 2 / middle
        self._squares = Squares(piece, self.spots)
        self.sketcher = Sketcher(self._squares.places, self._squares.outside)
        self.samples, self.turns = classifier.samples, classifier.turns
        self._piece, self._levels = piece, taught.levels
        self._blurs = tuple(level.blur for level in taught.levels)
        self._alike = tolerance(len(self.spots))
        self._prepared: dict[int, _Labels] = {}
        self.colourfulness = colourfulness(lab_to_linear(arrangement(classifier.samples).reshape(-1, 3)), _MOST)
        self._is_duller = bool(arrangement(classifier.samples)[..., 0].mean(axis=(1, 2)).max() < _DULLER)
        self.light_known = np.array([label in light for label in self.labels])
        usual = np.array(list(light.values())).reshape(-1, 3)
        self.usual_light = usual if len(usual) else np.zeros((1, 3))
        self.label_light = np.array([light.get(label, tuple(self.usual_light.mean(axis=0))) for label in self.labels])

    def look(self, image: Image, pose: Projection) -> SpotView:
        """The spots in a picture."""
        return SpotView(self._squares, image, pose)

    def judge(self, view: SpotView, light: SpotLight, rows: npt.NDArray[np.intp]) -> KindJudgement:
        """The judgement of some rows' spots. Where the light has an edge they are judged in the light of both sides."""
        places = self.places[rows]
        number = level_for(view.blur, self._blurs, self._alike)
        labels, blur = self._labels_of(number), self._blurs[number]
        patches = softened_to(blur, view.patches(rows), view.blur or blur, self._alike)
        table, strange = self._judged(labels, patches, light.at(places))
        if light.edges is not None:
            sides = light.around(places, self.reach)
            split = np.flatnonzero((sides[1] - sides[0]).max(axis=1) > _EDGE)
            if len(split):
                halves = [self._judged(labels, patches[split], side[split]) for side in sides]
                tables, oddities = zip(*halves, strict=True)
                trust = 1.0 - np.minimum(np.array(oddities), _ALWAYS)
                table[split] = (np.array(tables) * trust[:, :, None]).sum(axis=0) / trust.sum(axis=0)[:, None]
                strange[split] = np.min(oddities, axis=0)
        return table, strange

    def cautious(self, view: SpotView, table: Doubles) -> Doubles:
        """Probabilities (spots, labels) as true as they are in other pictures than those that taught."""
        caution = self._levels[level_for(view.blur, self._blurs, self._alike)].classifier.caution
        shares = table**caution
        return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)

    def described(self, view: SpotView, light: SpotLight, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.float32]:
        """The descriptions (rows, LENGTH) of some rows' spots as they were taught, in a light."""
        blur = self._blurs[0]
        return describe(
            softened_to(blur, view.patches(rows), view.blur or blur, self._alike), light.at(self.places[rows])
        )

    def _labels_of(self, level: int) -> _Labels:
        """The labels by a level of sharpness, prepared when it is first asked for."""
        if level not in self._prepared:
            self._prepared[level] = _Labels(self._piece, self._levels[level].classifier)
        return self._prepared[level]

    def _judged(self, labels: _Labels, patches: npt.NDArray[np.uint8], gains: Doubles) -> KindJudgement:
        table, strange = labels.judge(describe(patches, gains))
        dazzling = (patches.min(axis=3) >= CLIPPED).mean(axis=(1, 2)) > _DAZZLED
        return table, np.where(dazzling & self._is_duller, 1.0, strange)


@dataclass(frozen=True, slots=True, eq=False)
class SpotsSeen:
    """The spots of all kinds as one picture shows them."""

    kinds: tuple[TaughtKind, ...]
    views: tuple[SpotView, ...]

    def patches(self, names: Sequence[str]) -> npt.NDArray[np.uint8]:
        """The patches (names, SIDE, SIDE, 3) of spots by their names."""
        found = np.empty((len(names), SIDE, SIDE, 3), np.uint8)
        for numbers, kind_number, rows in self._rows(names):
            found[numbers] = self.views[kind_number].patches(rows)
        return found

    def gains(self, names: Sequence[str], light: SpotLight) -> Doubles:
        """The gains (names, 3) of spots in a light."""
        found = np.zeros((len(names), 3))
        for numbers, kind_number, rows in self._rows(names):
            found[numbers] = light.at(self.kinds[kind_number].places[rows])
        return found

    def _rows(self, names: Sequence[str]) -> Iterator[tuple[list[int], int, npt.NDArray[np.intp]]]:
        """For each kind the positions in `names` of its spots, its number and its rows."""
        for kind_number, kind in enumerate(self.kinds):
            rows = {spot.name: row for row, spot in enumerate(kind.spots)}
            numbers = [number for number, name in enumerate(names) if name in rows]
            yield numbers, kind_number, np.array([rows[names[number]] for number in numbers], np.intp)


class _Labels:
    """The labels of a kind of piece, each the product of its answers' probabilities."""

    def __init__(self, piece: Piece, classifier: KernelClassifier) -> None:
        self.names = (EMPTY, *piece.labels)
        words = aspects_of(piece.labels)
        self._answers = []
        untaught = []
        for k, aspect in enumerate(classifier.aspects):
            parts = (EMPTY, *(each[k] for each in words))
            self._answers.append(np.array([answer_index(aspect.answers, word) for word in parts]))
            untaught.append(len(set(parts) - set(aspect.answers)))
        self._classifier = PreparedClassifier(classifier, untaught)

    def judge(self, descriptions: npt.NDArray[np.float32]) -> KindJudgement:
        chances, strange = self._classifier.classify(descriptions)
        table = np.zeros((len(descriptions), len(self.names)))
        for each, index in zip(chances, self._answers, strict=True):
            table += np.log(np.maximum(each[:, index], 1e-12))
        table = np.exp(table - table.max(axis=1, keepdims=True))
        table = table / table.sum(axis=1, keepdims=True)
        return (1.0 - _DOUBT) * table + _DOUBT / len(self.names), strange


def chances_of(
    piece: Piece, classifier: KernelClassifier, descriptions: npt.NDArray[np.float32]
) -> tuple[tuple[str, ...], Doubles, Doubles]:
    """A kind of piece's labels, their probabilities (n, labels) for described spots, and the strangeness (n,) of
    these.
    """
    labels = _Labels(piece, classifier)
    return labels.names, *labels.judge(descriptions)


def answer_index(answers: tuple[str, ...], word: str) -> int:
    """The index of a word among answers; -1, the last column, where it was never taught."""
    return answers.index(word) if word in answers else -1
