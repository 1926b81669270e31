"""What one surely wrong label does to a score: told, without effect, or the score changed and nobody was asked.

Each fault is put into the reading of the board at the end of a game of simulated players; every other spot is read
rightly. Truthful answers correct what is asked about.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from benchmarks.figures import Figure, interval
from benchmarks.scenes import ended_state
from companion.board.layout import EMPTY
from companion.photographs.last_board import LastBoard
from companion.photographs.spots_to_ask import counted, judged
from companion.registry import load_game, print_and_play_board
from ui.photographs.reading import open_spots, photograph_reading, reading_problem
from ui.simulated_table.demo import playable

GAMES_ENDED = int(os.environ.get("COMPANION_ENDS", "60"))
FAULTS_OF_A_SORT = 4
"""for each kind of piece in each end: taken for another label, not seen, imagined"""
FIRST_SEED = 950_000
WRONG, RIGHT = 0.95, 0.997
"""the probability of a label that is wrong, and of every other one"""
SORTS = ("mixed", "lost", "imagined")
MOST_SILENT = 5.0
"""per cent"""


@dataclass(frozen=True, slots=True)
class Fault:
    """A label that is not on a spot; EMPTY is nothing."""

    spot: str
    label: str


def measure() -> Iterator[Figure]:
    """By kind of piece, the share of faults that change a score silently."""
    for game_id in playable():
        found: Counter[tuple[str, str]] = Counter()
        for number in range(GAMES_ENDED):
            found += _faults_of(game_id, FIRST_SEED + number)
        for kind in sorted({kind for kind, _what in found}):
            count = sum(found[kind, what] for what in ("asked", "impossible", "no effect", "silent"))
            silent = found[kind, "silent"]
            low, high = interval(silent, count)
            yield Figure(
                f"{game_id}, {kind}: one surely wrong label changes the score silently", 100 * silent / count, "%",
                MOST_SILENT, count=count,
                note=f"95 % interval {100 * low:.1f} to {100 * high:.1f} %; asked {found[kind, 'asked']}, "
                f"impossible as the end of a game {found[kind, 'impossible']}, no effect {found[kind, 'no effect']}; "
                + ", ".join(f"{sort} {found[kind, f'{sort} silent']} of {found[kind, sort]}" for sort in SORTS),
            )  # fmt: skip


def _faults_of(game_id: str, seed: int) -> Counter[tuple[str, str]]:
    """How often (kind of piece, what came of it)."""
    game, random = load_game(game_id), Random(seed)
    state = ended_state(game_id, seed)
    table, board = state.table, print_and_play_board(game_id)
    players = [{"name": player.name, "colour": player.colour} for player in table.players]
    look = game.appearance(state)
    shown = game.photograph_scoring.set_up(board, look)
    told = {name: list(names) for name, names in table.options.items() if name not in shown}
    truth = LastBoard(game, board, {"players": players, **told}, look)
    right = counted(truth)
    found: Counter[tuple[str, str]] = Counter()
    if not right:
        found["(whole boards)", "impossible"] += 1
        return found
    sheets = {name: spot for sheet in truth.sheets for name, spot in sheet.spots.items()}
    for kind in sorted({spot.piece for spot in sheets.values()}):
        sorts: dict[str, list[Fault]] = {sort: [] for sort in SORTS}
        for name, spot in sheets.items():
            lying = look.get(name, EMPTY)
            for label in (*spot.labels, EMPTY) if spot.piece == kind else ():
                if label != lying:
                    sorts["lost" if label == EMPTY else "imagined" if lying == EMPTY else "mixed"].append(
                        Fault(name, label)
                    )
        for sort, faults in sorts.items():
            for fault in random.sample(faults, min(FAULTS_OF_A_SORT, len(faults))):
                came = _what_came(truth, right, fault)
                found[kind, came] += 1
                found[kind, sort] += 1
                found[kind, f"{sort} {came}"] += 1
    return found


def _what_came(truth: LastBoard, right: object, fault: Fault) -> str:
    true_label = truth.look.get(fault.spot, EMPTY)
    chances: dict[str, Mapping[str, float]] = {}
    for sheet in truth.sheets:
        for name, spot in sheet.spots.items():
            label = truth.look.get(name, EMPTY)
            other = spot.labels[0] if label == EMPTY else EMPTY
            chances[name] = {label: RIGHT, other: 1.0 - RIGHT}
    chances[fault.spot] = {fault.label: WRONG, true_label: 1.0 - WRONG}
    shown = photograph_reading(truth.board, chances)
    read = LastBoard(truth.game, truth.board, truth.entries, shown.look)
    covered = open_spots(truth.board, list(truth.sheets), shown.covered, shown.look, ())
    result = judged(read, shown.chances, [doubt.spot for doubt in shown.doubts], covered)
    if fault.spot in result.asked:
        return "asked"
    if reading_problem(result.last):
        return "impossible"
    return "no effect" if counted(result.last) == right else "silent"
