"""The presenters of cameras, boxes, photographs, tracing and the rehearsal, without a screen."""

import shutil
import time
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
from firmware_bridge import discovery, rehearsal
from firmware_bridge.bindings import default_bindings, load_bindings, save_bindings
from firmware_bridge.boxes import Search
from firmware_bridge.discovery import UsbPort
from firmware_bridge.serial_simulator import SerialBoxSimulator
from tests.ui.test_photographing import END, hand_before
from ui.forms.box_form import BoxDesk
from ui.forms.camera_form import CameraDesk
from ui.forms.file_list import FileList
from ui.forms.rehearsal import Result, try_camera, try_game
from ui.forms.rehearsal_form import RehearsalDesk
from ui.forms.rows import Amount, Note, Picks, Tone
from ui.forms.teach_form import TeachDesk
from ui.forms.tracing import GRAPH, GRID, Tracing
from ui.forms.tracing_form import TracingDesk
from ui.hardware.likely_cameras import likely_cameras
from ui.photographs.reading import MOST_COVERED
from ui.photographs.score_form import PhotographDesk
from ui.services.editions import editions_of
from ui.services.settings import SETTINGS_FILE, Settings, load_settings, save_settings
from ui.services.speech import Speaker
from ui.shell.devices import Devices
from ui.shell.shell import Shell
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import Light, View
from vision.camera.picture_quality import Flaw, picture_quality
from vision.location.board_pose import CameraModel
from vision.location.camera_file import save_camera

HANG = 60.0
TRUTH = parse_position(END, "end")
BOARD = print_and_play_board("city_of_marble")
VIEW = View(width=1920, height=1080)


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


def until(desk, condition):
    deadline = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < deadline, texts(desk)
        desk.tick()
        time.sleep(0.005)


def texts(desk):
    return [row.text for row in desk.rows() if isinstance(row, Note)]


def picks(desk, key):
    return {pick.key: pick for row in desk.rows() if isinstance(row, Picks) and row.key == key for pick in row.picks}


def test_a_photograph_becomes_a_score_sheet(pictures):
    sheets = []
    desk = PhotographDesk(sheets.append, folder=pictures)
    desk.touch("way", "files")
    desk.touch("files", "open end.png")
    until(desk, lambda: desk.page == "players")
    assert {key for key, pick in picks(desk, "colour").items() if pick.chosen} == {"white", "purple"}
    desk.touch("colour", "white")
    desk.touch("colour", "white")
    desk.touch("name 1", "Giulia")
    assert picks(desk, "colour")["white"].text == "2. White"
    desk.touch("way", "next")
    assert "Every spot was read with certainty." in texts(desk)
    desk.touch("way", "next")
    for _ in range(3):
        desk.touch("answer coins.1", "+1")
    desk.touch("answer imperium.1 arena", "+1")
    desk.touch("answer bridges.1", "add 1")
    desk.touch("answer bridges.1", "add 4")
    assert any(isinstance(row, Amount) and row.value == 3 for row in desk.rows())
    desk.touch("way", "next")
    score = sheets[0].view().score
    totals = {seat: points for seat, _name, points, _rank in score.ranking}
    assert [totals[seat] for seat in (1, 2)] == list(scores(TRUTH.game, TRUTH.state).totals)
    assert score.final


def test_no_score_is_shown_while_spots_are_covered(pictures, tmp_path):
    picture = cv2.imread(str(pictures / "end.png"))
    for name, size in (("hand.png", 0.25), ("coin.png", 0.02)):
        cv2.imwrite(str(tmp_path / name), hand_before(picture, size))
    desk = PhotographDesk(lambda _sheet: None, folder=tmp_path)
    for name, remedy in (("hand.png", "Take another picture"), ("coin.png", "Say what lies there")):
        desk.touch("files", f"open {name}")
        until(desk, lambda: desk.page == "players")
        desk.touch("way", "next")
        assert any("cannot be" in text and remedy in text for text in texts(desk))
        assert picks(desk, "way").keys() == {"picture"}
        desk.touch("way", "next")
        assert desk.page == "spots"
        if name == "hand.png":
            desk.touch("way", "picture")
    for _answered in range(2 * MOST_COVERED):
        spots = picks(desk, "spot")
        if "next" in picks(desk, "way"):
            break
        spot = next(key for key in spots if key in desk._spots.covered())
        desk.touch("spot", spot)
        label = TRUTH.game.appearance(TRUTH.state).get(spot, "")
        desk.touch("label", f"={label}")
    desk.touch("way", "next")
    assert desk.page == "answers"


