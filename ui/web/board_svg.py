"""The board as SVG in a page: the app's own scene, with the printed pictures that the page loads once and keeps."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from urllib.parse import quote

from companion.board.lattice import Point
from companion.board.layout import Board
from ui.drawing.board_frame import (
    BoardFrame,
    Box,
    nearest_site,
    shown_part,
    site_centre,
    site_outline,
    site_places,
)
from ui.drawing.faces import Face, lying
from ui.drawing.shapes import Points, centre_of
from ui.drawing.theme import SHEET, Colour
from ui.printed.extent import Cell
from ui.printed.piles import pile
from ui.printed.scene import Drawn, Filled, Line, Looks, Quads, Shown, Word, compose_scene
from ui.services.text import site_name, translated_texts
from ui.web.art_files import BoardArt
from ui.web.markup import Html, element, joined

WIDTH = 344.0
"""of a whole board in the units of its drawing: the pixels that it has on a small phone"""
DP = 0.6
"""units of a dp: marks are a little finer than on the table's screen"""
AROUND = 22.0
"""millimetres around the places that a part of the board is drawn for"""
LEAST_SHARE = 0.5
"""of the board's width that is drawn at least"""
CORNERS = 16
"""numbers of a face in `Quads`: where it is on the page and in its picture, corner by corner"""

ROUND = 20
"""corners from which a regular polygon is a circle"""


class Symbols:
    """The printed faces that a page uses, each defined once; several on one page are told apart by a `prefix`."""

    def __init__(self, board: Board, art: BoardArt | None, prefix: str = "") -> None:
        self._board, self._art, self._prefix = board, art, prefix
        self._used: dict[str, Html] = {}
        cells = art.pictures.cells.items() if art is not None else ()
        self._names = {
            (cell.left, cell.top): (f"{prefix}f{number}", face, cell) for number, (face, cell) in enumerate(cells)
        }  # fmt: skip
        self._of_face = {face: (name, cell) for name, face, cell in self._names.values()}
        chips = art.held.cells.values() if art is not None else ()
        self._of_chip = {cell: f"{prefix}c{number}" for number, cell in enumerate(chips)}
        self._of_shape: dict[Html, str] = {}

    def at(self, left: float, top: float) -> str:
        """The symbol of the face that begins there in the picture of all faces."""
        name, _face, cell = self._names[left, top]
        return self._defined(name, cell, faces=True)

    def laid(self, pieces: Iterable[tuple[str, str]]) -> Html:
        """Pictures of pieces, named as (spot, label), as they lie."""
        there = [(spot, label) for spot, label in pieces if spot in self._board.spots and label]
        return joined(*(self.face(each.face) for each in lying(self._board, there)))

    def face(self, face: Face) -> Html:
        """A picture of a face; nothing where it has none."""
        found = self._of_face.get(face)
        if found is None:
            return Html("")
        name, cell = found
        return _picture(self._defined(name, cell, faces=True), cell)

    def chip(self, component: str, kind: str, colour: str) -> Html:
        """A picture of what a player holds; nothing where it has none."""
        cell = self._art.held.cell_of(component, kind, colour) if self._art is not None and component else None
        return _picture(self._defined(self._of_chip[cell], cell, faces=False), cell) if cell is not None else Html("")

    def tower(self, storey: str, kind: str, colour: str, storeys: int, top: str) -> Html:
        """A picture of a building of so many storeys with a component on top; nothing where a part has none."""
        cells = self._art.held if self._art is not None else None
        cell = cells.cell_of(storey, kind, colour) if cells is not None else None
        above = cells.cell_of(top, "", colour) if cells is not None and top else None
        if cell is None or (top and above is None):
            return Html("")
        drawn = []
        for part in pile(cell, storeys, above):
            (x, y), (width, height) = part.on_pixels(0, 0, 1)
            name = self._defined(self._named(part.cell), part.cell, faces=False)
            low = str(cell.height - y - height)
            size = {"width": f"{width:.0f}", "height": str(height)}
            drawn.append(element("use", href=f"#{name}", x=str(x), y=low, **size))
        tower = element("use", href=f"#{self.shape(joined(*drawn[:storeys]))}")  # one for all of that height
        return element("svg", tower, *drawn[storeys:], class_="face", viewBox=f"0 0 {cell.width} {cell.height}")

    def _named(self, cell: Cell) -> str:
        """The name of a part of the picture of what is held, whole faces or parts of them."""
        return self._of_chip.setdefault(cell, f"{self._prefix}c{len(self._of_chip)}")

    def shape(self, drawn: Html) -> str:
        """A symbol that shows this, which is drawn around (0, 0)."""
        if drawn not in self._of_shape:
            name = self._of_shape[drawn] = f"{self._prefix}s{len(self._of_shape)}"
            self._used[name] = element("g", drawn, id=name)
        return self._of_shape[drawn]

    def definitions(self) -> Html:
        """What the page needs to show all that was asked for."""
        return element("svg", *self._used.values(), width="0", height="0", class_="defined", aria_hidden="true")

    def _defined(self, name: str, cell: Cell, *, faces: bool) -> str:
        if name not in self._used and self._art is not None:
            file = self._art.faces if faces else self._art.chips
            width, height = self._art.pictures.atlas_size if faces else self._art.held.atlas_size
            box = f"{cell.left * width:.0f} {cell.top * height:.0f} {cell.width} {cell.height}"
            picture = f"{self._prefix}{'faces' if faces else 'chips'}"
            if picture not in self._used:  # once for all that are cut out of it
                size = {"width": str(width), "height": str(height)}
                image = element("image", href=f"/art/{file}", id=picture, **size)
                self._used[picture] = element("defs", image)
            self._used[name] = element("symbol", element("use", href=f"#{picture}"), id=name, viewBox=box)
        return name


