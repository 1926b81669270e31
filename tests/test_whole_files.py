"""Files that are written whole or not at all."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.whole_files import write_whole
from vision.location.board_pose import CameraModel
from vision.location.camera_file import load_camera, save_camera


@contextmanager
def no_room_for_more_than(size: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes, as on a disk that is nearly full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


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


def test_a_lens_that_finds_no_room_leaves_the_earlier_one(tmp_path: Path) -> None:
    path = tmp_path / "lens.toml"
    save_camera(CameraModel(1920, 1080, 1500.0), path, 0.2)
    with no_room_for_more_than(50), pytest.raises(OSError, match="File too large"):
        save_camera(CameraModel(1920, 1080, 1700.0), path, 0.2)
    assert load_camera(path).focal == 1500.0