def test_a_spot_that_is_touched_offers_what_can_lie_there_first(pictures):
    desk = PhotographDesk(lambda _sheet: None, folder=pictures)
    desk.touch("files", "open end.png")
    until(desk, lambda: desk.page == "players")
    desk.touch("way", "next")
    pose = desk._spots.reading.pose
    spot = BOARD.spots["building F8"]
    place = pose.project([(*spot.centre, 0.0)])[0]
    desk.tap((float(place[0]), float(place[1])))
    labels = [pick.key for row in desk.rows() if isinstance(row, Picks) and row.key == "label" for pick in row.picks]
    assert labels[:2] == ["=fountain", "="]
    desk.touch("label", "=")
    desk.touch("view", "board")
    assert "building F8" not in {piece.spot for piece in desk.board().pieces}


def test_an_empty_board_is_told_before_its_points(tmp_path):
    cv2.imwrite(str(tmp_path / "empty.png"), Scene(BOARD, View()).frame({}))
    sheets = []
    desk = PhotographDesk(sheets.append, folder=tmp_path)
    desk.touch("files", "open empty.png")
    until(desk, lambda: desk.page == "players")
    desk.touch("way", "next")
    assert texts(desk)[0] == "Nothing was found on the board."
    assert desk.back()
    assert texts(desk)[0].startswith("No player's colour was seen on the board.")
    desk.touch("way", "next")
    desk.touch("way", "next")
    desk.touch("way", "next")
    score = sheets[0].view().score
    assert (score.heading, score.notes, score.decided) == ("Nothing was found on the board", (), False)


def test_a_picture_that_shows_no_board_says_why(tmp_path):
    cv2.imwrite(str(tmp_path / "wall.png"), Scene(BOARD, View()).frame({})[:200])
    desk = PhotographDesk(lambda _sheet: None, folder=tmp_path)
    desk.touch("files", "open wall.png")
    until(desk, lambda: any("markers in view" in text for text in texts(desk)))
    assert desk.page == "picture"


def test_a_picture_as_phones_take_them_is_listed_and_refused_by_name(tmp_path):
    (tmp_path / "table.heic").write_bytes(b"\0\0\0\x18ftypheic" + bytes(1000))
    desk = PhotographDesk(lambda _sheet: None, folder=tmp_path)
    desk.touch("way", "files")
    (listed,) = [each.key for row in desk.rows() if isinstance(row, Picks) for each in row.picks if "heic" in each.key]
    desk.touch("files", listed)
    until(desk, lambda: any("HEIC" in text for text in texts(desk)))
    assert desk.page == "picture"


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
    assert likely_cameras(tmp_path) == [("0", "Webcam video0"), ("2", "Webcam video2")]


def test_a_camera_is_chosen_seen_and_remembered(shell, pictures, tmp_path):
    desk = CameraDesk(shell, lambda _board: None, lambda: None)
    desk.touch("address", "nowhere/at/all")
    assert any("is no camera number" in text for text in texts(desk))
    desk.touch("address", str(pictures))
    until(desk, lambda: desk._observation is not None and desk.picture() is not None)
    assert {"8 of 8 markers found", "Light and sharpness are fine."} <= set(texts(desk))
    assert {mark.tone for mark in desk.marks()} == {Tone.GOOD}
    desk.touch("view", "board")
    seen = {piece.spot: piece.label for piece in desk.board().pieces}
    assert seen == TRUTH.game.appearance(TRUTH.state)
    desk.close()
    assert load_settings(tmp_path / SETTINGS_FILE).camera == str(pictures)
    desk.touch("camera", "=")
    assert load_settings(tmp_path / SETTINGS_FILE).camera == ""


