"""What a camera sees of Capitol is explained as what the table did."""

from random import Random

import pytest

from companion.engine import random_game
from companion.games.capitol.game import GAME
from companion.games.capitol.state import State
from companion.session.tracking import Explanation, Finding, explain
from tests.games.capitol.golden_games import liked
from tests.games.capitol.tables import position
from tests.tables import sight, start


def seen(state: State, **more: str) -> Explanation:
    """The explanation of spots that look otherwise; names with underscores for blanks."""
    look = dict(GAME.appearance(state)) | {
        spot.replace("__", "/").replace("_", " "): look for spot, look in more.items()
    }
    return explain(GAME, state, sight(state.table.board, look))


def texts(found: Explanation) -> list[list[str]]:
    return [[action.text for action in candidate.actions] for candidate in found.candidates]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_visible_action_of_random_games_is_the_first_candidate(seats: int) -> None:
    count = 0
    game, state = start("capitol", seats)
    for before, action, step in random_game(game, state, Random(seats), liked):
        look = game.appearance(step.state)
        if look != game.appearance(before):
            found = explain(game, before, sight(before.table.board, look))
            assert found.finding is Finding.ACTION
            assert found.candidates[0].actions == (action,)
            assert found.margin > 2 or len(found.candidates) == 1
            count += 1
        else:
            assert not isinstance(action, game.info.kinds[2])
    assert count > 20


def test_a_building_tells_the_colour_of_the_permit() -> None:
    found = seen(position(), floor_Aventine__2="1", gable_Aventine__2="green")
    assert texts(found) == [["red 1-triangular Aventine/2"]]


def test_a_building_whose_floors_are_not_seen_is_one_that_fits() -> None:
    state = position(buildings=["Aventine/1 1-round 2"])
    look = dict(GAME.appearance(state)) | {"dome Aventine/2": "green"}
    doubts = {"floor Aventine/2": {"1": 0.3, "2": 0.3, "": 0.3, "3": 0.1}}
    found = explain(GAME, state, sight(state.table.board, look, doubts=doubts))
    assert sorted(texts(found)) == [["red 1-round Aventine/2"], ["red 2-round Aventine/2"]]


def test_another_players_building_tells_that_one_has_passed() -> None:
    found = seen(position(), floor_Palatine__1="1", dome_Palatine__1="red")
    assert texts(found) == [["pass", "white 1-round Palatine/1"]]


def test_two_buildings_are_two_turns() -> None:
    found = seen(
        position(), floor_Palatine__1="1", dome_Palatine__1="green", floor_Quirinal__4="1", gable_Quirinal__4="red"
    )
    assert texts(found) == [["white 1-round Palatine/1", "black 1-triangular Quirinal/4"]]


def test_a_building_too_tall_is_told_with_its_rule() -> None:
    found = seen(position(), floor_Palatine__1="2", dome_Palatine__1="green")
    assert found.finding is Finding.UNEXPLAINED
    assert found.near_miss is not None
    assert [violation.rule for violation in found.near_miss[1].violations] == ["CAP-PERMIT-8"]


def test_a_tile_is_placed_by_its_winner() -> None:
    won = {"ready": [1, 2], "opened": [1, 2], "winner": 2}
    found = seen(position(phase="improvement", auction={"number": 1, **won}), fountain_Palatine__3="fountain")
    assert texts(found) == [["tile Palatine/3"]]
    found = seen(position(phase="improvement", round=3, auction={"number": 3, **won}), monument_Palatine__L="temple")
    assert texts(found) == [["tile Palatine/L"]]
