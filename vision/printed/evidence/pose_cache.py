"""Everything that readers derive from a pose alone, computed once for each pose.

Contract: caches compare poses by identity (`is`). A pose source returns the same object while nothing moves
(`vision.reader.PoseSource.follow`), and an equal pose in another object only costs the time to compute everything
again: readings do not change. Both halves are tested (tests/vision/test_pose_identity.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.trim import places_on
from vision.location.board_pose import BoardPose
from vision.printed.evidence.classify import SpotKind
from vision.printed.evidence.pawn_groups import PawnGroup, PawnGroupView
from vision.printed.pieces.forms import Bodies
from vision.printed.pieces.occlusion import Silhouettes, numbers_at, widened
from vision.printed.pieces.patches import PatchView, look_at
from vision.printed.sheet.canvas import Canvas, Expected
from vision.printed.sheet.glare import GlareFinder
from vision.printed.sheet.hands import HandFinder
from vision.printed.sheet.local_light import LightFinder

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.intp]

CELL = 4.0
"""Side (mm) of the cells in which the sheet is compared with its print."""
_TILE_TOP = 2.0
"""Height (mm) of the surface on which pieces stand."""
_ASKEW = 1.2
"""Distance (mm) by which a misplaced rider may hide more of its carrier."""
_NEAR_WORTH = 0.4
"""Weight of the samples that close to a rider."""


@dataclass(frozen=True, slots=True)
class PoseCache:
    """For one pose: the pixels to sample, the colours of the bare sheet there, and the places beneath pieces."""

    pose: BoardPose
    views: Mapping[str, PatchView]
    bodies: Mapping[str, Bodies]
    """of kinds with known forms"""
    sheet: Mapping[str, Expected]
    printed: Mapping[str, Floats]
    """log densities (spots, points) of tiles' samples that look exactly as the bare sheet was printed"""
    beneath: Mapping[str, Floats]
    beside_rider: Mapping[str, Floats]
    """the weight factor of each sample of a carrier under a piece standing on it: 0 where that hides it"""
    group_views: tuple[PawnGroupView, ...]
    silhouettes: Silhouettes
    cells: Integers
    """the index of the coarse cell of the sheet in which each sample of a tile lies"""
    places: Floats
    """(n, 2): a grid over the sheet (mm) from which the colour trim is learnt"""
    grid: Floats
    """(n, 2): its pixels"""
    bare: Floats
    """(n, 3): the printed Lab there"""
    glare: GlareFinder
    light: LightFinder
    hands: HandFinder

    @classmethod
    def under(
        cls,
        board: Board,
        pose: BoardPose,
        canvas: Canvas,
        tiles: Iterable[SpotKind],
        pieces: Iterable[SpotKind],
        riders: Mapping[str, str],
        groups: Iterable[PawnGroup],
        worth: float = 1.0,
    ) -> PoseCache:
        """The cache for a pose; `canvas` must be bare, `riders` maps pieces to their carriers, `worth` is the weight of
        a sample under the picture's blur.
        """
        tiles, pieces = tuple(tiles), tuple(pieces)
        views = {kind.piece.name: look_at(kind.plan, pose).weighed(worth) for kind in (*tiles, *pieces)}
        sheet = {kind.piece.name: canvas.expect(views[kind.piece.name].ground) for kind in tiles}
        silhouettes = Silhouettes(board, pose)
        places = places_on(board.size)
        grid = pose.project(np.column_stack([places, np.zeros(len(places), np.float32)]))
        within = ((grid >= 0) & (grid < np.array([pose.camera.width, pose.camera.height]) - 1)).all(axis=1)
        places, grid = places[within], grid[within]
        return cls(
            pose,
            views,
            {
                kind.piece.name: Bodies(kind.piece, views[kind.piece.name])
                for kind in (*tiles, *pieces)
                if Bodies.are_known_of(kind.piece)
            },
            sheet,
            {name: expected.log_density(expected.middle) for name, expected in sheet.items()},
            {kind.piece.name: _lifted(views[kind.piece.name]) for kind in pieces},
            _beside_riders(views, silhouettes, riders),
            tuple(PawnGroupView(group, pose, worth) for group in groups),
            silhouettes,
            np.concatenate([_cells(views[kind.piece.name], board.size) for kind in tiles]),
            places,
            grid,
            canvas.expect(places[None]).middle[0],
            GlareFinder(board, pose),
            LightFinder(board, pose),
            HandFinder(board, pose),
        )


def _cells(view: PatchView, size: tuple[float, float]) -> Integers:
    limits = np.ceil(np.array(size) / CELL).astype(np.intp)
    cells = np.clip((view.ground / CELL).astype(np.intp), 0, limits - 1)
    return np.asarray(cells[..., 0] * limits[1] + cells[..., 1]).ravel()


def _beside_riders(
    views: Mapping[str, PatchView], silhouettes: Silhouettes, riders: Mapping[str, str]
) -> dict[str, Floats]:
    result = {}
    for rider, carrier in riders.items():
        drawn = silhouettes.draw((spot.name, 1) for spot in views[rider].plan.spots)
        pixels = views[carrier].pixels
        hidden, near = numbers_at(drawn, pixels) > 0, numbers_at(widened(drawn, views[rider], _ASKEW), pixels) > 0
        result[carrier] = np.where(hidden, 0.0, np.where(near, _NEAR_WORTH, 1.0)).astype(np.float32)
    return result


def _lifted(view: PatchView) -> Floats:
    """The places (spots, points, 2) behind a view's points, on the surface that pieces stand on."""
    surface = max(_TILE_TOP, view.plan.spots[0].base)
    return np.asarray(view.ground + (view.eye[:2] - view.ground) * (surface / view.eye[2]), np.float32)
