"""Phones at the table: the code to scan, and who sits where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ui.forms.phones_form import PhonesForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class PhonesScreen(FormScreen):
    """Switches phones on and off for the table that is open, or that will be.

    When the last seat of an open table gets its phone, also as they come back after a start, the table is shown.
    """

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        self._host = app
        self._were_all_seated: bool | None = None
        super().__init__(app, PhonesForm(app.phones, self._names), **properties)

    def refresh(self) -> None:
        """Follow the phones, and leave for the table once all seats have one."""
        super().refresh()
        before, self._were_all_seated = self._were_all_seated, self._are_all_seated()
        if before is False and self._were_all_seated:
            self._host.back()

    def _are_all_seated(self) -> bool:
        phones, seats = self._host.phones, len(self._names())
        return phones is not None and seats > 0 and len({seat for _phone, _number, seat in phones.seated()}) == seats

    def _names(self) -> Sequence[str]:
        try:
            played = self._host.presenter.played
        except LookupError:
            return ()
        return tuple(player.name for player in played.session.table.players) if played is not None else ()
