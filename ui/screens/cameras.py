"""Setting the camera up."""

from __future__ import annotations

from typing import Any

from ui.forms.camera_form import CameraDesk
from ui.screens.form import DeskScreen
from ui.shell.presentation import ScreenHost


class CamerasScreen(DeskScreen):
    """Shows the camera's picture and what it sees."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        desk = CameraDesk(app.shell, lambda board: app.open("teach", board=board), lambda: app.open("lens"))
        super().__init__(app, desk, **properties)
