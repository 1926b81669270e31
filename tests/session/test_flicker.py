"""Spots that are read now as one thing, now as another, while nothing moves."""

from companion.session.flicker import STEADY, FlickerMemory

EXPECTED = {"a": "red"}


def seen(memory: FlickerMemory, *labels: str, spot: str = "a", begin: float = 1.0) -> list[bool]:
    """Whether the spot flickers after each of these readings, one a second."""
    return [spot in memory.observe({spot: label}, EXPECTED, begin + time) for time, label in enumerate(labels)]


def test_one_reading_of_something_else_that_gives_way_to_what_is_expected_is_a_flicker() -> None:
    assert seen(FlickerMemory(), "red", "blue", "red") == [False, False, True]
    assert seen(FlickerMemory(), "", "blue", "", spot="b") == [False, False, True]


def test_what_is_read_twice_or_gives_way_to_something_unexpected_is_none() -> None:
    assert not any(seen(FlickerMemory(), "red", "blue", "blue", "red"))
    assert not any(seen(FlickerMemory(), "red", "blue", "green"))
    assert not any(seen(FlickerMemory(), "blue", "red"))
    assert not any(seen(FlickerMemory(), "blue", "green", "blue"))
    assert not any(seen(FlickerMemory(), "red", "red", "red"))


def test_a_spot_that_flickered_is_doubtful_until_it_was_steady_for_a_while() -> None:
    memory = FlickerMemory()
    assert STEADY == 8.0
    seen(memory, "red", "blue", "red", begin=0.0)
    assert [memory.observe({"a": "red"}, EXPECTED, time) for time in (3.0, 9.9, 10.0)] == [{"a"}, {"a"}, set()]
    again = [memory.observe({"a": label}, EXPECTED, time) for label, time in (("blue", 11.0), ("blue", 18.5))]
    assert again == [{"a"}, {"a"}], "one that flickered once is doubtful at each change"
    assert memory.observe({"a": "blue"}, EXPECTED, 19.0) == frozenset()


def test_a_spot_that_is_not_read_stays_as_it_was_and_a_hand_begins_anew() -> None:
    memory = FlickerMemory()
    seen(memory, "red", "blue")
    memory.forget(["a", "b"])
    assert seen(memory, "red", begin=3.0) == [False]
    seen(memory, "blue", "red", begin=4.0)
    assert memory.observe({}, EXPECTED, 6.0) == {"a"}
    memory.forget(["a"])
    assert memory.observe({}, EXPECTED, 7.0) == frozenset()
