"""What a spot looks like, as numbers: colours, their arrangement, edges and texture of a square patch of picture.

Turning a patch by a quarter only permutes its numbers, so that a piece that may lie in any quarter turn is compared
with all four without looking at it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Piece, Spot
from vision.colour import LINEAR, linear_to_lab
from vision.flat_pose import Projection
from vision.patches import depth_inside, heading, outline
from vision.pictures import Image

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

SIDE = 36
"""Pixels along a patch."""
_A_BINS, _B_BINS, _L_BINS = 9, 10, 6
_A_RANGE, _B_RANGE, _L_RANGE = (-60.0, 60.0), (-60.0, 80.0), (0.0, 100.0)
_LAYOUT, _CELLS, _WAYS, _STEEPNESS = 6, 4, 8, 8
"""Squares of the arrangement along a side, cells of edges along a side, directions of edges, bins of steepness."""
_FAINT = 8.0
"""Edges (Lab lightness a pixel, summed over the cells) below which a patch counts as having none."""
_FITTING = ("rhombus", "triangle", "hexagon")
_MOST_SAMPLES = 4
"""Samples along a pixel of a patch at most, where the picture is finer than that."""

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


class Squares:
    """The squares around the spots of a kind of piece, at the height of its top and turned as the piece lies there."""

    def __init__(self, piece: Piece, spots: Sequence[Spot]) -> None:
        self._places = _square_corners(piece, spots)
        self._outside = _outside(piece) if piece.shape in _FITTING else None

    def patches(self, image: Image, pose: Projection) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
        """What a picture shows of them (spots, SIDE, SIDE, 3), and whether each lies in the picture as a whole.

        Where pieces fit together without being square, only what lies inside a piece's outline is shown.
        """
        count = len(self._places)
        pixels = pose.project(self._places.reshape(-1, 3)).reshape(count, 4, 2)
        across = np.linalg.norm(pixels[:, 2] - pixels[:, 0], axis=1)
        samples = int(np.clip(np.ceil(np.median(across) / np.sqrt(2) / SIDE), 1, _MOST_SAMPLES))
        side = SIDE * samples
        own = np.array([[-0.5, -0.5], [side - 0.5, -0.5], [side - 0.5, side - 0.5], [-0.5, side - 0.5]], np.float32)
        patches = np.empty((count, SIDE, SIDE, 3), np.uint8)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        for patch, seen in zip(patches, pixels, strict=True):
            warp = cv2.getPerspectiveTransform(own, seen)
            fine = cv2.warpPerspective(image, warp, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
            patch[:] = cv2.resize(fine, (SIDE, SIDE), interpolation=cv2.INTER_AREA) if samples > 1 else fine
        if self._outside is not None:
            patches[:, self._outside] = patches[:, ~self._outside].mean(axis=1, keepdims=True).round().astype(np.uint8)
        limits = np.array([image.shape[1], image.shape[0]])
        return patches, np.asarray(((pixels > -1) & (pixels < limits)).all(axis=(1, 2)))


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
    """Which pixels (SIDE, SIDE) of a patch show what lies around the piece."""
    steps = ((np.arange(SIDE) + 0.5) / SIDE * 2 - 1) * _reach(piece)
    return np.asarray(depth_inside(np.stack(np.meshgrid(steps, steps), axis=-1), outline(piece)) < 0)


def mean_light(patches: npt.NDArray[np.uint8]) -> Doubles:
    """The logarithm (n, 3) of the mean linear light of patches, BGR."""
    light = LINEAR[patches].reshape(len(patches), -1, 3).mean(axis=1, dtype=np.float64)
    return np.asarray(np.log(np.maximum(light, 1e-3)), np.float64)


def describe(patches: npt.NDArray[np.uint8], gains: npt.NDArray[np.floating] | None = None) -> Floats:
    """Descriptions (n, LENGTH) of patches (n, SIDE, SIDE, 3) whose light is changed by `gains` (n, 3), natural logs."""
    result = np.empty((len(patches), LENGTH), np.float32)
    for start in range(0, len(patches), 32):
        part = slice(start, start + 32)
        light = LINEAR[patches[part]]
        if gains is not None:
            light = light * np.exp(gains[part].astype(np.float32))[:, None, None]
        lab = linear_to_lab(light.reshape(-1, 3)).reshape(light.shape)
        result[part] = np.concatenate([_colours(lab), _arrangement(lab), *_edges(lab[..., 0])], axis=1)
    return result


def quarter_turned(descriptions: Floats, quarters: int) -> Floats:
    """The descriptions of the same patches turned counter-clockwise by quarters."""
    result = descriptions.copy()
    layout = descriptions[:, BLOCKS["layout"]].reshape(-1, _LAYOUT, _LAYOUT, 3)
    result[:, BLOCKS["layout"]] = np.rot90(layout, quarters, (1, 2)).reshape(len(descriptions), -1)
    edges = descriptions[:, BLOCKS["edges"]].reshape(-1, _CELLS, _CELLS, _WAYS)
    # An edge's direction counts modulo half a turn: a quarter is half of all directions.
    turned = np.roll(np.rot90(edges, quarters, (1, 2)), quarters * (_WAYS // 2), axis=3)
    result[:, BLOCKS["edges"]] = turned.reshape(len(descriptions), -1)
    return result


def _colours(lab: Floats) -> Floats:
    """Square roots of soft histograms of a against b, and of L."""
    count, pixels = len(lab), lab.shape[1] * lab.shape[2]
    flat = lab.reshape(count, pixels, 3)
    chroma = np.matmul(
        _shares(flat[..., 1], *_A_RANGE, _A_BINS).transpose(0, 2, 1), _shares(flat[..., 2], *_B_RANGE, _B_BINS)
    )
    lightness = _shares(flat[..., 0], *_L_RANGE, _L_BINS).mean(axis=1)
    return np.asarray(np.sqrt(np.concatenate([chroma.reshape(count, -1) / pixels, lightness], axis=1)), np.float32)


def _arrangement(lab: Floats) -> Floats:
    """Mean colours of a grid of squares."""
    step = SIDE // _LAYOUT
    means = lab.reshape(len(lab), _LAYOUT, step, _LAYOUT, step, 3).mean(axis=(2, 4))
    return cast(Floats, means.reshape(len(lab), -1))


def _edges(lightness: Floats) -> tuple[Floats, Floats]:
    """Square roots of the histograms of edge directions in a grid of cells, and of how steep edges are."""
    across, down = np.zeros_like(lightness), np.zeros_like(lightness)
    across[:, :, 1:-1] = (lightness[:, :, 2:] - lightness[:, :, :-2]) / 2
    down[:, 1:-1] = (lightness[:, 2:] - lightness[:, :-2]) / 2
    steepness = np.hypot(across, down)
    way = np.mod(np.arctan2(down, across), np.pi) * (_WAYS / np.pi)
    step = SIDE // _CELLS
    ways = np.arange(_WAYS, dtype=np.float32)
    off = np.abs(way[..., None] - ways)
    share = np.maximum(1.0 - np.minimum(off, _WAYS - off), 0.0) * steepness[..., None]
    cells = share.reshape(len(share), _CELLS, step, _CELLS, step, _WAYS).mean(axis=(2, 4))
    cells = np.sqrt(cells / (cells.sum(axis=(1, 2, 3), keepdims=True) + _FAINT)).reshape(len(share), -1)
    slopes = _shares(np.log1p(steepness).reshape(len(share), -1), 0.0, 3.5, _STEEPNESS).mean(axis=1)
    return cells.astype(np.float32), np.sqrt(slopes).astype(np.float32)


def _shares(values: Floats, low: float, high: float, bins: int) -> Floats:
    """How much of each value (n, pixels) belongs to each bin (n, pixels, bins), shared between the two nearest."""
    place = np.clip((values - low) / (high - low), 0.0, 1.0) * (bins - 1)
    return np.asarray(np.maximum(1.0 - np.abs(place[..., None] - np.arange(bins, dtype=np.float32)), 0.0), np.float32)
