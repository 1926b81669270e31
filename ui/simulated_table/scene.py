"""Draws what a webcam sees of a board: the sheets on a table, the pieces as solids that lean with the view, a hand.

A still picture is drawn once for every look of the table and kept; a frame adds what changes: the hand and the noise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from calibration.artwork import board_png, face_png
from calibration.editions import Edition
from companion.board.layout import EMPTY, Board
from ui.simulated_table.hand import Hand, draw_hand
from ui.simulated_table.lying import Sheet, Sloppiness, Solid, solids_on, turned, unit
from ui.simulated_table.view import CameraView, Light
from vision.location.board_pose import BoardPose, CameraModel
from vision.pictures import Image

Floats = npt.NDArray[np.float64]
Look = Mapping[str, str]
"""Spot name -> label of what lies there; spots left out are empty."""

_SUPERSAMPLING = 2
_FACE_SCALE = 4.0
"""Pixels per millimetre of the pieces' faces."""
_SHEET_SCALE, _SHEET_REDUCTION = 2.5, 4
"""Pixels per millimetre of the sheet, and the factor of oversampling, because drawn edges snap to whole pixels."""
_SHEETS: dict[str, Image] = {}
_FACES: dict[tuple[str, str, str], tuple[Image, Image]] = {}
"""The artwork drawn so far, by the digest of its board: it takes a second, and tests draw many scenes of one board."""
_CARD = (148.0, 158.0, 166.0)
"""The cut edge of card, BGR."""


