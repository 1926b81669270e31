"""Where pictures come from: cameras, video files, folders of pictures, network streams, drawings."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import cv2

from companion.wording.sentences import sentence
from vision.camera.frames import OPEN_SECONDS, FrameSource
from vision.camera.stills import StillPicture
from vision.errors import InvalidPicture, SourceLost, SourceUnavailable
from vision.pictures import Image, read_picture

DEVICES = "/dev/"
"""Paths below it are cameras, plugged in or not."""
PICTURES = frozenset({".bmp", ".jpeg", ".jpg", ".png", ".tif", ".tiff", ".webp"})
READ_SECONDS = 10.0
"""Seconds without any data after which a connection is given up."""
_USUAL_RATE, _HIGHEST_RATE = 30.0, 240.0
"""pictures a second of a source that states no rate, and the highest rate that is believed"""


def open_source(text: str) -> FrameSource:
    """The source that people mean by `text`: a camera's number or device path, an http/rtsp address, a file or folder.

    Nothing is opened yet. Raises SourceUnavailable for a path that does not exist.
    """
    if not text.strip() or "\0" in text:
        raise SourceUnavailable(repr(text), sentence("is no camera number, device, address, file or folder"))
    if text.isdecimal():
        return CameraSource(int(text))
    if "://" in text:
        scheme = text.split("://", 1)[0].lower()
        if scheme not in ("http", "https", "rtsp"):
            reason = sentence("addresses begin with http, https or rtsp, not {scheme}", scheme=repr(scheme))
            raise SourceUnavailable(text, reason)
        return StreamSource(text)
    path = Path(text)
    if path.is_dir():
        return FolderSource(path)
    if path.is_char_device() or text.startswith(DEVICES):
        return CameraSource(text)
    if path.is_file():
        return FolderSource(path) if path.suffix.lower() in PICTURES else VideoSource(path)
    raise SourceUnavailable(text, sentence("is no camera number, device, address, file or folder"))


class _CaptureSource:
    """What all sources behind an OpenCV capture share."""

    patience = 1.0

    unopened = sentence("cannot be opened")
    """why there is no capture, and what to look at"""

    def __init__(self, name: str) -> None:
        self.name = name
        self._capture: cv2.VideoCapture | None = None

    def _adopt(self, opened: Callable[[], cv2.VideoCapture]) -> cv2.VideoCapture:
        try:
            capture = opened()
        except cv2.error as error:  # a number that no camera can have, for one
            raise SourceUnavailable(self.name, self.unopened) from error
        if not capture.isOpened():
            capture.release()
            raise SourceUnavailable(self.name, self.unopened)
        self._capture = capture
        return capture

    @property
    def period(self) -> float:
        """The seconds between two pictures, by the rate that the source states."""
        rate = self._capture.get(cv2.CAP_PROP_FPS) if self._capture is not None else 0.0
        return 1.0 / rate if 1.0 <= rate <= _HIGHEST_RATE else 1.0 / _USUAL_RATE

    def _next(self) -> Image | None:
        if self._capture is None:
            raise SourceLost(self.name, sentence("is not open"))
        try:
            found, image = self._capture.read()
        except cv2.error as error:
            raise SourceLost(self.name, sentence("gave no picture ({why})", why=error.err.strip())) from error
        if not found or image.size == 0:
            return None
        return cast(Image, image if image.ndim == 3 else cv2.cvtColor(image, cv2.COLOR_GRAY2BGR))

    def close(self) -> None:
        """Release the capture."""
        if self._capture is not None:
            self._capture.release()
            self._capture = None


class CameraSource(_CaptureSource):
    """A webcam by number or device path, asked for `size` pixels as MJPG."""

    live = True
    unopened = sentence("cannot be opened; is it plugged in, and does no other program use it?")

    def __init__(self, device: int | str, size: tuple[int, int] = (1920, 1080), rate: float = 30.0) -> None:
        super().__init__(f"camera {Path(str(device)).name}")
        self._device, self._size, self._rate = device, size, rate

    def open(self) -> None:
        """Open the camera; the format is set before size and rate, as many cameras only obey in that order."""
        backend = {"linux": cv2.CAP_V4L2, "win32": cv2.CAP_DSHOW}.get(sys.platform, cv2.CAP_ANY)
        capture = self._adopt(lambda: cv2.VideoCapture(self._device, backend))
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_FPS, self._rate)

    def read(self) -> Image:
        """The next picture."""
        image = self._next()
        if image is None:
            raise SourceLost(self.name, sentence("gave no picture; is it unplugged?"))
        return image

    def taken(self) -> float | None:
        """When the driver had filled its buffer with the latest picture, by V4L2's monotonic clock."""
        if self._capture is None or sys.platform != "linux":
            return None
        return self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0


