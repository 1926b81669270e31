"""How surely and how soon the camera's sight of a game becomes its moves, on the simulated table."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.engine import start_of
from benchmarks.figures import Figure, median, percentile
from benchmarks.scenes import NORMAL, light_of, view_of
from companion.board.layout import Board
from companion.engine import apply_unchecked
from companion.registry import GAMES, load_game, print_and_play_board
from companion.session.tracking import Finding, explain
from ui.camera import CameraEye
from ui.simulated_table.players import seated
from ui.simulated_table.scene import Scene, Sloppiness
from ui.simulated_table.table import SimulatedTable
from ui.simulated_table.view import View
from vision.frames import Frame
from vision.profile import load_profiles
from vision.reader_process import CameraReport
from vision.reading import Reading
from vision.sheets import SheetsReader

MOVES = int(os.environ.get("COMPANION_MOVES", "60"))
"""moves of each game; 750 make the 3,000 of the goal"""
FIRST_SEED = 700_000
PLACINGS = 12
PATIENCE = 20.0


def measure() -> Iterator[Figure]:
    """Moves recognised, moves imagined, and delays from hand to proposal."""
    for game_id in GAMES:
        yield from _moves(game_id)
    yield from _delays()
    yield _bump()


def _moves(game_id: str) -> Iterator[Figure]:
    """Games played by the simulated players; every visible action is read from one frame and explained."""
    game, board = load_game(game_id), print_and_play_board(game_id)
    reader = SheetsReader(board, load_profiles(board))
    seen = exact = first = imagined = settled = 0
    seed = FIRST_SEED
    while seen < MOVES:
        random = Random(seed)
        scene = Scene(board, view_of(board, NORMAL, random), light_of(NORMAL, random), Sloppiness(seed=seed))
        state = start_of(game, board, random.randint(*game.info.seats))
        players = seated(game, state, random)
        number = 0
        while game.decide(state) is not None and seen < MOVES:
            action = players.choose(state, Random(f"{seed}:{number}"))
            after = apply_unchecked(game, state, action).state
            number += 1
            look = {spot: label for spot, label in game.appearance(after).items() if spot in board.spots}
            before = {spot: label for spot, label in game.appearance(state).items() if spot in board.spots}
            if look != before:
                reading = reader.look(scene.frame(look))
                if isinstance(reading, Reading):
                    observation = reading.observation(board, Frame(scene.frame(look), float(number), number))
                    found = explain(game, state, observation)
                    told = [candidate.actions for candidate in found.candidates]
                    exact += bool(told) and told[0] == (action,)
                    first += any(action in actions for actions in told[:2])
                    imagined += explain(game, after, observation).finding is Finding.ACTION
                    settled += 1
                seen += 1
            players, state = players.after(state, action, after), after
        seed += 1
    title = game.info.title
    yield Figure(f"moves recognised first: {title}", 100 * exact / seen, "%", 99.9, at_least=True, count=seen)
    yield Figure(f"moves among the first two: {title}", 100 * first / seen, "%", count=seen)
    note = f"with none, fewer than {300 / max(settled, 1):.2g} % at 95 % confidence"
    yield Figure(f"moves imagined in settled scenes: {title}", imagined, "", 0, count=settled, note=note)


def _heard(eye: CameraEye, wanted: Callable[[CameraReport], bool], until: float) -> float:
    """The moment at which the camera's process says what is wanted."""
    while time.monotonic() < until:
        try:
            report = eye.reports.get(timeout=0.5)
        except queue.Empty:
            continue
        if wanted(report):
            return time.monotonic()
    return float("nan")


def _delays() -> Iterator[Figure]:
    """From the hand's leaving to the first reading that shows what it laid, through the camera's own process."""
    board = print_and_play_board("city_of_marble")
    wards = [spot for spot in board.spots if spot.startswith("ward ")]
    random = Random(5)
    look: dict[str, str] = {}
    table = SimulatedTable(board, look, seed=9, view=View())
    eye = CameraEye(table.source(), board)
    eye.start()
    noticed, proposed = [], []
    try:
        _heard(eye, _is_read, time.monotonic() + PATIENCE)
        for _ in range(PLACINGS):
            spot = random.choice([name for name in wards if _is_free(board, name, look)])
            look = look | {spot: random.choice(("red", "green", "blue", "yellow"))}
            while not eye.reports.empty():
                eye.reports.get_nowait()
            begun = time.monotonic()
            table.move(look)
            gone = time.monotonic()
            noticed.append(_first_motion(eye, begun))
            seen = _heard(eye, lambda report, spot=spot: _shows(report, spot), gone + PATIENCE)
            proposed.append((seen - gone) * 1e3)
    finally:
        eye.close()
    yield Figure("change noticed after the hand came", median(noticed), "ms", count=len(noticed))
    yield Figure(
        "move read after the hand left", median(proposed), "ms", 300, count=len(proposed),
        note=f"p95 {percentile(proposed, 0.95):.0f} ms (goal 500)",
    )  # fmt: skip


def _first_motion(eye: CameraEye, begun: float) -> float:
    """Milliseconds from the hand's coming to the first frame that shows it, by the frame's own time."""
    while True:
        report = eye.reports.get(timeout=PATIENCE)
        sight = report.sight
        if sight is not None and sight.observation is not None and not sight.observation.quiet:
            return max(0.0, (sight.observation.time - begun) * 1e3)


def _is_free(board: Board, spot: str, look: dict[str, str]) -> bool:
    lattice = board.lattice
    taken = {triangle for name in look for triangle in lattice.edge_triangles[name.removeprefix("ward ")]}
    return taken.isdisjoint(lattice.edge_triangles[spot.removeprefix("ward ")])


def _is_read(report: CameraReport) -> bool:
    return report.sight is not None and report.sight.observation is not None and report.sight.observation.quiet


def _shows(report: CameraReport, spot: str) -> bool:
    if report.sight is None or report.sight.observation is None or not report.sight.observation.quiet:
        return False
    shares = report.sight.observation.posteriors.get(spot, {"": 1.0})
    return max(shares, key=shares.__getitem__) != ""


def _bump() -> Figure:
    """A camera pushed by up to 60 pixels or 3 degrees: until the board is read again, in frames of 20 a second."""
    game, board = load_game("city_of_marble"), print_and_play_board("city_of_marble")
    state = start_of(game, board, 2)
    look = game.appearance(state)
    random, durations, imagined = Random(3), [], 0
    for seed in range(10):
        reader = SheetsReader(board, load_profiles(board), refresh=0.8)
        still = Scene(board, View(width=1920, height=1080, distance=800), sloppiness=Sloppiness(seed=seed))
        pushed = View(
            width=1920, height=1080, distance=800, roll=random.uniform(-3, 3),
            aim=(random.uniform(-18, 18), random.uniform(-18, 18)),
        )  # fmt: skip
        moved = Scene(board, pushed, sloppiness=Sloppiness(seed=seed))
        for number in range(12):
            reader.see(Frame(still.frame(look), number / 20, number))
        for number in range(12, 60):
            sight = reader.see(Frame(moved.frame(look), number / 20, number))
            if sight.observation is not None and sight.observation.quiet:
                durations.append((number - 12) * 50.0)
                imagined += explain(game, state, sight.observation).finding is not Finding.NO_CHANGE
                break
    return Figure(
        "bumped camera reads again after", max(durations), "ms", 500, count=len(durations),
        note=f"{imagined} false moves; of 10 bumps",
    )  # fmt: skip
