"""A board without markers is followed through the camera's own process, from a stream that breaks and comes back."""

from __future__ import annotations

import http.server
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.files.documents import parse_toml
from companion.position import read_position
from companion.session.cutouts import cut_outs_beside
from companion.session.session import Session
from tests.ui.conftest import QUESTION, Run
from tests.vision.box_edition import BoxCamera, box_board, box_layout, box_table, box_taught_once, look_of
from ui.command_line import main
from ui.hardware.camera import CameraClient
from ui.shell.table_loop import TableLoop
from ui.simulated_table.hand import Hand
from ui.simulated_table.view import CameraView, Light
from ui.table.presenter import Presenter
from vision.spots.spot_profile import save_spot_profile

LONGEST = 90.0
RATE = 8.0
"""pictures a second"""
LAID, LATER = "ward E8-F8 red", "ward C10-D10 blue"


class Stream:
    """A camera on the network: shows a picture, sends bytes that are none, or hangs up."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(3)
        self._picture = np.zeros((720, 1280, 3), np.uint8)
        self._is_spoilt = self._is_cut = False
        stream = self

        class Sender(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(503 if stream._is_cut else 200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                with suppress(OSError):
                    while not stream._is_cut:
                        data = stream._part()
                        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                        self.wfile.write(head.encode() + data + b"\r\n")
                        time.sleep(1 / RATE)

            def log_message(self, format: str, *args: object) -> None:
                """Stay quiet."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Sender)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/video"

    def _part(self) -> bytes:
        noise = self._random.normal(0, 1.5, self._picture.shape)
        data = cv2.imencode(".jpg", np.clip(self._picture + noise, 0, 255).astype(np.uint8))[1].tobytes()
        return self._random.bytes(len(data)) if self._is_spoilt else data

    def show(self, picture: np.ndarray) -> None:
        self._picture, self._is_spoilt, self._is_cut = picture, False, False

    def spoil(self) -> None:
        self._is_spoilt = True

    def cut(self) -> None:
        self._is_cut = True


@pytest.fixture
def stream() -> Iterator[Stream]:
    stream = Stream()
    yield stream
    stream.cut()
    stream.server.shutdown()
    stream.server.server_close()


@pytest.fixture
def profile(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path / "box.zip"
    save_spot_profile(box_taught_once(tmp_path_factory).profile, path)
    return path


def test_a_taught_board_is_followed_named_rechecked_and_found_again(
    stream: Stream, profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session.create(None, box_table(2))
    camera = BoxCamera(
        CameraView(distance=760, tilt=12), Light(temperature=4200, exposure=0.75, slope=(-0.2, 0.1)), seed=3
    )
    record = tmp_path / "game.jsonl"
    presenter, cut_outs = Presenter(session), cut_outs_beside(record)
    eye = CameraClient(stream.address, box_board(), profile, learnt=tmp_path / "learnt.zip")
    evening = TableLoop(presenter, eye, None, cut_outs)
    eyes: list[str] = []

    def until(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + LONGEST
        while not condition():
            assert time.monotonic() < deadline, eyes
            evening.tick()
            if evening.view.eyes not in eyes[-1:]:
                eyes.append(evening.view.eyes)
            time.sleep(0.01)

    def seen() -> bool:
        return evening.view.eyes == "watching" and presenter.observation is not None

    empty = look_of(session.state)
    stream.show(camera.picture(empty))
    try:
        evening.start()
        until(seen)
        assert eyes[0] == "starting"

        place = box_board().spots["ward E8-F8"].centre
        stream.show(camera.picture(empty, Hand(place, 0.5)))
        until(lambda: evening.view.eyes == "hand")
        stream.show(camera.picture({**empty, "ward E8-F8": "red"}))
        until(lambda: len(session.entries) == 1 and seen())
        assert [(entry.summary, entry.source) for entry in session.entries] == [(LAID, "camera")]
        assert eyes.index("hand") < eyes.index("proposed"), eyes
        until(lambda: list(cut_outs.numbers()) == [1])

        stream.spoil()
        until(lambda: evening.view.eyes.startswith("paused"))
        presenter.act(session.game.parse_action(LATER, session.state))
        assert evening.presenter.view().eyes.startswith("paused"), "a touch opens no eye"
        stream.show(camera.picture(look_of(session.state)))
        until(seen)
        stream.cut()
        until(lambda: evening.view.eyes.startswith("paused"))
        stream.show(camera.picture(look_of(session.state)))
        until(seen)
        assert [entry.summary for entry in session.entries] == [LAID, LATER]
    finally:
        evening.close()
    record.write_text(session.export(), encoding="utf-8")
    assert main(["recheck", str(record), "--profile", str(profile)]) == 0
    assert "1 cut-outs" in capsys.readouterr().out


def test_a_taught_board_is_rehearsed_with_its_profile(profile: Path, tmp_path: Path, run: Run) -> None:
    board, position, folder = tmp_path / "box.toml", tmp_path / "position.toml", tmp_path / "pictures"
    board.write_text(box_layout(), encoding="utf-8")
    position.write_text(QUESTION, encoding="utf-8")
    folder.mkdir()
    camera = BoxCamera(CameraView(distance=760, tilt=12), Light(temperature=4600, exposure=0.85), seed=4)
    look = look_of(read_position(parse_toml(QUESTION, "test")).state)
    cv2.imwrite(str(folder / "table.png"), camera.picture(look))
    words = ["rehearse", "--no-boxes", "--board", board, "--camera", folder]
    code, out, _ = run(*words, "--profile", profile, "--position", position)
    assert code == 0, out
    assert "the board was found" in out
    assert "after a bump the board was found again" in out
    position.write_text('game = "city_of_marble"\n', encoding="utf-8")
    code, out, _ = run(*words, "--profile", profile, "--position", position)
    assert (code, "to look at: " in out, "ward E8-F8" in out) == (3, True, True)
    code, out, _ = run(*words)
    assert (code, "comes with no taught profile" in out) == (3, True), out
