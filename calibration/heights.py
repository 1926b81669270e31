"""Notices a `height` of the board file that the photographs contradict: pieces of one label look alike at their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Piece, Spot
from vision.location.flat_pose import Projection
from vision.pictures import Image
from vision.spots.spot_features import LEAST_SHOWN, Squares

Floats = npt.NDArray[np.float32]

_STEPS = 13
"""Heights that are tried, from the sheet up to the largest."""
_FEWEST = 12
"""Fewest pieces, beside others of their label, that a height is judged by."""
_MOST = 60
"""Most pieces of one photograph that are compared."""
_CLEARLY, _BY_FAR = 0.9, 0.33
"""Parts of the differences between pieces of one label that the best height leaves: where it leaves less, the piece's
own height is wrong if it lies out of the range below, or in any case.
"""
_LEAST, _MOST_OF_OWN = 0.15, 1.4
"""The range of the best height, in parts of the own one, that is as it should be: the walls of plain pieces look like
their tops, which makes them seem lower.
"""
_SLACK = 1.0
"""Millimetres by which the best height may lie above that range."""


class HeightCheck:
    """Collects how pieces of each label look at several heights."""

    def __init__(self, board: Board) -> None:
        self._tried = {name: _heights(piece) for name, piece in board.pieces.items()}
        self._looks: dict[str, dict[str, list[Floats]]] = {name: {} for name in board.pieces}

    def add(self, piece: Piece, spots: list[Spot], labels: Mapping[str, str], image: Image, pose: Projection) -> None:
        """Add the pieces of a kind that lie on some spots of a photograph."""
        laid = [spot for spot in spots if labels[spot.name]]
        if not laid:
            return
        laid = laid[:: -(-len(laid) // _MOST)]
        looks, shown = [], np.ones(len(laid), np.float32)
        for height in self._tried[piece.name]:
            squares = Squares(piece, [replace(spot, height=float(height)) for spot in laid])
            patches, parts = squares.patches(image, pose)
            looks.append(_evened(patches[:, 2:-2:2, 2:-2:2].astype(np.float32)))
            shown = np.minimum(shown, parts)
        for spot, look, part in zip(laid, np.stack(looks, axis=1), shown, strict=True):
            if part >= LEAST_SHOWN:
                self._looks[piece.name].setdefault(labels[spot.name], []).append(look)

    def is_wrong(self, piece: Piece) -> str:
        """Whether a kind's tops lie "higher" or "lower" than its own height; "" where nothing speaks against that."""
        sets = [np.stack(looks) for looks in self._looks[piece.name].values() if len(looks) > 1]
        if sum(map(len, sets)) < _FEWEST:
            return ""
        unlike = np.sum([((each - each.mean(axis=0)) ** 2).mean(axis=(2, 3, 4)).sum(axis=0) for each in sets], axis=0)
        tried, own = self._tried[piece.name], piece.height
        best = float(tried[np.argmin(unlike)])
        left = float(unlike.min() / max(np.interp(own, tried, unlike), 1e-12))
        is_beyond = best > _MOST_OF_OWN * own + _SLACK or best < _LEAST * own
        if left < _BY_FAR or (left < _CLEARLY and is_beyond):
            return "higher" if best > own else "lower"
        return ""


def _heights(piece: Piece) -> npt.NDArray[np.float64]:
    return np.linspace(0.0, max(2.5 * piece.height, *piece.size), _STEPS)


def _evened(patches: Floats) -> Floats:
    """Patches in the same light: without their mean, over it."""
    mean = patches.mean(axis=(1, 2), keepdims=True)
    return np.asarray((patches - mean) / np.maximum(mean, 8.0), np.float32)
