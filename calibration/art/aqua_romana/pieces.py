"""Aqua Romana's pieces: tiles with their channels, reservoirs with their outlets, builders with the sign of a kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from calibration.art.game_art import DrawFace, DrawSurface
from calibration.art.plain.faces import draw_pawn, draw_plain_face
from calibration.drawing import colours
from calibration.drawing.colours import GOLD, IVORY, WATER, Rgb, mixed, on
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink, PathStep
from calibration.drawing.patterns import draw_owner_pattern
from calibration.drawing.shapes import inset, polar
from calibration.drawing.symbols import draw_symbol
from companion.board.lattice import Point
from companion.board.layout import Board, Piece, face_outline
from companion.games.aqua_romana.drawings import JOINS, KIND_OF

_DIRECTION: Mapping[str, Point] = {"N": (0.0, -1.0), "E": (1.0, 0.0), "S": (0.0, 1.0), "W": (-1.0, 0.0)}
_ROUND = 0.5522847
"""Length of a Bézier curve's handles that makes a quarter circle of radius 1."""
_WALL: Rgb = (247, 241, 226)
_COURSES = ((9.4, DARK), (8.7, _WALL), (5.6, mixed(WATER, DARK, 0.45)), (4.9, (92, 160, 208)))
"""A channel from above, widths in millimetres: its shadow, its walls, its inner edges, the water."""
_STONE: Rgb = (150, 138, 118)
_TREE: Rgb = (88, 114, 68)
_TREES: Mapping[str, tuple[Point, ...]] = {
    "curve": ((-10.4, 10.2), (-4.2, 11.6), (-11.6, 3.6), (12.4, -12.4)),
    "straight": ((-10.6, -8.4), (10.6, 8.4), (-11.4, 3.0), (11.4, -3.0)),
    "bridge": ((-11.0, -11.0), (11.0, -11.0), (11.0, 11.0), (-11.0, 11.0)),
    "double curve": ((-11.2, -11.2), (11.2, 11.2), (12.6, -12.6), (-12.6, 12.6)),
}


def pairs_of(joins: Mapping[str, str]) -> list[tuple[str, str]]:
    """The channels of a drawing, as pairs of sides."""
    return sorted({(min(a, b), max(a, b)) for a, b in joins.items()})


def draw_channels(ink: Ink, pairs: Iterable[tuple[str, str]], half: float) -> None:
    """Channels that join sides of a square of twice `half` mm around the origin, one after the other."""
    for first, second in pairs:
        course = _course(first, second, half)
        for width, colour in _COURSES:
            ink.path(course, None, colour, width)
        _joints(ink, first, second, half)


def draw_kind(ink: Ink, kind: str, reach: float, colour: Rgb, ground: Rgb) -> None:
    """The sign of a kind of tile, or the joker's star, in a square of twice `reach` mm around the origin."""
    if kind not in _TREES:
        draw_symbol(ink, "star", 0, 0, 2.2 * reach, GOLD, ground)
        return
    shift = 0.28 * reach if kind == "curve" else 0.0
    with ink.placed(-shift, shift, 0, 1.2 if shift else 1.0):
        for first, second in pairs_of(JOINS[f"{kind} 0"]):
            ink.path(_course(first, second, reach), None, colour, 0.46 * reach)
    if kind == "bridge":
        for side, fill in ((0.52 * reach, colour), (0.3 * reach, ground)):
            ink.rectangle(-side, -side, 2 * side, 2 * side, fill)


def _course(first: str, second: str, half: float) -> list[PathStep]:
    """The middle of a channel from side to side: straight, or a quarter circle around the corner between them."""
    (ax, ay), (bx, by) = _DIRECTION[first], _DIRECTION[second]
    handle = half * (1 - _ROUND)
    return [
        ("M", ax * half, ay * half),
        ("C", ax * handle, ay * handle, bx * handle, by * handle, bx * half, by * half),
    ]


