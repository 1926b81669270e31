"""How a game's board is drawn on the screen, from the `drawing.toml` in its folder. No Kivy.

It names kinds of features of the board definition, so that it holds for every edition of the game; without it a board
is drawn plainly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from companion.board.layout import Board
from companion.files.documents import DocumentTable, parse_toml, read_text
from companion.registry import game_folder, known_games

Rgb = tuple[float, float, float]
"""red, green and blue, 0 to 1"""
FILE = "drawing.toml"
FORMAT = 1
AROUND, ABOVE = 6.0, 13.0
"""millimetres of ground around an area's places, and above them for its name"""


@dataclass(frozen=True, slots=True)
class PlayerMark:
    """A player's place: a disc of the colour that the feature names, with a caption.

    `outlet` is the feature that names the cell into which the place of the same colour opens on a short side.
    """

    caption: str
    outlet: str = ""


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """By kind of feature: the ground of the places around its sites, the colour of its region, its marks.

    The cells of `channels` show water that joins those of their sides that have a neighbour.
    """

    grounds: Mapping[str, Rgb]
    regions: Mapping[str, Rgb]
    marks: Mapping[str, PlayerMark]
    channels: frozenset[str]

    @property
    def features(self) -> frozenset[str]:
        """The kinds of features that are drawn in one of these ways."""
        outlets = (mark.outlet for mark in self.marks.values() if mark.outlet)
        return frozenset((*self.grounds, *self.regions, *self.marks, *self.channels, *outlets))


PLAIN = BoardDrawing(MappingProxyType({}), MappingProxyType({}), MappingProxyType({}), frozenset())


def area_of(board: Board, site: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom (mm) of the places that share a site's prefix, with their ground around them."""
    prefix = site.partition("/")[0]
    spans = [
        (x - group.size[0] / 2, y - group.size[-1] / 2, x + group.size[0] / 2, y + group.size[-1] / 2)
        for group in board.groups.values()
        if group.prefix == prefix
        for x, y in group.places.values()
    ]
    left, top, right, bottom = zip(*spans, strict=True)
    return min(left) - AROUND, min(top) - ABOVE, max(right) + AROUND, max(bottom) + AROUND


def drawing_of(board: Board) -> BoardDrawing:
    """How a board is drawn: as its game says.

    Raises InvalidDocument.
    """
    return _drawing_of_game(board.game) if board.game in known_games() else PLAIN


@cache
def _drawing_of_game(game_id: str) -> BoardDrawing:
    path = game_folder(game_id) / FILE
    return parse_drawing(parse_toml(read_text(path), f"{game_id}/{FILE}")) if path.exists() else PLAIN


def parse_drawing(document: DocumentTable) -> BoardDrawing:
    """A drawing from its document.

    Raises InvalidDocument.
    """
    document.only("format", "ground", "region", "mark", "channel")
    document.integer("format", FORMAT, FORMAT)
    grounds, regions = (document.table(key, optional=True) for key in ("ground", "region"))
    marks = document.table("mark", optional=True)
    return BoardDrawing(
        MappingProxyType({kind: _colour(grounds, kind) for kind in grounds}),
        MappingProxyType({kind: _colour(regions, kind) for kind in regions}),
        MappingProxyType({kind: _mark(marks.table(kind)) for kind in marks}),
        frozenset(document.texts("channel", optional=True)),
    )


def _mark(table: DocumentTable) -> PlayerMark:
    table.only("caption", "outlet")
    return PlayerMark(table.text("caption", longest=8), table.text("outlet", "", longest=60))


def _colour(table: DocumentTable, key: str) -> Rgb:
    parts = table.integers(key, 0, 255, longest=3)
    if len(parts) < 3:
        raise table.invalid(key, "must be red, green and blue, each from 0 to 255")
    return parts[0] / 255, parts[1] / 255, parts[2] / 255
