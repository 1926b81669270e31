"""Measuring the camera's lens."""

from __future__ import annotations

from typing import Any

from ui.forms.lens_form import LensForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class LensScreen(FormScreen):
    """Shows what the camera sees of the printed sheet, and what is still missing."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, LensForm(app.shell), **properties)
