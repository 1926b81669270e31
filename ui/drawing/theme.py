"""How things look: colours as red, green and blue from 0 to 1, and the sign that goes with each, without Kivy.

Pieces have the colours in which they are printed, in every theme. Colour is never the only sign: what is printed has
a numeral, a letter or a pattern, and a player's seal its letter.
"""

from __future__ import annotations

from dataclasses import dataclass

from calibration.drawing import colours
from calibration.drawing.colours import Rgb
from companion.board.layout import Board
from ui.view_models.play_view import VerdictKind

Colour = tuple[float, float, float]


def hexadecimal(code: str) -> Colour:
    """The colour of "#rrggbb"."""
    return int(code[1:3], 16) / 255, int(code[3:5], 16) / 255, int(code[5:7], 16) / 255


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    """`colour` with a `share` (0 to 1) of `other`: translucency that can be drawn with opaque lines."""
    red, green, blue = (one + (two - one) * share for one, two in zip(colour, other, strict=True))
    return red, green, blue


def luminance(colour: Colour) -> float:
    """Relative luminance as WCAG 2 defines it, 0 to 1."""
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Colour, two: Colour) -> float:
    """The contrast of two colours as WCAG 2 defines it, 1 to 21."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


BLACK, WHITE = hexadecimal("#000000"), hexadecimal("#ffffff")

THEMES: dict[str, dict[str, str]] = {
    "marble": {
        "TABLE": "#cbbb9d", "TABLE_LIT": "#e2d5bb", "PANEL": "#fbf7ee", "PAPER": "#f3ebdc", "PRESSED": "#f3ebdc",
        "INK": "#2b2118", "MUTED": "#52473a", "TITLE": "#7c211b", "PORPHYRY": "#7c211b", "PORPHYRY_DARK": "#5d1612",
        "ON_PORPHYRY": "#fff8ec", "MARK": "#7c211b", "EDGE": "#73634c", "HAIRLINE": "#cdbd9f", "GOLD": "#8a5e0c",
        "GOLD_LINE": "#c9a24b", "SELECTED": "#fff7e4", "FORBIDDEN": "#a31a10",
        "OK": "#084f39", "OK_FIELD": "#e4efe6", "ASK": "#005a8d", "ASK_FIELD": "#e2edf3", "NO": "#a31a10",
        "NO_FIELD": "#f9e6df", "DOUBT": "#6b4708", "DOUBT_FIELD": "#f6ecd2",
    },
    "evening": {
        "TABLE": "#2a211a", "TABLE_LIT": "#372c22", "PANEL": "#2a231d", "PAPER": "#352c24", "PRESSED": "#352c24",
        "INK": "#f3eadb", "MUTED": "#c0b29d", "TITLE": "#efb9a4", "PORPHYRY": "#93322a", "PORPHYRY_DARK": "#c65a4c",
        "ON_PORPHYRY": "#fff4e4", "MARK": "#e2b65a", "EDGE": "#948469", "HAIRLINE": "#4b3f33", "GOLD": "#e2b65a",
        "GOLD_LINE": "#8d6f33", "SELECTED": "#4a3327", "FORBIDDEN": "#ff9a80",
        "OK": "#6fd3ac", "OK_FIELD": "#1f342b", "ASK": "#86c5f2", "ASK_FIELD": "#1c2f3b", "NO": "#ff9a80",
        "NO_FIELD": "#42211b", "DOUBT": "#e2b65a", "DOUBT_FIELD": "#3a3020",
    },
}  # fmt: skip
"""name -> the colours of screens and panels by their roles: TABLE behind everything and lit in its middle, PANEL for
cards and buttons, PAPER for the tray, MARK for who acts and what is selected, EDGE around all that can be touched,
HAIRLINE and GOLD_LINE for decoration only, and with each colour of a verdict the field it stands on
"""
_INITIAL = THEMES["marble"]
TABLE, TABLE_LIT = hexadecimal(_INITIAL["TABLE"]), hexadecimal(_INITIAL["TABLE_LIT"])
PANEL, PAPER, PRESSED = (hexadecimal(_INITIAL[name]) for name in ("PANEL", "PAPER", "PRESSED"))
INK, MUTED, TITLE = (hexadecimal(_INITIAL[name]) for name in ("INK", "MUTED", "TITLE"))
PORPHYRY, PORPHYRY_DARK, ON_PORPHYRY = (
    hexadecimal(_INITIAL[name]) for name in ("PORPHYRY", "PORPHYRY_DARK", "ON_PORPHYRY")
)
MARK, EDGE, HAIRLINE = (hexadecimal(_INITIAL[name]) for name in ("MARK", "EDGE", "HAIRLINE"))
GOLD, GOLD_LINE, SELECTED, FORBIDDEN = (
    hexadecimal(_INITIAL[name]) for name in ("GOLD", "GOLD_LINE", "SELECTED", "FORBIDDEN")
)
OK, ASK, NO, DOUBT = (hexadecimal(_INITIAL[name]) for name in ("OK", "ASK", "NO", "DOUBT"))
OK_FIELD, ASK_FIELD, NO_FIELD, DOUBT_FIELD = (
    hexadecimal(_INITIAL[name]) for name in ("OK_FIELD", "ASK_FIELD", "NO_FIELD", "DOUBT_FIELD")
)

VERDICT_ROLES: dict[VerdictKind, tuple[str, str, str]] = {
    VerdictKind.ACCEPTED: ("✓", "OK", "OK_FIELD"),
    VerdictKind.PROPOSED: ("?", "ASK", "ASK_FIELD"),
    VerdictKind.REFUSED: ("✗", "NO", "NO_FIELD"),
    VerdictKind.NOT_CHECKABLE: ("~", "DOUBT", "DOUBT_FIELD"),
    VerdictKind.NOTE: ("\u2139", "MUTED", "PANEL"),
}
"""kind -> sign, and the roles of its colour and its field"""
VERDICTS: dict[VerdictKind, tuple[str, Colour]] = {}
"""kind -> (sign, colour) in the theme in use"""


def use_theme(name: str) -> None:
    """Dress what is built from now on in a theme's colours; they are read as attributes of this module."""
    for role, code in THEMES[name].items():
        globals()[role] = hexadecimal(code)
    globals()["is_dark"] = name == "evening"
    VERDICTS.update({kind: (sign, globals()[role]) for kind, (sign, role, _field) in VERDICT_ROLES.items()})


