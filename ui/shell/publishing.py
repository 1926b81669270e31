"""Telling an organiser about the tables of this device: switched on and off, and kept up to date. No Kivy.

Nothing is imported that speaks to a broker until it is switched on.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.publishing.status import PublishingStatus
from companion.session.record import utc
from companion.wording.sentences import sentence
from ui.services.text import _, plural
from ui.shell.table_loop import TableLoop
from ui.table.composing import CAMERA
from ui.table.judge_call import called_text

if TYPE_CHECKING:
    from companion.publishing.backlog import ReadGame
    from companion.publishing.kept import KeptPublishing, Preferences
    from companion.publishing.messages import Assignment, JudgeWord
    from companion.publishing.published_table import PublishedTable
    from firmware_bridge.publishing.publisher import TablePublisher

PURPOSE = "publishing"
"""the beginning of the names of the lock files by which two programs on one folder keep apart"""
HELD, NOT_SEEN = "held", "camera"
"""what is published of a camera that does not follow: the table paused it, or it does not see the board"""

AWAY = 0.2
"""seconds that the program's end waits for a broker that is away"""
_NOTHING = object()


class PublishingUnavailable(CompanionError):
    """The table cannot be published; its text says why."""


@dataclass(frozen=True, slots=True)
class PublishedView:
    """How the publishing stands, for a screen. `problem` is why there is no connection, "" while there is one."""

    is_on: bool
    connected: bool = False
    problem: str = ""
    status: PublishingStatus = field(default_factory=PublishingStatus)


