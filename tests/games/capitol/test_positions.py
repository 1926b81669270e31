"""Positions and boards of Capitol that cannot be are refused with the entry and the reason."""

import copy
from random import Random
from typing import Any

import pytest

from companion.board.layout import Board, parse_board
from companion.engine import random_game
from companion.errors import InvalidDocument, InvalidNotation
from companion.files.documents import DocumentTable
from companion.frozen import FrozenDict, changed
from companion.games.capitol.events import BuildingPlaced
from companion.games.capitol.game import GAME
from companion.games.capitol.geometry import geometry
from companion.games.capitol.state import District, Holding, State, city
from companion.position import position_document
from companion.registry import print_and_play_board
from tests.conformance import starting_state
from tests.games.capitol.tables import position

WON = {"phase": "improvement", "auction": {"ready": [1, 2], "opened": [1, 2], "winner": 2},
       "decks": {"roof": {}, "floor": {}, "permit": {}}}  # fmt: skip
AWARD = {"round": 1, "rule": "CAP-SCORE-8", "area": "Palatine", "seat": 1, "points": 2}


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ({"buildings": ["Palatine/1 1-round"]}, "buildings\\[1\\]: .* must be like 'Palatine/3 2-round 1'"),
        ({"buildings": ["Palatine/1 1-round 3"]}, "must be like"),
        ({"buildings": ["Palatine/1 0-round 1"]}, "'0-round' is no building"),
        ({"buildings": ["Palatine/1 1-flat 1"]}, "'1-flat' is no building"),
        ({"buildings": ["Palatine/8 1-round 1"]}, "'Palatine/8' is no square"),
        ({"buildings": ["Palatine/L 1-round 1"]}, "Palatine/L is a large square"),
        ({"buildings": ["Viminal/7 1-round 1"]}, "Viminal/7 has a fountain printed on it"),
        ({"buildings": ["Palatine/1 1-round 1", "Palatine/1 1-round 2"]}, "buildings\\[2\\]: Palatine/1 holds"),
        ({"buildings": ["Palatine/1 1-round 1"], "fountains": ["Palatine/1"]}, "fountains\\[1\\]: Palatine/1 holds"),
        ({"fountains": ["Palatine/1", "Palatine/1"]}, "fountains\\[2\\]"),
        ({"fountains": [f"Palatine/{n}" for n in range(1, 8)] + ["Aventine/1", "Aventine/2"]}, "has 9 entries"),
        ({"monuments": ["Palatine/L"]}, "must be like 'Palatine/L temple'"),
        ({"monuments": ["Palatine/1 temple"]}, "Palatine/1 is a small square"),
        ({"monuments": ["Palatine/L temple", "Palatine/L temple"]}, "monuments\\[2\\]: Palatine/L holds"),
        ({"monuments": ["Palatine/L temple", "Caelian/L temple", "Aventine/L temple"]}, "one more temple than the box"),
        ({"player": {"1": {"completed": ["1-round"] * 6}}}, "roofs: there are 5 round ones, but 6 cover buildings"),
        ({"player": {"1": {"roofs": {"round": 5}}}}, "roofs: there are 5 round ones, but 2 cover"),
        ({"player": {"3": {}}}, "player.3: is not known here"),
        ({"to_move": 0}, "to_move: is 0; it must be from 1 to 2"),
        ({"to_move": 3}, "to_move: is 3; it must be from 1 to 2"),
        ({"awards": [AWARD | {"points": -1}]}, "points: is -1; it must be from 0 to 99"),
        ({"awards": [AWARD | {"floors": -1}]}, "floors: is -1; it must be from 0 to 999"),
        ({"awards": [AWARD | {"tallest": -1}]}, "tallest: is -1; it must be from 0 to 99"),
        ({"awards": [AWARD | {"round": 5}]}, "round: is 5; it must be from 1 to 4"),
        ({"awards": [AWARD | {"seat": 3}]}, "seat: is 3; it must be from 1 to 2"),
        ({"player": {"1": {"unroofed": [80]}}}, "floors: there are 90 \\(in buildings: 92, in the reserve: 0"),
        ({"floors": 90}, "floors: there are 90 \\(in buildings: 12, in the reserve: 90"),
        ({"player": {"1": {"hand": ["floor-9"]}}}, "'floor-9' is no card"),
        ({"player": {"1": {"hand": ["roof"] * 15}}}, "player: the players hold 17 roof cards with their bids"),
        ({"player": {"1": {"hand": ["roof-1"] * 3}}}, "no more than 2 of roof-1"),
        ({"player": {"1": {"hand": ["white"] * 9}}}, "only 8 white permits"),
        ({"decks": {"roof": {"pile": ["floor"] * 10}}}, "holds a card that is no roof card"),
        ({"decks": {"roof": {"pile": ["roof"] * 15}}}, "makes 15 roof cards with all the others; there are 14"),
        ({"decks": {"roof": {"discard": ["roof"] * 15}}}, "makes 15 roof cards"),
        ({"passed": [1, 1]}, "passed: names a seat twice"),
        ({"phase": "drawing", "passed": [1]}, "passed: belongs to the phase construction"),
        ({"draws": 2}, "draws: belongs to the phase drawing"),
        ({"auction": {"number": 1}}, "auction: belongs to the phase improvement"),
        ({"phase": "improvement", "auction": {"number": 4}}, "must be from 1 to 3"),
        ({"phase": "improvement", "auction": {"opened": [1]}}, "opened: names a seat that is not ready"),
        ({"phase": "improvement", "auction": {"ready": [1, 2], "winner": 1}}, "winner: is known only when everybody"),
        ({"phase": "improvement", "auction": {"bids": {"1": ["floor"]}}}, "bids.1: must have the numbers"),
        ({"extra": [1]}, "extra: must be 2 numbers"),
        ({"extra": [1, 0]}, "extra: counts what the round earned for the phase drawing, not for construction"),
        ({"passed": [1, 2]}, "passed: names everybody"),
        ({"passed": [1]}, "to_move: is 1, who has passed already"),
        ({"phase": "improvement", "to_move": 2}, "to_move: is 2, but it is 1 whose move it is in the auction"),
        ({"phase": "improvement", "auction": {"ready": [1, 2], "opened": [1, 2]}}, "auction.winner: is missing"),
        ({"phase": "improvement", "auction": {"bids": {"1": ["floor-8"]}}}, "bids.1: shows cards that lie face down"),
        ({"phase": "improvement", "auction": {"ready": [1, 2], "bids": {"2": ["floor-8"]}}}, "bids.2: shows cards"),
        (
            {"phase": "improvement",
             "auction": {"ready": [1, 2], "opened": [1, 2], "winner": 1, "bids": {"2": ["floor-8"]}}},
            "bids.2: shows cards that are back by now",
        ),
        (
            {"phase": "improvement", "fountains": [f"Palatine/{number}" for number in range(1, 8)] + ["Aventine/1"]},
            "fountains: all 8 are on the board, but the auction is about another one",
        ),
        (
            {"phase": "improvement", "auction": {"number": 3},
             "monuments": ["Palatine/L amphitheatre", "Aventine/L amphitheatre"]},
            "monuments: all 2 are on the board, but the auction is about another one",
        ),
        ({"phase": "drawing", "draws": 7}, "draws: is 7; player 1 has from 1 to 6 left to draw"),
        ({"phase": "drawing", "draws": 0}, "draws: is 0"),
        ({"decks": {"roof": {"pile": [], "discard": ["roof"] * 10}}}, "decks.roof.discard: lies alone"),
        ({"round": 5}, "round: is 5"),
        ({"awards": [{"round": 1, "rule": "CAP-DRAW-1", "area": "Palatine", "seat": 1, "points": 2}]}, "awards\\[1\\]"),
        ({"awards": [AWARD]}, "awards\\[1\\].round: is 1, which is not scored yet in the phase construction"),
        ({"phase": "drawing", "awards": [AWARD | {"round": 2}]}, "awards\\[1\\].round: is 2, which is not scored yet"),
        ({"round": 2, "awards": [AWARD | {"squares": ["Aventine/1"]}]}, "names Aventine/1, which is not in Palatine"),
        ({"round": 3, "phase": "over"}, "round: is 3, but the game is over, which it is after round 4"),
        ({"card": "floor"}, "card: is not known here"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_is_refused(entries: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason):
        position(**entries)


def test_a_winner_s_bid_may_lie_among_the_unseen_cards_of_a_stack() -> None:
    """As where the table told less for a while: what it forgot lies in the stacks."""
    told = WON["decks"] | {"floor": {"discard": ["floor-7"]}}
    nobody = {"rulings": {"all_zero_auction": "nobody"}}
    for change in ({}, nobody, {"first": 2}, {"decks": told}, {"decks": {"floor": {}}}):
        assert position(**WON | change).auction.winner == 2
    without_stacks = {key: value for key, value in WON.items() if key != "decks"}
    assert position(**without_stacks).auction.winner == 2
    assert position(phase="over").round == 4


def test_who_may_draw_more_cards_has_as_many_left_to_draw() -> None:
    assert [position(phase="drawing", extra=extra, to_move=2).draws for extra in ([0, 0], [3, 0], [0, 3])] == [6, 6, 9]


def test_a_bid_that_was_revealed_is_kept_and_only_bids_are_secrets_beside_the_hand() -> None:
    state = position(phase="improvement", auction={"ready": [1, 2], "opened": [1], "bids": {"1": ["floor-8"]}})
    assert state.auction.bids == (("floor-8",), ())
    assert [holding.name for holding in GAME.secrets(state, 1)] == ["cards", "bid"]
    assert [holding.name for holding in GAME.secrets(state, 2)] == ["cards"]


def test_what_is_left_out_is_as_at_set_up() -> None:
    state = position(buildings=["Palatine/1 2-round 1"], player={"2": {"unroofed": [3, 1]}})
    assert state.holding(1).completed == ("1-round", "1-triangular", "2-triangular")
    assert state.holding(1).roofs == {"round": 3, "triangular": 3}
    assert state.holding(2).unroofed == (1, 3)
    assert state.floors == 90 - 12 - 4


def test_the_order_of_building_is_kept() -> None:
    """The first building of an area sets its shape, also where the table went against the rules."""
    buildings = ["Palatine/5 1-triangular 1", "Palatine/1 1-round 2"]
    state = position(buildings=buildings)
    assert position_document(GAME, state)["buildings"] == buildings
    assert state.city.districts["Palatine"].shape == "triangular"


@pytest.mark.parametrize("seed", range(6))
def test_what_a_position_keeps_of_its_areas_follows_from_its_pieces(seed: int) -> None:
    random = Random(seed)
    steps = list(random_game(GAME, starting_state("capitol", 2 + seed % 3, random), random))
    for state, *_ in steps:
        assert state.city.districts == districts_of(state)
    building = BuildingPlaced(1, "1-round", next(iter(state.city.buildings)))
    state = GAME.evolve(changed(state, holdings=(Holding((), FrozenDict()),) * len(state.holdings)), building)
    assert state.city.districts == districts_of(state), "a building where one stands, which the table may insist on"


def districts_of(state: State) -> FrozenDict[str, District]:
    """The districts that the buildings, fountains and monuments make."""
    return city(state.board, state.city.buildings, state.city.fountains, state.city.monuments).districts


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "an action is one line"),
        ("floor", "the form is 'floor-5 new 2'"),
        ("floor-x new", "'floor-x' is no card"),
        ("floor 0 1", "'0' is no height"),
        ("floor 1 2 3 4 5", "the form is"),
        ("roof flat 2", "the form is 'roof-3 round 2'"),
        ("roof round new", "'new' is no height"),
        ("white Palatine/3", "'palatine/3' is no building"),
        ("white 2-round", "the form is"),
        ("white 2-round Palatine/9", "'palatine/9' is no square"),
        ("permit 2-round Palatine/3", "it must begin with one of"),
        ("ready 3", "'3' is no seat; they are 1 to 2"),
        ("reveal white", "the form is 'reveal floor-7', a card with its number"),
        ("draw card", "'card' is no card"),
        ("senator now", "the form is 'senator'"),
        ("pass pass", "the form is 'pass'"),
        ("pass-1", "the form is 'pass'"),
        ("tile", "the form is"),
        ("dance", "it must begin with one of floor, roof, white"),
        ("floor " + "new " * 60, "an action is one line"),
    ],
)
def test_text_that_is_no_action_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidNotation, match=reason):
        GAME.parse_action(text, position())


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("FLOOR-5 2 New", "floor-5 new 2"),
        ("white-04 2-Round field of mars/2", "white-4 2-round Field of Mars/2"),
        ("Tile tiber island/l", "tile Tiber Island/L"),
        ("Draw PERMIT", "draw permit"),
    ],
)
def test_capitals_and_order_do_not_matter(text: str, meant: str) -> None:
    assert GAME.parse_action(text, position()).text == meant


