"""Describes a spot by numbers: colours, their arrangement, edges and texture of a square patch of picture.

Turning a patch by a quarter only permutes its numbers, so that a piece that may lie in any quarter turn is compared
with all four without another look at the picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Piece, Spot
from vision.colour.space import LINEAR, lab_planes
from vision.location.flat_pose import Projection
from vision.pictures import Image
from vision.printed.pieces.patches import depth_inside, heading, outline

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

SIDE = 36
"""Pixels along a patch."""
_A_BINS, _B_BINS, _L_BINS = 9, 10, 6
_A_RANGE, _B_RANGE, _L_RANGE = (-60.0, 60.0), (-60.0, 80.0), (0.0, 100.0)
_LAYOUT = 6
"""Squares of the arrangement along a side."""
_CELLS = 4
"""Cells of the edge histograms along a side."""
_WAYS = 8
"""Bins of the directions of edges, over half a turn."""
_STEEPNESS = 8
"""Bins of the steepness of edges."""
_FAINT = 8.0
"""Total edge strength (Lab lightness per pixel, summed over the cells) below which a patch counts as having no
edges.
"""
_FAINTEST = 0.05
"""Light, relative to the mean, below which colour cannot be measured."""
_FITTING = ("rhombus", "triangle", "hexagon")
_GREY = 0.04
"""Colourfulness below which a picture is grey."""
_ALL = 0.98
"""Quantile of the picture at which that is measured."""
LEAST_SHOWN = 0.5
"""Part of a spot from which it is read, or learnt from, by what the picture shows of it."""
_MOST_SAMPLES = 4
"""Most samples along a pixel of a patch, where the picture is finer than the patch."""

_colour_size = _A_BINS * _B_BINS + _L_BINS
_layout_size = _LAYOUT * _LAYOUT * 3
_edge_size = _CELLS * _CELLS * _WAYS
BLOCKS: dict[str, slice] = {
    "colour": slice(0, _colour_size),
    "layout": slice(_colour_size, _colour_size + _layout_size),
    "edges": slice(_colour_size + _layout_size, _colour_size + _layout_size + _edge_size),
    "texture": slice(_colour_size + _layout_size + _edge_size, _colour_size + _layout_size + _edge_size + _STEEPNESS),
}
"""The groups of numbers in a description."""
LENGTH = BLOCKS["texture"].stop
_AT_ONCE = 32
"""Patches described at once, so that intermediate arrays stay in the processor's cache."""


class Squares:
    """The squares around the spots of a kind of piece, at the height of its top and turned with the piece.

    `places` (spots, 4, 3) are their corners in board millimetres; `outside` (SIDE, SIDE) are the pixels of a patch that
    show the surroundings of the piece, None where these are described too.
    """

    def __init__(self, piece: Piece, spots: Sequence[Spot]) -> None:
        self.places = _square_corners(piece, spots)
        self.outside = _outside(piece) if piece.shape in _FITTING else None

    def patches(self, image: Image, pose: Projection) -> tuple[npt.NDArray[np.uint8], Floats]:
        """The patches (spots, SIDE, SIDE, 3) of a picture, and the part (spots,) of each spot that is in the picture.

        Where non-square pieces fit together, only what lies inside a piece's outline is shown.
        """
        pixels = self.pixels(pose)
        return self.cut(image, pixels, np.arange(len(pixels))), shown_parts(pixels, image)

    def pixels(self, pose: Projection) -> Floats:
        """The corners (spots, 4, 2) in pixels of a picture."""
        return pose.project(self.places.reshape(-1, 3)).reshape(len(self.places), 4, 2)

    def cut(self, image: Image, pixels: Floats, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.uint8]:
        """The patches of some spots by their corners `pixels`; what the picture lacks of one is completed from the
        opposite side of the patch.
        """
        across = np.linalg.norm(pixels[:, 2] - pixels[:, 0], axis=1)
        samples = int(np.clip(np.ceil(np.median(across) / np.sqrt(2) / SIDE), 1, _MOST_SAMPLES))
        side = SIDE * samples
        own = np.array([[-0.5, -0.5], [side - 0.5, -0.5], [side - 0.5, side - 0.5], [-0.5, side - 0.5]], np.float32)
        patches = np.empty((len(rows), SIDE, SIDE, 3), np.uint8)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        for patch, seen in zip(patches, pixels[rows], strict=True):
            warp = cv2.getPerspectiveTransform(own, seen)
            fine = cv2.warpPerspective(image, warp, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
            patch[:] = cv2.resize(fine, (SIDE, SIDE), interpolation=cv2.INTER_AREA) if samples > 1 else fine
        for k in np.flatnonzero(shown_parts(pixels[rows], image) < 1):
            _complete(patches[k], _inside(pixels[rows[k]], image))
        if self.outside is not None:
            patches[:, self.outside] = patches[:, ~self.outside].mean(axis=1, keepdims=True).round().astype(np.uint8)
        return patches


def shown_parts(pixels: Floats, image: Image) -> Floats:
    """The part (n,) of each square, by its corners (n, 4, 2) in pixels, that lies in a picture."""
    limits = np.array([image.shape[1], image.shape[0]])
    parts = np.ones(len(pixels), np.float32)
    for k in np.flatnonzero(~((pixels > -1) & (pixels < limits)).all(axis=(1, 2))):
        parts[k] = _inside(pixels[k], image).mean()
    return parts


def _inside(corners: Floats, image: Image) -> npt.NDArray[np.bool_]:
    """Which pixels (SIDE, SIDE) of a patch lie in the picture."""
    along = (np.arange(SIDE, dtype=np.float32) + 0.5) / SIDE
    own = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    places = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 1, 2)
    seen = cv2.perspectiveTransform(places, cv2.getPerspectiveTransform(own, corners.astype(np.float32)))[:, 0]
    limits = np.array([image.shape[1], image.shape[0]])
    return np.asarray(((seen > -1) & (seen < limits)).all(axis=1).reshape(SIDE, SIDE))


