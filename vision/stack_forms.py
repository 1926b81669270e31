"""The forms that stacks may have in each place, and the pixels that each would cover under one pose."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Piece, Spot
from vision.registration import BoardPose
from vision.solids import Part, fill_hull, level, rider_points

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Masks = npt.NDArray[np.uint8]
Value = TypeVar("Value", bound=np.generic)

RESOLUTION = 1.0
"""Pixels a millimetre at which stacks are compared."""
REACH = 3
"""How far (pixels so reduced) a stack may stand from the middle of its place."""
_TURNS = (0.0, -6.0, 6.0)
"""Degrees that a stack may be turned."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """So many pieces, and what stands on them: a kind of piece, "" for none, drawn in one of the forms it may have."""

    count: int
    rider: str
    form: str
    turn: float


@dataclass(frozen=True, slots=True)
class StackKind:
    """The stacked piece of a board and those that stand on it; the places (sites) are those of the stack."""

    piece: Piece
    riders: tuple[Piece, ...]
    spots: tuple[Spot, ...]
    hypotheses: tuple[Hypothesis, ...]


def stack_kind_of(board: Board) -> StackKind | None:
    """The stacks of a board; None where it has none."""
    piece = next((piece for piece in board.pieces.values() if piece.stacked), None)
    if piece is None:
        return None
    riders = tuple(rider for rider in board.pieces.values() if rider.raised_by == piece.name)
    forms = [("", "")] + [(rider.name, form) for rider in riders for form in _forms(rider)]
    spots = tuple(spot for spot in board.spots.values() if spot.piece == piece.name)
    counts = range(1, len(piece.labels) + 1)
    hypotheses = tuple(Hypothesis(n, rider, form, turn) for n, (rider, form), turn in product(counts, forms, _TURNS))
    return StackKind(piece, riders, spots, hypotheses)


def _forms(rider: Piece) -> tuple[str, ...]:
    return {"flat": ("box",), "dome": ("dome", "box"), "ridge": ("ridge", "ridge across", "box")}[rider.top]


@dataclass(frozen=True, slots=True)
class Place:
    """One site under one pose, and where the patch of the reduced picture lies that may show a stack there."""

    spot: Spot
    corner: tuple[int, int]
    """row and column of the patch's first pixel"""
    size: tuple[int, int]
    """its rows and columns"""
    distance: float
    """millimetres from the camera's foot"""
    area: float
    """square millimetres of the sheet a pixel"""
    steps: Doubles
    """(2, 2): the millimetres on the sheet that a shift by one row, and by one column, stands for"""
    foot: npt.NDArray[np.bool_]
    """(rows, columns): the place itself"""

    def patch(self, picture: npt.NDArray[Value], shift: tuple[int, int] = (0, 0)) -> npt.NDArray[Value]:
        """The part of a picture (..., rows, columns) that the patch shows when it is shifted."""
        row, column = self.corner[0] + shift[0], self.corner[1] + shift[1]
        return picture[..., row : row + self.size[0], column : column + self.size[1]]

    def away(self, shift: tuple[int, int]) -> float:
        """How far (mm) from the middle of its place a stack so shifted stands."""
        return float(np.linalg.norm(np.array(shift) @ self.steps))


