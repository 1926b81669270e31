"""The log of an event: what it refuses, what it keeps, that it reads back, and what is exported of it."""

import csv
import io
import json
import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import InvalidDocument
from companion.event.drawing import next_round, plan_anew
from companion.event.endings import tables_playing_on
from companion.event.entries import (
    BY_TABLE,
    Archived,
    Change,
    EndTakenBack,
    EventRefused,
    Joined,
    Left,
    Renamed,
    Replanned,
    ResultKnown,
    ResultTakenBack,
    Returned,
    RoundTakenBack,
    TableNamed,
    TakenOut,
)
from companion.event.exports import decimal, event_document, standings_csv
from companion.event.log_text import event_text, read_event
from companion.event.page import event_page
from companion.event.results import FinishedGame, PlayedSeat, ranks_of, result_of_game, table_points
from companion.event.standings import standings
from tests.event.events import TIME, drawn, new_event, played, whole_event

SCHEMAS = Path(__file__).resolve().parents[2] / "docs" / "schemas"


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ((1, 2, 3, 4), (12, 8, 4, 0)), ((1, 2, 3), (12, 6, 0)), ((2, 1), (0, 12)), ((1, 1), (6, 6)),
        ((1, 1, 3, 4), (10, 10, 4, 0)), ((1, 1, 1), (6, 6, 6)), ((3, 1, 1), (0, 9, 9)), ((1, 2, 2, 2), (12, 4, 4, 4)),
    ],
)  # fmt: skip
def test_table_points_by_rank_shared_on_ties(ranks: tuple[int, ...], points: tuple[int, ...]) -> None:
    assert table_points(ranks) == points


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=4))
def test_a_table_gives_six_points_a_player(points: list[int]) -> None:
    won = table_points(ranks_of(points))
    assert sum(won) == 6 * len(points)
    assert all((one > other) == (a > b) for one, a in zip(points, won, strict=True)
               for other, b in zip(points, won, strict=True))  # fmt: skip


def test_standings_go_by_table_points_then_game_points_then_opponents() -> None:
    event = drawn(new_event(4, 2, 3, by_lot=0))
    (a, b), (c, d) = event.rounds[0].tables
    event = event.append(TIME, "o", ResultKnown(1, 1, (30, 10), (1, 2)), ResultKnown(1, 2, (30, 20), (1, 2)))
    rows = {row.player: row for row in standings(event)}
    assert [row.player for row in standings(event)] == [a, c, d, b]
    assert [rows[each].rank for each in (a, c, d, b)] == [1, 2, 3, 4]
    assert [rows[each].game_points for each in (a, c, d, b)] == [150, 120, 80, 50]
    assert [rows[each].opponents_points for each in (a, c, d, b)] == [0, 0, 12, 12]
    event = played(drawn(event))
    assert {frozenset(table) for table in event.rounds[1].tables} == {frozenset((a, c)), frozenset((b, d))}
    row = next(row for row in standings(event) if row.player == a)
    others = {row.player: row.table_points for row in standings(event)}
    assert row.opponents_points == Fraction(others[b] + others[c], 2)
    assert row.total == 30 + event.results[2, 1].points[event.rounds[1].tables[0].index(a)]


def test_who_is_equal_in_everything_shares_a_rank() -> None:
    event = drawn(new_event(4, 2, 1))
    event = event.append(TIME, "o", *(ResultKnown(1, table, (0, 0), (1, 1)) for table in (1, 2)))
    assert [(row.rank, row.table_points, row.game_points) for row in standings(event)] == [(1, 6, 100)] * 4


def test_equal_players_stand_as_people_look_them_up() -> None:
    event = new_event(0)
    names = ("Tiberio", "Élodie", "Zoe", "anna")
    event = event.append(TIME, "o", *(Joined(number, name) for number, name in enumerate(names, 1)))
    assert [row.name for row in standings(event)] == ["anna", "Élodie", "Tiberio", "Zoe"]