def board_with(**changes: Any) -> Board:
    definition = copy.deepcopy(dict(print_and_play_board("capitol").definition))
    for key, change in changes.items():
        definition[key] = change(definition[key])
    return parse_board(DocumentTable(definition, "board", ""))


def without(name: str) -> Any:
    return lambda groups: [group for group in groups if group["name"] != name]


def feature(kind: str, **sites: str) -> Any:
    return lambda features: features | {kind: features[kind] | sites}


def with_forum(groups: list[Any]) -> list[Any]:
    return [*groups, groups[1] | {"name": "Forum", "prefix": "Forum"}]


def no_white(features: dict[str, Any]) -> dict[str, Any]:
    return features | {"white": {}}


def fewer_squares(groups: list[Any]) -> list[Any]:
    return [group | {"place": dict(list(group["place"].items())[:5])} for group in groups]


def fewer_labels(pieces: list[Any]) -> list[Any]:
    return [piece | {"labels": ["1", "2"]} if piece["name"] == "floor" else piece for piece in pieces]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"group": without("Palatine large"), "feature": no_white}, "Palatine: must have exactly one large square"),
        ({"group": with_forum}, "Forum: has a large square, but no small one"),
        ({"feature": feature("white", Palatine="Quirinal/L")}, "black.Quirinal: Quirinal is white already"),
        ({"feature": feature("white", Palatine="Palatine/1")}, "Palatine/1 is no large square"),
        ({"feature": lambda f: f | {"red": {"Viminal": "Viminal/L"}}}, "feature.red: must name 3 areas, not 1"),
        ({"feature": feature("fountain", Other="Palatine/L")}, "fountain.Other: Palatine/L is no small square"),
        ({"group": fewer_squares, "feature": lambda f: f | {"fountain": {}}}, "there must be room for 48 pieces"),
        ({"piece": fewer_labels}, "piece.floor.labels: lack 3"),
        ({"piece": lambda pieces: [piece for piece in pieces if piece["name"] != "gable"]}, "piece.gable: is missing"),
    ],
)  # fmt: skip
def test_a_board_that_cannot_be_played_on_is_refused(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason):
        geometry(board_with(**changes))


def test_two_groups_may_not_name_the_same_site() -> None:
    with pytest.raises(InvalidDocument, match="makes a second site 'Palatine/1'"):
        board_with(group=lambda groups: [*groups, groups[0] | {"name": "again", "prefix": "Palatine"}])


def test_a_card_that_is_none_is_told_which_there_are() -> None:
    with pytest.raises(InvalidNotation, match=r"cards are roof, floor, \w+, \w+, \w+ with a number"):
        GAME.parse_action("draw green-1", position())
