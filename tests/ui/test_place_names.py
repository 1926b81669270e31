"""Places are shown as people write them, in the language in use; files and notation spell them in plain letters."""

import pytest

from companion.amounts import Amount
from companion.registry import GAMES, print_and_play_board
from ui.services.text import place_name, site_name, translated_texts, use_language


@pytest.fixture(autouse=True)
def english_again():
    yield
    use_language("en")


@pytest.mark.parametrize("language", ["en", "it", "de"])
def test_no_name_of_a_city_or_province_is_shown_in_plain_letters(language):
    use_language(language)
    for board in print_and_play_board("thurn_and_taxis").sheets:
        names = {*board.features, *(place for group in board.groups.values() for place in group.places)}
        shown = {place_name("thurn_and_taxis", name) for name in names}
        assert not {name for name in shown if "ue" in name or "oe" in name}
    texts = translated_texts("thurn_and_taxis")
    assert texts.amounts((Amount("Muenchen"), Amount("Nuernberg", 2))) == "München, 2 Nürnberg"
    assert "Zürich" in texts.spot("house Zuerich")


@pytest.mark.parametrize(
    ("game", "name", "told"),
    [
        ("city_of_marble", "temple", "Tempel"),
        ("city_of_marble", "treasury", "Schatzkammer"),
        ("capitol", "Field of Mars", "Marsfeld"),
        ("capitol", "Palatine/3", "Palatin 3"),
        ("aqua_romana", "north-west", "Nordwest"),
        ("thurn_and_taxis", "rome", "Rom"),
        ("thurn_and_taxis", "cardinal", "Kardinal"),
    ],
)
def test_captions_of_a_board_are_translated(game, name, told):
    use_language("de")
    assert place_name(game, name) == told


@pytest.mark.parametrize(
    ("game", "site", "told"),
    [
        ("aqua_romana", "A1/E", "A1, east side"),
        ("aqua_romana", "path/16", "space 16"),
        ("aqua_romana", "podium/3", "podium 3"),
        ("capitol", "Palatine/3", "Palatine 3"),
        ("thurn_and_taxis", "blue/Zuerich", "Zürich"),
    ],
)
def test_a_touched_site_is_named_in_words(game, site, told):
    assert site_name(translated_texts(game), site) == told


def test_no_site_of_any_board_is_named_by_a_letter_or_a_number_alone():
    for game in GAMES:
        texts = translated_texts(game)
        for board in print_and_play_board(game).sheets:
            for site in {spot.site for spot in board.spots.values()}:
                assert len(site_name(texts, site)) > 1
                assert not site_name(texts, site).isdecimal()
