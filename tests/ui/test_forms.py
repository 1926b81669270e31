"""The presenters of cameras, boxes, photographs, tracing and the rehearsal, without a screen."""

import shutil
import threading
import time
from dataclasses import replace
from functools import partial
from math import dist

import cv2
import numpy as np
import pytest

from companion.board.layout import load_board
from companion.engine import scores
from companion.position import parse_position
from companion.registry import GAMES, print_and_play_board
from companion.session.store import Store
from firmware_bridge import rehearsal
from firmware_bridge.boxes import Search
from firmware_bridge.presses.bindings import default_bindings, load_bindings, save_bindings
from firmware_bridge.serving import discovery
from firmware_bridge.serving.discovery import UsbPort
from firmware_bridge.simulators.serial_box import SerialBoxSimulator
from tests.ui.test_photographing import END, hand_before
from ui.forms.box_form import BoxForm
from ui.forms.camera_form import CameraForm
from ui.forms.rehearsal import Result, try_camera, try_game
from ui.forms.rehearsal_form import RehearsalForm
from ui.forms.teach_form import TeachForm
from ui.forms.tracing import GRAPH, GRID, Tracing
from ui.forms.tracing_form import TracingForm
from ui.hardware.likely_cameras import likely_cameras
from ui.photographs.reading import MOST_COVERED
from ui.photographs.score_form import ScoreForm
from ui.photographs.taking import PhotographSource
from ui.services.editions import editions_of
from ui.services.file_list import FileList
from ui.services.settings import SETTINGS_FILE, Settings, load_settings, save_settings
from ui.services.speech import Speaker
from ui.shell.devices import Devices
from ui.shell.shell import Shell
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from ui.view_models.form_view import Note, Picks, Stepper, Tone
from vision.camera.picture_quality import Flaw, picture_quality
from vision.location.board_pose import CameraModel
from vision.location.camera_file import save_camera

HANG = 60.0
TRUTH = parse_position(END, "end")
BOARD = print_and_play_board("city_of_marble")
VIEW = CameraView(width=1920, height=1080)


@pytest.fixture(scope="session")
def pictures(tmp_path_factory):
    folder = tmp_path_factory.mktemp("photographs")
    look = TRUTH.game.appearance(TRUTH.state)
    cv2.imwrite(str(folder / "end.png"), Scene(BOARD, VIEW).frame(look))
    return folder


@pytest.fixture
def box():
    box = SerialBoxSimulator()
    yield box
    box.close()


@pytest.fixture
def shell(tmp_path, box, monkeypatch):
    monkeypatch.setattr(discovery, "SCAN_SECONDS", 0.02)
    search = Search(serial=True, ports=lambda: [UsbPort(box.path, 0x2341, 0x0043)])
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None), devices=partial(Devices, search=search))
        yield shell
        shell.close()


def until(form, condition):
    deadline = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < deadline, texts(form)
        form.tick()
        time.sleep(0.005)


def texts(form):
    return [row.text for row in form.rows() if isinstance(row, Note)]


def picks(form, key):
    return {pick.key: pick for row in form.rows() if isinstance(row, Picks) and row.key == key for pick in row.picks}


def test_a_photograph_becomes_a_score_sheet(pictures):
    sheets = []
    form = ScoreForm(sheets.append, PhotographSource(folder=pictures))
    form.touch("way", "files")
    form.touch("files", "open end.png")
    until(form, lambda: form.page == "players")
    assert {key for key, pick in picks(form, "colour").items() if pick.chosen} == {"white", "purple"}
    form.touch("colour", "white")
    form.touch("colour", "white")
    form.touch("name 1", "Giulia")
    assert picks(form, "colour")["white"].text == "2. White"
    form.touch("way", "next")
    assert {"Every spot was read with certainty.", "Nothing in doubt changes the score."} & set(texts(form))
    form.touch("way", "next")
    for _ in range(3):
        form.touch("answer coins.1", "+1")
    form.touch("answer imperium.1 arena", "+1")
    form.touch("answer bridges.1", "add 1")
    form.touch("answer bridges.1", "add 4")
    assert any(isinstance(row, Stepper) and row.value == 3 for row in form.rows())
    form.touch("way", "next")
    score = sheets[0].view().score
    totals = {seat: points for seat, _name, points, _rank in score.ranking}
    assert [totals[seat] for seat in (1, 2)] == list(scores(TRUTH.game, TRUTH.state).totals)
    assert score.final


