"""Numbers of Thurn and Taxis that can be derived on paper."""

from typing import Any

import pytest

from companion.engine import apply_unchecked, legal_actions, legal_of_kind, perft
from companion.files.documents import DocumentTable
from companion.games.thurn_and_taxis.actions import Close, Move, Return
from companion.games.thurn_and_taxis.game import GAME
from companion.games.thurn_and_taxis.state import State, step_of
from companion.position import read_position
from tests.games.thurn_and_taxis import twins

SIX = ["Ulm", "Basel", "Linz", "Lodz", "Passau", "Pilsen"]


def position(**entries: Any) -> State:
    return read_position(DocumentTable({"game": "thurn_and_taxis", **entries}, "position", "")).state


def test_the_map_is_that_of_the_rules() -> None:
    board = position().board
    assert {frozenset((city, near)) for city, all_near in board.roads.items() for near in all_near} == twins.roads()
    assert {name: list(cities) for name, cities in board.cities_of.items()} == {
        name: cities.split() for name, cities in twins.PROVINCES.items()
    }


def test_the_first_cards_turned_over() -> None:
    """Any of 22 cities, three times each: the fourth card can be any but a fourth of one city."""
    assert [perft(GAME, position(), depth) for depth in range(1, 5)] == [22, 22**2, 22**3, 22**4 - 22]


def test_the_first_turn() -> None:
    """Six different cards lie open. The first is one of them or from the deck (7).

    A card from the display is replaced by one of 22 cities, after one from the deck the second is taken: 6 x 22 + 7.
    Of six open cards the new one is like one of the five others or not: 6 x (5 x 6 + 17 x 7). After the deck's card one
    of six is replaced by any of 22, or two unseen cards are held, of which any of 22 begins a route: 6 x 22 + 22.
    """
    start = position(display=SIX)
    assert [perft(GAME, start, depth) for depth in (1, 2, 3)] == [7, 6 * 22 + 7, 6 * (5 * 6 + 17 * 7) + 6 * 22 + 22]


@pytest.mark.parametrize("kinds", range(1, 5))
def test_returns_are_sets_of_kinds(kinds: int) -> None:
    tiles = dict.fromkeys(("postmaster", "carrier", "administrator", "cartwright")[:kinds], 1)
    state = position(
        modules=["offices"], display=SIX, stage="play", offices={"returning": [1]},
        player={"1": {"hand": ["Ulm"], "offices": tiles}},
    )  # fmt: skip
    assert len(legal_of_kind(GAME, state, Return)) == 2**kinds - 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("told", range(3))
def test_tiles_told_in_rome(players: int, told: int) -> None:
    """Each player has five ranks, each once: on the carriage after `told` others 5 - told are left to each."""
    carriages = ("Baden", "Wuerttemberg", "Schweiz", "Baiern")
    ranks = ("cardinal", "bishop", "priest")
    state = position(
        players=players, modules=["audience"], display=SIX, stage="move", closing={"unused": ["Lodz"]},
        player={"1": {"route": ["Lodz", "Pilsen", "Budweis"]}},
        audience={
            "carriages": dict.fromkeys(carriages[: told + 1], "Rom"),
            "told": {carriage: [ranks[number]] * players for number, carriage in enumerate(carriages[:told])},
            "telling": carriages[told],
        },
    )  # fmt: skip
    assert step_of(state) == "tell"
    assert perft(GAME, state, players) == (5 - told) ** players


def test_ways_of_a_joker() -> None:
    """Lodz moves any carriage along any of its ways: two from Mailand, three from Florenz, one elsewhere."""
    places = {"Baden": "Mailand", "Wuerttemberg": "Chur", "Schweiz": "Como", "Baiern": "Florenz", "Boehmen": "Udine"}
    state = position(
        players=3, modules=["audience"], display=SIX, stage="move", closing={"unused": ["Lodz"]},
        player={"1": {"route": ["Lodz", "Pilsen", "Budweis"]}}, audience={"carriages": places},
    )  # fmt: skip
    exits = {carriage: len(state.rome.exits[place]) for carriage, place in places.items()}
    assert exits == {"Baden": 2, "Wuerttemberg": 1, "Schweiz": 1, "Baiern": 3, "Boehmen": 1}
    assert len(legal_of_kind(GAME, state, Move)) == 8
    alone = position(
        players=3, modules=["audience"], display=SIX, stage="move", closing={"unused": ["Pilsen"]},
        player={"1": {"route": ["Lodz", "Pilsen", "Budweis"]}}, audience={"carriages": places},
    )  # fmt: skip
    assert len(legal_of_kind(GAME, alone, Move)) == 1


def test_the_closing_example_with_six_cities() -> None:
    """Three provinces or one house in each, with the Cartwright or without; of Baiern four cities can be the one."""
    route = ["Sigmaringen", "Stuttgart", "Nuernberg", "Regensburg", "Ingolstadt", "Augsburg"]
    state = position(display=SIX, stage="close", player={"1": {"route": route}})
    assert len(legal_of_kind(GAME, state, Close)) == (3 + 1) * 2
    each = apply_unchecked(GAME, state, Close("each")).state
    assert {action.text for action in legal_actions(GAME, each)} == {
        "house Nuernberg", "house Regensburg", "house Ingolstadt", "house Augsburg",
    }  # fmt: skip
    assert each.houses.keys() == {"Sigmaringen", "Stuttgart"}
    baiern = apply_unchecked(GAME, state, Close("Baiern")).state
    assert baiern.houses.keys() == set(route[2:])
    assert baiern.holding(1).tiles == ("6 3",)
    assert baiern.holding(1).carriage == 3
