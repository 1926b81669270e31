"""Events on the hub: from a list of players over drawn rounds and finished games to standings."""

import csv
import io
import json
import re
import time
from dataclasses import replace

import pytest

from companion.event.entries import EventRefused, Joined, ResultKnown
from companion.event.log_text import read_event
from companion.publishing.published_table import PublishedNow
from companion.publishing.table_state import PublishedPlayer, TableState
from tests.event.events import new_event
from tests.ui.hub.event_tables import PLAYERS, Organiser, event_at
from tests.ui.hub.publishing import until
from tests.ui.hub.visiting import next_event
from ui.hub.batches import Newest, TakenState
from ui.hub.database import open_database
from ui.hub.event_round_part import MOST_CARDS, plays_round
from ui.hub.event_store import EventStore
from ui.hub.events import assignments
from ui.hub.passwords import Role
from ui.hub.schema import EVENT_ENTRIES
from ui.hub.storing import Storing
from ui.services import text
from ui.table.why_not_here import illegal_gestures
from ui.web.markup import safe

pytestmark = pytest.mark.usefixtures("quick")


def test_an_event_from_the_list_to_the_standings(hub, organise, playing) -> None:
    playing("blue", "green")
    address = organise.new_event(rounds=2)
    names = "Name;Club\r\n" + "".join(f"{name};Roma\r\n" for name in PLAYERS[:6])
    assert organise.post_form(f"{address}/players", ("players.csv", names.encode())).status == 303
    assert "6 players" in organise.text(address)
    connection, stream = organise.events(f"/events?follow=event&event={event_at(hub, address).id}")
    for number in (1, 2):
        assert organise.post_form(f"{address}/draw").status == 303
        seated = event_at(hub, address).rounds[-1]
        assert seated.repeats == seated.at_least
        assert sorted(map(len, seated.tables)) == [3, 3]
        until(lambda: not event_at(hub, address).open_tables, f"round {number} is played", 60.0)
    told = next_event(stream, "All planned rounds are played.")
    assert "All planned rounds are played." in told
    connection.close()
    event = event_at(hub, address)
    assert all(result.record and result.source == "table" for result in event.results.values())
    played = {row.game_id: json.loads(row.result) for row in hub.storing.games(finished=True)}
    for (number, table), result in event.results.items():
        seats = {seat["name"]: seat["points"] for seat in played[result.record]["seats"]}
        names = event.names(event.rounds[number - 1].tables[table - 1])
        assert [seats[name] for name in names] == list(result.points)
    rows = list(csv.DictReader(io.StringIO(organise.text(f"{address}/standings.csv"))))
    assert sorted(row["player"] for row in rows) == sorted(PLAYERS[:6])
    assert sum(int(row["table_points"]) for row in rows) == 2 * 6 * 6
    assert read_event(organise.text(f"{address}/log.jsonl"), "log") == event
    assert len(json.loads(organise.text(f"{address}/event.json"))["rounds"]) == 2
    assert rows[0]["player"] in organise.text(f"{address}/page.html")
    cards = organise.text(f"{address}/cards/2")
    assert cards.count(">begins<") == 2


def test_a_table_is_told_who_sits_there_until_its_result_is_known(hub, organise, tables_at) -> None:
    tables = tables_at(hub, "green", "blue")
    until(lambda: len(hub.overview) == 2, "the hub shows them")
    address = organise.new_event(tables=2, preferred=2, game="capitol")
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo\nDario")
    organise.post_form(f"{address}/draw")
    event = event_at(hub, address)
    identity = dict(event.tables)
    assert set(identity.values()) == {"green", "blue"}
    by_name = {table.name: table for table in tables.tables}
    for number, name in identity.items():
        until(lambda table=by_name[name]: table.status.assignment is not None, "the assignment")
        told = by_name[name].status.assignment
        assert (told.event, told.round, told.game, told.start_seat) == ("Ides of March", 1, "capitol", 1)
        assert tuple(seat.player for seat in told.seats) == event.names(event.rounds[0].tables[number - 1])
    fields = {"points-1": 40, "points-2": 30}
    organise.post_form(f"{address}/result/1/1", **fields)
    until(lambda: by_name[identity[1]].status.assignment is None, "nothing is assigned any more")
    assert by_name[identity[2]].status.assignment is not None
    organise.post_form(f"{address}/result/1/1/back", reason="they play on")
    until(lambda: by_name[identity[1]].status.assignment is not None, "it is assigned again")
    organise.post_form(f"{address}/back")
    until(lambda: all(table.status.assignment is None for table in tables.tables), "the round was taken back")