def _joints(ink: Ink, first: str, second: str, half: float) -> None:
    """The joints of a channel's walls."""
    (ax, ay), (bx, by) = _DIRECTION[first], _DIRECTION[second]
    for share in (k / 7 for k in range(1, 7)):
        if (ax + bx, ay + by) == (0, 0):
            centre, normal = (ax * half * (1 - 2 * share), ay * half * (1 - 2 * share)), (ay, ax)
        else:
            # From the corner between the sides the channel's middle lies towards -b at its start and -a at its end.
            along, across = polar(1.0, 90 * share)
            normal = (-bx * along - ax * across, -by * along - ay * across)
            centre = ((ax + bx + normal[0]) * half, (ay + by + normal[1]) * half)
        for low, high in ((-4.25, -2.85), (2.85, 4.25)):
            ends = [(centre[0] + normal[0] * at, centre[1] + normal[1] * at) for at in (low, high)]
            ink.line(ends, _STONE, 0.25)


def draw_ground(ink: Ink, kind: str, turn: float, half: float, field: Rgb, trees: int = 4) -> None:
    """The land of a tile: its colour, and trees that stand where a tile of the kind has no channel.

    The square of twice `half` mm lies around the origin; `turn` is the tile's (degrees clockwise).
    """
    ink.rectangle(-half, -half, 2 * half, 2 * half, field)
    with ink.placed(0, 0, turn, half / 15.75):
        for x, y in _TREES[kind][:trees]:
            ink.disc(x, y, 1.9, mixed(field, DARK, 0.22))
            ink.disc(x, y, 1.4, _TREE, mixed(_TREE, DARK, 0.4), 0.2)


def draw_gatehouse(ink: Ink) -> None:
    """The roof over a crossing, alike from all sides: water runs straight on beneath it."""
    side = 6.6
    roof: Rgb = (176, 92, 66)
    for x in (-1, 1):
        for y in (-1, 1):
            ink.rectangle(x * side - 1.3, y * side - 1.3, 2.6, 2.6, _WALL, DARK, 0.3)
    corners = [(-side, -side), (side, -side), (side, side), (-side, side)]
    ink.polygon(corners, roof, DARK, 0.4)
    for turn in (0, 90, 180, 270):
        with ink.placed(0, 0, turn):
            for k in range(1, 4):
                reach = side * k / 4
                ink.line([(-reach, -reach), (reach, -reach)], mixed(roof, DARK, 0.3), 0.25)
            ink.line([(0, 0), (side, -side)], mixed(roof, IVORY, 0.55), 0.4)


