"""Setting the camera up."""

from __future__ import annotations

from typing import Any

from ui.desks.camera_desk import CameraDesk
from ui.presentation import ScreenHost
from ui.screens.desk import DeskScreen


class CamerasScreen(DeskScreen):
    """Shows the camera's picture and what it sees."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        desk = CameraDesk(app.shell, lambda board: app.open("teach", board=board), lambda: app.open("lens"))
        super().__init__(app, desk, **properties)
