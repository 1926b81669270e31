"""Teaches the look of a board and its pieces: from this project's own artwork, or from photographs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

from calibration.another_look import looked_at_again
from calibration.artwork import board_png, face_png
from calibration.editions import Edition
from calibration.errors import TeachingError, UnreadLessons
from calibration.heights import HeightCheck
from calibration.lesson_notes import dropped_spots, to_show_next, unlike_sharpness, wrong_height
from calibration.progress import Progress
from calibration.registry import art_of
from companion.board.layout import EMPTY, Board, Spot
from companion.wording.sentences import Sentence
from vision.colour.flaws import COLOURLESS
from vision.location.flat_pose import FlatPose, Projection
from vision.location.location import TaughtSheet
from vision.pictures import Image, interpolated
from vision.printed.pieces.profile import FacePicture, Profile
from vision.spots.kernel_classifier import PreparedClassifier, Proof
from vision.spots.spot_features import LEAST_SHOWN, Squares, describe, is_grey, mean_light
from vision.spots.spot_learning import Samples, learn, taught_piece
from vision.spots.spot_profile import SpotProfile, TaughtPiece, aspects_of, can_be_taught
from vision.spots.spot_sharpness import blur_of, softened_to, tolerance

SHEET_SCALE = 2.0
"""Pixels per millimetre of the sheet taught from artwork."""
FACE_SCALE = 4.0
"""Pixels per millimetre of its faces: a little finer than a camera at the table sees them."""
_SHEET_SIDE = 900
"""Longer side (pixels) of a sheet taught from a photograph."""
_SOFTER = (1.3, 2.2)
"""Blurs (patch pixels) beneath which pieces are taught too, to be recognised in softer pictures."""
_CLEARLY_SOFTER = 1.25
"""Factor of the photographs' usual blur from which another level is worth having."""
_LEAST_FREE = 0.3
"""Share of the spots that must be empty for a photograph to serve as the sheet."""
_MOST_MISREAD = 0.1
"""Largest share of a piece's training spots (half of one label's) that a taught profile may misread."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One photograph, the pose of the board in it, and the label of each known spot (`EMPTY` for none)."""

    name: str
    image: Image
    pose: Projection
    labels: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TeachingResult:
    """A profile; for each kind of piece its cross-validation over the photographs, and the labels never shown; and what
    people should know of the photographs.
    """

    profile: SpotProfile
    proofs: Mapping[str, tuple[Proof, ...]]
    missing: Mapping[str, tuple[str, ...]]
    notes: tuple[Sentence, ...]


def teach_from_artwork(board: Board) -> Profile:
    """The profile of a board that this project draws itself, with the faces of both editions; equal boards give equal
    profiles.
    """
    changed = art_of(board).second
    others = [piece for piece in board.pieces.values() if (piece.name, piece.shape) in changed]
    first, second = (
        MappingProxyType({
            (piece.name, label): FacePicture(*face_png(board, piece.name, label, FACE_SCALE, edition), FACE_SCALE)
            for piece in pieces
            for label in piece.labels
        })
        for pieces, edition in ((board.pieces.values(), Edition.FIRST), (others, Edition.SECOND))
    )  # fmt: skip
    return Profile(board.id, board.digest, board_png(board, SHEET_SCALE), SHEET_SCALE, first, second=second)


def teach_from_pictures(board: Board, lessons: Iterable[Lesson], progress: Progress | None = None) -> TeachingResult:
    """The profile taught by photographs with known labels; equal photographs give equal profiles.

    Only cut-outs of the photographs are kept, so `lessons` may be read one by one. Raises TeachingError, and
    UnreadLessons where the profile misreads these photographs.
    """
    collected = _Collected(board)
    for number, lesson in enumerate(lessons):
        if progress is not None:
            progress(number, number + 1 + len(board.pieces), lesson.name)
        collected.add(lesson)
    pieces, proofs, missing = {}, {}, {}
    notes, lights = collected.notes(), []
    for number, piece in enumerate(board.pieces.values()):
        if progress is not None:
            progress(collected.pictures + number, collected.pictures + len(board.pieces), piece.name)
        sample = collected.of(piece.name)
        if sample is None:
            continue
        pieces[piece.name], proofs[piece.name], gains = _learn(board, piece.name, sample)
        if len(gains) > collected.sheet_picture:
            lights.append(gains[collected.sheet_picture])
        _check_read(piece.labels, pieces[piece.name], piece.name)
        missing[piece.name] = _untaught(piece.labels, pieces[piece.name])
        shown = list(zip(sample.labels, sample.pictures.tolist(), strict=True))
        notes += to_show_next(piece.name, shown, proofs[piece.name])
    if progress is not None:
        progress(collected.pictures + len(board.pieces), collected.pictures + len(board.pieces), "")
    if not pieces:
        raise TeachingError(
            "the photographs show no two different labels of any piece; nothing can be learnt from them"
        )
    sheet = collected.sheet
    if sheet is not None and lights:
        blue, green, red = np.mean(lights, axis=0).tolist()
        sheet = replace(sheet, light=(blue, green, red))
    profile = SpotProfile(board.id, board.digest, sheet, MappingProxyType(pieces))
    return TeachingResult(profile, MappingProxyType(proofs), MappingProxyType(missing), tuple(notes))


