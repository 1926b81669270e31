"""Joining a game that is under way."""

from __future__ import annotations

from typing import Any

from companion.table import Table
from ui.photographs.join_form import JoinForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class JoinScreen(FormScreen):
    """Leads from the people at a table to the middle of their game."""

    def __init__(self, app: ScreenHost, table: Table, **properties: Any) -> None:
        devices = app.shell.devices
        form = JoinForm(
            table,
            lambda position: app.open_table(app.shell.join(position)),
            devices.photograph if devices.camera else None,
            lens=devices.lens(),
            taught=devices.profile,
        )
        super().__init__(app, form, **properties)
