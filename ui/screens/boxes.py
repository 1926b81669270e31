"""Button boxes: list, test, learn, seats."""

from __future__ import annotations

from typing import Any

from ui.desks.box_desk import BoxDesk
from ui.presentation import ScreenHost
from ui.screens.desk import DeskScreen


class BoxesScreen(DeskScreen):
    """Shows the boxes and hears their buttons."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, BoxDesk(app.shell), **properties)
