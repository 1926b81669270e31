"""The score from one photograph of the board at the end, and a few answers."""

from __future__ import annotations

from typing import Any

from ui.photographs.score_form import PhotographDesk
from ui.screens.form import DeskScreen
from ui.shell.presentation import ScreenHost


class PhotographScreen(DeskScreen):
    """Leads from a picture to the score screen."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        devices = app.shell.devices
        desk = PhotographDesk(
            lambda sheet: app.open("score", game=sheet),
            devices.photograph if devices.camera else None,
            lens=devices.lens(),
            taught=devices.profile,
        )
        super().__init__(app, desk, **properties)
