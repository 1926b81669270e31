"""Cards that lie in rows, each face with its name below: a display, a route, a hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.drawing.board_drawing import drawing_of
from ui.printed.extent import Cell, cut
from ui.view_models.play_view import CardRow, ChipView
from ui.widgets.chips import chip_art
from ui.widgets.painting import text_width, written
from ui.widgets.scale import scale

HEADING, NAME, BETWEEN, CHIP = 20, 16, 8, 22
"""design pixels: of a heading, of the name below a card, between cards and between rows, of a face beside a heading"""
FACES, LEAST_OF_SEVERAL = (100, 84, 70, 58, 48, 40, 28), 40
"""design pixels that the faces are high, the largest that has room, and in several rows at least"""
WHOLE_FROM = 84
"""design pixels from which a face is shown whole; of a smaller one the upper part, by which it is known"""
SLOTS = 6
"""cards that a row has room for at least"""
LEAST_TEXT = 11
"""dp of the smallest letters"""


class Look(NamedTuple):
    """How high faces and names are (pixels), and whether the faces are whole."""

    face: float
    name: float
    is_whole: bool


class CardRows(Widget):
    """Rows of cards with headings; as a strip the first row alone, without a heading."""

    board = ObjectProperty(None, allownone=True)
    rows = ObjectProperty(())
    """CardRow"""
    colour = ObjectProperty("")
    is_strip = BooleanProperty(False)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "board", "rows", "colour"):
            self.fbind(name, self._redraw)
        scale.bind(unit=self._redraw)
        chip_art.bind(made=self._redraw)

    def fitting(self, rows: Sequence[CardRow], room: float) -> tuple[tuple[CardRow, ...], float]:
        """As many of these rows as have room (pixels), and the height that they take."""
        for count in range(len(rows), 0, -1):
            for face in (each for each in FACES if count == 1 or each >= LEAST_OF_SEVERAL):
                height = count * self._row_height(face)
                if height <= room:
                    return tuple(rows[:count]), height
        return (), 0.0

    def strip_width(self, row: CardRow, room: float) -> float:
        """The width (pixels) of a row as a strip; 0 where it has no room even with the smallest names."""
        width = self._strip_width(row, max(dp(LEAST_TEXT), scale.unit * NAME))
        width = width if width <= room else self.least_strip_width(row)
        return width if width <= room else 0.0

    def least_strip_width(self, row: CardRow) -> float:
        """The width (pixels) of a row as a strip with the smallest names."""
        return self._strip_width(row, dp(LEAST_TEXT))

    def _strip_width(self, row: CardRow, size: float) -> float:
        slot = max((text_width(name, size) for name in row.names), default=0.0)
        slot = max(slot, scale.unit * 56) + scale.unit * BETWEEN
        return float(len(row.cards) * slot + self._beside_width(row.beside))

    def _row_height(self, face: float) -> float:
        return float(scale.unit * (face + HEADING + 6 + BETWEEN) + self._name_height())

    @staticmethod
    def _name_height() -> float:
        return max(dp(13), scale.unit * NAME) * 1.25

    def _look(self) -> Look:
        name = self._name_height()
        if self.is_strip:
            return Look(max(1.0, self.height - name), name, is_whole=False)
        row = self.height / max(1, len(self.rows))
        face = next((each for each in FACES if self._row_height(each) <= row + 1), FACES[-1])
        return Look(scale.unit * face, name, face >= WHOLE_FROM)

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        if not self.rows or self.board is None or min(self.size) < 2:
            return
        look, top = self._look(), float(self.top)
        for row in self.rows[:1] if self.is_strip else self.rows:
            if not self.is_strip:
                self._heading(row, top)
                top -= scale.unit * (HEADING + 6)
            self._cards(row, top, look)
            top -= look.face + look.name + scale.unit * BETWEEN

    def _heading(self, row: CardRow, top: float) -> None:
        size = max(dp(13), scale.unit * 17)
        middle, x = top - scale.unit * HEADING / 2, float(self.x)
        name = row.name[:1].upper() + row.name[1:]
        wide = text_width(name, size)
        written(self._drawing, name, (x + wide / 2, middle), size, theme.INK)
        x = self._beside(row.beside, x + wide + scale.unit * 12, middle) + scale.unit * 4
        self._drawing.add(Color(*theme.EDGE))
        self._drawing.add(Rectangle(pos=(round(x), round(middle)), size=(max(0, self.right - x), 1)))

    def _beside(self, chips: Sequence[ChipView], x: float, middle: float) -> float:
        """Draw chips from here on; gives where they end."""
        size = max(dp(13), scale.unit * 16)
        for chip in chips:
            told = chip.numbers or str(chip.count)
            cell, texture = self._face(chip, scale.unit * CHIP)
            if cell is not None:
                self._picture(cell, texture, x, middle - cell.height / 2)
                x += cell.width + scale.unit * 4
            wide = text_width(told, size)
            written(self._drawing, told, (x + wide / 2, middle), size, theme.INK)
            x += wide + scale.unit * 10
        return x

    def _beside_width(self, chips: Sequence[ChipView]) -> float:
        size = max(dp(13), scale.unit * 16)
        words = (text_width(chip.numbers or str(chip.count), size) for chip in chips)
        return sum(word + scale.unit * (CHIP * 1.5 + 14) for word in words)

    def _cards(self, row: CardRow, top: float, look: Look) -> None:
        gap = scale.unit * BETWEEN
        room = self.width - (self._beside_width(row.beside) if self.is_strip else 0)
        slot = (room - gap * (max(SLOTS, len(row.cards)) - 1)) / max(SLOTS, len(row.cards))
        if self.is_strip:
            slot = room / len(row.cards) - gap
        size = max(dp(13), scale.unit * NAME)
        widest = max((text_width(name, size) for name in row.names), default=1.0)
        size = max(dp(LEAST_TEXT), size * min(1.0, slot / max(1.0, widest)))
        for place, (card, name) in enumerate(zip(row.cards, row.names, strict=True)):
            middle = self.x + place * (slot + gap) + slot / 2
            cell, texture = self._face(card, look.face, is_whole=look.is_whole)
            if cell is not None:
                share = min(1.0, slot / cell.width)
                wide, high = cell.width * share, cell.height * share
                self._picture(cell, texture, middle - wide / 2, top - high, share)
            written(self._drawing, name, (middle, top - look.face - look.name / 2), size, theme.INK)
        if self.is_strip:
            self._beside(row.beside, self.x + room + gap, self.center_y)

    def _face(self, chip: ChipView, height: float, *, is_whole: bool = True) -> tuple[Cell | None, Any]:
        """A face so high (pixels), whole or its upper part, and the texture that it is in; None until it is there."""
        end = 1.0 if is_whole else drawing_of(self.board.game).glances.get(chip.component, (0.0, 1.0))[1]
        art = chip_art.of(self.board, max(8, round(height / end)))
        cell = art[0].cell_of(chip.component, chip.kind, self.colour) if art is not None else None
        if art is None or cell is None:
            return None, None
        return cut(cell, 0.0, end), art[1]

    def _picture(self, cell: Cell, texture: Any, x: float, y: float, share: float = 1.0) -> None:
        corners = (
            cell.left, cell.bottom, cell.right, cell.bottom, cell.right, cell.top, cell.left, cell.top
        )  # fmt: skip
        self._drawing.add(Color(1, 1, 1, 1))
        size = cell.width * share, cell.height * share
        self._drawing.add(Rectangle(texture=texture, pos=(round(x), round(y)), size=size, tex_coords=corners))
