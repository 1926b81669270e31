"""Joining a game that is under way."""

from __future__ import annotations

from typing import Any

from companion.table import Table
from ui.photographs.join_form import JoinForm
from ui.photographs.taking import PhotographSource
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class JoinScreen(FormScreen):
    """Leads from the people at a table to the middle of their game."""

    def __init__(self, app: ScreenHost, table: Table, **properties: Any) -> None:
        source = PhotographSource.of(app.shell.devices)
        form = JoinForm(table, lambda position: app.open_table(app.shell.join(position)), source)
        super().__init__(app, form, **properties)