def test_a_bye_counts_the_average_of_a_table() -> None:
    event = played(drawn(new_event(5, 2, 3, seats=(2, 2))))
    (rested,) = event.rounds[0].byes
    row = next(row for row in standings(event) if row.player == rested)
    assert (row.table_points, row.byes, row.games, row.by_round) == (6, 1, 0, (6,))


def test_an_event_is_drawn_and_played_alike_from_the_same_log() -> None:
    event = whole_event()
    assert read_event(event_text(event), "log") == event
    assert event_text(whole_event()) == event_text(event)
    assert whole_event(seed="other").rounds != event.rounds
    met = Counter(frozenset((one, other)) for drawn in event.rounds for table in drawn.tables
                  for one in table for other in table if one < other)  # fmt: skip
    assert len(met) == 36


def test_players_leave_come_late_and_come_back() -> None:
    event = played(drawn(new_event(12, 3, 4)))
    event = event.append(TIME, "o", Left(3), Joined(13, "Late"), Joined(14, "Later"))
    event = played(drawn(event))
    there = {player for table in event.rounds[1].tables for player in table}
    assert there == {*range(1, 15)} - {3}
    assert sorted(map(len, event.rounds[1].tables)) == [3, 3, 3, 4]
    event = played(drawn(event.append(TIME, "o", Returned(3))))
    rows = {row.player: row for row in standings(event)}
    assert rows[3].by_round[1] is None
    assert rows[13].by_round[0] is None
    assert rows[13].games == 2


def test_a_correction_leaves_a_trail() -> None:
    event = played(drawn(new_event()))
    wrong = event.results[1, 2]
    right = replace(wrong, points=(1, 2, 3), ranks=(3, 2, 1), source="hand", record="", reason="misheard")
    corrected = event.append(TIME, "judge", right)
    assert corrected.results[1, 2] == right
    assert [entry.change for entry in corrected.entries if isinstance(entry.change, ResultKnown)].count(wrong) == 1
    assert corrected.entries[-1].by == "judge"
    again = corrected.append(TIME, "judge", ResultTakenBack(1, 2, "played on"))
    assert again.open_tables == (2,)


def test_a_table_that_takes_the_end_back_has_no_result_until_its_game_ends_again() -> None:
    event = played(drawn(new_event()))
    result = event.results[1, 2]
    plays_on = event.append(TIME, "blue", EndTakenBack(1, 2, "another"), EndTakenBack(1, 2, result.record))
    assert plays_on.open_tables == (2,)
    assert tables_playing_on(plays_on) == {2}
    assert {row.games for row in standings(plays_on)} == {0, 1}
    assert read_event(event_text(plays_on), "log") == plays_on
    again = plays_on.append(TIME, "blue", result)
    assert (again.results, tables_playing_on(again)) == (event.results, frozenset())
    by_hand = plays_on.append(TIME, "judge", replace(result, source="hand", record=""))
    assert by_hand.append(TIME, "blue", EndTakenBack(1, 2, result.record)).results == by_hand.results


def test_an_archived_event_is_changed_only_once_it_is_taken_out() -> None:
    event = drawn(new_event()).append(TIME, "o", Archived())
    with pytest.raises(EventRefused, match="the event is archived: take it out of the archive first"):
        event.append(TIME, "o", Left(1))
    assert read_event(event_text(event), "log") == event
    assert not event.append(TIME, "o", TakenOut(), Left(1)).is_archived
    with pytest.raises(EventRefused, match="the event is not archived"):
        drawn(new_event()).append(TIME, "o", TakenOut())


def test_a_round_taken_back_is_drawn_otherwise() -> None:
    event = drawn(new_event())
    anew = drawn(event.append(TIME, "o", RoundTakenBack(1, "somebody came")))
    assert len(anew.rounds) == 1
    assert anew.rounds != event.rounds


