"""What is taken away from a table: a code to scan, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ui.results.reports import export_folder
from ui.results.sharing import Sharing
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class ShareScreen(FormScreen):
    """Shows what can be taken away from the open table; `folder` is where exports go, `picture` a PNG of the sheet."""

    def __init__(self, app: ScreenHost, folder: Path, picture: bytes | None = None, **properties: Any) -> None:
        presenter = app.presenter.played
        if presenter is None:
            raise TypeError("only a table that is played here can be shared")
        folder = export_folder(folder, presenter.session)
        super().__init__(app, Sharing(presenter.session, folder, picture), **properties)
