"""What the hub says to tables: answers and words in envelopes signed with a table's key, refusals to strangers."""

from __future__ import annotations

import time
from collections.abc import Iterable

from companion.files.documents import parse_json
from companion.publishing.envelope import Envelope, body_text, signed
from companion.publishing.messages import HubMessage
from companion.publishing.topics import TopicKind
from ui.hub.connection import HubConnection
from ui.hub.registrations import RegisteredTable

TELL_STRANGERS, TELL_CODES = 10.0, 2.0
"""seconds after which a table that is not believed is told so again; one whose code does not hold is waited for"""
MOST_STRANGERS = 2_000


class HubAnswers:
    """`say` may be called from any thread, everything else from the one of the intake."""

    def __init__(self, connection: HubConnection, version: str) -> None:
        self._connection, self._version = connection, version
        self._said: dict[str, RegisteredTable] = {}
        """tables as they were when they were told something last"""
        self._told_strangers: dict[tuple[str, bool], float] = {}

    def say(self, table: RegisteredTable) -> None:
        """Send the latest words to a table."""
        self._said[table.table_id] = table
        message = parse_json(_words(table), table.table_id, "words").values
        envelope = signed(table.key, TopicKind.HUB, table.table_id, table.word_number, message, self._version)
        self._connection.publish(envelope.topic, envelope.payload(), is_certain=True)

    def say_again(self, table: RegisteredTable, heeded: int) -> None:
        """Send them once more where the table has taken in none of so high a number."""
        newest = max((table, self._said.get(table.table_id, table)), key=lambda each: each.word_number)
        if newest.word_number > heeded:
            self.say(newest)

    def forget(self, table_id: str) -> None:
        """A table is registered no more."""
        self._said.pop(table_id, None)

    def answer(self, table: RegisteredTable, message: HubMessage) -> None:
        """Answer what a table has said."""
        envelope = signed(table.key, TopicKind.HUB, table.table_id, _moment(), message.document(), self._version)
        self._connection.publish(envelope.topic, envelope.payload())

    def refuse(self, claimed: str, why: str) -> None:
        """Tell whoever claims to be a table why that is not believed, unsigned and not too often."""
        now = time.monotonic()
        about, pause = (claimed, why == "code"), TELL_CODES if why == "code" else TELL_STRANGERS
        if now - self._told_strangers.get(about, -pause) < pause:
            return
        if len(self._told_strangers) >= MOST_STRANGERS:
            self._told_strangers.clear()
        self._told_strangers[about] = now
        body = body_text(HubMessage(refused=why).document())
        envelope = Envelope(TopicKind.HUB, claimed, _moment(), body, version=self._version)
        self._connection.publish(envelope.topic, envelope.payload())


def _words(table: RegisteredTable) -> str:
    parts: Iterable[str] = (
        f'"{name}":{text}' for name, text in (("assignment", table.assignment), ("judge", table.judge)) if text
    )
    return "{" + ",".join(parts) + "}"


def _moment() -> int:
    """A number for answers that hold whatever was said before."""
    return int(time.time() * 1000)
