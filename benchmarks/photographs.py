"""How well photographs of real games are read that the program was not written for: Qwirkle, Kingdomino, go.

`COMPANION_PHOTOS` names the folder that holds them, with `qwirkle`, `kingdomino` and `go` in it. Nothing is read with
what it was taught from: Qwirkle is taught from one game and read in another, Kingdomino split by layout, go by photo.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import Figure, interval
from calibration.teaching import Lesson, teach_from_pictures
from companion.board.layout import EMPTY, Board, load_board
from vision.location.flat_pose import FlatPose, corner_places
from vision.location.location import BoardLocator, whole_picture
from vision.location.reference import Reference
from vision.pictures import Image, read_picture
from vision.spots.spot_profile import SpotProfile
from vision.spots.spot_reader import SpotReader, SpotReading, changes

VARIABLE = "COMPANION_PHOTOS"
BOARDS = Path(__file__).resolve().parents[1] / "tests" / "vision" / "boards"
TEACHING_MOVES = (5, 10, 15, 20)
COLOURS = {"R": "red", "O": "orange", "Y": "yellow", "G": "green", "B": "blue", "W": "white"}
MENDED = {("board02.jpg", 3, 4): "Field"}
"""labels that are wrong: photo, row, column -> what lies there. board02: a windmill on yellow, labelled Grass; board06,
the same layout, says Field"""
FEW_LAYOUTS, DRAWS, SEED = 4, 6, 20261128
GO_TEACHING = ((2, 4, 6, 8), (5, 7, 9, 11))
TAPS: Mapping[int, tuple[int, tuple[tuple[int, int], ...]]] = {
    1: (90, ((195, 460), (1345, 495), (1360, 1540), (195, 1580))),
    2: (90, ((175, 455), (1310, 490), (1315, 1520), (180, 1555))),
    3: (180, ((475, 185), (1595, 185), (1565, 1355), (500, 1355))),
    4: (180, ((440, 150), (1635, 145), (1600, 1365), (500, 1380))),
    5: (180, ((485, 240), (1640, 225), (1590, 1375), (555, 1380))),
    6: (180, ((395, 130), (1640, 115), (1610, 1380), (470, 1400))),
    7: (180, ((435, 165), (1630, 150), (1595, 1375), (490, 1380))),
    8: (180, ((430, 170), (1655, 140), (1615, 1400), (495, 1390))),
    9: (180, ((420, 310), (1500, 125), (1635, 1255), (635, 1390))),
    10: (180, ((450, 230), (1640, 205), (1595, 1395), (530, 1405))),
    11: (180, ((435, 180), (1665, 150), (1645, 1405), (520, 1415))),
}
"""Photo of go -> how the truth's board lies turned in it, and where a person would tap, to the next five pixels."""
TAP_ERROR = 12.0
"""Pixels by which taps are moved besides, seeded."""


def photographs() -> Path | None:
    """The folder of photographs; None if the environment names none that is there."""
    folder = os.environ.get(VARIABLE, "")
    return Path(folder) if folder and Path(folder).is_dir() else None


def measure() -> Iterator[Figure]:
    """The figures of the photographs that are there; a note for those that are not."""
    folder = photographs()
    if folder is None:
        yield Figure("photographs", 0, "", note=f"set {VARIABLE} to the folder that holds them; nothing was measured")
        return
    for name, measured in (("qwirkle", qwirkle), ("kingdomino", kingdomino), ("go", go)):
        if (folder / name).is_dir():
            yield from measured(folder / name)
        else:
            yield Figure(f"{name}: photographs", 0, "", note=f"missing: {folder / name}")


