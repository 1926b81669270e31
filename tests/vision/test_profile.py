"""Profiles that say something twice, or something unknown, are refused; so is what is no profile at all."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.registry import print_and_play_board
from tests.vision.profiles import rewritten
from vision.errors import InvalidProfile
from vision.printed.pieces.profile import load_profile, shipped_profile

BOARD = print_and_play_board("city_of_marble")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda header: header.update(format=2), "format: is 2; this program reads format 1"),
        (lambda header: header.update(digest="0"), "digest: was taught on another version of this board"),
        (lambda header: header["faces"].append(header["faces"][0]), "describes the"),
        (lambda header: header["faces"].pop(), "faces: lacks the"),
        (lambda header: header["faces"][0].update(weather="fine"), "faces[1].weather: is not known here"),
        (lambda header: header["second"].append(header["second"][0]), "a second time"),
        (lambda header: header["second"][0].update(piece="chariot"), "second[1].label: describes the"),
        (lambda header: header["sheet"].update(weather="fine"), "sheet.weather: is not known here"),
        (lambda header: header["sheet"].update(file="nowhere.png"), "nowhere.png: is missing"),
    ],
)
def test_a_damaged_profile_is_refused(change: Callable[[dict[str, Any]], object], reason: str, tmp_path: Path) -> None:
    path = rewritten(shipped_profile(BOARD), tmp_path / "profile.zip", change)
    with pytest.raises(InvalidProfile) as refusal:
        load_profile(path, BOARD)
    assert str(refusal.value).startswith(f"{path}: ")
    assert reason in str(refusal.value)


def test_a_profile_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "profile.zip"
    data = shipped_profile(BOARD).read_bytes()
    for length in (0, 100, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(InvalidProfile, match="is no profile, or is damaged"):
            load_profile(path, BOARD)


def test_a_profile_whose_directory_is_damaged_is_refused_in_one_short_line(tmp_path: Path) -> None:
    path = tmp_path / "profile.zip"
    whole = shipped_profile(BOARD).read_bytes()
    with zipfile.ZipFile(shipped_profile(BOARD)) as shipped:
        directory, first = shipped.start_dir, shipped.infolist()[0].header_offset
    end = len(whole) - 22
    name_length, packed = first + 26, b"\x0e\x00"
    for place, damage in ((end + 16, b"\xff\xff\xff\x7f"), (name_length, b"\xff\xff"), (directory + 10, packed)):
        path.write_bytes(whole[:place] + damage + whole[place + len(damage) :])
        with pytest.raises(InvalidProfile) as refusal:
            load_profile(path, BOARD)
        told = str(refusal.value)
        assert told.startswith(f"{path}: ")
        assert told.isprintable()
        assert len(told) < len(str(path)) + 80