def test_the_running_evening_gets_the_camera_and_gives_it_back(shell, pictures):
    presenter = shell.begin(TRUTH.state.table)
    desk = CameraDesk(shell, lambda _board: None, lambda: None)
    desk.touch("address", "nowhere/at/all")
    assert any("is no camera number" in text for text in texts(desk))
    assert presenter.view().eyes.startswith("not open (nowhere/at/all: ")
    desk.touch("address", str(pictures))
    assert shell.evening.camera is not None
    assert presenter.view().eyes == "starting"
    until(desk, lambda: shell.tick() or any(device.state == "ready" for device in presenter.view().devices))
    assert shell.devices.photograph().shape == (VIEW.height, VIEW.width, 3)
    desk.touch("camera", "=")
    assert shell.evening.camera is None
    assert presenter.view().devices == ()
    assert presenter.view().eyes == "no camera"
    desk.close()


def test_light_and_sharpness_are_judged():
    frame = Scene(BOARD, View()).frame({})
    assert picture_quality(frame).flaws == ()
    assert picture_quality(cv2.GaussianBlur(frame, (0, 0), 3.5)).flaws == (Flaw.BLURRED,)
    assert picture_quality(np.full((4, 3, 3), 120, np.uint8)).flaws == (Flaw.BLURRED,)
    assert Flaw.DARK in picture_quality(Scene(BOARD, View(), Light(exposure=0.02)).frame({})).flaws


def test_a_box_is_tested_seated_and_learnt(shell, box):
    desk = BoxDesk(shell)
    until(desk, lambda: desk._chosen)
    for button in (1, 2, 3, 4):
        box.tap(button)
    until(desk, lambda: "Every button was heard." in texts(desk))
    assert [pick.text for pick in picks(desk, "button").values()] == [f"• {button}" for button in (1, 2, 3, 4)]
    desk.touch("seat", "2")
    desk.touch("do", "learn")
    for button in (4, 3, 2, 1):
        before = len(desk._learning)
        box.tap(button)
        until(desk, lambda before=before: len(desk._learning) < before)
    desk.close()
    bindings = load_bindings(shell.devices.bindings_file)
    name = f"usb:{box.uid().hex()}"
    assert bindings.seats == {name: 2}
    assert {button: intent.kind for (of, button, _), intent in bindings.intents.items() if of == name} == {
        4: "done", 3: "no", 2: "next", 1: "help",
    }  # fmt: skip


def test_a_box_that_is_lost_can_be_forgotten(shell):
    lost = default_bindings().with_seat("serial:/dev/nothing", None).with_seat("serial:/dev/none", 2)
    save_bindings(shell.devices.bindings_file, lost)
    desk = BoxDesk(shell)
    until(desk, lambda: "serial:/dev/nothing" in picks(desk, "box"))
    assert picks(desk, "box")["serial:/dev/nothing"].text == "box for all (nothing)"
    desk.touch("box", "serial:/dev/nothing")
    desk.touch("do", "forget")
    desk.tick()
    assert {"serial:/dev/nothing", "serial:/dev/none"} & set(picks(desk, "box")) == {"serial:/dev/none"}
    desk.close()
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
    desk = TracingDesk(tmp_path / "boards", pictures=pictures)
    desk.touch("start", "grid")
    desk.touch("files", "open end.png")
    until(desk, lambda: desk.page == "corners")
    for corner in VIEW.pose(BOARD).project([(0, 0, 0), (594, 0, 0), (594, 420, 0), (0, 420, 0)]):
        desk.tap((float(corner[0]), float(corner[1])))
    desk.touch("way", "straighten")
    assert desk.page == "size"
    desk.touch("name", "Draughts")
    desk.touch("way", "place")
    for place in ((100, 100), (500, 500)):
        desk.tap(place)
    assert texts(desk)[0] == "2 of 2 put in place"
    desk.touch("columns", "+1")
    desk.touch("way", "save")
    board = load_board(tmp_path / "boards" / "own-draughts.toml")
    assert (board.grid.columns, board.grid.rows) == (9, 8)


