"""What games are called in messages, whatever of them can be read."""

import pytest

from companion.session.game_names import MOST_NAMED, listed, local_hour, named, stored_name, title_of, told_numbers
from companion.session.stored_lines import StoredGame

TIME = "2026-11-27T19:30:00Z"


def test_a_game_is_named_by_what_is_known_of_it() -> None:
    hour = local_hour(TIME)
    assert named("Capitol", ("Ada", "Bea"), TIME) == f"Capitol (Ada, Bea; {hour})"
    assert named("Capitol", ("Ada",), "") == "Capitol (Ada)"
    assert named("Capitol", (), TIME) == f"Capitol ({hour})"
    assert named("Capitol", (), "yesterday") == "Capitol"


@pytest.mark.parametrize("time", ["", "yesterday", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+23:59"])
def test_what_is_no_time_has_no_hour(time: str) -> None:
    assert local_hour(time) == ""


def test_an_hour_is_told_without_seconds() -> None:
    assert len(local_hour(TIME)) == len("2026-11-27 20:30")
    assert local_hour(TIME).endswith(":30")


def test_a_row_is_named_as_far_as_it_can_be_read() -> None:
    header = '{"players": [{"name": "Ada"}], rubbish'
    assert stored_name(StoredGame("evening-1", "capitol", "", header)) == "Capitol (Ada)"
    assert stored_name(StoredGame("evening-1", "", "", "")) == ""


def test_a_game_that_is_not_known_is_called_what_its_row_says() -> None:
    assert title_of("city_of_marble") == "Rome: City of Marble"
    assert title_of("chess") == "'chess'"
    assert title_of("") == ""
    assert len(title_of("x" * 100)) == 40


def test_a_list_names_the_first_and_says_that_there_are_more() -> None:
    names = ["a", "b", "c", "d", "e", "f"]
    assert MOST_NAMED == 4
    assert [listed(names[:count]) for count in (0, 1, 4, 5, 6)] == [
        "", "a", "a, b, c, d", "a, b, c, d, …", "a, b, c, d, …",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ([], ""),
        ([3], "3"),
        ([3, 4], "3–4"),
        ([3, 7, 8, 9], "3, 7–9"),
        ([1, 2, 4, 6, 7, 9], "1–2, 4, 6–7, 9"),
        ([1, 3, 5, 7, 9], "1, 3, 5, 7, …"),
    ],
)
def test_numbers_that_follow_one_another_are_told_from_where_to_where(numbers: list[int], told: str) -> None:
    assert told_numbers(numbers) == told
