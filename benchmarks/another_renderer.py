"""How well the reader reads pictures of a renderer that knows only what `companion print --manifest` writes.

It shares nothing with the simulated table: rays through a bent lens, area lamps, printed or painted pieces, clutter.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure, interval, median
from benchmarks.scenes import look_of, watched_games
from calibration.editions import USUAL, Edition
from companion.board.layout import EMPTY, Board
from companion.photographs.last_board import LastBoard
from companion.photographs.spots_to_ask import judged
from companion.registry import load_game, print_and_play_board
from tests.vision.traced.tables import Printed, hard_photograph, photograph, print_manifest
from ui.photographs.reading import UNSURE, likely_colours, open_spots, photograph_reading, reading_problem
from vision.pictures import Image
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReading
from vision.reader import TableReader

SCENES = int(os.environ.get("COMPANION_SCENES", "20"))
EDITION = Edition(os.environ.get("COMPANION_EDITION", USUAL.value))
"""of the print"""
STRESS = bool(os.environ.get("COMPANION_STRESS"))
"""whether light is dim, shadows are deep and another printer made the pieces"""
FIRST_SEED = 800_000
"""no seed from here on was ever used for tuning"""
LIKELIER = 0.5
STEEP = (30.0, 60.0)
FEW, CALM = 2, 95.0
"""spots about which a picture may ask who wants the score, and what part of pictures (%) shall ask about no more"""


def measure() -> Iterator[Figure]:
    """Spots read wrongly by sheet, and the floors of Capitol from the side."""
    with TemporaryDirectory() as folder:
        for game in watched_games():
            printed = print_manifest(game, Path(folder) / game, EDITION)
            for sheet in print_and_play_board(game).sheets:
                yield from _reading(game, sheet, printed[sheet.id])
        yield _floors(Printed(Path(folder) / "capitol"))


def _reading(game: str, board: Board, printed: Printed) -> Iterator[Figure]:
    looks = [_look(game, board, FIRST_SEED + number) for number in range(SCENES)]
    found: Counter[str] = Counter()
    asked = []
    for number, look in enumerate(looks):
        reading = _read(board, (hard_photograph if STRESS else photograph)(printed, look, FIRST_SEED + number))
        found += _compare(board, look, reading)
        if board is print_and_play_board(game) and not reading_problem(_last_board(game, board, look)):
            asked.append(_asked(game, board, reading) if reading is not None else len(board.spots))
    occupied = sum(map(len, looks))
    wrong, name = found["wrong"] + found["mixed"], board.id.removesuffix("/print_and_play")
    low, high = interval(wrong, occupied)
    yield Figure(
        f"spots wrong, another renderer: {name}", 100 * wrong / max(1, occupied), "%", 0.2, count=occupied,
        note=f"95 % interval {100 * low:.2f} to {100 * high:.2f} %, {found['sure']} of them surely, "
        f"{found['asked']} asked, {found['lost']} of {SCENES} boards not found, frozen set {_digest(looks)}",
    )  # fmt: skip
    yield Figure(
        f"empty spots called occupied, another renderer: {name}", found["phantom"], "", 0, count=SCENES,
        note="of so many boards",
    )  # fmt: skip
    if asked:
        few = sum(count <= FEW for count in asked)
        low, high = interval(few, len(asked))
        yield Figure(
            f"pictures that ask about at most {FEW} spots for the score: {name}", 100 * few / len(asked), "%", CALM,
            at_least=True, count=len(asked),
            note=f"95 % interval {100 * low:.0f} to {100 * high:.0f} %, median {median(asked):g} asked",
        )  # fmt: skip


def _floors(printed: Printed) -> Figure:
    """Floors of towers of any height from the side: right, or asked."""
    board = print_and_play_board("capitol")
    looks = [_heightened(_look("capitol", board, FIRST_SEED + number), number) for number in range(SCENES)]
    found: Counter[str] = Counter()
    for number, look in enumerate(looks):
        picture = photograph(printed, look, FIRST_SEED + SCENES + number, STEEP)
        found += _compare(board, look, _read(board, picture), "floor", UNSURE)
    count = sum(spot.startswith("floor ") for look in looks for spot in look)
    wrong = found["wrong"] + found["mixed"]
    low, high = interval(count - wrong, count)
    share = (count - wrong) / max(1, count)
    return Figure(
        "floors right or asked from 30 to 60 degrees, another renderer", 100 * share, "%", 99.0,
        at_least=True, count=count,
        note=f"95 % interval {100 * low:.1f} to {100 * high:.1f} %, {found['asked']} asked, "
        f"frozen set {_digest(looks)}",
    )  # fmt: skip


def _look(game: str, board: Board, seed: int) -> Mapping[str, str]:
    return {spot: label for spot, label in look_of(game, seed).items() if spot in board.spots}


def _heightened(look: Mapping[str, str], seed: int) -> Mapping[str, str]:
    """The same with towers of up to seven floors."""
    random = Random(seed)
    return {
        spot: str(min(7, int(label) + random.choice((0, 0, 1, 1, 2, 3, 4)))) if spot.startswith("floor ") else label
        for spot, label in look.items()
    }


def _read(board: Board, picture: Image) -> BoardReading | None:
    reading = TableReader(board, load_profile(shipped_profile(board), board)).look(picture)
    return reading if isinstance(reading, BoardReading) else None


def _last_board(game_id: str, board: Board, look: Mapping[str, str]) -> LastBoard:
    """A board of a table at which the colours play that lie on it."""
    game = load_game(game_id)
    colours = likely_colours(game, print_and_play_board(game_id), look)
    players = [{"name": colour.title(), "colour": colour} for colour in colours]
    return LastBoard(game, board, {"players": players}, look)


def _asked(game_id: str, board: Board, reading: BoardReading) -> int:
    """About how many spots somebody must be asked who wants the score of this picture."""
    shown = photograph_reading(board, reading.posteriors)
    covered = open_spots(board, [board], shown.covered, shown.look, ())
    doubtful = [doubt.spot for doubt in shown.doubts]
    return len(judged(_last_board(game_id, board, shown.look), shown.chances, doubtful, covered).asked)


def _compare(
    board: Board, look: Mapping[str, str], reading: BoardReading | None, kind: str = "", likely: float = LIKELIER
) -> Counter[str]:
    """How often a spot (of a kind of piece) was read wrongly, taken for another label or for taken, or left open: no
    label likelier than `likely`.
    """
    taken = [spot for spot in look if spot.startswith(kind)]
    if reading is None:
        return Counter(lost=1, asked=len(taken))
    found: Counter[str] = Counter()
    for spot in (spot for spot in board.spots if spot.startswith(kind)):
        truth, chances = look.get(spot, EMPTY), reading.posteriors.get(spot, {})
        best = max(chances, key=chances.__getitem__, default=EMPTY)
        if chances.get(best, 0.0) < likely:
            found["asked"] += truth != EMPTY
        elif best != truth:
            found["phantom" if truth == EMPTY else "wrong" if best == EMPTY else "mixed"] += 1
            found["sure"] += truth != EMPTY and chances[best] >= UNSURE
    return found


def _digest(looks: list[Mapping[str, str]]) -> str:
    return hashlib.sha256(json.dumps([sorted(look.items()) for look in looks]).encode()).hexdigest()[:12]
