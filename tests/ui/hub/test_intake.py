"""A hub takes in what real tables publish on a real broker, and believes nothing else."""

import json
import shutil
import sqlite3
import threading
import time
from contextlib import closing
from datetime import UTC, datetime

from companion.publishing.envelope import Envelope, signed
from companion.publishing.messages import Presence, Registration
from companion.publishing.signing import code_key, hidden, new_code, new_key, new_nonce
from companion.publishing.table_state import TableState
from companion.publishing.topics import TopicKind, topic
from tests.ui.hub.publishing import PlayingTables, until
from tests.ui.hub.visiting import Visitor
from ui.hub.overview import Situation
from ui.hub.passwords import Role


def counted(hub) -> dict[tuple[str, str], int]:
    return {(row.reason, row.claimed): row.count for row in hub.storing.refusals()}


def test_entries_of_registered_tables_are_stored_acknowledged_and_shown(hub, tables_at):
    tables = tables_at(hub, "green", "blue")
    for at in (0, 1, 0):
        tables.play(at, 5)
    until(tables.arrived, "everything is acknowledged")
    until(lambda: hub.overview.table("green").entries == 10, "the state is shown")
    assert hub.overview.table("blue").situation is Situation.PLAYING
    for at, name in enumerate(("green", "blue")):
        assert len(hub.storing.lines(name, f"{name}-1")) == len(tables.sessions[at].entries) + 1
    assert hub.storing.refusals() == []


def test_a_table_that_says_goodbye_or_vanishes_is_silent(hub, tables_at):
    tables = tables_at(hub, "green")
    until(tables.arrived, "it is registered")
    until(lambda: hub.overview.table("green").situation is Situation.PLAYING, "it plays")
    tables.close()
    until(lambda: hub.overview.table("green").situation is Situation.SILENT, "it is silent")


def test_a_call_for_help_comes_first_and_the_judge_answers(hub, tables_at):
    tables = tables_at(hub, "green", "blue")
    until(tables.arrived, "they are registered")
    tables.tables[1].call_help(asked=True)
    until(lambda: hub.overview.table("blue").situation is Situation.HELP, "the call is shown")
    row = hub.storing.tables.next_word("blue", judge='{"text":"","answered":true}')
    hub.intake.say(row)
    until(lambda: hub.overview.table("blue").situation is Situation.PLAYING, "the call is answered")
    assert not tables.tables[1].status.help


def test_what_is_not_believed_is_counted_and_named_and_changes_nothing(hub, tables_at, stranger):
    tables = tables_at(hub, "green")
    tables.play(0, 3)
    until(tables.arrived, "everything is acknowledged")
    before = hub.storing.lines("green", "green-1")
    wrong, far = new_key(), 10**9
    state = TableState(game="other", rules="capitol").document()
    stranger.sign(wrong, TopicKind.STATE, "green", far, state)
    stranger.sign(wrong, TopicKind.ENTRY, "green", far, {"game": "green-1", "number": 9, "line": {"number": 9}})
    stranger.sign(wrong, TopicKind.STATE, "unknown", 1, state)
    stranger.send(topic(TopicKind.STATE, "green"), b"x" * 300_000)
    stranger.send(topic(TopicKind.STATE, "green"), b"\xff{not json")
    stranger.send(topic(TopicKind.PRESENCE, "green"), b'{"schema":2,"version":"9","table":"green"}')
    stranger.send("companion/tables/green/else", b"x")
    key = hub.storing.tables.registered()["green"].key
    until(lambda: hub.storing.tables.registered()["green"].state_number > 0, "the state is stored")
    stranger.sign(key, TopicKind.STATE, "green", 1, state)
    stranger.sign(key, TopicKind.PRESENCE, "green", 1, Presence(online=True, connection=1).document())
    stranger.sign(key, TopicKind.ENTRY, "green", 1, {"game": "green-1", "number": "nine", "line": {}})
    expected = {
        ("signature", "green"): 2, ("unregistered", "unknown"): 1, ("too large", "green"): 1, ("malformed", "green"): 2,
        ("schema", "green"): 1, ("replayed", "green"): 2,
    }  # fmt: skip
    until(lambda: counted(hub) == expected, f"{expected}")
    assert hub.overview.table("green").game == "green-1"
    assert hub.overview.table("unknown") is None
    assert hub.storing.lines("green", "green-1") == before
    assert [each.refused for each in stranger.said_to("unknown")] == ["unregistered"]


