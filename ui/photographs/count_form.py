"""Counting the board at the end of a game of people who are known: from a picture, or by touch. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.position import Position
from companion.table import Table
from ui.photographs.reading import PhotographReading
from ui.photographs.score_form import ScoreForm, ScorePage
from ui.photographs.taking import NO_CAMERA, PhotographSource
from ui.services.text import _
from ui.view_models.form_view import Note, Row


class CountForm(ScoreForm):
    """Leads from a table to the position at its end, which `count` gets. `look` is the board as it is known so far."""

    pages = (ScorePage.PICTURE, ScorePage.SPOTS, ScorePage.ANSWERS)

    def __init__(
        self,
        table: Table,
        look: Mapping[str, str],
        count: Callable[[Position], None],
        source: PhotographSource = NO_CAMERA,
    ) -> None:
        super().__init__(lambda scored: None, source, game=table.game)
        self._table, self._known, self._count = table, look, count
        self._board = table.board
        self._colours = [player.colour for player in table.players]
        self._names = [player.name for player in table.players]

    def heading(self) -> str:
        """The heading of the page."""
        if self.page is ScorePage.FILES:
            return super().heading()
        return _("Count the board") + f"  {self.pages.index(self.page) + 1}/{len(self.pages)}"

    def tick(self) -> None:
        """Take the reading once it is there."""
        reading = self._taking.poll()
        if reading is not None:
            self._look_at(reading)

    def _go(self, way: str) -> None:
        if way == "touch":
            self._taking.leave()
            self._look_at(PhotographReading(dict(self._known), (), {}))
        else:
            super()._go(way)

    def _game_rows(self) -> list[Row]:
        return [Note(_("Play to the end of the game without this screen; then show it the board."))]

    def _ways(self) -> list[tuple[str, str]]:
        return [*super()._ways(), ("touch", _("I show it by touch"))]

    def _finish(self) -> None:
        position = self._position_from_answers(self._seat_names())
        if position is not None:
            self._count(position)

    def _entries(self) -> dict[str, Any]:
        shown = self._game.photograph_scoring.set_up(self._board, self._look())
        told = {name: list(names) for name, names in self._table.options.items() if name not in shown}
        players = [{"name": player.name, "colour": player.colour} for player in self._table.players]
        return {"players": players, "rulings": dict(self._table.rulings), **told}
