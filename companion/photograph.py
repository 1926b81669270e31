"""The score of a game that nobody followed: from what lies on the board at its end, and a few answers."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from companion.board.layout import Board
from companion.documents import Table as Document
from companion.end_reading import SOURCE, read_answers
from companion.engine import GameRules, Option, follow
from companion.errors import InvalidDocument
from companion.frozen import FrozenDict
from companion.position import Position, bare_table, read_table
from companion.sentences import sentence
from companion.table import Table


def final_position(
    game: GameRules[Any], board: Board, entries: Mapping[str, Any], look: Mapping[str, str], texts: Mapping[str, str]
) -> Position:
    """The end of a game: `entries` are those of the table (players, rulings, set-up), `look` is what lies on the board.

    Raises InvalidDocument where what is seen, or what is answered, cannot be.
    """
    bare = _table_entries(game, board, entries, look)
    table = read_table(Document(bare, SOURCE, ""), board)
    answers = read_answers(game.end_reading.questions(table), table.seats, texts)
    end = game.end_reading.end_board(table, look, answers)
    document = Document({**bare, **end.entries}, SOURCE, "")
    return Position(game, follow(game, game.read_state(document, table), end.events).state)


def photographed_table(
    game: GameRules[Any], board: Board, entries: Mapping[str, Any], look: Mapping[str, str]
) -> Table:  # fmt: skip
    """The table that the entries and the board tell of.

    Raises InvalidDocument.
    """
    return read_table(Document(_table_entries(game, board, entries, look), SOURCE, ""), board)


def lying_options(game: GameRules[Any], board: Board) -> tuple[Option, ...]:
    """Those outcomes of a set-up by which something else lies on the board."""
    bare = bare_table(game.info.id, board)
    first = {option.name: option.names[: option.count] for option in game.options(bare)}
    other = {option.name: option.names[-option.count :] for option in game.options(bare)}

    def laid(outcomes: Mapping[str, tuple[str, ...]]) -> Mapping[str, str]:
        fewest, _most = game.info.seats
        entries = {"game": game.info.id, "players": fewest, **outcomes}
        return game.appearance(game.setup(read_table(Document(entries, SOURCE, ""), board)))

    usual = laid(first)
    return tuple(option for option in game.options(bare) if laid({**first, option.name: other[option.name]}) != usual)


def shown_outcomes(
    game: GameRules[Any], board: Board, look: Mapping[str, str], told: Container[str] = ()
) -> Mapping[str, tuple[str, ...]]:
    """The outcomes of the set-up that a board shows, but for those that are told.

    Raises InvalidDocument where it shows more or fewer of one than there can be.
    """
    shown = {name: names for name, names in game.end_reading.set_up(board, look).items() if name not in told}
    for option in game.options(bare_table(game.info.id, board)):
        seen = shown.get(option.name)
        if seen is not None and len(seen) != option.count:
            reason = sentence(
                "{count} lie on a board; seen are {seen}: {names}",
                count=option.count, seen=len(seen), names=", ".join(seen),
            )  # fmt: skip
            raise InvalidDocument(SOURCE, option.name, reason)
    return FrozenDict({name: tuple(names) for name, names in shown.items()})


def _table_entries(
    game: GameRules[Any], board: Board, entries: Mapping[str, Any], look: Mapping[str, str]
) -> dict[str, Any]:  # fmt: skip
    return {"game": game.info.id, **shown_outcomes(game, board, look, entries), **entries}
