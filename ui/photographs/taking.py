"""Takes and reads a photograph in a thread while the screen stays usable, and reports the progress. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.board.layout import Board
from companion.errors import CompanionError
from companion.wording.sentences import translated
from ui.photographs.reading import PhotographReading, read_photograph
from ui.services.background import Background, stop_if_program_ends
from ui.services.text import _, error_text
from ui.shell.devices import Devices
from ui.view_models.form_view import Note, ShownPicture, Tone
from vision.errors import VisionError
from vision.location.board_pose import CameraModel
from vision.pictures import Image

Photograph = Callable[[], Image]
"""takes a picture; raises VisionError"""


@dataclass(frozen=True, slots=True)
class PhotographSource:
    """Where photographs come from, and what a board in them is read by."""

    camera: Photograph | None = None
    folder: Path | None = None
    """where picture files are looked for first"""
    lens: CameraModel | None = None
    taught: Callable[[Board], Path | None] = lambda _board: None
    """gives the profile of a board's pieces, None for the shipped one"""

    @classmethod
    def of(cls, devices: Devices) -> PhotographSource:
        """The camera that is used, if there is one, with its lens and what it was taught."""
        camera = devices.photograph if devices.camera else None
        return cls(camera, lens=devices.lens(), taught=devices.profile)


NO_CAMERA = PhotographSource()


@dataclass(frozen=True, slots=True, eq=False)
class _Taken:
    image: Image
    reading: PhotographReading


class PhotographTaking:
    """Takes one photograph at a time and reads it as `source` says."""

    def __init__(self, source: PhotographSource) -> None:
        self._source = source
        self._work: Background[_Taken] = Background()
        self._problem = ""
        self._number = 0
        self.shown: ShownPicture | None = None
        """the photograph that was read last, also where no board was found in it"""

    def start(self, take: Photograph, board: Board) -> None:
        """Begin to take a picture and to read the board in it, unless that is under way."""
        lens, profile = self._source.lens, self._source.taught(board)

        def work() -> _Taken:
            image = take()
            stop_if_program_ends()
            return _Taken(image, read_photograph(image, board, profile, lens))

        if self._work.start(work):
            self.leave()

    def poll(self) -> PhotographReading | None:
        """The reading, once; None while there is none, and after a failure, which the rows report."""
        try:
            taken = self._work.poll()
        except (VisionError, CompanionError) as error:
            self._problem = error_text(error)
            return None
        if taken is None:
            return None
        self._number += 1
        self.shown = ShownPicture(taken.image, self._number)
        if taken.reading.reason:
            self._problem = translated(taken.reading.reason, _)
            return None
        return taken.reading

    def notes(self) -> list[Note]:
        """A row that says that reading is under way, or why it failed."""
        if self._work.busy:
            return [Note(_("Reading the photograph…"), Tone.ASKING)]
        return [Note(self._problem, Tone.BAD)] if self._problem else []

    def leave(self) -> None:
        """Forget the photograph and its messages."""
        self.shown, self._problem = None, ""

    def forget(self) -> None:
        """Discard a photograph that is still being read."""
        self._work.forget()
        self.leave()
