"""Photographs of real games, where there are any: a short form of `python -m benchmarks photographs`.

The environment variable COMPANION_PHOTOS names the folder that holds them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import photographs as measured
from calibration.teaching import teach_from_pictures
from companion.board.layout import load_board
from vision.spots.spot_reader import SpotReader


def folder(name: str) -> Path:
    photographs = measured.photographs()
    if photographs is None or not (photographs / name).is_dir():
        pytest.skip(f"{measured.VARIABLE} names no folder with {name}/ in it")
    return photographs / name


def test_qwirkle_is_followed_over_a_bump_without_taps() -> None:
    photos = folder("qwirkle")
    truth = json.loads((photos / "truth.json").read_text(encoding="utf-8"))
    board = load_board(measured.BOARDS / "qwirkle.toml")
    profile = teach_from_pictures(board, measured.qwirkle_lessons(photos, board, truth["2"])).profile
    game = truth["1"]
    part = {"start": game["moves"][8]["photo"], "corners_px": game["corners_px"], "moves": game["moves"][9:12]}
    result = measured.follow_game(photos, board, part, profile)
    assert result["located"]
    for expected, found in result["moves"]:
        assert found.keys() == expected.keys()
        assert sum(found[spot] != label for spot, label in expected.items()) <= 1


def test_kingdomino_is_taught_from_four_layouts() -> None:
    photos = folder("kingdomino")
    truth = measured.kingdomino_truth(photos)
    board = load_board(measured.BOARDS / "kingdomino.toml")
    lessons = {n: measured.kingdomino_lesson(photos, board, n, entry["terrain"]) for n, entry in truth.items()}
    chosen = measured.few_layouts(sorted({entry["layout_group"] for entry in truth.values()}))[0]
    taught = [name for name, entry in truth.items() if entry["layout_group"] in chosen]
    results = measured.read_left_out(board, lessons, taught)
    assert sum(wrong for wrong, _ in results) <= 0.09 * sum(count for _, count in results)


def test_go_is_read_from_four_taps() -> None:
    photos = folder("go")
    board = load_board(measured.BOARDS / "go.toml")
    known = [measured.go_lesson(photos, board, number) for number in (4, 6, 8)]
    reader = SpotReader(board, teach_from_pictures(board, known).profile)
    for number in (2, 9, 11):
        lesson = measured.go_lesson(photos, board, number)
        wrong, points = measured.misread(reader.read(lesson.image, lesson.pose), lesson.labels)
        assert points == 361
        assert wrong <= 2
        assert measured.go_found(photos, board, number)
