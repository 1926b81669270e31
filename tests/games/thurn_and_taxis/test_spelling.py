"""Cities and provinces are read in any spelling and written in one."""

import unicodedata

import pytest

from companion.errors import InvalidDocument, InvalidNotation
from companion.games.thurn_and_taxis.drawings import printed
from companion.photographs.last_board import LastBoard
from companion.position import parse_position, position_text
from companion.registry import load_game, print_and_play_board
from companion.wording.spelling import plain

PLAIN = """
game = "thurn_and_taxis"
modules = ["audience"]
display = ["Muenchen", "Muenchen", "Basel", "Linz", "Linz", "Lodz"]
stage = "house"
player = { 1 = { hand = ["Zuerich"], route = ["Wuerzburg", "Nuernberg", "Regensburg"], tiles = ["Wuerttemberg 3"] } }
houses = { Wuerzburg = [2] }
closing = { option = "each", waiting = ["Baiern"] }
audience = { carriages = { Wuerttemberg = "Chur", Boehmen = "Rom" }, told = { Boehmen = ["priest", "deacon"] } }
"""
NAMES = ("Boehmen", "Muenchen", "Nuernberg", "Wuerttemberg", "Wuerzburg", "Zuerich", "Basel", "Chur", "Rom")
OTHER_SPELLINGS = {
    "printed": printed,
    "decomposed": lambda name: unicodedata.normalize("NFD", printed(name)),
    "capitals": lambda name: printed(name).upper(),
    "small letters": str.lower,
}


@pytest.mark.parametrize("spelling", OTHER_SPELLINGS)
def test_a_position_is_read_in_any_spelling_and_written_in_one(spelling: str) -> None:
    text = PLAIN
    for name in NAMES:
        for whole in (name, f"{name} 3"):
            told = whole.replace(name, OTHER_SPELLINGS[spelling](name))
            text = text.replace(f'"{whole}"', f'"{told}"').replace(f"{{ {name} =", f'{{ "{told}" =')
    assert text != PLAIN
    one, other = parse_position(PLAIN, "plain"), parse_position(text, "other")
    assert position_text(one.game, one.state) == position_text(other.game, other.state)


def test_a_city_in_two_spellings_is_one_city_twice() -> None:
    text = 'game = "thurn_and_taxis"\n[houses]\n"München" = [1]\nMuenchen = [2]\n'
    with pytest.raises(InvalidDocument, match="Muenchen: is there twice"):
        parse_position(text, "twice")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("take MÜNCHEN", "take Muenchen"),
        ("play zürich LEFT", "play Zuerich left"),
        ("close Böhmen", "close Boehmen"),
        ("move münchen württemberg st. gallen", "move Muenchen Wuerttemberg St. Gallen"),
    ],
)
def test_an_action_is_read_in_any_spelling(text: str, written: str) -> None:
    position = parse_position(PLAIN, "plain")
    assert position.game.parse_action(text, position.state).text == written
    with pytest.raises(InvalidNotation, match=r"'munchen' is no city here; the nearest name is 'Muenchen'$"):
        position.game.parse_action("take Munchen", position.state)
    with pytest.raises(InvalidNotation, match=r"'atlantis' is no city here$"):
        position.game.parse_action("take Atlantis", position.state)


def test_an_answer_is_read_in_any_spelling() -> None:
    game, board = load_game("thurn_and_taxis"), print_and_play_board("thurn_and_taxis")
    state = LastBoard(game, board, {}, {}).position({"tiles.1": "WÜRTTEMBERG 3"}).state
    assert state.holding(1).tiles == ("Wuerttemberg 3",)


def test_sharp_s_and_other_letters() -> None:
    assert plain("Straße") == plain("STRASSE")
    assert plain("Zürich") != plain("Zurich")
