"""The topics of published tables and of the hub, and how large what is published there may be."""

from __future__ import annotations

import re
from enum import StrEnum

from companion.errors import InvalidDocument

PREFIX = "companion"

TABLE_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""The name of a table on a broker: one level of a topic, without wildcards."""


class Kind(StrEnum):
    """What a message is; its signature covers it, so that none can stand for one of another kind."""

    STATE = "state"
    ENTRY = "entries"
    PRESENCE = "presence"
    REGISTER = "register"
    HUB = "hub"


MAXIMUM_PAYLOAD = {
    Kind.STATE: 256 * 1024,
    Kind.ENTRY: 1024 * 1024,
    Kind.PRESENCE: 16 * 1024,
    Kind.REGISTER: 4 * 1024,
    Kind.HUB: 64 * 1024,
}
"""Bytes of a whole message. An entry may tell what a correction makes of all entries after it."""

TABLE_KINDS = (Kind.STATE, Kind.ENTRY, Kind.PRESENCE, Kind.REGISTER)
"""What a table publishes."""
RETAINED = (Kind.STATE, Kind.PRESENCE)
"""What a broker keeps for those who come later."""

_TOPIC = re.compile(rf"{PREFIX}/(?:tables/({TABLE_NAME.pattern})/({'|'.join(TABLE_KINDS)})|hub/({TABLE_NAME.pattern}))")


def topic(kind: Kind, table: str) -> str:
    """Where a message of a kind is published that a table sends or, for Kind.HUB, is sent; `+` is every table."""
    return f"{PREFIX}/hub/{table}" if kind is Kind.HUB else f"{PREFIX}/tables/{table}/{kind}"


def parse_topic(text: str) -> tuple[Kind, str]:
    """The kind of what is published on a topic, and the name of its table.

    Raises InvalidDocument.
    """
    match = _TOPIC.fullmatch(text)
    if match is None:
        raise InvalidDocument(text[:120], "", "is no topic of a table or a hub")
    return (Kind.HUB, match[3]) if match[3] else (Kind(match[2]), match[1])
