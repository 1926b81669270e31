"""A game whose board was counted at its end has the position there in its record."""

import pytest

from companion.errors import SessionError
from companion.position import Position
from companion.session.counting import COUNTED, count_up
from companion.session.entries import CorrectionEntry
from companion.session.record import read_record
from companion.session.rejudging import verify
from companion.session.session import Session
from tests.session.evenings import clock, new_session, play, play_at_random
from tests.tables import position, table_of


def test_the_record_gets_the_counted_position_and_says_why() -> None:
    session, other = new_session(), new_session()
    play(session, "draw red blue")
    play_at_random(other, 1000, seed=2)
    entry = count_up(session, Position(other.game, other.state))
    assert isinstance(entry, CorrectionEntry)
    assert entry is session.entries[-1]
    assert entry.reason == COUNTED == "the board was counted at the end"
    assert set(entry.changes) <= set(session.game.position_keys)
    assert session.is_over
    assert session.state == other.state
    assert session.scores().totals == other.scores().totals
    assert verify(read_record(session.export(), "record")) == []


def test_only_what_differs_is_corrected_and_never_the_table() -> None:
    session = Session.create(None, table_of("city_of_marble", 2), clock=clock())
    end = position('wards = ["E8-F8 red"]\n[rulings]\nsupply = "strict"')
    entry = count_up(session, end)
    assert isinstance(entry, CorrectionEntry)
    assert "wards" in entry.changes
    assert "rulings" not in entry.changes
    assert session.table.rulings["supply"] != "strict"
    session.undo()
    with pytest.raises(SessionError, match="would not hold"):
        count_up(session, position("players = 4\nto_move = 4"))