def _tile(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    if label not in JOINS:
        draw_plain_face(ink, board, piece, label, inscription)
        return
    kind, half = KIND_OF[label], piece.size[0] / 2
    field = colours.BUILDERS[kind]
    outline = face_outline(piece)
    ink.polygon(outline, DARK)
    draw_ground(ink, kind, float(label.rpartition(" ")[2]), half - 0.6, field)
    with ink.clipped(outline):
        draw_channels(ink, pairs_of(JOINS[label]), half)
    if kind == "bridge":
        draw_gatehouse(ink)


def _reservoir(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A basin with two outlets in front (below); the third is right or left, or both are open.

    `inscription` is "3, right", "3, left" or, also where there is none, "4".
    """
    length, width = piece.size
    field = colours.named(label)
    outline = face_outline(piece)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.6), field)
    ends = {"3, right": (1,), "3, left": (-1,)}.get(inscription, (-1, 1))
    half = board.grid.side / 2 if board.grid is not None else length / 4
    low = width / 2 - 7.5
    channels = [[(side * half, 0.0), (side * half, width / 2)] for side in (-1, 1)]
    channels += [[(side * (length / 2 - 12), 0.0), (side * length / 2, 0.0)] for side in ends]
    basin = [(-length / 2 + 7.5, -low), (length / 2 - 7.5, -low), (length / 2 - 7.5, low), (-length / 2 + 7.5, low)]
    with ink.clipped(inset(outline, 0.6)):
        draw_owner_pattern(ink, label, (-length / 2, -width / 2, length / 2, width / 2))
    with ink.clipped(outline):
        for step, (course, colour) in enumerate(_COURSES):
            for channel in channels:
                (x0, y0), (x1, y1) = channel
                across = (course / 2, 0.0) if x0 == x1 else (0.0, course / 2)
                ink.polygon(
                    [
                        (x0 - across[0], y0 - across[1]), (x1 - across[0], y1 - across[1]),
                        (x1 + across[0], y1 + across[1]), (x0 + across[0], y0 + across[1]),
                    ],
                    colour,
                )  # fmt: skip
            ink.polygon(inset(basin, (0.0, 0.35, 1.9, 2.25)[step]), colour)
    for x in (-14.0, 14.0):
        _ripples(ink, x)
    ink.disc(0, 0, 5.6, IVORY, DARK, 0.35)
    ink.disc(0, 0, 4.8, field)
    ink.text(0, 0, label[:1].upper(), 5.0, on(field), bold=True)
    players = "II  IV" if inscription.startswith("3") else "III" if inscription else ""
    if players:
        ink.rectangle(-6.5, -width / 2 + 1.9, 13, 4.2, field)
        ink.text(0, -width / 2 + 4.0, players, 2.4, on(field), bold=True, spacing=0.1)


def _ripples(ink: Ink, x: float) -> None:
    for y, reach in ((-2.2, 4.0), (0.4, 5.5), (3.0, 3.4)):
        ink.line([(x - reach, y), (x + reach, y)], mixed(WATER, IVORY, 0.45), 0.35)


def draw_builder(ink: Ink, board: Board, piece: Piece, label: str, inscription: str = "") -> None:
    """A disc in the colour of its kind with the channels that it lays."""
    del board, inscription
    radius = piece.size[0] / 2
    field = colours.BUILDERS.get(label, colours.UNKNOWN)
    ink.disc(0, 0, radius, DARK)
    ink.disc(0, 0, radius - 0.5, field)
    ink.disc(0, 0, radius - 1.2, None, GOLD if label == "joker" else on(field), 0.3)
    draw_kind(ink, label, 0.62 * radius, on(field), field)


def _builder_wall(ink: Ink, board: Board, piece: Piece, label: str, part: str) -> None:
    del board, part
    field = colours.BUILDERS.get(label, colours.UNKNOWN)
    reach = piece.size[0]
    ink.rectangle(-reach, -piece.height / 2, 2 * reach, piece.height, field)
    for y in (-piece.height / 2 + 1.0, piece.height / 2 - 1.0):
        ink.line([(-reach, y), (reach, y)], mixed(field, IVORY, 0.5), 0.3)


def _worker_wall(ink: Ink, board: Board, piece: Piece, label: str, part: str) -> None:
    """The owner's letter on every side, and a hem that shows which end is up."""
    del board, part
    field, high = colours.named(label), piece.height / 2
    ink.rectangle(-piece.size[0], -high, 2 * piece.size[0], 2 * high, field)
    ink.rectangle(-piece.size[0], high - 4.0, 2 * piece.size[0], 4.0, mixed(field, DARK, 0.35))
    ink.line([(-piece.size[0], high - 4.0), (piece.size[0], high - 4.0)], on(field), 0.3)
    ink.text(0, -high + 5.0, label[:1].upper(), 3.0, on(field), bold=True)


FACES: Mapping[tuple[str, str], DrawFace] = {
    ("tile", "square"): _tile,
    ("reservoir", "rectangle"): _reservoir,
    ("worker", "disc"): draw_pawn,
    ("finisher", "disc"): draw_pawn,
    ("builder", "disc"): draw_builder,
    ("reserve", "disc"): draw_builder,
}
REVERSES: Mapping[tuple[str, str], DrawFace] = {("reservoir", "rectangle"): _reservoir}
SURFACES: Mapping[tuple[str, str], DrawSurface] = {("builder", "disc"): _builder_wall, ("worker", "disc"): _worker_wall}
FIELDS: Mapping[tuple[str, str], Rgb] = {("builder", kind): colour for kind, colour in colours.BUILDERS.items()}
