"""What a player holds as the printed faces of it with their counts; in words until the faces are there."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.metrics import dp
from kivy.properties import NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.board.layout import Board
from companion.errors import CompanionError
from ui.drawing import theme
from ui.printed.pictures import ChipPictures, chip_pictures
from ui.services.background import Background
from ui.view_models.play_view import ChipView
from ui.widgets.painting import text_width, written
from ui.widgets.scale import scale
from ui.widgets.scene_painting import texture_of

FACE, COUNT, BETWEEN, GAP = 23, 16, 4, 10
"""design pixels: the height of a face, of its count, from face to count, from chip to chip"""
FADED = 0.45
"""opacity of the face of something that there is none of"""

_log = logging.getLogger("companion.screen")


class ChipArt(EventDispatcher):
    """The faces of what players hold as textures, made in the background; `made` counts those that are ready."""

    made = NumericProperty(0)

    def __init__(self) -> None:
        super().__init__()
        self._textures: dict[tuple[str, int], tuple[ChipPictures, Any] | None] = {}
        self._work: Background[tuple[tuple[str, int], ChipPictures]] = Background()
        self._look = Clock.create_trigger(self._take, 0.05)

    def of(self, board: Board, height: int) -> tuple[ChipPictures, Any] | None:
        """The faces of a board's edition `height` pixels high and their texture; None until they are ready."""
        key = board.digest, height
        if key not in self._textures and self._work.start(partial(_made, key, board, height)):
            self._textures[key] = None
        if self._work.busy:
            self._look()
        return self._textures.get(key)

    def _take(self, *_: Any) -> None:
        try:
            found = self._work.poll()
        except (CompanionError, OSError) as error:
            _log.error("%s", error)
            return
        if found is not None:
            key, pictures = found
            self._textures[key] = pictures, texture_of(pictures.atlas)
            self.made += 1
        elif self._work.busy:
            self._look()


def _made(key: tuple[str, int], board: Board, height: int) -> tuple[tuple[str, int], ChipPictures]:
    return key, chip_pictures(board, height)


chip_art = ChipArt()


class ChipStrip(Widget):
    """Chips in rows, as many as there is room for."""

    board = ObjectProperty(None, allownone=True)
    chips = ObjectProperty(())
    colour = ObjectProperty("")
    """the player's, in the board's own word"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._redraw = Clock.create_trigger(self._draw, -1)
        for name in ("pos", "size", "board", "chips", "colour"):
            self.fbind(name, self._redraw)
        scale.bind(unit=self._redraw)
        chip_art.bind(made=self._redraw)

    @property
    def row_height(self) -> float:
        """Pixels."""
        return float(scale.unit * (FACE + 5))

    def rows(self, width: float) -> int:
        """How many rows the chips take where each may be so wide (pixels)."""
        return max((row for _chip, _cell, _x, row in self._placed(width)), default=-1) + 1

    def _placed(self, width: float) -> list[tuple[ChipView, Any, float, int]]:
        """The chips with their faces, from where (pixels) and in which row."""
        art = chip_art.of(self.board, round(scale.unit * FACE)) if self.board is not None else None
        placed, x, row = [], 0.0, 0
        for chip in self.chips:
            cell = art[0].cell_of(chip.component, chip.kind, self.colour) if art is not None else None
            wide = self._width_of(chip, cell)
            if x and x + wide > width:
                x, row = 0.0, row + 1
            placed.append((chip, cell, x, row))
            x += wide + scale.unit * GAP
        return placed

    def _width_of(self, chip: ChipView, cell: Any) -> float:
        if cell is None:
            return text_width(chip.words, self._words_size(), bold=False)
        return float(cell.width + scale.unit * BETWEEN + text_width(str(chip.count), scale.unit * COUNT))

    def _words_size(self) -> float:
        return max(dp(13), float(scale.unit * 13.5))

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        if self.board is None or self.width < 2:
            return
        art = chip_art.of(self.board, round(scale.unit * FACE))
        shown = int((self.height + 1) / self.row_height)
        placed = self._placed(self.width)
        if placed and placed[-1][3] >= shown:
            placed = self._placed(self.width - scale.unit * 2 * GAP)
        for chip, cell, x, row in placed:
            middle = self.top - (row + 0.5) * self.row_height
            if row >= shown:
                end = self.right - scale.unit * 6, self.top - (shown - 0.5) * self.row_height
                written(self._drawing, "…", end, scale.unit * COUNT, theme.INK)
                return
            ink = theme.INK if chip.count != 0 else theme.MUTED
            if cell is None or art is None:
                wide = self._width_of(chip, None)
                written(self._drawing, chip.words, (self.x + x + wide / 2, middle), self._words_size(), ink, bold=False)
                continue
            left, low = round(self.x + x), round(middle - cell.height / 2)
            corners = (cell.left, cell.bottom, cell.right, cell.bottom, cell.right, cell.top, cell.left, cell.top)
            self._drawing.add(Color(1, 1, 1, 1 if chip.count else FADED))
            self._drawing.add(
                Rectangle(texture=art[1], pos=(left, low), size=(cell.width, cell.height), tex_coords=corners)
            )
            count, size = str(chip.count), scale.unit * COUNT
            at = left + cell.width + scale.unit * BETWEEN + text_width(count, size) / 2
            written(self._drawing, count, (at, middle), size, ink)
