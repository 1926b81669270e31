"""The piece sheets: every item at its exact position, millimetres from the sheet's top-left corner.

The board's own sheet needs no list: its definition is both printed and detected. The piece sheets list every face, so
that the pieces on the table are those that the manifest and the camera's profile describe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.components import Component
from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import RUBRIC, SEPIA
from calibration.drawing.ink import Ink
from calibration.editions import USUAL, Edition
from calibration.errors import PrintError
from calibration.faces import draw_face, draw_reverse
from calibration.nets import draw_net
from calibration.packing import CutRow, rows_of
from calibration.registry import art_of
from calibration.solids import net_of
from companion.board.lattice import Point
from companion.board.layout import Board

PAPERS: dict[str, Point] = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "A2": (420.0, 594.0)}
"""Upright sizes in millimetres."""

MARGIN = 10.0
"""White border (mm) that any printer can leave."""
_HEADER = 9.0
"""Height (mm) of a sheet's title."""
_FOOTER = 9.0
"""Height (mm) of its footer."""
_HEADING = 7.0
"""Height (mm) of a component's heading."""
_BETWEEN = 2.0
"""Gap (mm) between components."""
_KEPT_TOGETHER = 80.0
"""A component at most this high (mm) is not split over two sheets."""
_LISTED = 10
"""Up to this many labels are listed in a heading even where all have the same number of pieces."""


@dataclass(frozen=True, slots=True)
class Item:
    """One face or net to cut out: the centre of its position on the sheet and its turn (degrees clockwise)."""

    component: Component
    label: str
    inscription: str
    reverse: bool
    centre: Point
    turn: float


@dataclass(frozen=True, slots=True)
class SheetHeading:
    """A line of text above the items that follow, at its left end."""

    text: str
    place: Point


@dataclass(frozen=True, slots=True)
class SheetSpec:
    """One sheet of pieces to print and cut."""

    title: str
    size: Point
    items: tuple[Item, ...]
    headings: tuple[SheetHeading, ...]


@dataclass(frozen=True, slots=True)
class _Face:
    component: Component
    label: str
    inscription: str
    reverse: bool


_Content = tuple[Component, list[_Face]]


def piece_sheets(board: Board, components: Sequence[Component], paper: str = "A4") -> tuple[SheetSpec, ...]:
    """Sheets with all components, each in the number that is in the box.

    Shared things come first, with those of which every player has a single one. Each player's pieces are together, so
    that only the colours in play need be printed: on sheets of their own, or with other players' where one sheet holds
    several. Raises PrintError where a component does not fit on the paper.
    """
    size = PAPERS[paper]
    common = [(c, _faces(c, tuple(c.counts))) for c in components if c.each_player <= 1]
    owned = {colour: [(c, _faces(c, (colour,))) for c in components if c.each_player > 1] for colour in board.palette}
    sheets = _fewest(board.name, size, common)
    together: list[str] = []
    for colour in board.palette:
        sheet = _filled("", size, [c for name in (*together, colour) for c in owned[name]])
        if together and len(sheet) > 1:
            sheets += _filled(_owned_title(board, together), size, [c for name in together for c in owned[name]])
            together = []
        together.append(colour)
    sheets += _filled(_owned_title(board, together), size, [c for name in together for c in owned[name]])
    return tuple(sheets)


def sticker_sheets(board: Board, components: Sequence[Component], paper: str = "A4") -> tuple[SheetSpec, ...]:
    """Sheets with the tops of the second edition's standing pieces, for people who have wooden ones."""
    drawn = art_of(board).second
    stickers = [
        replace(c, form="sticker")
        for c in components
        if c.on_board and c.form == "net" and (c.piece.name, c.piece.shape) in drawn
    ]
    contents = [(c, _faces(c, tuple(c.counts))) for c in stickers if not c.each_player]
    contents += [(c, _faces(c, (colour,))) for colour in board.palette for c in stickers if c.each_player]
    return tuple(_filled(f"{board.name}: stickers for wooden pieces", PAPERS[paper], contents))


