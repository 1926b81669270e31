"""Photographs of real games, where there are any: a short form of `python -m benchmarks photographs`.

The environment variable COMPANION_PHOTOS names the folder that holds them.
"""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
import tomlkit

from benchmarks import photographs as measured
from benchmarks.photographs import go, kingdomino, qwirkle
from benchmarks.photographs.truth import BOARDS, InvalidTruth, misread
from calibration.teaching import Lesson, teach_from_pictures
from companion.board.layout import load_board
from tests.vision.grids import Camera, grid_board, random_tiles
from vision.location.flat_pose import FlatPose
from vision.pictures import read_picture
from vision.spots.spot_reader import SpotReader

EMPTY_ROW = ". " * 19


def folder(name: str) -> Path:
    photographs = measured.photographs()
    if photographs is None or not (photographs / name).is_dir():
        pytest.skip(f"{measured.VARIABLE} names no folder with {name}/ in it")
    return photographs / name


def test_qwirkle_is_followed_over_a_bump_without_taps() -> None:
    photos = folder("qwirkle")
    truth = qwirkle.qwirkle_truth(photos)
    board = load_board(BOARDS / "qwirkle.toml")
    half = itertools.islice(qwirkle.qwirkle_lessons(photos, board, truth["2"]), 1, None, 2)
    profile = teach_from_pictures(board, half).profile
    game = truth["1"]
    part = {"start": game["moves"][8]["photo"], "corners_px": game["corners_px"], "moves": game["moves"][9:12]}
    result = qwirkle.follow_game(photos, board, part, profile)
    assert result.located
    assert not result.troubles
    for expected, found in result.moves:
        assert found.keys() == expected.keys()
        assert sum(found[spot] != label for spot, label in expected.items()) <= 1


def test_kingdomino_is_taught_from_four_layouts() -> None:
    photos = folder("kingdomino")
    truth = kingdomino.kingdomino_truth(photos)
    board = load_board(BOARDS / "kingdomino.toml")
    lessons = {n: kingdomino.kingdomino_lesson(photos, board, n, entry["terrain"]) for n, entry in truth.items()}
    chosen = kingdomino.few_layouts(sorted({entry["layout_group"] for entry in truth.values()}))[0]
    taught = [name for name, entry in truth.items() if entry["layout_group"] in chosen]
    results = kingdomino.read_left_out(board, lessons, taught)
    assert sum(wrong for wrong, _ in results) <= 0.09 * sum(count for _, count in results)


def test_go_is_read_from_four_taps() -> None:
    photos = folder("go")
    board = load_board(BOARDS / "go.toml")
    known = {photo.name: photo for photo in go.go_photos(photos, board)[0]}

    def lesson(name: str) -> Lesson:
        image = read_picture(known[name].path)
        pose = go.tapped_pose(board, known[name], image)
        assert pose is not None
        return Lesson(name, image, pose, known[name].labels)

    taught = [lesson(name) for name in ("t1_004", "t1_008")]
    reader = SpotReader(board, teach_from_pictures(board, taught).profile)
    for name in ("t1_002", "t1_011"):
        seen = lesson(name)
        wrong, points = misread(reader.read(seen.image, seen.pose), seen.labels)
        assert points == 361
        assert wrong <= 2
        found = go.found_pose(board, known[name], seen.image)
        assert found is not None
        assert go.is_at_taps(board, found, known[name])
        assert misread(reader.read(seen.image, found), seen.labels)[0] <= 2


def drawn_go(path: Path, stones: dict[tuple[int, int], int]) -> None:
    """A board of 19 lines with stones of a grey level at (column, row), counted from 0."""
    picture = np.full((640, 640, 3), (120, 170, 210), np.uint8)
    for k in range(19):
        at = 50 + 30 * k
        cv2.line(picture, (at, 50), (at, 590), (30, 30, 30), 2)
        cv2.line(picture, (50, at), (590, at), (30, 30, 30), 2)
    for (column, row), level in stones.items():
        cv2.circle(picture, (50 + 30 * column, 50 + 30 * row), 14, (level, level, level), -1)
    cv2.imwrite(str(path), picture)


def test_a_go_photograph_of_any_name_is_found_and_turned_as_its_truth(tmp_path: Path) -> None:
    drawn_go(tmp_path / "Board.PNG", {(3, 15): 20, (15, 15): 240, (3, 3): 20})
    rows = [list("." * 19) for _ in range(19)]
    rows[3][3] = rows[3][15] = "B"  # turned by a quarter, clockwise
    rows[15][3] = "W"
    (tmp_path / "Board.txt").write_text(
        "\ufeff" + "\r\n".join("  ".join(row).lower() for row in rows), encoding="utf-8"
    )
    board = load_board(BOARDS / "go.toml")
    (photo,), troubles = go.go_photos(tmp_path, board)
    assert not troubles
    pose = go.found_pose(board, photo, read_picture(photo.path))
    assert isinstance(pose, FlatPose)
    black = {spot: board.spots[spot].centre for spot, label in photo.labels.items() if label == "B"}
    pixels = pose.project_flat(np.array(list(black.values())))
    assert {(round((x - 50) / 30), round((y - 50) / 30)) for x, y in pixels} == {(3, 15), (3, 3)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\n".join([". " * 9] * 9), "tells 9 x 9 points; the board has 19 x 19"),
        ("\n".join([EMPTY_ROW] * 18 + [EMPTY_ROW[:-2] + "X"]), "'X' is none of B, W and ."),
        ("", "tells 0 x 0 points"),
    ],
)
def test_go_truths_that_do_not_fit_are_named(tmp_path: Path, text: str, told: str) -> None:
    drawn_go(tmp_path / "other.jpg", {})
    (tmp_path / "other.txt").write_text(text, encoding="utf-8")
    drawn_go(tmp_path / "alone.jpg", {})
    photos, troubles = go.go_photos(tmp_path, load_board(BOARDS / "go.toml"))
    assert not photos
    assert told in troubles[0]
    assert troubles[1] == "without a truth: alone.jpg"


