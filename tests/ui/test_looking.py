"""`companion look` at what is no picture, no board file or no profile."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from ui.command_line import main

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
    for data, reason in ((flat, "has more than 64 million pixels"), (flat[:200], "is not a picture, or is damaged")):
        picture.write_bytes(data)
        words = (sys.executable, "-m", "ui.command_line", "look", picture, "--board", "city_of_marble")
        found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (found.returncode, found.stderr) == (3, f"companion: {picture}: {reason}\n")