def test_an_event_made_before_its_tables_were_registered_offers_to_take_them(hub, organise, tables_at) -> None:
    address = organise.new_event(tables=2, preferred=2)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo\nDario")
    offer = f'<section class="paper fields"><form method="post" action="{address}/tables"'
    assert offer not in organise.text(address)
    tables_at(hub, "green", "blue")
    until(lambda: len(hub.overview) == 2, "the hub shows them")
    organise.post_form(f"{address}/draw")
    assert offer in organise.text(address)
    assert offer not in Organiser(hub.address, hub.first_passwords[Role.WATCH]).text(address)
    organise.post_form(f"{address}/tables")
    assert set(event_at(hub, address).tables.values()) == {"green", "blue"}
    assert offer not in organise.text(address)
    for number in (1, 2):
        organise.post_form(f"{address}/table", table=number, identity="")
    assert offer not in organise.text(address)


def test_a_result_of_an_earlier_round_is_found_and_corrected(hub, organise) -> None:
    address = organise.new_event(tables=1, preferred=2)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    for number in (1, 2):
        organise.post_form(f"{address}/draw")
        organise.post_form(f"{address}/result/{number}/1", **{f"points-{seat}": 9 - seat for seat in (1, 2, 3)})
    earlier = re.search(rf'href="({address}/rounds/1)"', organise.text(address))[1]
    page = organise.text(earlier)
    assert all(name in page for name in ("Anna", "Bea", "Cleo"))
    form = re.search(rf'href="({address}/result/1/1)"', page)[1]
    organise.post_form(form, reason="misread", **{"points-1": 20, "points-2": 30, "points-3": 10})
    assert event_at(hub, address).results[1, 1].points == (20, 30, 10)
    watcher = Organiser(hub.address, hub.first_passwords[Role.WATCH])
    assert "<b>30</b>" in watcher.text(earlier)
    assert f"{address}/result/1/1" not in watcher.text(earlier)
    assert [organise.get(f"{address}/rounds/{number}").status for number in ("0", "3", "x", "9999")] == [404] * 4


def test_a_result_by_hand_is_corrected_with_a_trail(hub, organise) -> None:
    address = organise.new_event(tables=9)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    organise.post_form(f"{address}/draw")
    form = f"{address}/result/1/1"
    refused = organise.post_form(form, **{"points-1": "x", "points-2": 2, "points-3": 3})
    assert (refused.status, ": write whole points, from" in refused.text) == (409, True)
    assert re.search(r'name="points-2" value="2"', refused.text)
    beyond = {"points-1": 5, "points-2": 4, "points-3": 3, "rank-1": 0, "rank-2": 2, "rank-3": 1}
    assert "Write ranks from 1 to 3 for all players, or for none" in organise.post_form(form, **beyond).text
    alike = beyond | {"rank-1": 1, "rank-2": 1, "rank-3": 1}
    assert "has fewer points than" in organise.post_form(form, **alike).text
    organise.post_form(form, **{"points-1": 30, "points-2": 30, "points-3": 10, "rank-1": 2, "rank-2": 1, "rank-3": 3})
    assert event_at(hub, address).results[1, 1].ranks == (2, 1, 3)
    stale = {"points-1": 30, "points-2": 3, "points-3": 10, "rank-1": 2, "rank-2": 1, "rank-3": 3}
    refused = organise.post_form(form, reason="misread", **stale)
    assert (refused.status, 'name="meant"' in refused.text) == (409, True)
    assert "has fewer points than" in refused.text
    assert event_at(hub, address).results[1, 1].points == (30, 30, 10)
    assert organise.post_form(form, reason="left early", meant="yes", **stale).status == 303
    assert event_at(hub, address).results[1, 1].ranks == (2, 1, 3)
    assert 'name="meant"' in organise.text(form)
    again = organise.post_form(form, **{"points-1": 31, "points-2": 30, "points-3": 10})
    assert (again.status, "say why it was not right" in again.text) == (409, True)
    organise.post_form(form, reason="<b>misread</b>", **{"points-1": 31, "points-2": 30, "points-3": 10})
    page = organise.text(form)
    assert "30 : 30 : 10 (ranks 2 : 1 : 3)" in page
    assert "31 : 30 : 10 (&lt;b&gt;misread&lt;/b&gt;)" in page
    assert event_at(hub, address).results[1, 1].ranks == (1, 2, 3)
    assert "by hand" in organise.text(address)