def test_a_graph_is_traced_by_touch(pictures, tmp_path):
    desk = TracingDesk(tmp_path, pictures=pictures)
    desk.touch("start", "graph")
    desk.touch("files", "open end.png")
    until(desk, lambda: desk.page == "corners")
    for corner in ((300, 200), (1500, 200), (1600, 900), (200, 900)):
        desk.tap(corner)
    desk.touch("way", "straighten")
    desk.touch("way", "place")
    desk.touch("mode", "add")
    desk.tap((100, 100))
    desk.tap((300, 100))
    desk.touch("mode", "join")
    desk.tap((101, 101))
    desk.touch("way", "save")
    board = load_board(next(tmp_path.glob("*.toml")))
    assert board.links["way"] == (("place/P3", "place/P2"),)


def test_four_corners_are_enough_to_teach_and_to_read(shell, tmp_path):
    presenter = shell.begin(TRUTH.state.table)
    game, state = presenter.session.game, presenter.session.state
    looks, view = [{}, game.appearance(state)], View(width=1280, height=720, tilt=5)
    folder = tmp_path / "stills"
    folder.mkdir()
    for number, look in enumerate(looks):
        cv2.imwrite(str(folder / f"{number}.png"), Scene(BOARD, view).frame(look))
    desk = TeachDesk(shell, BOARD, pictures=folder)

    def take(number):
        desk.touch("files", f"open {number}.png")
        until(desk, lambda: desk.picture() is not None)
        for corner in view.pose(BOARD).project([(0, 0, 0), (594, 0, 0), (594, 420, 0), (0, 420, 0)]):
            desk.tap((float(corner[0]), float(corner[1])))
        assert len(desk.marks()) > 4

    take(0)
    desk.touch("lesson", "empty")
    assert "1 of 4 pictures to learn from" in texts(desk)
    desk.touch("way", "learn")
    until(desk, lambda: any("no two different labels" in text for text in texts(desk)))
    take(1)
    desk.touch("lesson", "record")
    desk.touch("way", "learn")
    until(desk, desk.profile_file.exists)
    take(1)
    desk.touch("view", "board")
    seen = {piece.spot: piece.label for piece in desk.board().pieces}
    assert seen == looks[1]


def test_the_corners_that_are_meant_are_told_and_a_wrong_touch_is_taken_back(shell, pictures):
    grid = print_and_play_board("aqua_romana")
    for board, meant in ((BOARD, "Those of the whole sheet"), (grid, "The outermost ones")):
        desk = TeachDesk(shell, board, pictures=pictures)
        desk.touch("files", "open end.png")
        until(desk, lambda desk=desk: desk.picture() is not None)
        assert any(text.startswith(meant) for text in texts(desk))
        assert "again" not in picks(desk, "way")
        desk.tap((10.0, 10.0))
        assert "1 of 4" in texts(desk)
        assert "again" in picks(desk, "way")
        desk.touch("way", "again")
        assert "0 of 4" in texts(desk)


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
    desk = RehearsalDesk(shell)
    desk.touch("game", "capitol")
    desk.touch("do", "begin")
    until(desk, lambda: desk._doing == "boxes" and box.lit() is not None)
    until(desk, lambda: [box.tap(button) for button in (1, 2, 3, 4)] and desk._thread is None)
    assert texts(desk)[-1] == "Ready to play."
    assert [section.result for section in desk._sections] == [Result.LEFT_OUT, Result.FINE, Result.FINE]
    desk.close()


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
