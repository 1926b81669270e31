"""Photographs of a synthetic grid board: printed lines and ornaments, tiles with a shape and a colour, a lens, a light.

What is drawn here shares no code with what reads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.board.layout import Board, parse_board
from companion.files.documents import DocumentTable

COLOURS = {"red": (40, 40, 200), "blue": (190, 90, 30), "yellow": (40, 200, 230), "white": (235, 235, 235)}
SHAPES = ("disc", "square", "cross", "wedge")
LABELS = [f"{shape} {colour}" for shape in SHAPES for colour in COLOURS]
SCALE = 4


def grid_board(columns: int = 8, rows: int = 6, side: float = 30.0, lines: str = "between", **piece: object) -> Board:
    """A board of tiles in a grid; keywords change its piece."""
    tile = {
        "name": "tile", "shape": "square", "size": [0.9 * side], "height": 0, "labels": LABELS, "lies_on": "cell",
    } | piece  # fmt: skip
    grid = {"columns": columns, "rows": rows, "side": side, "corner": [10, 10], "lines": lines}
    size = [columns * side + 20, rows * side + 20]
    document = {
        "format": 1, "id": "synthetic/grid", "game": "synthetic", "name": "A grid", "size": size, "grid": grid,
        "piece": [tile],
    }  # fmt: skip
    return parse_board(DocumentTable(document, "grid.toml", ""))


@dataclass(frozen=True, slots=True)
class Camera:
    """How a photograph is taken: where the sheet's corners are seen (pixels, from the top left, clockwise), how the
    lens bends, the light's gains (BGR) and fall-off to the right, blur and
    noise; `chequered` boards have squares of two colours instead of lines.
    """

    corners: tuple[tuple[float, float], ...] = ((150, 110), (1110, 140), (1180, 830), (90, 800))
    size: tuple[int, int] = (1280, 960)
    radial: float = 0.01
    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: float = 0.0
    blur: float = 0.8
    noise: float = 2.0
    chequered: bool = False
    seed: int = 0

    def taps(self, board: Board, error: float = 0.0) -> list[tuple[float, float]]:
        """Where a person would point at the corners of the grid's lines, off by up to `error` pixels."""
        grid = board.grid
        assert grid is not None
        inset = grid.side / 2 if grid.lines == "through" else 0.0
        left, top = grid.corner[0] + inset, grid.corner[1] + inset
        right = grid.corner[0] + grid.columns * grid.side - inset
        low = grid.corner[1] + grid.rows * grid.side - inset
        places = self.place(board, np.array([[left, top], [right, top], [right, low], [left, low]]))
        off = np.random.default_rng(self.seed).uniform(-error, error, (4, 2))
        return [(float(x), float(y)) for x, y in places + off]

    def place(self, board: Board, points: np.ndarray) -> np.ndarray:
        """Pixels (n, 2) of places (n, 2) in millimetres."""
        straight = cv2.perspectiveTransform(points[:, None].astype(np.float64), self._map(board))[:, 0]
        middle = (np.array(self.size) - 1) / 2
        off = (straight - middle) / (np.hypot(*self.size) / 2)
        return middle + (straight - middle) * (1 + self.radial * (off**2).sum(axis=1, keepdims=True))

    def photograph(self, board: Board, look: Mapping[str, str]) -> np.ndarray:
        """The picture of a board on a wooden table."""
        sheet = draw_sheet(board, look, chequered=self.chequered)
        source = _sources(self.corners, self.size, self.radial, board.size)
        table, dice = _wood(*self.size, self.seed)
        picture = cv2.remap(sheet, source, None, cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT)
        on = (source >= 0).all(axis=2) & (source < [sheet.shape[1], sheet.shape[0]]).all(axis=2)
        picture = np.where(on[..., None], picture, table)
        if self.slope or self.gains != (1.0, 1.0, 1.0):
            width = self.size[0]
            light = np.array(self.gains) * (1 + self.slope * (np.arange(width) / width - 0.5))[None, :, None]
            picture = 255 * ((picture / 255) ** 2.2 * light).clip(0, 1) ** (1 / 2.2)
        noise = deepcopy(dice).normal(0, self.noise, picture.shape)
        return (cv2.GaussianBlur(picture, (0, 0), self.blur) + noise).clip(0, 255).astype(np.uint8)

    def _map(self, board: Board) -> np.ndarray:
        return _sheet_to_picture(self.corners, board.size)


