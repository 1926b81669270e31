"""How things look: colours as red, green and blue from 0 to 1, and the sign that goes with each, without Kivy.

Colour is never the only sign: wards and buildings carry letters, players pips, aqueducts notches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.board.layout import Board
from ui.view_models.play_view import PieceState, VerdictKind

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


INK = hexadecimal("#2b2520")
MUTED = hexadecimal("#695f53")
MARBLE = hexadecimal("#efeae0")
PANEL = hexadecimal("#fbf9f5")
HAIRLINE = hexadecimal("#d5ccbc")
PRESSED = hexadecimal("#e2d9c8")
PORPHYRY = hexadecimal("#7d2a25")
PORPHYRY_DARK = hexadecimal("#5f1e1a")
TITLE = PORPHYRY
"""headings; PORPHYRY is what white is written on"""
GOLD = hexadecimal("#9a6d18")
WHITE = hexadecimal("#ffffff")

# Boards and pieces are drawn as they are printed, whatever the theme.
BOARD_INK, BOARD_GOLD, BOARD_HAIRLINE = INK, GOLD, HAIRLINE

TABLE = hexadecimal("#c9b391")
SHEET = hexadecimal("#f8f4ea")
GRID = hexadecimal("#d9d0bd")
RIVER = hexadecimal("#cfe0e6")
PRINT = hexadecimal("#8b7f6d")

# Masataka Okabe and Kei Ito, Color Universal Design (2008): told apart by colour-blind eyes.
BLACK = hexadecimal("#000000")
ORANGE = hexadecimal("#e69f00")
SKY_BLUE = hexadecimal("#56b4e9")
BLUISH_GREEN = hexadecimal("#009e73")
YELLOW = hexadecimal("#f0e442")
BLUE = hexadecimal("#0072b2")
VERMILION = hexadecimal("#d55e00")
REDDISH_PURPLE = hexadecimal("#cc79a7")

PROVINCES = tuple(
    mixed(colour, hexadecimal("#f8f4ea"), 0.45)
    for colour in (REDDISH_PURPLE, BLUISH_GREEN, YELLOW, SKY_BLUE, BLUE, ORANGE, VERMILION, INK, MUTED)
)
"""pale grounds for the parts of a map, in the order of the board's features"""

VERDICTS: dict[VerdictKind, tuple[str, Colour]] = {
    VerdictKind.ACCEPTED: ("✓", hexadecimal("#00694d")),
    VerdictKind.PROPOSED: ("?", hexadecimal("#005a8d")),
    VerdictKind.REFUSED: ("✗", hexadecimal("#a83c00")),
    VerdictKind.NOT_CHECKABLE: ("~", hexadecimal("#7a5510")),
    VerdictKind.NOTE: ("i", MUTED),
}
"""kind -> (sign, colour)"""

THEMES: dict[str, dict[str, str]] = {
    "marble": {
        "INK": "#2b2520", "MUTED": "#695f53", "MARBLE": "#efeae0", "PANEL": "#fbf9f5", "HAIRLINE": "#d5ccbc",
        "PRESSED": "#e2d9c8", "PORPHYRY": "#7d2a25", "PORPHYRY_DARK": "#5f1e1a", "GOLD": "#9a6d18", "TITLE": "#7d2a25",
        "TABLE": "#c9b391", "accepted": "#00694d", "proposed": "#005a8d", "refused": "#a83c00",
        "not checkable": "#7a5510", "note": "#695f53",
    },
    "evening": {
        "INK": "#f1ebe0", "MUTED": "#b9afa0", "MARBLE": "#1c1815", "PANEL": "#2a2521", "HAIRLINE": "#473f37",
        "PRESSED": "#3a332d", "PORPHYRY": "#8f332d", "PORPHYRY_DARK": "#6d2520", "GOLD": "#d6a640", "TITLE": "#eab8a6",
        "TABLE": "#5a4732", "accepted": "#5fd0a8", "proposed": "#7cc0f0", "refused": "#ff9a66",
        "not checkable": "#e0b35c", "note": "#b9afa0",
    },
}  # fmt: skip
"""name -> colours of screens and panels; the boards are drawn as they are printed, whatever the theme"""


def use_theme(name: str) -> None:
    """Dress what is built from now on in a theme's colours; they are read as attributes of this module."""
    for colour, code in THEMES[name].items():
        if colour.isupper():
            globals()[colour] = hexadecimal(code)
        else:
            VERDICTS[VerdictKind(colour)] = VERDICTS[VerdictKind(colour)][0], hexadecimal(code)


OUTLINES: dict[PieceState, Colour] = {
    PieceState.LATEST: hexadecimal("#b8860b"),
    PieceState.OWED: hexadecimal("#5a5147"),
    PieceState.GONE: hexadecimal("#5a5147"),
    PieceState.PROPOSED: hexadecimal("#005a8d"),
    PieceState.WRONG: hexadecimal("#c41e00"),
    PieceState.DOUBTFUL: hexadecimal("#5a5147"),
}
BADGES: dict[PieceState, str] = {PieceState.PROPOSED: "?", PieceState.WRONG: "!", PieceState.DOUBTFUL: "?"}
LEGAL = hexadecimal("#b8860b")
REFUSED = OUTLINES[PieceState.WRONG]


