"""Photographs of the board from phones: read in the camera's process with its limits, one at a time.

A picture is only a proposal: it is shown at the table and on the phones, and recorded by a press or a touch.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.board.layout import Board
from companion.session.observation import Observation
from companion.wording.sentences import Sentence, translated
from ui.hardware.camera import CameraClient
from ui.photographs.other_boards import explained
from ui.services.background import Background
from ui.services.text import _, ended, error_text
from vision.errors import InvalidPicture, SourceError, VisionError

PHOTOGRAPHS = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
"""how the files begin that are read: JPEG and PNG; nobody's decoder of anything else is tried on what a phone sent"""
PATIENCE = 60.0
"""seconds in which a picture must be read"""

OpenReader = Callable[[str, Board], CameraClient]


def read_by_camera_process(path: str, board: Board) -> CameraClient:
    """The process that reads a picture file, not started yet.

    Raises VisionError.
    """
    return CameraClient(path, board)


@dataclass(frozen=True, slots=True)
class Read:
    """What came of a photograph of `phone`: what lies on the board, or the sentence `problem` why that is not known."""

    phone: str
    observation: Observation | None
    problem: str = ""


class Snapshots:
    """Reads one photograph after the other; the table's thread calls it."""

    def __init__(
        self, open_reader: OpenReader = read_by_camera_process, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._open_reader, self._clock = open_reader, clock
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._reader: CameraClient | None = None
        self._board: Board | None = None
        self._explanation: Background[str] = Background()
        """what a picture shows in which the board was not found"""
        self._leaving: threading.Thread | None = None
        self._phone, self._until = "", 0.0

    @property
    def is_reading(self) -> bool:
        """Whether a photograph is being read."""
        return self._reader is not None

    def begin(self, phone: str, data: bytes, board: Board) -> str:
        """Begin to read a picture that a phone sent; gives a sentence that says why that cannot be, or ""."""
        if self._reader is not None:
            return _("Another photograph is being read: try again in a moment.")
        if not data.startswith(PHOTOGRAPHS) and not _is_undecoded(data):
            return _("The photograph is neither a JPEG nor a PNG picture.")
        self._folder = tempfile.TemporaryDirectory(prefix="companion-")
        try:
            path = Path(self._folder.name) / "photograph.jpg"
            path.write_bytes(data)
            reader = self._open_reader(str(path), board)
        except (OSError, VisionError) as error:
            self._leave()
            if isinstance(error, SourceError | InvalidPicture):
                return _of_picture(error.reason)
            return _unread(error.strerror or str(error) if isinstance(error, OSError) else error_text(error))
        reader.start()
        self._reader, self._board, self._explanation = reader, board, Background()
        self._phone, self._until = phone, self._clock() + PATIENCE
        return ""

    def poll(self) -> Read | None:
        """What came of it, once; None while it is being read."""
        reader = self._reader
        if reader is None:
            return None
        while not self._explanation.busy and not reader.reports.empty():
            report = reader.reports.get()
            reading = report.reading
            if reading is None:
                what = _flaw(report.lost)
                if what:
                    return self._finished(None, _of_picture(what))
                continue
            if reading.reason:
                self._explain(reading.reason, reader)
                continue
            if reading.observation is not None and reading.observation.quiet:
                return self._finished(reading.observation, "")
        if (why := self._explanation.poll()) is not None:
            return self._finished(None, _unread(translated(why, _)))
        if self._clock() > self._until:
            return self._finished(None, _unread(_("it took too long; send it once more, or touch what lies there")))
        return None

    def drop(self) -> None:
        """Do not read on; another photograph may be read at once."""
        self._leave()

    def close(self) -> None:
        """Read nothing more; what is left of the last photograph is gone when this returns."""
        self._leave()
        if self._leaving is not None:
            self._leaving.join()

    def _explain(self, reason: str, reader: CameraClient) -> None:
        """Begin to find out what the picture shows instead of the board; its process has decoded it."""
        board = self._board

        def work() -> str:
            image = reader.frame()
            return explained(reason, image, board) if image is not None and board is not None else reason

        self._explanation.start(work)

    def _finished(self, observation: Observation | None, problem: str) -> Read:
        read = Read(self._phone, observation, problem)
        self._leave()
        return read

    def _leave(self) -> None:
        reader, folder = self._reader, self._folder
        self._reader = self._folder = None

        def release() -> None:
            if reader is not None:
                reader.close()
            if folder is not None:
                folder.cleanup()

        if reader is None:
            release()
        else:
            self._leaving = threading.Thread(target=release, name="leave a photograph", daemon=True)
            self._leaving.start()


def _is_undecoded(data: bytes) -> bool:
    """Whether a picture may be a HEIC, of which the reader decodes none and says what to do (AVIF begins alike)."""
    return data[4:8] == b"ftyp" and data[8:11] != b"avi"


def _flaw(lost: str) -> str:
    """What is wrong with a picture, to be read after its name; "" where its process only says that it is at it."""
    flaw = lost.values.get("reason", "") if isinstance(lost, Sentence) else lost
    is_at_it = isinstance(flaw, Sentence) and "seconds" in flaw.values
    return flaw if isinstance(flaw, str) and not is_at_it else ""


def _of_picture(flaw: str) -> str:
    """What is wrong with a picture, as a sentence."""
    return ended(_("The photograph {what}").format(what=translated(flaw, _)))


def _unread(why: str) -> str:
    return ended(_("The photograph could not be read: {why}").format(why=why))