def pages_for_players(board: Board, sheets: Sequence[SheetSpec]) -> tuple[list[int], dict[str, list[int]]]:
    """The pages that every table needs, and those that each colour needs in addition."""
    pages = list(enumerate(sheets, 1))
    owned = {colour: [k for k, sheet in pages if colour in _owners(board, sheet)] for colour in board.palette}
    return [k for k, sheet in pages if not _owners(board, sheet)], {c: found for c, found in owned.items() if found}


def _owners(board: Board, sheet: SheetSpec) -> frozenset[str]:
    """The players whose pieces are on a sheet of players' pieces."""
    named = sheet.title.removeprefix(f"{board.name}: ").split(", ")
    return frozenset(colour for colour in board.palette if colour in named)


def _owned_title(board: Board, players: Sequence[str]) -> str:
    return f"{board.name}: {', '.join(players)}"


def draw_sheet(ink: Ink, board: Board, sheet: SheetSpec, number: int, count: int, edition: Edition = USUAL) -> None:
    """Draw a sheet on a page of its size."""
    width, height = sheet.size
    ink.text(MARGIN, MARGIN + 2, sheet.title, 2.8, RUBRIC, anchor="start")
    ink.text(width - MARGIN, MARGIN + 2, f"{number} / {count}", 2.2, SEPIA, anchor="end")
    for heading in sheet.headings:
        ink.text(*heading.place, heading.text, 2.0, SEPIA, anchor="start", widest=width - 2 * MARGIN)
    for item in sheet.items:
        draw_item(ink, board, item, edition)
    draw_ruler(ink, MARGIN, height - MARGIN)


def draw_item(ink: Ink, board: Board, item: Item, edition: Edition = USUAL) -> None:
    """Draw an item at its place on the sheet."""
    component = item.component
    with ink.placed(*item.centre, item.turn):
        if component.form == "net":
            across, down = net_of(component.piece).size
            with ink.placed(-across / 2, -down / 2):
                draw_net(ink, board, component.piece, item.label, edition)
        elif item.reverse:
            draw_reverse(ink, board, component.piece, item.label, item.inscription)
        else:
            draw_face(ink, board, component.piece, item.label, item.inscription, edition)


def draw_ruler(ink: Ink, x: float, y: float, length: float = 100.0) -> None:
    """A ruler with its zero at (x, y), to check that the printer kept the scale."""
    ink.line([(x, y), (x + length, y)], DARK, 0.2)
    for k in range(int(length) + 1):
        tall = 2.6 if k % 10 == 0 else 1.8 if k % 5 == 0 else 1.1
        ink.line([(x + k, y), (x + k, y - tall)], DARK, 0.15)
    ink.text(x + length + 3, y - 1.2, f"{length:g} mm: print at 100 %, “actual size”", 1.8, SEPIA, anchor="start")


def _faces(component: Component, labels: Sequence[str]) -> list[_Face]:
    """Everything to cut out for these labels of a component: upper sides, then lower sides."""
    upper, lower, first = list[_Face](), list[_Face](), 0
    for label, count in component.counts.items():
        if label in labels:
            own = range(first, first + count)
            upper += [_Face(component, label, component.obverse[k] if component.obverse else "", False) for k in own]
            lower += [_Face(component, label, component.reverse[k], True) for k in own if component.reverse]
        first += count
    return [*upper, *lower]