@dataclass(frozen=True, slots=True)
class _CutOuts:
    """Cut-outs (n, side, side, 3) of one kind of piece, their labels and the numbers (n,) of their pictures."""

    patches: npt.NDArray[np.uint8]
    labels: tuple[str, ...]
    pictures: npt.NDArray[np.intp]


class _Collected:
    """The cut-outs of the lessons so far."""

    def __init__(self, board: Board) -> None:
        self.board, self.pictures = board, 0
        self.sheet_picture = 0
        self.sheet: TaughtSheet | None = None
        self._dropped: list[tuple[str, str]] = []
        self._blurs: dict[str, float] = {}
        self._heights = HeightCheck(board)
        self._free = _LEAST_FREE
        self._parts: dict[str, list[tuple[npt.NDArray[np.uint8], list[str], int]]] = {name: [] for name in board.pieces}

    def add(self, lesson: Lesson) -> None:
        """Cut out a photograph's labelled spots.

        Raises TeachingError where it is grey.
        """
        every: list[npt.NDArray[np.uint8]] = []
        for name, piece in self.board.pieces.items():
            spots = [spot for spot in self.board.spots.values() if spot.piece == name and spot.name in lesson.labels]
            if not spots or not can_be_taught(piece):
                continue
            patches, shown = Squares(piece, spots).patches(lesson.image, lesson.pose)
            inside = shown >= LEAST_SHOWN
            labels = [lesson.labels[spot.name] for spot, seen in zip(spots, inside, strict=True) if seen]
            self._parts[name].append((patches[inside], labels, self.pictures))
            self._dropped += [(lesson.name, spot.name) for spot, seen in zip(spots, inside, strict=True) if not seen]
            self._heights.add(piece, spots, lesson.labels, lesson.image, lesson.pose)
            every.append(patches[inside])
        if every:
            if any(lesson.labels.values()) and is_grey(np.concatenate(every)):
                raise TeachingError(f"{lesson.name}: {COLOURLESS}")
            self._blurs[lesson.name] = blur_of(np.concatenate(every))
        self.pictures += 1
        bare = [spot for spot in self.board.spots.values() if lesson.labels.get(spot.name) == EMPTY]
        free = len(bare) / max(1, len(self.board.spots))
        if free > self._free and isinstance(lesson.pose, FlatPose):
            self._free, self.sheet_picture = free, self.pictures - 1
            self.sheet = _sheet_of(self.board, lesson.image, lesson.pose, {spot.name for spot in bare})

    def notes(self) -> list[Sentence]:
        """What was left out, and what does not fit together."""
        wrong = {name: self._heights.is_wrong(piece) for name, piece in self.board.pieces.items()}
        return [
            *dropped_spots(self._dropped), *unlike_sharpness(self._blurs),
            *(wrong_height(self.board.pieces[name], way) for name, way in wrong.items() if way),
        ]  # fmt: skip

    def of(self, name: str) -> _CutOuts | None:
        """All cut-outs of a kind of piece; None if they do not show two different labels."""
        parts = self._parts[name]
        labels = tuple(label for _, names, _ in parts for label in names)
        if len(set(labels)) < 2:
            return None
        pictures = np.concatenate([np.full(len(names), picture, np.intp) for _, names, picture in parts])
        return _CutOuts(np.concatenate([patches for patches, *_ in parts]), labels, pictures)


def _learn(board: Board, name: str, sample: _CutOuts) -> tuple[TaughtPiece, tuple[Proof, ...], npt.NDArray[np.float64]]:
    """A taught piece, its cross-validation, and the gains (pictures, 3) that brought the photographs to one light."""
    piece = board.pieces[name]
    light = mean_light(sample.patches)
    names = sorted(set(sample.labels))
    index = np.array([names.index(label) for label in sample.labels])
    gains = _even_light(light, index, sample.pictures)
    lit = light + gains[sample.pictures]
    usual = {label: _mean_of(lit[index == k]) for k, label in enumerate(names)}
    own = np.array([blur_of(sample.patches[sample.pictures == k]) for k in range(len(gains))])
    usual_blur = float(np.median(own[np.unique(sample.pictures)]))
    levels = []
    for blur in (usual_blur, *(softer for softer in _SOFTER if softer > _CLEARLY_SOFTER * usual_blur)):
        patches = sample.patches.copy()
        for picture in np.unique(sample.pictures):
            mine = sample.pictures == picture
            patches[mine] = softened_to(blur, patches[mine], float(own[picture]), tolerance(int(mine.sum())))
        lit_alike = gains[sample.pictures]
        described = Samples(describe(patches, lit_alike), sample.labels, sample.pictures)
        another = describe(*looked_at_again(patches, lit_alike, sample.pictures))
        levels.append(learn(piece, described, blur, another))
    (first, proofs), *others = levels
    return taught_piece(first, (learnt.level for learnt, _ in others), MappingProxyType(usual)), proofs, gains


