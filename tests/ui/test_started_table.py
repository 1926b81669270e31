"""`companion play` with files of the user that do not hold: that is told in a line each, and the table opens."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.session.session import Session
from companion.session.store import Store
from tests.tables import table_of
from tests.ui.conftest import Run, is_one_line
from ui.application import play
from ui.hardware.boxes import open_boxes
from ui.services.settings import Settings
from ui.services.speech import Speaker
from ui.services.text import _, use_language
from ui.shell.devices import Devices
from ui.shell.shell import Shell


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    found = play.data_folder()
    found.mkdir(parents=True, exist_ok=True)
    return found


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What the window was opened with: (presenter, settings)."""
    opened: list[Any] = []

    def app(presenter: Any, _tick: Any, *, settings: Settings, **_rest: Any) -> Any:
        opened.append((presenter, settings))
        return SimpleNamespace()

    monkeypatch.setattr(play, "has_display", lambda: True)
    monkeypatch.setattr(play, "_prepared_app", lambda **_options: app)
    monkeypatch.setattr(play, "_run", lambda _app: None)
    return opened


def test_without_a_boxes_file_that_holds_the_table_plays_by_touch(folder: Path, shown: list[Any], run: Run) -> None:
    (folder / "boxes.toml").write_bytes(b"\xff\x00rubbish")
    code, out, error = run("play", "--new", "--game", "capitol")
    assert (code, out) == (0, "")
    assert error.count("\n") == 1
    assert "the table plays without button boxes: " in error
    assert "boxes.toml: byte 0: is not UTF-8 text" in error
    ((presenter, _settings),) = shown
    (device,) = presenter.view().devices
    assert (device.name, device.ok) == ("boxes", False)
    assert "is not UTF-8 text; save the file as UTF-8" in device.state


@pytest.mark.parametrize("line", ['language = "xx"', "text_size = 9e9", "rubbish"])
def test_settings_that_do_not_hold_are_told_on_the_terminal(
    folder: Path, shown: list[Any], run: Run, line: str
) -> None:
    (folder / "settings.toml").write_text(line)
    (folder / "boxes.toml").write_text("rubbish")
    code, _out, error = run("play", "--new")
    assert code == 0
    (told,) = (each for each in error.splitlines() if "settings could not" in each)
    assert told.startswith("companion: the settings could not be read and are as at first: ")
    assert "settings.toml: " in told
    assert shown[0][1] == Settings()
    assert (folder / "settings.toml").read_text() == line


def test_the_same_command_goes_on_with_the_game_of_the_same_players(folder: Path, shown: list[Any], run: Run) -> None:
    words = ("play", "--game", "capitol", "--players", "Anna", "Bert")
    assert run(*words)[0] == 0
    code, _out, error = run(*words)
    assert code == 0
    assert "going on with the unfinished game of capitol; --new begins another" in error
    first, second = (presenter.session.id for presenter, _settings in shown)
    assert first == second
    code, _out, error = run("play", "--game", "capitol", "--players", "Anna", "Carla")
    assert code == 2
    assert "leave these options out to go on with it" in error


@pytest.mark.parametrize("damaged", [1, 2])
def test_a_game_beyond_repair_costs_no_start(folder: Path, shown: list[Any], run: Run, damaged: int) -> None:
    for _game in range(2):
        assert run("play", "--game", "capitol", "--new")[0] == 0
    with Store(folder / "games.sqlite3") as store:
        latest, earlier = (game.id for game in store.games())
    lost = (latest, earlier)[:damaged]
    database = sqlite3.connect(folder / "games.sqlite3", isolation_level=None)
    for game_id in lost:
        database.execute("UPDATE games SET header = '{' WHERE id = ?", (game_id,))
    database.close()
    code, _out, error = run("play", "--game", "capitol")
    assert code == 0
    assert error.count(" can be read no more: the database was damaged") == damaged
    presenter = shown[-1][0]
    assert (presenter.session.id == earlier) is (damaged == 1)
    presenter.on_tick()
    assert "It is kept in games-damaged-" in presenter.view().verdict.headline
    assert len(list(folder.glob("games-damaged-*.sqlite3"))) == damaged
    assert run("play", "--game", "capitol")[0] == 0
    assert shown[-1][0].session.id == presenter.session.id


