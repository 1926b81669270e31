"""What a reader of boards derives from a pose alone, kept until the pose changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour_trim import places_on
from vision.location.board_pose import BoardPose
from vision.printed.canvas import Canvas, Expected
from vision.printed.classify import Kind
from vision.printed.forms import Bodies
from vision.printed.glare import GlareFinder
from vision.printed.local_light import LightFinder
from vision.printed.occlusion import Silhouettes, numbers_at, widened
from vision.printed.patches import PatchView, look_at
from vision.printed.pawn_groups import PawnGroup, PawnGroupView

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.intp]

CELL = 4.0
"""Side (mm) of the cells in which the sheet is compared with what is printed."""
_TILE_TOP = 2.0
"""Height (mm) of the surface on which pieces stand."""
_ASKEW, _NEAR_WORTH = 1.2, 0.4
"""How far (mm) a piece on another may hide more of it than it would in its place, and what samples there count."""


@dataclass(frozen=True, slots=True)
class PoseCache:
    """Under one pose: pixels to look at, colours of the bare sheet there, places beneath pieces."""

    pose: BoardPose
    views: Mapping[str, PatchView]
    bodies: Mapping[str, Bodies]
    """of kinds of which forms are known"""
    sheet: Mapping[str, Expected]
    printed: Mapping[str, Floats]
    """log densities (spots, points) of samples of tiles' places that look just as the bare sheet was printed"""
    beneath: Mapping[str, Floats]
    beside_rider: Mapping[str, Floats]
    """how far each sample of a carrier would show it under a piece standing on it: 0 where that hides it"""
    group_views: tuple[PawnGroupView, ...]
    silhouettes: Silhouettes
    cells: Integers
    """the coarse cell of the sheet that each sample of a tile lies in"""
    places: Floats
    """(n, 2): a grid over the sheet (mm), by whose colours those of the picture are trimmed"""
    grid: Floats
    """(n, 2): its pixels"""
    bare: Floats
    """(n, 3): the Lab that is printed there"""
    glare: GlareFinder
    light: LightFinder

    @classmethod
    def under(
        cls,
        board: Board,
        pose: BoardPose,
        canvas: Canvas,
        tiles: Iterable[Kind],
        pieces: Iterable[Kind],
        riders: Mapping[str, str],
        groups: Iterable[PawnGroup],
        worth: float = 1.0,
    ) -> PoseCache:
        """What a pose says of a board; `canvas` is bare, `riders` names the carrier of each piece that has one,
        `worth` is what a sample counts under the picture's blur.
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
    """The places (spots, points, 2), on the surface on which a piece stands, that lie behind a view's points."""
    surface = max(_TILE_TOP, view.plan.spots[0].base)
    return np.asarray(view.ground + (view.eye[:2] - view.ground) * (surface / view.eye[2]), np.float32)
