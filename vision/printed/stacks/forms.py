"""The possible forms of stacks in each place, and the pixels each would cover under one pose."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Piece, Spot
from vision.location.board_pose import BoardPose
from vision.printed.pieces.solids import Part, fill_hull, level, rider_points

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Masks = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int32]
RiderForm = tuple[str, str]
"""a kind of piece that stands on stacks, and one of its possible forms; both empty for none"""
Value = TypeVar("Value", bound=np.generic)

RESOLUTION = 1.0
"""Pixels per millimetre of the reduced picture in which stacks are compared."""
REACH = 3
"""Largest shift (pixels of the reduced picture) of a stack from the middle of its place."""
TURNS = (0.0, -6.0, 6.0)
"""Turns (degrees) of a stack that are tried."""
STRIDE = 2
"""At low resolution every this many rows and columns are compared."""
_ROOM = 1.2
"""Factor by which a turned stack may be wider than its place."""
_BITS = 4
"""Binary digits of the fractions of a pixel in drawing."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A number of stacked pieces and what stands on them: a kind of piece, "" for none, in one of its forms; turned by
    `turn` degrees.
    """

    count: int
    rider: str
    form: str
    turn: float


@dataclass(frozen=True, slots=True)
class StackKind:
    """The stacked piece of a board and the pieces that stand on it; its places are the spots of the stacked piece.

    `hypotheses` are ordered by count, then form, then turn.
    """

    piece: Piece
    riders: tuple[Piece, ...]
    spots: tuple[Spot, ...]
    forms: tuple[RiderForm, ...]
    hypotheses: tuple[Hypothesis, ...]
    solids: Mapping[float, Mapping[RiderForm, Floats]]
    """for each turn and form the points (places, n, 3), in millimetres, of what stands on a stack with its top at the
    sheet; for no form the points of the stack's rim
    """


def stack_kind_of(board: Board) -> StackKind | None:
    """The stacks of a board; None where it has none."""
    piece = next((piece for piece in board.pieces.values() if piece.stacked), None)
    if piece is None:
        return None
    riders = tuple(rider for rider in board.pieces.values() if rider.raised_by == piece.name)
    forms = (("", ""), *((rider.name, form) for rider in riders for form in _forms(rider)))
    spots = tuple(spot for spot in board.spots.values() if spot.piece == piece.name)
    counts = range(1, len(piece.labels) + 1)
    hypotheses = tuple(Hypothesis(n, rider, form, turn) for n, (rider, form), turn in product(counts, forms, TURNS))
    solids = {turn: _solids(board, spots, riders, turn) for turn in TURNS}
    return StackKind(piece, riders, spots, forms, hypotheses, solids)


def _solids(board: Board, spots: Sequence[Spot], riders: Sequence[Piece], turn: float) -> dict[RiderForm, Floats]:
    """The points (places, n, 3) of a stack's rim and of each form, turned by `turn` degrees."""
    points = {("", ""): [level(_turned(np.array(spot.outline), turn), 0.0) for spot in spots]}
    for rider in riders:
        own = [_turned(np.array(board.spots[f"{rider.name} {spot.site}"].outline), turn) for spot in spots]
        for form in _forms(rider):
            points[rider.name, form] = [rider_points(form, outline, 0.0, rider.height) for outline in own]
    return {form: np.stack(solids).astype(np.float32) for form, solids in points.items()}


def _forms(rider: Piece) -> tuple[str, ...]:
    return {"flat": ("box",), "dome": ("dome", "box"), "ridge": ("ridge", "ridge across", "box")}[rider.top]


@dataclass(frozen=True, slots=True)
class StackPlace:
    """One site under one pose, and the patch of the reduced picture that may show a stack there."""

    spot: Spot
    corner: tuple[int, int]
    """row and column of the patch's first pixel"""
    size: tuple[int, int]
    """its rows and columns"""
    distance: float
    """millimetres from the camera's foot"""
    area: float
    """square millimetres of the sheet per pixel"""
    steps: Doubles
    """(2, 2): millimetres on the sheet per row and per column of shift"""
    foot: npt.NDArray[np.intp]
    """(pixels,): the pixels of the flattened picture that show the place itself"""

    @property
    def around(self) -> tuple[slice, slice]:
        """The rows and columns of the patch and `REACH` around it."""
        (row, column), (rows, columns) = self.corner, self.size
        return slice(row - REACH, row + rows + REACH), slice(column - REACH, column + columns + REACH)

    def patch(self, picture: npt.NDArray[Value], shift: tuple[int, int] = (0, 0)) -> npt.NDArray[Value]:
        """The part of a picture (..., rows, columns) at the patch, shifted."""
        row, column = self.corner[0] + shift[0], self.corner[1] + shift[1]
        return picture[..., row : row + self.size[0], column : column + self.size[1]]

    def away(self, shift: tuple[int, int]) -> float:
        """The distance (mm) of a stack with this shift from the middle of its place."""
        return float(np.linalg.norm(np.array(shift) @ self.steps))


