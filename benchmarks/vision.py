"""How well and how fast the reader reads scenes of the simulated table that nothing was tuned on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from benchmarks.figures import Figure, median, percentile
from benchmarks.scenes import digest, situations
from companion.board.layout import EMPTY
from companion.registry import print_and_play_board
from ui.simulated_table.scene import Scene
from vision.frames import Frame
from vision.profile import load_profile, shipped_profile
from vision.reader import TableReader
from vision.registration import BoardNotFound

SCENES = int(os.environ.get("COMPANION_SCENES", "40"))
SURE = 0.5


def measure() -> Iterator[Figure]:
    """Spots read wrongly by condition, whole boards, and milliseconds of a read and of a steady frame."""
    for stress, goal in ((False, 0.02), (True, 0.2)):
        yield from _reading(stress=stress, goal=goal)
    yield from _steady()


def _reading(*, stress: bool, goal: float) -> Iterator[Figure]:
    board = print_and_play_board("city_of_marble")
    profile = load_profile(shipped_profile(board), board)
    reader = TableReader(board, profile)
    name = "under stress" if stress else "in normal light"
    wrong = occupied = phantom = exact = lost = unsure = 0
    durations = []
    for situation in situations(SCENES, stress=stress):
        picture = Scene(board, situation.view, situation.light, situation.sloppiness).frame(situation.look)
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
    note = f"frozen set {digest(SCENES, stress=stress)}, {unsure} unsure, {lost} boards not found"
    yield Figure(f"occupied spots read wrongly {name}", 100 * wrong / occupied, "%", goal, count=occupied, note=note)
    yield Figure(
        f"empty spots called occupied {name}", phantom, "", SCENES / 100, count=SCENES, note="of so many boards"
    )
    yield Figure(f"whole boards exact {name}", 100 * exact / SCENES, "%", 99.5, at_least=True, count=SCENES)
    yield Figure(
        f"registration and full read {name}", median(durations), "ms", 120, count=SCENES,
        note=f"p95 {percentile(durations, 0.95):.0f} ms",
    )  # fmt: skip


def _steady() -> Iterator[Figure]:
    """Frames before a fixed camera: watched only, and read again under the pose known already."""
    board = print_and_play_board("city_of_marble")
    reader = TableReader(board, load_profile(shipped_profile(board), board), refresh=1e9)
    situation = next(situations(1, stress=False))
    scene = Scene(board, situation.view, situation.light, situation.sloppiness)
    durations, reads = [], []
    for number in range(60):
        frame = Frame(scene.frame(situation.look), number / 15, number)
        begin = time.perf_counter()
        reader.see(frame)
        durations.append((time.perf_counter() - begin) * 1e3)
    for number in range(60, 70):
        frame = Frame(scene.frame(situation.look), number / 15, number)
        reader.request()
        begin = time.perf_counter()
        reader.see(frame)
        reads.append((time.perf_counter() - begin) * 1e3)
    yield Figure("full read of a 1080p frame, pose known", median(reads), "ms", 120, count=len(reads))
    yield Figure(
        "steady 1080p frame", median(durations[10:]), "ms", 25, count=50,
        note=f"p95 {percentile(durations[10:], 0.95):.0f} ms (goal 40)",
    )  # fmt: skip
