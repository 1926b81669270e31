"""Starting at a table: what cannot be had is told in one line, and leaves no game behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from companion.registry import load_game, print_and_play_board
from companion.session.store import Store
from tests.ui.conftest import Run, is_one_line
from ui.application.bootstrap import has_display
from ui.application.play import GAMES_FILE, laid_out
from ui.commands.camera_options import CameraOptions
from ui.commands.table_options import new_table
from ui.commands.terminal import WrongUse
from ui.services.folders import data_folder
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView

ROOT = Path(__file__).resolve().parents[2]
NAMED = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")


def stored() -> int:
    with Store(data_folder() / GAMES_FILE) as store:
        return len(store.games())


@pytest.mark.parametrize(
    "words",
    [
        ("--camera", "/nonexistent"),
        ("--camera", "0", "--lens", "/nonexistent.toml"),
        ("--box", "serial"),
        ("--camera", "/nonexistent", "--box", "usb:1"),
        ("--box", "serial:/dev/ttyACM0@3"),
        ("--broker", "a b"),
    ],
)
def test_a_start_that_fails_leaves_no_game_behind(
    words: tuple[str, ...], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, out, error = run("play", "--game", "capitol", "--new", *words)
    assert code in (2, 3)
    assert out == ""
    assert is_one_line(error)
    assert stored() == 0


def test_the_hills_are_those_that_the_camera_sees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, board = load_game("city_of_marble"), print_and_play_board("city_of_marble")
    hills = ("Aventine", "Caelian", "Viminal")
    table = new_table("city_of_marble", ("Giulia", "Tiberio"), {"hills": ",".join(hills)}, {})
    look = game.appearance(game.setup(table))
    for name, laid in (("set-up.png", look), ("bare.png", {})):
        cv2.imwrite(str(tmp_path / name), Scene(board, CameraView()).frame(laid))
    camera = CameraOptions(str(tmp_path / "set-up.png"), None, None, ())
    found = laid_out(game, board, camera, {})
    assert set(found["hills"].split(",")) == set(hills)
    assert "the camera sees hills" in capsys.readouterr().err
    assert laid_out(game, board, camera, {"hills": "x"}) == {"hills": "x"}
    bare = CameraOptions(str(tmp_path / "bare.png"), None, None, ())
    with pytest.raises(WrongUse, match=r"no hills can be seen on the board.*--set-up hills="):
        laid_out(game, board, bare, {})
    assert laid_out(game, board, CameraOptions(None, None, None, ()), {}) == {}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
@pytest.mark.parametrize("words", [(), ("play", "--new"), ("play", "--new", "--phones", "--publish")])
def test_without_a_display_that_is_said_and_no_game_begun(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in NAMED:
        monkeypatch.delenv(name, raising=False)
    if has_display():
        pytest.skip("a screen is connected to this machine")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    command = [sys.executable, "-m", "ui.command_line", *words]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert is_one_line(done.stderr)
    assert "there is no display" in done.stderr
    assert list(tmp_path.rglob("*")) == []
    assert stored() == 0


@pytest.mark.parametrize("name", NAMED)
def test_a_display_that_the_environment_names_is_taken_at_its_word(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for other in NAMED:
        monkeypatch.delenv(other, raising=False)
    monkeypatch.setenv(name, "x11" if name == "SDL_VIDEODRIVER" else ":0")
    assert has_display()


def test_a_new_table_invents_nothing_that_the_box_decides() -> None:
    tables = [new_table("aqua_romana", ("Giulia", "Tiberio"), {}, {}) for _ in range(5)]
    assert all(names == ("21",) for table in tables for names in table.options.values())
    assert new_table("aqua_romana", ("Giulia", "Tiberio"), {"straight_tiles": "18"}, {}).options["straight_tiles"] == (
        "18",
    )
    modules = {new_table("thurn_and_taxis", ("Giulia", "Tiberio"), {}, {}).options["modules"] for _ in range(5)}
    assert modules == {("none",)}
    hills = {new_table("city_of_marble", ("Giulia", "Tiberio"), {}, {}, seed).options["hills"] for seed in range(5)}
    assert len(hills) > 1
