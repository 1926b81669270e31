"""Numbers of City of Marble that can be derived on paper."""

from itertools import combinations, combinations_with_replacement
from math import comb

import pytest

from companion.engine import apply_unchecked, judge, legal_actions, legal_of_kind
from companion.files.documents import DocumentTable
from companion.games.city_of_marble.actions import Draw, PlayWard, Reveal
from companion.games.city_of_marble.events import SiteCompleted
from companion.games.city_of_marble.game import GAME
from companion.games.city_of_marble.geometry import COLOURS
from companion.games.city_of_marble.state import State
from companion.position import read_position
from companion.registry import print_and_play_board
from tests.test_lattice import coverings

BOARD = print_and_play_board("city_of_marble")
HILLS = tuple(BOARD.features["hill"])


def position(**entries: object) -> State:
    return read_position(DocumentTable({"game": "city_of_marble", **entries}, "position", "")).state


def test_start_stacks_by_number_of_players() -> None:
    """Each player takes a ward of each colour out of 12 red, 14 yellow, 16 green and 18 blue."""
    assert dict(position(players=2).stacks) == {"red": 10, "yellow": 12, "green": 14, "blue": 16}
    assert dict(position(players=3).stacks) == {"red": 9, "yellow": 11, "green": 13, "blue": 15}
    assert dict(position(players=4).stacks) == {"red": 8, "yellow": 10, "green": 12, "blue": 14}


def test_six_of_fourteen_draws_are_legal_at_the_start() -> None:
    draws = [Draw(colours) for size in (1, 2) for colours in combinations_with_replacement(COLOURS, size)]
    assert len(draws) == comb(4, 1) + comb(4 + 1, 2) == 14
    legal = [draw for draw in draws if judge(GAME, position(), draw).is_legal]
    assert legal == legal_of_kind(GAME, position(), Draw)
    assert len(legal) == comb(4, 2)


@pytest.mark.parametrize("tiles", range(8))
def test_bridge_values_are_multisets(tiles: int) -> None:
    state = position(stage="reveal", player={"1": {"bridges": tiles}, "2": {"bridges": 0 if tiles else 1}})
    expected = comb(tiles + 3, 3) if tiles else comb(1 + 3, 3)
    assert len(legal_of_kind(GAME, state, Reveal)) == expected


@pytest.mark.parametrize("hills", combinations(HILLS, 3), ids="-".join)
def test_places_for_the_first_ward(hills: tuple[str, ...]) -> None:
    """Six a hill; a ward on triangles beside two hills counts once, a ward that lies on another hill not at all.

    No hill of this board lies on its border. Palatine is one ward's width from Capitoline and, as it happens, no other
    pair of hills is so near.
    """
    near = {frozenset(("Capitoline", "Palatine"))}
    shared = sum(pair <= set(hills) for pair in near)
    wards = {action.ward for action in legal_actions(GAME, position(hills=list(hills))) if isinstance(action, PlayWard)}
    assert len(wards) == 18 - shared


@pytest.mark.parametrize("wards", coverings("G7"), ids="+".join)
def test_each_covering_of_a_vertex_makes_its_building(wards: tuple[str, ...]) -> None:
    """Whichever ward is the last: 2 coverings make a temple, 9 baths, 6 a theatre, 1 an arena."""
    kind = {3: "temple", 4: "baths", 5: "theatre", 6: "arena"}[len(wards)]
    for last in wards:
        state = position(wards=[f"{ward} blue" for ward in wards if ward != last])
        assert judge(GAME, state, PlayWard(last, "red")).is_legal
        events = apply_unchecked(GAME, state, PlayWard(last, "red")).events
        completed = [event for event in events if isinstance(event, SiteCompleted)]
        assert completed == [SiteCompleted("G7", len(wards), kind)]
