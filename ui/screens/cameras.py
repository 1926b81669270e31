"""Setting the camera up."""

from __future__ import annotations

from typing import Any

from ui.forms.camera_form import CameraForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class CamerasScreen(FormScreen):
    """Shows the camera's picture and what it sees."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        form = CameraForm(app.shell, lambda board: app.open("teach", board=board), lambda: app.open("lens"))
        super().__init__(app, form, **properties)
