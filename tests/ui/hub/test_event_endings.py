"""What becomes of results when their games go on or are corrected, and of an event that is over."""

import csv
import io
import json
import re
import time

import pytest
import sqlalchemy as sa

from companion.event.entries import TableNamed
from companion.event.results import FinishedGame, PlayedSeat
from companion.publishing.published_table import PublishedNow
from companion.session.session import Session
from tests.ui.hub.event_tables import event_at
from tests.ui.hub.publishing import until
from ui.hub import intake, untold_ends
from ui.hub.event_store import EventStore
from ui.hub.events import Events
from ui.hub.schema import GAMES

pytestmark = pytest.mark.usefixtures("quick")


def test_a_table_that_takes_the_end_back_counts_again_when_it_ends_again(hub, organise, playing) -> None:
    tables = playing("blue")
    address = organise.new_event(tables=1, rounds=1, preferred=2, game="capitol")
    organise.post_form(f"{address}/players", names="Anna\nBea")
    organise.post_form(f"{address}/draw")
    until(lambda: not event_at(hub, address).open_tables, "the round is played")
    result = event_at(hub, address).results[1, 1]
    assert "All planned rounds are played." in organise.text(address)
    until(lambda: "result taken" in organise.text("/"), "the overview says so")
    (table,) = tables.tables
    session = Session(tables.logs["blue", "Ides of March", 1])
    session.undo()
    table.show(PublishedNow(session.log))
    until(lambda: event_at(hub, address).open_tables == (1,), "the end is taken back")
    until(lambda: "result taken" not in organise.text("/"), "the overview says that, too")
    page = organise.text(address)
    assert "Result taken back: the table plays on" in page
    assert "the table has taken back the end of its game · table 1" in page
    assert "the table has taken back the end of its game" in organise.text(f"{address}/result/1/1")
    assert {row["games"] for row in csv.DictReader(io.StringIO(organise.text(f"{address}/standings.csv")))} == {"0"}
    session.redo()
    table.show(PublishedNow(session.log))
    until(lambda: not event_at(hub, address).open_tables, "it counts again")
    assert event_at(hub, address).results[1, 1] == result
    assert "Result taken back" not in organise.text(address)


def test_an_event_is_archived_and_deleted_after_a_question_and_its_tables_are_free(hub, organise, tables_at) -> None:
    tables_at(hub, "blue")
    until(lambda: len(hub.overview) == 1, "it is registered")
    first, second = (organise.new_event(name=name, tables=1, preferred=2) for name in ("First", "Second"))
    for address in (first, second):
        organise.post_form(f"{address}/players", names="Anna\nBea")
    organise.post_form(f"{first}/draw")
    assert organise.post_form(f"{second}/draw").status == 409
    page = organise.text(f"{first}/archive")
    assert page.index("log.jsonl") < page.index("Archive this event") < page.index("Delete this event")
    assert "1 table has no result yet" in page
    organise.post_form(f"{first}/archive")
    assert json.loads(hub.storing.tables.registered(frozenset({"blue"}))["blue"].assignment)["seats"] == []
    page = organise.text(first)
    assert "This event is archived" in page
    assert f'action="{first}/draw"' not in page
    assert "The event is archived" in organise.post_form(f"{first}/leave", player=1).text
    page = organise.text(f"{first}/archive")
    assert "Take out of the archive or delete" in page
    assert page.index(f'action="{first}/take-out"') < page.index("Delete this event")
    assert organise.post_form(f"{second}/draw").status == 303
    assert "Take round 1 back?" in organise.text(f"{second}/back")
    refused = organise.post_form(f"{first}/take-out")
    assert "Table 1 plays a round of Second still" in refused.text
    organise.post_form(f"{second}/back")
    organise.post_form(f"{first}/take-out")
    assert event_at(hub, first).open_tables
    assert organise.post_form(f"{first}/delete").status == 409
    assert organise.post_form(f"{first}/delete", sure="yes").headers["location"] == "/event"
    assert organise.get(first).status == 404
    assert organise.post_form(f"{first}/draw").status == 404
    assert organise.post_form(f"{first}/delete", sure="yes").status == 404
    assert "First" not in organise.text("/event")
    assert json.loads(hub.storing.tables.registered(frozenset({"blue"}))["blue"].assignment)["seats"] == []
    assert organise.post_form(f"{second}/draw").status == 303