def test_an_entry_that_was_recorded_on_the_way_and_comes_again_changes_nothing(hub, tables_at, stranger):
    tables = tables_at(hub, "green")
    tables.play(0, 2)
    until(tables.arrived, "everything is acknowledged")
    key = hub.storing.tables.registered()["green"].key
    stranger.sign(
        key, TopicKind.ENTRY, "green", 5, {"game": "green-1", "number": 1, "line": {"number": 1, "forged": True}}
    )
    tables.play(0)
    until(tables.arrived, "everything is acknowledged")
    lines = hub.storing.lines("green", "green-1")
    assert len(lines) == 4
    assert "forged" not in "".join(lines)


def test_a_copied_tablet_is_told_of_as_long_as_both_play(hub, tables_at, broker, opened, tmp_path, organiser):
    at = datetime(2026, 3, 15, 20, 15, tzinfo=UTC)
    tables = tables_at(hub, "green", file=tmp_path / "publishing", at=at)
    tables.play(0, 3)
    until(tables.arrived, "everything is acknowledged")
    shutil.copy(tmp_path / "publishing", tmp_path / "copy")
    copy = PlayingTables(broker.address, ["green"], file=tmp_path / "copy", at=at)
    opened.append(copy)
    copy.play(0, 3)
    until(copy.arrived, "a copy that tells the same is acknowledged")
    visitor = Visitor(hub.address, organiser)
    assert "another device" not in visitor.text("/table/green")
    copy.random.seed(2)
    tables.play(0, 20)
    until(tables.arrived, "everything is acknowledged")
    lines = hub.storing.lines("green", "green-1")
    copy.play(0, 20)
    until(lambda: counted(hub).get(("copied", "green"), 0) > 0, "it is counted")
    for each in (tables, copy):
        until(lambda each=each: each.tables[0].status.refused == "copied", "both know it")
    assert hub.storing.lines("green", "green-1") == lines
    for page in ("/table/green", "/refused"):
        assert "another device tells other entries as this table" in visitor.text(page)
    watcher = Visitor(hub.address, hub.first_passwords[Role.WATCH])
    assert "another device" not in watcher.text("/table/green")


def registration(code: str, table: str, key: bytes) -> Envelope:
    nonce = new_nonce()
    document = Registration(nonce, hidden(key, code, table, nonce), "Mine").document()
    return signed(code_key(code), TopicKind.REGISTER, table, 1, document)


def test_a_wrong_code_is_told_at_once_also_where_the_table_was_just_told_to_register(hub, stranger):
    def refused() -> set[str]:
        return {json.loads(json.loads(payload)["body"])["refused"] for _topic, payload in stranger.heard}

    stranger.send(
        topic(TopicKind.STATE, "red"), signed(new_key(), TopicKind.STATE, "red", 1, {"help": False}).payload()
    )
    until(lambda: refused() == {"unregistered"}, "it is told that it is unknown")
    stranger.send(topic(TopicKind.REGISTER, "red"), registration(new_code(), "red", new_key()).payload())
    until(lambda: refused() == {"unregistered", "code"}, "and that the code does not hold", 5.0)


def test_a_table_registers_by_a_code_that_holds_and_keeps_its_key(hub, stranger):
    code, key = new_code(), new_key()
    stranger.send(topic(TopicKind.REGISTER, "red"), registration(new_code(), "red", key).payload())
    until(lambda: counted(hub) == {("code", "red"): 1}, "a wrong code is counted")
    hub.storing.tables.add_code(code)
    stranger.send(topic(TopicKind.REGISTER, "red"), registration(code, "red", key).payload())
    until(lambda: hub.overview.table("red") is not None, "it is registered")
    stranger.send(topic(TopicKind.REGISTER, "red"), registration(code, "red", new_key()).payload())
    until(lambda: counted(hub).get(("taken", "red")) == 1, "who claims its identity is counted")
    assert hub.storing.tables.registered()["red"].key == key
    hub.storing.tables.add_code(new_code())
    stranger.send(topic(TopicKind.REGISTER, "grey"), registration(code, "grey", key).payload())
    until(lambda: counted(hub).get(("code", "grey")) == 1, "a code that was replaced holds no more")


def test_a_missing_entry_is_asked_for(hub, stranger):
    code, key = new_code(), new_key()
    hub.storing.tables.add_code(code)
    stranger.send(topic(TopicKind.REGISTER, "red"), registration(code, "red", key).payload())
    until(lambda: hub.overview.table("red") is not None, "it is registered")
    for number in (0, 1, 3):
        line = {"number": number}
        stranger.sign(key, TopicKind.ENTRY, "red", 10 + number, {"game": "g", "number": number, "line": line})
    until(lambda: any(said.wanted for said in stranger.said_to("red")), "the gap is asked for")
    said = next(said for said in stranger.said_to("red") if said.wanted)
    assert [(each.game, each.first, each.last) for each in said.wanted] == [("g", 2, 2)]
    assert [(each.game, each.number) for each in said.acknowledged] == [("g", 1)]
    stranger.sign(key, TopicKind.ENTRY, "red", 20, {"game": "g", "number": 2, "line": {"number": 2}})
    until(lambda: hub.storing.standing("red", "g", 3).missing == (), "it is filled")


