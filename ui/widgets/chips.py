"""What a player holds as the printed faces of it with their counts; in words until the faces are there."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
from ui.printed.extent import HeldCells
from ui.printed.pictures import ChipPictures, chip_pictures
from ui.printed.piles import pile
from ui.services.background import Background
from ui.view_models.play_view import ChipView
from ui.widgets.painting import text_width, written
from ui.widgets.scale import scale
from ui.widgets.scene_painting import texture_of

FACE, COUNT, BETWEEN, GAP = 23, 16, 4, 10
"""design pixels: the height of a face, of its count, from face to count, from chip to chip"""
RAISED_BY = 0.2
"""share of a row's height by which it stands above the middle how many more there are"""
STEPS = (1.0, 0.9, 0.8, 0.7)
"""what chips are made smaller by, the largest first, until all of them have room"""
ADDED, AFTER_ADDED = 12, -3
"""design pixels: the height of how many more there are, and from there to the next chip, whose face begins lower"""
LEAST_COUNT, LEAST_ROW = 12, 16
"""dp: the smallest text of a chip, and the lowest row that it stands in"""
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

    def of(self, board: Board, height: int) -> tuple[HeldCells, Any] | None:
        """The faces of a board's edition `height` pixels high and their texture; until they are ready those of another
        height at this one, None without any.
        """
        key = board.digest, height
        if key not in self._textures and self._work.start(partial(_made, key, board, height)):
            self._textures[key] = None
        if self._work.busy:
            self._look()
        return self._textures.get(key) or self._of_another_height(board, height)

    def _of_another_height(self, board: Board, height: int) -> tuple[HeldCells, Any] | None:
        made = [(key[1], art) for key, art in self._textures.items() if key[0] == board.digest and art is not None]
        if not made:
            return None
        nearest, (pictures, texture) = min(made, key=lambda each: abs(each[0] - height))
        step = height / nearest
        cells = {
            face: replace(cell, width=max(1, round(cell.width * step)), height=max(1, round(cell.height * step)))
            for face, cell in pictures.cells.items()
        }
        return HeldCells(pictures.atlas_size, cells), texture

    @property
    def is_busy(self) -> bool:
        """Whether faces that were asked for are still being made."""
        return bool(self._work.busy) or any(made is None for made in self._textures.values())

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


@dataclass(frozen=True, slots=True)
class Placed:
    """A chip, or a part of one in words: its face if it has one, its text, from where, how wide (pixels), which row.

    `more` are the pixels at its right end in which it is told how many more there are.
    """

    chip: ChipView
    cell: Any
    text: str
    left: float
    width: float
    row: int
    more: float = 0.0