def test_where_all_events_are_archived_the_list_says_that_none_is_going_on(organise) -> None:
    assert "There is no event yet." in organise.text("/event")
    organise.post_form(f"{organise.new_event()}/archive")
    page = organise.text("/event")
    assert "No event is going on." in page
    assert "There is no event yet." not in page


def test_a_table_that_corrects_its_record_corrects_its_result_until_a_hand_does(hub, organise, playing) -> None:
    playing("blue")
    address = organise.new_event(tables=1, rounds=1)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    organise.post_form(f"{address}/draw")
    until(lambda: not event_at(hub, address).open_tables, "the round is played")
    first = event_at(hub, address).results[1, 1]

    def correct(points: int) -> None:
        (row,) = hub.storing.games(finished=True)
        told = json.loads(row.result)
        told["seats"][0]["points"] += points
        with hub.storing.database.engine.begin() as connection:
            connection.execute(GAMES.update().values(result=json.dumps(told)))

    correct(5)
    until(lambda: event_at(hub, address).results[1, 1] != first, "the result is corrected")
    second = event_at(hub, address).results[1, 1]
    assert sum(second.points) == sum(first.points) + 5
    assert second.reason == "the table corrected its record"
    correct(-5)
    until(lambda: event_at(hub, address).results[1, 1].points == first.points, "and back again")
    organise.post_form(f"{address}/result/1/1/back", reason="they play on")
    assert not hub.events.look()
    assert event_at(hub, address).open_tables == (1,)
    correct(1)
    until(lambda: not event_at(hub, address).open_tables, "the next end gives a result")
    organise.post_form(f"{address}/result/1/1", reason="a rule", **{"points-1": 1, "points-2": 2, "points-3": 3})
    correct(1)
    assert not hub.events.look()
    assert event_at(hub, address).results[1, 1].points == (1, 2, 3)


def test_a_table_that_says_otherwise_than_a_hand_is_named(hub, organise, playing, monkeypatch) -> None:
    address = organise.new_event(tables=1, preferred=2)
    organise.post_form(f"{address}/players", names="Anna\nBea")
    organise.post_form(f"{address}/draw")
    organise.post_form(f"{address}/result/1/1", **{"points-1": 999, "points-2": 1})
    event = event_at(hub, address)
    seats = (PlayedSeat(1, "Anna", 12, 1), PlayedSeat(2, "Bea", 10, 2))
    game = FinishedGame("blue-1", "aqua_romana", True, seats)
    assert hub.events._take(event, 1, game)
    assert not hub.events._take(event, 1, game)
    expected = {"Anna": 12, "Bea": 10}
    told = " : ".join(str(expected[name]) for name in event.names(event.rounds[0].tables[0]))
    assert f"The table says {told}." in organise.text(address)
    organise.post_form(f"{address}/result/1/1", reason="agreed", **{"points-1": 99, "points-2": 1})
    assert hub.events._take(event_at(hub, address), 1, game)
    assert "The table says" not in organise.text(address)


@pytest.mark.parametrize("shows_names", [True, False])
def test_a_game_whose_end_no_state_told_has_its_result_by_its_record(
    hub, organise, tables_at, monkeypatch, shows_names
) -> None:
    monkeypatch.setattr(intake, "NEWEST_WRITTEN", 3600.0)  # what a hub does while its database is full
    monkeypatch.setattr(untold_ends, "PAUSE", 0.1)
    tables = tables_at(hub, "blue", shows_names=shows_names)
    until(lambda: hub.overview.table("blue") is not None, "it is registered")
    address = organise.new_event(game="capitol", tables=1, preferred=2)
    organise.post_form(f"{address}/players", names="Player 1\nPlayer 2")
    organise.post_form(f"{address}/draw")
    tables.begin(0, "blue-2")
    for entries in (5, 10_000):
        tables.play(0, entries)
        ended = tables.sessions[0]
        tables.begin(0, f"blue-{entries}")
        until(lambda: tables.arrived() and hub.overview.table("blue").entries == 0, "it has begun another game")
        if entries == 5:
            time.sleep(0.5)
            assert event_at(hub, address).open_tables == (1,)
            tables.sessions[0] = ended
    until(lambda: not event_at(hub, address).open_tables, "the result is known")
    result, names = event_at(hub, address).results[1, 1], [player.name for player in ended.table.players]
    assert result.record == ended.id
    scores = ended.log.record_status.scores(ended.game, ended.state)
    drawn = event_at(hub, address).names(event_at(hub, address).rounds[0].tables[0])
    by_name = dict(zip(names if shows_names else drawn, scores.won.totals, strict=True))
    assert result.points == tuple(by_name[name] for name in drawn)
    assert result.points != (0, 0)


