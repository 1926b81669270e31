"""The actions of Aqua Romana, one physical gesture each, and their notation."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.errors import InvalidNotation
from companion.games.aqua_romana.drawings import CANONICAL, KINDS
from companion.games.aqua_romana.state import BUILDERS
from companion.notation import Notated, read_action


@dataclass(frozen=True, slots=True)
class Place(Notated):
    """Put a builder of the set-up or of the reserve on a space of the path: `place curve 14`."""

    form = "place {builder} {space}"
    site_forms = ("path/{space}",)

    builder: str
    space: int


@dataclass(frozen=True, slots=True)
class Build(Notated):
    """Lay a tile ahead of one's worker with the builder on a space of the path: `build C4 curve 90 by 12`."""

    form = "build {tile} by {space}"
    site_forms = (
        "{cell}",
        "path/{space}",
    )

    tile: str
    space: int

    @property
    def cell(self) -> str:
        """The cell that the tile is laid on."""
        return self.tile.partition(" ")[0]


@dataclass(frozen=True, slots=True)
class Move(Notated):
    """Lay no tile; move the builder on a space of the path: `move 12`."""

    form = "move {space}"
    site_forms = ("path/{space}",)

    space: int


@dataclass(frozen=True, slots=True)
class Fountain(Notated):
    """Lay the tile that a builder's way over a fountain demands: `fountain C4 curve 90`."""

    form = "fountain {cell} {drawing}"
    site_forms = ("{cell}",)

    cell: str
    drawing: str


@dataclass(frozen=True, slots=True)
class Close(Notated):
    """Close the player's own aqueduct whose worker is at this side of a cell: `close C4/N`."""

    form = "close {end}"
    site_forms = ("{end}",)

    end: str


@dataclass(frozen=True, slots=True)
class EndTurn(Notated):
    """End the turn: `end`."""

    form = "end"


@dataclass(frozen=True, slots=True)
class Take(Notated):
    """Take a builder from the reserve: `take joker`."""

    form = "take {builder}"
    site_forms = ("reserve/{builder}",)

    builder: str


KINDS_OF_ACTION: tuple[type, ...] = (Place, Build, Move, Fountain, Close, EndTurn, Take)

_CELL = re.compile(r"[A-Z][1-9][0-9]?")
_FORMS = {
    "place": "'place curve 14'", "build": "'build C4 curve 90 by 12'", "move": "'move 12'",
    "fountain": "'fountain C4 curve 90'", "close": "'close C4/N'", "end": "'end'", "take": "'take joker'",
}  # fmt: skip


def parse(text: str) -> object:
    """The action of a text; cells and spaces may lie off the board, which is for the rules to say.

    Raises InvalidNotation.
    """
    return read_action(text, "'build C4 curve 90 by 12' or 'place curve 14'", _FORMS, _read)


def _read(word: str, rest: list[str]) -> object | None:
    match word, [part.lower() for part in rest]:
        case "place", [*builder, space]:
            return Place(_builder(builder), _space(space))
        case "build", [*tile, "by", space]:
            return Build(" ".join(parse_tile(" ".join(tile))), _space(space))
        case "move", [space]:
            return Move(_space(space))
        case "fountain", [*tile]:
            return Fountain(*parse_tile(" ".join(tile)))
        case "close", [end]:
            cell, _, side = end.upper().partition("/")
            if not _CELL.fullmatch(cell) or side not in ("N", "E", "S", "W"):
                raise InvalidNotation(f"{end!r} is no side of a cell such as 'C4/N'")
            return Close(f"{cell}/{side}")
        case "take", [*builder]:
            return Take(_builder(builder))
        case "end", []:
            return EndTurn()
    return None


def _builder(words: list[str]) -> str:
    builder = " ".join(words)
    if builder not in BUILDERS:
        raise InvalidNotation(f"{builder!r} is no builder; they are {', '.join(BUILDERS)}")
    return builder


def _space(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 3):
        raise InvalidNotation(f"{text!r} is no space of the path")
    return int(text)


def parse_tile(text: str) -> tuple[str, str]:
    """The cell and the drawing of a tile such as `C4 curve 90`, in the smallest of its equal rotations.

    Raises InvalidNotation.
    """
    cell, _, name = text.partition(" ")
    cell = cell.upper()
    if not _CELL.fullmatch(cell):
        raise InvalidNotation(f"{cell!r} is no cell such as 'C4'")
    if name not in CANONICAL:
        raise InvalidNotation(f"{name!r} is no tile; they are {', '.join(KINDS)} with a rotation of 0, 90, 180 or 270")
    return cell, CANONICAL[name]