@lru_cache(maxsize=2)
def _sources(
    corners: tuple[tuple[float, float], ...], size: tuple[int, int], radial: float, board: tuple[float, float]
) -> np.ndarray:
    """Where on a sheet (pixels) each pixel of a camera looks, as floats (rows, columns, 2)."""
    width, height = size
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    pixels = np.stack([x.ravel(), y.ravel()], axis=1)
    middle, reach = (np.array(size) - 1) / 2, np.hypot(*size) / 2
    seen = (pixels - middle) / reach
    bend = np.ones((len(seen), 1))
    for _ in range(6):
        bend = 1 / (1 + radial * ((seen[:, :1] * bend) ** 2 + (seen[:, 1:] * bend) ** 2))
    back = np.linalg.inv(_sheet_to_picture(corners, board))
    places = cv2.perspectiveTransform((middle + reach * seen * bend)[:, None], back)[:, 0] * SCALE - 0.5
    return places.reshape(height, width, 2).astype(np.float32)


def _sheet_to_picture(corners: tuple[tuple[float, float], ...], board: tuple[float, float]) -> np.ndarray:
    width, height = board
    sheet = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return cv2.getPerspectiveTransform(sheet, np.array(corners, np.float32)).astype(np.float64)


def draw_sheet(board: Board, look: Mapping[str, str], *, chequered: bool = False) -> np.ndarray:
    """The sheet from above with its tiles."""
    width, height = (round(side * SCALE) for side in board.size)
    dice = np.random.default_rng(11)
    sheet = np.full((height, width, 3), (205, 222, 228), np.uint8)
    for _ in range(60):
        centre = (int(dice.integers(width)), int(dice.integers(height)))
        tint = tuple(int(v) for v in dice.integers(170, 225, 3))
        cv2.ellipse(sheet, centre, (int(dice.integers(8, 40)), int(dice.integers(4, 20))), 30, 0, 360, tint, -1)
    grid = board.grid
    assert grid is not None
    if chequered:
        for number, (x, y) in enumerate(grid.cells.values()):
            if (number % grid.columns + number // grid.columns) % 2:
                half = grid.side / 2
                cv2.rectangle(sheet, _at(x - half, y - half), _at(x + half, y + half), (90, 120, 150), -1)
    elif grid.lines != "none":
        shift, more = (grid.side / 2, 0) if grid.lines == "through" else (0.0, 1)
        x0, y0 = grid.corner[0] + shift, grid.corner[1] + shift
        x1 = x0 + (grid.columns + more - 1) * grid.side
        y1 = y0 + (grid.rows + more - 1) * grid.side
        for k in range(grid.columns + more):
            cv2.line(sheet, _at(x0 + k * grid.side, y0), _at(x0 + k * grid.side, y1), (60, 90, 60), 3)
        for k in range(grid.rows + more):
            cv2.line(sheet, _at(x0, y0 + k * grid.side), _at(x1, y0 + k * grid.side), (60, 90, 60), 3)
    for name, label in look.items():
        _draw_tile(sheet, board.spots[name], label, dice)
    return sheet


def _draw_tile(sheet: np.ndarray, spot: object, label: str, dice: np.random.Generator) -> None:
    shape, colour = label.split()
    reach = (max(p[0] for p in spot.outline) - spot.centre[0]) * SCALE
    side = round(2 * reach)
    tile = np.full((side, side, 3), 35, np.uint8)
    ink, m, r = COLOURS[colour], side // 2, round(0.55 * reach)
    if shape == "disc":
        cv2.circle(tile, (m, m), r, ink, -1, cv2.LINE_AA)
    elif shape == "square":
        cv2.rectangle(tile, (m - r, m - r), (m + r, m + r), ink, -1)
    elif shape == "cross":
        cv2.line(tile, (m - r, m), (m + r, m), ink, r // 2)
        cv2.line(tile, (m, m - r), (m, m + r), ink, r // 2)
    else:
        cv2.fillPoly(tile, [np.array([[m - r, m + r], [m + r, m + r], [m, m - r]])], ink, cv2.LINE_AA)
    tile = np.rot90(tile, int(dice.integers(4)))
    x, y = (round(c * SCALE - reach + dice.uniform(-0.6, 0.6) * SCALE) for c in spot.centre)
    sheet[y : y + side, x : x + side] = tile


def random_tiles(board: Board, seed: int, share: float = 0.4) -> dict[str, str]:
    """Spot -> label of tiles here and there."""
    dice = np.random.default_rng([seed, 3])
    return {name: str(dice.choice(LABELS)) for name in board.spots if dice.random() < share}


def _at(x: float, y: float) -> tuple[int, int]:
    return round(x * SCALE), round(y * SCALE)


@lru_cache(maxsize=2)
def _wood(width: int, height: int, seed: int) -> tuple[np.ndarray, np.random.Generator]:
    """A table of boards with grain, whose lines are no grid, and its dice, which are not to be thrown."""
    dice = np.random.default_rng([seed, 7])
    grain = cv2.GaussianBlur(dice.normal(0, 60, (height, width)), (0, 0), 40, sigmaY=0.8)
    wood = np.array([90.0, 135.0, 185.0]) + 2.5 * grain[..., None]
    wood[:: height // 5] -= 45
    return wood.clip(0, 255), dice