def test_no_score_is_shown_while_spots_are_covered(pictures, tmp_path):
    picture = cv2.imread(str(pictures / "end.png"))
    for name, size in (("hand.png", 0.25), ("coin.png", 0.02)):
        cv2.imwrite(str(tmp_path / name), hand_before(picture, size))
    form = ScoreForm(lambda _sheet: None, PhotographSource(folder=tmp_path))
    for name, remedy in (("hand.png", "Take another picture"), ("coin.png", "Say what lies there")):
        form.touch("files", f"open {name}")
        until(form, lambda: form.page == "players")
        form.touch("way", "next")
        assert any("cannot be" in text and remedy in text for text in texts(form))
        assert picks(form, "way").keys() == {"picture"}
        form.touch("way", "next")
        assert form.page == "spots"
        if name == "hand.png":
            form.touch("way", "picture")
    for _answered in range(2 * MOST_COVERED):
        spots = picks(form, "spot")
        if "next" in picks(form, "way"):
            break
        spot = next(key for key in spots if key in form._spots.covered())
        form.touch("spot", spot)
        label = TRUTH.game.appearance(TRUTH.state).get(spot, "")
        form.touch("label", f"={label}")
    form.touch("way", "next")
    assert form.page == "answers"


def test_a_spot_that_is_touched_offers_what_can_lie_there_first(pictures):
    form = ScoreForm(lambda _sheet: None, PhotographSource(folder=pictures))
    form.touch("files", "open end.png")
    until(form, lambda: form.page == "players")
    form.touch("way", "next")
    pose = form._spots.reading.pose
    spot = BOARD.spots["building F8"]
    place = pose.project([(*spot.centre, 0.0)])[0]
    form.tap((float(place[0]), float(place[1])))
    labels = [pick.key for row in form.rows() if isinstance(row, Picks) and row.key == "label" for pick in row.picks]
    assert labels[:2] == ["=fountain", "="]
    form.touch("label", "=")
    form.touch("view", "board")
    assert "building F8" not in {piece.spot for piece in form.board().pieces}


def test_an_empty_board_is_told_before_its_points(tmp_path):
    cv2.imwrite(str(tmp_path / "empty.png"), Scene(BOARD, CameraView()).frame({}))
    sheets = []
    form = ScoreForm(sheets.append, PhotographSource(folder=tmp_path))
    form.touch("files", "open empty.png")
    until(form, lambda: form.page == "players")
    form.touch("way", "next")
    assert texts(form)[0] == "Nothing was found on the board."
    assert form.back()
    assert texts(form)[0].startswith("No player's colour was seen on the board.")
    form.touch("way", "next")
    form.touch("way", "next")
    form.touch("way", "next")
    score = sheets[0].view().score
    assert (score.heading, score.notes, score.decided) == ("Nothing was found on the board", (), False)


def test_a_picture_that_shows_no_board_says_why(tmp_path):
    cv2.imwrite(str(tmp_path / "wall.png"), Scene(BOARD, CameraView()).frame({})[:200])
    form = ScoreForm(lambda _sheet: None, PhotographSource(folder=tmp_path))
    form.touch("files", "open wall.png")
    until(form, lambda: any("markers in view" in text for text in texts(form)))
    assert form.page == "picture"


