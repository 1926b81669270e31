"""The contents of the box: the number of every piece, and the inscriptions of single pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from companion.board.layout import SHAPES, Board, Piece
from companion.files.documents import DocumentTable, parse_toml, read_text

_MOST = 500
"""Largest number of pieces of one label."""


@dataclass(frozen=True, slots=True)
class Component:
    """A kind of thing in the box. `counts` maps its labels to their numbers; `each_player` is how many every player has
    of them, 0 for what belongs to nobody.

    `form` is "tile" (glued on card and cut) or "net" (cut and folded). `obverse` are the inscriptions on the upper
    sides of single pieces, `reverse` on their lower sides, in the order of the labels; both are empty where all pieces
    are alike.
    """

    name: str
    piece: Piece
    on_board: bool
    form: str
    counts: Mapping[str, int]
    each_player: int
    obverse: tuple[str, ...]
    reverse: tuple[str, ...]

    @property
    def total(self) -> int:
        """The number of pieces of all labels together."""
        return sum(self.counts.values())


def load_components(path: Path, board: Board) -> tuple[Component, ...]:
    """The components listed in a TOML file, for a board's edition of the game.

    Raises InvalidDocument.
    """
    return parse_components(parse_toml(read_text(path), path.name), board)


def parse_components(document: DocumentTable, board: Board) -> tuple[Component, ...]:
    """The components of a document, for a board's edition of the game.

    Raises InvalidDocument.
    """
    document.only("format", "game", "component")
    if document.integer("format") != 1:
        raise document.invalid("format", f"is {document.integer('format')}; this program reads format 1")
    if document.text("game", longest=100) != board.game:
        raise document.invalid("game", f"is {document.text('game')!r}, but the board is for {board.game!r}")
    components: dict[str, Component] = {}
    for table in document.tables("component", longest=100):
        component = _component(table, board)
        if component.name in components:
            raise table.invalid("name", f"{component.name!r} is described twice")
        components[component.name] = component
    return tuple(components.values())


def _component(table: DocumentTable, board: Board) -> Component:
    table.only("name", "piece", "shape", "size", "form", "count", "each_player", "obverse", "reverse")
    name = table.text("name", longest=40)
    each_player = table.integer("each_player", 0, _MOST, 0)
    counts_table = table.table("count", optional=True)
    counts = {label: counts_table.integer(label, 1, _MOST) for label in counts_table}
    if bool(counts) == bool(each_player):
        raise table.invalid("count", "or each_player must say how many there are, and not both")
    if each_player:
        counts = dict.fromkeys(board.palette, each_player)
    form = table.choice("form", ("tile", "net"), "tile")
    piece = _piece(table, name, board, tuple(counts))
    if form == "net" and piece.shape not in ("square", "rectangle", "bar", "disc"):
        raise table.invalid("form", f"is net, but a {piece.shape} cannot be folded")
    texts = {side: table.texts(side, optional=True, longest=_MOST) for side in ("obverse", "reverse")}
    for side, inscriptions in texts.items():
        if inscriptions and len(inscriptions) != sum(counts.values()):
            raise table.invalid(side, f"names {len(inscriptions)} pieces, but there are {sum(counts.values())}")
        for index, inscription in enumerate(inscriptions):
            if len(inscription) > 40:
                raise table.invalid(f"{side}[{index + 1}]", "is longer than 40 characters")
    return Component(
        name, piece, "piece" in table, form, MappingProxyType(counts), each_player, texts["obverse"], texts["reverse"]
    )


def _piece(table: DocumentTable, name: str, board: Board, labels: tuple[str, ...]) -> Piece:
    """The piece of the board, or of a sheet next to it, that the component is; or a piece of its own that is not on the
    board.
    """
    if "piece" in table:
        for key in ("shape", "size"):
            if key in table:
                raise table.invalid(key, "is the board's to say, as this component is one of its pieces")
        known = table.text("piece", longest=40)
        piece = next((sheet.pieces[known] for sheet in (board, *board.beside.values()) if known in sheet.pieces), None)
        if piece is None:
            raise table.invalid("piece", f"is {known!r}, which the board {board.id} does not have")
        for label in labels:
            if label not in piece.labels:
                raise table.invalid("count", f"has {label!r}, which is no label of the board's {known}")
        return piece
    size = table.sequence("size", longest=2)
    if not size or not all(isinstance(v, int | float) and not isinstance(v, bool) and 0 < v <= 500 for v in size):
        raise table.invalid("size", "must be one or two lengths in millimetres")
    return Piece(name, table.choice("shape", SHAPES), tuple(float(v) for v in size), 0.0, labels, "", "")