def _picture(name: str, cell: Cell) -> Html:
    """A symbol alone, of the size of its cell; words that stand beside or around it say what it is."""
    used = element("use", href=f"#{name}")
    return element("svg", used, class_="face", viewBox=f"0 0 {cell.width} {cell.height}")


@dataclass(frozen=True, slots=True)
class SvgBoard:
    """Draws one board; `art` are its printed pictures, None for plain colours."""

    board: Board
    art: BoardArt | None
    symbols: Symbols

    @property
    def _frame(self) -> BoardFrame:
        left, top, right, _bottom = shown_part(self.board)
        scale = WIDTH / (right - left)
        return BoardFrame(scale, (-left * scale, top * scale))

    def svg(self, shown: Shown, part: Box | None = None, label: str = "") -> Html:
        """What the board shows, with its marks; `part` (mm) of it, or all."""
        looks = Looks(self._frame, self.art.pictures if self.art is not None else None, DP)
        left, high, width, height = self._box(None)
        ground: dict[str, str] = {"x": f"{left:g}", "y": f"{high:g}", "width": f"{width:g}", "height": f"{height:g}"}
        below = element("rect", **ground, fill=_code(SHEET))
        if self.art is not None:
            below = element("image", **ground, href=f"/art/{self.art.sheet}")
        drawn = groupby(compose_scene(self.board, looks, shown), key=_middle)
        return element(
            "svg", below, *(self._group(middle, tuple(each)) for middle, each in drawn), viewBox=self._view_box(part),
            role="img", aria_label=label, text_anchor="middle", dominant_baseline="central", stroke_linejoin="round",
        )  # fmt: skip

    def touch_map(self, sites: Iterable[str], address: str, part: Box | None = None) -> Html:
        """A clear drawing of the same size in which each site is a link: `address` with the site in place of {}."""
        links = []
        for site in sites:
            if site_centre(self.board, site) is not None:
                outline = self._frame.pixels(site_outline(self.board, site))
                used = self._used_at(centre_of(outline), _shape(outline), digits=0)
                name = site_name(translated_texts(self.board.game), site)
                links.append(element("a", used, href=address.format(quote(site)), aria_label=name))
        return element("svg", *links, class_="touch", viewBox=self._view_box(part)) if links else Html("")

    def site_at(self, point: Point, reach: float, sites: Iterable[str]) -> str:
        """The site that a finger at a point of the drawing means, `reach` units around it; "" for none.

        What lies under it comes first, and of that and of what is near one of `sites`.
        """
        places = site_places(self.board)
        meant = {site: places[site] for site in sites if site in places}
        there, near = self._frame.millimetres((point[0], -point[1])), reach / self._frame.scale
        tries = ((meant, 0.0), (places, 0.0), (meant, near), (places, near))
        found = (nearest_site(among, there, around) for among, around in tries)
        return next((site for site in found if site is not None), "")

    def part_around(self, sites: Iterable[str]) -> Box | None:
        """The part of the board (mm) to look at for some of its places; None where that is nearly all of it."""
        places = [place for site in sites if (place := site_centre(self.board, site)) is not None]
        if not places:
            return None
        left, top, right, bottom = shown_part(self.board)
        xs, ys = zip(*places, strict=True)
        shape = (bottom - top) / (right - left)
        width = max(
            max(xs) - min(xs) + 2 * AROUND, (max(ys) - min(ys) + 2 * AROUND) / shape, LEAST_SHARE * (right - left)
        )
        if width > 0.8 * (right - left):
            return None
        height = width * shape
        x = min(max((min(xs) + max(xs) - width) / 2, left), right - width)
        y = min(max((min(ys) + max(ys) - height) / 2, top), bottom - height)
        return x, y, x + width, y + height

    def likeliest_of(self, sites: Iterable[str]) -> Point | None:
        """Where a half of the board, as wide as high, holds most of some places: its middle, as shares of the board.

        None for places that are nowhere on it.
        """
        left, top, right, bottom = shown_part(self.board)
        width, height = right - left, bottom - top
        places = [
            ((place[0] - left) / width, (place[1] - top) / height)
            for site in sites if (place := site_centre(self.board, site)) is not None
        ]  # fmt: skip
        middles = [(min(max(x, 0.25), 0.75), min(max(y, 0.25), 0.75)) for x, y in places]

        def count(middle: Point) -> int:
            return sum(abs(x - middle[0]) <= 0.25 and abs(y - middle[1]) <= 0.25 for x, y in places)

        return max(middles, key=count, default=None)

    def _box(self, part: Box | None) -> Box:
        """Left, top, width and height of a part of the board (mm) in the drawing."""
        left, top, right, bottom = part or shown_part(self.board)
        (x, low), scale = self._frame.pixel((left, top)), self._frame.scale
        return x, -low, (right - left) * scale, (bottom - top) * scale

    def _view_box(self, part: Box | None) -> str:
        return " ".join(f"{side:.5g}" for side in self._box(part))

    def _used_at(self, middle: Point, drawn: Html, digits: int = 1) -> Html:
        x, y = f"{middle[0]:.{digits}f}", f"{-middle[1]:.{digits}f}"
        return element("use", href=f"#{self.symbols.shape(drawn)}", x=x, y=y)

    def _group(self, middle: Point | None, drawn: tuple[Drawn, ...]) -> Html:
        """What lies around one point, or what has none; a shape that is drawn in many places is written once."""
        shown = joined(*(self._element(each) for each in drawn))
        return self._used_at(middle, shown) if middle is not None else shown

    def _element(self, drawn: Drawn) -> Html:
        """What is drawn: faces and words where they are, shapes around (0, 0)."""
        match drawn:
            case Quads():
                faces = [self._face(drawn.vertices[at : at + CORNERS]) for at in range(0, len(drawn.vertices), CORNERS)]
                return joined(*faces) if drawn.opacity == 1.0 else element("g", *faces, opacity=f"{drawn.opacity:g}")
            case Filled():
                return _shape(drawn.points, fill=_code(drawn.colour))
            case Line():
                dash = " ".join(f"{length:g}" for length in drawn.dash) if drawn.dash[0] else None
                line = {"stroke": _code(drawn.colour), "stroke_width": f"{drawn.width:g}", "stroke_dasharray": dash}
                return _shape(drawn.points, fill="none", **line)
            case Word():
                x, y = f"{drawn.centre[0]:.1f}", f"{-drawn.centre[1]:.1f}"
                return element("text", drawn.text, x=x, y=y, font_size=f"{drawn.size:.1f}", fill=_code(drawn.colour))

    def _face(self, corners: tuple[float, ...]) -> Html:
        """One face: its upper left corner comes first, its lower right third."""
        left, high, right, low = corners[0], corners[1], corners[8], corners[9]
        return element(
            "use", href=f"#{self.symbols.at(corners[2], corners[3])}", x=f"{left:.1f}", y=f"{-high:.1f}",
            width=f"{right - left:.1f}", height=f"{high - low:.1f}",
        )  # fmt: skip


def _middle(drawn: Drawn) -> Point | None:
    """The point around which a shape lies; None for faces and words."""
    if not isinstance(drawn, Filled | Line):
        return None
    x, y = centre_of(drawn.points)
    return round(x, 1), round(y, 1)


def _shape(points: Points, **paint: str | None) -> Html:
    """A polygon, or a circle that is drawn as one, around (0, 0)."""
    x, y = centre_of(points)
    reaches = [math.dist((x, y), point) for point in points]
    if len(points) >= ROUND and max(reaches) - min(reaches) < 0.01:
        return element("circle", r=f"{reaches[0]:.1f}", **paint)
    path = "M" + "L".join(f"{each[0] - x:z.1f} {y - each[1]:z.1f}" for each in points) + "Z"
    return element("path", d=path, **paint)


def _code(colour: Colour) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
