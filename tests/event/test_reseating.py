"""Places changed by hand in a drawn round: who sits where then, what is refused, and that the log says it."""

import json
from pathlib import Path

import jsonschema
import pytest

from companion.event.drawing import next_round
from companion.event.entries import Change, EventRefused, Joined, Left, Moved, ResultKnown, Swapped
from companion.event.history import history_of
from companion.event.log_text import event_text, read_event
from companion.event.reseating import is_seated_by_hand, meetings_again, move, repeats_as_drawn, swap
from tests.event.events import TIME, drawn, new_event, played

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "event-log.schema.json"


def test_two_players_change_places_and_the_repeats_are_counted() -> None:
    event = drawn(played(drawn(new_event())))
    before = event.rounds[1]
    one, other = before.tables[0][0], before.tables[1][2]
    seated = event.append(TIME, "organiser", swap(event, one, other))
    tables = seated.rounds[1].tables
    assert (tables[0][0], tables[1][2]) == (other, one)
    assert [group for at, group in enumerate(tables) if at > 1] == list(before.tables[2:])
    assert seated.rounds[1].repeats == history_of(seated.seats[:1]).repeats(tables)
    assert repeats_as_drawn(seated) == before.repeats
    assert seated.rounds[1].repeats == sum(map(len, meetings_again(seated).values()))
    assert is_seated_by_hand(seated)
    assert seated.entries[-1].by == "organiser"
    back = seated.append(TIME, "organiser", swap(seated, one, other))
    assert back.rounds[1].tables == before.tables
    assert not is_seated_by_hand(back)
    assert next_round(played(seated)).round == 3


def test_a_player_moves_to_another_table_and_has_a_bye_and_somebody_late_comes_in() -> None:
    event = drawn(new_event(10, 3, 3, tables=3))
    assert [len(group) for group in event.rounds[0].tables] == [4, 3, 3] or sorted(
        map(len, event.rounds[0].tables)
    ) == [3, 3, 4]
    large = next(number for number, group in enumerate(event.rounds[0].tables, 1) if len(group) == 4)
    small = next(number for number, group in enumerate(event.rounds[0].tables, 1) if len(group) == 3)
    player = event.rounds[0].tables[large - 1][1]
    event = event.append(TIME, "o", move(event, player, small))
    assert event.rounds[0].tables[small - 1][-1] == player
    assert len(event.rounds[0].tables[large - 1]) == 3
    event = event.append(TIME, "o", move(event, player, 0))
    assert event.rounds[0].byes == (player,)
    event = event.append(TIME, "o", Joined(11, "Late"), move_late := Moved(1, 11, large, 0))
    assert event.rounds[0].tables[large - 1][-1] == move_late.player
    first = event.rounds[0].tables[small - 1][0]
    event = event.append(TIME, "o", Left(first))
    event = event.append(TIME, "o", swap(event, first, player))
    assert event.rounds[0].byes == (first,)
    assert read_event(event_text(event), "log") == event
    schema = json.loads(SCHEMA.read_text())
    for line in event_text(event).splitlines():
        jsonschema.validate(json.loads(line), schema)


def test_who_has_left_is_taken_from_a_table_without_a_bye() -> None:
    event = drawn(new_event())
    gone = event.rounds[0].tables[0][0]
    event = event.append(TIME, "o", Left(gone))
    event = event.append(TIME, "o", move(event, gone, 0))
    assert event.rounds[0].byes == ()
    assert gone not in event.rounds[0].tables[0]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (Swapped(2, 1, 2, 0), "round 2: only in the latest one players can change places"),
        (Swapped(1, 1, 1, 0), "round 1: nobody would sit elsewhere"),
        (Swapped(1, 1, 77, 0), "player 77: there is none of this number"),
        (Moved(1, 1, 9, 0), "round 1: has tables 1 to 4, not 9"),
        (Moved(1, 99, 1, 0), "player 99: there is none of this number"),
    ],
)
def test_a_change_of_places_that_does_not_fit_is_refused(change: Change, told: str) -> None:
    with pytest.raises(EventRefused) as raised:
        drawn(new_event()).append(TIME, "o", change)
    assert str(raised.value).startswith(told)


def test_tables_with_results_full_tables_and_those_who_left_keep_their_places() -> None:
    event = drawn(new_event(8, 4, 3))
    (one, *_), (other, *_) = event.rounds[0].tables
    with pytest.raises(EventRefused, match="table 2: 2 to 4 can play there"):
        move(event, one, 2)
    spare = event.append(TIME, "o", Joined(9, "Late"), Left(9))
    with pytest.raises(EventRefused, match="Late has left already"):
        swap(spare, one, 9)
    event = event.append(TIME, "o", ResultKnown(1, 1, (4, 3, 2, 1), (1, 2, 3, 4)))
    with pytest.raises(EventRefused, match="table 1: has a result; take it back first"):
        swap(event, one, other)
    with pytest.raises(EventRefused, match="round 0: only in the latest one"):
        swap(new_event(), 1, 2)
