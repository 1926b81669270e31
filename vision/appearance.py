"""What the samples of a piece look like under every label and in every way the piece may lie.

A placement is a turn in which the piece fits its spot and a shift of a millimetre or less: people do not lay pieces down
exactly. Colours are Lab; the variance is what is left when the placement is known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Piece
from vision.colour import to_lab
from vision.patches import PatchPlan
from vision.pictures import interpolated
from vision.profile import Face, Profile

Floats = npt.NDArray[np.float32]

NOISE = np.array([7.0, 5.0, 5.0], np.float32)
"""Standard deviation in Lab of a sample whose colour is known: light, printing, sensor."""
_SIDE_SPREAD = np.array([16.0, 9.0, 9.0], np.float32)
"""The same for a piece's side, whose light nobody knows."""
_SIDE_SHADE = np.array([0.78, 0.85, 0.85], np.float32)
BLUR = 0.5
"""Standard deviation (mm) of the blur that a webcam adds."""
_SYMMETRY = {"rhombus": 2, "triangle": 3, "hexagon": 6, "square": 4, "rectangle": 2, "bar": 2, "disc": 12}


@dataclass(frozen=True, slots=True)
class Placement:
    """A turn (radians) and a shift (mm) in the piece's own frame."""

    turn: float
    shift: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Appearance:
    """Mean and variance in Lab, (labels, placements, points, 3), of a kind of piece at the points of its plan."""

    labels: tuple[str, ...]
    placements: tuple[Placement, ...]
    mean: Floats
    variance: Floats


def expected_appearance(profile: Profile, piece: Piece, plan: PatchPlan) -> Appearance:
    """What each label of a kind of piece looks like at the plan's points."""
    placements = placements_of(piece, tall=plan.top_points < len(plan.local))
    means, variances = [], []
    for label in piece.labels:
        face = profile.faces[piece.name, label]
        blurred = _blurred(face)
        body = to_lab(np.array(cv2.mean(face.image, face.mask)[:3]).round().astype(np.uint8)[None])[0]
        looks = [_looks(blurred, face, plan, placement) for placement in placements]
        sides = len(plan.local) - plan.top_points
        means.append([np.concatenate([look.mean(axis=0), np.tile(body * _SIDE_SHADE, (sides, 1))]) for look in looks])
        variances.append(
            [np.concatenate([look.var(axis=0) + NOISE**2, np.tile(_SIDE_SPREAD**2, (sides, 1))]) for look in looks]
        )
    return Appearance(piece.labels, placements, np.array(means, np.float32), np.array(variances, np.float32))


def placements_of(piece: Piece, *, tall: bool) -> tuple[Placement, ...]:
    """The ways in which a piece of this kind may lie on its spot, the exact one first."""
    turns = np.arange(_SYMMETRY[piece.shape]) * math.tau / _SYMMETRY[piece.shape]
    if piece.shape == "disc":
        steps = (0.0, -0.8, 0.8)
    else:
        steps = (0.0, -0.5, 0.5, -1.0, 1.0) if tall or piece.raised_by else (0.0, -0.35, 0.35, -0.7, 0.7)
    return tuple(Placement(float(turn), (dx, dy)) for turn in turns for dx in steps for dy in steps)


def _looks(blurred: npt.NDArray[np.uint8], face: Face, plan: PatchPlan, placement: Placement) -> Floats:
    """Lab (neighbours, points, 3) of the face where the plan's points lie, and a little beside."""
    cosine, sine = math.cos(placement.turn), math.sin(placement.turn)
    top = plan.local[: plan.top_points] - np.array(placement.shift)
    own = np.column_stack([top[:, 0] * cosine + top[:, 1] * sine, top[:, 1] * cosine - top[:, 0] * sine])
    beside = 0.35 * np.array([[0, 0], [0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]])
    height, width = face.mask.shape
    pixels = (own + beside[:, None]) * face.scale + np.array([width, height]) / 2 - 0.5
    return to_lab(interpolated(blurred, pixels.astype(np.float32)))


def _blurred(face: Face) -> npt.NDArray[np.uint8]:
    """A face whose surroundings are filled with its own mean colour, blurred as a webcam does."""
    filled = face.image.copy()
    filled[face.mask < 128] = np.array(cv2.mean(face.image, face.mask)[:3]).round()
    return np.asarray(cv2.GaussianBlur(filled, (0, 0), BLUR * face.scale), np.uint8)
