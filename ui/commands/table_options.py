"""Command-line options for a table: players, set-up outcomes, rulings. Needs no camera and no window."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.board.layout import Board
from companion.engine import GameRules
from companion.frozen import FrozenDict
from companion.position import name_problem
from companion.registry import load_game, print_and_play_board
from companion.table import Player, Table
from companion.wording.guide import game_guide
from companion.wording.sentences import Sentence, sentence
from companion.wording.spelling import plain, spellings
from ui.commands.terminal import WrongUse

SET_UP, RULING = "--set-up", "--ruling"


def add_table_options(options: argparse.ArgumentParser) -> None:
    """The options for the set-up's outcomes and for rulings."""
    options.add_argument(
        SET_UP, action="append", default=[], metavar="NAME=A,B,C", help="what the set-up turned up; see companion games"
    )
    options.add_argument(RULING, action="append", default=[], metavar="NAME=READING", help="see companion games")


def pairs(texts: Sequence[str], option: str, form: str = "NAME=VALUE") -> list[tuple[str, str]]:
    """Split texts like `name=value`, each name once; `option` is the option's name for error messages.

    Raises WrongUse.
    """
    found: list[tuple[str, str]] = []
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise WrongUse(f"{option} {text!r} must be like {form}")
        if name in dict(found):
            raise WrongUse(f"{option} names {name!r} twice")
        found.append((name, value))
    return found


def given_outcomes(game: GameRules[Any], table: Table, given: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The set-up outcomes given, each as names separated by commas.

    Raises WrongUse.
    """
    options = {option.name: option for option in game.options(table)}
    outcomes = {}
    for name, text in given.items():
        if name not in options:
            raise WrongUse(f"{game.info.title} has no set-up {name!r}; it has {', '.join(options) or 'none'}")
        option = options[name]
        known = spellings(option.names)
        found = tuple(known.get(plain(part.strip()), part.strip()) for part in text.split(","))
        if not len(found) == len(set(found)) == option.count or not set(found) <= set(option.names):
            raise WrongUse(f"{name} must be {option.count} of {option.choices}, not {text!r}")
        outcomes[name] = found
    return outcomes


def given_rulings(game: GameRules[Any], given: Mapping[str, str]) -> FrozenDict[str, str]:
    """All rulings: those given with the chosen reading, the others with their defaults.

    Raises WrongUse.
    """
    try:
        return game.rulebook.chosen(given)
    except ValueError as error:
        raise WrongUse(str(error)) from error


def check_count(game: GameRules[Any], players: int) -> None:
    """Refuse a number of players that the game does not allow.

    Raises WrongUse.
    """
    if not game.info.can_play(players):
        raise WrongUse(f"{game.info.title} is for {game.info.seat_range} players, not {players}")


def usual_names(game_id: str) -> tuple[str, ...]:
    """The names of the smallest number of players of a game whom nobody has named."""
    return tuple(f"Player {seat}" for seat in range(1, load_game(game_id).info.seats[0] + 1))


def check_names(names: Sequence[str]) -> None:
    """Refuse names that are empty, too long or used twice.

    Raises WrongUse.
    """
    for seat, name in enumerate(names, 1):
        problem = name_problem(name, names[: seat - 1])
        if problem:
            raise WrongUse(f"the name of player {seat} {problem}")


def new_table(
    game_id: str, names: Sequence[str], set_up: Mapping[str, str], rulings: Mapping[str, str], seed: int | None = None,
    board: Board | None = None,
) -> Table:  # fmt: skip
    """A table of these players. Outcomes that `set_up` does not give are drawn, by `seed` or at random, where the
    set-up turns up several names; a single name is decided by the box or the table, and the usual first one is taken.

    Without `board` the shipped one is used. Raises WrongUse.
    """
    game, board = load_game(game_id), board or print_and_play_board(game_id)
    check_count(game, len(names))
    check_names(names)
    players = tuple(Player(name, colour) for name, colour in zip(names, board.palette, strict=False))
    bare = Table(game_id, players, given_rulings(game, rulings), FrozenDict(), board)
    given, random = given_outcomes(game, bare, set_up), Random(seed)
    outcomes = {}
    for option in game.options(bare):
        drawn = option.names[:1]
        if option.count > 1:
            drawn = tuple(sorted(random.sample(option.names, option.count), key=option.names.index))
        outcomes[option.name] = given.get(option.name, drawn)
    return Table(game_id, players, bare.rulings, FrozenDict(outcomes), board)


def _named(outcomes: Sequence[tuple[str, str]], game: str) -> Sentence:
    """Values of set-up options (option, value) as their guide names them, each to be translated by itself."""
    words = {f"name{k}": sentence(game_guide(game).outcome(*each)) for k, each in enumerate(outcomes)}
    return sentence(", ".join(f"{{{name}}}" for name in words), **words)


def drawn_by_lot(
    game: GameRules[Any], table: Table, given: Mapping[str, str]
) -> tuple[Sentence, Sentence] | None:  # fmt: skip
    """What `new_table` drew because nobody had said what the set-up turned up, None for nothing: in words for the
    table, and in those for the terminal, which is told how to say it.
    """
    drawn = [option for option in game.options(table) if option.count > 1 and option.name not in given]
    if not drawn:
        return None
    names = _named([(option.name, name) for option in drawn for name in table.options[option.name]], table.game)
    words = (
        "companion play --new --game", table.game, *(f"{SET_UP} {option.name}={option.example}" for option in drawn)
    )  # fmt: skip
    return (
        sentence("Drawn by lot, as nobody said what the set-up turned up: {names}. Lay that out.", names=names),
        sentence(
            "Drawn by lot, as nobody said what the set-up turned up: {names}. Lay that out, or begin anew with what"
            " lies there: {words}",
            names=names,
            words=" ".join(words),
        ),
    )
