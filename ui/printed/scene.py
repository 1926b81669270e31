"""What is drawn on a board's sheet, in order: faces as parts of one picture, and the marks around them. No Kivy.

Marks lie around what they mark and never on it: one that belongs to a piece is drawn above all that lies as low, and
the piece once more on top of it. Screen coordinates are pixels with y up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from companion.board.lattice import Point
from companion.board.layout import Board
from ui.drawing import marks
from ui.drawing.board_frame import BoardFrame, site_centre, site_outline, surroundings
from ui.drawing.faces import STOREY, Face, Lying, lying, outline_of
from ui.drawing.marks import Halo, Ring
from ui.drawing.shapes import (
    Points,
    band,
    centre_of,
    circle,
    dashes_along,
    moved,
    rim,
    shortened,
    stroke,
)
from ui.drawing.theme import BLACK, WHITE, Colour, face_colour, readable_on
from ui.printed.extent import Cell, Extent
from ui.printed.numbers import number_centres
from ui.view_models.play_view import PathView, PieceState, PieceView, PlaceView, VerdictKind, VerdictView

BEYOND = 1.0
"""millimetres between a piece's outline and the mark around it"""
MOST_REASONS = 3
"""places that are the reason why something is not allowed which have a sign"""
FEW_PLACES = 3
"""overlapping places that are outlined; of more a dot stands in each"""


@dataclass(frozen=True, slots=True)
class Quads:
    """Parts of the picture of all faces: for each corner x, y and where it is in the picture; four corners a face."""

    vertices: tuple[float, ...]
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Filled:
    """A convex polygon."""

    points: Points
    colour: Colour


@dataclass(frozen=True, slots=True)
class Line:
    """A line around a polygon; `width` in pixels, `dash` the lengths of dash and gap."""

    points: Points
    colour: Colour
    width: float
    dash: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Word:
    """A short text around a point; `size` in pixels."""

    text: str
    centre: Point
    size: float
    colour: Colour


Drawn = Quads | Filled | Line | Word


@dataclass(frozen=True, slots=True)
class Looks:
    """With what a board is drawn: where its sheet lies, its printed faces if they are there yet, pixels of a dp."""

    frame: BoardFrame
    pictures: Extent | None
    dp: float = 1.0


@dataclass(frozen=True, slots=True)
class Shown:
    """What a board shows: the pieces, the possible sites, the sites of a verdict, the pieces that would lie there by
    the choice that is looked at, the other places for it with their numbers, and the path that is being laid.
    """

    pieces: tuple[PieceView, ...] = ()
    legal: frozenset[str] = frozenset()
    verdict: VerdictView | None = None
    ghost: tuple[PieceView, ...] = ()
    places: tuple[PlaceView, ...] = ()
    path: PathView | None = None


def compose_scene(board: Board, looks: Looks, shown: Shown) -> tuple[Drawn, ...]:
    """All that lies on a sheet with its marks, from the sheet up."""
    return tuple(_joined(_drawn(board, looks, shown)))


def _drawn(board: Board, looks: Looks, shown: Shown) -> Iterator[Drawn]:
    legal, verdict = shown.legal, shown.verdict
    named = [view for view in (*shown.pieces, *shown.ghost) if view.spot in board.spots]
    views = [view for view in named if view.label]
    taken = frozenset(board.spots[view.spot].site for view in views)
    yield from _path(board, looks, shown.path)
    yield from _places(board, looks, legal - taken, is_empty=True)
    for place in shown.places:
        yield from _ring(looks, looks.frame.pixels(place.outline), marks.POSSIBLE, -marks.POSSIBLE.under * looks.dp)
    here = list(zip(views, lying(board, [(view.spot, view.label) for view in views]), strict=True))
    for level in sorted({each.level for _view, each in here}):
        there = [(view, each) for view, each in here if each.level == level]
        for view, each in there:
            yield from face_drawn(looks, each, marks.OPACITY[view.state])
        for view, each in there:
            if view.state in marks.AROUND:
                yield from _around(looks, _pixels(looks, each), marks.AROUND[view.state])
        for view, each in there:
            if view.state in marks.AROUND:
                yield from face_drawn(looks, each, marks.OPACITY[view.state])
    corrected = set[str]()
    for view, each in here:
        site = board.spots[view.spot].site
        is_told = view.state is PieceState.CORRECTED and site in corrected
        if view.state is PieceState.CORRECTED:
            corrected.add(site)
        if view.state in marks.SIGNS and not is_told:
            yield from _sign(looks, _pixels(looks, each), marks.SIGNS.get(view.state, "?"), marks.colour_of(view.state))
        if each.count > 1:
            yield from _count(looks, each)
    for view in named:
        if not view.label and view.state in marks.AROUND:
            shape = looks.frame.pixels(outline_of(board, board.spots[view.spot]))
            yield from _around(looks, shape, marks.AROUND[view.state])
            yield from _sign(looks, shape, marks.SIGNS.get(view.state, "?"), marks.colour_of(view.state))
    yield from _places(board, looks, legal & taken, is_empty=False)
    ghosts = [each for view, each in here if view.state is PieceState.GHOST]
    disc = marks.DISC * looks.dp / looks.frame.scale
    centres = number_centres(shown.places, ghosts[0].centre if ghosts else None, disc)
    for place, centre in zip(shown.places, centres, strict=True):
        yield from _number(looks, place, centre)
    if verdict is not None:
        yield from _spoken_of(board, looks, verdict, {view.spot: each for view, each in here})


