"""What lies beside the maps of Thurn and Taxis: cards of cities and carriages, bonus tiles, office tiles, chips."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.art.game_art import DrawFace
from calibration.art.thurn_and_taxis.provinces import colour_of, draw_shield, land, province_of, provinces_of
from calibration.art.thurn_and_taxis.sheet import road_ends
from calibration.art.thurn_and_taxis.signs import OFFICIAL_SIGNS, draw_sign
from calibration.art.thurn_and_taxis.skyline import draw_skyline
from calibration.art.thurn_and_taxis.stacks import draw_stack_sign
from calibration.drawing.colours import GOLD, IVORY, OFFICIALS, RUBRIC, SAND, SEPIA, mixed, on
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import inset, polar
from calibration.drawing.symbols import draw_symbol
from companion.board.layout import Board, Piece, face_outline
from companion.games.thurn_and_taxis.drawings import printed
from companion.games.thurn_and_taxis.state import CARRIAGE_POINTS


def _city_card(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A city: its name and province, its skyline, where it lies, and where its roads lead."""
    del inscription
    province = province_of(board).get(label, "")
    field, outline = colour_of(province), face_outline(piece)
    half_width, half_height = piece.size[0] / 2, piece.size[1] / 2
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.4), field)
    panel = inset(outline, 2.4)
    ink.polygon(panel, IVORY, mixed(field, DARK, 0.4), 0.3)
    draw_shield(ink, province, -half_width + 8.0, -half_height + 8.4, 9.4)
    middle = 5.2
    ink.text(middle, -half_height + 7.0, printed(label), 3.7, DARK, widest=26)
    dark = mixed(field, DARK, 0.5)
    ink.text(middle, -half_height + 11.8, printed(province).upper(), 1.7, dark, spacing=0.14, widest=26)
    view = [(-half_width + 3.2, -16.8), (half_width - 3.2, -16.8), (half_width - 3.2, 2.4), (-half_width + 3.2, 2.4)]
    ink.polygon(view, mixed(land(province), IVORY, 0.35))
    with ink.clipped(view), ink.placed(0, 2.4):
        draw_skyline(ink, label, piece.size[0] - 6.4, 17.2, field, mixed(land(province), IVORY, 0.35))
    ink.polygon(view, None, mixed(field, DARK, 0.4), 0.3)
    _whereabouts(ink, board, label, -half_width + 4.2, 5.2, 20.6)
    near = sorted(
        {end for ends in road_ends(board) if label in ends for end in ends if end != label},
        key=lambda city: board.groups["city"].places[city][1],
    )
    for row, city in enumerate(near):
        y = 13.4 + 2.75 * (row - (len(near) - 1) / 2)
        ink.text(7.0, y, printed(city), 1.75, DARK, anchor="start", widest=half_width - 10.2)
        draw_shield(ink, province_of(board).get(city, ""), 5.2, y, 2.3)
    with ink.placed(0, 0, 180):
        draw_shield(ink, province, -half_width + 5.6, -half_height + 5.8, 5.2)
    ink.text(-1.5, half_height - 4.6, printed(label), 1.9, SEPIA, widest=24, angle=180)


def _whereabouts(ink: Ink, board: Board, city: str, left: float, top: float, width: float) -> None:
    """All roads in a picture `width` mm wide, those of the city drawn strongly."""
    places, provinces = board.groups["city"].places, province_of(board)
    across, down = [x for x, _ in places.values()], [y for _, y in places.values()]
    scale = width / (max(across) - min(across))
    at = {name: (left + (x - min(across)) * scale, top + (y - min(down)) * scale) for name, (x, y) in places.items()}
    ends = list(road_ends(board))
    for first, second in ends:
        ink.line([at[first], at[second]], mixed(SEPIA, IVORY, 0.45), 0.22)
    for first, second in ends:
        if city in (first, second):
            ink.line([at[first], at[second]], RUBRIC, 0.5)
    for name, (x, y) in at.items():
        ink.disc(x, y, 0.75, colour_of(provinces.get(name, "")), IVORY, 0.15)
    ink.disc(*at[city], 1.5, RUBRIC, IVORY, 0.35)


