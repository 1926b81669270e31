"""How pieces lie on a simulated table: a little off their spots, reproducibly by seed."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Spot
from vision.location.board_pose import BoardPose
from vision.printed.pieces.patches import heading

Floats = npt.NDArray[np.float64]

_TURNS = {
    "rhombus": 180.0,
    "triangle": 120.0,
    "hexagon": 60.0,
    "square": 90.0,
    "rectangle": 180.0,
    "bar": 180.0,
    "disc": 1.0,
}
"""The turn (degrees) after which a shape looks the same: players lay pieces down in any of them."""


@dataclass(frozen=True, slots=True)
class Sloppiness:
    """How far from their places pieces are laid: largest shift (mm) and turn (degrees) of flat and of tall pieces."""

    ward_shift: float = 0.5
    ward_turn: float = 0.8
    shift: float = 1.0
    turn: float = 6.0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet on the table, and the pose of the supersampled picture over it."""

    board: Board
    pose: BoardPose
    digest: str


@dataclass(frozen=True, slots=True)
class Solid:
    """A piece as it lies on its sheet: its outline (mm), between two heights, and its face."""

    sheet: Sheet
    outline: Floats
    base: float
    top: float
    piece: str
    label: str
    centre: tuple[float, float]
    turn: float
    form: str = "flat"
    floors: int = 1


def solids_on(sheet: Sheet, look: Mapping[str, str], sloppiness: Sloppiness) -> list[Solid]:
    """The solids on a sheet with this look."""
    board = sheet.board
    solids = [
        _laid(sheet, board.spots[name], label, _lift(board, name, look), sloppiness)
        for name, label in look.items()
        if not _is_count(board, name)
    ]
    by_place: dict[tuple[float, float], list[str]] = {}
    for name, label in look.items():
        if _is_count(board, name):
            by_place.setdefault(board.spots[name].centre, []).extend([name] * int(label))
    for place, names in by_place.items():
        solids.extend(_gathered(sheet, place, names, sloppiness))
    return solids


def _lift(board: Board, name: str, look: Mapping[str, str]) -> float:
    """How much higher (mm) than its spot's height a piece lies because it stands on a stack."""
    spot = board.spots[name]
    below = board.pieces.get(board.pieces[spot.piece].raised_by)
    if below is None or not below.stacked:
        return 0.0
    return (int(look.get(f"{below.name} {spot.site}", "1")) - 1) * below.height


def _is_count(board: Board, name: str) -> bool:
    """Whether a spot's label is a number of pieces rather than a kind of piece."""
    spot = board.spots[name]
    return board.pieces[spot.piece].lies_on == "slot"


def _laid(sheet: Sheet, spot: Spot, label: str, lift: float, sloppy: Sloppiness) -> Solid:
    """A piece on its spot, a little off as people lay it; what stands on a stack lies as the stack does."""
    piece = sheet.board.pieces[spot.piece]
    below = sheet.board.pieces.get(piece.raised_by)
    named = f"{spot.site}" if piece.stacked or (below and below.stacked) else f"{spot.name}={label}"
    dice = np.random.default_rng([sloppy.seed, zlib.crc32(named.encode())])
    floors = int(label) if piece.stacked else 1
    flat = spot.base == 0 and spot.height < 4
    shift = (sloppy.ward_shift if flat else sloppy.shift) * np.sqrt(dice.random()) * unit(dice.random() * math.tau)
    slack = sloppy.ward_turn if flat else sloppy.turn
    if piece.shape == "disc":
        turn = dice.random() * 360.0
    else:
        turn = dice.uniform(-slack, slack)
        if not piece.oriented:
            turn += _TURNS[piece.shape] * float(dice.integers(0, 6))
    centre = np.array(spot.centre)
    outline = turned(np.array(spot.outline) - centre, turn) + centre + shift
    place = (float(centre[0] + shift[0]), float(centre[1] + shift[1]))
    return Solid(
        sheet,
        outline,
        spot.base + lift,
        spot.base + lift + spot.height * floors,
        spot.piece,
        label,
        place,
        turn + math.degrees(heading(spot, piece)),
        piece.top,
        floors,
    )


def _gathered(sheet: Sheet, place: tuple[float, float], names: list[str], sloppy: Sloppiness) -> list[Solid]:
    """Pieces that stand together around a place, none touching another."""
    dice = np.random.default_rng([sloppy.seed, zlib.crc32(repr(place).encode())])
    seats = [np.zeros(2)] + [12.0 * unit(math.tau * (k / 6 + dice.random() / 24)) for k in range(6)]
    order = [seats[int(k)] for k in dice.permutation(len(seats))]
    solids = []
    for index, name in enumerate(names):
        spot = sheet.board.spots[name]
        seat = order[index] if index < len(order) else 21.0 * unit(index * 0.6)
        offset = seat + dice.uniform(-0.8, 0.8, 2)
        outline = np.array(spot.outline) + offset
        label = name.removeprefix(f"{spot.piece} {spot.site} ")
        centre = (place[0] + float(offset[0]), place[1] + float(offset[1]))
        turn = float(dice.random() * 360)
        solids.append(Solid(sheet, outline, 0.0, spot.height, spot.piece, label, centre, turn))
    return solids


def turned(points: Floats, degrees: float) -> Floats:
    """Points (n, 2) turned about the origin, clockwise as seen."""
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.asarray(points @ np.array([[cosine, sine], [-sine, cosine]]))


def unit(angle: float) -> Floats:
    """The direction (2,) of an angle (radians)."""
    return np.array([math.cos(angle), math.sin(angle)])
