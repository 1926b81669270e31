"""Tracing a board of one's own on a photograph."""

from __future__ import annotations

from typing import Any

from ui.forms.tracing_form import TracingForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class TracingScreen(FormScreen):
    """Leads from a photograph to a board file."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        devices = app.shell.devices
        photograph = devices.photograph if devices.camera else None
        super().__init__(app, TracingForm(app.shell.boards_folder, photograph), **properties)