def test_an_event_is_planned_otherwise_under_way() -> None:
    event = played(drawn(new_event(12, 3, 4, tables=4)))
    event = event.append(
        TIME, "o", TableNamed(4, "blue"), *(Joined(number, f"Late {number}") for number in range(13, 21))
    )
    assert len(next_round(event).byes) == 4
    planned = event.append(TIME, "o", Replanned(4, 5, 5, 6))
    assert planned.settings.by_lot == 5
    assert sorted(map(len, next_round(planned).tables)) == [4] * 5
    assert planned.tables == {4: "blue"}
    assert read_event(event_text(drawn(planned)), "log") == drawn(planned)
    assert planned.append(TIME, "o", Replanned(4, 5, 5, 5), TableNamed(5, "red")).tables == {4: "blue", 5: "red"}
    few = new_event(12, 3, 2, tables=9).append(TIME, "o", TableNamed(9, "red"), Replanned(3, 2, 1, 8))
    assert few.tables == {}


def test_a_plan_for_other_sizes_is_dropped() -> None:
    event = played(drawn(new_event(12, 3, 4, by_lot=9)))
    assert event.rounds[0].plan
    anew = drawn(event.append(TIME, "o", Replanned(4, 4, 9, 4)))
    assert sorted(map(len, anew.rounds[1].tables)) == [4, 4, 4]
    assert anew.rounds[1].repeats == 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (Replanned(5, 3, 1, 100), "tables are for 2 to 4 players"),
        (Replanned(3, 51, 1, 100), "an event has 1 to 50 rounds"),
        (Replanned(3, 3, 1, 3), "this event has 4 to 2000 tables"),
        (Joined(12, "Zoe"), "player 12: the next one has number 13"),
        (Joined(13, "anna 1"), "player 13: 'anna 1' is there already; tell them apart"),
        (Joined(13, " "), "player 13: the name is blank; write who plays"),
        (Renamed(2, "Anna 1"), "player 2: 'Anna 1' is there already; tell them apart"),
        (Left(13), "player 13: there is none of this number"),
        (Returned(1), "Anna 1 has not left"),
        (TableNamed(101, "blue"), "table 101: the event has tables 1 to 100"),
        (RoundTakenBack(2, ""), "round 2: only the latest one can be taken back"),
        (ResultKnown(2, 1, (1, 2, 3), (3, 2, 1)), "round 2: was not drawn"),
        (ResultKnown(1, 5, (1, 2, 3), (3, 2, 1)), "round 1: has tables 1 to 4, not 5"),
        (ResultKnown(1, 1, (1, 2), (2, 1)), "round 1, table 1: has 3 players and needs as many points and ranks"),
        (ResultKnown(1, 1, (1, 2, 3), (1, 1, 2)), "round 1, table 1: the ranks 1, 1, 2 are none that players can"),
        (ResultKnown(1, 1, (10**7, 2, 3), (1, 2, 3)), "round 1, table 1: more than 1000000 points are no result"),
        (ResultTakenBack(1, 1, "x"), "round 1, table 1: has no result"),
    ],
)  # fmt: skip
def test_a_change_that_does_not_fit_is_refused(change: Change, told: str) -> None:
    event = drawn(new_event())
    with pytest.raises(EventRefused) as raised:
        event.append(TIME, "o", change)
    assert str(raised.value).startswith(told)


def test_what_is_refused_later_in_an_event() -> None:
    event = drawn(new_event())
    with pytest.raises(EventRefused, match="table 1 of round 1 has no result yet"):
        next_round(event)
    event = played(event)
    with pytest.raises(EventRefused, match="round 1: has results; take these back first"):
        event.append(TIME, "o", RoundTakenBack(1, "no"))
    with pytest.raises(EventRefused, match="say why it was not right"):
        event.append(TIME, "o", replace(event.results[1, 1], source="hand"))
    later = drawn(event)
    with pytest.raises(EventRefused, match="rounds drawn already: 2; plan at least as many, or take one back"):
        plan_anew(later, Replanned(3, 1, 1, 100))
    assert plan_anew(later, Replanned(3, 2, 1, 100)).rounds == 2
    with pytest.raises(EventRefused, match="later rounds were drawn from its results"):
        later.append(TIME, "blue", EndTakenBack(1, 1, "g"))
    with pytest.raises(EventRefused, match="later rounds were drawn from its results; correct it instead"):
        later.append(TIME, "o", ResultTakenBack(1, 1, "no"))
    with pytest.raises(EventRefused, match="does not have every player who is there once"):
        event.append(TIME, "o", Left(1), replace(later.rounds[1]))
    nobody = event.append(TIME, "o", *(Left(player) for player in range(2, 13)))
    with pytest.raises(EventRefused, match=r"round 2: too few players are there \(1\); a table needs 2"):
        next_round(nobody)


