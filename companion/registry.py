"""The games this program knows; each is imported when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.board.layout import Board, load_board
from companion.engine import GameRules
from companion.errors import CompanionError

GAMES: dict[str, str] = {
    "city_of_marble": "companion.games.city_of_marble.game:GAME",
    "capitol": "companion.games.capitol.game:GAME",
    "aqua_romana": "companion.games.aqua_romana.game:GAME",
    "thurn_and_taxis": "companion.games.thurn_and_taxis.game:GAME",
}


class UnknownGame(CompanionError, LookupError):
    """No game has this id."""


@cache
def load_game(game_id: str) -> GameRules[Any]:
    """The rules of a game.

    Raises UnknownGame.
    """
    if game_id not in GAMES:
        raise UnknownGame(f"no game is called {game_id!r}; there are {', '.join(GAMES)}")
    module, _, name = GAMES[game_id].partition(":")
    game: GameRules[Any] = getattr(import_module(module), name)
    return game


def game_folder(game_id: str) -> Path:
    """The folder of a game's data files.

    Raises UnknownGame.
    """
    load_game(game_id)
    return Path(__file__).parent / "games" / game_id


@cache
def print_and_play_board(game_id: str) -> Board:
    """The board this project ships for a game.

    Raises UnknownGame.
    """
    return load_board(game_folder(game_id) / load_game(game_id).info.board)
