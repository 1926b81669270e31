"""How a game's board is shown on the screen, from the `drawing.toml` in its folder. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from companion.board.layout import Board
from companion.files.documents import DocumentTable, parse_toml, read_text
from companion.registry import game_folder, known_games, print_and_play_board

FILE = "drawing.toml"
FORMAT = 1
ANY_OF = " + "
"""between components any of which may be meant"""
Glance = tuple[float, float]
"""from where to where, as shares of its height from the top, a face has the picture that tells it at a glance"""
Part = tuple[float, float, float, float]
"""left, top, right and bottom in millimetres"""


@dataclass(frozen=True, slots=True)
class Building:
    """The components that buildings in notation are drawn of.

    "{shape}" in `top` is the roof's shape; what follows the word `raised_by` is shown one storey higher.
    """

    storey: str
    top: str
    raised_by: str


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """What parts of an edition's sheets are worth showing (mm: left, top, right, bottom), the board's first.

    `beside` is by the names of the further sheets. What is not told is None. `holdings` gives the component whose face
    stands for what a player holds, by the holding's name; "{kind}" in it is what is counted. `choices` gives the
    component whose face stands for an action, by a word of its notation; what follows the word are its labels. `cards`
    gives the component on whose face a closed piece is seen, by the piece's name; "{label}" in it is what is printed.
    `scores` gives what stands beside a line of the score sheet, by its rule: components and their labels, with
    `ANY_OF` between several. `building` is there in games with buildings of storeys.
    """

    shown: Part | None = None
    beside: Mapping[str, Part] = field(default_factory=lambda: MappingProxyType({}))
    holdings: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    choices: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    cards: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    scores: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    rows: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """holding whose cards lie in a row to be seen -> the holding that is told beside them, "" for none"""
    glances: Mapping[str, Glance] = field(default_factory=lambda: MappingProxyType({}))
    around: Mapping[str, Part] = field(default_factory=lambda: MappingProxyType({}))
    """group of places -> what is marked together with one of them, in mm from its middle"""
    paths: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """holding whose cards name, in order, the places of a path on the board -> the group of these places"""
    together: tuple[str, ...] = ()
    """features of the board; what is chosen at the sites of one of them stands together"""
    building: Building | None = None
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """holding -> its kinds in the order in which their faces stand, those that there is none of as well"""
    added: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """holding that is kept apart for a while -> the holding beside whose faces it is told"""
    swatches: tuple[str, ...] = ()
    """kinds of pieces of which a colour is chosen at a place"""
    played: tuple[str, ...] = ()
    """words of actions' notations: the cards whose faces always lie in the tray, in this order"""


@cache
def drawing_of(game_id: str) -> BoardDrawing:
    """How a game is shown; an empty drawing for a game that tells nothing or is not known.

    Raises InvalidDocument.
    """
    path = game_folder(game_id) / FILE if game_id in known_games() else None
    if path is None or not path.exists():
        return BoardDrawing()
    return parse_drawing(parse_toml(read_text(path), f"{game_id}/{FILE}"))


def told_part(board: Board) -> Part | None:
    """The part of a sheet that its game says is worth showing; None for a sheet that is not its game's own.

    Raises InvalidDocument.
    """
    if board.game not in known_games():
        return None
    edition, drawing = print_and_play_board(board.game), drawing_of(board.game)
    if edition.id == board.id:
        return drawing.shown
    return next((drawing.beside.get(name) for name, sheet in edition.beside.items() if sheet.id == board.id), None)


def told_together(board: Board) -> Mapping[str, str]:
    """Site -> the feature of the board with whose other sites it stands together.

    Raises InvalidDocument.
    """
    return {site: name for name in drawing_of(board.game).together for site in board.features.get(name, {}).values()}


def told_around(board: Board) -> Mapping[str, Part]:
    """Group of places -> what of the print is marked together with one of them: left, top, right, bottom in mm from its
    middle. None for a sheet that is not its game's own.

    Raises InvalidDocument.
    """
    is_own = board.game in known_games() and print_and_play_board(board.game).id == board.id
    return drawing_of(board.game).around if is_own else {}


def parse_drawing(document: DocumentTable) -> BoardDrawing:
    """A drawing from its document.

    Raises InvalidDocument.
    """
    document.only(
        "format", "shown", "beside", "holding", "choice", "card", "score", "row", "glance", "around", "path",
        "together", "building", "kinds", "added", "swatches", "played",
    )  # fmt: skip
    document.integer("format", FORMAT, FORMAT)
    beside = document.table("beside", optional=True)
    held = document.table("holding", optional=True)
    chosen, cards = document.table("choice", optional=True), document.table("card", optional=True)
    scores, rows = document.table("score", optional=True), document.table("row", optional=True)
    glances, around = document.table("glance", optional=True), document.table("around", optional=True)
    kinds, added = document.table("kinds", optional=True), document.table("added", optional=True)
    paths = document.table("path", optional=True)
    return BoardDrawing(
        _part(document, "shown"),
        MappingProxyType({name: _part(beside, name) for name in beside}),
        MappingProxyType({name: held.text(name, longest=60) for name in held}),
        MappingProxyType({word: chosen.text(word, longest=60) for word in chosen}),
        MappingProxyType({name: cards.text(name, longest=60) for name in cards}),
        MappingProxyType({rule: tuple(scores.text(rule, longest=120).split(ANY_OF)) for rule in scores}),
        MappingProxyType({name: rows.text(name, longest=60) for name in rows}),
        MappingProxyType({name: _glance(glances, name) for name in glances}),
        MappingProxyType({name: _part(around, name, least=-1000) for name in around}),
        MappingProxyType({name: paths.text(name, longest=60) for name in paths}),
        document.texts("together", optional=True),
        _building(document.table("building")) if "building" in document else None,
        MappingProxyType({name: kinds.texts(name) for name in kinds}),
        MappingProxyType({name: added.text(name, longest=60) for name in added}),
        document.texts("swatches", optional=True),
        document.texts("played", optional=True),
    )


def _glance(table: DocumentTable, key: str) -> Glance:
    sides = table.integers(key, 0, 100, longest=2)
    if len(sides) < 2 or sides[0] >= sides[1]:
        raise table.invalid(key, "must be from where to where of the face's height, in percent from the top")
    return sides[0] / 100, sides[1] / 100


def _building(table: DocumentTable) -> Building:
    table.only("storey", "top", "raised_by")
    return Building(*(table.text(name, longest=60) for name in ("storey", "top", "raised_by")))


def _part(table: DocumentTable, key: str, least: int = 0) -> Part:
    sides = table.integers(key, least, 10_000, longest=4)
    if len(sides) < 4 or not (sides[0] < sides[2] and sides[1] < sides[3]):
        raise table.invalid(key, "must be left, top, right and bottom in millimetres")
    left, top, right, bottom = map(float, sides)
    return left, top, right, bottom
