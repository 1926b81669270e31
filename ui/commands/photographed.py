"""What a photograph and the words beside it tell of a board together, and what neither of them tells."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.board.layout import Board
from companion.end_doubts import spots_that_count
from companion.engine import GameRules
from companion.errors import InvalidDocument
from companion.frozen import FrozenDict
from companion.photograph import photographed_table
from companion.position import bare_table
from companion.spelling import plain, spellings
from companion.texts import game_texts
from ui.commands.table_options import RULING, SET_UP, pairs, told_outcomes, told_rulings
from ui.commands.terminal import WrongUse, complain, say
from ui.results.photograph import (
    MOST_COVERED,
    Doubt,
    PhotographReading,
    all_spots,
    corrected_look,
    doubt_of,
    likely_colours,
    open_spots,
)

PLAYERS, ANSWER = "--players", "--answer"
NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Told:
    """What the command line says beside the picture; `players` is None where it names nobody."""

    players: Sequence[tuple[str, str]] | None
    rulings: Mapping[str, str]
    set_up: Mapping[str, Sequence[str]]
    answers: Mapping[str, str]
    corrected: Mapping[str, str]

    @classmethod
    def of(cls, chosen: argparse.Namespace, game: GameRules[Any], board: Board) -> Told:
        """What the options say, checked as far as it can be without the picture.

        Raises WrongUse.
        """
        bare = bare_table(game.info.id, board)
        players = None
        if chosen.players is not None:
            players = pairs(chosen.players.split(","), PLAYERS, "NAME=COLOUR")
        return cls(
            players,
            told_rulings(game, dict(pairs(chosen.ruling, RULING))),
            told_outcomes(game, bare, dict(pairs(chosen.set_up, SET_UP))),
            dict(pairs(chosen.answer, ANSWER, "NAME.SEAT=TEXT")),
            dict(pairs(chosen.corrected, "--is", "SPOT=LABEL")),
        )

    def entries(self, game: GameRules[Any], board: Board, look: Mapping[str, str]) -> dict[str, Any]:
        """The entries of the table; without names there is a player for each colour that lies on the board."""
        players = self.players
        if players is None:
            colours = likely_colours(game, board, look)
            players = [(f"Player {seat}", colour) for seat, colour in enumerate(colours, 1)]
        return {
            "players": [{"name": name, "colour": colour} for name, colour in players],
            "rulings": dict(self.rulings),
            **{name: list(names) for name, names in self.set_up.items()},
        }


@dataclass(frozen=True, slots=True)
class Seen:
    """What lies on the board by picture and words, what is in doubt, and the spots of which neither tells: of both
    only what the score depends on.
    """

    look: Mapping[str, str]
    doubts: Sequence[Doubt]
    open: Sequence[str]

    @classmethod
    def of(
        cls, game: GameRules[Any], board: Board, reading: PhotographReading, told: Told,
        spots: Mapping[str, str] = FrozenDict(),
    ) -> Seen:  # fmt: skip
        """Picture and words together; `spots` are those that were told since.

        Raises WrongUse for a spot or a label that cannot be.
        """
        kinds = {spot.piece for spot in all_spots(board).values()}
        empty = {name for name, label in told.corrected.items() if name in kinds and not label}
        nothing = {name: "" for name in reading.covered if all_spots(board)[name].piece in empty}
        single = {name: label for name, label in told.corrected.items() if name not in empty}
        corrected = {**nothing, **single, **spots}
        try:
            look = corrected_look(board, reading.look, corrected)
        except ValueError as error:
            raise WrongUse(f"--is: {error}") from error
        known = set(map(plain, corrected))
        chances = {spot: shares for spot, shares in reading.chances.items() if plain(spot) not in known}
        doubtful = [doubt.spot for doubt in reading.doubts if doubt.spot in chances]
        settled = {name for name in reading.covered if plain(name) in known}
        covered = open_spots(board, _sheets(game, board, told, look), reading.covered, look, settled)
        entries = told.entries(game, board, look)
        count = spots_that_count(game, board, entries, look, chances, doubtful, covered)
        doubts = [doubt_of(spot, shares) for spot, shares in chances.items() if spot in count]
        return cls(look, doubts, [name for name in covered if name in count])


def _sheets(game: GameRules[Any], board: Board, told: Told, look: Mapping[str, str]) -> Sequence[Board]:
    """The sheets on which something may lie at this table; all where the board cannot be as it was read."""
    try:
        return game.end_reading.sheets(photographed_table(game, board, told.entries(game, board, look), look))
    except InvalidDocument:
        return board.sheets


def ask_spots(
    game: GameRules[Any], board: Board, reading: PhotographReading, told: Told, seen: Seen
) -> Seen:  # fmt: skip
    """Ask on the terminal what lies on covered spots, then on those in doubt, until the input ends.

    An empty answer is nothing on a covered spot, and what is likeliest on one in doubt.
    """
    named, answered = game_texts(board.game).spot, dict[str, str]()
    while seen.open or seen.doubts:
        if seen.open:
            spot, usual = seen.open[0], ""
            about = f"covered: {named(spot)} - what lies there"
        else:
            doubt = seen.doubts[0]
            spot, usual = doubt.spot, doubt.labels[0][0]
            about = f"not sure: {named(spot)}, {doubt_told(doubt)} - what lies there"
        labels = {**spellings(all_spots(board)[spot].labels), plain(NOTHING): ""}
        ways = ", ".join(label or NOTHING for label in labels.values())
        try:
            text = input(f"{about} ({ways}; Enter: {usual or NOTHING})? ")
        except EOFError:
            say()
            return seen
        if text.strip() and plain(text) not in labels:
            complain(f"on {spot} may lie {ways}, not {text.strip()!r}")
            continue
        answered[spot] = labels[plain(text)] if text.strip() else usual
        seen = Seen.of(game, board, reading, told, answered)
    return seen


def doubt_told(doubt: Doubt) -> str:
    """The two likeliest labels of a spot in doubt."""
    return " or ".join(f"{label or NOTHING} ({share:.0%})" for label, share in doubt.labels[:2])


def covered_told(board: Board, spots: Sequence[str]) -> str:
    """That spots cannot be seen, of which kinds they are, and what is to be done."""
    kinds = Counter(all_spots(board)[spot].piece for spot in spots)
    where = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    if len(spots) > MOST_COVERED:
        remedy = "take another picture in even light, with nothing before the board"
    else:
        remedy = "take another picture, or say what lies there with --is"
    many = "1 spot" if len(spots) == 1 else f"{len(spots)} spots"
    return f"{many} of the board cannot be made out ({where}); there is no score: {remedy}"
