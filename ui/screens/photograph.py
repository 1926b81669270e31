"""The score from one photograph of the board at the end, and a few answers."""

from __future__ import annotations

from typing import Any

from ui.photographs.score_form import ScoreForm
from ui.photographs.taking import PhotographSource
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class PhotographScreen(FormScreen):
    """Leads from a picture to the score screen."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        form = ScoreForm(lambda sheet: app.open("score", game=sheet), PhotographSource.of(app.shell.devices))
        super().__init__(app, form, **properties)