class ChipStrip(Widget):
    """Chips in rows: smaller ones, without those that there is none of and without names, before any has no room."""

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

    def wanted_width(self) -> float:
        """The width (pixels) of a single row of all of them."""
        placed = self._in_rows(1e6, 1.0, self.chips)
        return placed[-1].left + placed[-1].width + 2 if placed else 0.0

    def wanted_height(self, width: float) -> float:
        """The height (pixels) of all rows where each may be so wide, nothing made smaller."""
        return _row_count(self._in_rows(width, 1.0, self.chips)) * row_height(1.0)

    def least_height(self, width: float) -> float:
        """The height (pixels) of two rows made as small as can be, or of as many as there are."""
        return min(self.wanted_height(width), max(row_height(1.0), 2 * row_height(STEPS[-1])))

    def fitted(self) -> tuple[list[Placed], float, bool]:
        """The chips that are shown, what they are made smaller by, and whether these are all that there is any of."""
        present = tuple(chip for chip in self.chips if not chip.is_none)
        brief = tuple(replace(chip, words=chip.short or chip.words) for chip in present)
        attempts = [*((step, self.chips) for step in STEPS[:-1]), *((step, present) for step in STEPS[-2:])]
        attempts.append((STEPS[-1], brief))
        placed: list[Placed] = []
        for step, chips in attempts:
            placed = self._in_rows(self.width, step, chips)
            if _row_count(placed) * row_height(step) <= self.height + 1:
                return placed, step, True
        step = STEPS[-1]
        shown = int((self.height + 1) / row_height(step))
        placed = self._in_rows(self.width, step, brief, broken=True)
        if _row_count(placed) <= shown:
            return placed, step, True
        kept = [each for each in placed if each.row < shown]
        room = self.width - text_width("…", _count_size(step))
        while kept and kept[-1].row == shown - 1 and kept[-1].left + kept[-1].width > room:
            last = kept.pop()
            if not last.left:
                kept.append(replace(last, width=room))
        return kept, step, False

    def _in_rows(self, width: float, step: float, chips: Sequence[ChipView], *, broken: bool = False) -> list[Placed]:
        """The chips made smaller by a step in rows so wide (pixels); words are broken where they must be, or all."""
        art = chip_art.of(self.board, round(scale.unit * FACE)) if self.board is not None else None
        placed: list[Placed] = []
        x, row = 0.0, 0
        for chip in chips:
            cell = art[0].cell_of(chip.component, chip.printed, self.colour) if art is not None else None
            texts = [chip.figure] if cell is not None else [chip.words]
            if cell is None and (broken or _width_of(None, chip.words, step) > width):
                texts = list(_broken(chip.words, width, step))
            for text in texts:
                wide, more = _width_of(cell, text, step), 0.0
                if cell is not None and chip.added is not None:  # as wide without, so that the next keep their places
                    more = max(_widest("+", _added_size(step)), text_width(f"+{chip.added}", _added_size(step)))
                    wide = max(wide, cell.width * step + scale.unit * BETWEEN + _widest("", _count_size(step))) + more
                if x and x + wide > width:
                    x, row = 0.0, row + 1
                wide = min(wide, width)
                placed.append(Placed(chip, cell, text, x, wide, row, more))
                x += wide + scale.unit * BETWEEN
            x += scale.unit * ((GAP if chip.added is None else AFTER_ADDED) * step - BETWEEN)
        return placed

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        if self.board is None or self.width < 2:
            return
        art = chip_art.of(self.board, round(scale.unit * FACE))
        placed, step, is_whole = self.fitted()
        height = row_height(step)
        for each in placed:
            chip, cell, middle = each.chip, each.cell, self.top - (each.row + 0.5) * height
            ink = theme.MUTED if chip.is_none else theme.INK
            left, right = self.x + each.left, self.x + each.left + each.width
            if cell is None or art is None:
                size = _words_size(step)
                size *= min(1.0, each.width / text_width(each.text, size, bold=False))
                written(self._drawing, each.text, ((left + right) / 2, middle), size, ink, bold=False)
                continue
            wide, high = cell.width * step, cell.height * step
            top = art[0].cell_of(chip.top, "", self.colour) if chip.top else None
            self._drawing.add(Color(1, 1, 1, FADED if chip.is_none else 1))
            for face in pile(cell, chip.storeys, top):
                part = face.cell
                corners = (part.left, part.bottom, part.right, part.bottom, part.right, part.top, part.left, part.top)
                place, lies = face.on_pixels(left, middle - high / 2, step)
                self._drawing.add(Rectangle(texture=art[1], pos=place, size=lies, tex_coords=corners))
            begin = left + wide + scale.unit * BETWEEN
            if not each.text:
                continue
            size, end = _count_size(step), right - each.more
            size *= min(1.0, (end - begin) / text_width(each.text, size))
            written(self._drawing, each.text, ((begin + end) / 2, middle), size, ink)
            if chip.added:
                at = end + each.more / 2 + scale.unit * AFTER_ADDED / 2, middle + height * RAISED_BY
                written(self._drawing, f"+{chip.added}", at, _added_size(step), ink)
        last = int((self.height + 1) / height) - 1
        if not is_whole and last >= 0:
            size = _count_size(step)
            end = self.right - text_width("…", size) / 2, self.top - (last + 0.5) * height
            written(self._drawing, "…", end, size, theme.INK)


def row_height(step: float) -> float:
    """The height (pixels) of a row of chips made smaller by a step."""
    return max(dp(LEAST_ROW), float(scale.unit * (FACE + 5) * step))


def _broken(words: str, width: float, step: float) -> Iterator[str]:
    """Words in parts after each comma, or word by word where a part is wider than a row (pixels)."""
    for part in words.replace(", ", ",\n").splitlines():
        yield from [part] if _width_of(None, part, step) <= width else part.split()


def _row_count(placed: Sequence[Placed]) -> int:
    return placed[-1].row + 1 if placed else 0


def _words_size(step: float) -> float:
    return max(dp(LEAST_COUNT if step < 1.0 else 13), float(scale.unit * 13.5 * step))


def _count_size(step: float) -> float:
    return max(dp(LEAST_COUNT), float(scale.unit * COUNT * step))


def _added_size(step: float) -> float:
    return max(dp(LEAST_COUNT), float(scale.unit * ADDED * step))


def _widest(sign: str, size: float) -> float:
    """The width (pixels) of the widest digit after a sign."""
    return max(text_width(f"{sign}{digit}", size) for digit in range(10))


def _width_of(cell: Any, text: str, step: float) -> float:
    if cell is None:
        return text_width(text, _words_size(step), bold=False)
    beside = scale.unit * BETWEEN + text_width(text, _count_size(step)) if text else 0.0
    return float(cell.width * step + beside)
