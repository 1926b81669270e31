"""What a table prefers, and how it is remembered."""

from dataclasses import replace

import pytest

from companion.errors import InvalidDocument
from companion.session.store import Store
from ui.menus.preferences import changed, preference_questions
from ui.services import text
from ui.services.settings import SETTINGS_FILE, Settings, load_settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell


@pytest.fixture
def shell(tmp_path):
    with Store(tmp_path / "games.sqlite3") as store:
        yield Shell(store, tmp_path, speaker=Speaker(None))
    text.use_language("en")


def test_settings_come_back_as_they_were_saved(tmp_path):
    path = tmp_path / SETTINGS_FILE
    assert load_settings(path) == Settings()
    settings = Settings(
        "de",
        1.4,
        "evening",
        flipped=True,
        full_screen=True,
        announcements="all",
        signal="tone",
        sounds=False,
        motion=False,
        clock=30,
    )
    save_settings(path, settings)
    assert load_settings(path) == settings
    assert [file.name for file in tmp_path.iterdir()] == [SETTINGS_FILE]
    odd = Settings(camera='"\\\x7f', lens="\n")
    save_settings(path, odd)
    assert load_settings(path) == odd


@pytest.mark.parametrize(
    "settings",
    [Settings(camera="a\0b"), Settings(lens="x" * 1001), Settings("xx"), Settings(lens="\udce4.json")],
)
def test_what_would_not_be_read_again_is_not_saved(settings: Settings, tmp_path):
    with pytest.raises(InvalidDocument):
        save_settings(tmp_path / SETTINGS_FILE, settings)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("text_size = 9", "text_size"),
        ('theme = "pink"', "theme"),
        ('signal = "siren"', "signal"),
        ("clock = 7", "clock: is 7"),
        ("clock = true", "clock"),
        (f"clock = {10**18}", f"clock: is {10**18}; it must be one of 0, 15, 30, 45, 60, 90$"),
        ("flipped = 1", "flipped"),
        ("sounds = 1", "sounds"),
        ('motion = "no"', "motion"),
        ("colours = true", "colours"),
        ("language = ", "settings.toml"),
        ('language = "xx"', "language: is 'xx'"),
        ('camera = "a\\u0000b"', "camera: holds a NUL"),
        ('lens = "a\\u0000b"', "lens: holds a NUL"),
        ('camera_lags = { "rtsp://hall" = -1.0 }', "camera_lags.rtsp://hall: is -1.0"),
        ('camera_lags = { "a\\u0000b" = 1.0 }', "holds a NUL"),
        (f'camera_identity = "{"x" * 1001}"', "camera_identity: is longer than 1000 characters"),
    ],
)
def test_a_bad_settings_file_is_told_and_harms_nothing(line, reason, tmp_path):
    (tmp_path / SETTINGS_FILE).write_text(line)
    with pytest.raises(InvalidDocument, match=reason):
        load_settings(tmp_path / SETTINGS_FILE)
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
    assert shell.settings == Settings()
    assert reason.split(":")[0] in shell.notice


def test_every_answer_to_every_question_can_be_chosen(shell):
    for question in preference_questions(shell):
        for pick in question.picks:
            shell.change_settings(changed(shell.settings, question.key, pick.key))
            chosen = [p.key for q in preference_questions(shell) if q.key == question.key for p in q.picks if p.chosen]
            assert chosen == [pick.key]
            assert load_settings(shell.folder / SETTINGS_FILE) == shell.settings


def test_a_silent_machine_is_told_so(shell):
    why = {question.key: question.why for question in preference_questions(shell)}
    assert "espeak-ng" in why["announcements"]


def test_a_setting_that_cannot_be_remembered_holds_all_the_same(shell):
    shell.folder = shell.folder / "gone"
    with pytest.raises(OSError, match="gone"):
        shell.change_settings(replace(shell.settings, clock=15))
    assert shell.settings.clock == 15


@pytest.mark.window
def test_a_screen_that_lies_the_other_way_around_is_turned_at_once_and_back(start, shell):
    from kivy.core.window import Window

    screen = start(None, shell.tick, shell=shell)
    width, height = Window.size
    for flipped, corner in ((True, (width, height)), (False, (0, 0))):
        shell.change_settings(replace(shell.settings, flipped=flipped))
        screen.app.rebuild()
        screen.frames(1)
        left, low, _depth = Window.render_context["modelview_mat"].transform_point(0, 0, 0)
        assert (left, low) == pytest.approx(corner), "where the lower left of the window is drawn"
