"""What stands in the envelopes: presence, registration and entries of a table, and what a hub says to it.

Readers ignore keys they do not know and take a default for those that a newer or older program leaves out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.files.documents import MAXIMUM_INTEGER, DocumentTable
from companion.position import LONGEST_NAME
from companion.publishing.signing import KEY_BYTES, NONCE_BYTES, hidden
from companion.session.log import MAXIMUM_ENTRIES
from companion.wording.characters import is_plain_text

HEADER = 0
"""the number of a record's first line among its entries, as they are published and acknowledged"""
COPIED = "copied"
"""said signed, as `refused`: another device with this table's key has told other entries of the same game"""
NOTHING = -1
"""what is acknowledged of a game of which nothing has arrived"""

MOST_GAMES = 100
"""games that one message may speak of"""
MOST_SEATS = 12
LONGEST_TEXT = 400

_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,63}")


@dataclass(frozen=True, slots=True)
class GameNumber:
    """A game by the id of its record, and the number of one of its entries."""

    game: str
    number: int

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return {"game": self.game, "number": self.number}


@dataclass(frozen=True, slots=True)
class Gap:
    """Entries of a game that a hub asks for: from `first` to `last`, both included."""

    game: str
    first: int
    last: int

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return {"game": self.game, "first": self.first, "last": self.last}


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether a table is there, what it is called, and the highest number of each of its games that are not all told.

    `connection` is the number of the first message of the connection it was said on: the broker publishes the one that
    says that the table is gone without the table counting on. `event` is the number of the latest message of a hub with
    an assignment or a judge's word that the table has taken in, 0 for none. `moment` is the table's own clock.
    """

    online: bool
    connection: int
    name: str = ""
    games: tuple[GameNumber, ...] = ()
    event: int = 0
    moment: str = ""

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "online": self.online, "connection": self.connection, "name": self.name,
            "games": [each.document() for each in self.games], "event": self.event, "time": self.moment,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Registration:
    """A table's key, hidden by the pad of a code, and what the table is called; `nonce` was never used before."""

    nonce: bytes
    hidden_key: bytes
    name: str = ""

    def key(self, code: str, table: str) -> bytes:
        """The key, for who knows the code."""
        return hidden(self.hidden_key, code, table, self.nonce)

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return {"nonce": self.nonce.hex(), "key": self.hidden_key.hex(), "name": self.name}


@dataclass(frozen=True, slots=True)
class PublishedEntry:
    """A line of a game's record: its header for number 0, else the entry of that number."""

    game: str
    number: int
    line: Mapping[str, Any]

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return {"game": self.game, "number": self.number, "line": dict(self.line)}


@dataclass(frozen=True, slots=True)
class AssignedSeat:
    """Who sits at a seat of a table in a round."""

    seat: int
    player: str
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an event has a table play: in which round, which game (its id), who sits where and who begins."""

    event: str
    round: int
    game: str
    seats: tuple[AssignedSeat, ...]
    start_seat: int = 0
    """usually 0: seat 1 begins, as in every record"""

    def document(self) -> dict[str, Any]:
        """As plain values."""
        seats = [{"seat": each.seat, "player": each.player, "colour": each.colour} for each in self.seats]
        return {
            "event": self.event, "round": self.round, "game": self.game, "seats": seats, "start_seat": self.start_seat
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class JudgeWord:
    """What the judge lets a table know; `answered` takes back its call for help."""

    text: str = ""
    answered: bool = False

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return {"text": self.text, "answered": self.answered}


@dataclass(frozen=True, slots=True)
class HubMessage:
    """What a hub says to a table. `acknowledged` are the highest numbers with all below them stored, `wanted` is asked
    for again. `registered` says that the hub has the table's key.

    `refused` is a word for why what the table says is not believed; it alone may be said unsigned. `assignment` and
    `judge` hold where their message has a higher number than the one before with either.
    """

    acknowledged: tuple[GameNumber, ...] = ()
    wanted: tuple[Gap, ...] = ()
    registered: bool = False
    refused: str = ""
    assignment: Assignment | None = None
    judge: JudgeWord | None = None

    def document(self) -> dict[str, Any]:
        """As plain values; what is not said is left out."""
        document: dict[str, Any] = {}
        if self.acknowledged:
            document["acknowledged"] = [each.document() for each in self.acknowledged]
        if self.wanted:
            document["wanted"] = [each.document() for each in self.wanted]
        if self.registered:
            document["registered"] = True
        if self.refused:
            document["refused"] = self.refused
        if self.assignment is not None:
            document["assignment"] = self.assignment.document()
        if self.judge is not None:
            document["judge"] = self.judge.document()
        return document


def read_presence(document: DocumentTable) -> Presence:
    """A table's presence. Raises InvalidDocument."""
    return Presence(
        document.flag("online"),
        document.integer("connection", 1, MAXIMUM_INTEGER),
        _name(document, "name"),
        tuple(_game_number(each) for each in document.tables("games", optional=True, longest=MOST_GAMES)),
        document.integer("event", 0, MAXIMUM_INTEGER, 0),
        document.text("time", "", longest=40),
    )


