"""The look of a game's printed edition: a value made by its art modules and listed in `calibration.registry`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from calibration.drawing.colours import Rgb
from calibration.drawing.ink import Ink
from calibration.sheet_parts import MARKER_BAND
from companion.board.layout import Board, Piece

DrawSheet = Callable[[Ink, Board], None]
"""Draws on the board's sheet, in board millimetres."""
DrawFace = Callable[[Ink, Board, Piece, str, str], None]
"""Draws a piece's face with a label and the inscription of a single piece, around the origin (`face_outline`)."""
DrawSurface = Callable[[Ink, Board, Piece, str, str], None]
"""Draws on another surface of a paper solid: piece, label and the surface's `part`, in that surface's own frame."""


@dataclass(frozen=True, slots=True)
class GameArt:
    """How a game's edition is drawn.

    Faces, reverses and surfaces are looked up by the piece's name and shape, so that pieces of another shape in another
    edition get a plain form. Whatever a game does not draw is drawn plainly. `draw_map` fills the panel between the
    margins and is clipped to it; `draw_margins` may draw next to the panel, where neither markers nor patches are.
    `fields` gives the colour of a paper solid by its name and label, where the label names no colour. `second` are the
    faces that look different in the second edition. `band` is the width (mm) of the margins.
    """

    draw_map: DrawSheet
    draw_margins: DrawSheet | None = None
    faces: Mapping[tuple[str, str], DrawFace] = field(default_factory=dict)
    reverses: Mapping[tuple[str, str], DrawFace] = field(default_factory=dict)
    surfaces: Mapping[tuple[str, str], DrawSurface] = field(default_factory=dict)
    fields: Mapping[tuple[str, str], Rgb] = field(default_factory=dict)
    second: Mapping[tuple[str, str], DrawFace] = field(default_factory=dict)
    band: float = MARKER_BAND
