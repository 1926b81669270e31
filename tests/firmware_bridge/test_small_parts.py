"""Sentences, allowances and scratch folders."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from companion.wording.sentences import Sentence, sentence, translated
from firmware_bridge.rate_limit import MOST_SENDERS, RateLimit
from firmware_bridge.scratch import ScratchFolder, remove_abandoned

ITALIAN = {
    "{source}: {reason}": "{source}: {reason}",
    "is not there": "non c'è",
    "box {box}": "scatola {box}",
}


def test_a_sentence_is_english_and_can_be_said_in_another_language() -> None:
    inner = sentence("is not there")
    outer = sentence("{source}: {reason}", source="serial:/dev/x", reason=inner)
    assert outer == "serial:/dev/x: is not there"
    assert translated(outer, ITALIAN.__getitem__) == "serial:/dev/x: non c'è"
    assert translated(sentence("box {box}", box=3), ITALIAN.__getitem__) == "scatola 3"
    assert translated("No such file", ITALIAN.__getitem__) == "No such file"
    assert isinstance(outer, Sentence)


def test_a_sender_has_what_it_saved_and_no_more() -> None:
    allowance = RateLimit(rate=10, burst=3)
    assert [allowance.take("a", 0.0) for _ in range(5)] == [True, True, True, False, False]
    assert allowance.take("b", 0.0)
    assert [allowance.take("a", 0.1), allowance.take("a", 0.1)] == [True, False]
    assert [allowance.take("a", 60.0) for _ in range(4)] == [True, True, True, False]


def test_senders_that_are_invented_take_no_memory() -> None:
    allowance = RateLimit(rate=1, burst=1)
    for number in range(10 * MOST_SENDERS):
        allowance.take(f"sender {number}", 0.0)
    assert len(allowance._left) == MOST_SENDERS


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_scratch_folder_is_gone_when_closed(temporary: Path) -> None:
    with ScratchFolder("box") as folder:
        (folder.path / "file").write_text("x", encoding="ascii")
        assert folder.path.parent == temporary
    folder.close()
    assert list(temporary.iterdir()) == []


def test_what_a_killed_program_left_is_removed_and_what_is_in_use_is_not(temporary: Path) -> None:
    code = "import time; from firmware_bridge.scratch import ScratchFolder; f = ScratchFolder('box'); print(f.path)"
    program = subprocess.Popen(
        [sys.executable, "-uc", f"{code}; time.sleep(60)"],
        stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2], env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    left = Path(program.stdout.readline().strip())
    with ScratchFolder("box") as own:
        assert left.is_dir()
        program.kill()
        program.communicate()
        with ScratchFolder("box"):
            assert not left.exists()
            assert own.path.is_dir()


def test_folders_without_a_lock_are_removed_when_they_are_old(temporary: Path) -> None:
    fresh, old, foreign = (temporary / name for name in ("companion-box-a", "companion-box-b", "other-box-c"))
    for folder in (fresh, old, foreign):
        folder.mkdir()
        os.utime(folder, (time.time() - 3600, time.time() - 3600))
    os.utime(fresh)
    (temporary / "companion-box-link").symlink_to(foreign)
    (temporary / "companion-box-file").write_text("", encoding="ascii")
    remove_abandoned("companion-box-")
    assert {path.name for path in temporary.iterdir()} == {
        "companion-box-a", "other-box-c", "companion-box-link", "companion-box-file",
    }  # fmt: skip
