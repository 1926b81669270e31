"""Hubs on machines whose clocks differ by hours, beside one another on one real PostgreSQL."""

import datetime as standard

import pytest
import sqlalchemy as sa

from companion.event.drawing import next_round
from companion.event.entries import TableNamed
from companion.publishing.table_state import PublishedPlayer, TableState
from tests.event.events import new_event
from ui.hub import database
from ui.hub.batches import Batch, Newest, TakenEntry, TakenState
from ui.hub.database import open_database
from ui.hub.event_store import EventStore
from ui.hub.events import Events
from ui.hub.storing import Storing


def wrong_by(hours: int) -> type[standard.datetime]:
    class Wrong(standard.datetime):
        @classmethod
        def now(cls, tz=None):
            return super().now(tz) + standard.timedelta(hours=hours)

    return Wrong


@pytest.mark.parametrize("hours", [-7, 7])
def test_a_round_drawn_at_one_hub_gets_the_result_of_a_game_that_another_took_in(
    postgresql, opened, monkeypatch, hours
) -> None:
    databases = [open_database(postgresql.address) for _hub in range(2)]
    opened.extend(databases)
    here, other = map(Storing, databases)
    here.tables.register("blue", "Blue", b"k" * 32)
    events = Events(EventStore(databases[0]), lambda _table, _words: None)
    made = events.store.create(new_event(players=3).settings)
    events.change(made.id, "test", lambda _event: [*_joined(), TableNamed(1, "blue")])
    event = events.change(made.id, "test", lambda event: [next_round(event)])
    names = event.names(event.rounds[0].tables[0])
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(database, "datetime", wrong_by(hours))
        databases[1].compare_clocks()
        other.write(Batch([TakenEntry("blue", "played", 0, "{}")]))
        players = tuple(PublishedPlayer(seat, "red", name, 9 - seat, seat) for seat, name in enumerate(names, 1))
        state = TableState(game="played", rules="capitol", players=players, over=True, final=True)
        other.write_newest(Newest({"blue": TakenState("blue", 5, "{}", state)}))
        theirs = databases[1].now()
        began = other.began([("blue", "played")])["blue", "played"]
        assert abs(began - wrong_by(hours).now().timestamp()) < 600
        Events(EventStore(databases[1]), lambda _table, _words: None).look()
    assert abs(theirs - databases[0].now()) < standard.timedelta(minutes=10)
    assert events.store.event(made.id, newest=True).results[1, 1].points == (8, 7, 6)


def test_the_time_is_told_without_asking_and_the_clocks_are_compared_seldom(postgresql, opened, monkeypatch) -> None:
    opened.append(here := open_database(postgresql.address))
    asked = []
    sa.event.listen(here.engine, "before_cursor_execute", lambda _connection, _cursor, text, *_more: asked.append(text))
    for _minute in range(3):
        here.compare_clocks()
    assert asked == []
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(database, "datetime", wrong_by(3))
        here.compare_clocks()
        assert len(asked) == database.CLOCK_LOOKS
        assert abs(here.now() - standard.datetime.now(standard.UTC)) < standard.timedelta(minutes=10)
    postgresql.stop()
    monkeypatch.setattr(database, "CLOCKS_COMPARED", 0.0)
    told = here.now()
    with pytest.raises(database.Lost):
        here.compare_clocks()
    assert here.now() - told < standard.timedelta(minutes=10)
    assert len(asked) == database.CLOCK_LOOKS


def _joined():
    return [entry.change for entry in new_event(players=3).entries]
