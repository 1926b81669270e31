"""The demo with its real parts: camera thread, pty, broker, store; some actions of it, left and taken up again."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from companion.detail import ON_THE_TABLE
from companion.engine import scores
from companion.files.file_lock import take
from companion.registry import print_and_play_board
from companion.session.entries import CorrectionEntry
from companion.session.record import read_record
from tests.every_game import EVERY_GAME, REFERENCE
from tests.full_disk import no_room_for_more_than
from ui.hardware.camera import CameraClient
from ui.simulated_table import demo, players
from ui.simulated_table.demo import LOCK, STORE, Pictures, main
from vision.pictures import Image
from vision.printed.pieces.profile import has_profile


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


TOLD_LESS = ("--headless", "--no-camera", "--detail")


@pytest.mark.parametrize("game", ["city_of_marble", "capitol", "thurn_and_taxis"])
def test_players_who_tell_less_are_followed_and_go_on_where_the_record_is(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo = [*TOLD_LESS, "table", "--game", game, "--out", str(tmp_path), "--actions"]
    assert main([*demo, "14"]) == 0
    assert main([*demo, "3"]) == 0
    printed = capsys.readouterr()
    assert "resuming the demo at entry" in printed.out
    assert printed.out.count(", 0 misread and mended") == 2
    assert printed.err == ""
    record = read_record((tmp_path / "record.jsonl").read_text(encoding="utf-8"), "record.jsonl")
    assert record.game.detail(record.state) == ON_THE_TABLE
    assert len(record.point.moves) > 2


def test_players_who_tell_the_score_only_have_the_board_counted(tmp_path: Path) -> None:
    assert main([*TOLD_LESS, "score", "--game", "aqua_romana", "--out", str(tmp_path)]) == 0
    record = read_record((tmp_path / "record.jsonl").read_text(encoding="utf-8"), "record.jsonl")
    assert [type(entry) for entry in record.entries] == [CorrectionEntry]
    assert record.is_over
    assert max(scores(record.game, record.state).totals) > 20


def test_less_is_told_only_of_games_of_which_not_all_lies_on_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*TOLD_LESS, "table", "--game", "aqua_romana", "--out", str(tmp_path)]) == 2
    assert "all of Aqua Romana lies on the table; leave out --detail table" in capsys.readouterr().err


PLAYERS = """
from companion.engine import legal_actions
from companion.registry import load_game


class Players:
    @classmethod
    def seated(cls, state, random):
        return cls()

    def choose(self, state, random):
        return random.choice(legal_actions(load_game(state.table.game), state))

    def after(self, before, action, state):
        return self

    def mistakes(self, state):
        return iter(())
