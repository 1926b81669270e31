"""The score from one photograph of the board at the end, and a few answers; or of a known table, by touch too."""

from __future__ import annotations

from typing import Any

from companion.position import Position
from companion.table import Table
from ui.photographs.count_form import CountForm
from ui.photographs.score_form import ScoreForm
from ui.photographs.taking import PhotographSource
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class PhotographScreen(FormScreen):
    """Leads from a picture to the score screen.

    With a `table` it counts that table's board, and its record is kept; the open table's where none is given and
    `counts` is true.
    """

    def __init__(self, app: ScreenHost, *, table: Table | None = None, counts: bool = False, **properties: Any) -> None:
        source = PhotographSource.of(app.shell.devices)
        played = app.presenter.played if counts else None
        if table is None and played is not None:
            table = played.session.table
            look = played.session.game.appearance(played.session.state)
            form: ScoreForm = CountForm(table, look, self._count_open, source)
        elif table is not None:
            self._table = table
            form = CountForm(table, app.shell.set_up(table), self._count_new, source)
        else:
            form = ScoreForm(lambda sheet: app.open("score", game=sheet), source)
        super().__init__(app, form, **properties)

    def _count_open(self, end: Position) -> None:
        """The open table has ended like this."""
        played = self.app.presenter.played
        if played is not None:
            played.on_change(lambda changes: changes.count_up(end))
            self.app.back()
            self.app.open("score")

    def _count_new(self, end: Position) -> None:
        """A table that told nothing has ended like this."""
        self.app.open_table(self.app.shell.count(self._table, end))
        self.app.open("score")
