"""Capitol beside the board: cards, senators, the consul, the forum where tiles wait, and reminders."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.art.capitol.pieces import draw_auction_sign
from calibration.art.capitol.sheet import SIGN_OF_COLOUR, areas_of, draw_roundel, emblem_of
from calibration.art.game_art import DrawFace
from calibration.art.plain.faces import draw_pawn, draw_score_track
from calibration.drawing import colours
from calibration.drawing.colours import FLOOR, GOLD, IVORY, MARBLE, RUBRIC, SAND, SEPIA, TRAVERTINE, Rgb, mixed, on
from calibration.drawing.colours import INK as DARK
from calibration.drawing.emblems import draw_emblem
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import arc, inset
from calibration.drawing.symbols import draw_symbol
from companion.board.layout import Board, Piece, face_outline

_ROOF_CARD: Rgb = (66, 104, 122)
_ROUNDS = (("I", "amphitheatre"), ("II", "amphitheatre"), ("III", "temple"), ("IV", "temple"))
"""What is auctioned last in each round, after two fountains (rulebook, improvement phase)."""
_REMINDERS = (
    ("BUILD", ("play one card in turn, or pass for this phase",)),
    (
        "IMPROVE",
        ("bid for a fountain, again for a fountain, then", "for an amphitheatre (I, II) or a temple (III, IV)"),
    ),
    (
        "SCORE",
        (
            "most floors: 2, and 1 for each fountain",
            "second most: 1 for each fountain",
            "taller breaks ties; a temple doubles the area",
        ),
    ),
    ("DRAW", ("six cards in turn; for an amphitheatre", "the first 2 more, the second 1 more")),
    ("AREAS", ("first building 1 floor; later ones as tall as the", "tallest or 1 taller; roofs of an area alike")),
)


def _frame(ink: Ink, piece: Piece, field: Rgb) -> None:
    """A card's coloured border around an ivory field; the dark rim is where it is cut."""
    outline = face_outline(piece)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.4), field)
    ink.polygon(inset(outline, 2.6), IVORY, mixed(field, DARK, 0.35), 0.3)
    ink.polygon(inset(outline, 3.4), None, mixed(field, IVORY, 0.55), 0.25)


def _numbers(ink: Ink, piece: Piece, number: str, field: Rgb) -> None:
    """The card's number in two corners, on a tab of its colour, so that it can be read in a fanned hand."""
    for turn in (0, 180):
        with ink.placed(0, 0, turn):
            x, y = -piece.size[0] / 2 + 8.2, -piece.size[1] / 2 + 9.2
            ink.polygon(
                [(x - 8, y - 9), (x + 5.2, y - 9), (x + 5.2, y + 4.0), (x + 2.2, y + 7.0), (x - 8, y + 7.0)], field
            )
            ink.text(x - 1.3, y - 0.8, number, 8.0, on(field), bold=True, widest=9)


def _caption(ink: Ink, piece: Piece, text: str, lines: tuple[str, ...], field: Rgb) -> None:
    y = piece.size[1] / 2 - 17.0
    ink.text(-5.4, y, text.upper(), 3.0, mixed(field, DARK, 0.5), spacing=0.16, widest=23)
    for row, line in enumerate(lines):
        ink.text(-5.4, y + 4.6 + 3.4 * row, line, 1.9, SEPIA, widest=23)