def qwirkle(folder: Path) -> Iterator[Figure]:
    """Placements between photographs of two games, located from the start photograph on, with no taps."""
    board = load_board(BOARDS / "qwirkle.toml")
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    games = sorted(truth)
    exact = placements = tiles = named = false = located = 0
    durations: list[float] = []
    for taught_from, game in zip(games, games[1:] + games[:1], strict=True):
        begin = time.perf_counter()
        profile = teach_from_pictures(board, qwirkle_lessons(folder, board, truth[taught_from])).profile
        durations.append(time.perf_counter() - begin)
        result = follow_game(folder, board, truth[game], profile)
        located += result["located"]
        for expected, found in result["moves"]:
            placements += 1
            exact += set(expected) == set(found)
            tiles += len(expected)
            named += sum(found.get(spot) == label for spot, label in expected.items())
            false += len(set(found) - set(expected))
    split = digest([f"taught from {g}: {TEACHING_MOVES}" for g in games])
    yield Figure("qwirkle: boards located without taps", located, "", len(games), at_least=True, count=len(games))
    yield share("qwirkle: placements exact", exact, placements, 97.5, f"split {split}")
    yield share("qwirkle: shape and colour of tiles", named, tiles, 98, f"{false} false tiles")
    yield Figure("qwirkle: taught from 4 photographs in", max(durations), "s", 60, count=len(durations))


def qwirkle_lessons(folder: Path, board: Board, game: Mapping[str, Any]) -> Iterator[Lesson]:
    """Four photographs of one game; what the start photograph shows is not in the truth, and so unknown."""
    start = read_picture(folder / game["start"])
    pose = BoardLocator(board).locate(start)
    if not isinstance(pose, FlatPose):
        raise RuntimeError(f"{folder / game['start']}: {pose}")
    by_start = BoardLocator(board, reference=Reference(board, start, pose))
    taken = {f"tile {tile['cell']}" for move in game["moves"] for tile in move["new_tiles"]}
    dark = dark_spots(board, start, pose) - taken
    for number in TEACHING_MOVES:
        move = game["moves"][number - 1]
        image = read_picture(folder / move["photo"])
        there = by_start.locate(image)
        if not isinstance(there, FlatPose):
            raise RuntimeError(f"{folder / move['photo']}: {there}")
        laid = tiles_of(game, number)
        labels = {spot: laid.get(spot, EMPTY) for spot in board.spots if spot not in dark}
        yield Lesson(move["photo"], image, there, labels)


def dark_spots(board: Board, image: Image, pose: FlatPose) -> set[str]:
    """The spots of the start photograph on which a tile lies: the truth does not tell, but tiles are black."""
    result = set()
    for spot in board.spots.values():
        corners = np.array(spot.centre) + 0.75 * (np.array(spot.outline) - np.array(spot.centre))
        pixels = pose.project(np.column_stack([corners, np.full(len(corners), spot.height)])).round().astype(int)
        levels = image[np.clip(pixels[:, 1], 0, image.shape[0] - 1), np.clip(pixels[:, 0], 0, image.shape[1] - 1)]
        if (levels.max(axis=1) < 90).sum() >= 3:
            result.add(spot.name)
    return result


def tiles_of(game: Mapping[str, Any], moves: int) -> dict[str, str]:
    """Spot -> label of the tiles laid in so many moves."""
    return {
        f"tile {tile['cell']}": f"{tile['shape']} {COLOURS[tile['color']]}"
        for move in game["moves"][:moves]
        for tile in move["new_tiles"]
    }


def follow_game(
    folder: Path, board: Board, game: Mapping[str, Any], profile: SpotProfile, moves: int | None = None
) -> dict[str, Any]:
    """The moves of a game as (expected, found), each spot -> label, and whether the start was located by itself."""
    reader = SpotReader(board, profile)
    image = read_picture(folder / game["start"])
    pose = BoardLocator(board).locate(image)
    if not isinstance(pose, FlatPose):
        return {"located": False, "moves": [(tiles_of({"moves": [move]}, 1), {}) for move in game["moves"]]}
    off = pose.project_flat(corner_places(board)) - np.array(game["corners_px"])
    cell = np.linalg.norm(np.diff(game["corners_px"][:2], axis=0)) / 16
    before = reader.read(image, pose)
    found: list[tuple[dict[str, str], dict[str, str]]] = []
    for move in game["moves"][:moves]:
        reference = Reference(board, image, pose)
        image = read_picture(folder / move["photo"])
        there = BoardLocator(board, reference=reference).locate(image)
        expected = tiles_of({"moves": [move]}, 1)
        if not isinstance(there, FlatPose):
            found.append((expected, {}))
            continue
        pose, after = there, reader.read(image, there)
        found.append((expected, {change.spot: change.after for change in changes(before, after)}))
        before = after
    return {"located": bool(np.abs(off).max() < 0.3 * cell), "moves": found}


