"""A camera followed in the background: newest frames in, what they show out, through one queue."""

from __future__ import annotations

import logging
import queue
import threading
from dataclasses import dataclass

from companion.board.layout import Board
from vision.frames import Frame, FrameSource, Grabber, Image
from vision.overlay import draw_overlay
from vision.profile import Profile
from vision.reader import Sight, TableReader

log = logging.getLogger(__name__)

REFRESH = 0.8
"""seconds between readings of a quiet table that nobody asks about"""
_WAIT = 0.2
_LARGEST_QUEUE = 64


@dataclass(frozen=True, slots=True)
class CameraReport:
    """What the camera's thread has to say: a sight of the table, or why there is none."""

    sight: Sight | None
    lost: str = ""


class CameraEye:
    """Grabs and reads in threads of their own; the app drains `reports` and never waits for the camera."""

    def __init__(self, source: FrameSource, board: Board, profile: Profile) -> None:
        self.name = source.name
        self.reports: queue.Queue[CameraReport] = queue.Queue(_LARGEST_QUEUE)
        self._board = board
        self._grabber = Grabber(source)
        self._reader = TableReader(board, profile, refresh=REFRESH)
        self._stop = threading.Event()
        self._asked = threading.Event()
        self._seen: tuple[Frame, Sight] | None = None
        self._thread = threading.Thread(target=self._run, name=f"read {source.name}", daemon=True)

    def start(self) -> None:
        """Begin to grab and read."""
        self._grabber.start()
        self._thread.start()

    def request(self) -> None:
        """Read the next quiet frame afresh: somebody pressed a button."""
        self._asked.set()

    def picture(self) -> Image | None:
        """The latest frame that was read, with what was read laid over it; None before the first."""
        if self._seen is None:
            return None
        frame, sight = self._seen
        if sight.pose is None or sight.observation is None:
            return frame.image
        return draw_overlay(
            frame.image, self._board, sight.pose, sight.observation.posteriors, sight.observation.covered
        )

    def close(self) -> None:
        """Stop both threads."""
        self._stop.set()
        self._grabber.close()
        if self._thread.is_alive():
            self._thread.join(3.0)

    def _run(self) -> None:
        last, told = -1, ""
        while not self._stop.is_set():
            frame = self._grabber.newest(last, _WAIT)
            if frame is None:
                status = self._grabber.status()
                if not status.fresh and status.reason != told:
                    told = status.reason
                    self._report(CameraReport(None, told))
                if status.ended:
                    return
                continue
            last = frame.id
            if self._asked.is_set():
                self._asked.clear()
                self._reader.request()
            try:
                sight = self._reader.see(frame)
            except Exception:
                log.exception("reading frame %d failed", frame.id)
                self._report(CameraReport(None, "a frame could not be read; see the log"))
                continue
            told = ""
            if sight.observation is not None and sight.observation.quiet:
                self._seen = (frame, sight)
            self._report(CameraReport(sight))

    def _report(self, report: CameraReport) -> None:
        while not self._stop.is_set():
            try:
                self.reports.put_nowait(report)
                return
            except queue.Full:
                try:
                    self.reports.get_nowait()
                except queue.Empty:
                    continue