class StreamSource(_CaptureSource):
    """An address: moving pictures by http (MJPEG, H.264) or RTSP, or an http address of one still picture.

    An http address that gives one picture and ends is asked for it again and again.
    """

    live = False
    """a decoder repeats a picture exactly where a scene rests or the camera sends no new one"""
    patience = 6.0
    unopened = sentence(
        "cannot be opened; is the camera on, and does the address, with its name and password, lead to pictures?"
    )

    def __init__(self, address: str) -> None:
        super().__init__(address.rsplit("@", maxsplit=1)[-1])
        self._address = address
        self._given = 0
        self._still: StillPicture | None = None

    def open(self) -> None:
        """Connect. The backend is named because timeouts only apply then."""
        self._given = 0
        if self._still is not None:
            return
        timeouts = [
            cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1000 * OPEN_SECONDS),
            cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1000 * READ_SECONDS),
        ]  # fmt: skip
        try:
            self._adopt(lambda: cv2.VideoCapture(self._address, cv2.CAP_FFMPEG, timeouts))
        except SourceUnavailable:
            if not self._ask_for_stills():
                raise

    def read(self) -> Image:
        """The next picture."""
        if self._still is not None:
            return self._still.next()
        image = self._next()
        if image is None:
            if self._given == 1 and self._ask_for_stills():
                return self.read()
            raise SourceLost(self.name, sentence("the stream stopped"))
        self._given += 1
        return image

    def taken(self) -> float | None:
        """When the latest picture was taken, where RTCP tells the wall clock's time of the stream's beginning."""
        capture = self._capture
        began = capture.get(cv2.CAP_PROP_STREAM_OPEN_TIME_USEC) / 1e6 if capture is not None else 0.0
        if capture is None or began <= 0.0:
            return None
        age = time.time() - began - capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        return time.monotonic() - age

    def _ask_for_stills(self) -> bool:
        """From now on ask for still pictures, if that is what the address gives."""
        if not self._address.lower().startswith("http"):
            return False
        still = StillPicture(self._address, self.name)
        if not still.is_there():
            return False
        super().close()
        self._still = still
        return True


class VideoSource(_CaptureSource):
    """A video file, played at its own rate."""

    live = False
    unopened = sentence("cannot be opened; it is no video, or of a kind that is not known")

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        self._path, self._pace = path, _Pace(25.0)

    def open(self) -> None:
        """Open the file."""
        if not self._path.is_file():
            raise SourceUnavailable(self.name, sentence("there is no such file"))
        capture = self._adopt(lambda: cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG))
        rate = capture.get(cv2.CAP_PROP_FPS)
        self._pace = _Pace(rate if 1.0 <= rate <= _HIGHEST_RATE else 25.0)

    def read(self) -> Image | None:
        """The next picture, when it is due."""
        image = self._next()
        if image is not None:
            self._pace.wait()
        return image


class FolderSource:
    """The pictures of a folder in the order of their names, `rate` a second; the last one is repeated for ever.

    `path` may also name a single picture.
    """

    live = False
    patience = 1.0

    def __init__(self, path: Path, rate: float = 5.0) -> None:
        self.name = str(path)
        self._path, self._pace = path, _Pace(rate)
        self._files: list[Path] = []
        self._last: Image | None = None

    def open(self) -> None:
        """List the folder."""
        if self._path.is_file():
            self._files = [self._path]
            return
        try:
            self._files = sorted((p for p in self._path.iterdir() if p.suffix.lower() in PICTURES), reverse=True)
        except OSError as error:
            reason = sentence("cannot be listed ({why})", why=error.strerror or error)
            raise SourceUnavailable(self.name, reason) from error
        if not self._files:
            raise SourceUnavailable(self.name, sentence("holds no picture"))

    def read(self) -> Image | None:
        """The next picture; files that are not pictures are skipped."""
        self._pace.wait()
        while self._files:
            try:
                self._last = read_picture(self._files.pop())
                break
            except InvalidPicture as error:
                if not self._files and self._last is None:
                    if self._path.is_file():
                        raise SourceLost(self.name, error.reason) from error
                    why = sentence("{source}: {reason}", source=Path(error.source).name, reason=error.reason)
                    reason = sentence("holds no usable picture: {why}", why=why)
                    raise SourceLost(self.name, reason) from error
        return self._last

    def close(self) -> None:
        """Forget the list."""
        self._files = []


class CallableSource:
    """Pictures drawn by a function, at most `rate` a second."""

    live = False
    patience = 1.0

    def __init__(self, draw: Callable[[], Image | None], name: str = "drawing", rate: float = 30.0) -> None:
        self.name = name
        self._draw, self._pace = draw, _Pace(rate)

    def open(self) -> None:
        """Nothing to open."""

    def read(self) -> Image | None:
        """Draw the next picture; None from the function is the end."""
        self._pace.wait()
        return self._draw()

    def close(self) -> None:
        """Nothing to release."""


class _Pace:
    """Limits a loop to a rate; time lost is not made up for."""

    def __init__(self, rate: float) -> None:
        self._period = 1.0 / rate
        self._due = 0.0

    def wait(self) -> None:
        now = time.monotonic()
        if now < self._due:
            time.sleep(self._due - now)
        self._due = max(now, self._due) + self._period
