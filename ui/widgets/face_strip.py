"""Printed faces in a row: of components, and of pieces as they lie or will lie on the board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from ui.drawing.board_drawing import drawing_of
from ui.drawing.faces import lying
from ui.printed.extent import cut
from ui.printed.piles import Lain, pile
from ui.widgets.chips import chip_art
from ui.widgets.scale import scale

BETWEEN = 5
"""design pixels between two faces"""
FACE, LEAST, ENLARGED = 38, 0.6, 0.8
"""design pixels of a usual face, the share of it below which a piece as large as on the board is too small, and how
large it is then, as a share of the face's height
"""
PALE = 0.6
"""opacity of the faces of what is forbidden"""


class FaceStrip(Widget):
    """`faces` (ChipView) and `pieces` (PieceView) up to `face_height` pixels high, in the middle or from the left.

    `textures` are the board's (BoardTextures), None until they are there: then only components are shown.
    """

    board = ObjectProperty(None, allownone=True)
    textures = ObjectProperty(None, allownone=True)
    faces = ObjectProperty(())
    pieces = ObjectProperty(())
    colour = ObjectProperty("")
    face_height = NumericProperty(40)
    from_left = BooleanProperty(False)
    is_pale = BooleanProperty(False)
    at_a_glance = BooleanProperty(False)
    """whether of faces that have one only the part is shown by which they are known, as wide as they are"""
    wanted_width = NumericProperty(0)
    """pixels that all faces take"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._redraw = Clock.create_trigger(self._draw, -1)
        for name in (
            "pos",
            "size",
            "board",
            "textures",
            "faces",
            "pieces",
            "colour",
            "face_height",
            "is_pale",
            "at_a_glance",
        ):
            self.fbind(name, self._redraw)
        chip_art.bind(made=self._redraw)

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        placed = list(self._pictures())
        gap = scale.unit * BETWEEN
        whole = sum(width for _texture, _lain, width, _height in placed) + gap * max(0, len(placed) - 1)
        self.wanted_width = whole
        step = min(1.0, self.width / whole) if whole and self.width > 2 else 1.0
        x = self.x if self.from_left else self.x + (self.width - whole * step) / 2
        for texture, lain, width, height in placed:
            self._drawing.add(Color(1, 1, 1, PALE if self.is_pale else 1))
            low = self.y + (self.height - height * step) / 2
            for each in lain:
                place, size = each.on_pixels(x, low, step)
                self._drawing.add(Rectangle(texture=texture, pos=place, size=size, tex_coords=_corners(each.cell)))
            x += width * step + gap * step

    def _pictures(self) -> Any:
        """Of each face, or of faces on one another, the texture, the faces, width and height (pixels)."""
        if self.board is None:
            return
        height = max(8, round(self.face_height))
        glances = drawing_of(self.board.game).glances if self.at_a_glance else {}
        for chip in self.faces:
            begin, end = glances.get(chip.component, (0.0, 1.0))
            art = chip_art.of(self.board, round(height / (end - begin)))
            cell = art[0].cell_of(chip.component, chip.kind, self.colour) if art is not None else None
            cell = cut(cell, begin, end) if cell is not None else None
            if cell is not None and art is not None:
                top = art[0].cell_of(chip.top, "", self.colour) if chip.top else None
                yield art[1], pile(cell, chip.storeys, top), cell.width, cell.height
        if self.textures is None:
            return
        sheet = next((s for s in self.board.sheets if all(p.spot in s.spots for p in self.pieces)), None)
        there = lying(sheet, [(p.spot, p.label) for p in self.pieces if p.label]) if sheet is not None else []
        for each in there:
            cell, texture, most = self.textures.pictures.cells.get(each.face), self.textures.atlas, 1.0
            if cell is None:
                continue
            least = LEAST if each.face.turn else ENLARGED  # as it lies rather than large
            if max(cell.width, cell.height) < least * min(height, scale.unit * FACE):
                art = chip_art.of(self.board, height)
                larger = art[0].cells.get(replace(each.face, turn=0.0)) if art is not None else None
                if art is not None and larger is not None:
                    cell, texture, most = larger, art[1], ENLARGED * height / max(larger.width, larger.height)
            step = min(most, height / cell.height, 2.0 * height / cell.width)
            wide, high = cell.width * step, cell.height * step
            yield texture, (Lain(cell, 0, 0, wide, high),), wide, high


def _corners(cell: Any) -> tuple[float, ...]:
    return cell.left, cell.bottom, cell.right, cell.bottom, cell.right, cell.top, cell.left, cell.top