def test_places_are_changed_by_hand_until_results_are_in(hub, organise, tables_at) -> None:
    tables_at(hub, "blue", "green")
    until(lambda: len(hub.overview) == 2, "both are registered")
    address = organise.new_event(tables=2, preferred=2)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo\nDario")
    organise.post_form(f"{address}/draw")
    assert f'href="{address}/seats"' in organise.text(address)
    (one, _two), (_three, other) = event_at(hub, address).rounds[0].tables
    organise.post_form(f"{address}/seats/swap", one=one, other=other)
    event = event_at(hub, address)
    assert (event.rounds[0].tables[0][0], event.rounds[0].tables[1][1]) == (other, one)
    assert assignments(event)["blue"].seats[0].player == event.players[other].name
    told = json.loads(hub.storing.tables.registered(frozenset({"blue"}))["blue"].assignment)
    assert told["seats"][0]["player"] == event.players[other].name
    page = organise.text(address)
    assert "Met before: 0 (0 as drawn)" in page
    assert "change places; met before: 0" in page
    (seen,) = set(re.findall(r'name="seen" value="(\d+)"', organise.text(f"{address}/seats")))
    for status in (303, 409):  # who swaps them, too, would swap them back
        late = organise.post_form(f"{address}/seats/swap", one=one, other=other, seen=seen)
        assert late.status == status
    assert "Places were changed meanwhile; look who sits where now" in late.text
    assert organise.post_form(f"{address}/seats/move", player=one, table=2, seen=seen).status == 409
    refused = organise.post_form(f"{address}/seats/move", player=one, table=2)
    assert (refused.status, "2 to 4 can play there" in refused.text) == (409, True)
    shown = organise.text(f"{address}/seats")
    assert shown.count("<select") == 4
    organise.post_form(f"{address}/result/1/1", **{"points-1": 3, "points-2": 1})
    refused = organise.post_form(f"{address}/seats/swap", one=one, other=other)
    assert "has a result; take it back first" in refused.text
    organise.post_form(f"{address}/result/1/2", **{"points-1": 3, "points-2": 1})
    assert organise.get(f"{address}/seats").status == 404
    assert f'href="{address}/seats"' not in organise.text(address)


def test_a_player_who_is_renamed_while_a_table_plays_keeps_the_result(hub, organise, tables_at) -> None:
    tables = tables_at(hub, "green", game="capitol", seats=2)
    until(tables.arrived, "it is registered")
    address = organise.new_event(game="capitol", tables=1, preferred=2)
    organise.post_form(f"{address}/players", names="Player 1\nPlayer 2")
    organise.post_form(f"{address}/draw")
    tables.begin(0, "green-2")
    organise.post_form(f"{address}/rename", player=1, name="Anna")
    until(lambda: hub.overview.table("green").game == "green-2", "it plays the round")
    assert ">playing<" in organise.text(address)
    tables.play_out(0)
    until(lambda: not event_at(hub, address).open_tables, "the result is known")
    result = event_at(hub, address).results
    organise.post_form(f"{address}/rename", player=2, name="Bea")
    assert not hub.events.look()
    assert event_at(hub, address).results == result


def test_the_cards_of_a_round_say_what_a_table_does_for_it(hub, organise, tables_at) -> None:
    tables = tables_at(hub, "blue", "green")
    until(lambda: len(hub.overview) == 2 and hub.overview.table("green").game == "green-1", "both play already")
    for name in ("blue", "green"):
        hub.overview.put(replace(hub.overview.table(name), began=time.time() - 60), time.time())
    address = organise.new_event(game="capitol", tables=2, preferred=2)
    organise.post_form(f"{address}/players", names="Player 1\nPlayer 2\nCleo\nDario")
    organise.post_form(f"{address}/draw")
    page = organise.text(address)
    assert (page.count("in an earlier game"), page.count("not begun yet")) == (2, 0)
    blue = hub.overview.table("blue")
    for urgent in (replace(blue, wants_help=True), replace(blue, is_disputed=True), replace(blue, is_silent=True)):
        hub.overview.put(urgent, time.time())
        page = organise.text(address)
        assert page.count("in an earlier game") == 2
        assert f'pill {urgent.situation}"' in page
    hub.overview.put(blue, time.time())
    event = event_at(hub, address)
    blue = hub.overview.table("blue")
    later = replace(blue, began=time.time() + 60)
    seated = next(number for number in (1, 2) if "Cleo" not in event.names(event.rounds[0].tables[number - 1]))
    fits = set(event.names(event.rounds[0].tables[seated - 1])) == {"Player 1", "Player 2"}
    drawn = hub.events.drawn(event)
    assert plays_round(event, seated, later, drawn) is fits
    assert not plays_round(event, seated, blue, drawn)
    assert plays_round(event, seated, replace(later, players=()), drawn)
    assert not plays_round(event, seated, replace(later, rules="aqua_romana"), drawn)
    hub.overview.put(replace(later, rules="aqua_romana", number=99), time.time())
    hub.overview.put(replace(hub.overview.table("green"), is_over=True), time.time())
    page = organise.text(address)
    assert (page.count("plays something else"), page.count("not begun yet")) == (1, 1)
    assert tables.arrived()


