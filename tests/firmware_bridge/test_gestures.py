import pytest

from firmware_bridge.protocol.gestures import DOUBLE_GAP, LONG_HOLD, Gesture, GestureRecogniser, Performed

SINGLE, DOUBLE, LONG = Gesture.SINGLE, Gesture.DOUBLE, Gesture.LONG
ALL = frozenset(Gesture)


def recogniser(*wanted: Gesture) -> GestureRecogniser:
    return GestureRecogniser(lambda _: frozenset(wanted))


def performed(recogniser: GestureRecogniser, *moments: float, until: float = 100.0) -> list[tuple[Gesture, float]]:
    """The gestures of button 1 that goes down and up in turn at these moments."""
    result = []
    for index, moment in enumerate(moments):
        result += recogniser.tick(moment)
        result += recogniser.edge(1, index % 2 == 0, moment)
    result += recogniser.tick(until)
    return [(one.gesture, one.at) for one in result]


def test_how_long_a_press_is_long_and_a_second_one_is_waited_for() -> None:
    assert (LONG_HOLD, DOUBLE_GAP) == (0.6, 0.3)
    for until, result in ((0.59, []), (0.6, [(LONG, 0.0)])):
        assert performed(recogniser(*ALL), 0.0, until=until) == result
    for until, result in ((0.3, []), (0.31, [(SINGLE, 0.0)])):
        assert performed(recogniser(*ALL), 0.0, 0.0, until=until) == result


@pytest.mark.parametrize(
    ("wanted", "moments", "expected"),
    [
        ([SINGLE], [1, 1.1], [(SINGLE, 1)]),
        ([SINGLE], [1, 9], [(SINGLE, 1)]),
        ([SINGLE], [1, 1.05, 1.1, 1.15], [(SINGLE, 1), (SINGLE, 1.1)]),
        ([SINGLE, LONG], [1, 1.1], [(SINGLE, 1)]),
        ([SINGLE, LONG], [1, 1.1 + LONG_HOLD], [(LONG, 1)]),
        ([SINGLE, LONG], [1, 9, 20, 20.1], [(LONG, 1), (SINGLE, 20)]),
        ([SINGLE, DOUBLE], [1, 1.1], [(SINGLE, 1)]),
        ([SINGLE, DOUBLE], [1, 1.1, 1.2, 1.3], [(DOUBLE, 1)]),
        ([SINGLE, DOUBLE], [1, 1.1, 1.2, 9], [(DOUBLE, 1)]),
        ([SINGLE, DOUBLE], [1, 1.1, 1.2, 1.3, 1.4, 1.5], [(DOUBLE, 1), (SINGLE, 1.4)]),
        ([SINGLE, DOUBLE], [1, 1.1, 1.5 + DOUBLE_GAP, 2], [(SINGLE, 1), (SINGLE, 1.5 + DOUBLE_GAP)]),
        ([SINGLE, DOUBLE, LONG], [1, 1.1, 1.2, 1.3, 5, 5.1, 7, 9], [(DOUBLE, 1), (SINGLE, 5), (LONG, 7)]),
    ],
)
def test_gestures(wanted: list[Gesture], moments: list[float], expected: list[tuple[Gesture, float]]) -> None:
    assert performed(recogniser(*wanted), *moments) == expected


def test_a_press_that_can_only_be_single_does_not_wait_for_its_release() -> None:
    assert recogniser(SINGLE).edge(1, True, 5.0) == [Performed(1, SINGLE, 5.0)]


def test_a_long_press_is_known_before_the_release() -> None:
    held = recogniser(SINGLE, LONG)
    assert held.edge(1, True, 5.0) == []
    assert held.tick(5.0 + LONG_HOLD / 2) == []
    assert held.tick(5.1 + LONG_HOLD) == [Performed(1, LONG, 5.0)]
    assert held.tick(9.0) == held.edge(1, False, 9.0) == []


def test_a_late_release_is_judged_by_its_own_time() -> None:
    held = recogniser(SINGLE, LONG)
    held.edge(1, True, 5.0)
    assert held.edge(1, False, 5.1) == [Performed(1, SINGLE, 5.0)]
    assert held.tick(20.0) == []


def test_buttons_do_not_mix() -> None:
    two = recogniser(SINGLE, DOUBLE)
    for button, pressed, at in ((1, True, 1.0), (2, True, 1.01), (1, False, 1.1), (2, False, 1.11)):
        assert two.edge(button, pressed, at) == []
    assert two.tick(2.0) == [Performed(1, SINGLE, 1.0), Performed(2, SINGLE, 1.01)]


def test_nothing_comes_of_a_press_whose_box_was_lost() -> None:
    lost = recogniser(*ALL)
    lost.edge(1, True, 1.0)
    lost.reset()
    assert lost.tick(9.0) == lost.edge(1, False, 9.0) == []
