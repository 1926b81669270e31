"""The expected colours of a piece's samples for every label and every placement.

A placement is a turn in which the piece fits its spot and a shift of a millimetre or two: people do not place pieces
exactly. Colours are Lab; the variance is what remains when the placement is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Piece
from vision.colour.space import to_lab
from vision.pictures import interpolated
from vision.printed.picture.blur import blurred
from vision.printed.pieces.paint import FREE, LIKE_PRINT, Paint
from vision.printed.pieces.patches import TALL, PatchPlan, depth_inside, outline
from vision.printed.pieces.profile import FacePicture, Profile

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.intp]

NOISE = np.array([8.0, 4.0, 4.0], np.float32)
"""Standard deviation in Lab of a sample whose colour is known: light, printing, sensor."""
_SIDE_SPREAD = np.array([16.0, 9.0, 9.0], np.float32)
"""Standard deviation in Lab of a sample on a piece's side, whose illumination is unknown."""
_SIDE_SHADE = np.array([0.78, 0.85, 0.85], np.float32)
"""Factors on L, a and b of a face's mean colour that give its sides' colour."""
_WOODEN = 4.0
"""Height (mm) from which pieces may be painted wood instead of prints, as may all that stand on others."""
_FLAT_SHADE = (0.82, 1.06)
"""Range of factors on the lightness of a flat painted surface."""
_TALL_SHADE = (0.62, 1.08)
"""The same for a rounded one."""
_WALL_SHADE = (0.4, 1.04)
"""The same for a side."""
OFF_PAINT = np.array([3.0, 6.0, 6.0], np.float32)
"""Distance in Lab by which a set's paint may differ from the printed colour of the same name."""
_USUAL_ERROR = 4.0
"""Error of the patches (Lab) up to which no further tolerance is added."""
_MOST_OFF = 2.5
"""Largest factor on the tolerance."""
_MAIN_CELL = 14.0
"""Side (Lab) of the cubes within which colours count as one colour."""
BLUR = 0.5
"""Standard deviation (mm) of a common webcam's blur, assumed where it cannot be measured."""
BLURS = (0.25, 0.35, BLUR, 0.7, 1.0, 1.4)
"""Steps of blur (standard deviation, mm) for which appearances are prepared."""
_AS_GOOD = 0.1
"""Natural logarithm by which another step must be nearer to the measured blur for a change."""
NEAR = 0.35
"""Distance (mm) from which a sample's lightness may come."""
FAR = 1.0
"""Distance (mm) from which its colour may come: cameras send colour at half the resolution."""
_RIM_BLUR = 0.1
"""Distance (mm) beyond its outline at which a sample still shows more of the piece than of its surroundings."""
_ASKEW = math.radians(15)
"""Angle by which a cube on a tile may be turned either way."""
_SKEW = math.radians(7)
"""The same for a hexagonal tile, which is nearly round, on others."""
_NEVER = np.float32(1e6)
"""Energy of a placement that is not chosen."""
_FARTHER = {"triangle": (-1.05, 1.05, -1.4, 1.4, -1.75, 1.75), "disc": (-2.25, 2.25)}
"""Further shifts (mm) by shape: a figure that lies a little off is another figure, where a plain face would do."""
_ALONG = (-1.5, 1.5, -2.0, 2.0)
"""Further shifts (mm) of a bar along its length."""
_SYMMETRY = {"rhombus": 2, "triangle": 3, "hexagon": 6, "square": 4, "rectangle": 2, "bar": 2, "disc": 12}
"""Number of turns in which a piece of each shape looks the same outline."""


def off_paint(error: float) -> Floats:
    """Distance in Lab by which colours may differ from the expected, if the corrected patches are off by `error`
    (Lab).
    """
    return np.asarray(OFF_PAINT * np.clip(error / _USUAL_ERROR, 1.0, _MOST_OFF), np.float32)


def blur_step(blur: float | None, known: float) -> float:
    """The prepared step of blur nearest to the measured one, or the current one if it is about as near."""
    if blur is None:
        return BLUR
    off = {step: abs(math.log(max(blur, BLURS[0]) / step)) for step in BLURS}
    best = min(off, key=off.__getitem__)
    return known if off[known] < _AS_GOOD + off[best] else best


@dataclass(frozen=True, slots=True)
class Placement:
    """A turn (radians) and a shift (mm) in the piece's own frame; `second` where the face of the second edition lies
    there.
    """

    turn: float
    shift: tuple[float, float]
    second: bool = False


@dataclass(frozen=True, slots=True)
class Sides:
    """Mean and variance in Lab (labels, editions, points, 3) of sides, and the `edition` of each placement."""

    mean: Floats
    variance: Floats
    edition: Integers


