"""Tables, positions and sights that several tests set up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board.layout import EMPTY, Board
from companion.engine import GameRules
from companion.files.documents import parse_toml
from companion.position import Position, read_position
from companion.registry import load_game, usual_table
from companion.session.observation import Observation
from companion.table import Table


def table_of(game_id: str, seats: int, **rulings: str) -> Table:
    """A table of the print-and-play edition with default set-up outcomes."""
    return usual_table(game_id, seats, rulings=rulings)


def start(game_id: str, seats: int = 0, **rulings: str) -> tuple[GameRules[Any], Any]:
    """A game and its state after set-up, for the fewest players unless told."""
    game = load_game(game_id)
    return game, game.setup(table_of(game_id, seats or game.info.seats[0], **rulings))


def before_the_mover(document: Mapping[str, Any]) -> Any:
    """What lies before the player whose turn it is, by a position document with a `player` table."""
    return document["player"][str(document["to_move"])]


def position(text: str) -> Position:
    """The position of a TOML text; City of Marble where it names no game."""
    if "game =" not in text:
        text = 'game = "city_of_marble"\n' + text
    return read_position(parse_toml(text, "test"))


def sight(
    board: Board,
    look: Mapping[str, str],
    *,
    time: float = 0.0,
    quiet: bool = True,
    doubts: Mapping[str, Mapping[str, float]] | None = None,
    covered: frozenset[str] = frozenset(),
) -> Observation:
    """What a good camera reports of `look`; `doubts` replaces the posteriors of some spots."""
    posteriors: dict[str, Mapping[str, float]] = {}
    for spot in (spot for sheet in board.sheets for spot in sheet.spots.values()):
        if spot.name not in covered:
            label = look.get(spot.name, EMPTY)
            posteriors[spot.name] = {label: 0.99, (spot.labels[0] if label == EMPTY else EMPTY): 0.01}
    return Observation(board.id, int(time * 10), time, posteriors | dict(doubts or {}), covered, quiet)
