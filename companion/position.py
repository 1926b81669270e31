"""Positions as small TOML or JSON documents, read in the same way for every game.

Every document has `game`, most have `players`; what a document leaves out is as after set-up.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.absence import NOBODY
from companion.board.layout import Board
from companion.engine import GameRules
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, parse_json, parse_toml, shown
from companion.frozen import FrozenDict
from companion.registry import known_games, load_game, print_and_play_board
from companion.table import Player, Table
from companion.wording.characters import is_plain_text
from companion.wording.sentences import sentence
from companion.wording.spelling import plain, spellings

LONGEST_NAME = 60
TABLE_KEYS = ("game", "board", "players", "rulings")


@dataclass(frozen=True, slots=True)
class Position:
    """A game and one of its states; `left` are the seats whose players left, which only a record knows."""

    game: GameRules[Any]
    state: Any
    left: frozenset[int] = NOBODY


def parse_position(text: str, source: str) -> Position:
    """The position of a TOML document, or of a JSON one where the text begins with a brace.

    Raises InvalidDocument.
    """
    document = parse_json(text, source) if text.lstrip().startswith("{") else parse_toml(text, source)
    return read_position(document)


def read_position(document: DocumentTable) -> Position:
    """The position of a document.

    Raises InvalidDocument.
    """
    game_id = document.choice("game", tuple(known_games()))
    game = load_game(game_id)
    board = print_and_play_board(game_id)
    options = tuple(option.name for option in game.options(bare_table(game_id, board)))
    document.only(*TABLE_KEYS, *options, *game.position_keys)
    table = read_table(document, board)
    return Position(game, game.read_state(document, table))


def read_table(document: DocumentTable, board: Board) -> Table:
    """The table that a position or the header of a record describes: players, rulings and set-up.

    Raises InvalidDocument.
    """
    game_id = document.choice("game", tuple(known_games()))
    game = load_game(game_id)
    if board.game != game_id:
        raise document.invalid("board", f"is a board of {board.game!r}, not of {game_id!r}")
    if document.text("board", board.id) != board.id:
        raise document.invalid("board", f"is {document.text('board')!r}; only {board.id!r} is at hand")
    rulings_table = document.table("rulings", optional=True)
    readings = {name: rulings_table.text(name) for name in rulings_table}
    try:
        rulings = game.rulebook.chosen(readings)
    except ValueError as error:
        raise document.invalid("rulings", str(error)) from error
    bare = Table(game_id, read_players(document, game, board), rulings, FrozenDict(), board)
    try:
        game.check_board(bare)
    except InvalidDocument as error:
        raise InvalidDocument(f"{document.source}, board {board.id}", error.entry, error.reason) from error
    options: dict[str, tuple[str, ...]] = {}
    for option in game.options(bare):
        chosen = document.texts(option.name, longest=100) if option.name in document else option.names[: option.count]
        known = spellings(option.names)
        for name in chosen:
            if plain(name) not in known:
                raise document.invalid(option.name, f"{shown(name)} is none of {option.choices}")
        chosen = tuple(known[plain(name)] for name in chosen)
        if len(chosen) != option.count:
            wanted = f"{option.count} different ones" if option.count > 1 else f"one of {option.choices}"
            raise document.invalid(option.name, f"must name {wanted}, not {len(chosen)}")
        again = [name for index, name in enumerate(chosen) if name in chosen[:index]]
        if again:
            raise document.invalid(option.name, f"names {again[0]} again; it must name {option.count} different ones")
        options[option.name] = chosen
    return Table(game_id, bare.players, rulings, FrozenDict(options), board)


def read_players(document: DocumentTable, game: GameRules[Any], board: Board) -> tuple[Player, ...]:
    """The players: a number of them, or a list of tables with `name` and perhaps `colour`; else the fewest possible.

    Raises InvalidDocument.
    """
    fewest, most = game.info.seats
    value = document.values.get("players", fewest)
    if isinstance(value, int):
        count = document.integer("players", fewest, min(most, len(board.palette)), fewest)
        return tuple(Player(f"Player {seat}", board.palette[seat - 1]) for seat in range(1, count + 1))
    if not isinstance(value, list | tuple):
        raise document.invalid("players", f"must be a number, or a list of tables, not {shown(value)}")
    tables = document.tables("players", longest=100)
    if not game.info.can_play(len(tables)):
        raise document.invalid("players", f"there are {len(tables)}; {game.info.title} is for {game.info.seat_range}")
    if len(tables) > len(board.palette):
        raise document.invalid(
            "players", f"there are {len(tables)}; the board has {len(board.palette)} colours for them"
        )
    players: list[Player] = []
    told = [table.values.get("colour") for table in tables]
    for table in tables:
        table.only("name", "colour")
        free = [colour for colour in board.palette if colour not in {player.colour for player in players}]
        colour = table.choice("colour", board.palette, next((each for each in free if each not in told), free[0]))
        if colour not in free:
            raise table.invalid("colour", f"is {colour}, which somebody else plays already")
        name = table.text("name", longest=LONGEST_NAME)
        problem = name_problem(name, [player.name for player in players])
        if problem:
            raise table.invalid("name", problem)
        players.append(Player(name, colour))
    return tuple(players)


def name_problem(name: str, others: Iterable[str]) -> str:
    """Why a player cannot have this name at a table with these other names; "" if it is possible."""
    if not name.strip():
        return sentence("is blank; write who plays")
    if len(name) > LONGEST_NAME:
        return sentence("is longer than {most} characters", most=LONGEST_NAME)
    if not is_plain_text(name):
        return sentence("holds a control character or a line break; write it plainly")
    if name in others:
        return sentence("is {name}, as somebody else's; write who is who", name=repr(name))
    return ""


def bare_table(game_id: str, board: Board) -> Table:
    """A table with one nameless player and no rulings, enough to ask a game for its set-up options."""
    return Table(game_id, (Player("", board.palette[0]),), FrozenDict(), FrozenDict(), board)


def table_document(table: Table) -> dict[str, Any]:
    """The table as plain values; reading it gives an equal table."""
    return {
        "game": table.game,
        "board": table.board.id,
        "players": [{"name": player.name, "colour": player.colour} for player in table.players],
        "rulings": dict(table.rulings),
        **{name: list(chosen) for name, chosen in table.options.items()},
    }


def position_document(game: GameRules[Any], state: Any) -> dict[str, Any]:
    """The whole position as plain values; reading it gives an equal state."""
    return table_document(state.table) | game.state_document(state)


def position_text(game: GameRules[Any], state: Any) -> str:
    """The whole position as TOML."""
    return toml_text(position_document(game, state))


def toml_text(document: Mapping[str, Any]) -> str:
    """Plain values (text, whole numbers, true/false, lists, tables) as TOML, one entry a line."""
    plain = [f"{_key(key)} = {_value(value)}" for key, value in document.items() if not isinstance(value, dict)]
    tables = [
        f"\n[{_key(key)}]\n" + "\n".join(f"{_key(name)} = {_value(inner)}" for name, inner in value.items())
        for key, value in document.items()
        if isinstance(value, dict)
    ]
    return "\n".join(plain + tables) + "\n"


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_value(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