"""


def test_a_game_without_simulated_players_is_no_demo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "GAMES", EVERY_GAME)
    assert "capitol" in demo.playable()
    assert REFERENCE not in demo.playable()
    assert main(["--game", REFERENCE]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert REFERENCE in printed.err


def test_a_game_whose_pieces_no_camera_was_taught_is_played_without_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / f"{REFERENCE}.py").write_text(PLAYERS, encoding="utf-8")
    monkeypatch.setattr(players, "__path__", [*players.__path__, str(tmp_path)])
    monkeypatch.setattr(demo, "GAMES", EVERY_GAME)
    assert not has_profile(print_and_play_board(REFERENCE))
    assert main(["--game", REFERENCE, "--headless", "--fresh", "--out", str(tmp_path / "out")]) == 0
    del sys.modules[f"{players.__name__}.{REFERENCE}"]
    record = read_record((tmp_path / "out" / "record.jsonl").read_text(encoding="utf-8"), "record.jsonl")
    assert record.game.decide(record.state) is None
    assert {entry.source for entry in record.entries} <= {"touch", "button"}
    assert "camera" not in capsys.readouterr().err


def test_a_store_that_is_none_is_kept_aside_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / STORE).write_bytes(b"this is no database" * 100)
    assert main(["--headless", "--no-camera", "--out", str(tmp_path), "--actions", "1"]) == 0
    told = capsys.readouterr().err
    assert "The database of games was damaged, and no game was found in it." in told
    assert told.count("\n") == 1
    (aside,) = tmp_path.glob("demo-damaged-*.sqlite3")
    assert aside.read_bytes().startswith(b"this is no database")


def test_a_second_demo_in_the_same_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo = ["--headless", "--no-camera", "--out", str(tmp_path), "--actions", "1"]
    assert main(demo) == 0
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with (tmp_path / LOCK).open("wb") as lock:
        assert take(lock)
        capsys.readouterr()
        assert main(demo) == 3
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert f"{tmp_path}: another demo is at work there" in printed.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert main(demo) == 0


class NoisyCamera:
    """Sees nothing but noise, which makes large files."""

    def picture(self) -> Image:
        return np.random.default_rng(1).integers(0, 256, (400, 400, 3), np.uint8)

    frame = picture


def test_a_picture_that_finds_no_room_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path, cast("CameraClient", NoisyCamera()))
    with no_room_for_more_than(100_000), pytest.raises(OSError, match=r"camera-refusal\.png"):
        pictures.refused()
    assert not pictures.written
    assert not list(tmp_path.iterdir())
    pictures.acted(Pictures.FRAME_AT)
    assert set(pictures.written) == set(tmp_path.iterdir())


def test_a_folder_that_cannot_be_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    for out, reason in (("file", "is a file; --out must name a folder"), ("file/below", "Not a directory")):
        assert main(["--headless", "--out", str(tmp_path / out)]) == 3
        told = capsys.readouterr().err
        assert told.startswith(f"companion: {tmp_path / out}")
        assert reason in told
        assert "Errno" not in told


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--game", "capitol"], "CAP-PERMIT"),
        (["--game", "aqua_romana", "--players", "3"], "AR-SETUP-3"),
        (["--game", "thurn_and_taxis", "--set-up", "modules=both"], "TT-POSTMASTER-2"),
    ],
)
def test_a_game_without_a_camera_is_touched_and_pressed(
    words: list[str], refusal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo = [*words, "--headless", "--no-camera", "--out", str(tmp_path)]
    assert main([*demo, "--fresh", "--actions", "20"]) == 0
    told = capsys.readouterr().out
    assert "2 refused on purpose, 1 touched by mistake and undone, 0 misread" in told
    assert refusal in told
    record = read_record((tmp_path / "record.jsonl").read_text(encoding="utf-8"), "record.jsonl")
    assert "undo" in {entry.kind for entry in record.entries}
    assert main([*demo, "--actions", "5"]) == 0
    assert f"resuming the demo at entry {len(record.entries)}" in capsys.readouterr().out
    longer = read_record((tmp_path / "record.jsonl").read_text(encoding="utf-8"), "record.jsonl")
    assert longer.entries[: len(record.entries)] == record.entries
    assert len(longer.entries) == len(record.entries) + 5


def test_entries_that_the_database_has_lost_are_told_and_those_it_has_are_not_printed_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demo = ["--headless", "--no-camera", "--out", str(tmp_path), "--actions"]
    assert main([*demo, "8"]) == 0
    with closing(sqlite3.connect(tmp_path / STORE)) as database, database:
        database.execute("DELETE FROM entries WHERE number > 5")
    capsys.readouterr()
    assert main([*demo, "1"]) == 0
    printed = capsys.readouterr()
    assert "resuming the demo at entry 5" in printed.out
    assert [line[:6] for line in printed.out.splitlines() if line[:4].strip().isdecimal()] == ["   6  "]
    assert printed.err.count("The latest entries are gone of Rome: City of Marble") == 1
    assert ", left: 5)" in printed.err


def test_another_game_is_followed_by_the_camera(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--game", "aqua_romana", "--headless", "--out", str(tmp_path), "--actions", "4"]) == 0
    assert "1 refused on purpose" in capsys.readouterr().out
    record = read_record((tmp_path / "record.jsonl").read_text(encoding="utf-8"), "record.jsonl")
    assert {entry.source for entry in record.entries if hasattr(entry, "source")} == {"camera"}


def test_another_table_than_the_unfinished_one_begins_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo = ["--game", "thurn_and_taxis", "--headless", "--no-camera", "--out", str(tmp_path), "--actions", "2"]
    assert main(demo) == 0
    assert main([*demo, "--set-up", "modules=none"]) == 0
    assert "resuming the demo at entry 2" in capsys.readouterr().out
    assert main([*demo, "--set-up", "modules=offices"]) == 0
    assert "the unfinished demo is at another table; beginning anew" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--game", "chess"], "chess"),
        (
            ["--game", "thurn_and_taxis", "--set-up", "modules=all"],
            "must be 1 of none, audience, offices, both",
        ),
        (["--game", "thurn_and_taxis", "--set-up", "modules"], "NAME=VALUE"),
        (["--game", "capitol", "--set-up", "modules=both"], "Capitol has no set-up 'modules'"),
        (["--game", "capitol", "--ruling", "mixed_floors=perhaps"], "mixed_floors"),
        (["--players", "7"], "7"),
        (["--actions", "-1"], "number of actions"),
    ],
)
def test_wrong_use_is_refused_in_one_line(
    words: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--headless", "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err
    assert reason in told
    assert told.count("\n") == 1
    assert not (tmp_path / "out").exists()