def face_drawn(looks: Looks, each: Lying, opacity: float, larger: float = 1.0) -> Iterator[Drawn]:
    """A face around its centre, or a pile of them from below; `larger` than it is by a factor."""
    for storey in range(each.count if each.is_pile else 1):
        centre = (each.centre[0], each.centre[1] - STOREY * storey)
        cell = looks.pictures.cells.get(each.face) if looks.pictures is not None else None
        if cell is not None and looks.pictures is not None:
            grown = looks.frame.scale / looks.pictures.scale
            yield Quads(_quad(cell, looks.frame.pixel(centre), grown * larger), opacity)
        else:
            yield from _plain(looks, each.face, moved(each.outline, 0.0, -STOREY * storey))


def _plain(looks: Looks, face: Face, outline: Points) -> Iterator[Drawn]:
    """A face in its colour with its first letters, while its picture is not there."""
    points, colour = looks.frame.pixels(outline), face_colour(face.piece, face.label)
    yield Filled(points, colour)
    yield Line(points, readable_on(colour), 1.0)
    height = max(y for _x, y in points) - min(y for _x, y in points)
    yield Word(face.label[:2].title(), centre_of(points), height * 0.4, readable_on(colour))


def _quad(cell: Cell, centre: Point, grown: float) -> tuple[float, ...]:
    """The corners of a face around a point, at whole pixels where it is as large as its picture."""
    width, height = cell.width * grown, cell.height * grown
    left, low = centre[0] - width / 2, centre[1] - height / 2
    if grown == 1.0:
        left, low = round(left), round(low)
    right, high = left + width, low + height
    return (
        left, high, cell.left, cell.top, right, high, cell.right, cell.top,
        right, low, cell.right, cell.bottom, left, low, cell.left, cell.bottom,
    )  # fmt: skip


def _joined(drawn: Iterator[Drawn]) -> Iterator[Drawn]:
    """The same with faces that follow one another in one."""
    run: list[Quads] = []
    for each in drawn:
        if run and not (isinstance(each, Quads) and each.opacity == run[0].opacity):
            yield replace(run[0], vertices=tuple(value for quads in run for value in quads.vertices))
            run = []
        if isinstance(each, Quads):
            run.append(each)
        else:
            yield each
    if run:
        yield replace(run[0], vertices=tuple(value for quads in run for value in quads.vertices))


def _pixels(looks: Looks, each: Lying) -> Points:
    """The outline of what lies there: of a pile its uppermost piece's."""
    raised = -STOREY * (each.count - 1) if each.is_pile else 0.0
    return looks.frame.pixels(moved(each.outline, 0.0, raised))


def _around(looks: Looks, shape: Points, mark: Halo | Ring) -> Iterator[Drawn]:
    """A mark around a shape (pixels)."""
    gap = BEYOND * looks.frame.scale
    if isinstance(mark, Ring):
        yield from _ring(looks, shape, mark, gap)
        return
    widths = [width * looks.dp for _colour, width in mark.bands]
    yield Filled(_grown(shape, gap + widths[-1]), mark.bands[-1][0])
    reach = gap + sum(widths)
    for (colour, _dp), width in zip(mark.bands, widths, strict=True):
        yield Line(_grown(shape, reach - width / 2), colour, width)
        reach -= width