is_dark = False
"""whether sheets are dimmed"""
use_theme("marble")


def field_of(kind: VerdictKind) -> Colour:
    """The field on which a verdict stands, in the theme in use."""
    field: Colour = globals()[VERDICT_ROLES[kind][2]]
    return field


def printed(colour: Rgb) -> Colour:
    """A colour of the print."""
    return colour[0] / 255, colour[1] / 255, colour[2] / 255


SHEET = printed(colours.TRAVERTINE)
"""the ground of a board before its picture is there"""
_FACES = {
    "ward": colours.WARDS,
    "building": colours.BUILDINGS,
    "aqueduct": colours.AQUEDUCTS,
    "builder": colours.BUILDERS,
    "reserve": colours.BUILDERS,
    "carriage": colours.CARRIAGES,
    "fountain": colours.TILES,
    "monument": colours.TILES,
    "hill": colours.TRIANGLES,
    "bridge": colours.TRIANGLES,
    "floor": {"1": colours.FLOOR},
}


def face_colour(piece: str, label: str) -> Colour:
    """The ground of a printed face."""
    return printed(_FACES.get(piece, {}).get(label) or colours.named(label))


@dataclass(frozen=True, slots=True)
class Seal:
    """A player's piece as it stands beside their name: its colour, that of its letter, the letter, its shape."""

    fill: Colour
    ink: Colour
    letter: str
    is_round: bool = True


def seal_of(board: Board, colour: str) -> Seal:
    """The seal of a player's colour: round where the edition has a round piece in the players' colours."""
    fill = face_colour("", colour)
    own = [piece for piece in board.pieces.values() if piece.labels == board.palette]
    return Seal(fill, readable_on(fill), colour[:1].upper(), not own or any(piece.shape == "disc" for piece in own))


def readable_on(fill: Colour) -> Colour:
    """Dark or light ink, whichever reads better."""
    return max((printed(colours.INK), printed(colours.IVORY)), key=lambda ink: contrast(ink, fill))
