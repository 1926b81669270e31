"""A wish that was meant for a state of the record that has passed is late."""

from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from tests.session.evenings import new_session, play
from tests.tables import table_of
from ui.table.late_intents import LateIntents


def followed(session: Session) -> LateIntents:
    late = LateIntents(session)
    session.observe(late.follow_record)
    return late


def lateness(late: LateIntents, kind: IntentKind, seat: int | None = None) -> list[bool]:
    """Whether a wish made at each state up to the latest one is late."""
    choice = 1 if kind is IntentKind.CHOOSE else None
    return [late.is_late(Intent(kind, seat, choice, state=state)) for state in range(late._session.state_id + 1)]


def test_a_turn_of_several_actions_is_one_turn_for_done_and_each_entry_counts_for_undo() -> None:
    session = new_session()
    late = followed(session)
    play(session, "draw red blue", "draw red yellow")
    assert lateness(late, IntentKind.DONE, 1) == [False, False, False]
    assert lateness(late, IntentKind.DONE) == [False, False, False]
    assert lateness(late, IntentKind.UNDO) == lateness(late, IntentKind.CHOOSE) == [True, True, False]
    assert lateness(late, IntentKind.NEXT) == [False, False, False]
    play(session, "end")
    assert lateness(late, IntentKind.DONE, 2) == [True, True, True, False]
    assert lateness(late, IntentKind.DONE, 1) == [False, False, False, False]
    assert lateness(late, IntentKind.NEXT) == [True, True, True, False]
    play(session, "draw blue green")
    assert lateness(late, IntentKind.NEXT) == [True, True, True, False, False]


def test_a_wish_of_no_state_is_never_late() -> None:
    session = new_session()
    late = followed(session)
    play(session, "draw red blue", "draw red yellow", "end")
    assert not any(late.is_late(Intent(kind, 1)) for kind in IntentKind if kind is not IntentKind.CHOOSE)


def test_a_turn_that_comes_again_after_those_who_left_is_a_new_one() -> None:
    session = Session.create(None, table_of("city_of_marble", 3))
    late = followed(session)
    play(session, "draw red blue", "draw red yellow", "end")
    session.leave(3)
    play(session, "draw blue green", "draw blue yellow", "end")
    assert session.actors == (1,)
    assert lateness(late, IntentKind.DONE, 1)[-2:] == [True, False]
