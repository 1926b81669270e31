"""`companion demo --tables`: tables that play by themselves, published through a real mosquitto to a small hub."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import ExitStack, closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.publishing.envelope import body_text
from companion.publishing.messages import COPIED, AssignedSeat, Assignment, HubMessage
from companion.publishing.published_table import PublishedTable
from companion.publishing.signing import new_code
from companion.publishing.status import PublishingStatus
from companion.session.record import read_record
from firmware_bridge.mqtt.broker import LOCAL, OwnMosquitto
from firmware_bridge.protocol.addresses import BrokerAddress
from tests.firmware_bridge.test_publishing import HubThread
from tests.firmware_bridge.waiting import eventually
from tests.ui.publishing.conftest import written
from ui.command_line import main
from ui.simulated_table.many_tables import STORE, ManyTables, parse
from ui.simulated_table.unheard import DOUBTED_LOOKS, Unheard


def words(hub_thread: HubThread, address: BrokerAddress, out: Path, *more: str) -> list[str]:
    named = ["--tables", "4", "--broker", written(address), "--out", str(out), "--rate", "2000", "--game", "capitol"]
    return [*named, "--code", hub_thread.hub.code, *more]


def test_simulated_tables_play_whole_games_that_arrive_whole(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--games", "1", "--game", "aqua_romana", "--tables", "2")
    code = main(["demo", *words(hub_thread, mosquitto.address, tmp_path, *more)])
    printed = capsys.readouterr().out
    assert code == 0, printed
    assert "2 of 2 tables registered" in printed
    assert "2 games; 0 entries not yet acknowledged" in printed
    hub = hub_thread.hub
    assert len(hub.keys) == len(set(hub.keys.values())) == 2
    for (table, _game), lines in hub.lines.items():
        record = [lines[0] | {"entries": len(lines) - 1}, *(lines[number] for number in range(1, len(lines)))]
        log = read_record("\n".join(map(body_text, record)) + "\n", "hub")
        assert log.is_over
        assert [each.points for each in hub.states[table].players] == list(
            log.record_status.scores(log.game, log.state).totals
        )
    eventually(lambda: not any(hub.online.values()))


def test_a_restarted_demo_goes_on_with_its_games_under_the_same_names(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path
) -> None:
    names = []
    for _ in range(2):
        with ExitStack() as stack:
            tables = ManyTables(parse(words(hub_thread, mosquitto.address, tmp_path)), stack)
            names.append([table.published.name for table in tables.tables])
            for _turn in range(4):
                for table in tables.tables:
                    table.play()
            tables.settle(20, threading.Event())
            assert tables.behind == 0
    assert names[0] == names[1]
    assert len(hub_thread.hub.lines) == 4
    assert all(sorted(lines) == list(range(len(lines))) for lines in hub_thread.hub.lines.values())


def test_entries_that_the_tables_database_has_lost_are_told(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = parse(words(hub_thread, mosquitto.address, tmp_path))
    with ExitStack() as stack:
        tables = ManyTables(options, stack)
        for _turn in range(6):
            tables.tables[0].play()
    with closing(sqlite3.connect(tmp_path / STORE)) as database, database:
        database.execute("DELETE FROM entries WHERE number > 2")
    with ExitStack() as stack:
        ManyTables(options, stack)
    assert "The latest entries are gone of Capitol" in capsys.readouterr().err


def test_tables_play_what_an_event_assigns_and_only_that(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        tables = ManyTables(
            parse([*words(hub_thread, mosquitto.address, tmp_path, "--assigned", "--show-names"), "--tables", "1"]),
            stack,
        )
        table = tables.tables[0]
        eventually(lambda: table.published.status.registered)
        table.play()
        assert table.session is None
        seats = (AssignedSeat(1, "Ada"), AssignedSeat(2, "Bo"), AssignedSeat(3, "Cy"))
        for game in ("aqua_romana", "capitol"):
            told = HubMessage(assignment=Assignment("Evening", 1, game, seats))
            hub_thread.outbox.append(hub_thread.hub.say(table.published.name, told))
            eventually(lambda: table.published.status.assignment == told.assignment)  # noqa: B023
            table.play()
            assert [player.name for player in table.session.table.players] == ["Ada", "Bo", "Cy"]
            assert table.session.game.info.id == game
            while game == "aqua_romana" and not table.session.is_over:
                table.play()
            table.play()
            assert table.session.is_over == (game == "aqua_romana")
        eventually(lambda: tables.behind == 0)
        assert len(hub_thread.hub.lines) == 2


def test_a_restarted_demo_plays_what_was_assigned_once(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path
) -> None:
    options = parse([*words(hub_thread, mosquitto.address, tmp_path, "--assigned", "--show-names"), "--tables", "1"])
    assignment = Assignment("Evening", 1, "aqua_romana", (AssignedSeat(1, "Ada"), AssignedSeat(2, "Bo")))
    other = Assignment("Evening", 2, "aqua_romana", (AssignedSeat(1, "Bo"), AssignedSeat(2, "Ada")))
    for start in range(3):
        with ExitStack() as stack:
            (table,) = ManyTables(options, stack).tables
            eventually(lambda: not table.published.status.registering)  # noqa: B023
            if table.published.status.assignment is None:
                hub_thread.outbox.append(hub_thread.hub.say(table.published.name, HubMessage(assignment=assignment)))
            eventually(lambda: table.published.status.assignment == assignment)  # noqa: B023
            for _turn in range(40 if start == 0 else 600):
                table.play()
            assert table.session is None or table.session.id.endswith("-1")
    with ExitStack() as stack:
        (table,) = ManyTables(options, stack).tables
        eventually(lambda: not table.published.status.registering)
        hub_thread.outbox.append(hub_thread.hub.say(table.published.name, HubMessage(assignment=other)))
        eventually(lambda: table.published.status.assignment == other)
        table.play()
        assert [player.name for player in table.session.table.players] == ["Bo", "Ada"]


def test_an_old_game_gives_way_to_one_that_an_event_assigns(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path
) -> None:
    old = [*words(hub_thread, mosquitto.address, tmp_path), "--tables", "1"]
    with ExitStack() as stack:
        (table,) = ManyTables(parse(old), stack).tables
        for _turn in range(10):
            table.play()
        assert table.session is not None
        assert not table.session.is_over
    with ExitStack() as stack:
        (table,) = ManyTables(parse([*old, "--assigned"]), stack).tables
        eventually(lambda: not table.published.status.registering)
        table.play()
        assert table.session.id.endswith("-1")
        seats = (AssignedSeat(1, "Ada"), AssignedSeat(2, "Bo"))
        for number, seated in enumerate((seats, seats, tuple(reversed(seats)))):
            told = Assignment("Evening", number, "capitol", seated)
            hub_thread.outbox.append(hub_thread.hub.say(table.published.name, HubMessage(assignment=told)))
            eventually(lambda: table.published.status.assignment == told)  # noqa: B023  # it is called at once
            for _turn in range(3):
                table.play()
            assert [player.name for player in table.session.table.players] == [each.player for each in seated]
            assert table.session.id.endswith("-3" if number == 2 else "-2")


def complaints(told: str) -> list[str]:
    return [line for line in told.splitlines() if line.startswith("companion: ")]


def while_it_plays(named: list[str], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What tables complain of before they end."""
    stop, told = threading.Event(), ""
    with ExitStack() as stack:
        options = parse(named)
        tables = ManyTables(options, stack)
        unheard = Unheard(options.broker, options.out, tables.published, tables.publishers)
        thread = threading.Thread(target=tables.run, args=(0.0, stop))
        thread.start()
        stack.callback(thread.join)
        stack.callback(stop.set)
        stack.callback(unheard.stop)

        def complained() -> bool:
            nonlocal told
            told += capsys.readouterr().err
            return bool(complaints(told))

        eventually(complained)
    return complaints(told + capsys.readouterr().err)