@dataclass(frozen=True, slots=True)
class Appearance:
    """Mean and variance in Lab of a kind of piece at the points of its plan: `top` points on its face, then its sides.

    The means of the face are kept as `sought` (labels, placements, 3 x top), in units of `NOISE`, zero where the piece
    does not reach, and `energy` (labels, placements, top), their squares summed over the channels; `variance` is
    (labels, placements, top, 3). Its sides look the same in every placement. `inside` (placements, points) is 1 where
    the piece reaches and 0 where its background shows. `paint` are the colours of a painted piece under a narrow and a
    wide tolerance; None for tiles, which are never painted.
    """

    labels: tuple[str, ...]
    placements: tuple[Placement, ...]
    inside: Floats
    sought: Floats
    energy: Floats
    variance: Floats
    sides: Sides
    paint: tuple[Paint, Paint] | None = None
    low: bool = False
    """whether the piece may lie in the shadow of another one on it"""
    may_be_plain: bool = True
    """whether the piece may be painted wood without any print, if it has `paint`"""

    def only(self, *, second: bool) -> Appearance:
        """The same with no other faces than those of one edition; of the second it is always printed."""
        others = np.array([placement.second is not second for placement in self.placements])
        energy = np.where(others[:, None], _NEVER, self.energy)
        return replace(self, energy=energy, may_be_plain=self.may_be_plain and not second)

    @property
    def top(self) -> int:
        """The number of points on the face."""
        return int(self.energy.shape[-1])

    def mean(self, label: int, placements: int | Integers) -> Floats:
        """The mean Lab (..., points, 3) of a label in some placements (...,), zero where the piece does not reach."""
        mean = self.sought[label][placements] * np.tile(NOISE, self.top)
        sides = self.sides.mean[label][self.sides.edition[placements]]
        return np.concatenate([mean.reshape(*mean.shape[:-1], self.top, 3), sides], axis=-2)

    def variance_of(self, label: int, placements: int | Integers) -> Floats:
        """The variance (..., points, 3) of a label in some placements (...,)."""
        sides = self.sides.variance[label][self.sides.edition[placements]]
        return np.concatenate([self.variance[label][placements], sides], axis=-2)


def expected_appearance(profile: Profile, piece: Piece, plan: PatchPlan, blur: float = BLUR) -> Appearance:
    """The appearance of each label of a kind of piece at the plan's points under a blur (standard deviation, mm)."""
    placements = placements_of(piece, second=profile.has_second(piece.name))
    own = _own_points(plan, placements)
    edition = np.array([placement.second for placement in placements], np.intp)
    side_points = len(plan.local) - plan.top_points
    means, variances, sides, spreads = [], [], [], []
    for label in piece.labels:
        faces = [profile.face(piece.name, label, second=bool(second)) for second in np.unique(edition)]
        looks = [_looks(_blurred_face(blur, face), own[edition == second]) for second, face in enumerate(faces)]
        means.append(np.concatenate([mean for mean, _variance in looks]))
        variances.append(np.concatenate([variance for _mean, variance in looks]) + NOISE**2)
        sides.append([np.tile(_body_of(face) * _SIDE_SHADE, (side_points, 1)) for face in faces])
        drawn = piece.size[-1] == piece.height
        spread = [_drawn_spread(face) if second and drawn else _SIDE_SPREAD for second, face in enumerate(faces)]
        spreads.append([np.tile(each**2, (side_points, 1)) for each in spread])
    lies = depth_inside(own, outline(piece)) > -_RIM_BLUR
    inside = np.concatenate([lies, np.ones((len(placements), side_points), bool)], axis=1).astype(np.float32)
    sought = np.stack(means).astype(np.float32) / NOISE * inside[:, : plan.top_points, None]
    energy = (sought * sought) @ np.ones(3, np.float32)
    return Appearance(
        piece.labels, placements, inside, sought.reshape(*sought.shape[:2], -1), energy,
        np.stack(variances).astype(np.float32),
        Sides(np.array(sides, np.float32), np.array(spreads, np.float32), edition),
        _paint_of(profile, piece, plan), piece.shape == "hexagon" and bool(piece.raised_by),
    )  # fmt: skip


def _body_of(face: FacePicture) -> Floats:
    """The Lab (3,) of a face's mean colour."""
    mean = np.array(cv2.mean(face.image, face.mask)[:3])
    return np.asarray(to_lab(mean.round().astype(np.uint8)[None])[0], np.float32)


def _drawn_spread(face: FacePicture) -> Floats:
    """The standard deviation (3,) in Lab of a piece's sides that may show the drawing of its face."""
    lab = to_lab(face.image[face.mask > 127])
    return np.asarray(np.sqrt(lab.var(axis=0) + _SIDE_SPREAD**2), np.float32)