class Scene:
    """One table under one camera and one light.

    `beside` says which sheets lie beside the board, by name, and where their top-left corners are (mm on the board).
    """

    def __init__(
        self,
        board: Board,
        view: CameraView,
        light: Light | None = None,
        sloppiness: Sloppiness | None = None,
        beside: Mapping[str, tuple[float, float]] = MappingProxyType({}),
    ) -> None:
        self.board, self.view = board, view
        self._light, self._sloppiness = light or Light(), sloppiness or Sloppiness()
        self.pose: BoardPose = view.pose(board)
        large = CameraModel(
            view.width * _SUPERSAMPLING, view.height * _SUPERSAMPLING, self.pose.camera.focal * _SUPERSAMPLING
        )
        places = {board.id: (board, (0.0, 0.0))} | {name: (board.beside[name], place) for name, place in beside.items()}
        rotation = self.pose.rotation
        self._sheets = [
            Sheet(
                sheet,
                BoardPose(large, rotation, self.pose.translation + rotation[:, :2] @ np.array(place), 0.0, frozenset()),
                sheet.digest,
            )
            for sheet, place in places.values()
        ]
        self._random = np.random.default_rng(self._sloppiness.seed)
        self._lens = _lens_map(self.pose.camera)
        self._tone, self._gain = self._tone_curve(), self._light_field()
        self._noise = self._noise_bank()
        self._table = self._bare_table()
        self._look: dict[str, str] | None = None
        self._still: Image = np.zeros((view.height, view.width, 3), np.uint8)

    def still(self, look: Look) -> Image:
        """The picture without hand and noise. Kept until the look changes; do not write to it."""
        occupied = {name: label for name, label in look.items() if label != EMPTY}
        if occupied != self._look:
            large = self._table.copy()
            for solid in self._solids(occupied):
                self._draw(large, solid)
            self._still, self._look = self._expose(large), occupied
        return self._still

    def frame(self, look: Look, hand: Hand | None = None) -> Image:
        """A camera frame: the table as it looks, a hand if there is one, noise."""
        picture = self.still(look).copy()
        if hand is not None and 0.0 < hand.phase < 1.0:
            draw_hand(picture, hand, self.pose, self.board.size, self._light, self._tone)
        if self._light.noise > 0:
            height, width = picture.shape[:2]
            top, left = (int(v) for v in self._random.integers(0, 64, 2))
            lighter, darker = (bank[top : top + height, left : left + width] for bank in self._noise)
            picture = cast(Image, cv2.subtract(cv2.add(picture, lighter), darker))
        if self._light.quality:
            _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self._light.quality])
            picture = cast(Image, cv2.imdecode(data, cv2.IMREAD_COLOR))
        return picture

    def _solids(self, look: Mapping[str, str]) -> list[Solid]:
        """The solids on the table in the order of painting: low before tall, far before near."""
        solids: list[Solid] = []
        for sheet in self._sheets:
            there = {name: label for name, label in look.items() if name in sheet.board.spots}
            solids += solids_on(sheet, there, self._sloppiness)
        eyes = {sheet.digest: sheet.pose.eye[:2] for sheet in self._sheets}
        return sorted(
            solids,
            key=lambda s: (s.base if s.top - s.base < 4 else 100.0, -math.dist(s.centre, eyes[s.sheet.digest]), s.base),
        )

    def _draw(self, picture: Image, solid: Solid) -> None:
        """Shadow, sides and top of a piece."""
        face, mask = _face(solid)
        self._draw_shadow(picture, solid)
        colour = np.array(cv2.mean(face, mask)[:3] if solid.top - solid.base > 3 else _CARD)
        if solid.form == "dome":
            self._draw_dome(picture, solid, colour)
            return
        if solid.form == "ridge":
            self._draw_ridge(picture, solid, colour)
            return
        rise = (solid.top - solid.base) / solid.floors
        for floor in range(solid.floors):
            low = solid.base + floor * rise
            corners = solid.outline
            walls = [
                np.column_stack([corners[[k, k - 1, k - 1, k]], [low, low, low + rise, low + rise]])
                for k in range(len(corners))
            ]
            self._draw_surfaces(picture, walls, colour, solid, outlined=solid.floors > 1)
        self._paste(picture, face, mask, solid)

    def _draw_surfaces(
        self, picture: Image, surfaces: Iterable[Floats], colour: Floats, solid: Solid, *, outlined: bool = False
    ) -> None:
        """The flat parts (corners, 3) of a solid that face the camera, each as bright as its slope makes it."""
        light = math.radians(self._light.direction)
        towards_light = np.array([*(unit(light) * 0.6), 0.8])
        middle = np.array([*solid.outline.mean(axis=0), (solid.base + solid.top) / 2])
        for corners in surfaces:
            outward = np.cross(corners[1] - corners[0], corners[2] - corners[0])
            outward = outward / max(float(np.linalg.norm(outward)), 1e-9)
            if outward @ (corners.mean(axis=0) - middle) < 0:
                outward = -outward
            if outward @ (solid.sheet.pose.eye - corners.mean(axis=0)) <= 0:
                continue
            shade = 0.6 + 0.4 * max(0.0, float(outward @ towards_light))
            _fill(picture, solid.sheet.pose.project(corners), tuple(colour * shade))
            if outlined:
                _outline(picture, solid.sheet.pose.project(corners), tuple(colour * shade * 0.75))

    def _draw_dome(self, picture: Image, solid: Solid, colour: Floats) -> None:
        """Half an ellipsoid, from its foot up in rings."""
        centre = solid.outline.mean(axis=0)
        rings = np.linspace(0.0, math.pi / 2, 9)
        for low, high in pairwise(rings):
            widths = [centre + (solid.outline - centre) * math.cos(angle) for angle in (low, high)]
            levels = [solid.base + (solid.top - solid.base) * math.sin(angle) for angle in (low, high)]
            count = len(solid.outline)
            surfaces = [
                np.column_stack([
                    [widths[0][k], widths[0][k - 1], widths[1][k - 1], widths[1][k]],
                    [levels[0], levels[0], levels[1], levels[1]],
                ])
                for k in range(count)
            ]  # fmt: skip
            self._draw_surfaces(picture, surfaces, colour, solid)

    def _draw_ridge(self, picture: Image, solid: Solid, colour: Floats) -> None:
        """A roof of two slopes and two gables; the ridge runs from the middle of the left side to that of the right."""
        foot = np.column_stack([solid.outline, np.full(4, solid.base)])
        rise = np.array([0.0, 0.0, solid.top - solid.base])
        left, right = (foot[[k, k - 1]].mean(axis=0) + rise for k in (0, 2))
        surfaces = (
            (foot[0], foot[1], right, left), (foot[3], foot[2], right, left),
            (foot[0], foot[3], left), (foot[1], foot[2], right),
        )  # fmt: skip
        self._draw_surfaces(picture, [np.array(surface) for surface in surfaces], colour, solid)

    def _paste(self, picture: Image, face: Image, mask: Image, solid: Solid) -> None:
        """A face on top of its piece, in perspective."""
        height, width = mask.shape
        across = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        flat = turned((across - np.array([width, height]) / 2) / _FACE_SCALE, solid.turn) + np.array(solid.centre)
        corners = solid.sheet.pose.project(np.column_stack([flat, np.full(4, solid.top)]))
        left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
        right, bottom = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 2, picture.shape[1::-1])
        if right <= left or bottom <= top:
            return
        target = (corners - np.array([left, top])).astype(np.float32)
        warp = cv2.getPerspectiveTransform((across - 0.5).astype(np.float32), target)
        size = (int(right - left), int(bottom - top))
        ink = cv2.warpPerspective(face, warp, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpPerspective(mask, warp, size, flags=cv2.INTER_LINEAR)[:, :, None].astype(np.uint16)
        region = picture[top:bottom, left:right]
        region[:] = ((ink * cover + region * (255 - cover) + 127) // 255).astype(np.uint8)

    def _draw_shadow(self, picture: Image, solid: Solid) -> None:
        """The soft shadow that a piece casts on the plane it stands on."""
        rise = solid.top - solid.base
        length = rise / math.tan(math.radians(self._light.elevation))
        away = -unit(math.radians(self._light.direction)) * length
        ground = np.concatenate([solid.outline, solid.outline + away])
        hull = cv2.convexHull(solid.sheet.pose.project(np.column_stack([ground, np.full(len(ground), solid.base)])))
        margin = 3 + int(rise)
        left, top = np.maximum(hull.min(axis=(0, 1)).astype(int) - margin, 0)
        right, bottom = np.minimum(hull.max(axis=(0, 1)).astype(int) + margin, picture.shape[1::-1])
        if right <= left or bottom <= top:
            return
        depth = np.zeros((bottom - top, right - left), np.uint8)
        _fill(depth, hull[:, 0] - np.array([left, top]), (256 * self._light.shadow,))
        depth = cast(Image, cv2.blur(depth, (margin, margin)))
        region = picture[top:bottom, left:right]
        region[:] = (region * (256 - depth[:, :, None].astype(np.uint16)) >> 8).astype(np.uint8)

    def _expose(self, large: Image) -> Image:
        """What lens, light and sensor make of the scene."""
        picture = cv2.resize(large, (self.view.width, self.view.height), interpolation=cv2.INTER_AREA)
        if self._lens is not None:
            picture = cv2.remap(picture, *self._lens, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        if self._light.blur > 0:
            picture = cv2.GaussianBlur(picture, (0, 0), self._light.blur)
        picture = cv2.multiply(picture, self._gain, scale=1.0, dtype=cv2.CV_8U)
        return cast(Image, cv2.LUT(picture, self._tone))

    def _tone_curve(self) -> Image:
        """The look-up table (1, 256, 3) of exposure and tint: factors of linear light, through the sensor's gamma."""
        level = (np.arange(256) / 255.0) ** 2.2
        curve = (np.clip(level[:, None] * self._light.gains(), 0, 1) ** (1 / 2.2)) * 255.0
        return curve.round().astype(np.uint8)[None]

    def _light_field(self) -> npt.NDArray[np.float32]:
        """The lamp's fall-off and the lens's vignetting as factors (height, width, 3)."""
        rows, columns = np.mgrid[0 : self.view.height : 16, 0 : self.view.width : 16]
        pixels = np.column_stack([columns.ravel(), rows.ravel()]).astype(np.float64)
        place = self.pose.to_board(pixels) / np.array(self.board.size) - 0.5
        lamp = 1.0 + np.clip(place, -1.2, 1.2) @ np.array(self._light.slope)
        middle = (pixels - pixels.mean(axis=0)) / self.view.width
        field = np.clip(lamp, 0.2, 1.8) * (1.0 - 0.35 * (middle**2).sum(axis=1))
        smooth = cv2.resize(
            (field ** (1 / 2.2)).reshape(rows.shape).astype(np.float32), (self.view.width, self.view.height)
        )
        return cast(npt.NDArray[np.float32], np.repeat(smooth[:, :, None], 3, axis=2))

    def _noise_bank(self) -> tuple[Image, Image]:
        """Positive and negative noise, larger than a frame so that every frame can take another part of it."""
        shape = (self.view.height + 64, self.view.width + 64, 3)
        grain = np.asarray(cv2.GaussianBlur(self._random.standard_normal(shape, np.float32), (0, 0), 0.5))
        grain = grain * (self._light.noise / float(grain.std()))
        return (
            np.clip(grain, 0, 255).round().astype(np.uint8),
            np.clip(-grain, 0, 255).round().astype(np.uint8),
        )

    def _bare_table(self) -> Image:
        """Wood with the sheets on it, supersampled."""
        large = self._sheets[0].pose
        size = (large.camera.width, large.camera.height)
        margin = 700
        wood = _wood(int(self.board.size[0]) + 2 * margin, int(self.board.size[1]) + 2 * margin, self._random)
        to_picture = large.camera.matrix @ large.homography()
        shift = np.array([[1, 0, 0.5 - margin], [0, 1, 0.5 - margin], [0, 0, 1.0]])
        picture = cast(Image, cv2.warpPerspective(wood, to_picture @ shift, size, borderMode=cv2.BORDER_REFLECT))
        for sheet in self._sheets:
            self._lay(picture, sheet)
        return picture

    def _lay(self, picture: Image, sheet: Sheet) -> None:
        """A sheet and its shadow on the table."""
        width, height = sheet.board.size
        outline = np.array([[0, 0], [width, 0], [width, height], [0, height]])
        self._draw_shadow(picture, Solid(sheet, outline, 0.0, 1.0, "", "", (width / 2, height / 2), 0.0))
        printed, pose = _printed(sheet), sheet.pose
        size = (pose.camera.width, pose.camera.height)
        shrink = np.array(
            [[1 / _SHEET_SCALE, 0, 0.5 / _SHEET_SCALE], [0, 1 / _SHEET_SCALE, 0.5 / _SHEET_SCALE], [0, 0, 1.0]]
        )
        to_picture = pose.camera.matrix @ pose.homography() @ shrink
        ink = cv2.warpPerspective(printed, to_picture, size, flags=cv2.INTER_AREA)
        cover = cv2.warpPerspective(np.full(printed.shape[:2], 255, np.uint8), to_picture, size)
        cv2.copyTo(ink, cast(Image, (cover > 127).astype(np.uint8)), picture)


def _face(solid: Solid) -> tuple[Image, Image]:
    """A piece's face and where it is opaque."""
    key = (solid.sheet.digest, solid.piece, solid.label)
    if key not in _FACES:
        _FACES[key] = face_png(solid.sheet.board, solid.piece, solid.label, _FACE_SCALE, Edition.FIRST)
    return _FACES[key]


def _printed(sheet: Sheet) -> Image:
    """A sheet as printed."""
    if sheet.digest not in _SHEETS:
        fine = board_png(sheet.board, _SHEET_SCALE * _SHEET_REDUCTION)
        shape = (fine.shape[1] // _SHEET_REDUCTION, fine.shape[0] // _SHEET_REDUCTION)
        _SHEETS[sheet.digest] = np.asarray(cv2.resize(fine, shape, interpolation=cv2.INTER_AREA), np.uint8)
    return _SHEETS[sheet.digest]


def _fill(picture: Image, polygon: npt.ArrayLike, colour: Iterable[float]) -> None:
    """Fill a convex polygon given in pixels with sub-pixel corners."""
    points = np.round(np.asarray(polygon, np.float64).reshape(-1, 1, 2) * 16).astype(np.int32)
    if np.abs(points).max(initial=0) < 1 << 20:
        cv2.fillConvexPoly(picture, points, tuple(colour), cv2.LINE_AA, 4)


def _outline(picture: Image, polygon: npt.ArrayLike, colour: Iterable[float]) -> None:
    """Line around a polygon given in pixels with sub-pixel corners."""
    points = np.round(np.asarray(polygon, np.float64).reshape(-1, 1, 2) * 16).astype(np.int32)
    if np.abs(points).max(initial=0) < 1 << 20:
        cv2.polylines(picture, [points], True, tuple(colour), 2, cv2.LINE_AA, 4)


@lru_cache(maxsize=2)  # tests draw many scenes through one lens
def _lens_map(camera: CameraModel) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]] | None:
    """Where each pixel of the distorted picture comes from."""
    if not camera.radial:
        return None
    rows, columns = np.mgrid[0 : camera.height, 0 : camera.width].astype(np.float32)
    pixels = np.stack([columns, rows], axis=-1).reshape(-1, 1, 2)
    straight = cv2.undistortPoints(pixels, camera.matrix, camera.distortion, P=camera.matrix)
    straight = np.asarray(straight, np.float32).reshape(camera.height, camera.width, 2)
    return straight[:, :, 0].copy(), straight[:, :, 1].copy()


def _wood(width: int, height: int, random: np.random.Generator) -> Image:
    """Planks: streaks along x in browns, one pixel a millimetre."""
    streaks = random.standard_normal((height, max(2, width // 90)), np.float32)
    grain = cv2.resize(streaks, (width, height), interpolation=cv2.INTER_CUBIC)
    slow = cv2.resize(random.standard_normal((max(2, height // 60), 4), np.float32), (width, height))
    tone = 1.0 + 0.05 * grain + 0.06 * slow
    tone[np.arange(0, height, 140)] *= 0.75
    # Rounded down, each colour by itself: as one array of floats it would take most of a scene's time.
    return cast(Image, cv2.merge([cv2.convertScaleAbs(tone, alpha=level, beta=-0.5) for level in (62, 96, 138)]))
