"""The sheet with tiles on it as it would look from straight above: what is expected beneath the pieces on top."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Spot
from vision.appearance import BLUR, NOISE, Placement
from vision.colour import to_lab
from vision.likelihood import OUTLIER, OVER_CHANNELS
from vision.patches import heading, outline
from vision.pictures import Gray, Image, interpolated
from vision.profile import Profile

Floats = npt.NDArray[np.float32]

SCALE = 2.0
"""Pixels per millimetre."""
_OFFSETS = 0.35 * np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]], np.float32)
"""Where (mm) the surroundings of a point are looked at for colours that it may as well have."""
_SHADOW = 0.8
"""What a shadow leaves of a colour: all three of Lab shrink alike."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile as it lies on its spot."""

    label: str
    placement: Placement


@dataclass(frozen=True, slots=True)
class Bounds:
    """The lowest and highest Lab (spots, points, 3) that samples may well have."""

    low: Floats
    high: Floats

    def log_density(self, samples: Floats) -> Floats:
        """Log density (spots, points) of samples (spots, points, 3): even between the bounds, with normal flanks."""
        off = (samples - np.clip(samples, self.low, self.high)) / NOISE
        room = np.log(math.sqrt(math.tau) * NOISE + self.high - self.low) @ OVER_CHANNELS
        return np.maximum(-0.5 * ((off * off) @ OVER_CHANNELS) - room, OUTLIER)


class Canvas:
    """A picture of a sheet on which tiles are stamped: Lab and, fourth, the least L, all in 8 bits.

    The gaps around tiles may be as dark as cracks are, or as light as the sheet.
    """

    def __init__(self, board: Board, profile: Profile) -> None:
        self._board, self._profile = board, profile
        size = (round(board.size[0] * SCALE), round(board.size[1] * SCALE))
        sheet = cv2.resize(profile.sheet, size, interpolation=cv2.INTER_AREA)
        self._sheet = _packed(np.asarray(cv2.GaussianBlur(sheet, (0, 0), BLUR * SCALE), np.uint8))
        self._stamps: dict[tuple[str, str, int], tuple[Image, Gray]] = {}
        self._look: Mapping[str, Laid] = {}
        self._picture = self._sheet.copy()

    def lay(self, look: Mapping[str, Laid]) -> None:
        """Show exactly these tiles, by spot."""
        if look == self._look:
            return
        self._picture[:] = self._sheet
        for name in look:
            self._darken_around(self._board.spots[name])
        for name, laid in look.items():
            self._stamp(name, laid)
        self._look = dict(look)

    def expect(self, places: Floats) -> Bounds:
        """The colours to expect around board places (spots, points, 2) in millimetres, in light or in shadow."""
        looks = []
        for offset in _OFFSETS:
            pixels = (places + offset) * SCALE - 0.5
            looks.append(interpolated(self._picture, pixels))
        stack = np.stack(looks)
        least, most = stack.min(axis=0).astype(np.float32), stack.max(axis=0).astype(np.float32)
        least[..., 0] = np.minimum(least[..., 0], least[..., 3])
        low, high = (extreme[..., :3] * _UNPACK + _UNPACK_ZERO for extreme in (least, most))
        return Bounds(np.minimum(low, low * _SHADOW), np.maximum(high, high * _SHADOW))

    def _darken_around(self, spot: Spot) -> None:
        """Allow for the crack or the side of the tile around a spot."""
        corners, middle = np.array(spot.outline), np.array(spot.centre)
        reach = 1.0 + _CRACK / np.linalg.norm(corners - middle, axis=1, keepdims=True)
        pixels = ((middle + (corners - middle) * reach) * SCALE - 0.5).round().astype(np.int32)
        left, top = np.maximum(pixels.min(axis=0), 0)
        right, bottom = pixels.max(axis=0) + 1
        region = self._picture[top:bottom, left:right, 3]
        plane = np.ascontiguousarray(region)
        cv2.fillConvexPoly(plane, pixels - np.array([left, top], np.int32), _CRACK_LIGHT)
        region[:] = plane

    def _stamp(self, name: str, laid: Laid) -> None:
        spot = self._board.spots[name]
        turn = heading(spot, self._board.pieces[spot.piece])
        cosine, sine = math.cos(turn), math.sin(turn)
        dx, dy = laid.placement.shift
        middle = (spot.centre[0] + dx * cosine - dy * sine, spot.centre[1] + dx * sine + dy * cosine)
        key = (spot.piece, laid.label, round(math.degrees(turn + laid.placement.turn)) % 360)
        if key not in self._stamps:
            self._stamps[key] = self._make_stamp(*key)
        ink, cover = self._stamps[key]
        left, top = (round(middle[axis] * SCALE - cover.shape[1 - axis] / 2) for axis in (0, 1))
        height, width = cover.shape
        region = self._picture[max(top, 0) : top + height, max(left, 0) : left + width]
        rows, columns = slice(max(-top, 0), max(-top, 0) + region.shape[0]), slice(max(-left, 0), max(-left, 0) + region.shape[1])
        cv2.copyTo(ink[rows, columns], cover[rows, columns], region)

    def _make_stamp(self, piece: str, label: str, turn: int) -> tuple[Image, Gray]:
        face = self._profile.faces[piece, label]
        reach = float(np.linalg.norm(outline(self._board.pieces[piece]), axis=1).max()) + 1.0
        side = 2 * math.ceil(reach * SCALE)
        cosine, sine = (f(math.radians(turn)) * SCALE / face.scale for f in (math.cos, math.sin))
        height, width = face.mask.shape
        middle = np.array([[cosine, -sine], [sine, cosine]]) @ np.array([(width - 1) / 2, (height - 1) / 2])
        place = (side - 1) / 2 - middle
        warp = np.array([[cosine, -sine, place[0]], [sine, cosine, place[1]]])
        smooth = cv2.GaussianBlur(face.image, (0, 0), BLUR * face.scale)
        ink = cv2.warpAffine(smooth, warp, (side, side), borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpAffine(face.mask, warp, (side, side))
        return _packed(ink), np.where(cover > 127, 255, 0).astype(np.uint8)


_CRACK, _CRACK_LIGHT = 2.5, 30
"""How far (mm, at the corners) a tile's side and shade reach beyond it, and the least L there (of 255)."""
_UNPACK = np.array([100 / 255, 1.0, 1.0], np.float32)
_UNPACK_ZERO = np.array([0.0, -128.0, -128.0], np.float32)


def _packed(image: Image) -> Image:
    lab = to_lab(image)
    packed = np.clip((lab - _UNPACK_ZERO) / _UNPACK, 0, 255).round().astype(np.uint8)
    return np.concatenate([packed, packed[..., :1]], axis=-1)
