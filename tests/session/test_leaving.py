"""A player leaves and the others go on: in every game, from any position, undone, replayed and verified."""

from random import Random

import pytest

from companion.errors import SessionError
from companion.exports.report import check_document, score_document
from companion.session.record import read_record, record_text
from companion.session.rejudging import verify
from companion.session.session import Session
from tests.every_game import FOR_THREE, at_most, seats_for_leaving
from tests.session.evenings import clock, new_session, play, play_at_random
from tests.tables import table_of


def at_random(game: str, seats: int, actions: int, seed: int) -> Session:
    session = Session.create(None, table_of(game, seats), clock=clock(), game_id="left")
    play_at_random(session, actions, seed)
    return session


PASSED = {
    "city_of_marble": {"act", "end"},
    "capitol": {"bid", "draw", "play"},
    "aqua_romana": {"build", "end", "move"},
    "thurn_and_taxis": {"end", "move", "play", "take"},
}
"""steps that pass by themselves for a seat that left, in games that have some"""


def holds(session: Session) -> bool:
    """Whether the record reads back to what is there, and every entry follows from the rules."""
    again = read_record(record_text(session.log), "record")
    return again.state == session.state and again.record_status == session.record_status and verify(again) == []


@pytest.mark.parametrize("game", FOR_THREE)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_others_play_on_in_every_game(game: str, seed: int) -> None:
    session = at_random(game, seats_for_leaving(game), at_most(game, 12 * seed), seed)
    seat = seed % 3 + 1
    session.leave(seat)
    assert session.record_status.left == {seat}
    asked = []
    random = Random(seed)
    for _ in range(90):
        decision = session.game.decide(session.state)
        if decision is None:
            break
        if decision.actors == (seat,):
            asked.append(decision.step)
            assert session.game.events_without(session.state, seat) == ()
        session.submit(random.choice(session.legal_actions()))
    assert not session.record_status.ended
    assert holds(session)
    document = score_document(session.game, session.state, session.record_status)
    assert bool(document["winners"]) == session.is_over
    assert document["players"][seat - 1]["rank"] == len(session.table.players)
    assert not PASSED.get(game, frozenset()).intersection(asked)


@pytest.mark.parametrize("game", FOR_THREE)
def test_leaving_is_undone_and_done_again(game: str) -> None:
    session = at_random(game, seats_for_leaving(game), at_most(game, 20), 5)
    before = session.state
    (seat, *_) = session.game.decide(before).actors
    session.leave(seat)
    after = session.state
    session.undo()
    assert (session.state, session.record_status.left) == (before, frozenset())
    session.redo()
    assert (session.state, session.record_status.left) == (after, {seat})
    assert holds(session)


def test_one_who_stays_alone_ends_the_game_early() -> None:
    session = new_session(seats=3)
    session.leave(2)
    assert not session.is_over
    session.leave(3)
    assert session.is_over
    assert session.record_status.ended
    assert session.legal_actions() == []
    with pytest.raises(SessionError, match="undo"):
        session.submit(session.game.parse_action("draw red blue", session.state))
    document = score_document(session.game, session.state, session.record_status)
    assert (document["final"], document["winners"]) == (True, [])
    session.undo()
    assert not session.is_over
    assert holds(session)


def test_the_turn_of_who_left_passes_with_the_entry_before_it() -> None:
    session = new_session(seats=3)
    session.leave(2)
    play(session, "draw red blue", "draw yellow green", "end")
    assert session.game.decide(session.state).actors == (3,)
    session.undo()
    assert session.game.decide(session.state).actors == (1,)
    session.redo()
    session.amend(2, session.game.parse_action("draw red yellow", session.state))
    assert session.game.decide(session.state).actors == (3,)
    assert holds(session)


def test_who_comes_back_plays_and_ranks_again() -> None:
    session = new_session(seats=3)
    session.leave(2)
    session.leave(1)
    session.undo()
    session.come_back(2)
    assert session.record_status.left == frozenset()
    play(session, "draw red blue", "draw yellow green", "end")
    assert session.actors == (2,)
    assert score_document(session.game, session.state, session.record_status)["players"][1]["rank"] == 1
    with pytest.raises(SessionError, match="has not left"):
        session.come_back(2)
    session.amend(6, session.game.parse_action("draw red yellow", session.state))
    assert holds(session)


def test_nobody_leaves_twice_or_from_a_seat_that_is_not_there() -> None:
    session = new_session(seats=3)
    session.leave(2)
    with pytest.raises(SessionError, match="has left already"):
        session.leave(2)
    with pytest.raises(SessionError, match="seat of this table"):
        session.leave(4)
    assert len(session.entries) == 1
    session.end_early("late")
    with pytest.raises(SessionError, match="over"):
        session.leave(1)


def test_a_record_that_lets_a_turn_pass_for_nobody_does_not_hold() -> None:
    session = new_session(seats=3)
    session.leave(1)
    text = record_text(session.log)
    assert '"event": "TurnEnded"' in text
    log = read_record(text.replace('"seat": 1, "final": false', '"seat": 2, "final": false'), "record")
    assert [(problem.number, problem.action) for problem in verify(log)] == [(1, "")]
    assert check_document(session.log, [])["left"] == [1]


def test_a_sheet_names_who_left_and_who_has_not_won() -> None:
    session = new_session(seats=3)
    session.leave(2)
    session.end_early("late")
    words = score_document(session.game, session.state, session.record_status)["words"]
    assert words[0] == "Left before the end, and without a rank: Player 2."
    assert words[1].startswith("Ended early")
    assert words[2] == "Player 1 and Player 3 have 0 points each."
