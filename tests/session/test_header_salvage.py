"""A damaged header: what remains of it counts, and what the entries leave open is not guessed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pytest

from companion.board.layout import parse_board
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.registry import print_and_play_board
from companion.session import header_salvage
from companion.session.header_salvage import RECONSTRUCTED, is_damaged, reconstructed, told_players
from companion.session.log import Header, Log
from companion.session.salvage import salvaged_log
from companion.session.session import Session
from companion.session.stored_lines import StoredGame
from companion.table import Player
from tests.session.evenings import GAME, clock, play_at_random
from tests.tables import table_of

Lines = dict[int, str | None]


def evening() -> Session:
    """A game of named players at a table with a ruling of its own."""
    table = table_of(GAME, 2, supply="strict")
    players = (replace(table.players[0], name="Ada"), replace(table.players[1], name="Bea"))
    session = Session.create(None, replace(table, players=players), clock=clock(), game_id="evening-1")
    play_at_random(session, 14, seed=1)
    return session


EVENING = evening()


def stored(session: Session = EVENING, *changes: tuple[str, str]) -> StoredGame:
    """The row of a game with some of its header replaced."""
    header = session.export().splitlines()[0]
    for old, new in changes:
        assert old in header
        header = header.replace(old, new, 1)
    return StoredGame(session.id, session.table.game, session.created, header)


def lines_of(session: Session = EVENING) -> Lines:
    return dict(enumerate(session.export().splitlines()[1:], 1))


def put_together(*changes: tuple[str, str], lines: Lines | None = None) -> Log | None:
    return reconstructed(stored(EVENING, *changes), lines_of() if lines is None else lines, REPLAY)


REPLAY = partial(salvaged_log, source="test")
TABLE, PLAYERS, HILLS = ('"table": {', '"tabel": {'), ('"players": [', '"plavers": ['), ('"hills": [', '"hulls": [')


class Replays:
    """Counts the logs that are tried: for each the number of its players and how many entries there were."""

    def __init__(self) -> None:
        self.tried: list[tuple[int, int]] = []

    def __call__(self, header: Header, lines: Mapping[int, str | None]) -> Log:
        self.tried.append((len(header.table.players), len(lines)))
        return REPLAY(header, lines)


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ('{"players": [{"name": "Ada"}, {"name": "Bea"}]', ("Ada", "Bea")),
        ('"players": [{"name": "Ada"}, "Bea", {"name": 7}, {"colour": "red"}, {"name": "Cleo"}] and rubbish',
         ("Ada", "Cleo")),
        (f'"players": [{{"name": "{"x" * 40}y"}}]', ("x" * 40,)),
        ('"players": [{"name": "A\\u0007da"}]', ("A\ufffdda",)),
        ('"players": []', ()),
        ('"players": [{"name": "Ada"}', ()),
        ('"players": ' + "[" * 100_000, ()),
        ('[{"name": "Ada"}]', ()),
        ("", ()),
    ],
)  # fmt: skip
def test_players_are_named_as_far_as_they_can_be_read(header: str, names: tuple[str, ...]) -> None:
    assert told_players(StoredGame("evening-1", GAME, "", header)) == names


@pytest.mark.parametrize(
    ("game", "change", "is_it"),
    [
        (GAME, ('"record": 1', '"record": 1'), True),
        (GAME, ('"record": 1', '"record": 2'), False),
        (GAME, ('"version": 1', '"version": 2'), False),
        (GAME, ('"version": 1', '"version": 0'), True),
        (GAME, ('"version": 1', '"version": x'), True),
        (GAME, ('"version": 1', '"version": 1234567'), True),
        ("chess", ('"record": 1', '"record": 1'), False),
    ],
)
def test_a_header_is_damaged_unless_a_newer_program_wrote_it(game: str, change: tuple[str, str], is_it: bool) -> None:
    row = replace(stored(EVENING, change), game=game)
    assert is_damaged(row) is is_it
    assert (reconstructed(row, lines_of(), REPLAY) is not None) is is_it


@pytest.mark.parametrize(
    ("changes", "supply", "first"),
    [
        ((('"version": 1', '"version": x'),), "strict", "Ada"),
        ((TABLE,), "strict", "Ada"),
        ((TABLE, ('"rulings": {', '"rulings": [')), "substitute", "Ada"),
        ((TABLE, ('"supply": "strict"', '"supply": "slack"')), "substitute", "Ada"),
        ((TABLE, HILLS), "strict", "Ada"),
        ((TABLE, PLAYERS), "strict", "Player 1"),
        ((TABLE, ('"colour": "black"', '"colour": "pink"')), "strict", "Player 1"),
    ],
)
def test_what_can_be_read_of_the_table_counts(changes: tuple[tuple[str, str], ...], supply: str, first: str) -> None:
    log = put_together(*changes)
    assert log is not None
    table = log.header.table
    assert (table.rulings["supply"], table.players[0].name, len(table.players)) == (supply, first, 2)
    assert table.options == EVENING.table.options
    assert log.state.wards == EVENING.state.wards
    lost = log.entries[-1]
    assert (lost.number, lost.time, lost.summary) == (15, EVENING.entries[-1].time, f"lost ({RECONSTRUCTED})")
    assert log.entries[:-1] == EVENING.entries


def test_what_the_entries_leave_open_is_not_guessed() -> None:
    few = {number: line for number, line in lines_of().items() if number <= 2}
    assert put_together(TABLE, HILLS, lines=few) is None
    assert put_together(TABLE, lines=few) is not None
    assert put_together(TABLE, lines={}) is None, "nothing fits a table alone"
    assert put_together(TABLE, lines=lines_of() | {3: None}) is None, "an entry is missing"


def test_nobody_sits_at_the_table_less_than_acted() -> None:
    replays = Replays()
    assert reconstructed(stored(EVENING, TABLE, PLAYERS), lines_of(), replays) is not None
    assert replays.tried == [(2, 12), (3, 12), (4, 12), (2, 14), (2, 14)]
    four = Session.create(None, table_of(GAME, 4), clock=clock(), game_id="evening-1")
    play_at_random(four, 30, seed=2)
    replays = Replays()
    assert reconstructed(stored(four, TABLE, PLAYERS), lines_of(four) | {31: None}, replays) is None
    assert replays.tried == [(4, 12), (4, 31)]


@pytest.mark.parametrize(("most", "tried"), [(2, 0), (3, 3)])
def test_no_more_tables_are_tried_than_that(monkeypatch: pytest.MonkeyPatch, most: int, tried: int) -> None:
    monkeypatch.setattr(header_salvage, "MOST_TABLES", most)
    replays = Replays()
    assert (reconstructed(stored(EVENING, TABLE, PLAYERS), lines_of(), replays) is not None) == (tried > 0)
    assert [entries for _players, entries in replays.tried].count(12) == tried


@pytest.mark.parametrize(("most", "tried"), [(34, 0), (35, 35)])
def test_no_more_outcomes_of_a_set_up_are_tried_than_that(
    monkeypatch: pytest.MonkeyPatch, most: int, tried: int
) -> None:
    monkeypatch.setattr(header_salvage, "MOST_TABLES", most)
    replays = Replays()
    assert (reconstructed(stored(EVENING, TABLE, HILLS), lines_of(), replays) is not None) == (tried > 0)
    assert replays.tried[:tried] == [(2, 12)] * tried
    assert bool(replays.tried) == bool(tried)


def test_a_game_was_begun_when_its_row_says_or_else_its_first_entry() -> None:
    row = stored(EVENING, ('"version": 1', '"version": x'))
    for told, created in ((EVENING.created, EVENING.created), ("yesterday", EVENING.entries[0].time)):
        log = reconstructed(replace(row, created=told), lines_of(), REPLAY)
        assert log is not None
        assert log.header.created == created
    assert reconstructed(replace(row, created=""), {1: None}, REPLAY) is None
    assert reconstructed(replace(row, created=""), {1: "no time"}, REPLAY) is None
    log = reconstructed(row, {}, REPLAY)
    assert log is not None
    assert [(entry.number, entry.time) for entry in log.entries] == [(1, EVENING.created)]


def test_a_game_that_cannot_be_replayed_is_lost() -> None:
    def refuse(header: Header, lines: Mapping[int, str | None]) -> Log:
        raise InvalidDocument("test", "start", "is no position")

    for change in (('"version": 1', '"version": x'), TABLE):
        assert reconstructed(stored(EVENING, change), lines_of(), refuse) is None


@pytest.mark.parametrize("new", ['"start": [', '"start": {x', '"start": x{', '"start": 7, "x": {'])
def test_a_joined_game_whose_beginning_cannot_be_read_is_lost(new: str) -> None:
    start = {"wards": ["E8-F8 red 1"], "to_move": 2}
    session = Session.create(None, table_of(GAME, 2), start, clock=clock(), game_id="evening-1")
    play_at_random(session, 3, seed=1)
    damage = ('"version": 1', '"version": x')
    log = reconstructed(stored(session, damage), lines_of(session), REPLAY)
    assert log is not None
    assert (log.state, log.header.start) == (session.state, session.log.header.start)
    assert reconstructed(stored(session, damage, ('"start": {', new)), lines_of(session), REPLAY) is None


def test_the_board_is_the_one_of_the_header_or_the_usual_one_where_nothing_names_another() -> None:
    usual = print_and_play_board(GAME)
    no_board, no_digest = ('"board": {', '"board": x{'), ('"digest": "', '"digest": "x')
    other = ('"digest": "', '"digest": "' + "0" * 64 + '", "older": "')
    for changes, is_known in (
        ((no_board,), True),
        ((no_board, no_digest), True),
        ((no_board, other), False),
        ((('"lattice"', '"lettuce"'),), True),
        ((('"lattice"', '"lettuce"'), other), False),
        ((other,), True),
    ):
        log = put_together(*changes)
        assert (log is not None and log.header.table.board == usual) is is_known, changes
    definition = json.loads(json.dumps(dict(usual.definition)))
    definition["id"] = "city_of_marble/ours"
    definition["feature"]["hill"]["Palatine"] = "I2-J1-J2"
    own = parse_board(DocumentTable(definition, "ours", ""))
    table = replace(table_of(GAME, 2), board=own, players=(Player("Ada", "black"), Player("Bea", "white")))
    session = Session.create(None, table, clock=clock(), game_id="evening-1")
    log = reconstructed(stored(session, no_digest), lines_of(session), REPLAY)
    assert log is not None
    assert log.header.table == table
