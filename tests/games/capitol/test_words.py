"""Cards and buildings in the words of the language in use; notation stays as it is."""

import pytest

from companion.games.capitol.actions import Draw
from ui import text


@pytest.mark.parametrize(
    ("language", "card", "label"),
    [
        ("en", "roof-3", "Draw roof card 3"),
        ("de", "roof-3", "Dachkarte 3 ziehen"),
        ("de", "white-12", "Weiße Genehmigung 12 ziehen"),
        ("it", "floor-5", "Pesca carta piano 5"),
        ("it", "floor", "Pesca carta piano"),
    ],
)
def test_a_card_is_named_with_its_number(language, card, label):
    text.use_language(language)
    try:
        assert text.translated_texts("capitol").action(Draw(card)) == label
    finally:
        text.use_language("en")
    assert Draw(card).text == f"draw {card}"


def test_what_lies_before_a_player_is_told_in_words():
    text.use_language("de")
    try:
        told = text.translated_texts("capitol").amounts("2 roof-3, red-1, 4-round")
    finally:
        text.use_language("en")
    assert told == "2 Dachkarte 3, rote Genehmigung 1, 4 rund"