def test_an_event_is_planned_otherwise_and_players_are_renamed(hub, organise) -> None:
    address = organise.new_event(tables=1)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo\nDario\nElena\nFabio")
    organise.post_form(f"{address}/rename", player=3, name="Clelia")
    assert organise.post_form(f"{address}/rename", player=3, name="anna").status == 409
    for name in ("=1", "\uff1d1", "\u200b=1"):
        assert "looks like a formula" in organise.post_form(f"{address}/rename", player=3, name=name).text
    assert organise.post_form(f"{address}/replan", preferred=3, rounds=2, by_lot="x", tables=2).status == 409
    organise.post_form(f"{address}/replan", preferred=3, rounds=2, by_lot=0, tables=2)
    organise.post_form(f"{address}/draw")
    assert len(event_at(hub, address).rounds[0].tables) == 2
    page = organise.text(address)
    assert "Clelia" in page
    assert "from now on 3 at a table; rounds: 2, tables: 2" in page
    organise.post_form(f"{address}/leave", player=1)
    organise.post_form(f"{address}/return", player=1)
    assert not event_at(hub, address).players[1].has_left
    for seats in event_at(hub, address).rounds[0].tables:
        fields = {f"points-{seat}": seat for seat in range(1, len(seats) + 1)}
        organise.post_form(f"{address}/result/1/{event_at(hub, address).open_tables[0]}", **fields)
    organise.post_form(f"{address}/draw")
    refused = organise.post_form(f"{address}/replan", preferred=3, rounds=1, by_lot=0, tables=2)
    assert (refused.status, "Rounds drawn already: 2" in refused.text) == (409, True)
    assert 'min="2"' in organise.text(address)


def test_of_many_tables_and_players_the_page_shows_some_and_links_the_others(organise) -> None:
    address = organise.new_event(tables=70, preferred=2)
    organise.post_form(f"{address}/players", names="\n".join(f"Player {number}" for number in range(1, 141)))
    organise.post_form(f"{address}/draw")
    page = organise.text(address)
    assert page.count('<article class="table') == MOST_CARDS
    assert f'href="{address}/result/1/70"' in page
    assert "and 40 players more" in page
    assert organise.text(f"{address}/standings").count("<tr>") == 141
    assert organise.text(f"{address}/screen").count("<tr>") == 11


def test_who_watches_sees_everything_and_changes_nothing(hub, organise) -> None:
    address = organise.new_event()
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    organise.post_form(f"{address}/draw")
    watcher = Organiser(hub.address, hub.first_passwords[Role.WATCH])
    page = watcher.text(address)
    assert "Cleo" in page
    assert f'action="{address}' not in page
    assert "Anna" in watcher.text(f"{address}/standings")
    assert "Anna" in watcher.text(f"{address}/cards/1")
    for deed in (
        "draw",
        "back",
        "players",
        "leave",
        "return",
        "tables",
        "rename",
        "replan",
        "archive",
        "take-out",
        "delete",
        "result/1/1",
        "result/1/1/back",
    ):
        assert watcher.post_form(f"{address}/{deed}", names="Dario", player=1, sure="yes").status == 403
    stranger = Organiser(hub.address)
    assert stranger.get(address).status == 303
    assert stranger.post_form(f"{address}/draw").status == 403
    assert len(event_at(hub, address).players) == 3


def test_parts_of_an_event_that_are_not_there(organise) -> None:
    address = organise.new_event(name="<i>Ides</i>")
    assert "&lt;i&gt;Ides&lt;/i&gt;" in organise.text("/event")
    for path in ("cards/1", "cards/x", "result/1/1", "result/x/1", "other.txt"):
        assert organise.get(f"{address}/{path}").status == 404
    for path in ("", "/standings", "/cards/1", "/log.jsonl"):
        assert organise.get(f"/event/none{path}").status == 404
    refused = organise.post_form("/event/create", name="", game="capitol")
    assert (refused.status, "1 to 2000 tables" in refused.text) == (409, True)
    assert organise.post("/event/create", name="x").status == 409


