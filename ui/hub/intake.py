"""Takes in what tables say: believes only what a registered table has signed, writes it in batches, and answers.

One thread reads the inbox. What came within moments is written in one transaction; only then is it acknowledged, so
that a database that fails, or a hub that is killed, loses nothing: the tables send it again.
"""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum

from sqlalchemy.exc import IntegrityError

from companion.errors import InvalidDocument
from companion.publishing.envelope import Envelope, OtherSchema, read_envelope
from companion.publishing.messages import (
    COPIED,
    NOTHING,
    GameNumber,
    HubMessage,
    Presence,
    read_entry,
    read_presence,
    read_registration,
)
from companion.publishing.signing import code_key
from companion.publishing.table_state import read_state
from companion.publishing.topics import MAXIMUM_PAYLOAD, TopicKind, parse_topic
from ui.hub.answers import HubAnswers
from ui.hub.batches import Batch, GameKey, Newest, Reason, TakenEntry, TakenState
from ui.hub.connection import HubConnection, HubInbox, ReceivedMessage
from ui.hub.database import Lost, is_full
from ui.hub.known_tables import KnownTables
from ui.hub.missing_entries import MissingEntries
from ui.hub.overview import Overview
from ui.hub.precedence import LONGEST, Precedence
from ui.hub.registrations import RegisteredTable
from ui.hub.storing import Storing

GATHERING = 0.03
"""seconds in which what comes is written together"""
MOST_AT_ONCE = 400
"""messages of a batch"""
NEWEST_WRITTEN = 1.0
"""seconds between two writings of newest states: pages have them at once"""
RETRY = 0.5
"""seconds after which a database that failed is tried again"""
_LOG = logging.getLogger("companion.hub")


class IntakeProblem(StrEnum):
    """Why nothing can be written, as the log says it."""

    AWAY = "the database cannot be reached"
    FULL = "the disk of the database is full, make room on it"