class TablePublishing:
    """The publishing of one device's table. `folder` is the user's data folder, `read_game` gives stored games.

    One thread, the table's, calls it; it never waits for a broker.
    """

    def __init__(self, folder: Path, read_game: ReadGame) -> None:
        self._folder, self._read_game = folder, read_game
        self._claim = ExitStack()
        self._name = ""
        self._kept: KeptPublishing | None = None
        self._table: PublishedTable | None = None
        self._publisher: TablePublisher | None = None
        self._preferences: Preferences | None = None
        self._seen: object = _NOTHING
        self._told: JudgeWord | None = None
        self._helped, self._remembers = False, True
        self._at: TableLoop | None = None

    @property
    def preferences(self) -> Preferences:
        """What was chosen last. Raises StoreError."""
        if self._preferences is None:
            self._preferences = self._file().preferences()
        return self._preferences

    @property
    def view(self) -> PublishedView:
        """How it stands."""
        table, publisher = self._table, self._publisher
        if table is None or publisher is None:
            return PublishedView(is_on=False)
        return PublishedView(True, publisher.connected, publisher.problem, table.status)

    @property
    def assignment(self) -> Assignment | None:
        """What the organiser's event has this table play, if anything."""
        return self._table.status.assignment if self._table is not None else None

    def resume(self) -> str:
        """Switch on what was on when the program ended; gives why it cannot be, "" where it can or was off."""
        from companion.publishing.kept import FILE

        try:
            if (self._folder / FILE).exists() and self.preferences.is_on:
                self.open(self.preferences)
        except CompanionError as error:
            return str(error)
        return ""

    def open(self, chosen: Preferences, *, remembers: bool = True) -> None:
        """Publish the table from now on, and remember the choice unless told otherwise.

        Raises PublishingUnavailable, StoreError.
        """
        from importlib.metadata import version

        from companion.publishing.published_table import PublishedTable
        from firmware_bridge.errors import BridgeError
        from firmware_bridge.mqtt.broker import LOCAL
        from firmware_bridge.mqtt.table_identity import claim_table
        from firmware_bridge.protocol.addresses import BrokerAddress
        from firmware_bridge.publishing.publisher import TablePublisher

        try:
            address = BrokerAddress.parse(chosen.broker) if chosen.broker else LOCAL
            self._name = self._name or claim_table(self._folder, self._claim, PURPOSE)
        except BridgeError as error:
            raise PublishingUnavailable(str(error)) from error
        except OSError as error:
            why = error.strerror or str(error)
            raise PublishingUnavailable(sentence("the table's name cannot be kept ({why})", why=why)) from error
        self._stop()
        self._remembers = remembers
        self._keep(replace(chosen, is_on=True))
        self._table = PublishedTable(
            self._name, self._file(), self._read_game, called=chosen.called or self._name,
            shows_names=chosen.shows_names,
            version=version("roman-table-companion"), moment=lambda: utc(datetime.now(UTC)),
            least_number=lambda: time.time_ns() // 1_000_000,
        )  # fmt: skip
        self._publisher = TablePublisher(address, [self._table])

    def change(self, chosen: Preferences) -> None:
        """Be called otherwise, show names or show none, or use another broker. Raises as `open`."""
        if self._table is None:
            self._keep(chosen)
        elif chosen.broker != self.preferences.broker:
            self.open(chosen)
        else:
            self._keep(chosen)
            self._table.rename(chosen.called or self._table.name, shows_names=chosen.shows_names)

    def register(self, code: str) -> None:
        """The code of a hub was typed.

        Raises InvalidDocument for what is no code.
        """
        if self._table is not None:
            self._table.register(code)

    def switch_off(self) -> None:
        """Publish the table no more. Raises StoreError."""
        self._stop()
        self._keep(replace(self.preferences, is_on=False))

    def tick(self, loop: TableLoop | None) -> None:
        """Show the open table, pass its call for the judge on, and tell it what the judge says."""
        table = self._table
        if table is not None:
            self._show(table, loop)
        if loop is None:
            return
        call = loop.presenter.judge
        status = table.status if table is not None else PublishingStatus()
        call.is_reachable = status.registered
        if loop is not self._at or status.help != self._helped:
            if loop is self._at and call.is_called:
                loop.presenter.unsay(called_text())
            call.is_called = status.help
        elif table is not None and call.is_called != status.help:
            table.call_help(asked=call.is_called)
        self._at, self._helped = loop, call.is_called
        if status.judge != self._told:
            if self._told is not None:
                loop.presenter.unsay(judge_text(self._told))
            if status.judge is not None:
                loop.presenter.say(judge_text(status.judge))
        self._told = status.judge

    def close(self) -> None:
        """The program ends; what was on is on again at its next start."""
        is_connected, leaving = self.view.connected, self._stop()
        if leaving is not None:
            leaving.join(None if is_connected else AWAY)
        self._claim.close()
        if self._kept is not None:
            self._kept.close()
            self._kept = None

    def _show(self, table: PublishedTable, loop: TableLoop | None) -> None:
        from companion.publishing.published_table import PublishedNow

        if loop is None:
            seen: object = None
            shown = PublishedNow()
        else:
            presenter, view = loop.presenter, loop.view
            session, refused = presenter.session, presenter.refused
            paused = HELD if presenter.is_camera_held else ""
            if any(each.name == CAMERA and not each.ok for each in view.devices):
                paused = paused or NOT_SEEN
            seen = session.id, session.state_id, session.log.point, refused, view.is_refusal, paused
            shown = PublishedNow(session.log, refused, view.is_refusal, paused)
        if seen != self._seen:
            self._seen = seen
            table.show(shown)

    def _stop(self) -> threading.Thread | None:
        """Leave the broker, on a thread that is given: one that does not answer is not waited for here."""
        publisher, self._publisher, self._table = self._publisher, None, None
        self._seen, self._helped, self._told = _NOTHING, False, None
        if publisher is None:
            return None
        leaving = threading.Thread(target=publisher.close, name="leave the organiser", daemon=True)
        leaving.start()
        return leaving

    def _keep(self, chosen: Preferences) -> None:
        if self._remembers:
            self._file().keep_preferences(chosen)
        self._preferences = chosen

    def _file(self) -> KeptPublishing:
        if self._kept is None:
            from companion.publishing.kept import FILE, KeptPublishing

            self._kept = KeptPublishing(self._folder / FILE)
        return self._kept


def judge_text(word: JudgeWord) -> str:
    """What the judge lets the table know."""
    return _("The judge: {text}").format(text=word.text)


def standing(view: PublishedView) -> str:
    """How the publishing stands, in a few words."""
    if not view.is_on:
        return _("Off")
    if not view.connected:
        return _("not connected")
    if not view.status.registered:
        return _("connected, not registered")
    return behind_text(view.status.behind) if view.status.behind else _("registered")


def behind_text(count: int) -> str:
    """How many entries no hub has acknowledged, in words."""
    return plural("{count} entry behind", "{count} entries behind", count).format(count=count)