def test_the_judge_sees_position_last_moves_and_verdict_in_the_language_in_use(
    hub, organise, tables_at, request
) -> None:
    tables = tables_at(hub, "green", "blue")
    tables.play(0, 3)
    until(lambda: hub.overview.table("green") is not None and hub.overview.table("green").entries == 3, "three entries")
    assert "No table waits for the judge." in organise.text("/judge")
    tables.tables[0].call_help(asked=True)
    until(lambda: hub.overview.table("green").wants_help, "the call")
    page = organise.text("/judge")
    assert page.count("<article") == 1
    assert "Last moves" in page
    assert "coming" in page
    session = tables.sessions[1]
    sites = sorted({spot.site for spot in session.table.board.spots.values()})
    refused, verdict = next(found for site in sites for found in illegal_gestures(session, site))
    tables.tables[1].show(PublishedNow(session.log, refused, disputed=True))
    until(lambda: hub.overview.table("blue").is_disputed, "the dispute")
    page = organise.text("/judge")
    assert page.count("<article") == 2
    assert page.index("Green") < page.index("Blue")
    rule = session.game.rulebook.rules[verdict.violations[0].rule]
    assert f"{rule.id}: {safe(rule.source)}" in page
    state = hub.overview.table("blue").state()
    assert str(safe(state.prompt)) in page
    request.addfinalizer(lambda: text.use_language("en"))
    text.use_language("de")
    page = organise.text("/judge")
    assert f"{rule.id}: " in page
    assert str(safe(state.verdict.broken[0].sentence)) not in page
    assert str(safe(state.prompt)) not in page
    assert 'lang="en"' not in page


def test_an_event_of_a_newer_program_is_left_out_of_the_list(hub, organise) -> None:
    organise.new_event(name="Kept")
    later = organise.new_event(name="Later").removeprefix("/event/")
    with hub.events.store._engine.begin() as connection:
        connection.execute(EVENT_ENTRIES.insert(), {"event_id": later, "number": 1, "line": '{"number": 1}'})
    page = organise.text("/event")
    assert "Kept" in page
    assert "Later" not in page
    until(lambda: organise.get(f"/event/{later}").status == 500, "it is read once more")
    assert not hub.events.look()


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def database_address(request, tmp_path) -> str:
    if request.param == "SQLite":
        return str(tmp_path / "hub.sqlite")
    return request.getfixturevalue("postgresql").address


def test_a_player_is_found_whatever_the_letters_and_the_locale_of_the_database(database_address) -> None:
    database = open_database(database_address)
    storing = Storing(database)
    storing.tables.register("one", "Table 1", b"k" * 32)
    players = tuple(
        PublishedPlayer(seat, "red", name, 0, 0) for seat, name in enumerate(("Özlem Ünal", "ŁUKASZ", "Ирина"), 1)
    )
    state = TableState(game="game", rules="capitol", players=players)
    storing.write_newest(Newest({"one": TakenState("one", 5, "{}", state)}))
    for words in ("özlem", "ÖZLEM ün", "ozlem un", "oezlem", "Łuk", "lukasz", "ИРИНА", "ина"):
        assert storing.tables_with(words) == ["one"], words
    assert storing.tables_with("ozlam") == []
    database.close()


def test_two_hubs_write_one_log(database_address) -> None:
    databases = [open_database(database_address) for _ in range(2)]
    one, other = (EventStore(database) for database in databases)
    event = one.create(new_event().settings)
    assert other.event(event.id) == event
    for number, store in enumerate((one, other, one, other), 1):
        store.change(event.id, "o", lambda now, number=number: [Joined(len(now.players) + 1, f"P{number}")])
    calls = []

    def late(now):
        calls.append(len(now.entries))
        if len(calls) == 1:
            other.change(event.id, "o", lambda again: [Joined(5, "faster")])
        return [Joined(len(now.players) + 1, "slower")]

    one.change(event.id, "o", late)
    assert calls == [4, 5]
    names = [player.name for player in other.event(event.id, newest=True).players.values()]
    assert names == ["P1", "P2", "P3", "P4", "faster", "slower"]
    with pytest.raises(EventRefused):
        other.change(event.id, "o", lambda _now: [ResultKnown(1, 1, (1, 2), (2, 1))])
    assert one.event(event.id, newest=True) == other.event(event.id)
    assert assignments(one.event(event.id)) == {}
    for database in databases:
        database.close()
