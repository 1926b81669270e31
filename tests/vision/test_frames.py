"""The grabber keeps the newest frame, notices a source that fails and brings it back."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from vision.camera.frames import Grabber, Image
from vision.camera.sources import CallableSource
from vision.errors import SourceLost, SourceUnavailable


class Script:
    """A source that follows a script: an image is given, an error raised, None ends; then it waits for good."""

    live = True
    patience = 1.0

    def __init__(self, *steps: Image | Exception | None, name: str = "scripted camera") -> None:
        self.name, self.opened, self.closed = name, 0, 0
        self._steps, self._over = list(steps), threading.Event()

    def open(self) -> None:
        self.opened += 1
        if self._steps and isinstance(self._steps[0], SourceUnavailable):
            raise self._steps.pop(0)

    def read(self) -> Image | None:
        if not self._steps:
            self._over.wait()
            return None
        step = self._steps.pop(0)
        if isinstance(step, Exception):
            raise step
        return step

    def close(self) -> None:
        self.closed += 1

    def stop(self) -> None:
        self._over.set()


def picture(level: int) -> Image:
    return np.full((48, 64, 3), level, np.uint8)


@pytest.fixture
def started() -> Iterator[list[tuple[Grabber, Script | CallableSource]]]:
    running: list[tuple[Grabber, Script | CallableSource]] = []
    yield running
    for grabber, source in running:
        if isinstance(source, Script):
            source.stop()
        grabber.close()


HANG = 30.0
"""seconds after which waiting fails; on a busy machine a thread may get its turn late"""


def begin(running: list, source: Script | CallableSource, **options: float) -> Grabber:
    grabber = Grabber(source, first_pause=0.01, longest_pause=0.02, **options)
    running.append((grabber, source))
    grabber.start()
    return grabber


def eventually(condition: Callable[[], bool], patience: float = HANG) -> None:
    """Wait until a condition holds; fail where it never does."""
    until = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.005)


def test_frames_have_growing_ids_and_times(started: list) -> None:
    counter = iter(range(1000))
    grabber = begin(started, CallableSource(lambda: picture(next(counter) % 255), rate=200))
    first = grabber.newest(timeout=HANG)
    assert first is not None
    second = grabber.newest(after=first.id, timeout=HANG)
    assert second is not None
    assert second.id > first.id
    assert second.time > first.time
    assert grabber.status().fresh


def test_a_slow_reader_gets_the_newest_frame_and_never_an_old_one(started: list) -> None:
    drawn = []

    def draw() -> Image | None:
        drawn.append(len(drawn))
        return picture(len(drawn)) if len(drawn) < 40 else None

    grabber = begin(started, CallableSource(draw, rate=500))
    eventually(lambda: grabber.status().ended)
    frame = grabber.newest()
    assert frame is not None
    assert frame.image[0, 0, 0] == 39
    assert grabber.newest(after=frame.id) is None
    assert "came to its end" in grabber.status().reason


def test_a_source_that_stops_is_opened_again(started: list) -> None:
    source = Script(picture(1), SourceLost("scripted camera", "gave no picture"), picture(2))
    grabber = begin(started, source)
    frame = grabber.newest(after=0, timeout=HANG)
    assert frame is not None
    assert frame.image[0, 0, 0] == 2
    assert (source.opened, source.closed) == (2, 1)


def test_a_source_that_is_missing_is_tried_until_it_comes(started: list) -> None:
    missing = [SourceUnavailable("scripted camera", "cannot be opened") for _ in range(3)]
    source = Script(*missing, picture(3))
    grabber = begin(started, source)
    frame = grabber.newest(timeout=HANG)
    assert frame is not None
    assert source.opened == 4


def test_why_there_is_no_picture_is_said(started: list) -> None:
    source = Script(*[SourceUnavailable("scripted camera", "cannot be opened") for _ in range(500)])
    grabber = begin(started, source)
    eventually(lambda: "cannot be opened" in grabber.status().reason)
    assert grabber.newest() is None
    assert not grabber.status().fresh


def test_a_camera_that_repeats_one_picture_is_opened_again(started: list) -> None:
    source = Script(*[picture(7)] * 200_000)
    begin(started, source, patience=0.05)
    eventually(lambda: source.opened >= 2)
    assert source.closed >= 1


def test_a_camera_that_falls_silent_is_reported(started: list) -> None:
    grabber = begin(started, Script(picture(1)), patience=0.05)
    assert grabber.newest(timeout=HANG) is not None
    eventually(lambda: not grabber.status().fresh)
    assert "no picture for" in grabber.status().reason
