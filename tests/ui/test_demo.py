"""The demo with its real parts: camera thread, pty, broker, store; some actions of it, left and taken up again."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.session.record import read_record
from ui.demo import main


def test_some_actions_are_followed_and_the_demo_goes_on_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--headless", "--fresh", "--seed", "27", "--out", str(tmp_path), "--actions", "6"]) == 0
    first = capsys.readouterr().out
    record = read_record((tmp_path / "record.jsonl").read_text(encoding="utf-8"), "record.jsonl")
    sources = {entry.source for entry in record.entries if hasattr(entry, "source")}
    assert "camera" in sources
    assert len(record.entries) >= 6
    assert "1 refused on purpose" in first
    assert "COM-WARD-3" in first
    assert main(["--headless", "--seed", "27", "--out", str(tmp_path), "--actions", "2"]) == 0
    assert f"resuming the demo at entry {len(record.entries)}" in capsys.readouterr().out
    longer = read_record((tmp_path / "record.jsonl").read_text(encoding="utf-8"), "record.jsonl")
    assert longer.entries[: len(record.entries)] == record.entries
    assert len(longer.entries) > len(record.entries)


def test_a_store_that_is_none_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "demo.sqlite3").write_bytes(b"this is no database" * 100)
    assert main(["--headless", "--out", str(tmp_path)]) == 3
    told = capsys.readouterr().err
    assert "demo.sqlite3" in told
    assert told.count("\n") == 1
    assert (tmp_path / "demo.sqlite3").read_bytes().startswith(b"this is no database")
