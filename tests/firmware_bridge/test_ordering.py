from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.protocol.messages import ORDER_WINDOW, UNACKNOWLEDGED_EDGES
from firmware_bridge.protocol.ordering import EdgeOrder


@st.composite
def deliveries(draw: st.DrawFn) -> tuple[int, list[int]]:
    """A first number, and the numbers after it shuffled and repeated within what a box keeps."""
    first = draw(st.integers(0, 2**16 - 1))
    count = draw(st.integers(1, 60))
    arrivals = []
    for number in range(count):
        delays = draw(st.lists(st.integers(0, UNACKNOWLEDGED_EDGES - 1), min_size=1, max_size=3))
        arrivals += [(number + delay, number) for delay in delays]
    return first, [number for _, number in sorted(arrivals)]


@given(deliveries())
def test_every_edge_is_given_once_and_in_order(delivery: tuple[int, list[int]]) -> None:
    first, arrivals = delivery
    order: EdgeOrder[int] = EdgeOrder()
    order.resume(boot=1, oldest=first)
    given_out = []
    for number in arrivals:
        given_out += order.accept((first + number) % 2**16, first, number)
    assert given_out == sorted(set(arrivals))
    assert order.duplicates == len(arrivals) - len(set(arrivals))
    assert order.is_settled((first + max(arrivals) + 1) % 2**16)


@given(deliveries(), st.data())
def test_what_a_box_has_dropped_is_not_waited_for(delivery: tuple[int, list[int]], data: st.DataObject) -> None:
    first, arrivals = delivery
    missing = set(data.draw(st.lists(st.sampled_from(arrivals), max_size=5)))
    order: EdgeOrder[int] = EdgeOrder()
    order.resume(1, first)
    given_out = []
    for number in arrivals:
        if number not in missing:
            given_out += order.accept((first + number) % 2**16, first, number)
    given_out += order.advance((first + max(arrivals) + 1) % 2**16)
    assert given_out == sorted(set(arrivals) - missing)


def filled(boot: int, numbers: list[int]) -> EdgeOrder[int]:
    order: EdgeOrder[int] = EdgeOrder()
    order.resume(boot, 0)
    for number in numbers:
        order.accept(number, 0, number)
    return order


def test_a_box_that_missed_our_acknowledgements_is_not_heard_twice() -> None:
    order = filled(1, [0, 1, 2])
    assert order.resume(1, 1) == []
    assert order.accept(1, 1, 1) == order.accept(2, 1, 2) == []
    assert order.accept(3, 1, 3) == [3]


def test_a_box_that_started_anew_is_heard_from_its_first_edge() -> None:
    order = filled(1, [0, 1, 2])
    assert order.resume(2, 0) == []
    assert order.accept(0, 0, 100) == [100]


def test_what_was_held_back_is_given_when_its_box_starts_anew() -> None:
    order = filled(1, [0, 2, 3])
    assert order.resume(2, 0) == [2, 3]
    assert order.accept(0, 0, 100) == [100]


def test_a_box_whose_presses_went_unheard_for_long_is_followed() -> None:
    order = filled(1, [0, 2])
    assert order.resume(1, 30_000) == [2]
    assert order.accept(30_000, 30_000, 7) == [7]
    assert order.resume(1, 5) == []  # 40,000 edges further on is also a long way back: the box is believed
    assert order.accept(5, 5, 8) == [8]


@given(st.integers(0, 2**16 - 1), st.integers(0, 2**16 - 1))
def test_a_press_in_the_name_of_a_box_does_not_make_its_own_unheard(first: int, ahead: int) -> None:
    order: EdgeOrder[str] = EdgeOrder()
    order.resume(1, first)
    order.accept(first, first, "one")
    order.accept((first + ahead) % 2**16, (first + ahead) % 2**16, "somebody else's")
    heard = []
    for number in range(1, 4):
        seq = (first + number) % 2**16
        heard += order.accept(seq, (first + 1) % 2**16, str(number))
        heard += order.accept(seq, (first + 1) % 2**16, str(number))
    assert [item for item in heard if item != "somebody else's"] == ["1", "2", "3"]
    assert order.accept((first + 4) % 2**16, (first + 4) % 2**16, "4") == ["4"]


def test_the_same_number_with_another_edge_is_another_edge() -> None:
    order: EdgeOrder[str] = EdgeOrder()
    order.resume(1, 0)
    assert order.accept(0, 0, "somebody else's") == ["somebody else's"]
    assert order.accept(0, 0, "the box's") == ["the box's"]
    assert order.accept(1, 0, "next") == ["next"]
    assert order.accept(3, 0, "somebody else's") == []
    assert order.accept(3, 0, "held") == []
    assert order.accept(2, 0, "two") == ["two", "somebody else's", "held"]


def test_an_edge_far_ahead_of_what_its_box_keeps_is_dropped() -> None:
    order = filled(1, [])
    assert order.accept(ORDER_WINDOW, 0, 1) == []
    assert order.duplicates == 1
    assert order.is_settled(0)


def test_an_edge_is_known_again_among_the_last_thousand_and_a_few() -> None:
    order = filled(1, list(range(1024)))
    assert order.accept(0, 1024, 0) == []
    assert order.accept(1024, 1024, 1024) == [1024]
    assert order.accept(0, 1025, 0) == [0]  # whoever else used this number, it is long ago
    assert order.duplicates == 1


def test_an_edge_waits_for_those_before_it_within_its_window() -> None:
    order = filled(1, [])
    assert order.accept(255, 0, 255) == []
    assert (order.duplicates, order.is_settled(0), order.boot) == (0, False, 1)
    assert order.accept(256, 0, 256) == []
    assert order.duplicates == 1
    assert order.advance(256) == [255]
    assert order.is_settled(256)
    assert not order.is_settled(255)


def test_half_the_ring_of_numbers_lies_ahead_of_a_box() -> None:
    for oldest, ahead in ((32_767, True), (32_768, False)):
        order = filled(1, [])
        assert order.accept(2, 0, 2) == []
        assert order.advance(oldest) == ([2] if ahead else [])
        assert order._expected == oldest
