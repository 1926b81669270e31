"""What outlives a screen: the store of games, the settings, the table that is open. No Kivy."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from companion.detail import EVERYTHING
from companion.errors import InvalidDocument
from companion.position import Position
from companion.registry import load_game
from companion.session.counting import count_up
from companion.session.session import Session
from companion.session.store import Store
from companion.table import Table
from companion.wording.sentences import translated
from ui.services.folders import BOARDS
from ui.services.kept_clock import KeptClock
from ui.services.settings import SETTINGS_FILE, Settings, load_settings, save_settings
from ui.services.speech import Speaker, announcement
from ui.services.text import _, language_in_use, use_language
from ui.shell.coaching import Coaching
from ui.shell.devices import Devices
from ui.shell.phones import PhoneSwitch
from ui.shell.publishing import TablePublishing
from ui.shell.table_loop import TableLoop
from ui.table.presenter import Presenter

EXPORTS = "exports"

_log = logging.getLogger("companion.shell")


class Shell:
    """The program around its screens. `folder` is the user's data folder, `devices` makes the access to camera and
    boxes; `introduces` is whether a first table is explained.
    """

    def __init__(
        self,
        store: Store,
        folder: Path,
        *,
        devices: Callable[[Shell], Devices] = Devices,
        speaker: Speaker | None = None,
        introduces: bool = False,
        notices: Iterable[str] = (),
    ) -> None:
        self.store, self.folder = store, folder
        self.speaker = speaker if speaker is not None else Speaker()
        self.table_loop: TableLoop | None = None
        self.notice = ""
        """what went wrong before there was a screen to show it"""
        self.devices = devices(self)
        self.phones: PhoneSwitch | None = None
        """what lets phones come to the table, if anything does"""
        self.publishing: TablePublishing | None = None
        """what tells an organiser about the table, if anything does"""
        self.coaching = Coaching(lambda: self.settings, self.change_settings)
        self._introduces = introduces
        self._said = ""
        self._told = set(store.notices)
        """the games of which it was told before there was a screen what the damage cost"""
        try:
            self._settings = load_settings(folder / SETTINGS_FILE)
        except InvalidDocument as error:
            self._settings = Settings()
            self.notice = _("The settings could not be read and are as at first: {why}").format(why=error)
            _log.warning("%s", self.notice)
        use_language(self._settings.language)
        told = (*(translated(notice, _) for notice in notices), self.notice, self.devices.bindings_problem())
        self.notice = " ".join(filter(None, told))

    def take_notice(self) -> str:
        """What was found out about the database since it was last asked; each thing is told once here."""
        found = {game_id: notice for game_id, notice in self.store.notices.items() if game_id not in self._told}
        self._told |= found.keys()
        return " ".join(translated(notice, _) for notice in found.values())

    @property
    def settings(self) -> Settings:
        """The current settings."""
        return self._settings

    @property
    def boards_folder(self) -> Path:
        """Where the user's own board files are."""
        return self.folder / BOARDS

    def change_settings(self, settings: Settings) -> None:
        """Use other settings from now on and save them.

        Raises OSError where it cannot be remembered; it holds until the program ends all the same.
        """
        before, self._settings = self._settings, settings
        if settings.language != before.language:
            use_language(settings.language)
            if self.table_loop is not None:
                self.table_loop.presenter.tell_anew()
        if settings.clock != before.clock and self.table_loop is not None:
            self.table_loop.presenter.time_players(settings.clock)
        save_settings(self.folder / SETTINGS_FILE, settings)

    def begin(self, table: Table, detail: str = EVERYTHING) -> Presenter:
        """Begin a game, the board as at set-up, that is told with this much detail.

        Raises CompanionError.
        """
        session = Session.create(self.store, table)
        if detail != EVERYTHING:
            session.choose_detail(detail)
        self.keep_detail(detail)
        return self._open(session)

    def set_up(self, table: Table) -> Mapping[str, str]:
        """What lies on the board of a table at its set-up."""
        game = load_game(table.game)
        return game.appearance(game.setup(table))

    def count(self, table: Table, end: Position) -> Presenter:
        """Keep the game of a table that told nothing of it but its end.

        Raises CompanionError.
        """
        session = Session.create(self.store, table)
        count_up(session, end)
        return self._open(session)

    def keep_detail(self, detail: str) -> None:
        """Remember how much is told for the next table that is set up."""
        if detail != self._settings.detail:
            with suppress(OSError):
                self.change_settings(replace(self._settings, detail=detail))

    def join(self, position: Position) -> Presenter:
        """Begin a record in the middle of a game.

        Raises CompanionError.
        """
        return self._open(Session.join(self.store, position))

    def resume(self, game_id: str) -> Presenter:
        """Resume a game of the store; nothing changes where it is open, and no other program has gone on with it.

        Raises CompanionError.
        """
        if self.table_loop is not None:
            session = self.table_loop.presenter.session
            if session.id == game_id and self.store.latest_number(game_id) == session.state_id:
                return self.table_loop.presenter
        return self._open(Session.open(self.store, game_id))

    def tick(self) -> None:
        """Let the open table take its devices' news, and speak new announcements."""
        if self.table_loop is not None:
            self.table_loop.tick()
        if self.phones is not None:
            self.phones.tick(self.table_loop)
        if self.publishing is not None:
            self.publishing.tick(self.table_loop)
        if self.table_loop is None:
            return
        text = announcement(self.table_loop.view, self._settings.announcements)
        if text and text != self._said:
            self.speaker.say(text, language_in_use())
        self._said = text

    def leave_table(self) -> None:
        """Release the devices of the open table; its record is kept as it grew."""
        loop, self.table_loop = self.table_loop, None
        self.speaker.close()
        if loop is not None:
            loop.close()

    def close(self) -> None:
        """The program ends. May be called more than once."""
        self.leave_table()
        if self.phones is not None:
            self.phones.close()
        if self.publishing is not None:
            self.publishing.close()
        self.devices.close()

    def _open(self, session: Session) -> Presenter:
        self.leave_table()
        kept_clock = KeptClock(self.folder, session.id)
        self.table_loop = self.devices.open_table(session, kept_clock)
        minutes, seats = self._settings.clock, len(session.table.players)
        self.table_loop.presenter.time_players(minutes, kept_clock.read(seats, minutes))
        self.coaching.begin(is_first_table=self._introduces and len(self.store.games()) == 1)
        self.table_loop.start()
        return self.table_loop.presenter
