"""Grabs and reads frames in a process of its own, so that the app's screen never waits for either.

The app holds a pipe: commands go in, reports come out. Shared memory carries the frames that the app draws itself (the
simulated table) and a small preview.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.board.layout import parse_board
from companion.files.documents import DocumentTable
from companion.wording.sentences import sentence
from vision.camera.frames import CameraFrame, FrameSource, Grabber
from vision.camera.shared_pictures import SharedPictures, SharedSource, clear_abandoned
from vision.camera.sources import open_source
from vision.cutouts import cut_out, encoded
from vision.errors import VisionError
from vision.free_memory import give_back
from vision.location.board_pose import BoardPose, CameraModel
from vision.location.flat_pose import FlatPose
from vision.location.location import Corners
from vision.overlay import draw_overlay
from vision.pictures import Image
from vision.printed.pieces.profile import SHIPPED
from vision.reader import FrameReading
from vision.sheets import SheetsReader
from vision.taught import load_taught, with_learnt

if sys.platform == "win32":  # pragma: no cover
    from multiprocessing.connection import PipeConnection as Connection
else:
    from multiprocessing.connection import Connection

log = logging.getLogger(__name__)

PREVIEW = (540, 960)
"""largest size of the preview, rows and columns"""
_PREVIEW_PERIOD = 1 / 16
"""seconds between previews, so that at least fifteen a second are shown"""
_EARLY = 0.005
"""seconds by which a frame may come early and still become the next preview"""
_QUALITY = 97
"""of the JPEG in which the picture before a change is kept, better than that of any cut-out"""
_WAIT = 0.1
"""seconds to wait for a frame before looking at the commands again"""


@dataclass(frozen=True, slots=True)
class SharedMemoryName:
    """The name and size (rows, columns) of another process's picture memory."""

    name: str
    height: int
    width: int

    def attach(self) -> SharedPictures:
        """The pictures of the other process."""
        return SharedPictures(self.height, self.width, self.name)


@dataclass(frozen=True, slots=True)
class ReaderTask:
    """Everything the reading process needs; all fields can be pickled."""

    source: str | SharedMemoryName
    """an address as `vision.camera.sources.open_source` takes it, or pictures in shared memory"""
    name: str
    definition: Mapping[str, Any]
    profiles: Mapping[str, str]
    """board id -> file"""
    refresh: float
    preview: SharedMemoryName
    lens: CameraModel | None = None
    """the camera's measured lens; without it the lens is estimated from the board's markers"""
    corners: Corners = ()
    """the corners of a board without markers in the first picture, if somebody named them"""
    learnt: str = ""
    """the file for what confirmed positions teach about the board's pieces; "" for none"""


@dataclass(frozen=True, slots=True)
class CameraReport:
    """A report of the reading process: the reading of a frame, or why there is none."""

    reading: FrameReading | None
    lost: str = ""


@dataclass(frozen=True, slots=True)
class LaidOver:
    """The answer to a request for a picture; None before the first frame."""

    image: Image | None


@dataclass(frozen=True, slots=True)
class CutRequest:
    """A request to cut out these spots as they look now and as they looked at the last request; `key` is returned."""

    key: int
    spots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CutAnswer:
    """A cut-out as a file (`vision.cutouts`)."""

    key: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The record agrees with the reading of a frame: `look` is what lies on the table."""

    frame: int
    look: Mapping[str, str]


READ = "read"
"""command: read the next quiet frame again"""
PICTURE = "picture"
"""command: send the last picture that was read, with the reading drawn onto it"""
FRAME = "frame"
"""command: send the newest picture as it is"""
STOP = "stop"
"""command: end"""


def main() -> None:
    """Be the process of a camera: the argument is its end of the app's pipe, through which its task comes first."""
    pipe = Connection(int(sys.argv[1]))
    with suppress(EOFError):
        run(pipe.recv(), pipe)