def read_registration(document: DocumentTable) -> Registration:
    """A table's registration. Raises InvalidDocument."""
    nonce, key = _hex(document, "nonce", NONCE_BYTES), _hex(document, "key", KEY_BYTES)
    return Registration(nonce, key, _name(document, "name"))


def read_entry(document: DocumentTable) -> PublishedEntry:
    """An entry; its line is an object that is not looked into. Raises InvalidDocument."""
    number = document.integer("number", HEADER, MAXIMUM_ENTRIES)
    line = document.table("line")
    if number != HEADER and line.values.get("number") != number:
        raise line.invalid("number", "is not that of the entry")
    return PublishedEntry(game_id(document, "game"), number, line.values)


def read_hub_message(document: DocumentTable) -> HubMessage:
    """What a hub says to a table. Raises InvalidDocument."""
    return HubMessage(
        tuple(_game_number(each) for each in document.tables("acknowledged", optional=True, longest=MOST_GAMES)),
        tuple(_gap(each) for each in document.tables("wanted", optional=True, longest=MOST_GAMES)),
        document.flag("registered", default=False),
        plain_text(document, "refused", 40),
        _assignment(document.table("assignment")) if "assignment" in document else None,
        _judge_word(document.table("judge")) if "judge" in document else None,
    )


def game_id(document: DocumentTable, key: str) -> str:
    """The id of a game's record. Raises InvalidDocument."""
    text = document.text(key, longest=64)
    if _ID.fullmatch(text) is None:
        raise document.invalid(key, "must be letters, digits and hyphens")
    return text


def plain_text(document: DocumentTable, key: str, longest: int, default: str | None = "") -> str:
    """A text of one line without control characters. Raises InvalidDocument."""
    text = document.text(key, default, longest=longest)
    if not is_plain_text(text):
        raise document.invalid(key, "holds a control character or a line break")
    return text


def line_document(line: str) -> dict[str, Any]:
    """A line of a record, which this program wrote, as plain values."""
    document: dict[str, Any] = json.loads(line)
    return document


def _name(document: DocumentTable, key: str) -> str:
    return plain_text(document, key, LONGEST_NAME)


def _game_number(document: DocumentTable) -> GameNumber:
    return GameNumber(game_id(document, "game"), document.integer("number", NOTHING, MAXIMUM_ENTRIES))


def _gap(document: DocumentTable) -> Gap:
    first = document.integer("first", HEADER, MAXIMUM_ENTRIES)
    return Gap(game_id(document, "game"), first, document.integer("last", first, MAXIMUM_ENTRIES))


def _assignment(document: DocumentTable) -> Assignment:
    seats = document.tables("seats", optional=True, longest=MOST_SEATS)
    return Assignment(
        plain_text(document, "event", LONGEST_TEXT),
        document.integer("round", 0, 1000, 0),
        plain_text(document, "game", LONGEST_NAME),
        tuple(
            AssignedSeat(each.integer("seat", 1, MOST_SEATS), _name(each, "player"), plain_text(each, "colour", 40))
            for each in seats
        ),
        document.integer("start_seat", 0, MOST_SEATS, 0),
    )


def _judge_word(document: DocumentTable) -> JudgeWord:
    return JudgeWord(plain_text(document, "text", LONGEST_TEXT), document.flag("answered", default=False))


def _hex(document: DocumentTable, key: str, size: int) -> bytes:
    text = document.text(key, longest=2 * size)
    if re.fullmatch(rf"[0-9a-f]{{{2 * size}}}", text) is None:
        raise document.invalid(key, f"must be {2 * size} digits of 0-9 a-f")
    return bytes.fromhex(text)
