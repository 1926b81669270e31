"""Cards and buildings in the words of the language in use; notation stays as it is."""

from dataclasses import replace

import pytest

from companion.amounts import Amount
from companion.engine import apply, scores
from companion.games.capitol.actions import Draw, PlayFloor, PutTile
from companion.games.capitol.events import FloorsBuilt
from companion.position import parse_position
from companion.registry import load_game
from companion.table import Player
from companion.wording.texts import game_texts
from tests.games.capitol.tables import position
from ui.services import text
from ui.table.choice_faces import brief_of, faces_of_action


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
        told = text.translated_texts("capitol").amounts((Amount("roof-3", 2), Amount("red-1"), Amount("4-round")))
    finally:
        text.use_language("en")
    assert told == "2 × Dachkarte 3, rote Genehmigung 1, 4 rund"


def test_each_line_of_the_sheet_tells_why_its_player_is_there_and_what_a_temple_doubled():
    game = load_game("capitol")
    before = position(
        phase="improvement", round=3, auction={"number": 3, "ready": [1, 2], "opened": [1, 2], "winner": 1},
        fountains=["Palatine/4"], monuments=["Palatine/L temple"],
        buildings=["Palatine/1 3-round 1", "Palatine/2 2-round 1", "Palatine/3 4-round 2"],
    )  # fmt: skip
    state = apply(game, before, PutTile("Aventine/L")).state
    texts = game_texts("capitol")
    told = [(line.seat, line.points, texts.score_line(line)) for line in scores(game, state).lines]
    assert told == [
        (1, 2, "round 3: first in Palatine (floors: 5, tallest building: 3)"),
        (1, 1, "round 3: first in Palatine (floors: 5, tallest building: 3), fountains: 1"),
        (2, 1, "round 3: second in Palatine (floors: 4, tallest building: 4), fountains: 1"),
        (1, 3, "round 3: temple in Palatine doubles the points: 3"),
        (2, 1, "round 3: temple in Palatine doubles the points: 1"),
    ]


def test_a_line_of_which_a_position_does_not_tell_the_floors_says_so():
    award = {"round": 1, "rule": "CAP-SCORE-8", "area": "Palatine", "seat": 2, "points": 2, "squares": ["Palatine/1"]}
    state = position(round=2, buildings=["Palatine/1 1-round 2"], awards=[award])
    (line,) = scores(load_game("capitol"), state).lines
    assert game_texts("capitol").score_line(line) == "round 1: first in Palatine (floors: ?, tallest building: ?)"


@pytest.mark.parametrize(
    ("language", "fact", "choice"),
    [
        ("en", "Giulia builds two new buildings.", "Floor card: two new buildings"),
        ("de", "Giulia baut zwei neue Gebäude.", "Stockwerkkarte: zwei neue Gebäude"),
        ("it", "Giulia costruisce due edifici nuovi.", "Carta piano: due edifici nuovi"),
    ],
)
def test_two_new_buildings_are_told_as_two(language, fact, choice):
    table = replace(position().table, players=(Player("Giulia", "white"), Player("Tiberio", "black")))
    text.use_language(language)
    try:
        texts = text.translated_texts("capitol")
        assert texts.event(FloorsBuilt(1, ("new", "new")), table) == fact
        assert texts.action(PlayFloor("floor", ("new", "new"))) == choice
    finally:
        text.use_language("en")


@pytest.mark.parametrize(
    ("onto", "built"),
    [
        ("new", "a new building"),
        ("new new", "two new buildings"),
        ("new 1", "a new building of two floors"),
        ("new 3", "a new building, and a floor on one of height 3"),
        ("2", "a floor on a building of height 2"),
        ("2 2", "a floor on each of two buildings of height 2"),
        ("2 3", "two floors on a building of height 2"),
        ("2 4", "a floor on a building of height 2, a floor on a building of height 4"),
    ],
)
def test_what_a_floor_card_builds_is_told_by_what_stands_there_afterwards(onto: str, built: str) -> None:
    parts = tuple(onto.split())
    table = position().table
    assert game_texts("capitol").action(PlayFloor("floor-5", parts)) == f"Floor card 5: {built}"
    assert game_texts("capitol").event(FloorsBuilt(1, parts), table) == f"Player 1 builds {built}."


@pytest.mark.parametrize(
    ("onto", "heights"), [("new new", "1 + 1"), ("new 1", "2"), ("new 3", "1 + 4"), ("2 3", "4"), ("2 4", "3 + 5")]
)
def test_the_card_of_a_choice_shows_the_buildings_that_floors_make(onto: str, heights: str) -> None:
    assert brief_of(faces_of_action("capitol", f"floor-5 {onto}", "red")) == heights


def test_what_is_turned_over_for_a_bid_lies_open_with_its_sum_also_where_that_is_nothing() -> None:
    text = """game = "capitol"
phase = "improvement"
[auction]
number = 1
ready = [1, 2]
opened = [1]
bids = { 1 = ["white-5", "red-2"] }
"""
    game = load_game("capitol")
    state = parse_position(text, "position").state
    told = {holding.name: holding for holding in game.holdings(state, 1)}
    assert [amount.value for amount in told["bid"].amounts] == [7]
    assert "bid" not in {holding.name for holding in game.holdings(state, 2)}
    nothing = parse_position(text.partition("bids")[0], "position").state
    told = {holding.name: holding for holding in game.holdings(nothing, 1)}
    assert [amount.value for amount in told["bid"].amounts] == [0]
    assert not told["bid"].is_empty
