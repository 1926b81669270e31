"""The score of a game that nobody followed: from what lies on the board at its end, and a few answers."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.board.layout import Board
from companion.engine import GameRules, Option, follow
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.frozen import FrozenDict
from companion.photographs.questions import SOURCE, Question, read_answers
from companion.position import Position, bare_table, read_table
from companion.table import Table
from companion.wording.sentences import sentence


@dataclass(frozen=True, slots=True)
class LastBoard:
    """The board at the end of a game: `look` is spot -> label of every occupied spot.

    `entries` are the known entries of the table: players, rulings, results of the set-up. Nothing is checked at first;
    a property that depends on an impossible entry or look raises InvalidDocument.
    """

    game: GameRules[Any]
    board: Board
    entries: Mapping[str, Any]
    look: Mapping[str, str]

    def looking(self, look: Mapping[str, str]) -> LastBoard:
        """The same table with another look."""
        return replace(self, look=look)

    @property
    def table(self) -> Table:
        """The table according to the entries and to what the board shows."""
        return read_table(DocumentTable(self._table_entries(), SOURCE, ""), self.board)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions about what no picture shows."""
        return self.game.photograph_scoring.questions(self.table)

    @property
    def sheets(self) -> Sequence[Board]:
        """The sheets on which something may lie at this table; all where there can be no such table."""
        try:
            return self.game.photograph_scoring.sheets(self.table)
        except InvalidDocument:
            return self.board.sheets

    def position(self, answers: Mapping[str, str]) -> Position:
        """The end of the game; `answers` are texts, by the keys of the questions."""
        bare = self._table_entries()
        table = read_table(DocumentTable(bare, SOURCE, ""), self.board)
        values = read_answers(self.game.photograph_scoring.questions(table), table.seats, answers)
        end = self.game.photograph_scoring.end_board(table, self.look, values)
        document = DocumentTable({**bare, **end.entries}, SOURCE, "")
        return Position(self.game, follow(self.game, self.game.read_state(document, table), end.events).state)

    def assumed_outcomes(self) -> Mapping[str, Sequence[str]]:
        """The default results of the set-up that were assumed because the board shows none and no entry names any."""
        table, known = self.table, self._table_entries()
        lying = sorted(option.name for option in lying_options(self.game, self.board))
        return {name: table.options[name] for name in lying if name not in known}

    def _table_entries(self) -> dict[str, Any]:
        shown = shown_outcomes(self.game, self.board, self.look, self.entries)
        return {"game": self.game.info.id, **shown, **self.entries}


def lying_options(game: GameRules[Any], board: Board) -> tuple[Option, ...]:
    """The set-up options that change what lies on the board."""
    bare = bare_table(game.info.id, board)
    first = {option.name: option.names[: option.count] for option in game.options(bare)}
    other = {option.name: option.names[-option.count :] for option in game.options(bare)}

    def laid(outcomes: Mapping[str, tuple[str, ...]]) -> Mapping[str, str]:
        fewest, _most = game.info.seats
        entries = {"game": game.info.id, "players": fewest, **outcomes}
        return game.appearance(game.setup(read_table(DocumentTable(entries, SOURCE, ""), board)))

    usual = laid(first)
    return tuple(option for option in game.options(bare) if laid({**first, option.name: other[option.name]}) != usual)


def shown_outcomes(
    game: GameRules[Any], board: Board, look: Mapping[str, str], told: Container[str] = ()
) -> Mapping[str, tuple[str, ...]]:
    """The results of the set-up that the board shows, without those in `told`.

    Raises InvalidDocument where the board shows too many or too few.
    """
    shown = {name: names for name, names in game.photograph_scoring.set_up(board, look).items() if name not in told}
    for option in game.options(bare_table(game.info.id, board)):
        seen = shown.get(option.name)
        if seen is not None and len(seen) != option.count:
            reason = sentence(
                "{count} lie on a board; seen are {seen}: {names}",
                count=option.count, seen=len(seen), names=", ".join(seen),
            )  # fmt: skip
            raise InvalidDocument(SOURCE, option.name, reason)
    return FrozenDict({name: tuple(names) for name, names in shown.items()})
