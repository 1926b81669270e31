"""The board as photograph and command line describe it together, and what remains doubtful or unknown."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.board.layout import Board
from companion.engine import GameRules
from companion.frozen import FrozenDict
from companion.photographs.last_board import LastBoard
from companion.photographs.spots_to_ask import judged
from companion.position import bare_table
from companion.wording.spelling import plain
from ui.commands.table_options import RULING, SET_UP, given_outcomes, given_rulings, pairs
from ui.commands.terminal import WrongUse
from ui.photographs.reading import (
    MOST_COVERED,
    Doubt,
    PhotographReading,
    corrected_look,
    doubt_of,
    likely_colours,
    open_spots,
)

PLAYERS, ANSWER = "--players", "--answer"
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class CommandLineTable:
    """The table as the command line describes it; `players` is None if it names none."""

    game: GameRules[Any]
    board: Board
    players: Sequence[tuple[str, str]] | None
    rulings: Mapping[str, str]
    set_up: Mapping[str, Sequence[str]]
    answers: Mapping[str, str]
    corrected: Mapping[str, str]

    @classmethod
    def of(cls, chosen: argparse.Namespace, game: GameRules[Any], board: Board) -> CommandLineTable:
        """The table from parsed arguments, checked as far as possible without the picture.

        Raises WrongUse.
        """
        bare = bare_table(game.info.id, board)
        players = None
        if chosen.players is not None:
            players = pairs(chosen.players.split(","), PLAYERS, "NAME=COLOUR")
        return cls(
            game,
            board,
            players,
            given_rulings(game, dict(pairs(chosen.ruling, RULING))),
            given_outcomes(game, bare, dict(pairs(chosen.set_up, SET_UP))),
            dict(pairs(chosen.answer, ANSWER, "NAME.SEAT=TEXT")),
            dict(pairs(chosen.corrected, "--is", "SPOT=LABEL")),
        )

    def last_board(self, look: Mapping[str, str]) -> LastBoard:
        """The last board with this look; without names there is one player for each colour on it."""
        players = self.players
        if players is None:
            colours = likely_colours(self.game, self.board, look)
            players = [(f"Player {seat}", colour) for seat, colour in enumerate(colours, 1)]
        entries = {
            "players": [{"name": name, "colour": colour} for name, colour in players],
            "rulings": dict(self.rulings),
            **{name: list(names) for name, names in self.set_up.items()},
        }
        return LastBoard(self.game, self.board, entries, look)


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """The most likely board from picture, command line and rules, with the doubtful and the unseen spots that could
    change the score.
    """

    board: LastBoard
    doubts: Sequence[Doubt]
    open: Sequence[str]

    @classmethod
    def of(
        cls, reading: PhotographReading, given: CommandLineTable, spots: Mapping[str, str] = FrozenDict()
    ) -> ReadBoard:
        """Combine the picture with the command line; `spots` are labels that the user has given since.

        Raises WrongUse for a spot or a label that cannot be.
        """
        known_spots = given.board.all_spots
        kinds = {spot.piece for spot in known_spots.values()}
        empty = {name for name, label in given.corrected.items() if name in kinds and not label}
        nothing = {name: "" for name in reading.covered if known_spots[name].piece in empty}
        single = {name: label for name, label in given.corrected.items() if name not in empty}
        corrected = {**nothing, **single, **spots}
        try:
            last = given.last_board(corrected_look(given.board, reading.look, corrected))
        except ValueError as error:
            raise WrongUse(f"--is: {error}") from error
        known = set(map(plain, corrected))
        chances = {spot: shares for spot, shares in reading.chances.items() if plain(spot) not in known}
        doubtful = [doubt.spot for doubt in reading.doubts if doubt.spot in chances]
        settled = {name for name in reading.covered if plain(name) in known}
        covered = open_spots(given.board, last.sheets, reading.covered, last.look, settled)
        opened = judged(last, chances, doubtful, covered)
        doubts = [doubt_of(spot, shares) for spot, shares in chances.items() if spot in opened.asked]
        return cls(opened.last, doubts, [name for name in covered if name in opened.asked])


def doubt_text(doubt: Doubt) -> str:
    """The two likeliest labels of a spot in doubt."""
    return " or ".join(f"{label or NOTHING} ({share:.0%})" for label, share in doubt.labels[:2])


def covered_text(board: Board, spots: Sequence[str]) -> str:
    """A message that spots cannot be seen, with their kinds and the remedy."""
    kinds = Counter(board.all_spots[spot].piece for spot in spots)
    where = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    if len(spots) > MOST_COVERED:
        beside = " and the sheet beside it, both whole in view" if board.beside else ""
        remedy = f"take another picture in even light, with nothing before the board{beside}"
    else:
        remedy = "take another picture, or say what lies there with --is"
    many = "1 spot" if len(spots) == 1 else f"{len(spots)} spots"
    return f"{many} of the board cannot be made out ({where}); there is no score: {remedy}"
