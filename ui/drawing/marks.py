"""The marks on a board, the same in every theme: each has a colour and a shape. Widths are dp. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

from ui.drawing.theme import BLACK, WHITE, Colour, hexadecimal
from ui.view_models.play_view import PieceState

INK = hexadecimal("#2b2118")
GLOW = hexadecimal("#ffd23f")
WRONG_RED, OWED_BLUE, LEGAL_GREEN = hexadecimal("#a31a10"), hexadecimal("#005a8d"), hexadecimal("#0a6247")
DISC = 10.0
"""radius of a sign beside a piece"""
ROOMY = 60.0
"""width and height together from which a mark lies within a place; around it where the place is smaller"""
CROSS = "×"
MOST_MARKED = 8
"""places where something may be done up to which all are marked unasked, and outlined; of more a dot stands in each"""


@dataclass(frozen=True, slots=True)
class Halo:
    """Bands of colour around a piece, from the outside in; the last one reaches under the piece."""

    bands: tuple[tuple[Colour, float], ...]


@dataclass(frozen=True, slots=True)
class Ring:
    """A line of colour on a wider white one; `dash` and gap, or 0 for a solid line."""

    under: float
    colour: Colour
    width: float
    dash: tuple[float, float] = (0.0, 0.0)


LATEST = Halo(((GLOW, 1.0), (INK, 1.0), (WHITE, 3.0)))
GHOST = Halo(((GLOW, 1.4), (INK, 1.4), (WHITE, 4.2)))
POSSIBLE = Ring(4.0, INK, 1.6, (4.5, 3.5))
LEGAL = Ring(7.0, LEGAL_GREEN, 4.0, (8.0, 6.0))
REFUSED = Ring(5.5, WRONG_RED, 3.5)
DIFFERS = Ring(5.5, WRONG_RED, 3.5, (7.0, 5.0))
OWED = Ring(5.0, OWED_BLUE, 3.0, (6.0, 4.5))
DOUBTFUL = Ring(5.0, OWED_BLUE, 2.0, (3.0, 3.0))
SPOKEN_OF = Ring(5.0, INK, 2.0)
PATH, PATH_MIDDLE = Ring(6.5, INK, 4.5, (6.0, 5.0)), 1.6
"""of a path that is laid, in the colour of who lays it: the widths of the line that edges a road and of the road, the
dashes of its middle, and their width
"""

AROUND: dict[PieceState, Halo | Ring] = {
    PieceState.LATEST: LATEST,
    PieceState.GHOST: GHOST,
    PieceState.PROPOSED: GHOST,
    PieceState.OWED: OWED,
    PieceState.GONE: DIFFERS,
    PieceState.WRONG: DIFFERS,
    PieceState.CORRECTED: DIFFERS,
    PieceState.DOUBTFUL: DOUBTFUL,
}
SIGNS: dict[PieceState, str] = {
    PieceState.PROPOSED: "?",
    PieceState.WRONG: "!",
    PieceState.GONE: CROSS,
    PieceState.CORRECTED: "?",
    PieceState.DOUBTFUL: "?",
}
"""beside the piece, so that no state is told by a colour alone"""
OPACITY: dict[PieceState, float] = {
    PieceState.PLACED: 1.0,
    PieceState.LATEST: 1.0,
    PieceState.GHOST: 0.82,
    PieceState.OWED: 0.55,
    PieceState.GONE: 0.55,
    PieceState.PROPOSED: 0.82,
    PieceState.WRONG: 1.0,
    PieceState.CORRECTED: 0.82,
    PieceState.DOUBTFUL: 1.0,
}


def colour_of(state: PieceState) -> Colour:
    """The colour of the sign of a piece's state."""
    mark = AROUND.get(state)
    return mark.colour if isinstance(mark, Ring) else OWED_BLUE if state is PieceState.PROPOSED else BLACK
