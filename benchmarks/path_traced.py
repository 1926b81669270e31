"""How well the reader reads pictures of a renderer that is not ours, from a folder.

`COMPANION_RENDER` names the folder of `NAME.jpg` and `NAME.json` (`sheet`, `look`: spot -> label, and `hand` where one
lies over the board).
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, interval
from benchmarks.scenes import watched_games
from companion.board.layout import EMPTY, Board
from companion.registry import print_and_play_board
from vision.pictures import read_picture
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReading
from vision.reader import TableReader

VARIABLE = "COMPANION_RENDER"
LIKELY, SURE = 0.5, 0.9
STEPS = (0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 1.0)
"""Probabilities between which answers are counted together for the table of how often they are right."""


def measure() -> Iterator[Figure]:
    """Spots read wrongly and called covered, by sheet, and how far probabilities can be believed."""
    folder = os.environ.get(VARIABLE)
    if not folder:
        print(f"path_traced: {VARIABLE} names no folder of pictures with truth; nothing is measured")
        return
    boards = {
        name: sheet
        for game in watched_games()
        for sheet in print_and_play_board(game).sheets
        for name in (sheet.id, sheet.id.removesuffix("/print_and_play"))
    }
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for file in sorted(Path(folder).glob("*.json")):
        truth = json.loads(file.read_text(encoding="utf-8"))
        if truth.get("sheet") in boards:
            board = boards[truth["sheet"]]
            found[board.id] += _compared(board, truth, file.with_suffix(".jpg"))
    for board_id, counts in found.items():
        yield from _figures(board_id.removesuffix("/print_and_play"), counts)


def _compared(board: Board, truth: Mapping[str, Any], picture: Path) -> Counter[str]:
    reading = TableReader(board, load_profile(shipped_profile(board), board)).look(read_picture(picture))
    if not isinstance(reading, BoardReading):
        return Counter(pictures=1, lost=1)
    counts, look = Counter(pictures=1), truth["look"]
    for spot in board.spots:
        true = look.get(spot, EMPTY)
        counts["occupied" if true else "empty"] += 1
        if spot in reading.covered:
            counts["covered"] += not truth.get("hand", False)
            continue
        shares = reading.posteriors[spot]
        best = max(shares, key=shares.__getitem__)
        step = sum(shares[best] >= low for low in STEPS[:-1])
        counts[f"told {step}"] += 1
        counts[f"right {step}"] += best == true
        if best != true and shares[best] >= LIKELY:
            counts["wrong" if true else "imagined"] += 1
            counts["surely"] += shares[best] >= SURE
    return counts


def _figures(sheet: str, counts: Counter[str]) -> Iterator[Figure]:
    low, high = interval(counts["wrong"], counts["occupied"])
    yield Figure(
        f"spots wrong, path-traced: {sheet}", 100 * counts["wrong"] / max(1, counts["occupied"]), "%", 0.2,
        count=counts["occupied"],
        note=f"95 % interval {100 * low:.2f} to {100 * high:.2f} %, {counts['lost']} of {counts['pictures']} not found",
    )  # fmt: skip
    low, high = interval(counts["surely"], counts["occupied"] + counts["empty"])
    yield Figure(
        f"surely wrong or imagined, path-traced: {sheet}", counts["surely"], "spots", 1,
        count=counts["occupied"] + counts["empty"],
        note=f"at most {100 * high:.2f} % of spots (95 %); {counts['imagined']} imagined at all",
    )  # fmt: skip
    yield Figure(
        f"spots called covered where no hand is, path-traced: {sheet}", counts["covered"], "spots",
        count=counts["occupied"] + counts["empty"],
    )  # fmt: skip
    rows = [
        f"{STEPS[step - 1]:g} to {STEPS[step]:g}: {counts[f'right {step}']} of {counts[f'told {step}']}"
        for step in range(1, len(STEPS))
        if counts[f"told {step}"]
    ]
    yield Figure(
        f"answers right by probability, path-traced: {sheet}",
        100 * sum(counts[f"right {step}"] for step in range(len(STEPS)))
        / max(1, sum(counts[f"told {step}"] for step in range(len(STEPS)))),
        "%", count=counts["pictures"], note="; ".join(rows),
    )  # fmt: skip
