"""Files that are written whole or not at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import StoreError
from companion.files.whole_files import write_whole
from companion.session.cutouts import CutOuts
from tests.full_disk import no_room_for_more_than
from vision.location.board_pose import CameraModel
from vision.location.camera_file import load_camera, save_camera

ROOT = Path(__file__).resolve().parents[1]


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for data in (b"first", b"second"):
        write_whole(path, data)
        assert path.read_bytes() == data
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_earlier_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"earlier")
    with no_room_for_more_than(1000), pytest.raises(OSError, match="File too large") as refused:
        write_whole(path, bytes(5000))
    assert refused.value.filename == str(path)
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]


def test_an_interruption_leaves_the_earlier_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_descriptor: int) -> None:
        raise KeyboardInterrupt

    path = tmp_path / "file"
    write_whole(path, b"earlier")
    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"later")
    assert path.read_bytes() == b"earlier"
    assert list(tmp_path.iterdir()) == [path]


def test_two_programs_that_write_one_file_at_once_each_write_it_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one writes it all while this one has written but not yet put its own in its place."""
    path = tmp_path / "file"
    other = "from companion.files.whole_files import write_whole; import pathlib, sys; "
    other += "write_whole(pathlib.Path(sys.argv[1]), b'other')"

    def meanwhile(_descriptor: int) -> None:
        subprocess.run([sys.executable, "-c", other, path], cwd=ROOT, check=True)
        assert path.read_bytes() == b"other"

    monkeypatch.setattr(os, "fsync", meanwhile)
    write_whole(path, b"this one")
    assert path.read_bytes() == b"this one"
    assert list(tmp_path.iterdir()) == [path]


def test_a_cut_out_that_finds_no_room_leaves_nothing(tmp_path: Path) -> None:
    cut_outs = CutOuts(tmp_path / "cutouts")
    with no_room_for_more_than(1000), pytest.raises(StoreError, match="File too large"):
        cut_outs.keep(1, bytes(5000))
    assert not list(cut_outs.folder.iterdir())


def test_a_lens_that_finds_no_room_leaves_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "lens.toml"
    save_camera(CameraModel(1920, 1080, 1500.0), path, 0.2)
    with no_room_for_more_than(50), pytest.raises(OSError, match="File too large"):
        save_camera(CameraModel(1920, 1080, 1700.0), path, 0.2)
    assert load_camera(path).focal == 1500.0
