"""The rehearsal before guests come."""

from __future__ import annotations

from typing import Any

from ui.forms.rehearsal_form import RehearsalForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class RehearseScreen(FormScreen):
    """Shows what is tried and how it went."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, RehearsalForm(app.shell), **properties)
