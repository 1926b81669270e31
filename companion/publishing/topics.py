"""The topics of published tables and of the hub, and how large what is published there may be."""

from __future__ import annotations

import re
from enum import StrEnum

from companion.errors import InvalidDocument

PREFIX = "companion"

TABLE_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""The name of a table on a broker: one level of a topic, without wildcards."""


class TopicKind(StrEnum):
    """What a message is; its signature covers it, so that none can stand for one of another kind."""

    STATE = "state"
    ENTRY = "entries"
    PRESENCE = "presence"
    REGISTER = "register"
    HUB = "hub"


MAXIMUM_PAYLOAD = {
    TopicKind.STATE: 256 * 1024,
    TopicKind.ENTRY: 1024 * 1024,
    TopicKind.PRESENCE: 16 * 1024,
    TopicKind.REGISTER: 4 * 1024,
    TopicKind.HUB: 64 * 1024,
}
"""Bytes of a whole message. An entry may tell what a correction makes of all entries after it."""

TABLE_KINDS = (TopicKind.STATE, TopicKind.ENTRY, TopicKind.PRESENCE, TopicKind.REGISTER)
"""What a table publishes."""
RETAINED = (TopicKind.STATE, TopicKind.PRESENCE)
"""What a broker keeps for those who come later."""

_TOPIC = re.compile(rf"{PREFIX}/(?:tables/({TABLE_NAME.pattern})/({'|'.join(TABLE_KINDS)})|hub/({TABLE_NAME.pattern}))")


def topic(kind: TopicKind, table: str) -> str:
    """Where a message of a kind is published that a table sends or, for Kind.HUB, is sent; `+` is every table."""
    return f"{PREFIX}/hub/{table}" if kind is TopicKind.HUB else f"{PREFIX}/tables/{table}/{kind}"


def parse_topic(text: str) -> tuple[TopicKind, str]:
    """The kind of what is published on a topic, and the name of its table.

    Raises InvalidDocument.
    """
    match = _TOPIC.fullmatch(text)
    if match is None:
        raise InvalidDocument(text[:120], "", "is no topic of a table or a hub")
    return (TopicKind.HUB, match[3]) if match[3] else (TopicKind(match[2]), match[1])
