"""What an owner told of closed pieces: what is judged by it, and whose it is."""

from __future__ import annotations

from typing import Any

import pytest

from companion.legality import Status
from companion.session.session import Session
from companion.session.viewing import ClosedPieces, Telling, Viewer, ViewerKind, known_to
from tests.session.test_viewing import HAND, capitol_hand, session_of

OTHER = (*HAND[:3], "floor-8", *HAND[4:])
OWNER = Viewer(ViewerKind.SEAT, 1)


def submit(session: Session, text: str, seat: int = 1) -> None:
    assert session.submit(session.game.parse_action(text, session.state), seat=seat).entry is not None


def hand(pieces: ClosedPieces, seat: int = 1) -> tuple[str, ...]:
    known: Any = pieces.known_to(Viewer(ViewerKind.SEAT, seat)).state
    return tuple(known.holding(seat).hand)


def test_the_words_for_viewers() -> None:
    assert " ".join(Viewer(kind, 1 if kind is ViewerKind.SEAT else None).kind for kind in ViewerKind) == (
        "tablet seat spectator file broker log"
    )


def test_what_a_seat_knows_is_the_same_log_with_another_position() -> None:
    session = session_of("capitol")
    told = {1: {0: Telling(1, 0, HAND)}}
    at_once = known_to(OWNER, session.log, told)
    assert at_once.done == ()
    assert at_once.start.state == at_once.state == session.game.with_closed_pieces(session.state, 1, HAND)
    submit(session, "pass")
    submit(session, "pass", 2)
    known = known_to(OWNER, session.log, told)
    assert (known.entries, known.header, len(known.done)) == (session.entries, session.log.header, 2)
    assert known.done[0] is session.log.done[0]
    assert known.state == session.game.with_closed_pieces(session.state, 1, HAND)
    assert known.point.moves == session.moves
    for viewer in (Viewer(ViewerKind.SEAT, 2), Viewer(ViewerKind.TABLET)):
        assert known_to(viewer, session.log, told) is session.log


def test_what_a_viewer_knows_is_the_same_object_until_something_changes() -> None:
    pieces = capitol_hand(*HAND)
    first = pieces.known_to(OWNER)
    assert pieces.known_to(OWNER) is first
    pieces.tell(1, OTHER)
    assert "floor-8" in hand(pieces)
    submit(pieces._session, "pass")
    second = pieces.known_to(OWNER)
    assert second is not first
    pieces._session.undo()
    assert pieces.known_to(OWNER) is not second
    assert hand(pieces) == tuple(sorted(OTHER))


@pytest.mark.parametrize(("action", "status"), [("floor-3 nothing", Status.LEGAL), ("floor-5 nothing", Status.ILLEGAL)])
def test_the_latest_action_is_judged_by_what_was_known_before_it(action: str, status: Status) -> None:
    pieces = capitol_hand(*HAND)
    session = pieces._session
    assert pieces.judge_latest(1) is None, "nothing was done"
    submit(session, action)
    verdict = pieces.judge_latest(1)
    assert verdict is not None
    assert verdict.status is status
    assert pieces.judge_latest(2) is None, "the other seat has told nothing"
    session.undo()
    assert pieces.judge_latest(1) is None, "it was undone"
    session.redo()
    assert pieces.judge_latest(1) is None, "the latest entry brought it back"


def test_only_an_action_is_judged_and_only_by_what_was_told_before_it() -> None:
    session = session_of("capitol")
    submit(session, "pass")
    pieces = ClosedPieces(session)
    pieces.tell(1, HAND)
    assert pieces.judge_latest(1) is None, "it was told after that"
    submit(session, "pass", 2)
    verdict = pieces.judge_latest(1)
    assert verdict is not None
    assert verdict.is_legal
    session.correct({"player": {}}, "counted")
    assert pieces.judge_latest(1) is None, "a correction is no action"


def test_a_seat_with_another_owner_knows_what_that_one_told() -> None:
    pieces = capitol_hand(*HAND)
    assert hand(pieces) == tuple(sorted(HAND))
    pieces.belong(1, [Telling(1, 0, OTHER), Telling(2, 0, HAND)])
    assert hand(pieces) == tuple(sorted(OTHER))
    pieces.belong(1, [Telling(2, 0, HAND)])
    assert pieces.known_to(OWNER) is pieces._session.log
    assert pieces.judge_latest(1) is None
    assert pieces.disproof(1) is None
    pieces.belong(2, [])
    pieces.belong(1, [Telling(1, 0, HAND)])
    assert hand(pieces) == tuple(sorted(HAND))


def test_a_new_owner_tells_anew_what_was_told_before() -> None:
    pieces = capitol_hand(*HAND)
    submit(pieces._session, "pass")
    assert "floor-4" in hand(pieces)
    pieces.belong(1, [Telling(1, 0, OTHER)])
    assert "floor-8" in hand(pieces)


@pytest.mark.parametrize(
    ("names", "places"),
    [
        (HAND, ()),
        (OTHER, ()),
        (("floor-5", *HAND[1:]), (3,)),
        ((*HAND[:5], "red-1", *HAND[6:]), (5,)),
        ((*HAND[:-1], "<b>"), (7,)),
        (("<b>", *HAND[1:-1], "<c>"), (0, 7)),
        (HAND[:3], ()),
    ],
)
def test_which_of_the_told_pieces_cannot_be_there(names: tuple[str, ...], places: tuple[int, ...]) -> None:
    pieces = ClosedPieces(session_of("capitol"))
    assert pieces.impossible(1, names) == places


def test_an_unseen_piece_is_named_as_what_everybody_knows_of_it() -> None:
    session = session_of("capitol")
    pieces, (seat, *_others) = ClosedPieces(session), session.actors
    action = session.game.parse_action("floor nothing", session.state)
    assert pieces.names_unseen(action, seat) is True
    assert pieces.names_unseen(action, 3 - seat) is False


def test_who_is_ready_has_nothing_to_do_while_others_are_waited_for() -> None:
    session = session_of("capitol", 3)
    for text in ("pass", "pass", "pass", "ready 1"):
        session.submit(session.game.parse_action(text, session.state))
    pieces = ClosedPieces(session)
    assert session.actors == (2, 3)
    assert [bool(pieces.own_actions(seat)) for seat in (1, 2, 3)] == [False, True, True]


def test_the_owner_of_a_seat_that_is_not_waited_for_has_no_actions() -> None:
    pieces = capitol_hand(*HAND)
    assert pieces.own_actions(1)
    assert pieces.own_actions(2) == ()
    pieces._session.end_early("late")
    assert pieces.own_actions(1) == ()
