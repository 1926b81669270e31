"""Cut-outs are kept one file an entry, whole or not at all, and copied and deleted with their game."""

from pathlib import Path

import pytest

from companion.errors import StoreError
from companion.session.cutouts import LARGEST, CutOuts, cut_outs_beside, cut_outs_of


@pytest.fixture
def cut_outs(tmp_path: Path) -> CutOuts:
    return cut_outs_of(tmp_path, "game-1")


def test_what_was_kept_is_read_again(cut_outs: CutOuts) -> None:
    for number, data in ((12, b"later"), (3, b"first"), (3, b"again"), (123456, bytes(LARGEST))):
        cut_outs.keep(number, data)
    assert [cut_outs.read(number) for number in (3, 12, 123456, 4)] == [b"again", b"later", bytes(LARGEST), None]
    assert list(cut_outs.numbers()) == [3, 12, 123456]
    assert sorted(path.name for path in cut_outs.folder.iterdir()) == ["00003.cut", "00012.cut", "123456.cut"]


def test_a_game_without_cut_outs_has_none(cut_outs: CutOuts) -> None:
    assert list(cut_outs.numbers()) == []
    assert cut_outs.read(1) is None
    cut_outs.discard()
    cut_outs.copy_to(cut_outs.folder.parent / "record.jsonl")


def test_one_that_is_too_large_is_neither_written_nor_read(cut_outs: CutOuts) -> None:
    with pytest.raises(StoreError, match="the cut-out of entry 3 is larger than 64 KiB"):
        cut_outs.keep(3, bytes(LARGEST + 1))
    assert cut_outs.read(3) is None
    cut_outs.keep(3, b"small")
    (cut_outs.folder / "00003.cut").write_bytes(bytes(LARGEST + 1))
    with pytest.raises(StoreError, match=r"00003\.cut: is larger than 64 KiB"):
        cut_outs.read(3)


def test_what_is_no_file_is_not_read(cut_outs: CutOuts) -> None:
    (cut_outs.folder / "00001.cut").mkdir(parents=True)
    with pytest.raises(StoreError, match=r"00001\.cut: is no file"):
        cut_outs.read(1)


def test_a_folder_that_cannot_be_is_said_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "cutouts").write_text("in the way")
    blocked = cut_outs_of(tmp_path, "game-1")
    with pytest.raises(StoreError, match=r"00001\.cut: cannot be written \(Not a directory\)"):
        blocked.keep(1, b"data")
    with pytest.raises(StoreError, match=r"00001\.cut: cannot be read \(Not a directory\)"):
        blocked.read(1)
    assert [path.name for path in tmp_path.iterdir()] == ["cutouts"]


def test_other_files_are_no_cut_outs(cut_outs: CutOuts) -> None:
    cut_outs.keep(2, b"data")
    for name in ("notes.cut", "00004.new", "123456789.cut", "².cut"):
        (cut_outs.folder / name).write_bytes(b"")
    assert list(cut_outs.numbers()) == [2]


def test_they_follow_a_record_and_go_with_a_game(cut_outs: CutOuts, tmp_path: Path) -> None:
    cut_outs.keep(2, b"data")
    record = tmp_path / "export" / "record.jsonl"
    record.parent.mkdir()
    cut_outs.copy_to(record)
    beside = cut_outs_beside(record)
    assert beside.read(2) == b"data"
    beside.copy_to(record)
    assert beside.read(2) == b"data"
    cut_outs.discard()
    assert cut_outs.read(2) is None
    assert not cut_outs.folder.exists()