def test_a_picture_as_phones_take_them_is_listed_and_refused_by_name(tmp_path):
    (tmp_path / "table.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(1000))
    form = ScoreForm(lambda _sheet: None, PhotographSource(folder=tmp_path))
    form.touch("way", "files")
    (listed,) = [each.key for row in form.rows() if isinstance(row, Picks) for each in row.picks if "heic" in each.key]
    form.touch("files", listed)
    until(form, lambda: any("HEIC" in text for text in texts(form)))
    assert form.page == "picture"


def test_files_are_listed_the_newest_first_and_folders_entered(tmp_path):
    (tmp_path / "holiday").mkdir()
    for name in ("a.png", "b.jpg", "c.txt", "d.HEIC"):
        (tmp_path / name).write_bytes(b"")
    listed = FileList(folder=tmp_path)
    assert {path.name for path in listed.entries()} == {"holiday", "a.png", "b.jpg", "d.HEIC"}
    assert listed.touch("open holiday") is None
    assert listed.folder == tmp_path / "holiday"
    listed.touch("up")
    assert listed.touch("open a.png") == tmp_path / "a.png"
    listed.touch(f"place {tmp_path / 'nowhere'}")
    assert any(isinstance(row, Note) and row.tone is Tone.BAD for row in listed.rows())


def test_cameras_are_listed_once_each(tmp_path):
    for node, index in (("video0", "0"), ("video1", "1"), ("video2", "0")):
        (tmp_path / node).mkdir()
        (tmp_path / node / "index").write_text(index)
        (tmp_path / node / "name").write_text(f"Webcam {node}: Webcam\n")
    assert likely_cameras(tmp_path, tmp_path / "links") == [("0", "Webcam video0"), ("2", "Webcam video2")]


def test_a_camera_is_chosen_seen_and_remembered(shell, pictures, tmp_path):
    form = CameraForm(shell, lambda _board: None, lambda: None)
    form.touch("address", "nowhere/at/all")
    assert any("is no camera number" in text for text in texts(form))
    form.touch("address", str(pictures))
    until(form, lambda: form._observation is not None and form.picture() is not None)
    assert {"8 of 8 markers found", "Light and sharpness are fine."} <= set(texts(form))
    assert {mark.tone for mark in form.marks()} == {Tone.GOOD}
    form.touch("view", "board")
    seen = {piece.spot: piece.label for piece in form.board().pieces}
    assert seen == TRUTH.game.appearance(TRUTH.state)
    form.close()
    assert load_settings(tmp_path / SETTINGS_FILE).camera == str(pictures)
    form.touch("camera", "=")
    assert load_settings(tmp_path / SETTINGS_FILE).camera == ""


def test_the_running_evening_gets_the_camera_and_gives_it_back(shell, pictures):
    presenter = shell.begin(TRUTH.state.table)
    form = CameraForm(shell, lambda _board: None, lambda: None)
    form.touch("address", "nowhere/at/all")
    assert any("is no camera number" in text for text in texts(form))
    assert presenter.view().eyes.startswith("not open (nowhere/at/all: ")
    form.touch("address", str(pictures))
    assert shell.table_loop.camera is not None
    assert presenter.view().eyes == "starting"
    until(form, lambda: shell.tick() or any(device.state == "ready" for device in presenter.view().devices))
    assert shell.devices.photograph().shape == (VIEW.height, VIEW.width, 3)
    form.touch("camera", "=")
    assert shell.table_loop.camera is None
    assert presenter.view().devices == ()
    assert presenter.view().eyes == "no camera"
    form.close()


def test_light_and_sharpness_are_judged():
    frame = Scene(BOARD, CameraView()).frame({})
    assert picture_quality(frame).flaws == ()
    assert picture_quality(cv2.GaussianBlur(frame, (0, 0), 3.5)).flaws == (Flaw.BLURRED,)
    assert picture_quality(np.full((4, 3, 3), 120, np.uint8)).flaws == (Flaw.BLURRED,)
    assert Flaw.DARK in picture_quality(Scene(BOARD, CameraView(), Light(exposure=0.02)).frame({})).flaws


def test_a_box_is_tested_seated_and_learnt(shell, box):
    form = BoxForm(shell)
    until(form, lambda: form._chosen)
    for button in (1, 2, 3, 4):
        box.tap(button)
    until(form, lambda: "Every button was heard." in texts(form))
    assert [pick.text for pick in picks(form, "button").values()] == [f"• {button}" for button in (1, 2, 3, 4)]
    form.touch("seat", "2")
    form.touch("do", "learn")
    for button in (4, 3, 2, 1):
        before = len(form._learning)
        box.tap(button)
        until(form, lambda before=before: len(form._learning) < before)
    form.close()
    bindings = load_bindings(shell.devices.bindings_file)
    name = f"usb:{box.uid().hex()}"
    assert bindings.seats == {name: 2}
    assert {button: intent.kind for (of, button, _), intent in bindings.intents.items() if of == name} == {
        4: "done", 3: "no", 2: "next", 1: "help",
    }  # fmt: skip


def test_a_box_that_is_lost_can_be_forgotten(shell):
    lost = default_bindings().with_seat("serial:/dev/nothing", None).with_seat("serial:/dev/none", 2)
    save_bindings(shell.devices.bindings_file, lost)
    form = BoxForm(shell)
    until(form, lambda: "serial:/dev/nothing" in picks(form, "box"))
    assert picks(form, "box")["serial:/dev/nothing"].text == "box for all (nothing)"
    form.touch("box", "serial:/dev/nothing")
    form.touch("do", "forget")
    form.tick()
    assert {"serial:/dev/nothing", "serial:/dev/none"} & set(picks(form, "box")) == {"serial:/dev/none"}
    form.close()
    assert load_bindings(shell.devices.bindings_file).seats == {"serial:/dev/none": 2}


@pytest.mark.parametrize("start", [*GAMES, GRID, GRAPH])
def test_a_traced_board_is_a_board(start, tmp_path):
    tracing = Tracing(start, "Grandma's <board>", (700, 500))
    place = "grid first" if start == GRID else next(iter(tracing.places()))
    x, y = tracing.places()[place]
    assert tracing.move(place, (x + 2, y + 3)) == ""
    assert "outside" in tracing.move(place, (900, 10))
    path = tracing.save(tmp_path / "boards")
    board = load_board(path)
    assert board.size == (700, 500)
    assert board.name == "Grandma's <board>"
    assert dist(tracing.places()[place], (x + 2, y + 3)) < 0.1
    if start in GAMES:
        assert board.id in {known.id for known in editions_of(start, tmp_path / "boards").boards}


def test_a_grid_is_traced_on_a_photograph(pictures, tmp_path):
    form = TracingForm(tmp_path / "boards", pictures=pictures)
    form.touch("start", "grid")
    form.touch("files", "open end.png")
    until(form, lambda: form.page == "corners")
    for corner in VIEW.pose(BOARD).project([(0, 0, 0), (594, 0, 0), (594, 420, 0), (0, 420, 0)]):
        form.tap((float(corner[0]), float(corner[1])))
    form.touch("way", "straighten")
    assert form.page == "size"
    form.touch("name", "Draughts")
    form.touch("way", "place")
    for place in ((100, 100), (500, 500)):
        form.tap(place)
    assert texts(form)[0] == "2 of 2 put in place"
    form.touch("columns", "+1")
    form.touch("way", "save")
    board = load_board(tmp_path / "boards" / "own-draughts.toml")
    assert (board.grid.columns, board.grid.rows) == (9, 8)


def test_a_graph_is_traced_by_touch(pictures, tmp_path):
    form = TracingForm(tmp_path, pictures=pictures)
    form.touch("start", "graph")
    form.touch("files", "open end.png")
    until(form, lambda: form.page == "corners")
    for corner in ((300, 200), (1500, 200), (1600, 900), (200, 900)):
        form.tap(corner)
    form.touch("way", "straighten")
    form.touch("way", "place")
    form.touch("mode", "add")
    form.tap((100, 100))
    form.tap((300, 100))
    form.touch("mode", "join")
    form.tap((101, 101))
    form.touch("way", "save")
    board = load_board(next(tmp_path.glob("*.toml")))
    assert board.links["way"] == (("place/P3", "place/P2"),)


def test_four_corners_are_enough_to_teach_and_to_read(shell, tmp_path):
    presenter = shell.begin(TRUTH.state.table)
    game, state = presenter.session.game, presenter.session.state
    looks, view = [{}, game.appearance(state)], CameraView(width=1280, height=720, tilt=5)
    folder = tmp_path / "stills"
    folder.mkdir()
    for number, look in enumerate(looks):
        cv2.imwrite(str(folder / f"{number}.png"), Scene(BOARD, view).frame(look))
    form = TeachForm(shell, BOARD, pictures=folder)

    def take(number):
        form.touch("files", f"open {number}.png")
        until(form, lambda: form.picture() is not None)
        for corner in view.pose(BOARD).project([(0, 0, 0), (594, 0, 0), (594, 420, 0), (0, 420, 0)]):
            form.tap((float(corner[0]), float(corner[1])))
        assert len(form.marks()) > 4

    take(0)
    form.touch("lesson", "empty")
    assert "1 of 4 pictures to learn from" in texts(form)
    form.touch("way", "learn")
    until(form, lambda: any("no two different labels" in text for text in texts(form)))
    take(1)
    form.touch("lesson", "record")
    form.touch("way", "learn")
    until(form, form.profile_file.exists)
    take(1)
    form.touch("view", "board")
    seen = {piece.spot: piece.label for piece in form.board().pieces}
    assert seen == looks[1]


def test_the_corners_that_are_meant_are_told_and_a_wrong_touch_is_taken_back(shell, pictures):
    grid = print_and_play_board("aqua_romana")
    for board, meant in ((BOARD, "Those of the whole sheet"), (grid, "The outermost ones")):
        form = TeachForm(shell, board, pictures=pictures)
        form.touch("files", "open end.png")
        until(form, lambda form=form: form.picture() is not None)
        assert any(text.startswith(meant) for text in texts(form))
        assert "again" not in picks(form, "way")
        form.tap((10.0, 10.0))
        assert "1 of 4" in texts(form)
        assert "again" in picks(form, "way")
        form.touch("way", "again")
        assert "0 of 4" in texts(form)


def test_a_camera_is_rehearsed(pictures):
    image = cv2.imread(str(pictures / "end.png"))
    look = TRUTH.game.appearance(TRUTH.state)
    result, lines = try_camera(lambda: image, BOARD, None, look)
    assert (result, lines[-1]) == (Result.FINE, "after a bump the board was found again")
    result, lines = try_camera(lambda: image, BOARD, None, {**look, "building F8": "temple"})
    assert (result, "to look at: building F8" in lines) == (Result.NOT_FINE, True)
    result, lines = try_camera(lambda: image[:250], BOARD, None, None)
    assert result is Result.NOT_FINE
    assert "markers" in lines[-1]


def test_an_evening_is_rehearsed_on_the_screen(shell, box, monkeypatch):
    monkeypatch.setattr(rehearsal, "SETTLE_SECONDS", 0.1)
    form = RehearsalForm(shell)
    assert [key for key, pick in picks(form, "boxes").items() if pick.chosen] == ["no"], "there never was a box here"
    form.touch("boxes", "yes")
    form.touch("game", "capitol")
    form.touch("do", "begin")
    until(form, lambda: form._doing == "boxes" and box.lit() is not None)
    until(form, lambda: [box.tap(button) for button in (1, 2, 3, 4)] and form._thread is None)
    assert texts(form)[-1] == "Ready to play."
    assert [section.result for section in form._sections] == [Result.LEFT_OUT, Result.FINE, Result.FINE]
    form.close()


def test_a_rehearsal_asks_for_presses_of_the_boxes_that_are_there(shell, monkeypatch):
    monkeypatch.setattr(rehearsal, "SETTLE_SECONDS", 20.0)
    asking, looking = "Press every button of every box once; the lamp beside it flashes.", "Looking for boxes…"
    ports, there = shell.devices._search.ports, threading.Event()
    search = replace(shell.devices._search, ports=lambda: ports() if there.is_set() else [])
    monkeypatch.setattr(shell.devices, "_search", search)
    form = RehearsalForm(shell)
    form.touch("boxes", "yes")
    form.touch("do", "begin")
    until(form, lambda: form._doing == "boxes")
    for _tick in range(20):
        form.tick()
        assert asking not in texts(form)
    assert looking in texts(form)
    there.set()
    until(form, lambda: asking in texts(form))
    assert looking not in texts(form)
    assert any(text.startswith("usb:") and text.endswith(": –") for text in texts(form))
    form.touch("do", "skip")
    until(form, lambda: form._thread is None)
    form.close()


def test_the_game_half_of_a_rehearsal_writes_what_an_evening_leaves(tmp_path):
    assert try_game(TRUTH.state.table, tmp_path)[0] is Result.FINE
    assert not list(tmp_path.iterdir())


def test_a_rehearsal_is_not_fine_where_the_evening_could_keep_nothing(tmp_path):
    tmp_path.rmdir()
    result, lines = try_game(TRUTH.state.table, tmp_path)
    assert result is Result.NOT_FINE
    assert str(tmp_path) in lines[0]


def test_settings_keep_addresses_as_they_are(tmp_path):
    path = tmp_path / SETTINGS_FILE
    kept = Settings(camera='rtsp://anna:"x\\y"@[::1]/ü 1', lens="/home/ä b/lens.toml")
    save_settings(path, kept)
    assert load_settings(path) == kept
    shutil.rmtree(tmp_path)


def test_a_measured_lens_is_taken_by_the_commands_that_look(pictures, tmp_path, run):
    lens = tmp_path / "lens.toml"
    save_camera(CameraModel(1280, 720, 1065.0), lens, 0.2)
    assert run("score-photo", pictures / "end.png", "--game", "city_of_marble", "--lens", lens)[0] == 0
    code, out, _ = run("look", pictures / "end.png", "--board", "city_of_marble", "--lens", lens)
    assert (code, "temple" in out) == (0, True)
    lens.write_text("format = 2\n")
    code, _, err = run("look", pictures / "end.png", "--board", "city_of_marble", "--lens", lens)
    assert (code, str(lens) in err) == (3, True)