def finished(seats: dict[str, int], *, is_final: bool = True, game: str = "capitol", left: str = "") -> FinishedGame:
    ranks = ranks_of(list(seats.values()))
    players = [
        PlayedSeat(seat, name, points, 0 if name == left else ranks[seat - 1])
        for seat, (name, points) in enumerate(seats.items(), 1)
    ]
    return FinishedGame("g-1", game, is_final, tuple(reversed(players)))


def test_a_finished_game_gives_its_result_by_names() -> None:
    result = result_of_game(finished({"bea": 30, "Cleo": 20, "Anna": 40}), "capitol", ("Anna", "Bea", "Cleo"), 2, 3)
    assert result == ResultKnown(2, 3, (40, 30, 20), (1, 2, 3), BY_TABLE, "g-1")


def test_who_was_renamed_since_the_draw_is_found_by_the_name_that_the_game_began_with() -> None:
    event = drawn(new_event(players=3, preferred=3).append(TIME, "o", Renamed(1, "Ana"), Renamed(2, "Bea")))
    event = event.append(TIME, "o", Renamed(1, "Hanna"), Renamed(3, "Kleo"), Renamed(1, "Anna"))
    assert event.earlier_names((1, 2, 3)) == ({"Ana", "Hanna", "Anna"}, {"Bea"}, {"Cleo 3", "Kleo"})
    names, earlier = event.names((1, 2, 3)), event.earlier_names((1, 2, 3))
    for called in ("Ana", "Hanna", "Anna"):
        game = finished({"Bea": 30, "Cleo 3": 20, called: 40})
        result = result_of_game(game, "capitol", names, 1, 1, earlier)
        assert isinstance(result, ResultKnown)
        assert result.points == (40, 30, 20)
    strange = finished({"Bea": 30, "Cleo 3": 20, "Livia": 40})
    assert not isinstance(result_of_game(strange, "capitol", names, 1, 1, earlier), ResultKnown)


def test_a_finished_game_without_names_gives_its_result_by_seats() -> None:
    seats = (PlayedSeat(2, "", 20, 1), PlayedSeat(1, "", 20, 2))  # ranks of the game, which broke the tie
    result = result_of_game(FinishedGame("g", "capitol", True, seats), "capitol", ("Anna", "Bea"), 1, 1)
    assert result == ResultKnown(1, 1, (20, 20), (2, 1), BY_TABLE, "g")


def test_who_left_a_game_is_behind_the_others() -> None:
    result = result_of_game(finished({"Anna": 50, "Bea": 30}, left="Anna"), "capitol", ("Anna", "Bea"), 1, 1)
    assert result == ResultKnown(1, 1, (50, 30), (2, 1), BY_TABLE, "g-1")