class StackForms:
    """What each hypothesis would cover in each place under one pose; drawn when first asked for.

    The picture is reduced by `scale` to `whole` (rows, columns), and of that only `window` is looked at, which has
    `shape` and may show stacks; `ground` (rows, columns, 2) are the board places that its pixels show.
    """

    def __init__(self, board: Board, kind: StackKind, pose: BoardPose) -> None:
        self._board, self._kind, self._pose = board, kind, pose
        middle = np.array([[board.size[0] / 2 + dx, board.size[1] / 2, 0.0] for dx in (-50, 50)])
        per_mm = float(np.linalg.norm(np.diff(pose.project(middle), axis=0))) / 100
        self.scale = min(1.0, RESOLUTION / per_mm)
        self.whole = round(pose.camera.height * self.scale), round(pose.camera.width * self.scale)
        self._corner = np.zeros(2, np.float32)
        ends = self._pixels(np.concatenate([level(self._wide(spot), z) for spot in kind.spots for z in self._span]))
        limits = np.array(self.whole[::-1])
        low = np.clip(np.floor(ends.min(axis=0)).astype(int) - REACH - 1, 0, limits - 1)
        high = np.clip(np.ceil(ends.max(axis=0)).astype(int) + REACH + 2, low + 1, limits)
        self.window = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
        self.shape = int(high[1] - low[1]), int(high[0] - low[0])
        self._corner = low.astype(np.float32)
        self.ground = _ground(pose, self.shape, self._corner, self.scale)
        self.places = [self._place(spot) for spot in kind.spots]
        self._masks: dict[tuple[int, int], Masks] = {}
        self._outlines: dict[tuple[int, float], tuple[Floats, dict[tuple[str, str], Floats]]] = {}

    def parts(self, k: int, h: int) -> Masks:
        """What each pixel (rows, columns) of a place's patch shows under a hypothesis, as `Part`."""
        if (k, h) not in self._masks:
            each, place = self._kind.hypotheses[h], self.places[k]
            if (k, each.turn) not in self._outlines:
                self._outlines[k, each.turn] = self._outline(place, each.turn)
            rings, riders = self._outlines[k, each.turn]
            mask = np.zeros(place.size, np.uint8)
            fill_hull(mask, np.concatenate([rings[0], rings[each.count]]), Part.WALL)
            fill_hull(mask, rings[each.count], Part.DECK)
            if each.rider:
                fill_hull(mask, riders[each.rider, each.form][each.count - 1], Part.ROOF)
            self._masks[k, h] = mask
        return self._masks[k, h]

    def _place(self, spot: Spot) -> Place:
        own = np.array(spot.outline)
        pixels = self._pixels(np.concatenate([level(self._wide(spot), z) for z in self._span]))
        limits = np.array(self.shape[::-1]) - REACH
        low = np.clip(np.floor(pixels.min(axis=0)).astype(int), REACH, limits)
        high = np.clip(np.ceil(pixels.max(axis=0)).astype(int) + 1, low, limits)
        size = (int(high[1] - low[1]), int(high[0] - low[0]))
        flat = self._pixels(level(own, 0.0))
        foot = np.zeros(size, np.uint8)
        if 0 not in size:
            fill_hull(foot, flat - low, Part.WALL)
        area = float(cv2.contourArea(own.astype(np.float32))) / max(abs(float(cv2.contourArea(flat))), 1.0)
        middle = own.mean(axis=0)
        ahead = self._pixels(level(middle + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 0.0))
        steps = np.linalg.pinv((ahead[1:] - ahead[0])[:, ::-1].astype(np.float64))
        distance = math.dist(spot.centre, self._pose.eye[:2])
        return Place(spot, (int(low[1]), int(low[0])), size, distance, area, steps, foot > 0)

    @property
    def _span(self) -> tuple[float, float]:
        """The heights (mm) between which stacks reach."""
        piece, riders = self._kind.piece, self._kind.riders
        return 0.0, piece.height * len(piece.labels) + max((rider.height for rider in riders), default=0.0)

    @staticmethod
    def _wide(spot: Spot) -> Doubles:
        """A place's outline (n, 2) with room for stacks that are turned."""
        own = np.array(spot.outline)
        return np.asarray((own - own.mean(axis=0)) * 1.2 + own.mean(axis=0))

    def _outline(self, place: Place, turn: float) -> tuple[Floats, dict[tuple[str, str], Floats]]:
        """In the patch's pixels: the stack's rim at the foot and after each piece (counts + 1, corners, 2), and the
        points (counts, n, 2) of each rider in each form.
        """
        kind, corner = self._kind, np.array(place.corner[::-1], np.float32)
        riders = [(rider, form) for rider in kind.riders for form in _forms(rider)]
        shapes = [level(_turned(np.array(place.spot.outline), turn), 0.0)]
        for rider, form in riders:
            outline = np.array(self._board.spots[f"{rider.name} {place.spot.site}"].outline)
            shapes.append(rider_points(form, _turned(outline, turn), 0.0, rider.height))
        raised = np.repeat(np.concatenate(shapes)[None], len(kind.piece.labels) + 1, axis=0)
        raised[..., 2] += kind.piece.height * np.arange(len(raised))[:, None]
        pixels = self._pixels(raised.reshape(-1, 3)).reshape(*raised.shape[:2], 2) - corner
        rings, *tops = np.split(pixels, np.cumsum([len(shape) for shape in shapes[:-1]]), axis=1)
        return rings, {(rider.name, form): top[1:] for (rider, form), top in zip(riders, tops, strict=True)}

    def _pixels(self, points: Doubles) -> Floats:
        """The window's pixels (n, 2) of board points (n, 3)."""
        return np.asarray((self._pose.project(points) + 0.5) * self.scale - 0.5 - self._corner, np.float32)


def _turned(outline: Doubles, degrees: float) -> Doubles:
    middle = outline.mean(axis=0)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.asarray((outline - middle) @ np.array([[cosine, sine], [-sine, cosine]]) + middle)


def _ground(pose: BoardPose, shape: Sequence[int], corner: Floats, scale: float) -> Floats:
    """The board places (rows, columns, 2) that a window of the reduced picture shows, whose first pixel is `corner`."""
    step = 8
    rows, columns = (np.arange(0, side + step, step) for side in shape)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1)
    full = (grid.reshape(-1, 2) + corner + 0.5) / scale - 0.5
    coarse = pose.to_board(full.astype(np.float64)).reshape(*grid.shape)
    x, y = (np.arange(side, dtype=np.float32) / step for side in reversed(shape))
    return np.asarray(cv2.remap(coarse, *np.meshgrid(x, y), cv2.INTER_LINEAR), np.float32)