def _complete(patch: npt.NDArray[np.uint8], inside: npt.NDArray[np.bool_]) -> None:
    """Fill what a patch lacks with the same patch turned by half, where that shows something."""
    lacking = ~inside & inside[::-1, ::-1]
    patch[lacking] = patch[::-1, ::-1][lacking]


def _square_corners(piece: Piece, spots: Sequence[Spot]) -> Doubles:
    """The corners (spots, 4, 3) of the squares around pieces, in board millimetres."""
    turns = np.array([heading(spot, piece) for spot in spots])
    own = _reach(piece) * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float64)
    cosine, sine = np.cos(turns)[:, None], np.sin(turns)[:, None]
    x, y = own[:, 0] * cosine - own[:, 1] * sine, own[:, 0] * sine + own[:, 1] * cosine
    centres = np.array([[*spot.centre, spot.base + spot.height] for spot in spots])
    return np.stack([x + centres[:, :1], y + centres[:, 1:2], np.broadcast_to(centres[:, 2:], x.shape)], axis=-1)


def _reach(piece: Piece) -> float:
    """Half the side of the square around a piece, mm."""
    return float(np.ptp(outline(piece), axis=0).max()) / 2


def _outside(piece: Piece) -> npt.NDArray[np.bool_]:
    """Which pixels (SIDE, SIDE) of a patch show the surroundings of the piece."""
    steps = ((np.arange(SIDE) + 0.5) / SIDE * 2 - 1) * _reach(piece)
    return np.asarray(depth_inside(np.stack(np.meshgrid(steps, steps), axis=-1), outline(piece)) < 0)


def mean_light(patches: npt.NDArray[np.uint8]) -> Doubles:
    """The logarithm (n, 3) of the mean linear light of patches, BGR."""
    even = np.full(SIDE * SIDE, 1 / (SIDE * SIDE), np.float32)
    light = even @ light_of(patches).reshape(len(patches), -1, 3)
    return np.asarray(np.log(np.maximum(light, 1e-3)), np.float64)


