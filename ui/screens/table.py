"""The menu of an open table: what lies open, history, closed hands, the clock, the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost
from ui.table.table_menu import TableMenu


class TableScreen(FormScreen):
    """Shows the menu of the open table, or directly its page of open holdings."""

    def __init__(self, app: ScreenHost, *, looking: bool = False, **properties: Any) -> None:
        presenter = app.presenter.played
        if presenter is None:
            raise TypeError("only a table that is played here has a menu")
        turn = self._turn if app.has_shell else None
        phones = self._show_phones if app.phones is not None else None
        organiser = self._show_publishing if app.publishing is not None else None
        menu = TableMenu(
            presenter, self._leave, turn, looking=looking, rules=self._rules, phones=phones, organiser=organiser,
            home=app.home if app.has_shell else None, score=self._show_score,
            count=self._show_count if app.has_shell else None,
        )  # fmt: skip
        super().__init__(app, menu, **properties)

    def _leave(self) -> None:
        self.app.back()

    def _show_score(self) -> None:
        self.app.open("score")

    def _show_count(self) -> None:
        self.app.open("photograph", counts=True)

    def _rules(self) -> None:
        self.app.open("help")

    def _show_phones(self) -> None:
        self.app.open("phones")

    def _show_publishing(self) -> None:
        self.app.open("publishing")

    def _turn(self) -> None:
        shell = self.app.shell
        shell.change_settings(replace(shell.settings, flipped=not shell.settings.flipped))
        self.app.rebuild()
