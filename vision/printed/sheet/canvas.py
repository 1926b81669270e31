"""A picture of the sheet with its tiles as seen from straight above: the expected background of the pieces on top."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.space import to_lab
from vision.pictures import Gray, Image, interpolated
from vision.printed.picture.blur import blurred
from vision.printed.pieces.appearance import BLUR, FAR, NEAR, NOISE, Placement
from vision.printed.pieces.likelihood import EvenDensity, NormalDensity, even_density, for_points, log_of_sum
from vision.printed.pieces.patches import heading, outline
from vision.printed.pieces.profile import FacePicture, Profile

Floats = npt.NDArray[np.float32]

SCALE = 2.0
"""Pixels per millimetre."""
SHADOW = 0.7
"""Factor on Lab in the deepest shadow that tiles are expected to lie in."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile on its spot: label and placement."""

    label: str
    placement: Placement


@dataclass(frozen=True, slots=True)
class Expected:
    """The colours that samples may show: Lab from `low` to `high` (spots, points, 3), around `middle`; where `crack`
    (spots, points) is set, also the dark gap between two tiles.
    """

    middle: Floats
    low: Floats
    high: Floats
    crack: npt.NDArray[np.bool_]

    def of(self, spots: npt.NDArray[np.intp]) -> Expected:
        """The samples of some spots."""
        return Expected(self.middle[spots], self.low[spots], self.high[spots], self.crack[spots])

    def where(self, chosen: npt.NDArray[np.bool_]) -> Expected:
        """The chosen samples, as if of one spot."""
        middle, low, high = (part[chosen][None] for part in (self.middle, self.low, self.high))
        return Expected(middle, low, high, self.crack[chosen][None])

    def density(self, slack: Floats | float = 0.0) -> Density:
        """The density of samples whose colours may be off by `slack` in Lab: one value for all, or one for each
        sample.
        """
        points, alike = self.middle.shape[-2], np.ndim(slack) < self.middle.ndim
        off = for_points(np.zeros(3, np.float32) + slack, points) if alike else slack
        exact = NormalDensity.of(self.middle, for_points(NOISE**2, points) + ((self.high - self.low) / _SHARPNESS) ** 2)
        return Density(exact, EvenDensity.of(self.low - off, self.high + off, points), self.crack)

    def log_density(self, samples: Floats, slack: Floats | float = 0.0) -> Floats:
        """Log density (spots, points) of samples (spots, points, 3) whose colours may be off by `slack` in Lab."""
        return self.density(slack).log_of(samples)


@dataclass(frozen=True, slots=True)
class Density:
    """Expected colours as densities, to be evaluated for samples of the same places under many lights."""

    exact: NormalDensity
    nearby: EvenDensity
    crack: npt.NDArray[np.bool_]

    def log_of(self, samples: Floats) -> Floats:
        """Log density (spots, points) of samples (spots, points, 3)."""
        found = log_of_sum(self.exact.log_of(samples), self.nearby.log_of(samples)) + _LOG_HALF
        if self.crack.any():
            dark = even_density(samples[self.crack], *_CRACK_BOUNDS)
            found[self.crack] = log_of_sum(found[self.crack] + _LOG_LIT, dark + _LOG_DARK)
        return found


class _TileSite(NamedTuple):
    """Where a tile lies: the corners (n, 2) of its spot, widened by the tile's side and its gap, in pixels of the
    canvas, and its turn (radians).
    """

    around: npt.NDArray[np.int32]
    turn: float


