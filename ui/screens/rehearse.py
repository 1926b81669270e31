"""The rehearsal before guests come."""

from __future__ import annotations

from typing import Any

from ui.desks.rehearsal_desk import RehearsalDesk
from ui.presentation import ScreenHost
from ui.screens.desk import DeskScreen


class RehearseScreen(DeskScreen):
    """Shows what is tried and how it went."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        super().__init__(app, RehearsalDesk(app.shell), **properties)