def ring_around(board: Board, looks: Looks, spot: str, mark: Ring) -> tuple[Drawn, ...]:
    """A mark around a spot of a sheet."""
    shape = looks.frame.pixels(outline_of(board, board.spots[spot]))
    return tuple(_ring(looks, shape, mark, BEYOND * looks.frame.scale))


def _ring(looks: Looks, shape: Points, mark: Ring, gap: float) -> Iterator[Drawn]:
    line = _grown(shape, gap + mark.under * looks.dp / 2)
    yield Line(line, WHITE, mark.under * looks.dp)
    yield Line(line, mark.colour, mark.width * looks.dp, (mark.dash[0] * looks.dp, mark.dash[1] * looks.dp))


def _grown(shape: Points, distance: float) -> Points:
    """A convex polygon with its sides moved outwards by pixels."""
    one, other = rim(shape, 2 * distance)
    return max(one, other, key=_span)


def _span(points: Points) -> float:
    xs, ys = zip(*points, strict=True)
    return float(max(xs) - min(xs) + max(ys) - min(ys))


def _sign(looks: Looks, shape: Points, sign: str, colour: Colour) -> Iterator[Drawn]:
    """A disc with a sign outside a corner of a shape."""
    radius = marks.DISC * looks.dp
    centre = sign_centre(shape, radius)
    yield from _disc(looks, centre, radius, colour, sign)


def sign_centre(shape: Points, radius: float) -> Point:
    """Where the disc of a sign stands that is told of a shape: outside its highest corner."""
    middle = centre_of(shape)
    corner = max(shape, key=lambda p: (round(p[1]), p[0]))
    length = max(1.0, ((corner[0] - middle[0]) ** 2 + (corner[1] - middle[1]) ** 2) ** 0.5)
    reach = (length + radius * 0.9) / length
    return middle[0] + (corner[0] - middle[0]) * reach, middle[1] + (corner[1] - middle[1]) * reach


def _disc(looks: Looks, centre: Point, radius: float, colour: Colour, sign: str) -> Iterator[Drawn]:
    ink = readable_on(colour)
    rim_colour = WHITE if ink == WHITE else marks.INK
    yield Filled(circle(centre, radius), colour)
    yield Line(circle(centre, radius), rim_colour, 1.5 * looks.dp)
    yield Word(sign, centre, radius * 1.45, ink)


def _count(looks: Looks, each: Lying) -> Iterator[Drawn]:
    """How many lie or stand together, outside the upper left corner."""
    shape = _pixels(looks, each)
    radius = min(marks.DISC * looks.dp * 0.8, max(6.0 * looks.dp, _span(shape) * 0.14))
    left, high = min(x for x, _y in shape), max(y for _x, y in shape)
    yield from _disc(looks, (left, high), radius, WHITE, str(each.count))


def _number(looks: Looks, place: PlaceView, there: Point) -> Iterator[Drawn]:
    centre, radius = looks.frame.pixel(there), marks.DISC * looks.dp
    yield Filled(circle(centre, radius), WHITE)
    yield Line(circle(centre, radius), marks.INK, 1.6 * looks.dp)
    yield Word(str(place.number), centre, radius * 1.45, marks.INK)


def _places(board: Board, looks: Looks, legal: frozenset[str], *, is_empty: bool) -> Iterator[Drawn]:
    """Where something can be done: outlined, or where many of them overlap, or are empty, a dot in each."""
    places = {site: centre for site in sorted(legal) if (centre := site_centre(board, site)) is not None}
    overlapping = [site for site in places if board.lattice.corners(site)]
    for site, centre in places.items():
        shape = looks.frame.pixels(site_outline(board, site))
        is_one_of_many = is_empty and len(places) > marks.MOST_MARKED
        if len(overlapping) > FEW_PLACES if site in overlapping else is_one_of_many:
            yield from _dot(looks, looks.frame.pixel(centre))
        else:
            mark = marks.POSSIBLE if site in overlapping else marks.LEGAL
            is_roomy = _span(shape) > marks.ROOMY * looks.dp and surroundings(board, site) is None
            inside = mark is marks.POSSIBLE or is_roomy
            yield from _ring(looks, shape, mark, -mark.under * looks.dp if inside else 0.0)


