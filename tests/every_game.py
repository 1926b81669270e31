"""The games that every test of "every game" runs with: those shipped and the tests' own, which is the template."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from companion.registry import GAMES, load_game, register

REFERENCE = "three_in_a_row"
register(REFERENCE, "tests.reference_game.game:GAME")
EVERY_GAME = (*GAMES, REFERENCE)


def folder_of_tests(game_id: str) -> Path:
    """The folder of a game's own tests: its cases, playthroughs and `components.py`."""
    tests = Path(__file__).parent
    return tests / "reference_game" if game_id == REFERENCE else tests / "games" / game_id


def module_of_tests(game_id: str, name: str) -> ModuleType:
    """A module of a game's own tests."""
    folder = folder_of_tests(game_id)
    return import_module(".".join((*folder.relative_to(Path(__file__).parents[1]).parts, name)))


def at_most(game_id: str, actions: int) -> int:
    """So many actions, or fewer in a game that would be over by then."""
    return min(actions, 4) if game_id == REFERENCE else actions


def seat_counts(game_id: str) -> Iterator[int]:
    """The numbers of players of a game, fewest first."""
    fewest, most = load_game(game_id).info.seats
    yield from range(fewest, most + 1)


def some_seats(game_id: str, number: int) -> int:
    """One of the numbers of players of a game, in turn by `number`."""
    counts = list(seat_counts(game_id))
    return counts[number % len(counts)]
