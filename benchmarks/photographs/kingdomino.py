"""Finished kingdoms of Kingdomino, photographed from above and cut out: their terrain, square by square."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.figures import Figure
from benchmarks.photographs.truth import BOARDS, InvalidTruth, digest, joined, misread, read_truth, share, told
from calibration.teaching import Lesson, teach_from_pictures
from companion.board.layout import EMPTY, Board, load_board
from vision.errors import InvalidPicture
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator, whole_picture
from vision.pictures import read_picture
from vision.spots.spot_reader import SpotReader

MENDED = {("board02.jpg", 3, 4): "Field"}
"""labels that are wrong: photo, row, column -> what lies there. board02: a windmill on yellow, labelled Grass; board06,
the same layout, says Field"""
FEW_LAYOUTS, DRAWS, SEED = 4, 6, 20261128


def measure_kingdomino(folder: Path) -> Iterator[Figure]:
    """Terrain of squares by layouts never taught: all others taught, and only four."""
    board = load_board(BOARDS / "kingdomino.toml")
    truth = kingdomino_truth(folder)
    lessons: dict[str, Lesson] = {}
    unread: list[str] = []
    for name, entry in truth.items():
        try:
            lessons[name] = kingdomino_lesson(folder, board, name, entry["terrain"])
        except InvalidPicture as error:
            unread.append(str(error))
    layouts = sorted({truth[name]["layout_group"] for name in lessons})
    if len(layouts) <= FEW_LAYOUTS:
        note = joined(f"{len(layouts)} layouts are too few to leave one out", *unread)
        yield Figure("kingdomino: photographs", len(lessons), "", note=note)
        return
    wrong = squares = exact = 0
    for layout in layouts:
        results = read_left_out(board, lessons, [n for n in lessons if truth[n]["layout_group"] != layout])
        wrong, squares = wrong + sum(bad for bad, _ in results), squares + sum(count for _, count in results)
        exact += sum(not bad for bad, _ in results)
    wrong, squares = wrong + len(unread) * len(board.spots), squares + len(unread) * len(board.spots)
    split = digest([f"{name} {entry['layout_group']}" for name, entry in sorted(truth.items())])
    mended = sum(name in truth for name, *_ in MENDED)
    note = joined(f"{mended} label mended, {len(layouts)} layouts, split {split}", told("not read", unread))
    yield share("kingdomino: squares of a layout left out read wrongly", wrong, squares, 0.3, note, at_least=False)
    yield share("kingdomino: boards of a layout left out exact", exact, len(truth), None, "")
    few = many = 0
    draws = few_layouts(layouts)
    for chosen in draws:
        results = read_left_out(board, lessons, [n for n in lessons if truth[n]["layout_group"] in chosen])
        few, many = few + sum(bad for bad, _ in results), many + sum(count for _, count in results)
    note = f"{DRAWS} draws, split {digest([str(chosen) for chosen in draws])}"
    yield share("kingdomino: squares read wrongly, taught from 4 layouts", few, many, 6, note, at_least=False)


def few_layouts(layouts: Sequence[int]) -> list[list[int]]:
    """Seeded draws of four layouts."""
    dice = np.random.default_rng(SEED)
    return [sorted(dice.choice(layouts, FEW_LAYOUTS, replace=False).tolist()) for _ in range(DRAWS)]


def kingdomino_truth(folder: Path) -> dict[str, Any]:
    """The truth with what is shown to be wrong mended.

    Raises InvalidTruth.
    """
    path = folder / "truth.json"
    truth = read_truth(path)
    known = {"Empty", *load_board(BOARDS / "kingdomino.toml").pieces["terrain"].labels}
    for name, entry in truth.items():
        rows = entry.get("terrain")
        if "layout_group" not in entry or not isinstance(rows, list) or [len(row) for row in rows] != [5] * 5:
            raise InvalidTruth(path, f"{name}: layout_group and five rows of five terrains are needed")
        strange = sorted({str(word) for row in rows for word in row} - known)
        if strange:
            raise InvalidTruth(
                path, f"{name}: no terrain is called {strange[0]!r}; there are {', '.join(sorted(known))}"
            )
    for (name, row, column), terrain in MENDED.items():
        if name in truth:
            truth[name]["terrain"][row][column] = terrain
    return truth


def kingdomino_lesson(folder: Path, board: Board, name: str, terrain: Sequence[Sequence[str]]) -> Lesson:
    """One photograph with its labels; it shows the board and nothing else.

    Raises InvalidPicture.
    """
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
    return [
        misread(reader.read(lesson.image, lesson.pose), lesson.labels)
        for name, lesson in lessons.items()
        if name not in taught
    ]
