"""Teaching from flat drawn pictures, in which most spots are the same to the last pixel, and from wrong labels."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.board.layout import load_board
from tests.ui.conftest import is_one_line
from ui.command_line import main
from vision.errors import InvalidProfile
from vision.pictures import Image
from vision.spots.kernel_classifier import PreparedClassifier, fit
from vision.spots.spot_features import LENGTH
from vision.spots.spot_profile import load_spot_profile

BOARD = """
format = 1
id = "tictactoe/board"
game = "tictactoe"
name = "Tic-tac-toe: four by four"
size = [160, 160]

[grid]
columns = 4
rows = 4
side = 40
corner = [0, 0]
lines = "none"

[[piece]]
name = "mark"
shape = "disc"
size = [30]
height = 2
labels = ["cross", "ring"]
lies_on = "cell"
"""
SIDE = 80
GAMES = (
    ("cross A1", "ring B2", "cross C3", "ring D1", "cross B4"),
    ("ring A4", "cross B1", "ring C2", "ring D3", "cross D4"),
)
THIRD = ("ring C1", "cross A3", "ring D2", "cross B3")


def drawn(marks: Sequence[str]) -> Image:
    picture = np.full((4 * SIDE, 4 * SIDE, 3), 235, np.uint8)
    for mark in marks:
        label, cell = mark.split()
        x, y = ("ABCD".index(cell[0]) * 2 + 1) * SIDE // 2, (int(cell[1]) * 2 - 1) * SIDE // 2
        cv2.circle(picture, (x, y), 24, (40, 40, 200) if label == "cross" else (200, 60, 30), -1)
    return picture


def taught(folder: Path, games: Sequence[Sequence[str]], told: Sequence[Sequence[str]] | None = None) -> list[str]:
    """Writes board, pictures and labels; gives the words that teach them."""
    (folder / "ttt.toml").write_text(BOARD, encoding="utf-8")
    lines = ["format = 1"]
    for number, (marks, labels) in enumerate(zip(games, told or games, strict=True)):
        cv2.imwrite(str(folder / f"{number}.png"), drawn(marks))
        lines += ["[[picture]]", f'file = "{number}.png"', 'corners = "picture"', "[picture.labels]"]
        lines += [f'{cell} = "{label}"' for label, cell in (mark.split() for mark in labels)]
    (folder / "labels.toml").write_text("\n".join(lines), encoding="utf-8")
    return ["teach", str(folder / "labels.toml"), "--board", str(folder / "ttt.toml"), "--out", str(folder / "p.zip")]


def test_drawn_pictures_teach_what_reads_another_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(taught(tmp_path, GAMES)) == 0
    assert "mark: 0 of 32 wrong" in capsys.readouterr().out
    cv2.imwrite(str(tmp_path / "third.png"), drawn(THIRD))
    words = ["--board", str(tmp_path / "ttt.toml"), "--profile", str(tmp_path / "p.zip"), "--whole", "--json"]
    assert main(["look", str(tmp_path / "third.png"), *words]) == 0
    seen = json.loads(capsys.readouterr().out)["spots"]
    assert {f"{spot['labels'][0]['label']} {spot['spot'].split()[-1]}" for spot in seen} == set(THIRD)


def test_what_does_not_read_its_own_photographs_is_told_and_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = GAMES[0]
    told = [[f"{label} {mark.split()[1]}" for mark in marks] for label in ("cross", "ring")]
    assert main(taught(tmp_path, (marks, marks), told)) == 1
    error = capsys.readouterr().err
    assert is_one_line(error)
    assert "mark: what was taught reads" in error
    assert "of 32 spots of its own photographs wrongly" in error
    assert " of 5)" in error
    assert not (tmp_path / "p.zip").exists()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_profile_with_numbers_that_are_none_is_refused(number: str, tmp_path: Path) -> None:
    assert main(taught(tmp_path, GAMES)) == 0
    board, damaged = load_board(tmp_path / "ttt.toml"), tmp_path / "damaged.zip"
    with zipfile.ZipFile(tmp_path / "p.zip") as whole, zipfile.ZipFile(damaged, "w") as archive:
        for name in whole.namelist():
            data = whole.read(name)
            if name == "profile.json":
                likeness = json.loads(data)["pieces"][0]["levels"][0]["likeness"]
                data = data.replace(f'"likeness": {likeness}'.encode(), f'"likeness": {number}'.encode())
                assert number.encode() in data
            archive.writestr(name, data)
    with pytest.raises(InvalidProfile, match="no number it may hold"):
        load_spot_profile(damaged, board)


@pytest.mark.parametrize("turns", [1, 2, 4])
def test_samples_that_are_the_same_to_the_last_bit_are_told_apart(turns: int) -> None:
    kinds = np.random.default_rng(5).uniform(0.0, 9.0, (3, LENGTH)).astype(np.float32)
    which = np.array([0] * 22 + [1] * 5 + [2] * 5)
    groups = np.arange(32, dtype=np.intp) % 2
    classifier, (proof,) = fit(kinds[which], [[str(kind) for kind in which]], groups, turns)
    assert proof.errors == 0
    assert 0.0 <= classifier.likeness <= 1.0
    (chances,), _strange = PreparedClassifier(classifier).classify(kinds)
    assert [classifier.aspects[0].answers[k] for k in chances.argmax(axis=1)] == ["0", "1", "2"]
