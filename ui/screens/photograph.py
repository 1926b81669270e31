"""The score from one photograph of the board at the end, and a few answers."""

from __future__ import annotations

from typing import Any

from ui.photographs.score_form import ScoreForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class PhotographScreen(FormScreen):
    """Leads from a picture to the score screen."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        devices = app.shell.devices
        form = ScoreForm(
            lambda sheet: app.open("score", game=sheet),
            devices.photograph if devices.camera else None,
            lens=devices.lens(),
            taught=devices.profile,
        )
        super().__init__(app, form, **properties)