def _carriage_card(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A carriage: the length of route that it asks for, and its points."""
    del board, inscription
    outline = face_outline(piece)
    step = int(label) - 3 if label.isdigit() else 0
    field = mixed((196, 164, 108), (110, 50, 36), step / 4)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.4), field)
    ink.polygon(inset(outline, 2.0), IVORY, mixed(field, DARK, 0.4), 0.3)
    for k in range(12):
        x = -19 + 2.5 * k
        ink.line([(x, 11.3), (x + 1.4, 11.3)], mixed(SAND, SEPIA, 0.5), 0.3)
    draw_sign(ink, "coach", -8.0, 1.0, 16.5 + step, mixed(field, DARK, 0.35), IVORY)
    ink.polygon([(6.8, -13.0), (20, -13.0), (20, 13.0), (6.8, 13.0)], mixed(field, IVORY, 0.72))
    ink.text(13.4, -4.8, label, 10.5, mixed(field, DARK, 0.5), bold=True)
    ink.text(13.4, 2.7, "cards", 1.8, SEPIA)
    ink.disc(13.4, 8.6, 3.4, GOLD, mixed(GOLD, DARK, 0.5), 0.35)
    points = CARRIAGE_POINTS.get(int(label), 0) if label.isdigit() else 0
    ink.text(13.4, 8.6, str(points), 3.1, DARK, bold=True, widest=5)


def _bonus_tile(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """What the tile is for, and its points in gold."""
    del board
    outline, half = face_outline(piece), piece.size[0] / 2
    pair = provinces_of(label)
    field = colour_of(pair[0]) if pair else RUBRIC if label == "end" else mixed(GOLD, DARK, 0.2)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.4), field)
    ink.polygon(inset(outline, 1.5), IVORY, mixed(field, DARK, 0.4), 0.25)
    draw_stack_sign(ink, label, -4.2)
    ink.disc(0, half - 5.0, 3.4, GOLD, mixed(GOLD, DARK, 0.5), 0.35)
    ink.text(0, half - 5.0, inscription, 3.4, DARK, bold=True)


def _office_tile(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del board, inscription
    outline, half = face_outline(piece), piece.size[0] / 2
    field = OFFICIALS.get(label, SEPIA)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.4), field)
    ink.polygon(inset(outline, 1.2), None, mixed(field, IVORY, 0.6), 0.25)
    ink.disc(0, -1.8, 0.62 * half, IVORY)
    draw_sign(ink, OFFICIAL_SIGNS.get(label, "star"), 0, -1.8, 0.84 * half, mixed(field, DARK, 0.2), IVORY)
    ink.text(0, half - 3.2, label.upper(), 1.7, on(field), spacing=0.08, widest=piece.size[0] - 4)


def _chip(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A victory point."""
    del board, inscription
    radius = piece.size[0] / 2
    ink.disc(0, 0, radius, DARK)
    ink.disc(0, 0, 0.95 * radius, GOLD)
    for k in range(36):
        ink.disc(*polar(0.86 * radius, 10 * k), 0.26, mixed(GOLD, DARK, 0.45))
    ink.disc(0, 0, 0.76 * radius, mixed(GOLD, IVORY, 0.4))
    draw_symbol(ink, "laurel", 0, 0, 1.35 * radius, mixed(GOLD, DARK, 0.5), GOLD)
    ink.text(0, 0, label, 0.6 * radius, mixed(GOLD, DARK, 0.7), bold=True)


def _start_player(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del board, label, inscription
    radius = piece.size[0] / 2
    for share, colour in ((1.0, DARK), (0.96, RUBRIC), (0.84, IVORY)):
        ink.disc(0, 0, share * radius, colour)
    draw_sign(ink, "post horn", 0, -0.2 * radius, 0.95 * radius, RUBRIC, IVORY)
    ink.text(0, 0.56 * radius, "START", 1.7, RUBRIC, spacing=0.14)


FACES: Mapping[tuple[str, str], DrawFace] = {
    ("city card", "rectangle"): _city_card,
    ("carriage card", "rectangle"): _carriage_card,
    ("bonus tile", "square"): _bonus_tile,
    ("office tile", "square"): _office_tile,
    ("victory point", "disc"): _chip,
    ("start player", "disc"): _start_player,
}
