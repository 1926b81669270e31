"""A camera followed by a process of its own: reports come through one queue, pictures through shared memory."""

from __future__ import annotations

import logging
import multiprocessing
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from companion.board.layout import Board
from companion.wording.sentences import sentence
from ui.services.interruption import undisturbed
from vision.camera.frames import FrameSource
from vision.camera.shared_pictures import SharedPicture, SharedPictures
from vision.errors import SourceError
from vision.location.board_pose import CameraModel
from vision.location.location import Corners
from vision.pictures import Image
from vision.reader_process import (
    FRAME,
    PICTURE,
    PREVIEW,
    READ,
    STOP,
    CameraReport,
    Confirmed,
    CutAnswer,
    CutRequest,
    LaidOver,
    ReaderTask,
    SharedMemoryName,
)
from vision.taught import taught_files, taught_of

if sys.platform == "win32":  # pragma: no cover
    from multiprocessing.connection import PipeConnection as Connection
else:
    from multiprocessing.connection import Connection

log = logging.getLogger(__name__)

REFRESH = 0.8
"""seconds between readings of a quiet table that nobody asks about"""
_LARGEST_QUEUE = 64
_LARGEST_FRAME = (1080, 1920)
_AGAIN = 1.0
"""seconds before a process that died is started again"""
_PATIENCE = 3.0


