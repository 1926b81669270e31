"""Phones at the table: the code to scan, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.forms.phones_form import PhonesForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class PhonesScreen(FormScreen):
    """Switches phones on and off for the table that is open, or that will be."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        self._host = app
        super().__init__(app, PhonesForm(app.phones, self._names), **properties)

    def _names(self) -> Sequence[str]:
        try:
            played = self._host.presenter.played
        except LookupError:
            return ()
        return tuple(player.name for player in played.session.table.players) if played is not None else ()
