"""Joining a game that is under way: its board as it lies, and what no picture shows, asked for.

A game is joined at the beginning of a turn. What came before is not known, so nothing before it can be undone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine import GameRules
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, merged
from companion.photographs.questions import Look, read_answers
from companion.position import Position, read_table, table_document
from companion.table import Table

SOURCE = "the game under way"
MOST_TOLD = 4
"""how many contradicting spots an error message names"""


def table_as_it_lies(game: GameRules[Any], table: Table, look: Look) -> Table:
    """The table with the random results of its set-up (which hills) as the board shows them.

    Raises InvalidDocument.
    """
    chosen = {option.name for option in game.options(table) if option.count == 1}
    shown = {
        name: names for name, names in game.photograph_scoring.set_up(table.board, look).items() if name not in chosen
    }
    if not shown:
        return table
    return read_table(DocumentTable(table_document(table) | shown, SOURCE, ""), table.board)


def joined_position(game: GameRules[Any], table: Table, look: Look, texts: Mapping[str, str]) -> Position:
    """The position in which a game is joined: `look` lies on the board, `texts` are answers (see `read_answers`).

    Raises InvalidDocument where there is no such position, or where it would not show a piece that `look` has.
    """
    lying = table_as_it_lies(game, table, look)
    answers = read_answers(game.mid_game_joining.questions(lying, look), lying.seats, texts)
    entries = game.mid_game_joining.entries(lying, look, answers)
    state = game.read_state(DocumentTable(entries, SOURCE, ""), lying)
    _refuse_what_would_be_lost(look, game.appearance(state))
    return Position(game, state)


def _refuse_what_would_be_lost(look: Look, appearance: Look) -> None:
    lost = [spot for spot, label in look.items() if appearance.get(spot) != label]
    if lost:
        expected = appearance.get(lost[0]) or "nothing"
        others = f", nor do {', '.join(lost[1:MOST_TOLD])}" if len(lost) > 1 else ""
        more = f" and {len(lost) - MOST_TOLD} more" if len(lost) > MOST_TOLD else ""
        reason = f"shows {look[lost[0]]}, which does not go with the rest, by which {expected} lies there{others}{more}"
        raise InvalidDocument(SOURCE, lost[0], reason)


def as_it_lies(game: GameRules[Any], state: Any, look: Look) -> dict[str, Any]:
    """The change of a position document (RFC 7396) that makes it show `look` and keeps as much of the rest as possible.

    Raises InvalidDocument where there is no such position.
    """
    table = state.table
    spots = table.board.all_spots
    before, after = (
        game.mid_game_joining.lying(table, {spot: there[spot] for spot in spots if spot in there})
        for there in (game.appearance(state), look)
    )
    change = {key: _change(before[key], value) for key, value in after.items() if value != before[key]}
    document, refusal = game.state_document(state), None
    for loose in ({}, *game.mid_game_joining.relaxations(table)):
        whole = _together(change, loose)
        told = merged(document, whole)
        try:
            appearance = game.appearance(game.read_state(DocumentTable(told, SOURCE, ""), table))
            _refuse_what_would_be_lost(look, appearance)
            _refuse_what_would_be_lost(appearance, look)
        except InvalidDocument as error:
            refusal = error
        else:
            return whole
    raise refusal or InvalidDocument(SOURCE, "", "cannot be as it lies")


def _together(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Two changes as one."""
    both = {
        key: _together(one[key], value)
        for key, value in other.items()
        if isinstance(value, Mapping) and isinstance(one.get(key), Mapping)
    }
    return {**one, **other, **both}


def _change(before: Any, after: Any) -> Any:
    """What is to be merged into an entry to make it another one."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        kept = {key: value for key, value in after.items() if before.get(key) != value}
        return {key: _change(before.get(key), value) for key, value in kept.items()} | dict.fromkeys(
            before.keys() - after.keys()
        )
    return after


def refuse_what_is_left_out(position: Position, source: str) -> None:
    """Refuse to go on from a position, read from `source`, that does not say how many cards somebody holds.

    Raises InvalidDocument.
    """
    for entry, written in position.game.left_out(position.state).items():
        raise InvalidDocument(source, entry, f"is left out; to go on from here every card must be listed, {written}")


def seated(position: Position, table: Table) -> Position:
    """A position of a file with the people, colours and rulings of a table that is to go on from it.

    Raises InvalidDocument where the two do not fit.
    """
    game, there = position.game, position.state.table
    if there.game != table.game:
        raise InvalidDocument(SOURCE, "game", f"is {game.info.title}, which is not what is played here")
    if len(there.players) != len(table.players):
        reason = f"there are {len(there.players)} in that position, and {len(table.players)} sit here"
        raise InvalidDocument(SOURCE, "players", reason)
    if there.board.digest != table.board.digest:
        raise InvalidDocument(SOURCE, "board", f"is {there.board.id}, which is not the one on this table")
    mixed = Table(table.game, table.players, table.rulings, there.options, table.board)
    document = DocumentTable(game.state_document(position.state), SOURCE, "")
    return Position(game, game.read_state(document, mixed), position.left)
