"""A bought edition without markers, taught from four photographs: time to teach, errors, moves followed; and wooden
wagons on coloured routes, taught in one light and read in others.

The edition's board is drawn by the simulated table in other inks, the routes by the ray tracer; views, lights and
sloppiness are drawn by seed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from benchmarks.figures import Figure, median, percentile
from calibration.teaching import TeachingResult, teach_from_pictures
from companion.board.layout import EMPTY
from companion.registry import load_game
from companion.session.tracking import Finding, explain
from tests.vision.box_edition import GAME_ID, BoxCamera, box_board, look_of, played, shaded, taught_box
from tests.vision.traced.railways import Evening, railway_board, random_wagons
from tests.vision.traced.railways import lesson as railway_lesson
from ui.simulated_table.view import CameraView, Light
from vision.camera.frames import CameraFrame
from vision.location.board_pose import BoardNotFound
from vision.reader import TableReader
from vision.spots.spot_profile import SpotProfile
from vision.spots.spot_reader import SpotReader, SpotReading

FIRST_SEED = 710_000
BOARDS, MOVES, BUMPS = 12, 60, 10
EVENINGS, OTHER_EVENINGS = (1, 2), (3, 4, 5)
"""Lights in which the wagons are taught and read, and others in which they are only read."""
WAGON_LESSONS, WAGON_PICTURES = 3, 3
"""Pictures that teach an evening's wagons, and those that are read of every evening."""
SURE = 0.9


def measure() -> Iterator[Figure]:
    """Teaching, spots, moves, frames and bumps."""
    began = time.perf_counter()
    taught = taught_box()
    profile = taught.profile
    note = "drawing the four photographs included"
    yield Figure("an edition without markers: taught in", time.perf_counter() - began, "s", 60, note=note)
    yield from _boards(taught)
    yield from _moves(profile)
    yield from _bumps(profile)
    yield from _wagons()


def _view(random: Random, width: int = 1280) -> CameraView:
    return CameraView(
        width=width, height=width * 9 // 16, distance=random.uniform(720, 800), tilt=random.uniform(0, 28),
        roll=random.uniform(-4, 4), aim=(random.uniform(-8, 8), random.uniform(-8, 8)), field=random.uniform(61, 68),
        radial=random.uniform(-0.08, 0.04),
    )  # fmt: skip


def _light(random: Random) -> Light:
    return Light(
        exposure=random.uniform(0.55, 1.0), temperature=random.uniform(3300, 7000),
        slope=(random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)), direction=random.uniform(0, 360),
        shadow=random.uniform(0.15, 0.45), noise=random.uniform(1.0, 3.5), blur=random.uniform(0.3, 0.8),
    )  # fmt: skip


@dataclass(slots=True)
class _Count:
    """Of single pictures: boards found and exact, pieces laid, spots read wrongly and surely so, and the same of labels
    that were never taught.
    """

    found: int = 0
    exact: int = 0
    laid: int = 0
    wrong: int = 0
    sure: int = 0
    untaught: int = 0
    untaught_sure: int = 0

    def add(
        self, taught: TeachingResult, look: Mapping[str, str], posteriors: Mapping[str, Mapping[str, float]]
    ) -> None:
        """Count correct and wrong spots against the true `look`."""
        off = 0
        for spot, shares in posteriors.items():
            label, there = max(shares, key=shares.__getitem__), look.get(spot, EMPTY)
            surely = shares[label] >= SURE and label != there
            if there in taught.missing.get(box_board().spots[spot].piece, ()):
                self.untaught, self.untaught_sure = self.untaught + 1, self.untaught_sure + surely
            else:
                self.laid += there != EMPTY
                off, self.sure = off + (label != there), self.sure + surely
        self.found, self.exact, self.wrong = self.found + 1, self.exact + (not off), self.wrong + off


def _boards(taught: TeachingResult) -> Iterator[Figure]:
    """Single pictures of games of two to four players, in even light and partly in a hard shadow; of what the teaching
    game never showed only sure answers are wrong.
    """
    lit, shadowed = _Count(), _Count()
    for seed in range(FIRST_SEED, FIRST_SEED + BOARDS):
        random = Random(seed)
        states = [state for _, state in played(random.randint(2, 4), seed)]
        look = look_of(random.choice(states))
        picture = BoxCamera(_view(random), _light(random), seed).picture(look)
        dark = shaded(picture, random.uniform(0.12, 0.5), random.uniform(-0.6, 0.6))
        for count, shown in ((lit, picture), (shadowed, dark)):
            reading = TableReader(box_board(), taught.profile).look(shown)
            if not isinstance(reading, BoardNotFound):
                count.add(taught, look, reading.posteriors)
    yield Figure("an edition without markers: located", 100 * lit.found / BOARDS, "%", 100, at_least=True, count=BOARDS)
    for where, count in (("", lit), (", half in hard shadow", shadowed)):
        name, share = f"an edition without markers: spots wrong, of those laid{where}", count.wrong / max(count.laid, 1)
        yield Figure(name, 100 * share, "%", count=count.laid, note=f"{count.wrong} wrong, {count.sure} of them surely")
    yield Figure(
        "an edition without markers: pieces never taught, answered wrongly and surely", lit.untaught_sure, "",
        count=lit.untaught,
    )  # fmt: skip
    yield Figure("an edition without markers: boards exact", 100 * lit.exact / max(lit.found, 1), "%", count=lit.found)


