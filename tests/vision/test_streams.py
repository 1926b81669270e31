"""Cameras in the network as they are: slow to begin, slow to follow, H.264, still pictures. None of them flickers."""

from __future__ import annotations

import http.server
import itertools
import shutil
import socket
import subprocess
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median

import cv2
import numpy as np
import pytest

from tests.vision.rtsp_camera import RtspCamera
from vision.camera.frames import CameraFrame, Grabber, GrabberStatus
from vision.camera.lag import LagMeasurement
from vision.camera.sources import StreamSource
from vision.errors import SourceLost, SourceUnavailable

RATE = 10.0
ALLOWED = b64encode(b"anna:pass word").decode()


def jpeg(number: int) -> bytes:
    """A numbered picture: its left part is as light as the number says."""
    image = np.full((96, 128, 3), 20 + 7 * (number % 30), np.uint8)
    return cv2.imencode(".jpg", image)[1].tobytes()


class NetworkCamera(http.server.BaseHTTPRequestHandler):
    """Moving pictures at /video, after a wait and at a rate that the query gives; still ones at /still."""

    protocol_version = "HTTP/1.0"

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        wants = dict(word.split("=") for word in query.split("&") if word)
        try:
            if path == "/video":
                self._move(float(wants.get("wait", 0)), float(wants.get("every", 1 / RATE)))
            elif path == "/kept":
                self._give_kept(int(wants["kept"]), float(wants["every"]))
            elif path == "/late":
                self._show_hands_late(float(wants["lag"]))
            elif path == "/still":
                self._answer(200, "image/jpeg", jpeg(next(self.server.numbers)))  # type: ignore[attr-defined]
            elif path == "/guarded" and self.headers["Authorization"] == f"Basic {ALLOWED}":
                self._answer(200, "image/jpeg", jpeg(1))
            elif path == "/page":
                self._answer(200, "text/html", b"<p>Welcome to your camera</p>")
            else:
                self.send_error(401)
        except OSError:
            pass  # the reader has hung up

    def _answer(self, code: int, kind: str, data: bytes) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _move(self, wait: float, every: float) -> None:
        self._begin()
        time.sleep(wait)
        for number in itertools.count():
            self._give(jpeg(number))
            time.sleep(every)

    def _give_kept(self, kept: int, every: float) -> None:
        """The pictures that the camera has kept at once, then one at a time."""
        self.server.asked_at = time.monotonic()  # type: ignore[attr-defined]
        self._begin()
        for number in itertools.count():
            self._give(jpeg(number))
            if number >= kept:
                time.sleep(every)

    def _show_hands_late(self, lag: float) -> None:
        """A dark table, light for half a second after each of the server's hands; all of it late."""
        self._begin()
        while True:
            seen = time.monotonic() - lag
            is_hand = any(0.0 <= seen - hand < 0.5 for hand in self.server.hands)  # type: ignore[attr-defined]
            self._give(jpeg(20 if is_hand else 0))
            time.sleep(1 / RATE)

    def _begin(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()

    def _give(self, data: bytes) -> None:
        self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
        self.wfile.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data + b"\r\n")

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet."""


@pytest.fixture(scope="module")
def server() -> Iterator[http.server.ThreadingHTTPServer]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), NetworkCamera)
    server.daemon_threads = True
    server.numbers, server.hands = itertools.count(), []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def camera(server: http.server.ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}"


@contextmanager
def grabbed(address: str) -> Iterator[Grabber]:
    grabber = Grabber(StreamSource(address))
    grabber.start()
    try:
        yield grabber
    finally:
        grabber.close(12.0)


def watched(grabber: Grabber, pictures: int, first_within: float, all_within: float) -> list[GrabberStatus]:
    """The states of a grabber every 50 ms from its first picture until it has given so many."""
    first = grabber.newest(timeout=first_within)
    assert first is not None, grabber.status().reason
    states, until, seen = [], time.monotonic() + all_within, {first.id}
    while len(seen) < pictures:
        assert time.monotonic() < until, f"{len(seen)} pictures; {grabber.status().reason}"
        states.append(grabber.status())
        frame = grabber.newest(max(seen), 0.05)
        if frame is not None:
            seen.add(frame.id)
    return states


def lost(states: list[GrabberStatus]) -> list[str]:
    return [state.reason for state in states if not state.fresh]


def test_a_stream_that_takes_five_seconds_to_its_first_picture_is_opened_once(camera: str) -> None:
    with grabbed(f"{camera}/video?wait=5") as grabber:
        before = set()
        until = time.monotonic() + 4.5
        while time.monotonic() < until:
            before.add(grabber.status().reason)
            time.sleep(0.1)
        assert {reason.rpartition(": ")[2] for reason in before} == {"is being opened"}
        assert not lost(watched(grabber, 20, 20.0, 30.0))


def test_an_address_that_never_answers_is_said_to_give_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        grabber = Grabber(StreamSource(address), opening=1.0)
        grabber.start()
        assert grabber.status().reason == f"{address}: is being opened"
        time.sleep(1.2)
        status = grabber.status()
        grabber.close(0.1)
    assert not status.fresh
    assert status.reason == f"{address}: nothing came in 1 s; is the camera on, and its address right?"


def test_one_picture_every_two_seconds_is_a_camera_that_works(camera: str) -> None:
    with grabbed(f"{camera}/video?every=2") as grabber:
        assert not lost(watched(grabber, 5, 30.0, 40.0))


def test_a_slow_camera_that_falls_silent_is_reported_all_the_same() -> None:
    class Slow:
        name, live, patience = "slow camera", False, 1.5
        gives = 20

        def open(self) -> None:
            """Ready at once."""

        def read(self) -> np.ndarray:
            time.sleep(0.05 if self.gives > 0 else 60.0)
            self.gives -= 1
            return np.full((96, 128, 3), 40 + self.gives, np.uint8)

        def close(self) -> None:
            """Nothing to release."""

    grabber = Grabber(Slow())
    grabber.start()
    assert not lost(watched(grabber, 5, 20.0, 20.0))
    until = time.monotonic() + 20.0
    while grabber.status().fresh:
        assert time.monotonic() < until
        time.sleep(0.02)
    assert "no picture for" in grabber.status().reason
    grabber.close(0.1)


def test_pictures_that_a_camera_had_kept_are_as_old_as_the_opening(
    camera: str, server: http.server.ThreadingHTTPServer
) -> None:
    frames: list[CameraFrame] = []
    grabber = Grabber(StreamSource(f"{camera}/kept?kept=8&every=0.5"), watch=frames.append)
    grabber.start()
    until = time.monotonic() + 60.0
    while len(frames) < 12:
        assert time.monotonic() < until, grabber.status().reason
        time.sleep(0.05)
    grabber.close(12.0)
    assert frames[0].time <= server.asked_at  # type: ignore[attr-defined]
    times = [frame.time for frame in frames]
    assert times == sorted(times)


def test_a_camera_that_shows_things_late_is_found_out_by_hands_that_come_with_presses(
    camera: str, server: http.server.ThreadingHTTPServer
) -> None:
    measured, last, due = LagMeasurement(), -1, 0.0
    with grabbed(f"{camera}/late?lag=1.0") as grabber:
        until = time.monotonic() + 90.0
        while measured.lag is None:
            assert time.monotonic() < until, measured.lags
            frame = grabber.newest(last, 0.1)
            if frame is None:
                continue
            last, due = frame.id, due or time.monotonic() + 1.5
            measured.look(frame)
            if time.monotonic() >= due:
                due = time.monotonic() + 3.0
                measured.press(due - 3.0)
                server.hands.append(due - 3.0)  # type: ignore[attr-defined]
    assert measured.lag > 0.5


def test_an_address_of_a_still_picture_is_asked_again_and_again(camera: str) -> None:
    with grabbed(f"{camera}/still") as grabber:
        assert not lost(watched(grabber, 5, 20.0, 30.0))
        first = grabber.newest()
        assert first is not None
        later = grabber.newest(first.id, 5.0)
        assert later is not None
        assert (later.image != first.image).any(), "it is asked anew, not shown again"


def test_a_still_picture_with_name_and_password_is_read(camera: str) -> None:
    address = camera.replace("http://", "http://anna:pass%20word@")
    source = StreamSource(f"{address}/guarded")
    source.open()
    assert source.read().shape == source.read().shape == (96, 128, 3)
    source.close()
    assert "pass" not in source.name


@pytest.mark.parametrize("path", ["/page", "/guarded", "/nothing"])
def test_what_gives_no_picture_is_refused_in_one_line(camera: str, path: str) -> None:
    source = StreamSource(f"{camera}{path}")

    def first_picture() -> None:
        source.open()
        source.read()

    with pytest.raises((SourceUnavailable, SourceLost)) as refusal:
        first_picture()
    assert str(refusal.value).startswith(f"{camera.removeprefix('http://')}{path}: ") or path in str(refusal.value)
    assert "\n" not in str(refusal.value)
    source.close()


@pytest.fixture(scope="module")
def ffmpeg() -> str:
    program = shutil.which("ffmpeg")
    if program is None:
        pytest.skip("ffmpeg is not installed; scripts/setup.sh installs it where it may")
    return program


@pytest.fixture
def served(ffmpeg: str) -> Iterator[Callable[..., str]]:
    """Starts ffmpeg as a camera's server in these words of its own; gives the address."""
    running: list[subprocess.Popen[bytes]] = []

    def serve(*words: str, rate: float = RATE) -> str:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        address = f"http://127.0.0.1:{port}/live"
        scene = f"testsrc2=size=640x480:rate={rate}"
        pacing = ("-loglevel", "error", "-re", "-f", "lavfi", "-i", scene)
        running.append(subprocess.Popen([ffmpeg, *pacing, *words, "-listen", "1", address], stdin=subprocess.DEVNULL))
        until = time.monotonic() + 20.0
        while not _listens(port):
            assert time.monotonic() < until, "ffmpeg does not listen"
            time.sleep(0.1)
        return address

    yield serve
    for process in running:
        process.kill()
        process.wait()


