"""A hand that reaches over the simulated table: forearm, palm, two fingers and a thumb as shaded cylinders."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from ui.simulated_table.view import Light
from vision.location.board_pose import BoardPose
from vision.pictures import Image

Floats = npt.NDArray[np.float64]

SKIN, CLOTH = (140, 172, 224), (112, 74, 52)
"""BGR in neutral light."""
_LIFT = 40.0
"""Height (mm) of the hand over the sheet."""
_REDUCTION = 2
"""Scale at which the hand is drawn: it moves, so that half the resolution is enough."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the board: `reach` is the point (mm) its fingers go to, `phase` 0 to 1 is its way in and out again.

    It comes from the side of the table that `azimuth` (degrees, 90 the lower edge) names.
    """

    reach: tuple[float, float]
    phase: float
    azimuth: float = 90.0


@dataclass(frozen=True, slots=True)
class _Limb:
    """A cylinder with round ends from `start` to `end` (mm)."""

    start: Floats
    end: Floats
    radius: float
    colour: tuple[int, int, int]


def draw_hand(
    picture: Image, hand: Hand, pose: BoardPose, size: tuple[float, float], light: Light, tone: Image
) -> None:
    """Draw a hand and its shadow onto a picture of a board of `size` mm; `tone` (1, 256, 3) is the exposure."""
    limbs = _limbs(hand, math.hypot(*size) / 2 + 260.0)
    small = (picture.shape[0] // _REDUCTION + 1, picture.shape[1] // _REDUCTION + 1)
    slope = -_unit(math.radians(light.direction)) * _LIFT / math.tan(math.radians(light.elevation))
    dark = np.zeros(small, np.float32)
    for limb in limbs:
        box, depth = _profile(limb, pose, small, slope, 0.0)
        dark[box] = np.maximum(dark[box], depth > 0)
    _darken(picture, cv2.blur(dark, (9, 9)) * light.shadow)
    colour, cover = np.zeros((*small, 3), np.float32), np.zeros(small, np.float32)
    for limb in limbs:
        box, depth = _profile(limb, pose, small, np.zeros(2), _LIFT)
        seen = np.array([tone[0, value, k] for k, value in enumerate(limb.colour)], np.float32)
        inside = depth > 0
        colour[box][inside] = (seen * (0.6 + 0.4 * depth[:, :, None]))[inside]
        cover[box][inside] = 1.0
    _cover(picture, colour, cv2.blur(cover, (3, 3)))


def _limbs(hand: Hand, outside: float) -> list[_Limb]:
    """The limbs from the sleeve to the fingertips, in the order of painting."""
    inward = 1.0 - abs(2.0 * hand.phase - 1.0) ** 1.5
    away = _unit(math.radians(hand.azimuth))
    aside = np.array([-away[1], away[0]])
    tip = np.array(hand.reach) + away * outside * (1.0 - inward)

    shapes = (
        ((80, 4), (190, 10), 26.0, SKIN),
        ((180, 8), (720, 30), 42.0, CLOTH),
        ((60, -4), (80, 12), 33.0, SKIN),
        ((30, -30), (68, -14), 9.5, SKIN),
        ((10, 20), (52, 21), 8.5, SKIN),
        ((0, 2), (48, 7), 8.5, SKIN),
    )
    frame = np.stack([away, aside])
    return [
        _Limb(tip + np.array(start) @ frame, tip + np.array(end) @ frame, radius, colour)
        for start, end, radius, colour in shapes
    ]


def _profile(
    limb: _Limb, pose: BoardPose, shape: tuple[int, int], shift: Floats, height: float
) -> tuple[tuple[slice, slice], npt.NDArray[np.float32]]:
    """The part of the reduced picture that a limb needs, and how its surface there faces the camera (0 beside it)."""
    across = np.array([-(limb.end - limb.start)[1], (limb.end - limb.start)[0]])
    across *= limb.radius / max(float(np.hypot(*across)), 1e-9)
    places = np.array([limb.start, limb.end, limb.start + across, limb.end + across]) + shift
    pixels = pose.project(np.column_stack([places, np.full(4, height)])).astype(np.float64) / _REDUCTION
    start, end = pixels[0], pixels[1]
    radii = np.linalg.norm(pixels[2:] - pixels[:2], axis=1)
    corners = np.concatenate([pixels[:2] - radii[:, None], pixels[:2] + radii[:, None]])
    left, top = np.clip(np.floor(corners.min(axis=0)), 0, (shape[1], shape[0])).astype(int)
    right, bottom = np.clip(np.ceil(corners.max(axis=0)) + 1, (left, top), (shape[1], shape[0])).astype(int)
    x, y = np.meshgrid(np.arange(left, right), np.arange(top, bottom))
    along = end - start
    part = np.clip(((x - start[0]) * along[0] + (y - start[1]) * along[1]) / max(float(along @ along), 1e-9), 0, 1)
    off = np.hypot(x - start[0] - part * along[0], y - start[1] - part * along[1])
    radius = radii[0] + part * (radii[1] - radii[0])
    depth = np.sqrt(np.maximum(1.0 - (off / radius) ** 2, 0.0)).astype(np.float32)
    return (slice(top, bottom), slice(left, right)), depth


def _box(mask: npt.NDArray[np.float32]) -> tuple[slice, slice] | None:
    """The rows and columns of a reduced picture that are not empty."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _enlarged(part: npt.NDArray[np.float32], region: Image) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.resize(part, (region.shape[1], region.shape[0])), np.float32)


def _region(picture: Image, box: tuple[slice, slice]) -> Image:
    rows, columns = (slice(side.start * _REDUCTION, side.stop * _REDUCTION) for side in box)
    return picture[rows, columns]


def _darken(picture: Image, depth: npt.ArrayLike) -> None:
    small = np.asarray(depth, np.float32)
    box = _box(small)
    if box is not None:
        region = _region(picture, box)
        region[:] = (region * (1.0 - _enlarged(small[box], region)[:, :, None])).astype(np.uint8)


def _cover(picture: Image, colour: npt.NDArray[np.float32], cover: npt.ArrayLike) -> None:
    small = np.asarray(cover, np.float32)
    box = _box(small)
    if box is not None:
        region = _region(picture, box)
        share = _enlarged(small[box], region)[:, :, None]
        # The colour of a pixel half covered is that of its covered half.
        spread = cv2.dilate(colour[box], np.ones((3, 3), np.uint8))
        ink = np.where(colour[box].any(axis=2, keepdims=True), colour[box], spread).astype(np.float32)
        region[:] = (region * (1.0 - share) + _enlarged(ink, region) * share).astype(np.uint8)


def _unit(angle: float) -> Floats:
    return np.array([math.cos(angle), math.sin(angle)])
