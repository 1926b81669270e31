"""A hub as small as can be: it registers tables by a code, believes signatures, keeps lines and says what it has."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from companion.errors import InvalidDocument
from companion.publishing.envelope import Envelope, body_text, read_envelope, signed
from companion.publishing.messages import (
    NOTHING,
    GameNumber,
    HubMessage,
    read_entry,
    read_presence,
    read_registration,
)
from companion.publishing.signing import code_key, new_code
from companion.publishing.table_state import TableState, read_state
from companion.publishing.topics import TopicKind


class ListeningHub:
    """Takes in envelopes and gives its answers; `deaf` hears entries and acknowledges nothing."""

    def __init__(self) -> None:
        self.code, self.deaf = new_code(), False
        self.keys: dict[str, bytes] = {}
        self.states: dict[str, TableState] = {}
        self.online: dict[str, bool] = {}
        self.presences: list[Any] = []
        self.lines: defaultdict[tuple[str, str], dict[int, Any]] = defaultdict(dict)
        self.came = Counter[tuple[str, str, int]]()
        self.unbelieved = Counter[str]()
        self.highest: dict[tuple[str, TopicKind], int] = {}
        self._number = 0

    def hear(self, topic: str, payload: bytes) -> Envelope | None:
        """Take in a message; what to answer, if anything."""
        envelope = read_envelope(topic, payload)
        if envelope.kind is TopicKind.REGISTER:
            return self._register(envelope)
        key = self.keys.get(envelope.table)
        if key is None or not envelope.is_signed_with(key):
            self.unbelieved[envelope.table] += 1
            return None
        document = envelope.document()
        if envelope.kind is TopicKind.ENTRY:
            return self._keep(envelope.table, read_entry(document))
        if envelope.kind is TopicKind.PRESENCE:
            presence = read_presence(document)
            self.presences.append(presence)
            self.online[envelope.table] = presence.online
        if envelope.number > self.highest.get((envelope.table, envelope.kind), 0):
            self.highest[envelope.table, envelope.kind] = envelope.number
            if envelope.kind is TopicKind.STATE:
                self.states[envelope.table] = read_state(document)
        return None

    def say(self, table: str, message: HubMessage) -> Envelope:
        """A message to a table."""
        self._number += 1
        return signed(self.keys[table], TopicKind.HUB, table, self._number, message.document(), "hub 1")

    def unbroken(self, table: str, game: str) -> int:
        """The highest number of a game below which nothing is missing."""
        number = NOTHING
        while number + 1 in self.lines[table, game]:
            number += 1
        return number

    def _register(self, envelope: Envelope) -> Envelope:
        if not envelope.is_signed_with(code_key(self.code)):
            refused = HubMessage(refused="code").document()
            return Envelope(TopicKind.HUB, envelope.table, 1, body_text(refused))
        registration = read_registration(envelope.document())
        self.keys[envelope.table] = registration.key(self.code, envelope.table)
        return self.say(envelope.table, HubMessage(registered=True))

    def _keep(self, table: str, entry: Any) -> Envelope | None:
        self.came[table, entry.game, entry.number] += 1
        kept = self.lines[table, entry.game].setdefault(entry.number, entry.line)
        if kept != entry.line:
            raise InvalidDocument(table, str(entry.number), "came again as another entry")
        if self.deaf:
            return None
        return self.say(table, HubMessage(acknowledged=(GameNumber(entry.game, self.unbroken(table, entry.game)),)))
