"""What an organiser of many tables sees of this one: on and off, broker, name, code."""

from __future__ import annotations

from typing import Any

from ui.forms.code_scanning import CodeScanning
from ui.forms.publishing_form import PublishingForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class PublishingScreen(FormScreen):
    """Switches the publishing of this device's table on and off."""

    def __init__(self, app: ScreenHost, **properties: Any) -> None:
        scanning = CodeScanning(app.shell) if app.has_shell else None
        super().__init__(app, PublishingForm(app.publishing, scanning), **properties)