@pytest.mark.parametrize(
    ("game", "told"),
    [
        (finished({"Anna": 1, "Bea": 2}, is_final=False), "the game was not played to its end"),
        (finished({"Anna": 1, "Bea": 2}, game="aqua_romana"), "another game was played"),
        (finished({"Anna": 1, "Bea": 2, "Cleo": 3}), "3 played, and 2 are seated there"),
        (finished({"Anna": 1, "Cleo": 2}), "other players are named in the game than are seated there"),
        (finished({"Cleo": 1, "Dario": 2}), "other players are named in the game than are seated there"),
    ],
)
def test_a_game_that_gives_no_result_says_why(game: FinishedGame, told: str) -> None:
    assert result_of_game(game, "capitol", ("Anna", "Bea"), 1, 1) == told


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda lines: lines[1:], "log: line 1.event: is missing"),
        (lambda lines: [lines[0], *lines[2:]], "log: line 2.number: is 2, not 1; the log is not whole"),
        (lambda lines: [*lines, lines[-1]], "log: line 29.number: is 27, not 28; the log is not whole"),
        (lambda lines: [lines[0].replace('"event": 1', '"event": 2')], "this program reads format 1"),
        (lambda lines: [*lines[:2], lines[2].replace("Bea", "Anna").replace(" 2\"", " 1\"")], "is there already"),
        (lambda lines: [*lines[:2], lines[2].replace('"joined"', '"jumped"')], "it must be one of replanned, joined"),
        (lambda lines: [*lines[:2], lines[2][:-5]], "log: line 3, column"),
        (lambda lines: [*lines[:2], lines[2].replace('"player": 2', '"player": "2"')], "must be a whole number"),
        (lambda lines: [*lines[:13], lines[13].replace('"round": 1', '"round": 1, "x": 1')], "is not known here"),
        (lambda lines: [*lines[:13], lines[13].replace("[[", "[[1.5, ", 1)], "must be a whole number"),
    ],
)  # fmt: skip
def test_a_damaged_log_is_refused_with_its_line(damage: object, told: str) -> None:
    lines = event_text(whole_event()).splitlines()
    with pytest.raises(InvalidDocument) as raised:
        read_event("\n".join(damage(lines)) + "\n", "log")
    assert told in str(raised.value)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_log_with_any_damage_is_read_or_refused(data: st.DataObject) -> None:
    text = event_text(whole_event(6, 3, 1))
    at = data.draw(st.integers(0, len(text) - 1))
    with_damage = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    with suppress(InvalidDocument):
        assert read_event(with_damage, "log").settings.preferred in (2, 3, 4)


def test_an_event_as_a_document_fits_its_schema() -> None:
    event = whole_event(13, 3, 3).append(TIME, "o", Left(2), TableNamed(1, "blue"))
    for name, documents in {
        "event": [event_document(event), event_document(drawn(event)), event_document(new_event())],
        "event-log": map(json.loads, event_text(event).splitlines()),
    }.items():
        validator = jsonschema.Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text()))
        for document in documents:
            validator.validate(document)


def test_standings_as_csv_hold_no_formula() -> None:
    event = whole_event().append(TIME, "o", Renamed(1, "-cmd|'/C calc'!A0"), Left(2))
    rows = list(csv.DictReader(io.StringIO(standings_csv(event))))
    assert [row["number"] for row in rows] == [str(row.player) for row in standings(event)]
    assert [row["player"] for row in rows if row["number"] == "1"] == ["'-cmd|'/C calc'!A0"]
    assert [row["left"] for row in rows if row["number"] == "2"] == ["yes"]
    for row in rows:
        assert sum(int(row[f"round_{number}"]) for number in (1, 2, 3)) == int(row["table_points"])


class Read(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.text, self.outside = "", list[str]()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.outside += [tag for name, _value in attributes if name in ("src", "href")] + [tag] * (tag == "script")


def test_the_page_stands_by_itself_and_names_are_text() -> None:
    event = whole_event(13, 3, 2).append(TIME, "o", Renamed(1, "<b>Anna</b> & Co"), Left(2))
    page = Read()
    page.feed(event_page(event, "Capitol", "en"))
    assert page.outside == []
    assert "<b>Anna</b> & Co" in page.text
    assert all(event.players[number].name in page.text for number in event.players)
    assert "Round 2" in page.text
    arabic = event.append(TIME, "o", Renamed(3, "محمد علي"))
    told = event_page(arabic, "Capitol", "en")
    assert re.findall("(.{5})محمد علي(.{6})", told) == [("<bdi>", "</bdi>")] * told.count("محمد علي")
    assert f">{decimal(standings(event)[0].game_points).replace('.', ',')}<" in event_page(event, "Capitol", "de")