def _path(board: Board, looks: Looks, path: PathView | None) -> Iterator[Drawn]:
    """Frames around the places of a path and a road from each to the next, in the colour of who lays it."""
    if path is None:
        return
    shapes = [
        looks.frame.pixels(site_outline(board, site)) if site_centre(board, site) is not None else None
        for site in path.sites
    ]
    colour = face_colour("", path.colour)
    for start, end in pairwise(shapes):
        if start is None or end is None:
            continue  # no road leads past a place that is not on the sheet
        road = shortened(centre_of(start), centre_of(end), start, end)
        for width, paint in ((marks.PATH.under, marks.INK), (marks.PATH.width, colour)):
            yield Filled(band(*road, width * looks.dp), paint)
        lengths = [length * looks.dp for length in marks.PATH.dash]
        for dash in dashes_along(road, *lengths):
            yield Filled(band(*dash, marks.PATH_MIDDLE * looks.dp), readable_on(colour))
    for shape in filter(None, shapes):
        frame = _grown(shape, marks.PATH.under * looks.dp / 2)
        for width, paint in ((marks.PATH.under, marks.INK), (marks.PATH.width, colour)):
            yield Line(frame, paint, width * looks.dp)


def _dot(looks: Looks, centre: Point) -> Iterator[Drawn]:
    """A small target: ink, white, colour."""
    for radius, colour in ((6.0, BLACK), (5.0, WHITE), (3.2, marks.LEGAL.colour)):
        yield Filled(circle(centre, radius * looks.dp), colour)


def _spoken_of(board: Board, looks: Looks, verdict: VerdictView, there: Mapping[str, Lying]) -> Iterator[Drawn]:
    """The spots and sites of a verdict."""
    if verdict.barred:
        yield from _not_here(board, looks, verdict)
        return
    refused = verdict.kind is VerdictKind.REFUSED
    spots = [name for name in verdict.spots if name in board.spots]
    covered = {board.spots[name].site for name in spots}
    shapes: list[Sequence[Point]] = [
        _pixels(looks, there[name]) if name in there else looks.frame.pixels(outline_of(board, board.spots[name]))
        for name in spots
    ]
    numbered = refused and len(spots) > 1
    sites = [site for site in dict.fromkeys(verdict.sites) if site not in covered]
    shapes += [looks.frame.pixels(site_outline(board, site)) for site in sites if site_centre(board, site) is not None]
    mark = marks.DIFFERS if numbered else marks.REFUSED if refused else marks.SPOKEN_OF
    for shape in shapes:
        yield from _ring(looks, tuple(shape), mark, BEYOND * looks.frame.scale)
    for number, shape in enumerate(shapes if refused else (), 1):
        yield from _sign(looks, tuple(shape), str(number) if numbered else marks.CROSS, marks.REFUSED.colour)


def _not_here(board: Board, looks: Looks, verdict: VerdictView) -> Iterator[Drawn]:
    """The place at which nothing is allowed, outlined and crossed; signs at the reason; the nearest that is allowed."""
    shapes = {
        site: looks.frame.pixels(site_outline(board, site))
        for site in (verdict.barred, *verdict.sites, verdict.nearest)
        if site and site_centre(board, site) is not None
    }
    nearest, barred = shapes.get(verdict.nearest), shapes.get(verdict.barred)
    if nearest is not None:
        is_roomy = _span(nearest) > marks.ROOMY * looks.dp
        yield from _ring(looks, nearest, marks.LEGAL, -marks.LEGAL.under * looks.dp if is_roomy else 0.0)
    if barred is not None:
        yield from _ring(looks, barred, marks.REFUSED, BEYOND * looks.frame.scale)
    if nearest is not None:
        centre, radius = sign_centre(nearest, marks.DISC * looks.dp), marks.DISC * looks.dp
        yield from _disc(looks, centre, radius, marks.LEGAL.colour, "")
        yield from _tick(looks, centre, radius)
    for site in [site for site in shapes if site not in (verdict.barred, verdict.nearest)][:MOST_REASONS]:
        yield from _sign(looks, shapes[site], "!", marks.REFUSED.colour)
    if barred is not None:
        yield from _sign(looks, barred, marks.CROSS, marks.REFUSED.colour)


def _tick(looks: Looks, centre: Point, radius: float) -> Iterator[Drawn]:
    x, y = centre
    low, bend, high = (x - radius * 0.5, y), (x - radius * 0.12, y - radius * 0.4), (x + radius * 0.5, y + radius * 0.4)
    for start, end in ((low, bend), (bend, high)):
        one, two, three, _again, _one, four = stroke(start, end, radius * 0.26)
        yield Filled((one, two, three, four), WHITE)
