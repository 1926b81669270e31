"""Button boxes: list, test, learn, seats."""

from __future__ import annotations

from typing import Any

from ui.forms.box_form import BoxDesk
from ui.screens.form import DeskScreen
from ui.shell.presentation import ScreenHost


class BoxesScreen(DeskScreen):
    """Shows the boxes and hears their buttons."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, BoxDesk(app.shell), **properties)