def kingdomino(folder: Path) -> Iterator[Figure]:
    """Terrain of squares by layouts never taught: all others taught, and only four."""
    board = load_board(BOARDS / "kingdomino.toml")
    truth = kingdomino_truth(folder)
    layouts = sorted({entry["layout_group"] for entry in truth.values()})
    lessons = {name: kingdomino_lesson(folder, board, name, entry["terrain"]) for name, entry in truth.items()}
    wrong = squares = exact = 0
    for layout in layouts:
        results = read_left_out(board, lessons, [n for n, e in truth.items() if e["layout_group"] != layout])
        wrong, squares = wrong + sum(bad for bad, _ in results), squares + sum(count for _, count in results)
        exact += sum(not bad for bad, _ in results)
    split = digest([f"{name} {entry['layout_group']}" for name, entry in sorted(truth.items())])
    note = f"{len(MENDED)} label mended, {len(layouts)} layouts, split {split}"
    yield share("kingdomino: squares of a layout left out read wrongly", wrong, squares, 0.3, note, at_least=False)
    yield share("kingdomino: boards of a layout left out exact", exact, len(truth), None, "")
    few = many = 0
    draws = few_layouts(layouts)
    durations = []
    for chosen in draws:
        begin = time.perf_counter()
        results = read_left_out(board, lessons, [n for n, e in truth.items() if e["layout_group"] in chosen])
        durations.append(time.perf_counter() - begin)
        few, many = few + sum(bad for bad, _ in results), many + sum(count for _, count in results)
    note = f"{DRAWS} draws, split {digest([str(chosen) for chosen in draws])}"
    yield share("kingdomino: squares read wrongly, taught from 4 layouts", few, many, 6, note, at_least=False)


def few_layouts(layouts: Sequence[int]) -> list[list[int]]:
    """Seeded draws of four layouts."""
    dice = np.random.default_rng(SEED)
    return [sorted(dice.choice(layouts, FEW_LAYOUTS, replace=False).tolist()) for _ in range(DRAWS)]


def kingdomino_truth(folder: Path) -> dict[str, Any]:
    """The truth with what is shown to be wrong mended."""
    truth: dict[str, Any] = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    for (name, row, column), terrain in MENDED.items():
        if name in truth:
            truth[name]["terrain"][row][column] = terrain
    return truth


def kingdomino_lesson(folder: Path, board: Board, name: str, terrain: Sequence[Sequence[str]]) -> Lesson:
    """One photograph with its labels; it shows the board and nothing else."""
    image = read_picture(folder / name)
    pose = BoardLocator(board).at_corners(image, whole_picture(image))
    assert isinstance(pose, FlatPose)
    labels = {}
    for spot in board.spots.values():
        label = terrain[int(spot.site[1:]) - 1][ord(spot.site[0]) - ord("A")]
        labels[spot.name] = EMPTY if label == "Empty" else label
    return Lesson(name, image, pose, labels)


def read_left_out(board: Board, lessons: Mapping[str, Lesson], taught: Sequence[str]) -> list[tuple[int, int]]:
    """Wrong squares and all squares of each photograph that was not taught."""
    profile = teach_from_pictures(board, [lessons[name] for name in taught]).profile
    reader = SpotReader(board, profile)
    results = []
    for name, lesson in lessons.items():
        if name not in taught:
            results.append(misread(reader.read(lesson.image, lesson.pose), lesson.labels))
    return results