class Canvas:
    """A picture of a sheet onto which tiles are stamped: Lab in 8 bits per channel, and a fourth channel of possible
    gaps.

    Everything is drawn under one blur (standard deviation, mm).
    """

    def __init__(self, board: Board, profile: Profile, blur: float = BLUR) -> None:
        self._board, self._profile, self._blur = board, profile, blur
        size = (round(board.size[0] * SCALE), round(board.size[1] * SCALE))
        sheet = cv2.resize(profile.sheet, size, interpolation=cv2.INTER_AREA)
        self._sheet = _packed(blurred(np.asarray(sheet, np.uint8), blur * SCALE))
        self._seats: dict[str, _TileSite] = {}
        self._stamps: dict[tuple[str, str, int, bool], tuple[Image, Gray]] = {}
        self._picture = self._sheet
        self._look: dict[str, Laid] = {}
        self._bare = _extremes(self._sheet)
        self._extremes: tuple[Image, Image] | None = self._bare

    def lay(self, look: Mapping[str, Laid]) -> None:
        """Show exactly these tiles, by spot."""
        if look == self._look:
            return
        self._look = dict(look)
        self._picture = self._sheet.copy() if look else self._sheet
        if look:
            cracks = np.zeros(self._picture.shape[:2], np.uint8)
            for name in look:
                cv2.fillConvexPoly(cracks, self._tile_site(name).around, 255)
            cv2.insertChannel(cracks, self._picture, 3)
        for name, laid in look.items():
            self._stamp(name, laid)
        self._extremes = None if look else self._bare

    def expect(self, places: Floats, shadow: float = SHADOW) -> Expected:
        """The colours to expect around board places (spots, points, 2) in millimetres, in light or in shadow.

        `shadow` is the factor of the deepest shadow on all three of Lab.
        """
        if self._extremes is None:
            self._extremes = _extremes(self._picture)
        pixels = _pixels_of(places)
        seen = [interpolated(each, pixels) for each in (self._picture, *self._extremes)]
        middle, low, high = (_unpacked(each) for each in seen)
        dim = np.float32(shadow)
        return Expected(middle, np.minimum(low, low * dim), np.maximum(high, high * dim), seen[2][..., 3] > 127)

    def middle(self, places: Floats) -> Floats:
        """The expected Lab (spots, points, 3) exactly at board places (spots, points, 2) in millimetres."""
        return _unpacked(interpolated(self._picture, _pixels_of(places)))

    def bare(self, places: Floats) -> Floats:
        """The Lab (spots, points, 3) of the sheet without tiles at board places (spots, points, 2) in millimetres."""
        return _unpacked(interpolated(self._sheet, _pixels_of(places)))

    def _tile_site(self, name: str) -> _TileSite:
        """The site of a tile's spot, computed on first use."""
        if name not in self._seats:
            spot = self._board.spots[name]
            corners, middle = np.array(spot.outline), np.array(spot.centre)
            sides = (corners + np.roll(corners, 1, axis=0)) / 2 - middle
            reach = 1.0 + _CRACK / float(np.linalg.norm(sides, axis=1).min())
            around = ((middle + (corners - middle) * reach) * SCALE - 0.5).round().astype(np.int32)
            self._seats[name] = _TileSite(around, heading(spot, self._board.pieces[spot.piece]))
        return self._seats[name]

    def _stamp(self, name: str, laid: Laid) -> None:
        spot, turn = self._board.spots[name], self._tile_site(name).turn
        cosine, sine = math.cos(turn), math.sin(turn)
        dx, dy = laid.placement.shift
        middle = (spot.centre[0] + dx * cosine - dy * sine, spot.centre[1] + dx * sine + dy * cosine)
        degrees = round(math.degrees(turn + laid.placement.turn)) % 360
        key = (spot.piece, laid.label, degrees, laid.placement.second)
        if key not in self._stamps:
            self._stamps[key] = self._make_stamp(self._profile.face(*key[:2], second=key[3]), spot.piece, degrees)
        ink, cover = self._stamps[key]
        left, top = (round(middle[axis] * SCALE - cover.shape[1 - axis] / 2) for axis in (0, 1))
        height, width = cover.shape
        region = self._picture[max(top, 0) : top + height, max(left, 0) : left + width]
        first_row, first_column = max(-top, 0), max(-left, 0)
        rows = slice(first_row, first_row + region.shape[0])
        columns = slice(first_column, first_column + region.shape[1])
        cv2.copyTo(ink[rows, columns], cover[rows, columns], region)

    def _make_stamp(self, face: FacePicture, piece: str, turn: int) -> tuple[Image, Gray]:
        reach = float(np.linalg.norm(outline(self._board.pieces[piece]), axis=1).max()) + 1.0
        side = 2 * math.ceil(reach * SCALE)
        cosine, sine = (f(math.radians(turn)) * SCALE / face.scale for f in (math.cos, math.sin))
        height, width = face.mask.shape
        middle = np.array([[cosine, -sine], [sine, cosine]]) @ np.array([(width - 1) / 2, (height - 1) / 2])
        place = (side - 1) / 2 - middle
        warp = np.array([[cosine, -sine, place[0]], [sine, cosine, place[1]]])
        smooth = blurred(face.image, self._blur * face.scale)
        ink = cv2.warpAffine(smooth, warp, (side, side), borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpAffine(face.mask, warp, (side, side))
        return _packed(np.asarray(ink, np.uint8)), np.where(cover > 127, 255, 0).astype(np.uint8)


_CRACK = 1.6
"""Width (mm) of a tile's visible side and its shadow."""
_CRACK_BOUNDS = np.array([8.0, -3.0, -2.0], np.float32), np.array([62.0, 6.0, 14.0], np.float32)
"""Least and most Lab of cut card, dirt and shadow."""
_SHARPNESS = 4.0
"""The range of colours nearby is this many standard deviations of the exact one."""
_LOG_HALF = np.float32(math.log(0.5))
_LOG_LIT = np.float32(math.log(0.6))
"""Log probability that a sample in a gap shows a tile or the sheet."""
_LOG_DARK = np.float32(math.log(0.4))
"""Log probability that it shows the dark gap."""
_UNPACK = np.array([100 / 255, 1.0, 1.0], np.float32)
"""Lab units per level of the canvas."""
_UNPACK_ZERO = np.array([0.0, -128.0, -128.0], np.float32)
"""Lab at level 0 of the canvas."""
_UNPACKED = np.column_stack([np.diag(_UNPACK), np.zeros(3), _UNPACK_ZERO])
"""The matrix (3, 5) from a canvas pixel (4 channels and 1) to Lab."""


def _packed(image: Image) -> Image:
    lab = to_lab(image)
    packed = np.clip((lab - _UNPACK_ZERO) / _UNPACK, 0, 255).round().astype(np.uint8)
    return np.concatenate([packed, np.zeros_like(packed[..., :1])], axis=-1)


def _unpacked(pixels: Image) -> Floats:
    return np.asarray(cv2.transform(pixels.astype(np.float32), _UNPACKED), np.float32)


def _pixels_of(places: Floats) -> Floats:
    return places * np.float32(SCALE) - np.float32(0.5)


def _extremes(picture: Image) -> tuple[Image, Image]:
    """The least and the most of every channel around each pixel: lightness within `NEAR`, colour within `FAR`."""
    lightness = cv2.extractChannel(picture, 0)
    least, most = cv2.erode(picture, _cross(FAR)), cv2.dilate(picture, _cross(FAR))
    cv2.insertChannel(cv2.erode(lightness, _cross(NEAR)), least, 0)
    cv2.insertChannel(cv2.dilate(lightness, _cross(NEAR)), most, 0)
    return np.asarray(least, np.uint8), np.asarray(most, np.uint8)


def _cross(reach: float) -> Gray:
    side = 2 * max(1, round(reach * SCALE)) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_CROSS, (side, side)), np.uint8)