def describe(patches: npt.NDArray[np.uint8], gains: npt.NDArray[np.floating] | None = None) -> Floats:
    """Descriptions (n, LENGTH) of patches (n, SIDE, SIDE, 3) with their light changed by `gains` (n, 3), natural
    logarithms.
    """
    result = np.empty((len(patches), LENGTH), np.float32)
    room = np.empty((2, _B_BINS, min(len(patches), _AT_ONCE), SIDE * SIDE), np.float32)
    for start in range(0, len(patches), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        light = light_of(patches[part])
        if gains is not None:
            light *= np.tile(np.exp(gains[part].astype(np.float32)), SIDE * SIDE).reshape(light.shape)
        planes = lab_planes(light.reshape(-1, 3)).reshape(3, -1, SIDE, SIDE)
        blocks = (_colours(planes, room), _arrangement(planes), *_edges(planes[0], room[0]))
        result[part] = np.concatenate(blocks, axis=1)
    return result


def light_of(patches: npt.NDArray[np.uint8]) -> Floats:
    """The linear light of patches, in the same shape."""
    return np.asarray(cv2.LUT(patches.reshape(-1, 1), LINEAR), np.float32).reshape(patches.shape)


def colourfulness(light: npt.NDArray[np.floating], share: float) -> float:
    """The quantile `share` of the natural logarithm of the ratio between the channels of linear light (n, 3)."""
    floor = _FAINTEST * max(float(light.mean()), 1e-6)
    channels = np.log(np.maximum(light, 0.0) + floor)
    return float(np.quantile(np.ptp(channels, axis=1), share)) if len(light) else 0.0


def is_grey(levels: npt.NDArray[np.uint8]) -> bool:
    """Whether pixels (..., 3) of spots show no colour anywhere."""
    return colourfulness(LINEAR[levels].reshape(-1, 3), _ALL) < _GREY


def arrangement(descriptions: Floats) -> Floats:
    """The mean Lab colours (n, rows, columns, 3) of a grid of squares in described patches."""
    return descriptions[:, BLOCKS["layout"]].reshape(-1, _LAYOUT, _LAYOUT, 3)


def quarter_turned(descriptions: Floats, quarters: int) -> Floats:
    """The descriptions of the same patches turned counter-clockwise by quarters."""
    return descriptions[:, _turned_order(quarters % 4)]


@cache
def _turned_order(quarters: int) -> npt.NDArray[np.intp]:
    """The index (LENGTH,) in a patch's description of each number of the turned patch's description."""
    order = np.arange(LENGTH)
    layout = order[BLOCKS["layout"]].reshape(_LAYOUT, _LAYOUT, 3)
    edges = order[BLOCKS["edges"]].reshape(_CELLS, _CELLS, _WAYS)
    # Edge directions are modulo half a turn: a quarter turn shifts them by half of the bins.
    turned = np.roll(np.rot90(edges, quarters), quarters * (_WAYS // 2), axis=2)
    result = order.copy()
    result[BLOCKS["layout"]], result[BLOCKS["edges"]] = np.rot90(layout, quarters).ravel(), turned.ravel()
    return result


def _colours(planes: Floats, room: Floats) -> Floats:
    """Square roots of soft histograms of a against b, and of L, from Lab planes (3, n, SIDE, SIDE)."""
    count, pixels = planes.shape[1], SIDE * SIDE
    lightness, a, b = planes.reshape(3, count, pixels)
    across, down = _shares(a, *_A_RANGE, _A_BINS, room[0]), _shares(b, *_B_RANGE, _B_BINS, room[1])
    chroma = np.matmul(across.transpose(1, 0, 2), down.transpose(1, 2, 0))
    levels = _shares(lightness, *_L_RANGE, _L_BINS, room[0]).mean(axis=2)
    return np.asarray(np.sqrt(np.concatenate([chroma.reshape(count, -1) / pixels, levels.T], axis=1)), np.float32)


def _arrangement(planes: Floats) -> Floats:
    """The mean colours of a grid of squares."""
    return cast(Floats, _pooled(planes, _LAYOUT).transpose(1, 2, 3, 0).reshape(planes.shape[1], -1))


def _edges(lightness: Floats, room: Floats) -> tuple[Floats, Floats]:
    """Square roots of the histograms of edge directions in a grid of cells, and of how steep edges are."""
    count = len(lightness)
    across, down = np.zeros_like(lightness), np.zeros_like(lightness)
    across[:, :, 1:-1] = (lightness[:, :, 2:] - lightness[:, :, :-2]) / 2
    down[:, 1:-1] = (lightness[:, 2:] - lightness[:, :-2]) / 2
    steepness = np.sqrt(across * across + down * down)
    angle = np.arctan2(down, across)
    angle += np.float32(np.pi) * (angle < 0)
    # Half a turn gives the same direction as none.
    share = _shares(angle.reshape(count, -1), 0.0, np.pi, _WAYS + 1, room)
    share *= steepness.reshape(count, -1)
    cells = _pooled(share.reshape(-1, count, SIDE, SIDE), _CELLS)
    cells[0] += cells[_WAYS]
    cells = cells[:_WAYS].transpose(1, 2, 3, 0)
    cells = np.sqrt(cells / (cells.sum(axis=(1, 2, 3), keepdims=True) + _FAINT)).reshape(count, -1)
    slopes = _shares(np.log1p(steepness).reshape(count, -1), 0.0, 3.5, _STEEPNESS, room).mean(axis=2)
    return cells.astype(np.float32), np.sqrt(slopes.T).astype(np.float32)


def _pooled(planes: Floats, cells: int) -> Floats:
    """The means (..., cells, cells) of planes (..., SIDE, SIDE) in a grid of squares."""
    step = SIDE // cells
    pool = np.repeat(np.eye(cells, dtype=np.float32), step, axis=0) / np.float32(step)
    return np.asarray(pool.T @ (planes @ pool), np.float32)


def _shares(values: Floats, low: float, high: float, bins: int, room: Floats) -> Floats:
    """The part of each value (n, pixels) that belongs to each bin (bins, n, pixels), shared between the two nearest.

    Written into `room` (at least bins, at least n, pixels): allocating memory would take longer than the arithmetic.
    """
    place = np.clip((values - np.float32(low)) * np.float32((bins - 1) / (high - low)), 0.0, bins - 1)
    shares = room[:bins, : len(values)]
    for number, share in enumerate(shares):
        np.subtract(place, np.float32(number), out=share)
        np.abs(share, out=share)
        np.subtract(np.float32(1.0), share, out=share)
        np.maximum(share, np.float32(0.0), out=share)
    return shares
