"""Events beside one another: whose tables are whose, and that each gets its results and tells its tables."""

import json
from dataclasses import replace

import pytest

from companion.event.drawing import next_round
from companion.event.entries import Archived, RoundTakenBack, TableNamed
from firmware_bridge.publishing.publisher import TablePublisher
from tests.event.events import new_event
from tests.ui.hub.event_tables import event_at
from tests.ui.hub.publishing import until
from ui.hub.events import tablets_taken_later
from ui.hub.schema import GAMES

pytestmark = pytest.mark.usefixtures("quick")


def test_an_event_takes_no_table_that_plays_a_round_of_another(hub, organise, tables_at) -> None:
    def told(name: str):
        return json.loads(hub.storing.tables.registered(frozenset({name}))[name].assignment or "{}")

    def new(name: str) -> str:
        address = organise.new_event(name=name, tables=1, preferred=2)
        organise.post_form(f"{address}/players", names=f"{name} A\n{name} B")
        return address

    tables_at(hub, "blue", "green")
    until(lambda: len(hub.overview) == 2, "both are registered")
    first, second = new("Club"), new("Second")
    assert event_at(hub, first).tables == event_at(hub, second).tables == {1: "blue"}
    organise.post_form(f"{first}/draw")
    refused = organise.post_form(f"{second}/draw")
    assert (refused.status, "Table 1 plays a round of Club still" in refused.text) == (409, True)
    assert event_at(hub, second).rounds == ()
    assert told("blue")["event"] == "Club"
    third = new("Third")
    assert event_at(hub, third).tables == {1: "green"}
    organise.post_form(f"{third}/table", table=1, identity="blue")
    assert (told("blue")["event"], told("blue")["round"]) == ("Club", 1)
    organise.post_form(f"{third}/table", table=1, identity="")
    assert told("blue")["seats"]
    organise.post_form(f"{second}/table", table=1, identity="green")
    organise.post_form(f"{second}/draw")
    assert told("green")["event"] == "Second"
    assert "1 → 2 · Green" in organise.text(second)
    organise.post_form(f"{first}/back")
    assert told("blue")["seats"] == []
    assert organise.post_form(f"{second}/table", table=1, identity="nobody").status == 409


def test_the_page_says_which_tablet_each_table_is(hub, organise, tables_at) -> None:
    tables_at(hub, "green", "blue")
    until(lambda: len(hub.overview) == 2, "both are registered")
    address, other = organise.new_event(tables=2), organise.new_event(tables=3)
    assert "Each table is the tablet with its number." in organise.text(address)
    names = [hub.overview.table(event_at(hub, address).tables[number]).name for number in (1, 2)]
    assert f"Tablets: 1 → 1 · {names[0]}, 2 → 2 · {names[1]}" in organise.text(other)
    assert f"table 2 is 2 · {names[1]} · organiser" in organise.text(other)


def test_the_overview_is_that_of_the_one_event_that_is_played(hub, organise, monkeypatch) -> None:
    addresses = [organise.new_event(name=name, tables=1) for name in ("Ides of March", "Saturnalia")]
    assert "<h1>Many tables</h1>" in organise.text("/")
    for address, title in zip(addresses, ("Ides of March", "Many tables"), strict=True):
        organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
        organise.post_form(f"{address}/draw")
        page = organise.text("/")
        assert f"<h1>{title}</h1>" in page
        assert (f'href="{address}/standings"' in page) is (title != "Many tables")
    organise.post_form(f"{addresses[0]}/archive")
    assert "<h1>Saturnalia</h1>" in organise.text("/")