@dataclass(frozen=True, slots=True)
class ShownParts:
    """Which pixels, of `size` (rows, columns), show which part under some hypotheses: 0 or 1 (hypotheses, pixels)."""

    walls: Floats
    decks: Floats
    roofs: Floats
    size: tuple[int, int]

    @classmethod
    def of(cls, masks: Masks) -> ShownParts:
        """From masks (hypotheses, rows, columns) of `Part`."""
        flat = masks.reshape(len(masks), -1)
        walls, decks, roofs = ((flat == part).astype(np.float32) for part in (Part.WALL, Part.DECK, Part.ROOF))
        return cls(walls, decks, roofs, (masks.shape[1], masks.shape[2]))


class StackForms:
    """The pixels that each hypothesis would cover in each place under one pose; drawn on first use.

    The picture is reduced by `scale` to `whole` (rows, columns); only `window` of it, with `shape`, may show stacks and
    is examined. `ground` (rows, columns, 2) are the board places that its pixels show.
    """

    def __init__(self, board: Board, kind: StackKind, pose: BoardPose) -> None:
        self._board, self._kind, self._pose = board, kind, pose
        middle = np.array([[board.size[0] / 2 + dx, board.size[1] / 2, 0.0] for dx in (-50, 50)])
        per_mm = float(np.linalg.norm(np.diff(pose.project(middle), axis=0))) / 100
        self.scale = RESOLUTION / per_mm
        self.whole = round(pose.camera.height * self.scale), round(pose.camera.width * self.scale)
        self._corner = np.zeros(2, np.float32)
        own = np.array([spot.outline for spot in kind.spots])
        middles = own.mean(axis=1, keepdims=True)
        wide = (own - middles) * _ROOM + middles
        foot, top, above = (self._flat(wide, z) for z in (0.0, _tallest(kind), _tallest(kind) + kind.piece.height))
        ends, reached = np.concatenate([foot, top], axis=1), np.concatenate([foot, above], axis=1)
        limits = np.array(self.whole[::-1])
        low = np.clip(np.floor(reached.min(axis=(0, 1))).astype(int) - REACH - 1, 0, limits - 1)
        high = np.clip(np.ceil(reached.max(axis=(0, 1))).astype(int) + REACH + 2, low + 1, limits)
        self.window = slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
        self.shape = int(high[1] - low[1]), int(high[0] - low[0])
        self._corner = low.astype(np.float32)
        self.ground = _ground(pose, self.shape, self._corner, self.scale)
        ahead = self._flat(middles + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]), 0.0)
        steps = np.linalg.pinv((ahead[:, 1:] - ahead[:, :1])[..., ::-1].astype(np.float64))
        around = zip(kind.spots, ends - self._corner, self._flat(own, 0.0), steps, strict=True)
        self.places = [self._place(*each) for each in around]
        self._reached = np.rint(reached - self._corner).astype(np.int32)
        self._masks: dict[tuple[int, int], Masks] = {}
        self._rough: dict[int, ShownParts] = {}
        self._outlines: dict[tuple[int, float], Mapping[RiderForm, Integers]] = {}

    def parts(self, k: int, h: int) -> Masks:
        """The `Part` that each pixel (rows, columns) of a place's patch shows under a hypothesis."""
        if (k, h) not in self._masks:
            mask = np.zeros(self.places[k].size, np.uint8)
            self._draw_body(mask, k, self._kind.hypotheses[h], 1)
            self._draw_rider(mask, k, self._kind.hypotheses[h], 1)
            self._masks[k, h] = mask
        return self._masks[k, h]

    def rough(self, k: int) -> ShownParts:
        """All unturned hypotheses, in every `STRIDE`-th pixel of a place's patch."""
        if k not in self._rough:
            unturned, forms = self._kind.hypotheses[:: len(TURNS)], len(self._kind.forms)
            masks = self._blank(k, len(unturned))
            for n, (mask, hypothesis) in enumerate(zip(masks, unturned, strict=True)):
                if n % forms:
                    mask[:] = masks[n - n % forms]
                    self._draw_rider(mask, k, hypothesis, STRIDE)
                else:
                    self._draw_body(mask, k, hypothesis, STRIDE)
            self._rough[k] = ShownParts.of(masks)
        return self._rough[k]

    def close(self, k: int, hypotheses: Sequence[int]) -> tuple[ShownParts, tuple[int, int]]:
        """Some hypotheses at full resolution, cropped to the pixels that any of them covers; also the crop's corner
        (row, column).
        """
        masks = np.stack([self.parts(k, h) for h in hypotheses])
        covered = masks.max(axis=0)
        left, top, columns, rows = cv2.boundingRect(covered)
        return ShownParts.of(masks[:, top : top + rows, left : left + columns]), (top, left)

    def ridges(self, k: int) -> tuple[Floats, Floats]:
        """The directions (x, y) in the picture of a place's sides, along which ridges run."""
        corners = self._outlines_of(k, TURNS[0])["", ""][0].astype(np.float32)
        sides = corners[1] - corners[0], corners[2] - corners[1]
        return sides[0] / np.linalg.norm(sides[0]), sides[1] / np.linalg.norm(sides[1])

    def above(self, k: int, h: int, shift: tuple[int, int]) -> Masks:
        """A mask (rows, columns) of where one more piece on a shifted stack would be visible, without the stack
        itself.
        """
        hypothesis, mask = self._kind.hypotheses[h], np.zeros(self.shape, np.uint8)
        outlines = self._outlines_of(k, hypothesis.turn)
        row, column = (self.places[k].corner[axis] + shift[axis] for axis in (0, 1))
        corner = np.array([column, row], np.int32) << _BITS
        for count, shown in ((hypothesis.count + 1, 1), (hypothesis.count, 0)):
            tops = [outlines[form][count] for form in {("", ""), (hypothesis.rider, hypothesis.form)}]
            for points in tops:
                _fill(mask, np.concatenate([outlines["", ""][0], points]) + corner, shown, 1)
        return mask

    def reached(self, places: Iterable[int]) -> Masks:
        """A mask (rows, columns) of where stacks in some places may be visible, of any height plus one piece and any
        shift.
        """
        mask = np.zeros(self.shape, np.uint8)
        for k in places:
            cv2.fillConvexPoly(mask, cv2.convexHull(self._reached[k]), 1)
        side = 2 * REACH + 3
        return np.asarray(cv2.dilate(mask, np.ones((side, side), np.uint8)), np.uint8)

    def outlines(self, spots: Iterable[Spot]) -> list[Integers]:
        """The outlines (n, 2) of spots on the sheet, in whole pixels."""
        far = 4 * max(self.shape)
        flat = (self._flat(np.array([spot.outline]), 0.0)[0] for spot in spots)
        return [np.clip(each, -far, far).round().astype(np.int32) for each in flat]

    def _blank(self, k: int, count: int) -> Masks:
        rows, columns = (-(-side // STRIDE) for side in self.places[k].size)
        return np.zeros((count, rows, columns), np.uint8)

    def _draw_body(self, mask: Masks, k: int, hypothesis: Hypothesis, stride: int) -> None:
        """Draw a stack in a picture of every `stride`-th pixel of a place's patch."""
        rims = self._outlines_of(k, hypothesis.turn)["", ""]
        top = rims[hypothesis.count]
        _fill(mask, np.concatenate([rims[0], top]), Part.WALL, stride)
        cv2.fillConvexPoly(mask, top, Part.DECK, cv2.LINE_8, _shift(stride))

    def _draw_rider(self, mask: Masks, k: int, hypothesis: Hypothesis, stride: int) -> None:
        if hypothesis.rider:
            points = self._outlines_of(k, hypothesis.turn)[hypothesis.rider, hypothesis.form]
            _fill(mask, points[hypothesis.count], Part.ROOF, stride)

    def _place(self, spot: Spot, ends: Floats, flat: Floats, steps: Doubles) -> StackPlace:
        """A place from the pixels of the ends of all its stacks and of its outline, and its `steps`."""
        limits = np.array(self.shape[::-1]) - REACH
        low = np.clip(np.floor(ends.min(axis=0)).astype(int), REACH, limits)
        high = np.clip(np.ceil(ends.max(axis=0)).astype(int) + 1, low, limits)
        size = (int(high[1] - low[1]), int(high[0] - low[0]))
        shown = np.zeros(size, np.uint8)
        if 0 not in size:
            fill_hull(shown, flat - low, Part.WALL)
        rows, columns = np.nonzero(shown)
        foot = (rows + low[1]) * self.shape[1] + columns + low[0]
        own = cv2.contourArea(np.array(spot.outline, np.float32))
        area = float(own) / max(abs(float(cv2.contourArea(flat))), 1.0)
        distance = math.dist(spot.centre, self._pose.eye[:2])
        return StackPlace(spot, (int(low[1]), int(low[0])), size, distance, area, steps, foot)

    def _outlines_of(self, k: int, turn: float) -> Mapping[RiderForm, Integers]:
        """The points (counts + 2, n, 2) of the rim and of each form on every number of pieces, in fractions of the
        patch's pixels.
        """
        if (k, turn) not in self._outlines:
            places = range(len(self.places)) if turn == TURNS[0] else (k,)
            self._outlines |= {(j, turn): found for j, found in zip(places, self._raised(places, turn), strict=True)}
        return self._outlines[k, turn]

    def _raised(self, places: Sequence[int], turn: float) -> Iterator[Mapping[RiderForm, Integers]]:
        """The outlines in some places, projected all at once."""
        kind, solids = self._kind, self._kind.solids[turn]
        points = np.concatenate([solid[list(places)] for solid in solids.values()], axis=1)
        heights = np.float32(kind.piece.height) * np.arange(len(kind.piece.labels) + 2, dtype=np.float32)
        raised = np.repeat(points[:, None], len(heights), axis=1)
        raised[..., 2] += heights[:, None]
        corners = np.array([self.places[k].corner[::-1] for k in places], np.float32)
        pixels = self._pixels(raised.reshape(-1, 3)).reshape(*raised.shape[:3], 2) - corners[:, None, None]
        fixed = np.rint(pixels * np.float32(1 << _BITS)).astype(np.int32)
        ends = np.cumsum([0] + [solid.shape[1] for solid in solids.values()]).tolist()
        for own in fixed:
            yield {form: own[:, first:end] for form, first, end in zip(solids, ends[:-1], ends[1:], strict=True)}

    def _flat(self, outlines: Doubles, z: float) -> Floats:
        """The window's pixels (places, n, 2) of outlines (places, n, 2) at one height."""
        return self._pixels(level(outlines.reshape(-1, 2), z)).reshape(outlines.shape)

    def _pixels(self, points: npt.NDArray[np.floating]) -> Floats:
        """The window's pixels (n, 2) of board points (n, 3)."""
        return np.asarray((self._pose.project(points) + 0.5) * self.scale - 0.5 - self._corner, np.float32)


def _tallest(kind: StackKind) -> float:
    """The height (mm) of the tallest possible stack."""
    return kind.piece.height * len(kind.piece.labels) + max((rider.height for rider in kind.riders), default=0.0)


def _fill(mask: Masks, points: Integers, part: int, stride: int) -> None:
    cv2.fillConvexPoly(mask, cv2.convexHull(points), part, cv2.LINE_8, _shift(stride))


def _shift(stride: int) -> int:
    return _BITS + stride.bit_length() - 1


def _turned(outline: Doubles, degrees: float) -> Doubles:
    middle = outline.mean(axis=0)
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.asarray((outline - middle) @ np.array([[cosine, sine], [-sine, cosine]]) + middle)


def _ground(pose: BoardPose, shape: Sequence[int], corner: Floats, scale: float) -> Floats:
    """The board places (rows, columns, 2) shown by a window of the reduced picture with its first pixel at `corner`."""
    step = 8
    rows, columns = (np.arange(0, side + step, step) for side in shape)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1)
    full = (grid.reshape(-1, 2) + corner + 0.5) / scale - 0.5
    coarse = pose.to_board(full.astype(np.float64)).reshape(*grid.shape)
    x, y = (np.arange(side, dtype=np.float32) / step for side in reversed(shape))
    return np.asarray(cv2.remap(coarse, *np.meshgrid(x, y), cv2.INTER_LINEAR), np.float32)
