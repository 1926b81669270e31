"""The protocols between screens and what they show: a table's presenter, and the app."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from companion.board.layout import Board
from companion.session.intents import Intent, IntentResult
from ui.table.offering import Offer
from ui.table.turn_clock import TurnClock
from ui.view_models.play_view import PlayView

if TYPE_CHECKING:
    from ui.services.settings import Settings
    from ui.shell.phones import PhoneSwitch
    from ui.shell.publishing import TablePublishing
    from ui.shell.shell import Shell
    from ui.table.presenter import Presenter


class TablePresenter(Protocol):
    """One table as the screens see it. Everything is called on the main thread."""

    @property
    def board(self) -> Board:
        """The board in play."""
        ...

    def view(self) -> PlayView:
        """What to show now; the same object until something changes."""
        ...

    @property
    def played(self) -> Presenter | None:
        """The table itself where it is played here, with its session and its menu; None for a score of a photograph."""
        ...

    def on_intent(self, intent: Intent) -> IntentResult:
        """A big button or a key was pressed; gives what came of it."""
        ...

    def on_offer(self, offer: Offer | None) -> None:
        """The primary button of the play screen does this from now on; None where it is a big button, or not shown."""
        ...

    def on_choice(self, key: str) -> None:
        """A choice of the view was touched."""
        ...

    def on_site(self, site: str) -> None:
        """The board was touched; `site` is the nearest one by its name."""
        ...

    @property
    def turn_clock(self) -> TurnClock | None:
        """The players' clock, if one is wanted."""
        ...

    def on_correct(self, number: int | None = None) -> None:
        """Ask which action an entry, by default the latest action, really was."""
        ...

    def stop_asking(self) -> None:
        """The board's screen was left: drop an open question about the record."""
        ...

    def on_score_line(self, index: int) -> None:
        """A line of the view's score sheet was touched."""
        ...


class ScreenHost(Protocol):
    """The app as its screens see it."""

    @property
    def presenter(self) -> TablePresenter:
        """The table that is open."""
        ...

    @property
    def settings(self) -> Settings:
        """The settings in use."""
        ...

    @property
    def has_shell(self) -> bool:
        """Whether the app has a shell."""
        ...

    @property
    def shell(self) -> Shell:
        """Games, settings and everything else that outlives a screen."""
        ...

    @property
    def phones(self) -> PhoneSwitch | None:
        """What lets phones come to the table; None where nothing does."""
        ...

    @property
    def publishing(self) -> TablePublishing | None:
        """What tells an organiser about the table; None where nothing does."""
        ...

    def open_table(self, presenter: TablePresenter) -> None:
        """Show another table from now on."""
        ...

    def open(self, screen: str, **arguments: Any) -> None:
        """Go to a screen of the registry; it is built with these arguments."""
        ...

    def back(self) -> None:
        """Go where the user came from."""
        ...

    def save_screenshot(self, path: Path) -> Path:
        """Write a picture of the window; gives its path.

        Raises OSError.
        """
        ...

    def home(self) -> None:
        """Go to the first screen."""
        ...

    def refresh(self) -> None:
        """Bring the current screen up to date at once."""
        ...

    def show_full_screen(self, *, full: bool) -> None:
        """Fill the screen, or show a window again."""
        ...

    def rebuild(self) -> None:
        """Build all screens anew: language or theme are others."""
        ...
