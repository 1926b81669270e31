"""Four corners for a board without markers, and teaching its pieces."""

from __future__ import annotations

from typing import Any

from companion.board.layout import Board
from ui.forms.teach_form import TeachForm
from ui.screens.form import FormScreen
from ui.shell.presentation import ScreenHost


class TeachScreen(FormScreen):
    """Takes pictures of `board` to read and to learn from."""

    def __init__(self, app: ScreenHost, board: Board, **properties: Any) -> None:
        super().__init__(app, TeachForm(app.shell, board), **properties)
