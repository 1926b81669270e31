"""The score of a game that nobody followed: from what lies on the board at its end, and a few answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board.layout import Board
from companion.documents import Table as Document
from companion.end_reading import SOURCE, read_answers
from companion.engine import GameRules, follow
from companion.position import Position, read_table


def final_position(
    game: GameRules[Any], board: Board, entries: Mapping[str, Any], look: Mapping[str, str], texts: Mapping[str, str]
) -> Position:
    """The end of a game: `entries` are those of the table (players, rulings, set-up), `look` is what lies on the board.

    Raises InvalidDocument where what is seen, or what is answered, cannot be.
    """
    bare = {"game": game.info.id, **game.end_reading.set_up(board, look), **entries}
    table = read_table(Document(bare, SOURCE, ""), board)
    answers = read_answers(game.end_reading.questions(table), table.seats, texts)
    end = game.end_reading.end_board(table, look, answers)
    document = Document({**bare, **end.entries}, SOURCE, "")
    return Position(game, follow(game, game.read_state(document, table), end.events).state)
