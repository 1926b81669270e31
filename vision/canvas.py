"""The sheet with tiles on it as it would look from straight above: what is expected beneath the pieces on top."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.appearance import BLUR, NOISE
from vision.colour import to_lab
from vision.frames import Image
from vision.likelihood import OUTLIER, OVER_CHANNELS
from vision.patches import heading, outline
from vision.profile import Profile

Floats = npt.NDArray[np.float32]

SCALE = 2.0
"""Pixels per millimetre."""
_OFFSETS = np.array([[0, 0], [0.7, 0], [-0.7, 0], [0, 0.7], [0, -0.7]], np.float32)
"""Where (mm) the surroundings of a point are looked at for colours that it may as well have."""
_SHADOW = 0.8
"""What a shadow leaves of a colour: all three of Lab shrink alike."""


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
    """A picture in Lab (8 bits a channel) of a sheet, on which tiles are stamped."""

    def __init__(self, board: Board, profile: Profile) -> None:
        self._board, self._profile = board, profile
        size = (round(board.size[0] * SCALE), round(board.size[1] * SCALE))
        sheet = cv2.resize(profile.sheet, size, interpolation=cv2.INTER_AREA)
        self._sheet = _packed(cv2.GaussianBlur(sheet, (0, 0), BLUR * SCALE))
        self._stamps: dict[tuple[str, str, int], tuple[Image, npt.NDArray[np.uint8]]] = {}
        self._look: Mapping[str, str] = {}
        self._picture = self._sheet.copy()

    def lay(self, look: Mapping[str, str]) -> None:
        """Show exactly these tiles: spot name -> label."""
        if look == self._look:
            return
        cv2.copyTo(self._sheet, None, self._picture)
        for name, label in look.items():
            self._stamp(name, label)
        self._look = dict(look)

    def expect(self, places: Floats) -> Bounds:
        """The colours to expect around board places (spots, points, 2) in millimetres, in light or in shadow."""
        looks = []
        for offset in _OFFSETS:
            pixels = (places + offset) * SCALE - 0.5
            looks.append(cv2.remap(self._picture, pixels, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
        stack = np.stack(looks)
        low, high = (extreme.astype(np.float32) * _UNPACK + _UNPACK_ZERO for extreme in (stack.min(axis=0), stack.max(axis=0)))
        return Bounds(np.minimum(low, low * _SHADOW), np.maximum(high, high * _SHADOW))

    def _stamp(self, name: str, label: str) -> None:
        spot = self._board.spots[name]
        piece = self._board.pieces[spot.piece]
        turn = round(math.degrees(heading(spot, piece))) % 360
        key = (spot.piece, label, turn)
        if key not in self._stamps:
            self._stamps[key] = self._make_stamp(*key)
        ink, cover = self._stamps[key]
        left, top = (round(spot.centre[axis] * SCALE - cover.shape[1 - axis] / 2) for axis in (0, 1))
        height, width = cover.shape
        region = self._picture[max(top, 0) : top + height, max(left, 0) : left + width]
        part = slice(max(-top, 0), max(-top, 0) + region.shape[0]), slice(max(-left, 0), max(-left, 0) + region.shape[1])
        cv2.copyTo(ink[part], cover[part], region)

    def _make_stamp(self, piece: str, label: str, turn: int) -> tuple[Image, npt.NDArray[np.uint8]]:
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
        return _packed(ink), cast(npt.NDArray[np.uint8], np.where(cover > 127, 255, 0).astype(np.uint8))


_UNPACK = np.array([100 / 255, 1.0, 1.0], np.float32)
_UNPACK_ZERO = np.array([0.0, -128.0, -128.0], np.float32)


def _packed(image: Image) -> Image:
    lab = to_lab(image)
    return cast(Image, np.clip((lab - _UNPACK_ZERO) / _UNPACK, 0, 255).round().astype(np.uint8))
