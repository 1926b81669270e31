"""Which entries are missing, and up to which none is: pure functions, against counting one by one."""

from hypothesis import given
from hypothesis import strategies as st

from ui.hub.batches import MOST_CLAIMED, OTHERS, Batch, Reason, missing_spans, unbroken_after

numbers = st.sets(st.integers(0, 30), max_size=30)


@given(st.integers(-1, 10), numbers)
def test_unbroken_is_the_last_number_before_the_first_that_is_missing(unbroken, stored):
    beyond = sorted(number for number in stored if number > unbroken)
    known = set(range(unbroken + 1)) | set(beyond)
    assert unbroken_after(unbroken, beyond) == next(n for n in range(-1, 40) if n + 1 not in known and n >= unbroken)


@given(st.integers(-1, 10), numbers, st.integers(-1, 35))
def test_what_is_missing_and_what_is_stored_make_up_all_numbers_once(unbroken, stored, highest):
    beyond = sorted(number for number in stored if unbroken < number <= highest)
    missing = [number for first, last in missing_spans(unbroken, beyond, highest) for number in range(first, last + 1)]
    assert sorted([*missing, *beyond]) == list(range(unbroken + 1, highest + 1))


def test_refusals_are_counted_by_name_only_for_so_many_tables():
    batch = Batch()
    for number in range(MOST_CLAIMED + 50):
        batch.refuse(Reason.UNREGISTERED, f"table-{number}")
    assert batch.refusals[Reason.UNREGISTERED, OTHERS] == 50
    assert len(batch.refusals) == MOST_CLAIMED + 1