def test_however_many_events_are_played_untold_ends_are_asked_for_once_and_not_again_at_once(hub, organise) -> None:
    hub.events._ends = None  # what the hub itself asks is not counted
    for number in range(3):
        address = organise.new_event(name=f"Event {number}", tables=1, preferred=2)
        name = f"table-{number}"
        hub.storing.tables.register(name, name, b"k" * 32)
        organise.post_form(f"{address}/players", names="Anna\nBea")
        hub.events.change(address.removeprefix("/event/"), "test", lambda _event, name=name: [TableNamed(1, name)])
        organise.post_form(f"{address}/draw")
    asked, now = [], [0.0]
    ends = untold_ends.UntoldEnds(hub.storing, hub.overview, lambda: now[0])
    events = Events(EventStore(hub.storing.database), lambda _table, _words: None, ends=ends)

    def note(_connection, _cursor, statement: str, *_arguments) -> None:
        if "games.unbroken = games.highest" in statement:
            asked.append(statement)

    sa.event.listen(hub.storing.database.engine, "before_cursor_execute", note)
    for seconds, times in ((0.0, 1), (1.0, 1), (untold_ends.PAUSE + 1, 2)):
        now[0] = seconds
        events.look()
        assert len(asked) == times


def test_two_who_correct_a_result_at_once_are_told_of_one_another(hub, organise) -> None:
    address = organise.new_event(tables=1, preferred=2)
    organise.post_form(f"{address}/players", names="Anna\nBea")
    organise.post_form(f"{address}/draw")

    def enter(seen: int, points: int, path: str = "", reason: str = ""):
        fields = {"points-1": points, "points-2": 1, "reason": reason, "seen": seen}
        return organise.post_form(f"{address}/result/1/1{path}", **fields)

    def seen(text: str) -> int:
        (number,) = set(re.findall(r'name="seen" value="(\d+)"', text))
        return int(number)

    first = seen(organise.text(f"{address}/result/1/1"))
    assert enter(first, 10).status == 303
    refused = enter(first, 20)
    assert (refused.status, "Meanwhile the result has become 10 : 1" in refused.text) == (409, True)
    assert 'value="20"' in refused.text
    second = seen(refused.text)
    assert enter(second, 30, reason="counted again").status == 303
    assert enter(second, 40, reason="counted, too").status == 409
    assert enter(second, 0, "/back", "not played").status == 409
    assert event_at(hub, address).results[1, 1].points == (30, 1)
    latest = seen(organise.text(f"{address}/result/1/1"))
    assert enter(latest, 0, "/back", "not played").status == 303
    assert "Meanwhile the result has become –" in enter(latest, 40, reason="counted, too").text


def test_ranks_that_points_do_not_tell_stand_beside_them(hub, organise) -> None:
    address = organise.new_event(tables=1, preferred=2)
    organise.post_form(f"{address}/players", names="Anna\nBea")
    organise.post_form(f"{address}/draw")
    result = {"points-1": 8, "points-2": 8}
    organise.post_form(f"{address}/result/1/1", **result)

    def told() -> list[str]:
        event, printed = organise.text(address), organise.text(f"{address}/page.html")
        return [event.split("Round 1", 1)[1].split("Standings", 1)[0], printed.split("Round 1", 1)[1]]

    assert not any("ranks" in each for each in told())
    organise.post_form(f"{address}/result/1/1", **result, **{"rank-1": 2, "rank-2": 1}, reason="a tie-break")
    assert all("ranks 2 : 1" in each for each in told())
    assert "ranks 2 : 1 · by hand" in told()[1]


def test_points_that_cannot_be_are_told_with_whose_they_are(hub, organise) -> None:
    address = organise.new_event(name="Frühlings-Turnier “Ça va”", tables=1, preferred=2)
    organise.post_form(f"{address}/players", names="Anna\nBea")
    organise.post_form(f"{address}/draw")
    first, second = event_at(hub, address).names(event_at(hub, address).rounds[0].tables[0])
    refused = organise.post_form(f"{address}/result/1/1", **{"points-1": "-3", "points-2": "abc"})
    assert f"{second}: write whole points, from -1000000 to 1000000" in refused.text
    assert f"{first}:" not in refused.text
    name = organise.get(f"{address}/page.html").headers["content-disposition"]
    assert name == 'attachment; filename="fruhlings-turnier-ca-va-page.html"'
