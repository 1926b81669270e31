"""Where a rule stands, in words for who only plays."""

import pytest

from companion.registry import GAMES, load_game
from ui.services.sources import source_title, spelled_sources
from ui.services.text import _, use_language


def test_sources_are_named_in_words():
    headings = {"Gioca una tessera": "Play a tile", "Gioca una tessera, e pesca": "Play a tile, and draw"}
    assert source_title("IT, Gioca; W2 for the full side", headings) == "Italian rulebook, Gioca"
    for told, named in (
        ("IT, Gioca una tessera; this table's ruling: It only touches", "Italian rulebook, Play a tile"),
        ("IT, Gioca una tessera, step 2", "Italian rulebook, Play a tile, step 2"),
        ("IT, Gioca una tessera, e pesca, note", "Italian rulebook, Play a tile, and draw, note"),
        ("IT, Gioca una tessera o due", "Italian rulebook, Gioca una tessera o due"),
    ):
        assert source_title(told, headings) == named
    use_language("it")
    assert source_title("IT, Gioca una tessera; W2", headings) == "Regolamento italiano, Gioca una tessera"
    use_language("en")
    assert source_title("FR, phase 2", {}) == "French rulebook, phase 2"
    assert source_title("EN 'not joining onto the end'", {}) == "English rulebook 'not joining onto the end'"
    assert source_title("F1, list of cards; G1", {}) == "List of cards (not from a rulebook)"
    assert source_title("G3: cardinal 5; IT", {}) == "Cardinal 5 (not from a rulebook)"
    assert source_title("W2", {}) == "Another source (not from a rulebook)"
    assert source_title("deduction from the contents", {}).startswith("No rulebook says it")
    assert (
        spelled_sources("IT says only touch; W2 next to") == "Italian rulebook says only touch; another source next to"
    )


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("game_id", GAMES)
def test_headings_that_a_rulebook_knows_are_said_in_the_chosen_language(game_id, language):
    """Also where the source around them is translated, which must leave them as they are printed."""
    book, told = load_game(game_id).rulebook, 0
    use_language(language)
    try:
        for rule in book.rules.values():
            named = [each for each in book.headings if rule.source.partition(";")[0] == f"IT, {each}"]
            for heading in named:
                said = source_title(_(rule.source), book.headings)
                assert said.endswith(f", {_(book.headings[heading])}"), rule.source
                assert heading not in said
                told += 1
    finally:
        use_language("en")
    assert told or not book.headings