def _listens(port: int) -> bool:
    """Whether somebody listens on a port of this machine, told without a connection: the server accepts only one."""
    sockets = [line.split() for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    return any(each[1].endswith(f":{port:04X}") and each[3] == "0A" for each in sockets)


@pytest.mark.parametrize(
    "words",
    [
        ("-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "20", "-f", "mpegts"),
        ("-c:v", "mjpeg", "-q:v", "5", "-f", "mpjpeg", "-content_type", "multipart/x-mixed-replace;boundary=ffmpeg"),
    ],
    ids=["H.264", "MJPEG"],
)
def test_a_real_server_of_ten_pictures_a_second_is_followed(served: Callable[..., str], words: tuple[str, ...]) -> None:
    with grabbed(served(*words)) as grabber:
        states = watched(grabber, 40, 30.0, 60.0)
        frame = grabber.newest()
        assert frame is not None
        assert frame.image.shape == (480, 640, 3)
    assert not lost(states)


def test_a_real_server_of_one_h264_picture_every_two_seconds_is_followed(served: Callable[..., str]) -> None:
    words = ("-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "1", "-f", "mpegts")
    with grabbed(served(*words, rate=0.5)) as grabber:
        assert not lost(watched(grabber, 6, 60.0, 60.0))


def test_an_rtsp_camera_tells_how_old_its_pictures_are(ffmpeg: str, tmp_path: Path) -> None:
    frames: list[CameraFrame] = []
    with closing(RtspCamera(ffmpeg, tmp_path)) as server:
        grabber = Grabber(StreamSource(server.address), watch=frames.append)
        grabber.start()
        until = time.monotonic() + 90.0
        while len(frames) < 30:
            assert time.monotonic() < until, grabber.status().reason
            time.sleep(0.05)
        grabber.close(12.0)
    pauses = [later.time - earlier.time for earlier, later in itertools.pairwise(frames)]
    assert median(pauses) == pytest.approx(1 / RATE, abs=0.01), "also of those that came at once"
