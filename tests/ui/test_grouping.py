"""Long groups of choices fall into parts that are seen at once."""

from __future__ import annotations

from ui.table.grouping import LONG_GROUP, split_long_groups
from ui.view_models.play_view import ChoiceView


def choices(*texts: str, group: str = "Draw a card") -> list[ChoiceView]:
    return [ChoiceView(text.lower(), text, group) for text in texts]


def test_a_long_group_is_split_by_how_its_texts_begin() -> None:
    texts = [f"Draw {kind}-{number}" for kind in ("roof", "floor") for number in range(1, 8)]
    found = split_long_groups(choices(*texts, "Draw roof card"))
    assert [choice.group for choice in found] == ["Draw roof"] * 7 + ["Draw floor"] * 7 + ["Draw roof"]
    assert [choice.text for choice in found] == [*texts, "Draw roof card"]


def test_parts_are_named_by_all_the_words_they_share() -> None:
    pairs = [f"Return Postal carrier, {name}" for name in "abcdefg"]
    alone = [f"Return Office {name}" for name in "tuvwxyz"]
    names = {choice.group for choice in split_long_groups(choices(*pairs, *alone, "Return Cartwright"))}
    assert names == {"Return Postal carrier", "Return Office", "Return Cartwright"}


def test_the_word_that_tells_them_apart_may_come_first() -> None:
    texts = [f"{kind}-{number} ziehen" for kind in ("Dach", "Stockwerk") for number in range(8)]
    assert {choice.group for choice in split_long_groups(choices(*texts))} == {"Dach", "Stockwerk"}


def test_short_groups_and_those_of_too_many_parts_are_left_whole() -> None:
    few = choices(*(f"Draw {number}" for number in range(LONG_GROUP)), group="Few")
    many = choices(*(f"Ward {number}" for number in range(40)), group="Many")
    assert split_long_groups([*few, *many]) == (*few, *many)


def test_a_part_that_is_long_itself_is_split_again() -> None:
    texts = [f"Pesca {kind} {n}" for kind in ("carta tetto", "carta piano", "permesso") for n in range(8)]
    names = {choice.group for choice in split_long_groups(choices(*texts))}
    assert names == {"Pesca carta tetto", "Pesca carta piano", "Pesca permesso"}


def test_the_same_text_in_a_short_group_stays_there() -> None:
    texts = [f"Draw {kind}-{number}" for kind in ("roof", "floor") for number in range(1, 8)]
    found = split_long_groups([*choices(*texts), *choices(texts[0], group="Usual")])
    assert found[-1].group == "Usual"
    assert found[0].group == "Draw roof"
