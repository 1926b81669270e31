"""How surely and how soon the camera's sight of a game becomes its moves, on the simulated table."""

from __future__ import annotations

import itertools
import os
import queue
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from random import Random
from typing import Any

import cv2
import numpy as np

from benchmarks.engine import start_of
from benchmarks.figures import Figure, median, percentile
from benchmarks.scenes import NORMAL, light_of, view_of
from companion.engine import apply_unchecked
from companion.registry import GAMES, load_game, print_and_play_board
from companion.session.tracker import Eyes, Sight, Tracker
from companion.session.tracking import Finding, explain
from ui.camera import CameraEye
from ui.simulated_table.hand import Hand
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.players import seated
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import Light, View
from vision.frames import Frame, Image
from vision.profile import load_profiles
from vision.reading import Reading
from vision.sheets import SheetsReader
from vision.sources import CallableSource

MOVES = int(os.environ.get("COMPANION_MOVES", "60"))
"""moves of each game; 750 make the 3,000 of the goal"""
FIRST_SEED = 700_000
PLACINGS = 12
FILM_RATE, VISIT = 30.0, 11
"""pictures a second, as a webcam gives them, and pictures of a move: all but the last show the hand"""
HAND_CHANGE, HAND_PIXELS = 40, 400
"""grey levels by which, and pixels of which, the sheet must change for a hand to be over it"""
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


class _Film:
    """What a camera sees of moves made one after another, drawn beforehand so that drawing delays nothing."""

    def __init__(self, scene: Scene, look: Mapping[str, str]) -> None:
        self._scene, self._look = scene, look
        self._still = self._at_rest(look)
        self._visit: deque[Image] = deque()
        self._number = self._ahead = 0
        corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]) * (*scene.board.size, 0)
        self._sheet = np.zeros((scene.view.height, scene.view.width), np.uint8)
        cv2.fillConvexPoly(self._sheet, scene.pose.project(corners).round().astype(np.int32), 255)
        self.came = self.left = float("nan")
        """when the first picture with the hand over the sheet, and the first without a hand, were given"""

    def draw(self) -> Image:
        """The next picture."""
        self._number += 1
        if not self._visit:
            return self._still[self._number % len(self._still)]
        if len(self._visit) == self._ahead:
            self.came = time.monotonic()
        picture = self._visit.popleft()
        if not self._visit:
            self.left = time.monotonic()
        return picture

    def _shows_hand(self, picture: Image) -> bool:
        """Whether more than noise is over the sheet."""
        change = cv2.absdiff(picture, self._still[0]).max(axis=2)
        return bool((cv2.bitwise_and(change, self._sheet) > HAND_CHANGE).sum() > HAND_PIXELS)

    def move(self, look: Mapping[str, str]) -> None:
        """Let a hand come, change what lies there and go; returns when its pictures are ready to be given."""
        changed = [self._scene.board.spots[spot].centre for spot, _label in self._look.items() ^ look.items()]
        reach = (sum(x for x, _ in changed) / len(changed), sum(y for _, y in changed) / len(changed))
        phases = [(number + 1) / VISIT for number in range(VISIT - 1)]
        pictures = [self._scene.frame(self._look if p < 0.5 else look, Hand(reach, p)) for p in phases]
        self._ahead = VISIT - next(number for number, picture in enumerate(pictures) if self._shows_hand(picture))
        at_rest = self._at_rest(look)
        self._visit = deque([*pictures, at_rest[0]])
        self._look, self._still = look, at_rest

    def _at_rest(self, look: Mapping[str, str]) -> list[Image]:
        return [self._scene.frame(look) for _ in range(5)]


def _delays() -> Iterator[Figure]:
    """From the hand to what the table's tracker says, through the camera's own process."""
    game, board = load_game("city_of_marble"), print_and_play_board("city_of_marble")
    random = Random(5)
    state = start_of(game, board, 2)
    players = seated(game, state, random)
    tracker = Tracker(game)
    film = _Film(Scene(board, View(), Light(noise=2.0, quality=0), Sloppiness(seed=9)), game.appearance(state))
    eye = CameraEye(CallableSource(film.draw, "film", FILM_RATE), board)
    eye.start()
    noticed: list[float] = []
    proposed: list[float] = []
    settled: list[float] = []
    try:
        _told(eye, tracker, state, lambda sight: sight.eyes is Eyes.WATCHING)
        for number in itertools.count():
            if len(settled) == PLACINGS:
                break
            action = players.choose(state, Random(f"5:{number}"))
            after = apply_unchecked(game, state, action).state
            if game.appearance(after) != game.appearance(state):
                film.move(game.appearance(after))
                came = _told(eye, tracker, state, lambda sight: sight.eyes in (Eyes.HAND, Eyes.SETTLING))
                seen = _told(eye, tracker, state, lambda sight: sight.eyes is Eyes.PROPOSED)
                sure = _told(eye, tracker, state, lambda sight: sight.settled)
                noticed.append((came - film.came) * 1e3)
                proposed.append((seen - film.left) * 1e3)
                settled.append((sure - film.left) * 1e3)
                tracker.committed(frozenset())
            players, state = players.after(state, action, after), after
    finally:
        eye.close()
    for title, found, goal, late in (
        ("change told after the hand came", noticed, 100, ""),
        ("move proposed after the hand left", proposed, 300, " (goal 500)"),
        ("move seen a second time after the hand left", settled, 1200, ""),
    ):
        note = f"p95 {percentile(found, 0.95):.0f} ms{late}"
        yield Figure(title, median(found), "ms", goal, count=len(found), note=note)


def _told(eye: CameraEye, tracker: Tracker, state: Any, wanted: Callable[[Sight], bool]) -> float:
    """The moment at which the tracker says what is wanted of what the camera's process tells."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(queue.Empty):
            report = eye.reports.get(timeout=0.5)
            if report.sight is not None and report.sight.observation is not None:
                sight = tracker.observe(state, report.sight.observation)
                if wanted(sight):
                    return time.monotonic()
    return until


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