class _Page:
    """A sheet being filled from top to bottom."""

    def __init__(self, size: Point) -> None:
        self.left = size[1] - 2 * MARGIN - _HEADER - _FOOTER
        """millimetres still free"""
        self._y = MARGIN + _HEADER
        self._items, self._headings = list[Item](), list[SheetHeading]()

    def head(self, text: str) -> None:
        self._headings.append(SheetHeading(text, (MARGIN, self._y + _HEADING / 2)))
        self.skip(_HEADING)

    def put(self, component: Component, row: CutRow[_Face]) -> None:
        for face, cell in row.places:
            place = (MARGIN + cell.centre[0], self._y + cell.centre[1])
            self._items.append(Item(component, face.label, face.inscription, face.reverse, place, cell.turn))
        self.skip(row.height)

    def skip(self, height: float) -> None:
        self._y, self.left = self._y + height, self.left - height

    def sheet(self, title: str, size: Point) -> SheetSpec:
        return SheetSpec(title, size, tuple(self._items), tuple(self._headings))


def _fewest(title: str, size: Point, contents: Sequence[_Content]) -> list[SheetSpec]:
    """Sheets with these components in their order, or where that saves a sheet in another: the tallest first, or those
    that leave the least of their last sheet.
    """
    room = _Page(size).left
    by_size = sorted(contents, key=lambda content: -_height(size, *content))
    by_rest = sorted(contents, key=lambda content: -(_height(size, *content) % room))
    return min((_filled(title, size, order) for order in (contents, by_size, by_rest)), key=len)


def _height(size: Point, component: Component, faces: list[_Face]) -> float:
    return sum(row.height for row in rows_of(component, faces, size[0] - 2 * MARGIN)) + _HEADING


def _filled(title: str, size: Point, contents: Sequence[_Content]) -> list[SheetSpec]:
    """Sheets with a heading over each component, which goes where an earlier sheet has room for all of it, else on from
    the last one; a small component is not torn apart.
    """
    pages: list[_Page] = []
    for component, faces in contents:
        rows = list(rows_of(component, faces, size[0] - 2 * MARGIN))
        tallest, total = max(row.height for row in rows), sum(row.height for row in rows)
        if tallest + _HEADING > _Page(size).left:
            raise PrintError(
                f"{component.name}: is {tallest:g} mm tall, too much for this paper; print on larger paper"
            )
        page = next((page for page in pages if total + _HEADING <= page.left), None)
        if page is None:
            together = (total if total < _KEPT_TOGETHER else tallest) + _HEADING
            page = pages[-1] if pages and together <= pages[-1].left else _begun(pages, size)
        page.head(_heading(component, faces))
        for row in rows:
            if row.height > page.left:
                page = _begun(pages, size)
                page.head(f"{component.name} (continued)")
            page.put(component, row)
        page.skip(_BETWEEN)
    return [page.sheet(title, size) for page in pages]


def _begun(pages: list[_Page], size: Point) -> _Page:
    pages.append(_Page(size))
    return pages[-1]


def _heading(component: Component, faces: Sequence[_Face]) -> str:
    labels = (face.label for face in faces if not face.reverse)
    counts = Counter(label.rpartition(" ")[0] if component.piece.oriented else label for label in labels)
    owner = f"{faces[0].label} " if component.each_player > 1 else ""
    text = f"{counts.total()} × {owner}{component.name}"
    number = next(iter(counts.values()))
    if len(counts) > _LISTED and len(set(counts.values())) == 1:
        text += f" ({number} of each)"
    elif len(counts) > 1 and number > 1 and len(set(counts.values())) == 1:
        text += f" ({number} each: {', '.join(counts)})"
    elif len(counts) > 1:
        each = [f"{n} × {what}" if what[:1].isdigit() else f"{n} {what}" for what, n in counts.items()]
        text += f" ({', '.join(each)})"
    if component.form == "net":
        return f"{text}: cut the outline, fold the dashed lines, glue the hatched tabs"
    if component.form == "sticker":
        if component.piece.shape == "disc":
            return f"{text}: glue on card, cut, and glue on the heads of your wooden pawns, like hats"
        return f"{text}: cut, and glue on top of your wooden pieces"
    if component.reverse:
        return f"{text}: glue a front and a back on both sides of {component.piece.height:g} mm card"
    if component.piece.height >= 1.5:
        return f"{text}: glue on {component.piece.height:g} mm card, then cut"
    return text