def test_a_search_finds_where_players_sit_whether_or_not_their_tables_are_published(hub, organise, tables_at) -> None:
    address, other = organise.new_event(name="Club evening", tables=2), organise.new_event(name="Later", tables=1)
    organise.post_form(f"{address}/players", names="Anna\nBea <Bi>\nCleo\nDario\nEmil\nFritz\nGina")
    organise.post_form(f"{other}/players", names="Bea\nHugo")
    assert "No table is like that." in organise.text("/?words=BEA")
    organise.post_form(f"{address}/draw")
    (drawn,) = event_at(hub, address).rounds
    page = organise.text("/?words=BEA")
    table = next((number for number, players in enumerate(drawn.tables, 1) if 2 in players), 0)
    assert "Bea &lt;Bi&gt;" in page
    assert (f"Club evening · round 1, table {table}" if table else "Club evening · round 1, bye") in page
    assert f'href="{address}/rounds/1"' in page
    assert "No table is" not in page
    assert page.count("Club evening ·") == 1
    found = [organise.text(f"/?words={event_at(hub, address).players[bye].name}") for bye in drawn.byes]
    assert all("Club evening · round 1, bye" in text for text in found)
    assert 'paper seated-players"' not in organise.text("/")
    tables_at(hub, "blue")
    until(lambda: len(hub.overview) == 1, "it is registered")
    page = organise.text("/?words=b")
    assert 'paper seated-players"' in page
    assert 'id="t-blue"' in page
    organise.post_form(f"{address}/archive")
    assert 'paper seated-players"' not in organise.text("/?words=bea")


def test_an_overview_does_not_wait_for_the_database(hub, organise, monkeypatch) -> None:
    address = organise.new_event(name="Ides of March", tables=1)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    organise.post_form(f"{address}/draw")
    monkeypatch.setattr(hub.events.store, "_latest_entries", _away)
    assert "<h1>Ides of March</h1>" in organise.text("/")
    hub.events.store._open = None  # as in a hub that has just begun
    assert "<h1>Many tables</h1>" in organise.text("/")


def _away(**_which: object) -> None:
    raise OSError("the database is away")


def test_however_many_events_were_made_since_a_round_gets_its_results(hub, organise, playing, monkeypatch) -> None:
    playing("blue")
    address = organise.new_event(tables=1, rounds=1)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    with monkeypatch.context() as tomorrow:
        tomorrow.setattr(hub.events.store, "moment", lambda: "2099-11-30T19:30:00Z")
        for number in range(25):
            later = hub.events.store.create(replace(new_event().settings, name=f"Later {number}"))
            if number % 2:
                hub.events.store.change(later.id, "test", lambda _event: [Archived()])
    assert organise.post_form(f"{address}/draw").status == 303
    until(lambda: not event_at(hub, address).open_tables, "the result of the round", 30.0)
    listed = organise.text("/event")
    assert listed.count("Later ") == 25
    other = organise.new_event(name="Beside it", tables=1)
    organise.post_form(f"{other}/players", names="Dario\nEmilia\nFlavia")
    assert organise.post_form(f"{other}/draw").status == 303


def test_a_table_that_a_killed_hub_did_not_tell_of_its_round_is_told_by_the_next_look(
    hub, organise, tables_at, monkeypatch
) -> None:
    monkeypatch.setattr("ui.hub.events.COMPARED_EVERY", 0.2)
    table = tables_at(hub, "green").tables[0]
    until(lambda: len(hub.overview) == 1, "the hub shows it")
    address = organise.new_event(tables=1)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    drawn = hub.events.store.change(address.removeprefix("/event/"), "test", lambda event: [next_round(event)])
    until(lambda: table.status.assignment is not None, "it is told who sits there")
    assert tuple(seat.player for seat in table.status.assignment.seats) == drawn.names(drawn.rounds[0].tables[0])
    hub.events.store.change(drawn.id, "test", lambda _event: [RoundTakenBack(1, "")])
    until(lambda: table.status.assignment is None, "it is told that nothing is assigned")


def test_a_table_that_was_switched_off_when_its_round_was_drawn_is_told_when_it_comes_back(
    hub, organise, broker, tables_at
) -> None:
    tables = tables_at(hub, "green")
    until(tables.arrived, "it is registered")
    tables.publisher.close()
    until(lambda: hub.overview.table("green").is_silent, "it is switched off")
    address = organise.new_event(tables=1)
    organise.post_form(f"{address}/players", names="Anna\nBea\nCleo")
    organise.post_form(f"{address}/draw")
    tables.publisher = TablePublisher(broker.address, tables.tables)
    until(lambda: tables.tables[0].status.assignment is not None, "it is told who sits there")