def _wagons() -> Iterator[Figure]:
    """Spots of a board of routes read in the light that taught them, and in others."""
    board = railway_board()
    known, new = _Spots(), _Spots()
    for evening in EVENINGS:
        seeds = range(100 * evening, 100 * evening + WAGON_LESSONS)
        lessons = [railway_lesson(random_wagons(seed), Evening(evening), seed, board) for seed in seeds]
        reader = SpotReader(board, teach_from_pictures(board, lessons).profile)
        for other, count in ((evening, known), *((other, new) for other in OTHER_EVENINGS)):
            for seed in range(1000 * other, 1000 * other + WAGON_PICTURES):
                seen = railway_lesson(random_wagons(seed), Evening(other), seed, board)
                count.add(seen.labels, reader.read(seen.image, seen.pose))
    for where, goal, count in (("the light that taught them", 1, known), ("another light", 4, new)):
        note = f"{count.wrong} wrong, {count.sure} of them surely, {count.covered} not seen"
        name, wrong = f"wagons on routes: spots wrong in {where}", 100 * count.wrong / count.spots
        yield Figure(name, wrong, "%", goal, count=count.spots, note=note)


@dataclass(slots=True)
class _Spots:
    """Spots read, wrongly and surely so, and those not seen."""

    spots: int = 0
    wrong: int = 0
    sure: int = 0
    covered: int = 0

    def add(self, labels: Mapping[str, str], reading: SpotReading) -> None:
        """Count a picture against its truth."""
        for spot, label in labels.items():
            self.spots += 1
            if spot not in reading.posteriors:
                self.covered += 1
                continue
            likeliest, chance = reading.likeliest(spot)
            self.wrong += likeliest != label
            self.sure += likeliest != label and chance >= SURE


def _moves(profile: SpotProfile) -> Iterator[Figure]:
    """Every visible action of a game read from one frame each and explained."""
    game, random = load_game(GAME_ID), Random(FIRST_SEED + 1000)
    camera = BoxCamera(_view(random, 1920), _light(random), FIRST_SEED)
    reader = TableReader(box_board(), profile, refresh=0.0)
    told = imagined = seen = number = 0
    durations: list[float] = []
    history = list(played(3, FIRST_SEED))
    state = history[0][1]
    for action, after in history[1:]:
        look, before = look_of(after), look_of(state)
        visible = {spot for spot, _ in look.items() ^ before.items() if spot.split()[0] in profile.pieces}
        if visible and seen < MOVES:
            image = camera.picture(look)
            read = None
            for _ in range(6):
                number += 1
                began = time.perf_counter()
                sight = reader.see(CameraFrame(image, number * 0.1, number))
                durations.append((time.perf_counter() - began) * 1e3)
                read = sight.observation
            if read is not None and read.quiet:
                found = explain(game, state, read)
                told += any(action in candidate.actions for candidate in found.candidates[:2])
                imagined += explain(game, after, read).finding is Finding.ACTION
            seen += 1
        state = after
    yield Figure("an edition without markers: moves among the first two", 100 * told / seen, "%", count=seen)
    yield Figure("an edition without markers: moves imagined in settled scenes", imagined, "", 0, count=seen)
    note = f"p95 {percentile(durations, 0.95):.0f} ms; a frame in two of these was read"
    yield Figure(
        "an edition without markers: camera frame 1080p to decision", median(durations), "ms", count=len(durations),
        note=note,
    )  # fmt: skip


def _bumps(profile: SpotProfile) -> Iterator[Figure]:
    """A camera pushed by up to 60 pixels or 3 degrees: until the board is read again, in frames of 20 a second."""
    random, waits, wrong = Random(FIRST_SEED + 2000), [], 0
    state = [state for _, state in played(3, FIRST_SEED)][60]
    look = look_of(state)
    game = load_game(GAME_ID)
    for seed in range(BUMPS):
        reader = TableReader(box_board(), profile)
        still = BoxCamera(CameraView(width=1920, height=1080, distance=800), seed=seed)
        pushed = CameraView(
            width=1920, height=1080, distance=800, roll=random.uniform(-3, 3),
            aim=(random.uniform(-18, 18), random.uniform(-18, 18)),
        )  # fmt: skip
        before, after = still.picture(look), BoxCamera(pushed, seed=seed).picture(look)
        for number in range(60):
            sight = reader.see(CameraFrame(before if number < 12 else after, number / 20, number))
            if number >= 12 and sight.observation is not None and sight.observation.quiet:
                waits.append((number - 12) * 50.0)
                wrong += explain(game, state, sight.observation).finding is not Finding.NO_CHANGE
                break
    yield Figure(
        "an edition without markers: read again after a bump", max(waits, default=float("nan")), "ms", 500,
        count=len(waits), note=f"{wrong} false moves; of {BUMPS} bumps",
    )  # fmt: skip
