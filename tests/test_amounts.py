"""Amounts and facts are values; words are made of them in one place."""

import pytest

from companion.amounts import Amount, Holding, counted, listed, number
from companion.facts import fact_json, fact_words
from companion.wording.texts import game_texts


@pytest.mark.parametrize(
    ("amounts", "words"),
    [
        (counted({"red": 2, "yellow": 0, "blue": 1}), "2 red, 1 blue"),
        (listed(["blue", "red", "blue"]), "blue, red, blue"),
        (number(7), "7"),
        ((Amount("any", value=4), Amount(value=3)), "any started line: 4, 3"),
        ((), "none"),
    ],
)
def test_amounts_in_words(amounts, words):
    assert game_texts("city_of_marble").amounts(amounts) == words


@pytest.mark.parametrize(
    ("amounts", "is_empty"),
    [((), True), (number(0), True), (number(1), False), (listed(["red"]), False), ((Amount(value=0),), False)],
)
def test_a_holding_is_empty_where_it_has_no_pieces(amounts, is_empty):
    assert Holding("coins", amounts).is_empty is is_empty


@pytest.mark.parametrize(
    ("fact", "words", "document"),
    [(("a", 2), "<a>, <2>", "a, 2"), ((), "<none>", "none"), ("a, b", "<a, b>", "a, b"), (3, "<3>", 3)],
)
def test_a_fact_in_words_and_in_json(fact, words, document):
    assert fact_words(fact, lambda value: f"<{value}>") == words
    assert fact_json(fact) == document


def test_a_kind_that_ends_with_a_number_has_no_other_number_before_it():
    words = game_texts("capitol")
    held = (Amount("roof", 1), Amount("roof-1", 1), Amount("roof-2", 3))
    assert words.amounts(held) == "1 roof, roof card 1, 3 × roof card 2"
