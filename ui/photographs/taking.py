"""A photograph taken and read beside the screen, and what is told of it meanwhile. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.board.layout import Board
from companion.errors import CompanionError
from companion.wording.sentences import translated
from ui.photographs.reading import PhotographReading, read_photograph
from ui.services.background import Background
from ui.services.text import _, error_text
from ui.view_models.form_view import Note, Shown, Tone
from vision.errors import VisionError
from vision.location.board_pose import CameraModel
from vision.pictures import Image

Photograph = Callable[[], Image]
"""takes a picture; raises VisionError"""


@dataclass(frozen=True, slots=True, eq=False)
class _Taken:
    image: Image
    reading: PhotographReading


class PhotographTaking:
    """One photograph at a time. `taught` names the profile of a board's pieces, None for the shipped one."""

    def __init__(self, lens: CameraModel | None, taught: Callable[[Board], Path | None]) -> None:
        self._lens, self._taught = lens, taught
        self._work: Background[_Taken] = Background()
        self._problem = ""
        self._number = 0
        self.shown: Shown | None = None
        """the photograph that was read last, also where no board was found in it"""

    def start(self, take: Photograph, board: Board) -> None:
        """Take a picture and read what lies on a board in it, unless that is under way."""
        lens, profile = self._lens, self._taught(board)

        def work() -> _Taken:
            image = take()
            return _Taken(image, read_photograph(image, board, profile, lens))

        if self._work.start(work):
            self.leave()

    def poll(self) -> PhotographReading | None:
        """What was read, once; None where there is nothing yet and where it failed, which is told."""
        try:
            taken = self._work.poll()
        except (VisionError, CompanionError) as error:
            self._problem = error_text(error)
            return None
        if taken is None:
            return None
        self._number += 1
        self.shown = Shown(taken.image, self._number)
        if taken.reading.reason:
            self._problem = translated(taken.reading.reason, _)
            return None
        return taken.reading

    def notes(self) -> list[Note]:
        """That it is being read, or why it could not be."""
        if self._work.busy:
            return [Note(_("Reading the photograph…"), Tone.ASKING)]
        return [Note(self._problem, Tone.BAD)] if self._problem else []

    def leave(self) -> None:
        """The photograph and what was told of it are done with."""
        self.shown, self._problem = None, ""

    def forget(self) -> None:
        """A photograph that is being read is for nobody."""
        self._work.forget()
        self.leave()
