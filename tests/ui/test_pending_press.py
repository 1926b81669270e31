"""A press of done waits for a reading that is late enough, for a camera that is alive, and confirms what was shown."""

import pytest

from tests.tables import sight, start
from ui.table.pressing import GAPS, JUST_NOW, LONGEST_STALE, STALE, PendingPress

BOARD = start("city_of_marble")[1].table.board


def pressed(at: float = 100.0, seen: object = None) -> PendingPress:
    press = PendingPress()
    press.by({1: "end"})
    press.wait(at, seen=seen)
    return press


def test_only_a_quiet_reading_from_after_the_press_and_the_lag_answers_it() -> None:
    press = pressed()
    assert press.is_waiting
    assert [press.is_answered_by(sight(BOARD, {}, time=time)) for time in (99.9, 100.0)] == [False, True]
    assert not press.is_answered_by(sight(BOARD, {}, time=101.0, quiet=False))
    press.lag = 0.5
    assert [press.is_answered_by(sight(BOARD, {}, time=time)) for time in (100.4, 100.5)] == [False, True]
    press.drop()
    assert not press.is_waiting
    assert not press.is_answered_by(sight(BOARD, {}, time=101.0))


@pytest.mark.parametrize(
    ("recorded_at", "taken_at", "confirms"),
    [(99.0, 100.0, False), (100.0 - JUST_NOW / 2, 100.0, True), (100.0 - JUST_NOW / 2, 105.0, True)],
)
def test_a_press_confirms_what_was_recorded_just_before_it_however_long_it_waited(
    recorded_at: float, taken_at: float, confirms: bool
) -> None:
    press = pressed()
    press.recorded_unasked(recorded_at)
    taken = press.take(taken_at, recorded=False)
    assert (taken.meant, taken.confirms) == ({1: "end"}, confirms)
    assert not press.is_waiting
    assert not press.take(taken_at + 10, recorded=False).meant


def test_a_press_confirms_what_was_shown_or_is_recorded_because_of_it() -> None:
    press = pressed(seen="a ward")
    assert press.confirms("a ward")
    assert not press.confirms("another")
    assert press.take(100.0, recorded=False).confirms
    assert pressed().take(100.0, recorded=True).confirms
    assert not pressed().confirms(None)


def test_a_silent_camera_is_waited_for_as_long_as_its_pictures_took_before() -> None:
    press = pressed()
    assert [press.is_stale(100 + STALE + late) for late in (0.0, 0.1)] == [False, True]
    press.heard(101.0)
    assert not press.is_stale(101 + STALE)
    slow = PendingPress()
    for time in (88.0, 91.0, 94.0):
        slow.heard(time)
    slow.by({1: "end"})
    slow.wait(94.0, seen=None)
    assert [slow.is_stale(94 + GAPS * 3 + late) for late in (0.0, 0.1)] == [False, True]
    slow.heard(94.0 + LONGEST_STALE + 1)  # a camera that was away is not a slow one
    assert not slow.is_stale(94 + LONGEST_STALE + 1 + STALE)
    assert slow.is_stale(94 + LONGEST_STALE + 1 + GAPS * 3 + 0.1)


def test_who_was_told_that_the_camera_is_silent_is_told_once_until_it_reads_again() -> None:
    press = pressed()
    assert not press.is_warned((1,))
    press.warn()
    assert not press.is_waiting
    assert press.is_warned((1,))
    assert not press.is_warned((1, 2))
    press.seen_again()
    assert not press.is_warned((1,))