def run(task: ReaderTask, pipe: Connection) -> None:
    """Read until told to stop, or until the app is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    cv2.setNumThreads(1)
    with ExitStack() as stack:
        try:
            process = _ReaderProcess(task, pipe, stack)
        except (VisionError, OSError) as error:
            pipe.send(CameraReport(None, error.sentence if isinstance(error, VisionError) else str(error)))
            return
        process.serve()
    clear_abandoned()  # the app's pictures, where it was killed


class _ReaderProcess:
    def __init__(self, task: ReaderTask, pipe: Connection, stack: ExitStack) -> None:
        self._pipe = pipe
        self._board = parse_board(DocumentTable(task.definition, "board", ""))
        profiles = {
            sheet.id: load_taught(Path(task.profiles[sheet.id]), sheet)
            for sheet in self._board.sheets
            if sheet.id in task.profiles
        }
        learnt = Path(task.learnt) if task.learnt else None
        if learnt is not None:
            profiles[self._board.id] = with_learnt(profiles[self._board.id], learnt, self._board)
        self._reader = SheetsReader(self._board, profiles, task.lens, task.refresh, task.corners, learnt)
        self._grabber = Grabber(_source_of(task, stack), watch=self._show)
        files = {sheet: Path(file) for sheet, file in task.profiles.items()}
        self._profiles = {sheet: file.name for sheet, file in files.items() if file.parent != SHIPPED}
        self._preview = task.preview.attach()
        stack.callback(self._preview.close)
        self._preview_due = float("-inf")
        self._stop, self._asked = threading.Event(), threading.Event()
        self._seen: tuple[CameraFrame, FrameReading] | None = None
        self._newest: Image | None = None
        self._before: bytes | None = None
        """the picture before the change that is looked at, as a JPEG, as cut-outs are: a picture is 6 MB"""
        self._confirmed: Confirmed | None = None
        self._sending = threading.Lock()

    def serve(self) -> None:
        threading.Thread(target=self._listen, name="commands", daemon=True).start()
        self._grabber.start()
        try:
            self._watch()
        finally:
            self._grabber.close()

    def _watch(self) -> None:
        last, reported = -1, ""
        while not self._stop.is_set():
            frame = self._grabber.newest(last, _WAIT)
            if frame is None:
                status = self._grabber.status()
                if not status.fresh and status.reason != reported:
                    reported = status.reason
                    self._send(CameraReport(None, reported))
                if status.ended:
                    self._stop.wait()
                continue
            last, reported = frame.id, ""
            self._newest = frame.image
            if self._asked.is_set():
                self._asked.clear()
                self._reader.request()
            try:
                self._confirm()
                reading = self._reader.see(frame)
            except Exception:
                log.exception("reading frame %d failed", frame.id)
                self._send(CameraReport(None, sentence("a frame could not be read; see the log")))
                continue
            if reading.observation is not None and reading.observation.quiet:
                self._seen = (frame, reading)
                if self._before is None:
                    self._before = _packed(frame.image)
            self._send(CameraReport(reading))
            if reading.observation is not None and reading.observation.quiet:
                give_back()  # what a whole read takes, a fifth of this process, would lie idle until the next one

    def _confirm(self) -> None:
        """Learn from the frame that was read last, if it is the one that the record agrees with."""
        confirmed, self._confirmed = self._confirmed, None
        if confirmed is not None and self._seen is not None and self._seen[0].id == confirmed.frame:
            self._reader.confirm(*self._seen, confirmed.look)

    def _show(self, frame: CameraFrame) -> None:
        """Write a frame to the preview if one is due. Runs in the grabber's thread: reading does not delay it."""
        if frame.time < self._preview_due - _EARLY or self._stop.is_set():
            return
        self._preview_due = max(self._preview_due + _PREVIEW_PERIOD, frame.time)
        height, width = frame.image.shape[:2]
        scale = min(PREVIEW[0] / height, PREVIEW[1] / width, 1.0)
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = frame.image if scale == 1.0 else cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA)
        self._preview.write(np.asarray(small, np.uint8), frame.time)

    def _listen(self) -> None:
        """Obey the app's commands; when the app ends, this process ends too."""
        try:
            while True:
                asked = self._pipe.recv()
                if asked == READ:
                    self._asked.set()
                elif isinstance(asked, CutRequest):
                    self._cut(asked)
                elif isinstance(asked, Confirmed):
                    self._confirmed = asked
                elif asked == PICTURE:
                    self._send(LaidOver(self._laid_over()))
                elif asked == FRAME:
                    self._send(LaidOver(self._newest))
                elif asked == STOP:
                    break
        except (EOFError, OSError):
            log.info("the app is gone; the camera's process ends")
        self._stop.set()

    def _cut(self, asked: CutRequest) -> None:
        """Answer with one cut-out for each sheet that has some of the requested spots."""
        seen = self._seen
        if seen is None:
            return
        frame, reading = seen
        before = _unpacked(self._before) if self._before is not None else frame.image
        for sheet in self._board.sheets:
            pose = reading.pose if sheet is self._board else reading.beside.get(sheet.id)
            spots = [spot for spot in asked.spots if spot in sheet.spots]
            colours = self._reader.colours(sheet.id)
            if isinstance(pose, BoardPose | FlatPose) and colours is not None and spots:
                profile = self._profiles.get(sheet.id, "")
                cut = cut_out(sheet, spots, before, frame.image, pose, colours, profile)
                self._send(CutAnswer(asked.key, encoded(cut)))
                break
        self._before = _packed(frame.image)

    def _laid_over(self) -> Image | None:
        seen = self._seen
        if seen is None:
            return None
        frame, reading = seen
        picture = frame.image
        if reading.observation is None:
            return picture
        for sheet in self._board.sheets:
            pose = reading.pose if sheet is self._board else reading.beside.get(sheet.id)
            if pose is not None:
                own = {spot: shares for spot, shares in reading.observation.posteriors.items() if spot in sheet.spots}
                picture = draw_overlay(picture, sheet, pose, own, reading.observation.covered & sheet.spots.keys())
        return picture

    def _send(self, message: CameraReport | LaidOver | CutAnswer) -> None:
        with self._sending:
            try:
                self._pipe.send(message)
            except OSError:
                self._stop.set()


def _packed(image: Image) -> bytes:
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()


def _unpacked(data: bytes) -> Image:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _source_of(task: ReaderTask, stack: ExitStack) -> FrameSource:
    if isinstance(task.source, str):
        return open_source(task.source)
    pictures = task.source.attach()
    stack.callback(pictures.close)
    return SharedSource(task.name, pictures)
