"""Places are shown as people write them, in the language in use; files and notation spell them in plain letters."""

import pytest

from companion.amounts import Amount
from companion.registry import print_and_play_board
from ui.services.text import place_name, translated_texts, use_language


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