def test_taps_of_further_photographs_are_read_from_a_file(tmp_path: Path) -> None:
    drawn_go(tmp_path / "x.png", {})
    (tmp_path / "x.txt").write_text("\n".join([EMPTY_ROW] * 19), encoding="utf-8")
    (tmp_path / go.TAPS_FILE).write_text('{"x": [[50, 50], [590, 50], [590, 590], [50, 590]]}', encoding="utf-8")
    board = load_board(BOARDS / "go.toml")
    (photo,), _ = go.go_photos(tmp_path, board)
    pose = go.tapped_pose(board, photo, read_picture(photo.path))
    assert pose is not None
    assert go.is_at_taps(board, pose, photo)
    (tmp_path / go.TAPS_FILE).write_text('{"x": [1, 2]}', encoding="utf-8")
    with pytest.raises(InvalidTruth, match="four corners for each photograph"):
        go.go_photos(tmp_path, board)


def test_games_without_their_photographs_count_as_wrong_and_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = [{"photo": f"m{k}.jpg", "new_tiles": [{"cell": f"A{k}", "shape": 1, "color": "R"}]} for k in (1, 2)]
    truth = {name: {"start": f"{name}.jpg", "moves": moves} for name in ("left", "right")}
    (tmp_path / "qwirkle").mkdir()
    (tmp_path / "qwirkle" / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    (tmp_path / "kingdomino").mkdir()
    (tmp_path / "kingdomino" / "truth.json").write_text("[1, 2", encoding="utf-8")
    monkeypatch.setenv(measured.VARIABLE, str(tmp_path))
    figures = {figure.name: figure for figure in measured.measure()}
    located = figures["qwirkle: boards located without taps"]
    assert (located.value, located.count) == (0, 2)
    assert "left.jpg" in located.note
    exact = figures["qwirkle: placements exact"]
    assert (exact.value, exact.count) == (0, 4)
    assert "left/1, left/2, right/1, right/2" in exact.note
    assert "truth.json: cannot be read" in figures["kingdomino: photographs"].note
    assert "missing" in figures["go: photographs"].note


def test_a_folder_of_any_other_game_is_taught_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "tiles"
    folder.mkdir()
    board = grid_board(6, 5, labels=["disc red", "square blue"])
    (folder / "board.toml").write_text(tomlkit.dumps(dict(board.definition)), encoding="utf-8")
    for number, name in enumerate(("teach", "read-day")):
        camera, look = Camera(seed=number + 1), random_tiles(board, number, 0.7)
        look = {spot: board.pieces["tile"].labels[len(label) % 2] for spot, label in look.items()}
        cv2.imwrite(str(folder / f"{name}.png"), camera.photograph(board, look))
        labels = {spot: look.get(spot, "") for spot in board.spots}
        picture = {"file": f"{name}.png", "corners": [list(tap) for tap in camera.taps(board)], "labels": labels}
        (folder / f"{name}.toml").write_text(tomlkit.dumps({"format": 1, "picture": [picture]}), encoding="utf-8")
    monkeypatch.setenv(measured.VARIABLE, str(tmp_path))
    figures = {figure.name: figure for figure in measured.measure()}
    read = figures["tiles: spots read wrongly, read-day"]
    assert (read.value, read.count) == (0, 30)


def test_photographs_of_go_teach_whatever_they_are_called() -> None:
    photos = [go.GoPhoto(Path("evening") / f"IMG {name}.jpg", {}) for name in "bacdefgh"]
    (members,) = go.sets_of(photos).values()
    first, second = go.two_foursomes(members)
    assert first == ("IMG b", "IMG d", "IMG f", "IMG h")
    assert second == ("IMG e", "IMG g")


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"start": "a.jpg", "moves": [{"photo": "b.jpg", "new_tiles": [{"cell": "A1", "shape": 1}]}]}, "'color'"),
        (
            {"start": "a.jpg", "moves": [{"photo": "b.jpg", "new_tiles": [{"cell": "Q9", "shape": 1, "color": "R"}]}]},
            "Q9",
        ),
        ({"start": "a.jpg", "moves": []}, "moves are needed"),
    ],
)
def test_truths_of_qwirkle_that_do_not_fit_are_refused(tmp_path: Path, entry: dict[str, object], told: str) -> None:
    (tmp_path / "truth.json").write_text(json.dumps({"1": entry}), encoding="utf-8")
    with pytest.raises(InvalidTruth, match=told):
        qwirkle.qwirkle_truth(tmp_path)
