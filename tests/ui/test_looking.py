"""`companion look` at what is no picture, no board file or no profile."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.artwork import board_png
from companion.registry import print_and_play_board
from ui.command_line import main
from ui.commands.looking import look_document, look_lines

ROOT = Path(__file__).resolve().parents[2]


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe, picture = tmp_path / "pipe", tmp_path / "picture.png"
    os.mkfifo(pipe)
    cv2.imwrite(str(picture), np.zeros((480, 640), np.uint8))
    for words in (
        (pipe, "--board", "city_of_marble"),
        (picture, "--board", pipe),
        (picture, "--board", "city_of_marble", "--profile", pipe),
    ):
        assert main(["look", *map(str, words)]) == 3
        assert capsys.readouterr() == ("", f"companion: {pipe}: is no file\n")


def test_a_picture_that_is_damaged_or_too_large_is_told_in_one_line(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    flat = cv2.imencode(".png", np.zeros((8000, 9000), np.uint8))[1].tobytes()
    small = cv2.imencode(".png", np.zeros((800, 900), np.uint8))[1].tobytes()
    heic = b"\0\0\0\x18ftypheic" + bytes(1000)
    for data, reason in (
        (flat, "has more than 64 million pixels"),
        (small[:200], "is not a picture, or is damaged"),
        (heic, "is a HEIC picture, as some phones take them, which cannot be read; save or send it as JPEG"),
    ):
        picture.write_bytes(data)
        words = (sys.executable, "-m", "ui.command_line", "look", picture, "--board", "city_of_marble")
        found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (found.returncode, found.stderr) == (3, f"companion: {picture}: {reason}\n")


def test_a_board_that_needs_a_taught_profile_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "picture.png"
    cv2.imwrite(str(picture), np.full((480, 640), 90, np.uint8))
    go = str(ROOT / "tests" / "vision" / "boards" / "go.toml")
    for words in ((), ("--whole",), ("--corners", "1,1", "99,1", "99,99", "1,99")):
        assert main(["look", str(picture), "--board", go, *words]) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "it needs --profile, taught from photographs (companion teach)" in error
    damaged = tmp_path / "p.zip"
    damaged.write_bytes(b"nothing")
    assert main(["look", str(picture), "--board", go, "--whole", "--profile", str(damaged)]) == 3
    assert "is no profile, or is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("game", ["capitol", "thurn_and_taxis"])
def test_an_empty_board_is_said_to_be_empty(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, board = tmp_path / "empty.png", print_and_play_board(game)
    cv2.imwrite(str(picture), board_png(board, 3.0))
    assert main(["look", str(picture), "--board", game]) == 0
    told = capsys.readouterr().out
    assert f"nothing lies on the board ({len(board.spots)} spots looked at)" in told


def test_covered_spots_are_told_by_kind_and_not_one_and_all() -> None:
    board = print_and_play_board("city_of_marble")
    wards = sorted(name for name, spot in board.spots.items() if spot.piece == "ward")
    hill = next(name for name, spot in board.spots.items() if spot.piece == "hill")
    lines = list(look_lines(board, look_document(board, {}, frozenset({hill, *wards}))))
    assert lines[-2].startswith("not seen, hill: ")
    assert lines[-1].startswith(f"not seen, ward: {wards[0]}; ")
    assert lines[-1].endswith(f"{wards[7]} and {len(wards) - 8} more (--json names them)")
