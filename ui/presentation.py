"""What the screens need of whoever presents a table to them."""

from __future__ import annotations

from typing import Protocol

from companion.board.layout import Board
from companion.session.intents import Intent
from ui.viewmodels import PlayView


class TablePresenter(Protocol):
    """One table as the screens see it. Everything is called on the main thread."""

    @property
    def board(self) -> Board:
        """The board in play."""
        ...

    def view(self) -> PlayView:
        """What to show now; the same object until something changes."""
        ...

    def on_intent(self, intent: Intent) -> bool:
        """A big button or a key was pressed."""
        ...

    def on_choice(self, key: str) -> None:
        """A choice of the view was touched."""
        ...

    def on_site(self, site: str) -> None:
        """The board was touched; `site` is the nearest one by its name."""
        ...

    def on_score_line(self, index: int) -> None:
        """A line of the view's score sheet was touched."""
        ...
