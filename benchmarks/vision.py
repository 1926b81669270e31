"""Accuracy and speed of the reader on scenes of the simulated table that were not used for tuning."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from benchmarks.figures import Figure, median, percentile
from benchmarks.scenes import NORMAL, STEEP, STRESS, digest, sheets, situations
from companion.board.layout import EMPTY, Board
from companion.registry import print_and_play_board
from ui.simulated_table.scene import Scene
from vision.camera.frames import CameraFrame
from vision.location.board_pose import BoardNotFound
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.reader import TableReader

SCENES = int(os.environ.get("COMPANION_SCENES", "40"))
SURE = 0.5
GOALS = {NORMAL: 0.02, STRESS: 0.2}


def measure() -> Iterator[Figure]:
    """Spots read wrongly by sheet and condition, whole boards, floors, milliseconds of a read and of a steady frame."""
    for game, sheet in sheets():
        for condition in GOALS:
            yield from _reading(game, sheet, condition)
    yield _floors()
    yield from _steady()


def _reading(game: str, board: Board, condition: str) -> Iterator[Figure]:
    reader = TableReader(board, load_profile(shipped_profile(board), board))
    name = f"{board.id.removesuffix('/print_and_play')} {condition}"
    wrong = occupied = phantom = exact = lost = unsure = 0
    durations = []
    for situation in situations(SCENES, condition, game, board):
        picture = situation.picture()
        begin = time.perf_counter()
        reading = reader.look(picture)
        durations.append((time.perf_counter() - begin) * 1e3)
        occupied += len(situation.look)
        if isinstance(reading, BoardNotFound):
            lost += 1
            continue
        mistakes = 0
        for spot, posterior in reading.posteriors.items():
            truth, label = situation.look.get(spot, EMPTY), max(posterior, key=posterior.__getitem__)
            if posterior[label] < SURE:
                unsure += 1
            elif label != truth:
                mistakes += 1
                phantom += truth == EMPTY
                wrong += truth != EMPTY
        exact += not mistakes
    note = f"frozen set {digest(SCENES, condition, game, board)}, {unsure} unsure, {lost} boards not found"
    yield Figure(
        f"spots read wrongly: {name}", 100 * wrong / max(occupied, 1), "%", GOALS[condition], count=occupied, note=note
    )
    yield Figure(
        f"empty spots called occupied: {name}", phantom, "", SCENES / 100, count=SCENES, note="of so many boards"
    )
    yield Figure(f"whole boards exact: {name}", 100 * exact / SCENES, "%", 99.5, at_least=True, count=SCENES)
    yield Figure(
        f"registration and full read: {name}", median(durations), "ms", 120, count=SCENES,
        note=f"p95 {percentile(durations, 0.95):.0f} ms",
    )  # fmt: skip


def _floors() -> Figure:
    """Floors of Capitol from the side: right, or asked."""
    board = print_and_play_board("capitol")
    reader = TableReader(board, load_profile(shipped_profile(board), board))
    right = asked = count = 0
    for situation in situations(SCENES, STEEP, "capitol", board):
        reading = reader.look(situation.picture())
        floors = {spot: label for spot, label in situation.look.items() if spot.startswith("floor ")}
        count += len(floors)
        if isinstance(reading, BoardNotFound):
            asked += len(floors)
            continue
        for spot, label in floors.items():
            posterior = reading.posteriors.get(spot)
            best = max(posterior, key=posterior.__getitem__) if posterior else ""
            if posterior is None or posterior[best] < SURE:
                asked += 1
            else:
                right += best == label
    note = f"{asked} of them asked, {count - right - asked} wrong; frozen set {digest(SCENES, STEEP, 'capitol', board)}"
    share = 100 * (right + asked) / max(count, 1)
    return Figure(f"Capitol floors right or asked {STEEP}", share, "%", 99.0, at_least=True, count=count, note=note)


def _steady() -> Iterator[Figure]:
    """Times per frame of a fixed camera: only watched, and read again with the known pose."""
    board = print_and_play_board("city_of_marble")
    reader = TableReader(board, load_profile(shipped_profile(board), board), refresh=1e9)
    situation = next(situations(1))
    scene = Scene(board, situation.view, situation.light, situation.sloppiness)
    durations, reads = [], []
    for number in range(60):
        frame = CameraFrame(scene.frame(situation.look), number / 15, number)
        begin = time.perf_counter()
        reader.see(frame)
        durations.append((time.perf_counter() - begin) * 1e3)
    for number in range(60, 70):
        frame = CameraFrame(scene.frame(situation.look), number / 15, number)
        reader.request()
        begin = time.perf_counter()
        reader.see(frame)
        reads.append((time.perf_counter() - begin) * 1e3)
    yield Figure("full read of a 1080p frame, pose known", median(reads), "ms", 120, count=len(reads))
    yield Figure(
        "steady 1080p frame", median(durations[10:]), "ms", 25, count=50,
        note=f"p95 {percentile(durations[10:], 0.95):.0f} ms (goal 40)",
    )  # fmt: skip