class Intake:
    """The thread between the broker and the database. `changed` is called when pages should look again."""

    def __init__(
        self,
        inbox: HubInbox,
        connection: HubConnection,
        storing: Storing,
        overview: Overview,
        changed: Callable[[], None],
        version: str = "",
        precedence: Precedence | None = None,
    ) -> None:
        self._precedence = precedence or Precedence()
        self._inbox, self._connection, self._storing = inbox, connection, storing
        self._overview, self._changed = overview, changed
        self._tables = KnownTables(storing, overview)
        self._answers = HubAnswers(connection, version)
        self._missing = MissingEntries(storing)
        self._batch, self._newest = Batch(), Newest()
        self._asked: dict[str, tuple[str, bytes]] = {}
        """tables that want to register: id -> (name, key)"""
        self._codes: list[str] = []
        self._reload: deque[tuple[frozenset[str] | None, threading.Event]] = deque()
        self._stopping = threading.Event()
        self._newest_due = 0.0
        self.problem: IntakeProblem | None = None
        """why nothing can be written just now; None where it can"""
        self._thread = threading.Thread(target=self._run, name="hub intake", daemon=True)

    def start(self) -> None:
        """Take over what the database knows, and begin."""
        self._load(None)
        self._thread.start()

    @property
    def is_connected(self) -> bool:
        """Whether the broker can be reached just now."""
        return self._connection.is_open

    @property
    def is_running(self) -> bool:
        """Whether it has begun and not ended."""
        return self._thread.is_alive()

    def stop(self) -> None:
        """Write what has come in, and end."""
        self._stopping.set()
        self._thread.join(10.0)

    def look_again(self, table_ids: frozenset[str] | None) -> threading.Event:
        """Something of these tables, or of any, was changed in the database; may be called from any thread.

        The event is set when pages have it.
        """
        done = threading.Event()
        self._reload.append((table_ids, done))
        return done

    def say(self, table: RegisteredTable) -> None:
        """Send the latest words to a table, again whenever it has not taken them in; may be called from any thread."""
        self._answers.say(table)

    def _run(self) -> None:
        while not self._stopping.is_set() or self._batch or self._newest:
            try:
                self._turn()
            except Exception:  # noqa: BLE001  # one message must not end the intake
                _LOG.exception("a message was dropped")
                self._batch, self._newest = Batch(), Newest()
            if self._stopping.is_set() and self.problem:
                break

    def _turn(self) -> None:
        while self._reload:
            asked, done = self._reload.popleft()
            try:
                self._load(asked)
            except Lost:
                self._reload.append((asked, done))
                break
            done.set()
        received = self._inbox.taken(0.1, MOST_AT_ONCE)
        if received and len(received) < MOST_AT_ONCE and not self._stopping.is_set():
            time.sleep(GATHERING)
            received += self._inbox.taken(0.0, MOST_AT_ONCE - len(received))
        revision = self._overview.revision
        registering = [each for each in received if each.topic.endswith(f"/{TopicKind.REGISTER}")]
        if registering:
            self._know_codes()
        for each in registering:
            self._take(each)
        if self._asked:
            self._register_asked()
        patience = LONGEST
        for each in received:
            patience = self._precedence.waited(patience)
            if not each.topic.endswith(f"/{TopicKind.REGISTER}"):
                self._take(each)
        if overrun := self._inbox.taken_overrun():
            self._batch.refuse(Reason.OVERRUN, "", overrun)
        self._write()
        self._ask_for_missing()
        if self._overview.revision != revision:
            self._changed()

    def _load(self, table_ids: frozenset[str] | None) -> None:
        for table_id in self._tables.load(table_ids):
            self._answers.forget(table_id)
        self._changed()

    def _take(self, received: ReceivedMessage) -> None:
        """Believe a message, or count why not."""
        try:
            kind, claimed = parse_topic(received.topic)
        except InvalidDocument:
            return
        if received.is_cut or len(received.payload) > MAXIMUM_PAYLOAD[kind]:
            self._batch.refuse(Reason.TOO_LARGE, claimed)
            return
        try:
            envelope = read_envelope(received.topic, received.payload)
            if kind is TopicKind.REGISTER:
                self._register(envelope)
                return
            table = self._tables.get(claimed) or self._tables.look_for(claimed)
            if table is None:
                self._batch.refuse(Reason.UNREGISTERED, claimed)
                self._answers.refuse(claimed, "unregistered")
            elif not envelope.is_signed_with(table.key):
                self._batch.refuse(Reason.SIGNATURE, claimed)
                self._answers.refuse(claimed, "signature")
            else:
                self._believe(table, envelope, is_retained=received.is_retained)
        except OtherSchema:
            self._batch.refuse(Reason.SCHEMA, claimed)
            self._answers.refuse(claimed, "schema")
        except InvalidDocument:
            self._batch.refuse(Reason.MALFORMED, claimed)

    def _believe(self, table: RegisteredTable, envelope: Envelope, *, is_retained: bool) -> None:
        now = time.time()
        match envelope.kind:
            case TopicKind.ENTRY:
                entry = read_entry(envelope.document())
                line = json.dumps(entry.line, ensure_ascii=False, separators=(",", ":"))
                self._batch.entries.append(TakenEntry(table.table_id, entry.game, entry.number, line))
            case TopicKind.STATE:
                if envelope.number <= table.state_number:
                    if not (is_retained and envelope.number == table.state_number):
                        self._batch.refuse(Reason.REPLAYED, table.table_id)
                    return
                state = read_state(envelope.document())
                self._tables.note(replace(table, state_number=envelope.number))
                self._newest.states[table.table_id] = TakenState(table.table_id, envelope.number, envelope.body, state)
                shown = self._overview.table(table.table_id)
                if is_retained and state.game:  # what came while no hub was there is not sent again by itself
                    self._missing.claim(table.table_id, state.game, state.entries)
                if shown is not None:
                    self._overview.put(shown.told(envelope.number, envelope.body, state, now), now)
            case TopicKind.PRESENCE:
                self._believe_presence(table, envelope, read_presence(envelope.document()), is_retained=is_retained)
            case _:
                pass
        if not is_retained:
            self._overview.hear(table.table_id, now)

    def _believe_presence(
        self, table: RegisteredTable, envelope: Envelope, presence: Presence, *, is_retained: bool
    ) -> None:
        is_will = not presence.online and presence.connection >= table.connection
        if envelope.number <= table.presence_number and not is_will:
            if not (is_retained and envelope.number == table.presence_number):
                self._batch.refuse(Reason.REPLAYED, table.table_id)
            return
        now, number = time.time(), max(envelope.number, table.presence_number)
        name = presence.name or table.name
        table = replace(table, presence_number=number, connection=presence.connection, name=name)
        self._tables.note(table)
        self._newest.presences[table.table_id] = number, presence.connection, presence.online, name
        shown = self._overview.table(table.table_id)
        if shown is not None:
            heard = now if presence.online else shown.heard
            shown = replace(
                shown, name=table.shown_name, is_online=presence.online, is_silent=not presence.online, heard=heard
            )  # fmt: skip
            self._overview.put(shown, now)
        for each in presence.games:
            if each.number > NOTHING:
                self._missing.claim(table.table_id, each.game, each.number)
        if presence.online:
            self._answers.say_again(table, presence.event)

    def _register(self, envelope: Envelope) -> None:
        """Note who wants to register; `_register_asked` does it for all that came together."""
        code = next((each for each in self._codes if envelope.is_signed_with(code_key(each))), "")
        if not code:
            self._batch.refuse(Reason.CODE, envelope.table)
            self._answers.refuse(envelope.table, "code")
            return
        registration = read_registration(envelope.document())
        self._asked[envelope.table] = registration.name, registration.key(code, envelope.table)

    def _register_asked(self) -> None:
        asked, self._asked = self._asked, {}
        unknown = {name: each for name, each in asked.items() if name not in self._tables}
        try:
            kept = self._storing.tables.register_all(unknown) if unknown else {}
            if unknown:
                self._load(frozenset(unknown))
        except Lost as error:
            self._note_problem(error)  # they ask again
            return
        for table_id, (_name, key) in asked.items():
            table = self._tables.get(table_id)
            if kept.get(table_id, table is not None and table.key == key):
                self._answer(table_id, HubMessage(registered=True))
            else:
                self._batch.refuse(Reason.TAKEN, table_id)
                self._answers.refuse(table_id, "taken")

    def _know_codes(self) -> None:
        """Ask which codes hold, for somebody wants to register."""
        try:
            self._codes = self._storing.tables.codes()
        except Lost as error:
            self._note_problem(error)

    def _answer(self, table_id: str, message: HubMessage) -> None:
        table = self._tables.get(table_id)
        if table is not None:
            self._answers.answer(table, message)

    def _write(self) -> None:
        """Write what has come in; on a database that fails it is kept, and what comes meanwhile joins it."""
        now = time.monotonic()
        try:
            if self._batch:
                self._acknowledge(self._batch, self._written(self._batch))
                self._batch = Batch()
            if self._newest and (now >= self._newest_due or self._stopping.is_set()):
                is_written = self._newest_written()
                if not is_written and self._stopping.is_set():
                    self._newest = Newest()  # the hub that writes just now has the same
                self._newest_due = now + (NEWEST_WRITTEN if is_written else RETRY)
        except Lost as error:
            self._note_problem(error)
            self._stopping.wait(RETRY)
            if len(self._batch.entries) > MOST_AT_ONCE * 10:  # they come again: nothing of it is acknowledged
                self._batch.entries.clear()
        else:
            if self.problem:
                _LOG.warning("the database takes everything again")
            self.problem = None

    def _acknowledge(self, batch: Batch, unbroken: dict[GameKey, int]) -> None:
        answers: dict[str, list[GameNumber]] = {}
        for (table_id, game_id), number in unbroken.items():
            answers.setdefault(table_id, []).append(GameNumber(game_id, number))
        highest: dict[GameKey, int] = {}
        for entry in batch.entries:
            key = entry.table_id, entry.game_id
            highest[key] = max(highest.get(key, NOTHING), entry.number)
        for key, number in highest.items():
            if number > unbroken.get(key, number):
                self._missing.claim(*key, number)
        for table_id, numbers in answers.items():
            copied = COPIED if table_id in batch.copied else ""
            self._answer(table_id, HubMessage(acknowledged=tuple(numbers), refused=copied))

    def _written(self, batch: Batch) -> dict[GameKey, int]:
        try:
            return self._storing.write(batch)
        except IntegrityError:  # a table was taken away by another hub meanwhile
            self._load(None)
            batch.entries[:] = [each for each in batch.entries if each.table_id in self._tables]
            return self._storing.write(batch)

    def _newest_written(self) -> bool:
        newest = self._newest
        try:
            is_written = self._storing.write_newest(newest)
        except IntegrityError:  # likewise
            self._load(None)
            newest.states = {name: each for name, each in newest.states.items() if name in self._tables}
            is_written = self._storing.write_newest(newest)
        if is_written:
            self._newest = Newest()
        return is_written

    def _note_problem(self, error: Exception) -> None:
        problem = IntakeProblem.FULL if is_full(error) else IntakeProblem.AWAY
        if problem is not self.problem:
            _LOG.warning("%s: %s", problem, str(error).splitlines()[0])
        self.problem = problem

    def _ask_for_missing(self) -> None:
        try:
            asked = self._missing.asked_for()
        except Lost as error:
            self._note_problem(error)
            return
        for table_id, message in asked:
            self._answer(table_id, message)
