"""Frames from any source, newest first: a source gives pictures, a grabber keeps the last one and reopens the
source.
"""

from __future__ import annotations

import threading
import time
import zlib
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from companion.wording.sentences import sentence
from vision.camera.picture_times import PictureTimes
from vision.errors import SourceError
from vision.pictures import Image

OPEN_SECONDS = 15.0
"""Seconds in which a source must give its first picture: some cameras at an address take five."""
_QUICK = 1.0
"""Seconds of silence after which a source of a known quick rate is reported."""
_INTERVALS = 3.0
"""A source is reported as silent after this many of its longest recent intervals between pictures,"""
_LONGEST_SILENCE = 10.0
"""but at the latest after this many seconds."""
_RECENT = 8
"""Number of intervals that are remembered."""
_FEWEST_INTERVALS = 3
"""Fewest intervals from which a source's rate is known."""

__all__ = ["CameraFrame", "FrameSource", "Grabber", "GrabberStatus", "Image"]


@dataclass(frozen=True, slots=True)
class CameraFrame:
    """A picture with the time it was taken (monotonic seconds), as far as that is known, and an id that grows with
    every new one.
    """

    image: Image
    time: float
    id: int


class FrameSource(Protocol):
    """A device, file or drawing function that gives pictures. Used by one thread only; may be opened again after
    `close`.
    """

    @property
    def name(self) -> str:
        """The name that people see."""

    @property
    def live(self) -> bool:
        """Whether two consecutive pictures always differ, as a camera's do by their noise."""

    @property
    def patience(self) -> float:
        """Seconds without a picture, or with the same one if `live`, that are usual as long as its rate is unknown."""

    def open(self) -> None:
        """Prepare for reading.

        Raises SourceUnavailable.
        """

    def read(self) -> Image | None:
        """Wait for the next picture; None at the end of a finite source.

        Raises SourceLost.
        """

    def close(self) -> None:
        """Release the device; safe to call twice and before `open`."""


@dataclass(frozen=True, slots=True)
class GrabberStatus:
    """The state of a grabber: `reason` says why there are no fresh pictures, `age` is the newest frame's age in
    seconds.
    """

    fresh: bool
    ended: bool
    reason: str
    age: float


class Grabber:
    """Reads a source in a thread of its own and keeps only the newest frame; `watch` is shown each, in that thread.

    A source that fails, or is `live` and repeats one picture for `patience` seconds (by default its own), is closed and
    opened again, after pauses that grow from `first_pause` to `longest_pause` seconds. One that gives no picture for
    that long is reported; a source that is known to be slow, only after several of its usual intervals, and one that is
    being opened after `opening` seconds.
    """

    def __init__(
        self,
        source: FrameSource,
        *,
        watch: Callable[[CameraFrame], None] | None = None,
        patience: float | None = None,
        first_pause: float = 0.2,
        longest_pause: float = 2.0,
        opening: float = OPEN_SECONDS,
    ) -> None:
        self._source, self._watch = source, watch
        self._patience = source.patience if patience is None else patience
        self._first_pause, self._longest_pause = first_pause, longest_pause
        self._intervals: deque[float] = deque(maxlen=_RECENT)
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._times = PictureTimes(source)
        self._newest: CameraFrame | None = None
        self._came_at: float | None = None
        self._ended = False
        self._opening, self._reason_at_first = opening, sentence("{source}: is being opened", source=source.name)
        self._reason: str = self._reason_at_first
        self._since = time.monotonic()
        self._thread = threading.Thread(target=self._run, name=f"grab {source.name}", daemon=True)

    def start(self) -> None:
        """Begin to grab."""
        self._thread.start()

    def newest(self, after: int = -1, timeout: float = 0.0) -> CameraFrame | None:
        """The newest frame if its id is above `after`; waits up to `timeout` seconds for one, else None."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._is_newer(after), timeout)
            return self._newest if self._is_newer(after) else None

    def status(self) -> GrabberStatus:
        """Whether pictures are arriving, and if not, why."""
        with self._changed:
            age = time.monotonic() - (self._came_at if self._came_at is not None else self._since)
            reason = self._reason
            if not reason and age > self._usual_silence():
                silent = f"{age:.0f}"
                reason = sentence("{source}: no picture for {seconds} s", source=self._source.name, seconds=silent)
            if reason is self._reason_at_first and age > self._opening:
                silent = f"{self._opening:.0f}"
                nothing = sentence(
                    "nothing came in {seconds} s; is the camera on, and its address right?", seconds=silent
                )
                reason = sentence("{source}: {reason}", source=self._source.name, reason=nothing)
            return GrabberStatus(not reason and not self._ended, self._ended, reason, age)

    def close(self, timeout: float = 3.0) -> None:
        """Stop grabbing; a source that blocks longer than `timeout` seconds is left to its daemon thread."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _usual_silence(self) -> float:
        """Seconds without a picture that are nothing unusual of this source."""
        if len(self._intervals) < _FEWEST_INTERVALS:
            return self._patience
        return max(min(self._patience, _QUICK), min(_INTERVALS * max(self._intervals), _LONGEST_SILENCE))

    def _is_newer(self, after: int) -> bool:
        return self._newest is not None and self._newest.id > after

    def _run(self) -> None:
        pause = self._first_pause
        while not self._stop.is_set():
            before = self._newest
            try:
                self._times.opening(time.monotonic())
                self._source.open()
                self._grab()
                return
            except SourceError as error:
                self._tell(error.sentence)
            finally:
                self._source.close()
            pause = self._first_pause if self._newest is not before else min(2 * pause, self._longest_pause)
            self._stop.wait(pause)

    def _grab(self) -> None:
        """Publish pictures until the end, `close`, or an error."""
        sum_before, same_since = -1, time.monotonic()
        last: float | None = None
        while not self._stop.is_set():
            began = time.monotonic()
            image = self._source.read()
            now = time.monotonic()
            if image is None:
                with self._changed:
                    self._ended, self._reason = True, sentence("{source}: came to its end", source=self._source.name)
                    self._changed.notify_all()
                return
            checksum = zlib.crc32(image[::8, ::8].tobytes())
            if checksum != sum_before:
                sum_before, same_since = checksum, now
            elif self._source.live and now - same_since > self._patience:
                reason = sentence("repeats one picture since {seconds} s", seconds=f"{now - same_since:.1f}")
                raise SourceError(self._source.name, reason)
            taken = self._times.taken(began, now)
            frame = CameraFrame(image, taken, self._newest.id + 1 if self._newest else 0)
            with self._changed:
                if last is not None:
                    self._intervals.append(now - last)
                last = now
                self._newest, self._came_at, self._reason = frame, now, ""
                self._changed.notify_all()
            if self._watch is not None:
                self._watch(frame)

    def _tell(self, reason: str) -> None:
        with self._changed:
            self._reason = reason
            self._changed.notify_all()
