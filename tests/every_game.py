"""The games that every test of "every game" runs with: those shipped and two of the tests' own.

One of these is the template for new games; in the other pieces move and take one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TypeVar

from companion.engine import random_game
from companion.registry import GAMES, load_game, register
from tests.tables import table_of

Own = TypeVar("Own")

REFERENCE = "three_in_a_row"
CAPTURING = "hasami_shogi"
OWN_FOLDERS = {REFERENCE: "reference_game", CAPTURING: "capturing_game"}
"""game of the tests -> its folder"""
for _game, _folder in OWN_FOLDERS.items():
    register(_game, f"tests.{_folder}.game:GAME")
OWN_GAMES = tuple(OWN_FOLDERS)
EVERY_GAME = (*GAMES, *OWN_GAMES)

FOR_THREE = tuple(game for game in EVERY_GAME if load_game(game).info.seats[1] >= 3)
"""the games that go on after somebody has left; where one leaves two players, the game is over"""


@cache
def folder_of_tests(game_id: str) -> Path:
    """The folder of a game's own tests: its cases, playthroughs and `components.py`."""
    tests = Path(__file__).parent
    return tests / OWN_FOLDERS[game_id] if game_id in OWN_FOLDERS else tests / "games" / game_id


@cache
def module_of_tests(game_id: str, name: str) -> ModuleType:
    """A module of a game's own tests."""
    folder = folder_of_tests(game_id)
    return import_module(".".join((*folder.relative_to(Path(__file__).parents[1]).parts, name)))


def own(game_id: str, module: str, name: str, default: Own) -> Own:
    """What a module of a game's own tests calls `name`; the default where the game needs none of its own."""
    found: Own = getattr(module_of_tests(game_id, module), name, default) if _has(game_id, module) else default
    return found


@cache
def _has(game_id: str, module: str) -> bool:
    return (folder_of_tests(game_id) / f"{module}.py").is_file()


def named(game_id: str, module: str, name: str) -> str:
    """Where a game's own tests say something, for messages: `PROMISED in tests/games/capitol/prompts.py`."""
    return f"{name} in {(folder_of_tests(game_id) / module).relative_to(Path(__file__).parents[1])}.py"


def at_most(game_id: str, actions: int) -> int:
    """So many actions, or fewer in a game that might be over by then."""
    return min(actions, _shortest(game_id) * 2 // 3)


@cache
def _shortest(game_id: str) -> int:
    """The actions of the shortest of a few random games, or 100."""
    game, (fewest, _most) = load_game(game_id), load_game(game_id).info.seats
    state = game.setup(table_of(game_id, fewest))
    return min(sum(1 for _ in random_game(game, state, Random(seed), limit=100)) for seed in range(5))


def seat_counts(game_id: str) -> Iterator[int]:
    """The numbers of players of a game, fewest first."""
    fewest, most = load_game(game_id).info.seats
    yield from range(fewest, most + 1)


def fewest_seats(game_id: str) -> int:
    """The smallest number of players of a game."""
    return load_game(game_id).info.seats[0]


def seats_for_leaving(game_id: str) -> int:
    """The smallest number of players of whom one may leave, so that the others go on."""
    return max(3, fewest_seats(game_id))


def some_seats(game_id: str, number: int) -> int:
    """One of the numbers of players of a game, in turn by `number`."""
    counts = list(seat_counts(game_id))
    return counts[number % len(counts)]