def test_a_wrong_code_is_told_while_the_tables_play_and_stays_the_reason(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = [*words(hub_thread, mosquitto.address, tmp_path), "--code", new_code()]
    wanted = ["companion: the code does not hold: start again with the one that the hub shows, --code ABCD-…"]
    assert while_it_plays(named, capsys) == wanted
    assert main(["demo", *named, "--games", "1", "--game", "aqua_romana", "--seconds", "1"]) == 3
    printed = capsys.readouterr()
    assert complaints(printed.err) == wanted
    assert "refused: code" in printed.out


def test_a_wrong_password_of_the_broker_is_told_while_the_tables_play(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = [*words(hub_thread, mosquitto.address, tmp_path), "--broker", f"table:guess@{mosquitto.address}"]
    (line,) = while_it_plays(named, capsys)
    assert line.startswith(f"companion: the broker {mosquitto.address}: ")
    assert line.endswith("check the user name and the password (--broker user:password@host)")


@pytest.mark.parametrize(("refused", "why"), [("taken", "with other keys"), (COPIED, "another device tells other")])
def test_tables_that_are_copied_say_what_to_delete(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    refused: str, why: str, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    status = PublishingStatus(refused == COPIED, False, 0, refused)
    monkeypatch.setattr(PublishedTable, "status", property(lambda _table: status))
    (line,) = while_it_plays(words(hub_thread, mosquitto.address, tmp_path), capsys)
    assert why in line
    assert f"delete {tmp_path / 'table.toml'} and {tmp_path / 'publishing.sqlite3'}" in line


def test_keys_are_to_be_deleted_only_where_a_signature_stays_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ui.simulated_table.unheard.LOOK", 3600.0)
    forged, believed = PublishingStatus(True, False, 3, "signature"), PublishingStatus(True, False, 0)
    table = SimpleNamespace(status=forged)
    unheard = Unheard(LOCAL, tmp_path, [table], [])  # type: ignore[list-item]
    for status in (forged, forged, believed, forged, believed) * DOUBTED_LOOKS:
        table.status = status
        unheard._look()
    assert not complaints(capsys.readouterr().err)
    table.status = forged
    for _look in range(DOUBTED_LOOKS):
        unheard._look()
    (line,) = complaints(capsys.readouterr().err)
    assert "with other keys" in line
    unheard.stop()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (["--tables", "0"], "--tables 0 is not from 1 to 5000"),
        (["--tables", "2", "--rate", "0"], "--rate is a number of entries a second above 0"),
        (["--tables", "2", "--code", "ABC"], "code: has 20 letters and digits"),
        (["--tables", "2", "--broker", "a b"], "the broker's address does not hold"),
    ],
)
def test_wrong_use_is_said_in_a_line(more: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", *more]) == 2
    assert why in capsys.readouterr().err


def test_tables_without_a_code_say_what_is_missing(
    mosquitto: OwnMosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--tables", "1", "--broker", written(mosquitto.address), "--out", str(tmp_path)]) == 3
    told = f"companion: 1 of the 1 tables in {tmp_path} are not registered; give the code that the hub shows"
    assert told in capsys.readouterr().err


def test_more_tables_than_were_registered_and_those_of_a_second_program_say_that_they_are_new(
    hub_thread: HubThread, mosquitto: OwnMosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = [*words(hub_thread, mosquitto.address, tmp_path), "--tables", "2"]
    unknown = ["demo", "--broker", written(mosquitto.address), "--out", str(tmp_path), "--seconds", "1", "--tables"]
    with ExitStack() as stack:
        tables = ManyTables(parse(known), stack)
        eventually(lambda: not tables.unregistered)
        assert main([*unknown, "2"]) == 3
        told = f"companion: another program plays as the tables there, 2 of the 2 tables in {tmp_path} are not"
        assert told in capsys.readouterr().err
    assert main([*unknown, "3"]) == 3
    assert f"companion: 1 of the 3 tables in {tmp_path} are not registered; give the" in capsys.readouterr().err
    assert main([*unknown, "2"]) == 0


def test_tables_that_no_hub_answers_end_with_an_error(
    mosquitto: OwnMosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ["--tables", "1", "--broker", written(mosquitto.address), "--out", str(tmp_path), "--seconds", "1"]
    assert main(["demo", *named, "--code", new_code(), "--games", "1", "--rate", "2000"]) == 3
    told = f"1 of the 1 tables in {tmp_path} are not registered: no hub has answered at {mosquitto.address}"
    assert told in capsys.readouterr().err


def test_a_broker_that_went_and_came_back_is_told_of_each_time(
    mosquitto: OwnMosquitto, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, broker = "", f"companion: the broker {mosquitto.address}"

    def complained(count: int) -> bool:
        nonlocal told
        told += capsys.readouterr().err
        return told.count(f"{broker} is back") == count

    with ExitStack() as stack:
        options = parse(["--tables", "1", "--broker", written(mosquitto.address), "--out", str(tmp_path)])
        tables = ManyTables(options, stack)
        eventually(lambda: tables.publishers[0].connected)
        unheard = Unheard(options.broker, options.out, tables.published, tables.publishers)
        stack.callback(unheard.stop)
        eventually(lambda: unheard.has_connected)
        for count in (1, 2):
            mosquitto.stop()
            eventually(lambda: complained(count - 1) and told.count("the tables go on trying") >= count)  # noqa: B023
            mosquitto.start()
            eventually(lambda: complained(count))  # noqa: B023
    lines = complaints(told)
    assert all(line.startswith(f"{broker}: ") or line == f"{broker} is back" for line in lines)
    assert lines[-1] == f"{broker} is back"
