"""The games this program knows; each is imported when it is first asked for.

`GAMES` are those that this program ships and offers in menus. `register` makes another one known by its id, in whatever
folder it is, without offering it: the tests do so with theirs.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.board.layout import Board, load_board
from companion.engine import GameRules
from companion.errors import CompanionError, InvalidDocument
from companion.files.documents import shown
from companion.frozen import FrozenDict
from companion.table import Player, Table

GAMES: Mapping[str, str] = {
    "city_of_marble": "companion.games.city_of_marble.game:GAME",
    "capitol": "companion.games.capitol.game:GAME",
    "aqua_romana": "companion.games.aqua_romana.game:GAME",
    "thurn_and_taxis": "companion.games.thurn_and_taxis.game:GAME",
}
"""game id -> module and name of its rules, for the games offered to people"""
_REGISTERED: dict[str, str] = {}


def register(game_id: str, rules: str) -> None:
    """Make a game known by its id; `rules` is like the values of `GAMES`.

    The game's data files are in the folder of that module.
    """
    _REGISTERED[game_id] = rules


def known_games() -> Mapping[str, str]:
    """The shipped and the registered games, in the form of `GAMES`."""
    return {**GAMES, **_REGISTERED}


class UnknownGame(CompanionError, LookupError):
    """No game has this id."""


@cache
def load_game(game_id: str) -> GameRules[Any]:
    """The rules of a game.

    Raises UnknownGame.
    """
    games = known_games()
    if game_id not in games:
        raise UnknownGame(f"no game is called {shown(game_id)}; there are {', '.join(games)}")
    module, _, name = games[game_id].partition(":")
    game: GameRules[Any] = getattr(import_module(module), name)
    return game


def game_folder(game_id: str) -> Path:
    """The folder of a game's data files.

    Raises UnknownGame.
    """
    load_game(game_id)
    module = sys.modules[known_games()[game_id].partition(":")[0]]
    return Path(str(module.__file__)).parent


@cache
def print_and_play_board(game_id: str) -> Board:
    """The board this project ships for a game.

    Raises UnknownGame.
    """
    return load_board(game_folder(game_id) / load_game(game_id).info.board)


def usual_table(
    game_id: str,
    seats: int = 0,
    *,
    rulings: Mapping[str, str] = FrozenDict(),
    outcomes: Mapping[str, str] = FrozenDict(),
    board: Board | None = None,
) -> Table:
    """A table of players named by their seats, as few as can be for 0, on the shipped board unless another is given.

    Rulings are the usual ones, the set-up turned up what is named first, where `rulings` and `outcomes` say nothing.
    Raises ValueError if the game is not for this many.
    """
    game, board = load_game(game_id), board or print_and_play_board(game_id)
    count = seats or game.info.seats[0]
    if not game.info.can_play(count):
        raise ValueError(f"{game.info.title} is for {game.info.seat_range} players, not {count}")
    players = tuple(Player(f"Player {seat}", board.palette[seat - 1]) for seat in range(1, count + 1))
    bare = Table(game_id, players, game.rulebook.chosen(rulings), FrozenDict(), board)
    usual = {option.name: option.names[: option.count] for option in game.options(bare)}
    chosen = {name: (outcome,) for name, outcome in outcomes.items()}
    return Table(game_id, players, bare.rulings, FrozenDict(usual | chosen), board)


def board_named(name: str) -> Board:
    """The board shipped for the game of this id, or else the one defined in the file of this name.

    Raises InvalidDocument.
    """
    games = known_games()
    if name in games:
        return print_and_play_board(name)
    if not name.strip():
        raise InvalidDocument("board", "", f"has an empty name; name a board file or one of {', '.join(games)}")
    board = load_board(Path(name))
    if board.game not in games:
        raise InvalidDocument(name, "game", f"is {shown(board.game)}; it must be one of {', '.join(games)}")
    return board
