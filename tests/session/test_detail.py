"""A table that tells less of its game from some time on: what its record says of it, and what changes of it come to."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from companion.detail import EVERYTHING, ON_THE_TABLE
from companion.errors import InvalidDocument, SessionError
from companion.session.record import read_record
from companion.session.rejudging import verify
from companion.session.session import Session
from companion.session.store import Store
from tests.conformance import zeal_of
from tests.session.evenings import new_session, play
from tests.tables import table_of


def test_a_table_tells_less_and_everything_again() -> None:
    session = new_session()
    session.choose_detail(ON_THE_TABLE)
    assert session.game.detail(session.state) == ON_THE_TABLE
    play(session, "end", "ward C10-D10 red", "end")
    session.choose_detail(EVERYTHING)
    play(session, "draw red blue", "draw red yellow", "end")
    assert verify(read_record(session.export(), "record")) == []


def test_everything_is_told_again_while_a_tile_waits_that_nobody_saw_bid_for() -> None:
    session = Session.create(None, table_of("capitol", 2))
    session.choose_detail(ON_THE_TABLE)
    play(session, "pass", "pass", "won 2")
    session.choose_detail(EVERYTHING)
    play(session, "tile Palatine/1")
    assert verify(read_record(session.export(), "record")) == []


def test_where_nobody_counted_the_discards_may_have_gone_back_but_what_lies_open_has_not() -> None:
    session = Session.create(None, table_of("thurn_and_taxis", 2))
    session.choose_detail(ON_THE_TABLE)
    play(session, "play Ulm new", "end", "play Linz new", "end")
    session.choose_detail(EVERYTHING)
    play(session, "administrator", *["show Passau"] * 3, "show Basel", "show Basel")
    fourth = session.game.parse_action("show Passau", session.state)
    assert [violation.rule for violation in session.judge(fourth).violations] == ["TT-SHOW-3"]
    play(session, "show Lodz", "take Basel", "show Basel", "play Augsburg left", "end", "administrator")
    assert session.state.discards.count("Passau") == 3
    play(session, "show Passau")
    assert session.state.discards.count("Passau") == 2
    assert len(session.state.discards) == 12
    assert verify(read_record(session.export(), "record")) == []


def test_the_record_says_what_was_untold_and_which_rules_were_left_unchecked() -> None:
    session = new_session()
    session.choose_detail(ON_THE_TABLE)
    play(session, "ward C10-D10 red")
    lines = [json.loads(line) for line in session.export().splitlines()]
    assert (lines[1]["kind"], lines[1]["level"]) == ("detail", "table")
    assert lines[2]["unchecked"] == ["COM-WARD-4"]
    log = read_record(session.export(), "record")
    assert log.game.detail(log.state) == ON_THE_TABLE
    assert log.state == session.state


def test_the_choice_is_undone_like_anything_else() -> None:
    session = new_session()
    before = session.state
    session.choose_detail(ON_THE_TABLE)
    session.undo()
    assert session.state == before
    session.redo()
    assert session.game.detail(session.state) == ON_THE_TABLE


def test_what_is_corrected_before_it_is_still_told_less_after_it() -> None:
    session = new_session()
    play(session, "draw red blue")
    session.choose_detail(ON_THE_TABLE)
    play(session, "ward C10-D10 red", "end")
    session.amend(1, session.game.parse_action("draw yellow green", session.log.start.state))
    assert session.game.detail(session.state) == ON_THE_TABLE
    assert session.state.stacks["untold"] == 60 - 8 - 2
    assert verify(session.log) == []


def test_a_level_that_is_no_change_or_that_the_game_does_not_have_is_refused() -> None:
    session = new_session()
    for level in (EVERYTHING, "score", "nonsense"):
        with pytest.raises(SessionError, match="level of detail"):
            session.choose_detail(level)
    open_game = Session.create(None, table_of("aqua_romana", 2))
    with pytest.raises(SessionError, match="level of detail"):
        open_game.choose_detail(ON_THE_TABLE)
    text = session.export()
    session.choose_detail(ON_THE_TABLE)
    wrong = session.export().replace('"level": "table"', '"level": "score"')
    with pytest.raises(InvalidDocument, match="level"):
        read_record(wrong, "record")
    assert read_record(text, "record").state == session.log.start.state


def test_a_game_told_less_is_opened_from_its_database(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite3") as store:
        session = new_session(store)
        session.choose_detail(ON_THE_TABLE)
        play(session, "end", "end")
        again = Session.open(store, session.id)
        assert again.state == session.state
        assert not again.doubtful


@pytest.mark.parametrize("game_id", ["city_of_marble", "capitol", "thurn_and_taxis"])
def test_a_table_that_tells_less_goes_on_while_somebody_is_away(game_id: str) -> None:
    session, zeal, random = Session.create(None, table_of(game_id, 3)), zeal_of(game_id), Random(1)
    session.choose_detail(ON_THE_TABLE)
    for number in range(900):
        if not (legal := session.legal_actions()):
            break
        session.submit(random.choices(legal, list(map(zeal, legal)))[0])
        if number == 25:
            session.leave(2)
        if number == 60:
            session.come_back(2)
    assert session.is_over
    assert verify(read_record(session.export(), "record")) == []