def _paint_of(profile: Profile, piece: Piece, plan: PatchPlan) -> tuple[Paint, Paint] | None:
    """The paint of a piece at the plan's points; None for kinds that are never painted."""
    if not piece.raised_by and piece.height < _WOODEN:
        return None
    colours = np.stack([_main_colour(profile.faces[piece.name, label]) for label in piece.labels])
    top = np.arange(len(plan.local)) < plan.top_points
    shades = _TALL_SHADE if piece.height >= TALL else _FLAT_SHADE
    dimmest, brightest = (np.where(top, up, side) for up, side in zip(shades, _WALL_SHADE, strict=True))
    like, free = (Paint.of(colours, dimmest, brightest, freedom) for freedom in (LIKE_PRINT, FREE))
    return like, free


def _main_colour(face: FacePicture) -> npt.NDArray[np.float64]:
    """The Lab (3,) of the most frequent colour of a face."""
    lab = to_lab(face.image[face.mask > 127])
    cells = np.floor(lab / _MAIN_CELL).astype(np.int64)
    _, which, counts = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    return np.asarray(lab[which.ravel() == counts.argmax()].mean(axis=0), np.float64)


def placements_of(piece: Piece, *, second: bool = False) -> tuple[Placement, ...]:
    """The placements of a piece of this kind on its spot, the exact one first; with `second` those of the second
    edition's face after them.
    """
    count = 1 if piece.oriented else _SYMMETRY[piece.shape]
    turns = list(np.arange(count) * math.tau / count)
    if piece.shape == "square" and piece.raised_by:
        turns = [turn + askew for askew in (0.0, -_ASKEW, _ASKEW) for turn in turns]
        steps = [0.0, -0.7, 0.7, -1.4, 1.4, -2.1, 2.1]
    elif piece.shape == "disc":
        steps = [0.0, -0.75, 0.75, -1.5, 1.5]
    else:
        step = 0.5 if piece.raised_by else 0.35
        steps = [0.0, -step, step, -2 * step, 2 * step]
    if piece.shape == "hexagon":
        turns = [turn + askew for askew in (0.0, -_SKEW, _SKEW) for turn in turns]
        steps = [0.0, -0.8, 0.8]
    found = [Placement(float(turn), (dx, dy)) for turn in turns for dx in steps for dy in steps]
    if second:
        steps = [*steps, *(_FARTHER.get(piece.shape, ()) if piece.lies_on != "slot" else ())]
        along = [*steps, *_ALONG] if piece.shape == "bar" else steps
        found += [Placement(float(turn), (dx, dy), second=True) for turn in turns for dx in along for dy in steps]
    return tuple(found)


def _own_points(plan: PatchPlan, placements: Sequence[Placement]) -> npt.NDArray[np.float64]:
    """The plan's top points (placements, points, 2) in the frame of a face with each of these placements."""
    turns = np.array([placement.turn for placement in placements])[:, None]
    shifts = np.array([placement.shift for placement in placements])[:, None]
    x, y = np.moveaxis(plan.local[: plan.top_points] - shifts, 2, 0)
    cosine, sine = np.cos(turns), np.sin(turns)
    return np.stack([x * cosine + y * sine, y * cosine - x * sine], axis=2)


def _blurred_face(blur: float, face: FacePicture) -> FacePicture:
    """A face under a blur (standard deviation, mm).

    The usual blur and more comes from the lens and mixes light; less than that comes from pixels and compression, which
    mix levels.
    """
    deviation = blur * face.scale
    if blur < BLUR:
        return replace(face, image=np.asarray(cv2.GaussianBlur(face.image, (0, 0), deviation), np.uint8))
    return replace(face, image=blurred(face.image, deviation))


def _looks(face: FacePicture, points: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
    """Mean and variance in Lab (placements, points, 3) that a face shows around points of its frame."""
    height, width = face.mask.shape
    pixels = (points * face.scale + (np.array([width, height]) / 2 - 0.5)).astype(np.float32)
    mean, variance = _seen_around(face)
    return interpolated(mean, pixels), interpolated(variance, pixels)


def _seen_around(face: FacePicture) -> tuple[Floats, Floats]:
    """Mean and variance in Lab (rows, columns, 3) of what a sample at each pixel of a face may show: the pixel twice
    and its neighbours, colour from farther around than lightness.
    """
    height, width = face.mask.shape
    pixels = np.dstack(np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)))
    steps = np.array([(1, 0), (-1, 0), (0, 1), (0, -1)], np.float32) * np.float32(face.scale)
    found = np.empty((2 + len(steps), height, width, 3), np.float32)
    found[0] = found[1] = lab = to_lab(face.image)
    for seen, step in zip(found[2:], steps, strict=True):
        seen[..., 0] = interpolated(lab[..., 0], pixels + NEAR * step)
        seen[..., 1:] = interpolated(lab[..., 1:], pixels + FAR * step)
    return found.mean(axis=0), found.var(axis=0)