def test_a_missing_entry_is_asked_for_though_the_clock_was_put_back_meanwhile(hub, stranger, monkeypatch):
    code, key = new_code(), new_key()
    hub.storing.tables.add_code(code)
    stranger.send(topic(TopicKind.REGISTER, "red"), registration(code, "red", key).payload())
    until(lambda: hub.overview.table("red") is not None, "it is registered")
    stranger.sign(key, TopicKind.ENTRY, "red", 11, {"game": "g", "number": 1, "line": {"number": 1}})
    until(lambda: hub.intake._missing._claims, "it is known that one is missing")
    seconds = time.time
    monkeypatch.setattr("ui.hub.intake.time.time", lambda: seconds() - 7200)
    until(lambda: any(said.wanted for said in stranger.said_to("red")), "the gap is asked for")


def test_nothing_is_acknowledged_that_the_database_did_not_take(hub, tables_at, tmp_path):
    tables = tables_at(hub, "green")
    tables.play(0, 2)
    until(tables.arrived, "everything is acknowledged")
    other = sqlite3.connect(tmp_path / "hub.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    tables.play(0, 3)
    time.sleep(0.5)
    assert tables.tables[0].status.behind == 3
    other.execute("COMMIT")
    other.close()
    until(tables.arrived, "everything is acknowledged")
    assert len(hub.storing.lines("green", "green-1")) == 6


def test_a_hub_does_not_wait_at_its_end_for_a_database_that_does_not_answer(hub, tables_at, monkeypatch):
    tables = tables_at(hub, "green")
    tables.play(0, 2)
    until(tables.arrived, "everything is acknowledged")
    asked, answers, write = threading.Event(), threading.Event(), hub.storing.write

    def slow(batch):
        asked.set()
        answers.wait()
        return write(batch)

    monkeypatch.setattr(hub.storing, "write", slow)
    tables.play(0, 3)
    assert asked.wait(10)
    later = threading.Timer(6.0, answers.set)
    later.start()
    try:
        hub.stop(0.1)
        assert not answers.is_set()
        assert tables.tables[0].status.behind == 3
    finally:
        later.cancel()
        answers.set()
    until(lambda: not hub.intake.is_running, "it has ended")


def test_what_another_hub_is_about_to_write_holds_up_no_end(hub, tables_at, monkeypatch):
    monkeypatch.setattr(hub.storing, "write_newest", lambda _newest: False)
    tables = tables_at(hub, "green")
    tables.play(0, 2)
    until(tables.arrived, "everything is acknowledged")
    until(lambda: hub.intake._newest, "something newest is to be written")
    hub.intake.stop()
    assert not hub.intake.is_running


def test_a_hub_that_begins_again_shows_what_it_knew(hub, hub_on, tables_at, tmp_path):
    tables = tables_at(hub, "green")
    tables.play(0, 4)
    until(tables.arrived, "everything is acknowledged")
    until(lambda: hub.storing.tables.registered()["green"].state_number > 0, "the state is stored")
    hub.stop()
    tables.play(0, 4)
    again = hub_on(str(tmp_path / "hub.sqlite"))
    assert again.first_passwords == {}
    until(lambda: again.overview.table("green").entries == 8, "what came meanwhile is shown")
    until(tables.arrived, "everything is acknowledged")


def test_a_hub_that_begins_again_knows_since_when_tables_play_and_say_nothing(hub, hub_on, tables_at, tmp_path):
    tables = tables_at(hub, "green")
    tables.play(0, 4)
    until(tables.arrived, "everything is acknowledged")
    until(lambda: hub.storing.tables.registered()["green"].state_number > 0, "the state is stored")
    tables.close()
    until(lambda: hub.overview.table("green").situation is Situation.SILENT, "it is silent")
    hub.stop()
    with closing(sqlite3.connect(tmp_path / "hub.sqlite")) as database, database:
        database.execute("UPDATE games SET began_at = '2026-11-30T19:00:00.000Z'")
        database.execute("UPDATE tables SET state_at = '2026-11-30T20:30:00.000Z'")
    table = hub_on(str(tmp_path / "hub.sqlite")).overview.table("green")
    assert table.situation is Situation.SILENT
    assert (table.began, table.heard, table.since) == tuple(
        datetime.fromisoformat(f"2026-11-30T{time}:00Z").timestamp() for time in ("19:00", "20:30", "20:30")
    )
