"""Button boxes: list, test, learn, seats."""

from __future__ import annotations

from typing import Any

from ui.forms.box_form import BoxForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class BoxesScreen(FormScreen):
    """Shows the boxes and hears their buttons."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, BoxForm(app.shell), **properties)