def _roof_card(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del board, label
    _frame(ink, piece, _ROOF_CARD)
    colour = mixed(_ROOF_CARD, DARK, 0.25)
    with ink.placed(0, -3.0, 0, 1.1):
        ink.polygon([*arc(7.5, 180, 360, (-8.6, 4.0))], colour, DARK, 0.3)
        ink.rectangle(-9.2, -5.0, 1.2, 1.8, mixed(GOLD, DARK, 0.15))
        for turn in (222, 252, 288, 318):
            ink.line([(-8.6, 4.0), arc(7.2, turn, turn, (-8.6, 4.0))[0]], mixed(colour, IVORY, 0.4), 0.3)
        ink.polygon([(0.9, 4.0), (8.6, -4.6), (16.3, 4.0)], colour, DARK, 0.3)
        ink.polygon([(3.8, 3.0), (8.6, -2.4), (13.4, 3.0)], mixed(FLOOR, IVORY, 0.5), DARK, 0.2)
        for left in (-16.1, 0.9):
            ink.rectangle(left, 4.0, 15.2, 1.6, mixed(FLOOR, IVORY, 0.3), DARK, 0.3)
    _caption(ink, piece, "roof", ("one, round", "or triangular"), _ROOF_CARD)
    _numbers(ink, piece, inscription, _ROOF_CARD)


def _floor_card(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del board, label
    _frame(ink, piece, mixed(FLOOR, DARK, 0.12))
    with ink.placed(0, -3.0, 0, 1.2):
        for top in (-7.5, 1.0):
            ink.rectangle(-11, top, 22, 8.5, mixed(FLOOR, IVORY, 0.3), DARK, 0.3)
            ink.rectangle(-11, top, 22, 1.3, mixed(FLOOR, DARK, 0.25))
            for x in (-7.2, -2.4, 2.4, 7.2):
                shape = [*arc(1.5, 180, 360, (x, top + 4.2)), (x + 1.5, top + 8.4), (x - 1.5, top + 8.4)]
                ink.polygon(shape, mixed(FLOOR, DARK, 0.7))
    _caption(ink, piece, "floors", ("two, together", "or apart"), FLOOR)
    _numbers(ink, piece, inscription, mixed(FLOOR, DARK, 0.12))


def _permit(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A permit shows its colour's sign and the areas where it holds."""
    field = colours.AREAS.get(label, colours.UNKNOWN)
    _frame(ink, piece, field)
    areas = [area for area, colour in areas_of(board).items() if colour == label]
    dark = mixed(field, DARK, 0.6)
    draw_emblem(ink, SIGN_OF_COLOUR.get(label, "star"), 5.5, -17.5, 15, dark if label == "white" else field, IVORY)
    for row, area in enumerate(areas):
        y = -6.5 + 8.4 * row
        draw_roundel(ink, emblem_of(area), -13.0, y, 3.7, field)
        ink.text(-7.6, y, area, 2.5, DARK, anchor="start", widest=25)
    ink.text(-5.4, piece.size[1] / 2 - 8.0, f"{label} permit".upper(), 2.3, dark, spacing=0.14, widest=23)
    _numbers(ink, piece, inscription, field)


def _senator(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """The card that ends a bid."""
    del board, inscription
    field = colours.named(label)
    _frame(ink, piece, field)
    draw_emblem(ink, "senator", 2, -3, 27, mixed(field, DARK, 0.45), IVORY)
    _caption(ink, piece, "senator", ("the cards above", "are the bid"), field)
    _numbers(ink, piece, label[:1].upper(), field)


def _consul(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del board, label, inscription
    radius, field = piece.size[0] / 2, colours.TILES["temple"]
    for share, colour in ((1.0, DARK), (0.96, GOLD), (0.86, field)):
        ink.disc(0, 0, share * radius, colour)
    draw_symbol(ink, "laurel", 0, 0, 1.5 * radius, GOLD, field)
    ink.text(0, -0.8, "I", 5.2, IVORY, bold=True)
    ink.text(0, 4.1, "CONSVL", 1.5, IVORY, spacing=0.12)


def _forum(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A column for every round: two fountains, and what is auctioned after them, in their own sizes."""
    del label, inscription
    outline = face_outline(piece)
    left, top = outline[0]
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.6), TRAVERTINE)
    ink.polygon(inset(outline, 2.0), None, RUBRIC, 0.3)
    small, large = (board.pieces[name].size[0] if name in board.pieces else 30.0 for name in ("fountain", "monument"))
    width = (piece.size[0] - 8) / len(_ROUNDS)
    for index, (numeral, monument) in enumerate(_ROUNDS):
        x = left + 4 + (index + 0.5) * width
        if index:
            ink.line([(x - width / 2, top + 5), (x - width / 2, -top - 5)], SAND, 0.8)
        ink.disc(x, top + 11, 6.2, MARBLE, RUBRIC, 0.4)
        ink.text(x, top + 11, numeral, 4.2, RUBRIC, bold=True)
        y = top + 19.0
        for kind, side in (("fountain", small), ("fountain", small), (monument, large)):
            _waiting_place(ink, kind, x, y + side / 2, side + 1.0)
            y += side + 1.8


def _waiting_place(ink: Ink, kind: str, x: float, y: float, side: float) -> None:
    field = colours.TILES.get(kind, colours.UNKNOWN)
    half = side / 2
    corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    ink.polygon(corners, MARBLE, mixed(field, DARK, 0.2), 0.4)
    draw_auction_sign(ink, kind, x, y - 1.5, 0.45 * side, mixed(field, MARBLE, 0.35), MARBLE)
    ink.text(x, y + half - 4.0, kind.upper(), 1.8, mixed(field, DARK, 0.3), spacing=0.14, widest=0.85 * side)


def _reminder(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """The phases of a round, and what may be built where."""
    del board, inscription
    field = colours.named(label)
    _frame(ink, piece, field)
    left, y = -piece.size[0] / 2 + 6.5, -piece.size[1] / 2 + 8.0
    for title, lines in _REMINDERS:
        ink.text(left, y, title, 2.0, RUBRIC, anchor="start", spacing=0.1)
        for line in lines:
            ink.text(left + 18, y, line, 1.9, DARK, anchor="start", widest=piece.size[0] - 30)
            y += 3.8
        y += 2.0
    ink.text(left + 3, piece.size[1] / 2 - 8.0, label[:1].upper(), 4.4, mixed(field, DARK, 0.3), bold=True)


FACES: Mapping[tuple[str, str], DrawFace] = {
    ("roof card", "rectangle"): _roof_card,
    ("floor card", "rectangle"): _floor_card,
    ("white permit", "rectangle"): _permit,
    ("black permit", "rectangle"): _permit,
    ("red permit", "rectangle"): _permit,
    ("senator", "rectangle"): _senator,
    ("consul", "disc"): _consul,
    ("forum", "square"): _forum,
    ("reminder", "rectangle"): _reminder,
    ("score track", "square"): draw_score_track,
    ("score disc", "disc"): draw_pawn,
}
