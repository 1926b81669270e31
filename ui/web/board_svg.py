"""The board as an SVG picture: sites and pieces as outlines in millimetres, in the colours of the app's drawing."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from calibration.drawing import colours
from companion.board.lattice import Point
from companion.board.layout import Board, Piece, Spot
from ui.drawing import marks
from ui.drawing.board_frame import Box, shown_part, site_centre, site_outline
from ui.drawing.faces import letters_of
from ui.drawing.shapes import centre_of, circle, scaled
from ui.drawing.theme import SHEET, Colour, face_colour, mixed, printed, readable_on
from ui.services.text import place_name
from ui.view_models.phone_view import BoardPicture
from ui.view_models.play_view import PieceState, PieceView
from ui.web.markup import Html, element, joined

ROOF_SHARE = 0.68
INK, PRINT, GRID, RIVER = (printed(colour) for colour in (colours.INK, colours.SEPIA, colours.FAINT, colours.RIVER))
AROUND, ABOVE = 6.0, 13.0
"""millimetres of ground around an area's places, and above them for its name"""


def board_svg(board: Board, picture: BoardPicture) -> str:
    """The whole picture: what is printed, then the pieces, then what is marked."""
    part = shown_part(board)
    pieces = [_piece(board, view) for view in picture.pieces if view.spot in board.spots]
    marked = [
        _outline(site_outline(board, site), marks.WRONG_RED, 1.6) for site in picture.sites if _is_site(board, site)
    ]
    ground = _rectangle(part, SHEET)
    contents = joined(ground, *_printed(board, part), *pieces, *marked)
    left, top, right, bottom = part
    return element(
        "svg", contents, xmlns="http://www.w3.org/2000/svg",
        viewBox=f"{left:g} {top:g} {right - left:g} {bottom - top:g}", font_family="sans-serif",
        text_anchor="middle", dominant_baseline="central", stroke_linejoin="round",
    )  # fmt: skip


def touch_map(board: Board, sites: Iterable[str], address: str) -> Html:
    """A transparent picture of the same size in which each site is a link: `address` with the site in place of {}."""
    part = shown_part(board)
    left, top, right, bottom = part
    links = [
        element(
            "a",
            element("path", d=_path(site_outline(board, site))),
            href=address.format(quote(site, safe="")),
            aria_label=place_name(board.game, site),
        )
        for site in sites
        if _is_site(board, site)
    ]
    return element(
        "svg", *links, class_="touch", viewBox=f"{left:g} {top:g} {right - left:g} {bottom - top:g}"
    )  # fmt: skip


def _is_site(board: Board, site: str) -> bool:
    return site_centre(board, site) is not None


def _printed(board: Board, part: Box) -> Iterable[Html]:
    lattice = board.lattice
    prefixes = {group.prefix for group in board.groups.values()}
    for kind, colour in colours.AREAS.items():
        for name, site in board.features.get(kind, {}).items():
            if site.partition("/")[0] in prefixes:
                left, top, right, bottom = _area(board, site)
                ground = printed(colour)
                yield _rectangle((left, top, right, bottom), ground)
                yield _text(place_name(board.game, name), ((left + right) / 2, top + 6.5), 6.0, readable_on(ground))
    if lattice.edge_ends:
        ends = [(lattice.places[a], lattice.places[b]) for a, b in lattice.edge_ends.values()]
        lines = "".join(f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}" for (ax, ay), (bx, by) in ends)
        yield element("path", d=lines, stroke=_code(GRID), stroke_width="0.5", fill="none")
    sites = dict(board.grid.cells) if board.grid is not None else {}
    sites |= {site: place for places in board.groups.values() for site, place in places.sites.items()}
    roads = [(sites[a], sites[b]) for pairs in board.links.values() for a, b in pairs if a in sites and b in sites]
    joined_sites = {site for pairs in board.links.values() for pair in pairs for site in pair}
    if roads:
        lines = "".join(f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}" for (ax, ay), (bx, by) in roads)
        yield element("path", d=lines, stroke=_code(mixed(PRINT, SHEET, 0.2)), stroke_width="1.4", fill="none")
    for site in sites:
        yield element(
            "path", d=_path(site_outline(board, site)), fill=_code(mixed(SHEET, RIVER, 0.15)),
            stroke=_code(PRINT), stroke_width="0.5",
        )  # fmt: skip
    for site in joined_sites & sites.keys():
        x, y = sites[site]
        yield _text(place_name(board.game, site.rpartition("/")[2]), (x, y + 13), 6.0, INK)
    for place in board.slots.values():
        yield element(
            "path", d=_path(circle(place, board.slot_diameter / 2)), fill=_code(mixed(PRINT, SHEET, 0.8)),
            stroke=_code(PRINT), stroke_width="0.8",
        )  # fmt: skip


