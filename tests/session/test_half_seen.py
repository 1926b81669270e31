"""A spot that is half seen as something else is doubtful after some quiet moments in a row, not before."""

from companion.session.half_seen import LOOKS, HalfSeenMemory
from companion.session.observation import MOMENT


def test_a_spot_is_doubtful_from_the_third_moment_on_and_as_long_as_it_is_half_seen() -> None:
    memory = HalfSeenMemory()
    assert LOOKS == 3
    assert [memory.observe(["a"], number * MOMENT) for number in range(4)] == [set(), set(), {"a"}, {"a"}]
    assert memory.observe([], 10.0) == frozenset()
    assert memory.observe(["a"], 11.0) == frozenset(), "it begins anew"


def test_looks_within_one_moment_are_one() -> None:
    memory = HalfSeenMemory()
    assert [memory.observe(["a"], 100.0 + number * MOMENT / 10) for number in range(9)] == [frozenset()] * 9
    found = [memory.observe(["a"], 100.0 + time * MOMENT) for time in (1.25, 2.0, 2.5)]
    assert found == [frozenset(), frozenset(), {"a"}]


def test_each_spot_counts_by_itself() -> None:
    memory = HalfSeenMemory()
    assert memory.observe(["a"], 1.0) == frozenset()
    assert memory.observe(["a", "b"], 2.0) == frozenset()
    assert memory.observe(["a", "b"], 3.0) == {"a"}
    assert memory.observe(["a", "b"], 4.0) == {"a", "b"}


def test_a_hand_over_a_spot_begins_its_count_anew() -> None:
    memory = HalfSeenMemory()
    for time in (1.0, 2.0):
        memory.observe(["a", "b"], time)
    memory.forget(["a", "c"])
    assert [memory.observe(["a", "b"], time) for time in (3.0, 4.0, 5.0)] == [{"b"}, {"b"}, {"a", "b"}]