class CameraClient:
    """A camera's process as the app has it; the app drains `reports` and never waits for the camera."""

    def __init__(
        self,
        source: str | FrameSource,
        board: Board,
        profile: Path | None = None,
        lens: CameraModel | None = None,
        corners: Corners = (),
        learnt: Path | None = None,
    ) -> None:
        """`source` is an address, or draws frames in this process; `profile` is the board's, else the shipped one.

        `lens` is the camera's as `vision.location.camera_file` reads it, where it was measured; `corners` are where
        those of a board without markers are seen (pixels), where somebody said so; `learnt` is where it is kept what
        confirmed positions teach.

        Raises InvalidProfile, or SourceUnavailable where the system has no room for the pictures.
        """
        taught_of(board, profile)
        self.name = source if isinstance(source, str) else source.name
        self.reports: queue.Queue[CameraReport] = queue.Queue(_LARGEST_QUEUE)
        self.cut_outs: queue.Queue[CutAnswer] = queue.Queue()
        self._source, self._board, self._lens, self._corners = source, board, lens, corners
        self._profiles = {name: str(file) for name, file in taught_files(board, profile).items()}
        self._learnt = str(learnt) if learnt is not None else ""
        self._stop = threading.Event()
        self._pictures: queue.Queue[Image | None] = queue.Queue(1)
        with ExitStack() as memory:
            self._preview = SharedPictures(*PREVIEW)
            memory.callback(self._preview.close)
            self._frames = None if isinstance(source, str) else SharedPictures(*_LARGEST_FRAME)
            memory.pop_all()
        self._pipe: Connection | None = None
        self.process_id: int | None = None
        """the process that reads, once it was started"""
        self._threads = [threading.Thread(target=self._follow, name=f"follow {self.name}", daemon=True)]
        if not isinstance(source, str):
            self._threads.append(threading.Thread(target=self._draw, name=f"draw {self.name}", daemon=True))

    def start(self) -> None:
        """Begin to grab and read."""
        for thread in self._threads:
            thread.start()

    def request(self) -> None:
        """Read the next quiet frame afresh: somebody pressed a button."""
        self._ask(READ)

    def cut_out(self, key: int, spots: Iterable[str]) -> None:
        """Ask for what is seen of some spots, before and now; it comes through `cut_outs`."""
        self._ask(CutRequest(key, tuple(spots)))

    def confirm(self, frame: int, look: Mapping[str, str]) -> None:
        """The record agrees with the reading of a frame: what lies on the table is `look`, and may teach."""
        if self._learnt:
            self._ask(Confirmed(frame, dict(look)))

    def preview(self, after: int = 0) -> SharedPicture | None:
        """The newest small picture if its number is above `after`."""
        return self._preview.newest(after)

    def picture(self, timeout: float = 2.0) -> Image | None:
        """The latest frame that was read, with what was read laid over it; None before the first."""
        return self._asked_for(PICTURE, timeout)

    def frame(self, timeout: float = 2.0) -> Image | None:
        """The newest frame as it is, in full size; None before the first."""
        return self._asked_for(FRAME, timeout)

    def _asked_for(self, what: str, timeout: float) -> Image | None:
        with suppress(queue.Empty):
            self._pictures.get_nowait()
        if not self._ask(what):
            return None
        try:
            return self._pictures.get(timeout=timeout)
        except queue.Empty:
            return None

    def close(self) -> None:
        """Stop the process and the threads."""
        self._stop.set()
        self._ask(STOP)
        for thread in self._threads:
            if thread.is_alive():
                thread.join(_PATIENCE + 1.0)
        self._preview.close()
        if self._frames is not None:
            self._frames.close()

    def _ask(self, what: str | CutRequest | Confirmed) -> bool:
        pipe = self._pipe
        if pipe is None:
            return False
        try:
            pipe.send(what)
        except OSError:
            return False
        return True

    def _task(self) -> ReaderTask:
        source: str | SharedMemoryName = self._source if isinstance(self._source, str) else self.name
        if self._frames is not None:
            source = SharedMemoryName(self._frames.name, *_LARGEST_FRAME)
        return ReaderTask(
            source, self.name, dict(self._board.definition), self._profiles, REFRESH,
            SharedMemoryName(self._preview.name, *PREVIEW), self._lens, self._corners, self._learnt,
        )  # fmt: skip

    def _follow(self) -> None:
        """Keep a process running and hand on what it says."""
        while not self._stop.is_set():
            try:
                process, pipe = self._started()
            except OSError as error:
                why = error.strerror or error
                self._lost(sentence("{source}: its process cannot be started ({why})", source=self.name, why=why))
                continue
            self._pipe, self.process_id = pipe, process.pid
            self._hear(pipe)
            self._pipe, self.process_id = None, None
            pipe.close()
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if not self._stop.is_set():
                log.error("the process of %s ended with %s", self.name, process.returncode)
                self._lost(sentence("{source}: its process ended; it is started again", source=self.name))

    def _started(self) -> tuple[subprocess.Popen[bytes], Connection]:
        """A process that reads, and our end of the pipe to it.

        Raises OSError where the system has no room for another one.
        """
        own, other = multiprocessing.Pipe()
        try:
            with undisturbed():
                process = _process_at(other)
        except OSError:
            own.close()
            raise
        finally:
            other.close()
        with suppress(OSError):  # where it has ended already, which is heard at once
            own.send(self._task())
        return process, own

    def _lost(self, why: str) -> None:
        """Say why there is no process, and wait before the next one."""
        self._report(CameraReport(None, why))
        self._stop.wait(_AGAIN)

    def _hear(self, pipe: Connection) -> None:
        while not self._stop.is_set():
            try:
                if not pipe.poll(0.2):
                    continue
                message = pipe.recv()
            except (EOFError, OSError):
                return
            if isinstance(message, CutAnswer):
                self.cut_outs.put(message)
            elif isinstance(message, LaidOver):
                with suppress(queue.Full):
                    self._pictures.put_nowait(message.image)
            else:
                self._report(message)

    def _draw(self) -> None:
        """Write the frames of a source of this process for the other one."""
        if isinstance(self._source, str) or self._frames is None:
            return
        try:
            self._source.open()
            while not self._stop.is_set():
                image = self._source.read()
                if image is None:
                    return
                self._frames.write(image, time.monotonic())
        except SourceError as error:
            self._report(CameraReport(None, str(error)))
        finally:
            self._source.close()

    def _report(self, report: CameraReport) -> None:
        while not self._stop.is_set():
            try:
                self.reports.put_nowait(report)
                return
            except queue.Full:
                with suppress(queue.Empty):
                    self.reports.get_nowait()


def _process_at(pipe: Connection) -> subprocess.Popen[bytes]:
    """A process that waits for its task at this end of a pipe.

    multiprocessing would start a second one with it, 7 MB large, that tracks shared memory, which names its owner here.
    """
    end = pipe.fileno()
    program = f"import sys; sys.path[:] = {sys.path!r}; from vision.reader_process import main; main()"
    command = [sys.executable, "-c", program, str(end)]
    if sys.platform == "win32":  # pragma: no cover
        os.set_handle_inheritable(end, True)
        only = subprocess.STARTUPINFO(lpAttributeList={"handle_list": [end]})
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, startupinfo=only)
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, pass_fds=[end])
