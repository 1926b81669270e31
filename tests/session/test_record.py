"""Records: round trips, what `verify` finds, and what a damaged or hostile one gets."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board.layout import parse_board
from companion.errors import InvalidDocument, SessionError
from companion.files.documents import DocumentTable
from companion.registry import print_and_play_board
from companion.session.entries import EntryKind
from companion.session.record import read_record, record_text
from companion.session.rejudging import verify
from companion.session.session import Session
from tests.session.evenings import eventful_session, new_session, play, play_at_random
from tests.tables import table_of

RECORD = eventful_session().export()
LINES = RECORD.splitlines()


def changed(line: int, change: Callable[[dict[str, Any]], object]) -> str:
    """The record with one line changed; lines count from 1."""
    document = json.loads(LINES[line - 1])
    change(document)
    return "\n".join([*LINES[: line - 1], json.dumps(document), *LINES[line:]]) + "\n"


def set_to(key: str, value: Any) -> Callable[[dict[str, Any]], object]:
    return lambda document: document.update({key: value})


def make_override(entry: dict[str, Any]) -> None:
    del entry["source"], entry["unchecked"]
    entry.update(kind="override", rules=[], reason="agreed", by="table")


def refusal(text: str) -> str:
    with pytest.raises(InvalidDocument) as caught:
        read_record(text, "game.jsonl")
    message = str(caught.value)
    assert message.startswith("game.jsonl: ")
    assert "\n" not in message
    assert len(message) < 500
    return message


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_game_reads_back_exactly_and_holds(seats: int) -> None:
    session = new_session(seats=seats)
    play_at_random(session, 1000, seed=seats)
    text = session.export()
    log = read_record(text, "game.jsonl")
    assert record_text(log) == text
    assert log.state == session.state
    assert log.is_over
    assert verify(log) == []


def test_a_record_from_before_there_were_warnings_holds() -> None:
    session = Session.create(None, table_of("aqua_romana", 3), game_id="before")
    play_at_random(session, 2000, seed=1)
    lines = [json.loads(line) for line in session.export().splitlines()]
    warnings = 0
    for line in lines[1:]:
        events = line.get("events", [])
        line["events"] = [event for event in events if event["event"] != "SupplyRanOut"]
        warnings += len(events) - len(line["events"])
    assert warnings
    log = read_record("\n".join(map(json.dumps, lines)), "game.jsonl")
    assert verify(log) == []
    assert log.state == session.state


def test_an_override_from_before_more_rules_were_named_holds() -> None:
    display = ["Basel", "Basel", "Budweis", "Linz", "Linz", "Lodz"]
    position = {"player": {"1": {"hand": ["Ulm"]}}, "display": display, "stage": "begin"}
    session = Session.create(None, table_of("thurn_and_taxis", 2), position, game_id="before")
    session.override(session.game.parse_action("take Linz", session.state), reason="agreed", by="table")
    text = session.export()
    assert '["TT-DROP-3", "TT-TAKE-1"]' in text
    older = read_record(text.replace('"TT-DROP-3", ', ""), "game.jsonl")
    assert verify(older) == []


def test_a_record_holds_its_own_board() -> None:
    definition = json.loads(json.dumps(dict(print_and_play_board("city_of_marble").definition)))
    definition["id"] = "city_of_marble/ours"
    definition["feature"]["hill"]["Palatine"] = "I2-J1-J2"
    board = parse_board(DocumentTable(definition, "ours", ""))

    def replace_board(header: dict[str, Any]) -> None:
        header["table"]["board"] = board.id
        header.update(digest=board.digest, board=definition, entries=0)

    text = changed(1, replace_board).splitlines()[0] + "\n"
    log = read_record(text, "game.jsonl")
    assert log.header.table.board.features["hill"]["Palatine"] == "I2-J1-J2"
    assert record_text(log) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "line 1, column 1: is not JSON"),
        ("\n", "line 1, column 1: is not JSON"),
        ("[]\n", "line 1: must be an object"),
        ('{"record": 1}\n', "line 1.game: is missing"),
        (RECORD[:2000], "line 1, column 1993: is not JSON"),
        ("\n".join(LINES[:5]) + "\n", "line 1.entries: is 19, but 4 lines follow; the record is not whole"),
        (RECORD.rstrip()[:-4], "line 20, column"),
        (RECORD + "\n", "but 20 lines follow"),
        (RECORD.replace("\n", "\n\n", 1), "but 20 lines follow"),
        (changed(1, set_to("record", 2)), "line 1.record: is 2; this program reads format 1"),
        (changed(1, set_to("record", "1")), "line 1.record: must be a whole number"),
        (changed(1, set_to("version", 99)), "line 1.version: is 99; this program knows city_of_marble up to"),
        (changed(1, set_to("game", "chess")), "line 1.game: is 'chess'; it must be one of"),
        (changed(1, set_to("digest", "0" * 64)), "line 1.digest: is not that of the board below"),
        (changed(1, set_to("created", "yesterday")), "line 1.created: is 'yesterday'"),
        (changed(1, set_to("created", "2026-02-30T00:00:00Z")), "which is no time of the calendar"),
        (changed(1, set_to("id", "../../etc")), "line 1.id: is '../../etc'"),
        (changed(1, set_to("weather", "fine")), "line 1.weather: is not known here"),
        (changed(1, lambda header: header["table"].update(weather=1)), "line 1.table.weather: is not known here"),
        (changed(1, lambda header: header["table"].update(hills=["Palatine"])), "line 1.table.hills: must name 3"),
        (changed(1, set_to("start", {"wards": ["E7-F7 red"]})), "start.wards[1]: E7-F7 covers"),
        (changed(1, set_to("start", {"weather": 1})), "start.weather: is not known here"),
        (changed(1, lambda header: header["board"].pop("lattice")), "line 1"),
        (changed(1, lambda header: header["board"].update(palette=[])), "line 1.board.palette: must name"),
        (changed(3, set_to("number", 7)), "line 3: entry 7 does not follow entry 1"),
        (changed(3, set_to("kind", "cheat")), "line 3.kind: is 'cheat'; it must be one of action, override"),
        (changed(3, set_to("seat", 9)), "line 3.seat: is 9; it must be from 1 to 2"),
        (changed(3, set_to("seat", 3)), "line 3.seat: is 3; it must be from 1 to 2"),
        (changed(3, lambda entry: entry["events"][0].update(seat=0)), "line 3.events[1].seat: names a seat that"),
        (changed(3, lambda entry: entry["events"][0].update(seat=[])), "line 3.events[1].seat: cannot be a list"),
        (changed(3, set_to("time", "2026-11-27 19:30:00")), "line 3.time: is"),
        (changed(3, set_to("action", 7)), "line 3.action: must be text"),
        (changed(3, set_to("events", [{"event": "Earthquake"}])), "line 3.events[1].event: 'Earthquake' is no event"),
        (changed(3, set_to("events", [{"event": "CoinTaken", "seat": 1}])), "line 3.events[1].fountain: is missing"),
        (
            changed(3, set_to("events", [{"event": "MagistrateRecalled", "seat": 1, "ward": "Z9"}])),
            "line 3: what entry 2 says cannot have happened: its fact 1, ",
        ),
        (changed(3, set_to("unchecked", ["COM-NONE-1"])), "line 3.unchecked: names 'COM-NONE-1', which is no rule"),
        (changed(3, lambda entry: entry.pop("source")), "line 3.source: is missing"),
        (changed(6, set_to("target", 1)), "line 6: entry 1 is not the one to be undone; that is entry 4"),
        (changed(7, set_to("target", 3)), "line 7: entry 3 is not the one to be redone; that is entry 4"),
        (
            changed(18, set_to("target", 2)),
            "line 18: entry 17 amends entry 2 but leaves out what becomes",
        ),
        (changed(18, set_to("target", 5)), "line 18: entry 5 is no action or was undone"),
        (changed(15, set_to("changes", {"game": "chess"})), "line 15: 'game' is no entry of a position"),
        (changed(15, set_to("changes", {"wards": 7})), "line 15: the position would not hold: wards: must be a list"),
        (RECORD.replace('"kind": "end"', '"kind": "end", "kind": "end"'), "line 20: has the same key twice"),
        (RECORD.replace('"late"', '"\\ud800"'), "line 20: holds half of a surrogate pair"),
        (RECORD.replace('"late"', "NaN"), "line 20: holds 'NaN'"),
        (RECORD.replace('"late"', "1e999"), "line 20: holds '1e999'"),
        (RECORD.replace('"late"', "[" * 100_000 + "]" * 100_000), "line 20: holds tables or lists nested too deeply"),
        (RECORD.replace('"late"', "9" * 5000), "line 20: holds a number with more digits than can be read"),
        (RECORD.replace('"late"', f'"{"x" * 3_000_000}"'), "line 20: is longer than"),
        (RECORD.replace('"late"', f'"{"x" * 3000}"'), "line 20.reason: is longer than 400 characters"),
        (LINES[0].replace('"entries": 19', '"entries": 6000') + "\n{}" * 6000, "line 1.entries: is 6000; it must be"),
    ],
    ids=lambda value: value[:60] if value.startswith("line") else "",
)
def test_a_damaged_record_is_refused_with_the_place_and_the_reason(text: str, reason: str) -> None:
    assert reason in refusal(text)


def test_an_entry_after_an_early_end_is_refused() -> None:
    lines = RECORD.replace('"entries": 19', '"entries": 20')
    entry = json.loads(LINES[8]) | {"number": 20}
    assert "line 21: the game was ended early" in refusal(f"{lines}{json.dumps(entry)}\n")


def test_facts_that_lead_to_no_position_are_refused() -> None:
    session = new_session()
    play(session, "draw red blue")
    text = session.export().replace('"colours": ["red", "blue"]', '"colours": ["red"' + ', "red"' * 20 + "]")
    assert "the position would not hold: player.1.domus.red: is 21" in refusal(text)


@given(st.integers(0, len(RECORD) - 1))
def test_a_record_that_was_cut_short_is_refused(length: int) -> None:
    if RECORD[:length] != RECORD.rstrip("\n"):
        refusal(RECORD[:length])


@given(st.integers(0, len(RECORD) - 2), st.characters(exclude_categories=["Cs"]))
def test_a_record_with_another_character_is_read_or_refused(place: int, character: str) -> None:
    text = RECORD[:place] + character + RECORD[place + 1 :]
    with suppress(InvalidDocument):
        verify(read_record(text, "game.jsonl"))


def test_verification_reports_a_correction_whose_position_cannot_be_written_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(game: object, state: object) -> None:
        raise SessionError("the position would not hold")

    log = read_record(RECORD, "game.jsonl")
    monkeypatch.setattr("companion.session.rejudging.check_position", refuse)
    corrections = [entry.number for entry in log.entries if entry.kind is EntryKind.CORRECTION]
    assert corrections
    found = [(problem.number, problem.sentence) for problem in verify(log) if problem.number in corrections]
    assert found == [(number, "the position would not hold") for number in corrections]


@pytest.mark.parametrize(
    ("line", "change", "rules", "sentence"),
    [
        (3, set_to("action", "draw red red"), ("COM-DRAW-3",), "must differ in colour"),
        (3, set_to("seat", 2), ("COM-TURN-5",), "Now Player 1 must act, not Player 2"),
        (3, set_to("action", "dance"), (), "'dance' is no action"),
        (3, set_to("action", "draw yellow blue"), (), "fact 1 is told as"),
        (3, set_to("events", []), (), "fact 1 is told as nothing, but 'Player 1 draws yellow, green.' follows"),
        (3, set_to("unchecked", ["COM-DRAW-1"]), (), "the rules it leaves unchecked are none, not COM-DRAW-1"),
        (14, set_to("rules", ["COM-DRAW-3"]), ("COM-TURN-1",), "it breaks COM-TURN-1, not COM-DRAW-3"),
        (14, set_to("rules", ["COM-DRAW-3", "COM-DRAW-1"]), ("COM-TURN-1",), "not COM-DRAW-3, COM-DRAW-1 as the entry"),
        (4, make_override, (), "it breaks no rule, so there was nothing to override"),
        (14, set_to("action", "ward A1-B1 red"), (), "'ward A1-B1 red' has no outcome in this position"),
        (18, set_to("action", "draw yellow yellow"), ("COM-DRAW-3",), "must differ in colour"),
        (18, lambda entry: entry["later"][0].update(rules=["COM-DRAW-3"]), (), "what it makes of entry 2"),
        (18, lambda entry: entry["later"][-1].update(events=None), (), "what it makes of entry 16"),
    ],
)
def test_verification_finds_what_does_not_follow(
    line: int, change: Callable[[dict[str, Any]], object], rules: tuple[str, ...], sentence: str
) -> None:
    problems = verify(read_record(changed(line, change), "game.jsonl"))
    assert problems
    assert (problems[0].number, problems[0].action) == (
        line - 1,
        json.loads(changed(line, change).splitlines()[line - 1])["action"],
    )
    assert problems[0].rules == rules
    assert sentence in problems[0].sentence
