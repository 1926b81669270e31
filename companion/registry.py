"""The games this program knows; each is imported when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.board.layout import Board, load_board
from companion.engine import GameRules
from companion.errors import CompanionError, InvalidDocument
from companion.files.documents import shown

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
        raise UnknownGame(f"no game is called {shown(game_id)}; there are {', '.join(GAMES)}")
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


def board_named(name: str) -> Board:
    """The board shipped for the game of this id, or else the one defined in the file of this name.

    Raises InvalidDocument.
    """
    if name in GAMES:
        return print_and_play_board(name)
    if not name.strip():
        raise InvalidDocument("board", "", f"has an empty name; name a board file or one of {', '.join(GAMES)}")
    board = load_board(Path(name))
    if board.game not in GAMES:
        raise InvalidDocument(name, "game", f"is {shown(board.game)}; it must be one of {', '.join(GAMES)}")
    return board
