"""One table as it is published: which messages are due, and what a hub's answers make of them. No network, no clock.

A hub, not the broker, says what has arrived. What it has not acknowledged is sent again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import InvalidDocument
from companion.files.documents import parse_json
from companion.publishing.backlog import Backlog, ReadGame
from companion.publishing.envelope import Envelope, body_text, read_envelope, signed
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import (
    COPIED,
    Assignment,
    HubMessage,
    JudgeWord,
    Presence,
    Registration,
    read_hub_message,
)
from companion.publishing.public_game import public_entry, public_state
from companion.publishing.signing import code_key, hidden, new_nonce, parse_code
from companion.publishing.status import PublishingStatus
from companion.publishing.table_state import TableState
from companion.publishing.topics import TopicKind
from companion.session.log import IMPOSSIBLE, Log

logger = logging.getLogger("companion.publishing")

BEAT = 10.0
"""seconds after which the presence is said again"""
STATE_PAUSE = 0.1
"""seconds between two states at least"""
REGISTER_PAUSE, REFUSED_TRIES = 5.0, 2
"""seconds after which an unanswered registration is sent again, and how often although it was refused: who refuses does
not sign, so that anybody on the broker might
"""
COPY_TOLD = 600.0
"""seconds for which the table says that there is a copy of it, after a hub has said so"""
REGISTERING = ("code", "taken", "replayed")
"""answers to a registration: they tell more than that what is said meanwhile is not believed"""
RESERVED = 1000
"""numbers that are taken from the file at a time"""
ASSIGNED_AT = "assigned_at"
"""under what the moment at which a round was assigned is kept beside the words of a hub"""


@dataclass(frozen=True, slots=True, eq=False)
class PublishedNow:
    """What the table shows now: the open game, the refused action, whether anything differs, why the camera pauses.

    Another one is made whenever any of it changes.
    """

    log: Log | None = None
    refused: Any | None = None
    disputed: bool = False
    paused: str = ""


class PublishedTable:
    """A table's side of the conversation. `show`, `call_help`, `register` and `rename` may be called from any thread;
    everything else is for the one that has the connection. `now` is in monotonic seconds.

    `name` is the table's on brokers, `called` what people call it, `moment` gives the time in UTC as it is published.
    """

    def __init__(
        self,
        name: str,
        kept: KeptPublishing,
        read_game: ReadGame,
        *,
        called: str = "",
        shows_names: bool = False,
        version: str = "",
        moment: Callable[[], str] = str,
        least_number: Callable[[], int] = int,
    ) -> None:
        """`least_number` is asked when a connection begins: messages have at least this number, such as the
        milliseconds of the clock, so that a file of an earlier day that was put back counts no number again.

        Raises StoreError where the table's key cannot be kept.
        """
        self.name = name
        self._kept, self._version, self._moment = kept, version, moment
        self._called, self._shows_names, self._least_number = called, shows_names, least_number
        identity = kept.identity(name)
        self._key, self._number, self._reserved = identity.key, identity.number, identity.number - 1
        self._registered, self._event = identity.registered, identity.event
        self._words, self._assigned_at = _kept_words(identity.words)
        self._judge: JudgeWord | None = None
        self._backlog = Backlog(name, kept, read_game)
        self._shown, self._help = PublishedNow(), False
        self._code, self._registered_at, self._refused, self._tries = "", float("-inf"), "", 0
        self._connection, self._is_copied, self._copied_at = 0, False, 0.0
        self._presence_at = self._state_at = float("-inf")
        self._said: tuple[str, int, tuple[str, ...]] | None = None
        self._stated: TableState | None = None
        self._stated_of: tuple[PublishedNow, bool, bool] | None = None
        self.has_news = True
        """whether something has changed since `due` was last asked, so that asking again is worth while"""

    @property
    def status(self) -> PublishingStatus:
        """How it stands; from any thread."""
        assignment, behind = self._words.assignment, self._backlog.behind
        assignment = assignment if assignment is not None and assignment.seats else None
        return PublishingStatus(
            self._registered, bool(self._code), behind, self._refusal(behind), self._help, assignment,
            self._assigned_at, self._judge,
        )  # fmt: skip

    def show(self, shown: PublishedNow) -> None:
        """What the table shows from now on."""
        self._backlog.open(shown.log)
        if self._registered:
            self._backlog.begin()
        self._shown, self.has_news = shown, True

    def call_help(self, *, asked: bool) -> None:
        """Call the judge, or take that back."""
        self._help, self._judge, self.has_news = asked, None, True

    def register(self, code: str) -> None:
        """Give the table's key to the hub that shows a code.

        Raises InvalidDocument for what is no code.
        """
        self._code, self._refused, self._registered_at, self._tries = parse_code(code), "", float("-inf"), REFUSED_TRIES
        self.has_news = True

    def rename(self, called: str, *, shows_names: bool) -> None:
        """What people call the table from now on, and whether names may be shown."""
        self._called, self._shows_names, self.has_news = called, shows_names, True

    def connect(self) -> Envelope:
        """A new connection begins; what the broker is to publish when it ends without a goodbye. Raises StoreError."""
        self._begin_connection()
        self._number = max(self._number, self._least_number())
        self._connection = self._next_number()
        gone = Presence(online=False, connection=self._connection, name=self._called)
        return signed(self._key, TopicKind.PRESENCE, self.name, self._connection, gone.document(), self._version)

    def goodbye(self) -> tuple[Envelope, ...]:
        """What to publish before the connection is closed. Raises StoreError."""
        self._backlog.follow()
        self._backlog.keep()
        state = self._due_state(float("inf")) if self._registered else None
        gone = self._signed(TopicKind.PRESENCE, replace(self._presence(), online=False).document())
        return (gone,) if state is None else (state, gone)

    def due(self, now: float) -> Iterator[Envelope]:
        """What is to be published now. Raises StoreError."""
        self.has_news = False
        if self._backlog.follow():
            self.has_news = True
        self._backlog.keep(now)
        self._is_copied = self._is_copied and now < self._copied_at + COPY_TOLD
        if self._code and now >= self._registered_at + REGISTER_PAUSE:
            self._registered_at = now
            yield self._registration(self._code)
        said = self._called, self._event, tuple(self._backlog.games)
        if now >= self._presence_at + BEAT or said != self._said:
            self._presence_at, self._said = now, said
            yield self._signed(TopicKind.PRESENCE, self._presence().document())
        if not self._registered:
            return
        state = self._due_state(now)
        if state is not None:
            yield state
        for log, number in self._backlog.due(now):
            entry = public_entry(log, number, shows_names=self._shows_names)
            yield self._signed(TopicKind.ENTRY, entry.document())

    def receive(self, topic: str, payload: bytes, now: float) -> HubMessage:
        """Take in what a hub says.

        Raises InvalidDocument for what does not hold or is not signed by a hub that has the key, StoreError.
        """
        envelope = read_envelope(topic, payload)
        if envelope.kind is not TopicKind.HUB or envelope.table != self.name:
            raise InvalidDocument(topic, "table", "is another table")
        if not envelope.is_signed:
            said = read_hub_message(envelope.document())
            if said.refused and said.refused != COPIED:
                self._was_refused(said.refused)
            return HubMessage(refused=said.refused)
        if not envelope.is_signed_with(self._key):
            raise InvalidDocument(topic, "mac", "is not the signature of a hub that has this table's key")
        said = read_hub_message(envelope.document())
        self._take_in(said, envelope.number, now)
        self.has_news = True
        return said

    def _take_in(self, said: HubMessage, number: int, now: float) -> None:
        if not self._registered:
            self._registered = True
            self._backlog.begin()
            self._kept.register(self.name)
        if said.registered and self._code:
            self._code = ""
            self._backlog.tell_again()
        self._refused = said.refused
        if said.refused == COPIED:
            self._refused, self._copied_at, self._is_copied = "", now, True
        self._backlog.acknowledge(said.acknowledged)
        for gap in said.wanted:
            self._backlog.want(gap)
        if (said.assignment is not None or said.judge is not None) and number > self._event:
            self._heed(said, number)

    def _heed(self, said: HubMessage, number: int) -> None:
        """Take in an assignment and a judge's word. A hub may say its latest word again with another assignment."""
        before, self._event = self._words, number
        self._words = HubMessage(assignment=said.assignment or before.assignment, judge=said.judge or before.judge)
        if _round_of(self._words.assignment) != _round_of(before.assignment):
            self._assigned_at = self._moment()
        if said.judge is not None and (said.judge != before.judge or self._words.assignment == before.assignment):
            self._judge = said.judge if said.judge.text else None
            self._help = self._help and not said.judge.answered
        kept = self._words.document() | {ASSIGNED_AT: self._assigned_at}
        self._kept.keep_words(self.name, number, body_text(kept))

    def _refusal(self, behind: int) -> str:
        """Why a hub does not believe the table; of a registered one only where nothing is acknowledged, for anybody on
        the broker may say so, or where a hub has signed that there is a copy of it.
        """
        told = self._refused if behind > 0 or not self._registered or self._code else ""
        return told or (COPIED if self._is_copied else "")

    def _was_refused(self, why: str) -> None:
        """A hub, or somebody who says so, does not believe the table. Nothing but what the screen says hangs on it."""
        if why in REGISTERING:
            if not self._code and self._registered:
                return  # somebody else, with the same name or a copy of it, was refused
            self._tries -= 1
            self._code = self._code if self._tries > 0 else ""
        elif self._refused in REGISTERING:
            return
        self._refused = why

    def _begin_connection(self) -> None:
        self._presence_at = self._state_at = float("-inf")
        self._said = self._stated = self._stated_of = None
        self._backlog.forget_sent()
        self.has_news = True

    def _presence(self) -> Presence:
        return Presence(True, self._connection, self._called, self._backlog.numbers, self._event, self._moment())

    def _due_state(self, now: float) -> Envelope | None:
        of = self._shown, self._help, self._shows_names
        if of == self._stated_of:
            return None
        if now < self._state_at + STATE_PAUSE:
            self.has_news = True
            return None
        shown, asked, shows_names = of
        self._stated_of = of
        state = TableState()
        try:
            if shown.log is not None:
                state = public_state(
                    shown.log, shows_names=shows_names, refused=shown.refused, disputed=shown.disputed,
                    paused=shown.paused,
                )  # fmt: skip
        except IMPOSSIBLE:  # a record with lost entries may lead to what no game's functions know
            logger.exception("the state of %s is not published", self.name)
            state = self._stated or TableState()
        state = replace(state, help=asked)
        if state == self._stated:
            return None
        self._stated, self._state_at = state, now
        return self._signed(TopicKind.STATE, replace(state, moment=self._moment()).document())

    def _registration(self, code: str) -> Envelope:
        nonce = new_nonce()
        registration = Registration(nonce, hidden(self._key, code, self.name, nonce), self._called)
        number = self._next_number()
        return signed(code_key(code), TopicKind.REGISTER, self.name, number, registration.document(), self._version)

    def _signed(self, kind: TopicKind, document: dict[str, Any]) -> Envelope:
        return signed(self._key, kind, self.name, self._next_number(), document, self._version)

    def _next_number(self) -> int:
        number = self._number
        if number > self._reserved:
            self._reserved = number + RESERVED
            self._kept.reserve(self.name, self._reserved)
        self._number += 1
        return number


def _round_of(assignment: Assignment | None) -> tuple[str, int]:
    return (assignment.event, assignment.round) if assignment is not None else ("", 0)


def _kept_words(text: str) -> tuple[HubMessage, str]:
    """The words of a hub as they were kept, and when the round of their assignment was first heard of."""
    try:
        document = parse_json(text, "words") if text else None
        return (HubMessage(), "") if document is None else (
            read_hub_message(document), document.text(ASSIGNED_AT, "", longest=40)
        )  # fmt: skip
    except InvalidDocument:
        return HubMessage(), ""
