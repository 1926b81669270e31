"""What the samples of a piece should look like: a normal distribution in Lab for every point and label.

Spread comes from the piece lying a little off its place, in any of the turns in which it fits, seen by a lens that
blurs, in light that is only roughly known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Piece
from vision.colour import to_lab
from vision.frames import Image
from vision.patches import PatchPlan
from vision.profile import Face, Profile

Floats = npt.NDArray[np.float32]

NOISE = np.array([7.0, 5.0, 5.0], np.float32)
"""Standard deviation in Lab of a sample whose colour is known: light, printing, sensor."""
_SIDE_SPREAD = np.array([16.0, 9.0, 9.0], np.float32)
"""The same for a piece's side, whose light nobody knows."""
_SIDE_SHADE = np.array([0.78, 0.85, 0.85], np.float32)
BLUR = 0.5
"""Standard deviation (mm) of the blur that a webcam adds."""
_SYMMETRY = {"rhombus": 2, "triangle": 3, "hexagon": 6, "square": 4, "bar": 2, "disc": 12}
_LOOSE_SHIFT, _LOOSE_TURN = 0.8, math.radians(3.0)
_SNUG_SHIFT, _SNUG_TURN = 0.4, math.radians(0.7)
"""How far off pieces lie (standard deviations): tall ones and those on top of others, and tiles among neighbours."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """Mean and variance in Lab, (labels, points, 3), of a kind of piece at the points of its plan."""

    labels: tuple[str, ...]
    mean: Floats
    variance: Floats


def expected_appearance(profile: Profile, piece: Piece, plan: PatchPlan) -> Appearance:
    """What each label of a kind of piece looks like at the plan's points."""
    snug = not piece.raised_by and plan.top_points == len(plan.local)
    shift, turn = (_SNUG_SHIFT, _SNUG_TURN) if snug else (_LOOSE_SHIFT, _LOOSE_TURN)
    top = plan.local[: plan.top_points].astype(np.float64)
    means, variances = [], []
    for label in piece.labels:
        face = profile.faces[piece.name, label]
        looks = np.stack(
            [
                face_at(face, top, turned + wobble, (dx, dy))
                for turned in np.arange(_SYMMETRY[piece.shape]) * math.tau / _SYMMETRY[piece.shape]
                for wobble, dx, dy in (
                    (0, 0, 0), (0, 0, 0), (turn, shift, shift), (turn, -shift, -shift),
                    (-turn, shift, -shift), (-turn, -shift, shift), (turn, 0, 0), (-turn, 0, 0),
                )
            ]
        )  # fmt: skip
        body = to_lab(np.array(cv2.mean(face.image, face.mask)[:3]).round().astype(np.uint8)[None])[0]
        sides = len(plan.local) - plan.top_points
        means.append(np.concatenate([looks.mean(axis=0), np.tile(body * _SIDE_SHADE, (sides, 1))]))
        variances.append(
            np.concatenate([looks.var(axis=0) + NOISE**2, np.tile(_SIDE_SPREAD**2, (sides, 1))])
        )
    return Appearance(piece.labels, np.array(means, np.float32), np.array(variances, np.float32))


def face_at(face: Face, points: npt.NDArray[np.float64], turn: float, shift: tuple[float, float]) -> Floats:
    """Lab (n, 3) that a face shows at points (n, 2) of its frame when it is turned (radians) and shifted (mm)."""
    cosine, sine = math.cos(turn), math.sin(turn)
    moved = points - np.array(shift)
    own = np.column_stack([moved[:, 0] * cosine + moved[:, 1] * sine, moved[:, 1] * cosine - moved[:, 0] * sine])
    height, width = face.mask.shape
    pixels = own * face.scale + np.array([width, height]) / 2 - 0.5
    return to_lab(_lookup(_spread(face), pixels))


def _spread(face: Face) -> Image:
    """A face whose surroundings are filled with its own mean colour, blurred as a webcam does."""
    filled = face.image.copy()
    filled[face.mask < 128] = np.array(cv2.mean(face.image, face.mask)[:3]).round()
    return cast(Image, cv2.GaussianBlur(filled, (0, 0), BLUR * face.scale))


def _lookup(image: Image, pixels: npt.NDArray[np.float64]) -> Image:
    maps = pixels.astype(np.float32)[None]
    return cast(Image, cv2.remap(image, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0])
