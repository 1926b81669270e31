"""The pictures of a camera one after the other, for a form that looks at them in the background. No Kivy."""

from __future__ import annotations

from ui.shell.shell import Shell
from vision.camera.frames import Grabber
from vision.camera.sources import open_source
from vision.errors import SourceUnavailable
from vision.pictures import Image

PATIENCE = 3.0
"""seconds without a picture after which the user is told"""


class CameraPictures:
    """The camera of the open table, or one at an address, opened for this."""

    def __init__(self, shell: Shell, address: str = "") -> None:
        """Without an address it is the camera of the settings. Raises VisionError."""
        self._devices = shell.devices
        self._grabber: Grabber | None = None
        self._frame = -1
        loop = shell.table_loop
        address = address or shell.devices.camera
        if loop is None or (loop.camera is None and address):
            self._grabber = Grabber(open_source(address))
            self._grabber.start()

    def next(self) -> Image:
        """The next picture; waits for it. Raises SourceError."""
        grabber = self._grabber
        if grabber is None:
            return self._devices.photograph()
        frame = grabber.newest(self._frame, PATIENCE)
        if frame is None:
            source, _colon, reason = grabber.status().reason.partition(": ")
            raise SourceUnavailable(source, reason)
        self._frame = frame.id
        return frame.image

    def close(self) -> None:
        """Let go of the camera; an open table keeps its own."""
        grabber, self._grabber = self._grabber, None
        if grabber is not None:
            grabber.close(0.0)