def test_names_and_reasons_are_in_the_language_of_the_settings(
    folder: Path,
    shown: list[Any],
    run: Run,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    request.addfinalizer(partial(use_language, "en"))
    monkeypatch.setattr(play, "_boxes", lambda *_asked: (None, _("{file} cannot be read: remove it")))
    (folder / "settings.toml").write_text('language = "de"\n')
    assert run("play", "--new", "--game", "capitol")[0] == 0
    ((presenter, _settings),) = shown
    assert [player.name for player in presenter.session.table.players] == ["Spieler 1", "Spieler 2"]
    (device,) = presenter.view().devices
    assert device.state == _("{file} cannot be read: remove it") != "{file} cannot be read: remove it"


def test_rubbish_in_the_file_of_the_tables_name_is_told_in_one_short_line(
    folder: Path, shown: list[Any], run: Run
) -> None:
    (folder / "table.toml").write_text("rubbish")
    with ExitStack() as stack:
        boxes = open_boxes([], None, folder / "boxes.toml", stack)
        stack.callback(boxes.close)
        told = [notice.text for notice in boxes._notices]
    assert told == ["table.toml cannot be read: remove it"]


def test_a_set_up_drawn_by_lot_is_told_at_the_table_and_on_the_terminal(
    folder: Path, shown: list[Any], run: Run
) -> None:
    code, out, error = run("play", "--new", "--game", "city_of_marble")
    ((presenter, _settings),) = shown
    presenter.on_tick()
    hills = ", ".join(presenter.session.table.options["hills"])
    told = f"Drawn by lot, as nobody said what the set-up turned up: {hills}. Lay that out"
    assert (code, out) == (0, "")
    assert is_one_line(error)
    assert f"{told}, or begin anew with what lies there: " in error
    assert "--new --game city_of_marble --set-up hills=" in error
    assert presenter.view().verdict.headline == f"{told}."


@pytest.mark.usefixtures("folder")
def test_hills_drawn_by_lot_have_their_names_in_the_language_in_use(shown: list[Any], run: Run) -> None:
    use_language("it")
    try:
        run("play", "--new", "--game", "city_of_marble")
        ((presenter, _settings),) = shown
        presenter.on_tick()
        hills = [_(hill) for hill in presenter.session.table.options["hills"]]
        assert ", ".join(hills) in presenter.view().verdict.headline
    finally:
        use_language("en")


@pytest.mark.parametrize("game", ["aqua_romana", "thurn_and_taxis", "capitol"])
@pytest.mark.usefixtures("folder")
def test_a_set_up_without_a_lot_is_not_told_as_drawn(game: str, shown: list[Any], run: Run) -> None:
    assert run("play", "--new", "--game", game) == (0, "", "")
    ((presenter, _settings),) = shown
    presenter.on_tick()
    assert presenter.view().verdict is None


@pytest.mark.usefixtures("folder")
def test_a_set_up_that_was_given_is_not_told_as_drawn(shown: list[Any], run: Run) -> None:
    words = ("--set-up", "hills=Viminal,Esquiline,Aventine")
    assert run("play", "--new", "--game", "city_of_marble", *words) == (0, "", "")
    assert run("play", "--game", "city_of_marble") == (0, "", "")  # gone on with
    for presenter, _settings in shown:
        presenter.on_tick()
        assert presenter.view().verdict is None


def test_what_is_amiss_at_the_start_is_told_on_the_screen_and_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "settings.toml").write_bytes(b'language = "e\0n"')
    (tmp_path / "boxes.toml").write_bytes(b"\xff\x00rubbish")
    with Store(tmp_path / "games.sqlite3") as store, caplog.at_level("WARNING"):
        shell = Shell(store, tmp_path, devices=partial(Devices, with_boxes=True), speaker=Speaker(None))
        notice = shell.notice
        presenter = shell.begin(table_of("capitol", 2))
        shell.close()
    settings, _told, boxes = notice.partition(" Tables play without button boxes: ")
    assert settings.startswith("The settings could not be read and are as at first: ")
    assert "boxes.toml: byte 0: is not UTF-8 text" in boxes
    (device,) = presenter.view().devices
    assert "boxes.toml" in device.state
    assert settings in caplog.messages
    assert sum("boxes.toml: byte 0: is not UTF-8 text" in message for message in caplog.messages) == 1


def test_a_table_notices_that_another_program_went_on_with_its_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.session.other_programs.LOOK_SECONDS", 0.0)
    path = tmp_path / "games.sqlite3"
    with Store(path) as store, Store(path) as other:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        presenter = shell.begin(table_of("capitol", 2))
        before = presenter.session.state
        shell.tick()
        assert presenter.view().verdict is None
        there = Session.open(other, presenter.session.id)
        there.submit(there.legal_actions()[0])
        shell.tick()
        told = presenter.view().verdict
        assert told is not None
        assert told.headline.startswith("Another program has gone on with this game")
        assert presenter.session.state == before
        presenter.say("")
        shell.tick()
        assert presenter.view().verdict is None or presenter.view().verdict.headline == ""
        shell.close()
