"""What a table and a hub say to one another reads back as it was said, and what does not hold names its place."""

import json
from typing import Any

import pytest

from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, parse_json
from companion.publishing.envelope import body_text
from companion.publishing.messages import (
    AssignedSeat,
    Assignment,
    GameNumber,
    Gap,
    HubMessage,
    JudgeWord,
    Presence,
    PublishedEntry,
    read_entry,
    read_hub_message,
    read_presence,
)
from companion.publishing.table_state import TableState, read_state

ASSIGNED = Assignment("Club evening", 2, "capitol", (AssignedSeat(1, "Giulia", "red"), AssignedSeat(2, "Tiberio")), 2)


def told(document: dict[str, Any]) -> DocumentTable:
    return parse_json(body_text(document), "topic", "body")


@pytest.mark.parametrize(
    "message",
    [
        HubMessage(),
        HubMessage(acknowledged=(GameNumber("evening-1", -1), GameNumber("evening-2", 40)), registered=True),
        HubMessage(wanted=(Gap("evening-1", 0, 5000),), refused="unregistered"),
        HubMessage(assignment=ASSIGNED, judge=JudgeWord("On my way", answered=True)),
    ],
)
def test_a_hubs_message_reads_back(message: HubMessage) -> None:
    assert read_hub_message(told(message.document())) == message


def test_a_presence_an_entry_and_a_table_without_a_game_read_back() -> None:
    presence = Presence(True, 3, "Window", (GameNumber("evening-1", 12),), 5, "2026-11-30T20:00:00Z")
    assert read_presence(told(presence.document())) == presence
    entry = PublishedEntry("evening-1", 2, {"number": 2, "kind": "undo"})
    assert read_entry(told(entry.document())) == entry
    state = TableState(help=True, moment="2026-11-30T20:00:00Z")
    assert read_state(told(state.document())) == state


@pytest.mark.parametrize(
    ("read", "document", "place"),
    [
        (read_hub_message, {"acknowledged": [{"game": "a b", "number": 1}]}, "body.acknowledged[1].game"),
        (read_hub_message, {"acknowledged": [{"game": "a", "number": -2}]}, "body.acknowledged[1].number"),
        (read_hub_message, {"wanted": [{"game": "a", "first": 3, "last": 2}]}, "body.wanted[1].last"),
        (read_hub_message, {"judge": {"text": "a\nb"}}, "body.judge.text"),
        (read_hub_message, {"assignment": {"seats": [{"seat": 13}]}}, "body.assignment.seats[1].seat"),
        (read_presence, {"online": True, "connection": 1, "name": "\u202egnp"}, "body.name"),
        (read_presence, {"online": 1, "connection": 1}, "body.online"),
        (read_entry, {"game": "a", "number": 2, "line": {"number": 3}}, "body.line.number"),
        (read_state, {"game": "a", "rules": "capitol", "players": [{"seat": 0}]}, "body.players[1].seat"),
        (read_state, {"game": "a", "rules": "capitol", "players": [], "pieces": {"x": 1}}, "body.pieces.x"),
    ],
)
def test_what_does_not_hold_names_its_place(read: Any, document: dict[str, Any], place: str) -> None:
    with pytest.raises(InvalidDocument) as refused:
        read(DocumentTable(json.loads(json.dumps(document)), "topic", "body"))
    assert refused.value.entry == place