def test_as_many_events_go_on_beside_one_another_as_are_looked_after(hub, organise, monkeypatch) -> None:
    monkeypatch.setattr("ui.hub.event_list_page.MOST_OPEN", 2)
    monkeypatch.setattr("ui.hub.event_archive_page.MOST_OPEN", 2)
    addresses = [organise.new_event(tables=1) for _ in range(2)]
    usual = {"name": "One more", "game": "capitol", "preferred": 3, "tables": 4, "rounds": 3, "by_lot": 1}
    refused = organise.post_form("/event/create", **usual)
    assert (refused.status, "archive or delete" in refused.text) == (409, True)
    organise.post_form(f"{addresses[0]}/archive")
    organise.post_form("/event/create", **usual)
    assert organise.post_form(f"{addresses[0]}/take-out").status == 409
    assert event_at(hub, addresses[0]).is_archived


def test_a_result_that_cannot_be_read_stops_no_other_event(hub, organise, playing) -> None:
    playing("blue", "green")
    addresses = []
    for number in (1, 2):
        addresses.append(organise.new_event(tables=1))
        organise.post_form(f"{addresses[-1]}/players", names="Anna\nBea\nCleo")
        if number == 2:
            with hub.events.store._engine.begin() as connection:
                connection.execute(GAMES.update().values(result="{}"))
            other = {"blue", "green"} - set(event_at(hub, addresses[0]).tables.values())
            organise.post_form(f"{addresses[1]}/table", table=1, identity=other.pop())
        organise.post_form(f"{addresses[-1]}/draw")
        until(lambda: not event_at(hub, addresses[-1]).open_tables, "the result is known")


@pytest.mark.parametrize("shows_names", [True, False])
def test_a_game_that_was_begun_before_its_tablet_was_taken_counts_by_names_alone(
    hub, organise, tables_at, monkeypatch, shows_names
) -> None:
    address = organise.new_event(game="capitol", tables=1, preferred=2)
    organise.post_form(f"{address}/players", names="Player 1\nPlayer 2")
    with monkeypatch.context() as before:
        before.setattr(hub.events.store, "moment", lambda: "2020-11-30T19:30:00Z")
        organise.post_form(f"{address}/draw")
    tables = tables_at(hub, "blue", shows_names=shows_names)
    tables.begin(0, "blue-2")
    tables.play(0, 10_000)
    until(tables.arrived, "it is played to its end")
    until(lambda: hub.storing.games(finished=True), "the hub knows how it ended")
    with monkeypatch.context() as after:
        after.setattr(hub.events.store, "moment", lambda: "2099-11-30T19:30:00Z")
        organise.post_form(f"{address}/table", table=1, identity="blue")
    hub.events.look()
    assert event_at(hub, address).tables == {1: "blue"}
    assert event_at(hub, address).open_tables == (() if shows_names else (1,))
    told = "A game has ended here, but it was begun before this tablet was taken for the table and names nobody"
    assert (told in organise.text(address)) is not shows_names
    if not shows_names:
        names = event_at(hub, address).rounds[0].tables[0]
        organise.post_form(f"{address}/result/1/1", **{f"points-{seat}": seat for seat in range(1, len(names) + 1)})
        hub.events.look()
        assert told not in organise.text(address)


def test_a_tablet_that_comes_back_to_its_table_was_its_own_all_the_time(hub, organise) -> None:
    for name in ("blue", "green"):
        hub.storing.tables.register(name, name, b"k" * 32)
    address = organise.new_event(tables=2)
    organise.post_form(f"{address}/players", names="A\nB\nC\nD\nE\nF")

    def name(second: int, table: int, identity: str) -> None:
        hub.events.store.moment = lambda: f"2099-11-30T19:30:{second:02}Z"
        hub.events.store.change(address.removeprefix("/event/"), "test", lambda _event: [TableNamed(table, identity)])

    name(1, 1, "blue")
    organise.post_form(f"{address}/draw")
    assert tablets_taken_later(event_at(hub, address)) == {}
    name(2, 2, "green")
    assert tablets_taken_later(event_at(hub, address)) == {2: "2099-11-30T19:30:02"}
    for second, identity in enumerate(("", "blue"), 3):
        name(second, 1, identity)
    name(5, 2, "green")
    assert tablets_taken_later(event_at(hub, address)) == {2: "2099-11-30T19:30:02"}
    organise.post_form(f"{address}/back")
    organise.post_form(f"{address}/draw")
    assert tablets_taken_later(event_at(hub, address)) == {}
