"""Every getter of an untrusted document takes what its bounds allow and names the entry of what they do not."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, merged, parse_json, parse_toml, shown

Read = Callable[[DocumentTable], Any]


def table(value: Any) -> DocumentTable:
    return DocumentTable({"key": value}, "file.toml", "entry")


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("abc", lambda each: each.text("key", longest=3)),
        ("low", lambda each: each.choice("key", ("low", "high"))),
        (1, lambda each: each.integer("key", 1, 3)),
        (3, lambda each: each.integer("key", 1, 3)),
        (2**53, lambda each: each.integer("key")),
        (0, lambda each: each.number("key", 0, 1)),
        (1.0, lambda each: each.number("key", 0, 1)),
        (False, lambda each: each.flag("key")),
        ((1, 3), lambda each: each.integers("key", 1, 3, longest=2)),
        (("a", "b"), lambda each: each.texts("key", longest=2)),
        ((1, "a"), lambda each: each.sequence("key", longest=2)),
    ],
)
def test_what_is_within_its_bounds_is_taken(value: Any, read: Read) -> None:
    assert read(table(value)) == value


@pytest.mark.parametrize(
    ("value", "read", "reason"),
    [
        ("abcd", lambda each: each.text("key", longest=3), "entry.key: is longer than 3 characters"),
        (1, lambda each: each.text("key"), "entry.key: must be text, not 1"),
        (["a"], lambda each: each.text("key"), "entry.key: must be text, not a list"),
        ("mid", lambda each: each.choice("key", ("low", "high")), "entry.key: is 'mid'; it must be one of low, high"),
        ("mid", lambda each: each.choice("key", ("low", "")), "it must be one of low, or empty"),
        (0, lambda each: each.integer("key", 1, 3), "entry.key: is 0; it must be from 1 to 3"),
        (4, lambda each: each.integer("key", 1, 3), "entry.key: is 4; it must be from 1 to 3"),
        (True, lambda each: each.integer("key", 0, 3), "entry.key: must be a whole number, not true"),
        (1.0, lambda each: each.integer("key", 0, 3), "entry.key: must be a whole number, not 1.0"),
        (2**53 + 1, lambda each: each.integer("key"), "entry.key: is 9007199254740993"),
        pytest.param(10**5000, lambda each: each.integer("key"), "entry.key: is a huge number", id="huge"),
        (-0.1, lambda each: each.number("key", 0, 1), "entry.key: is -0.1; it must be from 0 to 1"),
        (1.5, lambda each: each.number("key", 0, 1), "entry.key: is 1.5; it must be from 0 to 1"),
        (float("nan"), lambda each: each.number("key", 0, 1), "entry.key: is nan; it must be from 0 to 1"),
        (True, lambda each: each.number("key", 0, 1), "entry.key: must be a number, not true"),
        (1, lambda each: each.flag("key"), "entry.key: must be true or false, not 1"),
        ([], lambda each: each.table("key"), "entry.key: must be a table, not a list"),
        ([1, 4], lambda each: each.integers("key", 1, 3), "entry.key[2]: must be a whole number from 1 to 3, not 4"),
        ([0], lambda each: each.integers("key", 1, 3), "entry.key[1]: must be a whole number from 1 to 3, not 0"),
        ([1, True], lambda each: each.integers("key", 1, 3), "entry.key[2]: must be a whole number from 1 to 3"),
        ([1, 1, 1], lambda each: each.integers("key", 1, 3, longest=2), "has 3 entries; at most 2 are allowed"),
        (["a", 1], lambda each: each.texts("key"), "entry.key[2]: must be text, not 1"),
        ("ab", lambda each: each.texts("key"), "entry.key: must be a list, not 'ab'"),
        (["a", "b"], lambda each: each.sequence("key", longest=1), "has 2 entries; at most 1 are allowed"),
        ([{}, 1], lambda each: each.tables("key"), "entry.key[2]: must be a table, not 1"),
        (1, lambda each: each.only("near", "by"), "entry.key: is not known here (known: by, near)"),
        (1, lambda each: each.required("other"), "entry.other: is missing"),
    ],
)
def test_what_is_not_is_refused_with_its_place_and_reason(value: Any, read: Read, reason: str) -> None:
    with pytest.raises(InvalidDocument) as refused:
        read(table(value))
    assert reason in str(refused.value)
    assert str(refused.value).startswith("file.toml")


def test_what_is_left_out_is_the_default_or_empty_where_it_may_be() -> None:
    empty = DocumentTable({}, "file.toml", "")
    assert (empty.text("a", "b"), empty.choice("a", ("b",), "b"), empty.flag("a", True)) == ("b", "b", True)
    assert (empty.integer("a", 1, 3, 2), empty.number("a", 0, 1, 0.5)) == (2, 0.5)
    assert not empty.table("a", optional=True).values
    assert empty.table("a", optional=True).at("b") == "a.b"
    for read in (empty.sequence, empty.texts, empty.tables):
        assert read("a", optional=True) == ()
        with pytest.raises(InvalidDocument, match="a: is missing"):
            read("a")
    assert empty.integers("a", 1, 3, optional=True) == ()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_not_finite_is_refused(number: str) -> None:
    with pytest.raises(InvalidDocument, match=f"holds '{number}', which is no number it may hold"):
        parse_json(f'{{"a": [{number}]}}', "file.json")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, "a": 2}', "has the same key twice in one object"),
        ('{"a": "\\ud800"}', "holds half of a surrogate pair"),
        ("[1]", "must be an object, not a list"),
        ('{\n"a" 1}', "line 2 column 5: is not JSON"),
        ('{"a": ' + "9" * 5000 + "}", "holds a number with more digits than can be read"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "holds tables or lists nested too deeply"),
    ],
)
def test_json_that_cannot_be_taken_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidDocument) as refused:
        parse_json(text, "file.json")
    assert reason in str(refused.value)


def test_json_with_a_whole_surrogate_pair_is_a_character() -> None:
    assert parse_json('{"a": "\\ud83d\\ude00"}', "file.json").text("a") == "\U0001f600"


def test_a_line_of_toml_may_have_so_many_dots_and_no_more() -> None:
    key = ".".join("a" * 500)
    assert "a" in parse_toml(f"{key} = 0.5", "file.toml")
    with pytest.raises(InvalidDocument, match="line 2: has more than 500 dots"):
        parse_toml(f"\n{key}.a = 0.5", "file.toml")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        ({}, "a table"),
        ([], "a list"),
        ("a", "'a'"),
        ("a" * 58, "'" + "a" * 58 + "'"),
        ("a" * 59, "'" + "a" * 58 + "…"),
    ],
)
def test_a_value_is_shown_in_at_most_sixty_characters(value: Any, text: str) -> None:
    assert shown(value) == text
    assert len(text) <= 60


def test_a_merge_patch_changes_what_it_names_and_takes_out_what_it_gives_as_null() -> None:
    assert merged({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": None, "e": 3}, "d": [2]}) == {
        "a": {"c": 2, "e": 3},
        "d": [2],
    }
    assert merged([1], {"a": None, "b": 1}) == {"b": 1}


def test_a_key_with_a_line_break_is_named_on_one_line() -> None:
    table = parse_json('{"a\\nb": 1}', "file")
    with pytest.raises(InvalidDocument) as raised:
        table.only("a")
    assert str(raised.value) == "file: a�b: is not known here (known: a)"
