"""The pictures that the demo leaves: camera frames with what was read, and the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2

from companion.files.whole_files import write_whole
from ui.hardware.camera import CameraClient
from vision.pictures import Image


class Pictures:
    """Pictures of the demo: two camera frames with what was read, and the window if there is one."""

    FRAME_AT = 60

    def __init__(self, out: Path, camera: CameraClient | None) -> None:
        self._out, self._camera = out, camera
        self.screenshot: Callable[[Path], None] = lambda path: None
        """takes a picture of the window, if there is one, and returns when it is taken"""
        self.written: list[Path] = []
        self._refusals = 0
        self._middle_taken = False

    def acted(self, number: int) -> None:
        """Called by the players after each action."""
        if number >= self.FRAME_AT and not self._middle_taken:
            self._middle_taken = True
            self._frame("camera-middle.png")
            self._plain("camera-plain.png")
            self._window("window-middle.png")

    def refused(self) -> None:
        """Called by the players when the companion has refused something."""
        self._refusals += 1
        if self._refusals == 1:
            self._frame("camera-refusal.png")
            self._plain("camera-plain.png")
        self._window(f"window-refusal-{self._refusals}.png")

    @property
    def score_path(self) -> Path:
        """Where the picture of the final score belongs."""
        return self._out / "window-score.png"

    def _frame(self, name: str) -> None:
        """What the camera sees, with what was read laid over it."""
        self._write(name, self._camera.picture() if self._camera is not None else None)

    def _plain(self, name: str) -> None:
        """What the camera sees as it is, to be read by `companion look`."""
        self._write(name, self._camera.frame() if self._camera is not None else None)

    def _write(self, name: str, picture: Image | None) -> None:
        if picture is not None:
            write_whole(self._out / name, cv2.imencode(".png", picture)[1].tobytes())
            self.written += [self._out / name] * (self._out / name not in self.written)

    def _window(self, name: str) -> None:
        self.screenshot(self._out / name)