def misread(reading: SpotReading, labels: Mapping[str, str]) -> tuple[int, int]:
    """How many spots are not read as they are labelled, and how many there are; a covered one counts as wrong."""
    wrong = sum(spot not in reading.posteriors or reading.likeliest(spot)[0] != label for spot, label in labels.items())
    return wrong, len(labels)


def go(folder: Path) -> Iterator[Figure]:
    """Points of a go board from four taps, and how often the board is found without them."""
    board = load_board(BOARDS / "go.toml")
    there = [number for number in TAPS if go_photo(folder, number).exists()]
    lessons = {number: go_lesson(folder, board, number) for number in there}
    wrong = points = exact = boards = stones = stones_wrong = 0
    for taught in GO_TEACHING:
        known = [lessons[number] for number in taught if number in lessons]
        reader = SpotReader(board, teach_from_pictures(board, known).profile)
        for number, lesson in lessons.items():
            if number in taught:
                continue
            reading = reader.read(lesson.image, lesson.pose)
            bad, count = misread(reading, lesson.labels)
            wrong, points, exact, boards = wrong + bad, points + count, exact + (not bad), boards + 1
            laid = {spot: label for spot, label in lesson.labels.items() if label}
            stones, stones_wrong = stones + len(laid), stones_wrong + misread(reading, laid)[0]
    split = digest([str(GO_TEACHING)])
    note = f"{stones - stones_wrong} of {stones} stones, {exact} of {boards} boards exact, split {split}"
    yield share("go: points right with four taps", points - wrong, points, 99.5, note)
    found = sum(go_found(folder, board, number) for number in there)
    yield share("go: boards found without taps", found, len(there), None, "within a quarter of a cell of the taps")


def go_photo(folder: Path, number: int) -> Path:
    """The file of a photograph."""
    return folder / f"t1_{number:03}.jpg"


def go_lesson(folder: Path, board: Board, number: int) -> Lesson:
    """A photograph with the board found by taps that are off as a person's are."""
    image = read_picture(go_photo(folder, number))
    turn, taps = TAPS[number]
    off = np.random.default_rng([SEED, number]).uniform(-TAP_ERROR, TAP_ERROR, (4, 2))
    pose = BoardLocator(board).at_corners(image, [(float(x), float(y)) for x, y in np.array(taps) + off], turn // 90)
    assert isinstance(pose, FlatPose)
    rows = [
        line.split() for line in go_photo(folder, number).with_suffix(".txt").read_text().splitlines() if line.strip()
    ]
    labels = {}
    for spot in board.spots.values():
        label = rows[int(spot.site[1:]) - 1][ord(spot.site[0]) - ord("A")]
        labels[spot.name] = EMPTY if label == "." else label
    return Lesson(go_photo(folder, number).name, image, pose, labels)


def go_found(folder: Path, board: Board, number: int) -> bool:
    """Whether the board is found without taps, whichever way round."""
    pose = BoardLocator(board).locate(read_picture(go_photo(folder, number)))
    taps = np.array(TAPS[number][1])
    if not isinstance(pose, FlatPose):
        return False
    corners = pose.project_flat(corner_places(board))
    off = min(float(np.abs(np.roll(corners, k, axis=0) - taps).max()) for k in range(4))
    return off < 0.25 * float(np.linalg.norm(taps[1] - taps[0])) / 18


def share(name: str, hits: int, count: int, goal: float | None, note: str, *, at_least: bool = True) -> Figure:
    """A share in per cent with its count and its 95 % interval."""
    low, high = interval(hits, count)
    words = f"{hits} of {count}, 95 % from {100 * low:.2f} to {100 * high:.2f} %"
    value = 100 * hits / max(1, count)
    return Figure(name, value, "%", goal, at_least=at_least, count=count, note=f"{words}; {note}" if note else words)


def digest(lines: Sequence[str]) -> str:
    """SHA-256 of a split, so that whoever changes it changes what is printed."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