def _check_read(labels: tuple[str, ...], taught: TaughtPiece, name: str) -> None:
    """Check that a taught piece reads its own samples.

    Raises UnreadLessons.
    """
    words = dict(zip((EMPTY, *labels), ((EMPTY,) * len(taught.classifier.aspects), *aspects_of(labels)), strict=True))
    chances, _strange = PreparedClassifier(taught.classifier).classify(taught.classifier.samples)
    likeliest = [
        [aspect.answers[k] for k in each.argmax(axis=1)]
        for aspect, each in zip(taught.classifier.aspects, chances, strict=True)
    ]
    read = zip(*likeliest, strict=True)
    wrong = Counter(label for label, seen in zip(taught.labels, read, strict=True) if seen != words[label])
    shown = Counter(taught.labels)
    unread = any(2 * count > shown[label] for label, count in wrong.items())
    if unread or wrong.total() > _MOST_MISREAD * shown.total():
        which = ", ".join(f"{label or 'nothing'} ({n} of {shown[label]})" for label, n in wrong.most_common(8))
        raise UnreadLessons(
            f"{name}: what was taught reads {wrong.total()} of {shown.total()} spots of its own photographs wrongly: "
            f"{which}; check their labels and corners, or take sharper photographs in which these look different"
        )


def _untaught(labels: tuple[str, ...], taught: TaughtPiece) -> tuple[str, ...]:
    """The labels that can never be read, because one of the answers they consist of was never shown."""
    known = [aspect.answers for aspect in taught.classifier.aspects]
    parts = zip(labels, aspects_of(labels), strict=True)
    return tuple(
        label for label, words in parts if not all(word in each for word, each in zip(words, known, strict=True))
    )


def _even_light(
    light: npt.NDArray[np.float64], index: npt.NDArray[np.intp], pictures: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """Gains (pictures, 3), natural logarithms, that make each label equally bright in all pictures."""
    gains = np.zeros((int(pictures.max()) + 1, 3))
    if len(gains) == 1:
        return gains
    for _ in range(10):
        lit = light + gains[pictures]
        usual = np.stack(
            [
                np.median(lit[index == k], axis=0) if (index == k).any() else np.zeros(3)
                for k in range(int(index.max()) + 1)
            ]
        )
        for picture in range(len(gains)):
            mine = pictures == picture
            if mine.any():
                gains[picture] += np.median(usual[index[mine]] - lit[mine], axis=0)
        gains -= gains.mean(axis=0)
    return gains


def _mean_of(lit: npt.NDArray[np.float64]) -> tuple[float, float, float]:
    blue, green, red = np.median(lit, axis=0)
    return float(blue), float(green), float(red)


def _sheet_of(board: Board, image: Image, pose: FlatPose, bare: set[str]) -> TaughtSheet:
    """The board from above as a photograph shows it, with spots hidden that are not known to be empty."""
    width, height = board.size
    scale = _SHEET_SIDE / max(width, height)
    x, y = np.meshgrid(
        (np.arange(round(width * scale)) + 0.5) / scale, (np.arange(round(height * scale)) + 0.5) / scale
    )
    pixels = pose.project_flat(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
    view = interpolated(image, pixels.astype(np.float32))
    hidden = np.zeros(view.shape[:2], np.uint8)
    for spot in board.spots.values():
        if spot.name not in bare:
            cv2.fillConvexPoly(hidden, _surroundings(spot, pose, scale), 255)
    outside = ((pixels < 0) | (pixels > np.array(pose.size) - 1)).any(axis=-1)
    hidden[outside] = 255
    return TaughtSheet(view, scale, hidden)


def _surroundings(spot: Spot, pose: FlatPose, scale: float) -> npt.NDArray[np.int32]:
    """The area of the sheet that a piece on a spot hides, in the sheet's pixels, slightly widened."""
    corners = np.array(spot.outline)
    middle = np.array(spot.centre)
    wide = middle + 1.15 * (corners - middle)
    top = pose.project(np.column_stack([wide, np.full(len(wide), spot.base + spot.height)]))
    ends = np.concatenate([wide, pose.to_board(top)]).astype(np.float32)
    return np.asarray(cv2.convexHull((ends * scale).round().astype(np.int32)), np.int32)


def teaching_summary(taught: TeachingResult) -> Sequence[str]:
    """The result of teaching, in lines for people."""
    lines = []
    for name, proofs in taught.proofs.items():
        errors = sum(proof.errors for proof in proofs)
        lines.append(f"{name}: {errors} of {sum(proof.count for proof in proofs)} wrong when left out in turn")
        if taught.missing[name]:
            lines.append(f"{name}: never shown, so never read: {', '.join(taught.missing[name])}")
    return [*lines, *taught.notes]
