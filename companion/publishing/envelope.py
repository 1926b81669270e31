"""The envelope of every message between tables and hubs: who sends it, the how-manieth it is, and its signature."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from companion.errors import InvalidDocument
from companion.files.documents import MAXIMUM_INTEGER, DocumentTable, decode_text, parse_json
from companion.publishing.signing import is_signature, signature
from companion.publishing.topics import MAXIMUM_PAYLOAD, TABLE_NAME, TopicKind, parse_topic, topic

SCHEMA = 1
UNSIGNED = ""

_MAC = re.compile(r"[0-9a-f]{64}|")


class OtherSchema(InvalidDocument):
    """A message of a later schema, of a newer program; `schema` says which."""

    def __init__(self, source: str, schema: int, version: str) -> None:
        self.schema, self.version = schema, version
        super().__init__(source, "schema", f"is {schema} (version {version}); this program reads schema {SCHEMA}")


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message that is of this kind and about this table, if its signature holds; `body` is the text that was signed.

    `number` grows with each message of a sender; `version` is the program that sent it.
    """

    kind: TopicKind
    table: str
    number: int
    body: str
    mac: str = UNSIGNED
    version: str = ""

    @property
    def topic(self) -> str:
        """Where it is published."""
        return topic(self.kind, self.table)

    @property
    def is_signed(self) -> bool:
        """Whether it bears a signature, right or wrong."""
        return self.mac != UNSIGNED

    def is_signed_with(self, key: bytes) -> bool:
        """Whether the signature is that of a key."""
        return is_signature(self.mac, key, self.kind, self.table, self.number, self.body)

    def document(self) -> DocumentTable:
        """What the body says. Ask for it only once the signature holds.

        Raises InvalidDocument.
        """
        return parse_json(self.body, self.topic, "body")

    def payload(self) -> bytes:
        """As it is published.

        Raises InvalidDocument where it is larger than its kind may be.
        """
        document = {
            "schema": SCHEMA, "version": self.version, "table": self.table, "number": self.number, "body": self.body,
            "mac": self.mac,
        }  # fmt: skip
        payload = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
        _check_size(self.topic, self.kind, payload)
        return payload


def body_text(document: object) -> str:
    """A document as the body of an envelope."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def signed(key: bytes, kind: TopicKind, table: str, number: int, document: object, version: str = "") -> Envelope:
    """A document in its envelope, signed with a key."""
    body = body_text(document)
    return Envelope(kind, table, number, body, signature(key, kind, table, number, body), version)


def read_envelope(where: str, payload: bytes) -> Envelope:
    """The envelope that was published on a topic. Its signature is not looked at.

    Raises InvalidDocument; OtherSchema for one of a newer program.
    """
    kind, table = parse_topic(where)
    _check_size(where, kind, payload)
    document = parse_json(decode_text(payload, where), where)
    schema, version = document.integer("schema", 1), document.text("version", "", longest=40)
    if schema != SCHEMA:
        raise OtherSchema(where, schema, version)
    named = document.text("table", longest=32)
    if TABLE_NAME.fullmatch(named) is None or named != table:
        raise document.invalid("table", "is not the table of its topic")
    mac = document.text("mac", longest=64)
    if _MAC.fullmatch(mac) is None:
        raise document.invalid("mac", "must be 64 digits of 0-9 a-f, or empty")
    number = document.integer("number", 1, MAXIMUM_INTEGER)
    return Envelope(kind, table, number, document.text("body", longest=MAXIMUM_PAYLOAD[kind]), mac, version)


def _check_size(where: str, kind: TopicKind, payload: bytes) -> None:
    if len(payload) > MAXIMUM_PAYLOAD[kind]:
        allowed = MAXIMUM_PAYLOAD[kind]
        raise InvalidDocument(where, "", f"has {len(payload)} bytes; {allowed} are allowed")