@dataclass(frozen=True, slots=True)
class PieceStyle:
    """A piece's colour, the colour of what is written on it, and its letter, pips or notches."""

    fill: Colour
    ink: Colour = WHITE
    letter: str = ""
    pips: int = 0
    notches: int = 0


PIECES: dict[tuple[str, str], PieceStyle] = {
    ("ward", "red"): PieceStyle(mixed(VERMILION, SHEET, 0.12), BLACK, "R"),
    ("ward", "yellow"): PieceStyle(mixed(YELLOW, SHEET, 0.12), BLACK, "Y"),
    ("ward", "green"): PieceStyle(mixed(BLUISH_GREEN, SHEET, 0.12), BLACK, "G"),
    ("ward", "blue"): PieceStyle(BLUE, WHITE, "B"),
    ("hill", "hill"): PieceStyle(hexadecimal("#b49a6c"), INK),
    ("bridge", "bridge"): PieceStyle(hexadecimal("#9dbcc8"), INK),
    ("building", "temple"): PieceStyle(BLUISH_GREEN, BLACK, "T"),
    ("building", "baths"): PieceStyle(BLUE, WHITE, "B"),
    ("building", "theatre"): PieceStyle(YELLOW, BLACK, "Th"),
    ("building", "arena"): PieceStyle(VERMILION, BLACK, "A"),
    ("building", "fountain"): PieceStyle(SKY_BLUE, BLACK, "F"),
    ("floor", "floor"): PieceStyle(hexadecimal("#d9b98c"), BLACK),
    ("fountain", "fountain"): PieceStyle(SKY_BLUE, BLACK, "F"),
    ("monument", "amphitheatre"): PieceStyle(mixed(VERMILION, SHEET, 0.35), BLACK, "A"),
    ("monument", "temple"): PieceStyle(mixed(REDDISH_PURPLE, SHEET, 0.2), BLACK, "T"),
    ("builder", "curve"): PieceStyle(ORANGE, BLACK, "C"),
    ("builder", "straight"): PieceStyle(hexadecimal("#cfe0a8"), BLACK, "S"),
    ("builder", "bridge"): PieceStyle(hexadecimal("#8c88b0"), BLACK, "B"),
    ("builder", "double curve"): PieceStyle(hexadecimal("#aa4e3e"), WHITE, "D"),
    ("builder", "joker"): PieceStyle(hexadecimal("#18161c"), WHITE, "J"),
    ("carriage", "Baden"): PieceStyle(hexadecimal("#9970b4"), BLACK, "Ba"),
    ("carriage", "Wuerttemberg"): PieceStyle(hexadecimal("#a8cb68"), BLACK, "W"),
    ("carriage", "Schweiz"): PieceStyle(hexadecimal("#8cd0da"), BLACK, "S"),
    ("carriage", "Baiern"): PieceStyle(hexadecimal("#d8c7a4"), BLACK, "By"),
    ("carriage", "Boehmen"): PieceStyle(hexadecimal("#d07828"), BLACK, "Bö"),
    ("aqueduct", "grey"): PieceStyle(hexadecimal("#8f8f8f"), INK, notches=1),
    ("aqueduct", "brown"): PieceStyle(hexadecimal("#7a4a21"), WHITE, notches=2),
    ("aqueduct", "white"): PieceStyle(WHITE, INK, notches=3),
}
"""(piece, label) -> style of the pieces that the games name; players' pieces are in PLAYERS"""

_SAME_LOOK = {"reserve": "builder"}
"""pieces that look like another one, which lies elsewhere"""
_ALIKE = ("floor",)
"""pieces that all look the same; their label is a count"""

PLAYERS: dict[str, PieceStyle] = {
    "black": PieceStyle(hexadecimal("#262626"), WHITE),
    "white": PieceStyle(WHITE, INK),
    "purple": PieceStyle(hexadecimal("#93478a"), WHITE),
    "orange": PieceStyle(ORANGE, BLACK),
    "red": PieceStyle(VERMILION, BLACK),
    "blue": PieceStyle(BLUE, WHITE),
    "green": PieceStyle(BLUISH_GREEN, BLACK),
    "yellow": PieceStyle(YELLOW, BLACK),
}
SPARE = (REDDISH_PURPLE, SKY_BLUE, BLUISH_GREEN, YELLOW, BLUE, VERMILION)
"""for labels that nobody has given a colour"""


def piece_style(board: Board, piece: str, label: str) -> PieceStyle:
    """How a piece looks; one of a player's colour has as many pips as the colour's place in the board's palette."""
    if label in board.palette:
        return player_style(board, label)
    known = PIECES.get((_SAME_LOOK.get(piece, piece), label if piece not in _ALIKE else piece))
    if known is not None:
        return known
    labels = board.pieces[piece].labels
    fill = SPARE[labels.index(label) % len(SPARE)] if label in labels else MUTED
    return PieceStyle(fill, readable_on(fill), label[:2].title())


def player_style(board: Board, colour: str) -> PieceStyle:
    """The colour and pips of a player's pieces."""
    index = board.palette.index(colour) if colour in board.palette else -1
    fill = SPARE[index % len(SPARE)]
    known = PLAYERS.get(colour, PieceStyle(fill, readable_on(fill)))
    return replace(known, pips=index + 1)


def readable_on(fill: Colour) -> Colour:
    """Black or white ink, whichever reads better."""
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, fill))
