"""What a hub knows of events without asking, beside another hub on the same database."""

import logging
import shutil
from dataclasses import replace

import pytest

from companion.event.entries import Archived, Joined, TakenOut
from companion.event.log_text import kind_of_line
from tests.event.events import new_event
from ui.hub.database import open_database
from ui.hub.event_store import EventStore
from ui.hub.schema import EVENT_ENTRIES

LIKE_THE_END = 'Anna"kind": "archived"}'


@pytest.fixture
def stores(new_database, opened, tmp_path) -> tuple[EventStore, EventStore]:
    """Those of two hubs."""
    path = str(shutil.copy(new_database, tmp_path / "hub.sqlite"))
    opened += [open_database(path), open_database(path)]
    return EventStore(opened[0]), EventStore(opened[1])


def _created(store: EventStore, name: str):
    return store.create(replace(new_event().settings, name=name))


def _named(events) -> list[str]:
    return [event.settings.name for event in events]


def test_what_this_hub_changes_is_known_at_once_and_what_another_changes_with_the_next_look(stores) -> None:
    own, other = stores
    assert own.known_open() is None
    assert own.open() == own.known_open() == []
    first = _created(own, "First")
    joined = own.change(first.id, "test", lambda _event: [Joined(1, "Anna")])
    assert own.known_open() == [joined]
    second = _created(other, "Second")
    other.change(first.id, "test", lambda _event: [Archived()])
    assert own.known_open() == [joined]
    assert _named(own.open()) == _named(own.known_open()) == ["Second"]
    own.change(first.id, "test", lambda _event: [TakenOut()])
    assert _named(own.known_open()) == ["First", "Second"]
    own.change(second.id, "test", lambda _event: [Archived()])
    assert _named(own.known_open()) == ["First"]
    own.delete(first.id)
    assert own.known_open() == []


def test_of_what_is_archived_nothing_is_asked_for_and_a_name_archives_nothing(stores) -> None:
    store, _other = stores
    open_event, archived, empty = (_created(store, name) for name in ("Open", "Archived", "Empty"))
    store.change(open_event.id, "test", lambda _event: [Joined(1, LIKE_THE_END)])
    store.change(archived.id, "test", lambda _event: [Joined(1, "Anna"), Archived()])
    rows = store._latest_entries(open_only=True)
    assert {row.event_id for row in rows} == {open_event.id, empty.id}
    assert len(store._latest_entries()) == 3
    assert _named(store.archived()) == ["Archived"]
    assert store.count_open() == 2


def test_an_event_that_cannot_be_read_is_said_once(stores, caplog) -> None:
    store, other = stores
    event = _created(other, "From tomorrow")
    line = '{"number": 1, "time": "2026-01-01T00:00:00Z", "by": "test", "kind": "painted"}'
    assert kind_of_line(line) is None
    with other._engine.begin() as connection:
        connection.execute(EVENT_ENTRIES.insert(), {"event_id": event.id, "number": 1, "line": line})
    with caplog.at_level(logging.WARNING, "companion.hub"):
        assert store.open() == store.open() == []
    assert sum(event.id in record.getMessage() for record in caplog.records) == 1