def _piece(board: Board, view: PieceView) -> Html:
    spot = board.spots[view.spot]
    piece = board.pieces[spot.piece]
    label = spot.name.rpartition(" ")[2] if piece.lies_on == "slot" else view.label
    fill = face_colour(piece.name, "1" if piece.stacked else label) if label else SHEET
    ink = readable_on(fill)
    shape = _figure(board, spot, piece)
    faded = view.state in (PieceState.OWED, PieceState.GONE)
    body = element(
        "path", d=_path(shape), fill=_code(mixed(fill, SHEET, 0.6) if faded else fill),
        stroke=_code(mixed(fill, INK, 0.55)), stroke_width="0.7",
    )  # fmt: skip
    sign = view.label if piece.stacked else letters_of(piece, label)
    height = max(y for _x, y in shape) - min(y for _x, y in shape)
    size = piece.size[0] * 0.36 if piece.shape == "rhombus" else height * 0.5
    word = _text(sign, centre_of(shape), size, ink) if sign else Html("")
    if view.state in marks.AROUND:
        around = _outline(shape, marks.colour_of(view.state), 1.6)
        return joined(_outline(shape, (1.0, 1.0, 1.0), 3.0), body, around, word)
    return joined(body, word)


def _figure(board: Board, spot: Spot, piece: Piece) -> tuple[Point, ...]:
    """A piece's own outline, smaller where it would hide the one it stands on."""
    raises = board.pieces.get(piece.raised_by) if piece.raised_by else None
    if raises is not None and piece.size[0] > raises.size[0] * 0.8:
        return scaled(spot.outline, spot.centre, ROOF_SHARE)
    if piece.shape == "disc":
        return circle(spot.centre, piece.size[0] / 2)
    return tuple(spot.outline)


def _area(board: Board, site: str) -> Box:
    """The places (mm) that share a site's prefix, with their ground around them."""
    prefix = site.partition("/")[0]
    spans = [
        (x - group.size[0] / 2, y - group.size[-1] / 2, x + group.size[0] / 2, y + group.size[-1] / 2)
        for group in board.groups.values()
        if group.prefix == prefix
        for x, y in group.places.values()
    ]
    left, top, right, bottom = zip(*spans, strict=True)
    return min(left) - AROUND, min(top) - ABOVE, max(right) + AROUND, max(bottom) + AROUND


def _outline(points: Iterable[Point], colour: Colour, width: float) -> Html:
    return element("path", d=_path(points), fill="none", stroke=_code(colour), stroke_width=f"{width:g}")


def _rectangle(part: Box, colour: Colour) -> Html:
    left, top, right, bottom = part
    return element(
        "rect", x=f"{left:g}", y=f"{top:g}", width=f"{right - left:g}", height=f"{bottom - top:g}", fill=_code(colour)
    )


def _text(text: str, place: Point, size: float, colour: Colour) -> Html:
    return element("text", text, x=f"{place[0]:.1f}", y=f"{place[1]:.1f}", font_size=f"{size:.1f}", fill=_code(colour))


def _path(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def _code(colour: Colour) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)
