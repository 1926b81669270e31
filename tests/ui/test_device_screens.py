"""Cameras, boxes, photographs, tracing and the rehearsal by touch, in a real window."""

import time
from functools import partial

import cv2
import pytest

from companion.board.layout import load_board
from companion.position import parse_position
from companion.registry import print_and_play_board
from companion.session.store import Store
from firmware_bridge.boxes import Search
from firmware_bridge.presses.bindings import load_bindings
from firmware_bridge.serving import discovery
from firmware_bridge.serving.discovery import UsbPort
from firmware_bridge.simulators.serial_box import SerialBoxSimulator
from tests.ui.test_photographing import END
from ui.services import file_list
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.devices import Devices
from ui.shell.shell import Shell
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView

pytestmark = pytest.mark.window

HANG = 60.0
BOARD = print_and_play_board("city_of_marble")
SMALL = (800, 480)


@pytest.fixture(scope="module")
def look():
    position = parse_position(END, "end")
    return position.game.appearance(position.state)


@pytest.fixture(scope="module")
def pictures(tmp_path_factory, look):
    folder = tmp_path_factory.mktemp("photographs")
    cv2.imwrite(str(folder / "end.png"), Scene(BOARD, CameraView()).frame(look))
    return folder


@pytest.fixture
def box():
    box = SerialBoxSimulator()
    yield box
    box.close()


@pytest.fixture
def screen(start, tmp_path, pictures, box, monkeypatch):
    """The app at its start screen, with pictures of the simulated table and a box in software."""
    monkeypatch.setattr(discovery, "SCAN_SECONDS", 0.02)
    monkeypatch.setattr(file_list, "usual_folder", lambda: pictures)
    devices = partial(Devices, search=Search(serial=True, ports=lambda: [UsbPort(box.path, 0x2341, 0x0043)]))
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None), devices=devices)
        yield start(None, shell.tick, on_close=shell.close, shell=shell)


def wait(screen, condition):
    """Let time pass for processes and threads beside the window until something holds."""
    deadline = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        screen.frames(1)
        time.sleep(0.03)


def presses(screen):
    from kivy.uix.behaviors import ButtonBehavior

    return {
        getattr(widget, "heading", "") or getattr(widget, "text", ""): widget
        for widget in screen.app.screens.current_screen.walk()
        if isinstance(widget, ButtonBehavior)
    }


def press(screen, text):
    """Touch the press of this text, scrolled to where it can be touched."""
    wait(screen, lambda: text in presses(screen))
    widget = presses(screen)[text]
    form = screen.app.screens.current_screen.ids.get("form")
    if form is not None and widget in form.walk():
        rows = form.ids.rows
        hidden = rows.height - form.height
        if hidden > 0:
            form.scroll_y = min(1.0, max(0.0, (widget.center_y - rows.y - form.height / 2) / hidden))
    screen.frames(3)
    screen.tap(widget)
    screen.frames(1)


def leading(screen):
    """The words of the page's primary buttons, which none of the chosen answers is."""
    widgets = presses(screen).items()
    assert not any(widget.strong and widget.chosen for _text, widget in widgets if hasattr(widget, "chosen"))
    return [text for text, widget in widgets if getattr(widget, "strong", False)]


def shows(screen, text):
    from ui.widgets.controls import Text

    return any(
        isinstance(widget, Text) and text in widget.text for widget in screen.app.screens.current_screen.walk()
    )  # fmt: skip


def tap_picture(screen, place):
    screen.frames(2)
    screen.touch(*screen.app.screens.current_screen.ids.picture.position_of(place))


def test_a_photograph_is_scored_by_touch(screen):
    press(screen, "Score from a photograph")
    assert leading(screen) == ["Choose a picture file"]
    press(screen, "Choose a picture file")
    press(screen, "end.png")
    wait(screen, lambda: shows(screen, "Who played"))
    assert leading(screen) == ["Next"]
    press(screen, "Next")
    screen.frames(2)
    ids = screen.app.screens.current_screen.ids
    assert ids.view.y <= ids.zoom.y
    assert ids.zoom.top <= ids.picture.lowest
    pose = CameraView().pose(BOARD)
    spot = BOARD.spots["building G7"]
    tap_picture(screen, tuple(float(value) for value in pose.project([(*spot.centre, 2.0)])[0]))
    screen.until(lambda: shows(screen, "What lies here"))
    press(screen, "Temple")
    press(screen, "Next")
    press(screen, "+")
    press(screen, "Show the score")
    screen.until(lambda: screen.app.screens.current == "score")
    assert screen.app.screens.current_screen.ids.ranking.children


def test_a_camera_is_set_up_by_touch(screen, pictures):
    press(screen, "Camera")
    field = next(w for w in screen.app.screens.current_screen.walk() if type(w).__name__ == "FieldRow").ids.field
    field.text = str(pictures)
    field.dispatch("on_text_validate")
    wait(screen, lambda: shows(screen, "8 of 8 markers found"))
    picture = screen.app.screens.current_screen.ids.picture
    wait(screen, lambda: picture._texture is not None)
    texture = picture._texture
    number = picture._number
    wait(screen, lambda: picture._number > number)
    assert picture._texture is texture
    red, green, blue = screen.pixel(*picture.position_of((480, 265)))
    assert len({red, green, blue}) > 1
    press(screen, "On the board")
    wait(screen, lambda: len(screen.board.showing.pieces) > 5)
    press(screen, "No camera")
    screen.until(lambda: screen.app.shell.settings.camera == "")


def test_a_box_is_seated_by_touch_and_lights_up(screen, box):
    press(screen, "Button boxes")
    wait(screen, lambda: shows(screen, "Press every button once"))
    box.tap(3)
    wait(screen, lambda: "• 3" in presses(screen))
    press(screen, "Seat 2")
    screen.until(screen.app.shell.devices.bindings_file.exists)
    assert set(load_bindings(screen.app.shell.devices.bindings_file).seats.values()) == {2}


def test_a_board_is_traced_by_touch(screen):
    press(screen, "Trace a board")
    press(screen, "A grid of cells")
    press(screen, "Choose a picture file")
    press(screen, "end.png")
    wait(screen, lambda: shows(screen, "Touch the four corners"))
    for corner in CameraView().pose(BOARD).project([(40, 40, 0), (550, 40, 0), (550, 380, 0), (40, 380, 0)]):
        tap_picture(screen, (float(corner[0]), float(corner[1])))
    press(screen, "Next")
    press(screen, "Next")
    tap_picture(screen, (80, 80))
    screen.until(lambda: shows(screen, "1 of 2 put in place"))
    press(screen, "Save the board")
    screen.until(lambda: shows(screen, "The board is saved"))
    assert load_board(next(screen.app.shell.boards_folder.glob("*.toml"))).grid.corner != (40.0, 40.0)


def test_the_evening_is_rehearsed_by_touch(screen):
    press(screen, "Rehearsal")
    press(screen, "Without boxes")
    press(screen, "Begin")
    wait(screen, lambda: shows(screen, "Ready to play."))


def test_targets_are_large_enough_on_a_small_screen(screen):
    from kivy.metrics import dp

    from ui.widgets.scale import scale

    scale.reader = 1.6
    screen.resize(*SMALL)
    try:
        for name in ("photograph", "cameras", "lens", "boxes", "tracing", "rehearse"):
            screen.app.open(name)
            screen.frames(3)
            small = [text for text, press in presses(screen).items() if 0 < min(press.size) < dp(48) - 1]
            assert small == [], name
            screen.app.home()
    finally:
        scale.reader = 1.0
