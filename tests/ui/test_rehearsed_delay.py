"""`companion rehearse` at a keyboard: how late a camera shows a hand is measured and kept with the camera."""

from __future__ import annotations

import http.server
import os
import pty
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from companion.position import parse_position
from companion.registry import print_and_play_board
from ui.hardware.likely_cameras import kept_lag
from ui.services.settings import SETTINGS_FILE, load_settings
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView

POSITION = 'game = "city_of_marble"\n'
LAG = 1.0
HAND = 0.5
"""seconds for which a hand is over the board"""


class LateCamera(http.server.BaseHTTPRequestHandler):
    """Ten pictures a second of a table, with the server's hands over it, all of it late."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            while True:
                seen = time.monotonic() - LAG
                is_hand = any(0.0 <= seen - hand < HAND for hand in self.server.hands)  # type: ignore[attr-defined]
                data = self.server.pictures[is_hand]  # type: ignore[attr-defined]
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\n")
                self.wfile.write(f"Content-Length: {len(data)}\r\n\r\n".encode() + data + b"\r\n")
                time.sleep(0.1)
        except OSError:
            pass  # the reader has hung up

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet."""


@pytest.fixture
def camera() -> Iterator[http.server.ThreadingHTTPServer]:
    board, there = print_and_play_board("city_of_marble"), parse_position(POSITION, "there")
    table = Scene(board, CameraView(width=1920, height=1080)).frame(there.game.appearance(there.state))
    hand = table.copy()
    hand[300:900, 600:1300] = (90, 120, 200)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), LateCamera)
    server.daemon_threads = True
    server.pictures = [cv2.imencode(".jpg", image)[1].tobytes() for image in (table, hand)]  # type: ignore[attr-defined]
    server.hands = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_the_delay_is_measured_with_enter_and_kept_with_the_camera(
    camera: http.server.ThreadingHTTPServer, tmp_path: Path
) -> None:
    address = f"http://127.0.0.1:{camera.server_address[1]}/video"
    (tmp_path / "there.toml").write_text(POSITION, encoding="utf-8")
    keyboard, terminal = pty.openpty()
    words = ["rehearse", "--no-boxes", "--camera", address, "--position", str(tmp_path / "there.toml")]
    run = subprocess.Popen(
        [sys.executable, "-m", "ui.command_line", *words],
        stdin=terminal, stdout=subprocess.PIPE, text=True,
        env=os.environ | {"XDG_DATA_HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert run.stdout is not None
    said: list[str] = []
    for line in run.stdout:
        said.append(line)
        if line.startswith("press Enter"):
            break
    ended = threading.Event()

    def touch() -> None:
        while not ended.wait(3.0):
            os.write(keyboard, b"\n")
            camera.hands.append(time.monotonic())  # type: ignore[attr-defined]

    person = threading.Thread(target=touch)
    person.start()
    said += run.stdout
    ended.set()
    person.join()
    run.stdout.close()
    assert run.wait(60) == 0, said
    os.close(keyboard)
    os.close(terminal)
    assert "delay of the camera: fine\n" in said, said
    assert "s late; a press waits that long\n" in "".join(said)
    assert kept_lag(load_settings(next(tmp_path.rglob(SETTINGS_FILE))), address) > LAG / 2
