"""Measuring the camera's lens: the user holds a printed sheet before it until there are enough views. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from calibration.errors import CalibrationError
from calibration.lens import FEWEST_VIEWS, Lens, LensMeasurement
from calibration.lens_sheet import lens_sheet_pdf
from companion.errors import CompanionError
from companion.files.whole_files import write_whole
from companion.wording.sentences import translated
from ui.forms.camera_pictures import CameraPictures
from ui.services.background import Background
from ui.services.text import _, error_text
from ui.shell.shell import EXPORTS, Shell
from ui.view_models.form_view import (
    FormModel,
    Note,
    Picks,
    PictureMark,
    Row,
    SectionHeading,
    ShownPicture,
    Tone,
    outline_mark,
    pick,
)
from vision.errors import VisionError
from vision.location.camera_file import save_camera
from vision.pictures import Image, gray_of

LENS_FILE, SHEET_FILE = "lens.toml", "lens-sheet.pdf"


@dataclass(frozen=True, slots=True, eq=False)
class _Looked:
    """A picture, the reason for rejecting it ("" if it was used), and the next advice ("" if the views suffice)."""

    image: Image
    reason: str
    advice: str


class LensForm(FormModel):
    """Watches the camera of the open table or of the settings and keeps useful views by itself."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._work: Background[_Looked | Lens] = Background()
        self._measurement = LensMeasurement()
        self._camera: CameraPictures | None = None
        self._shown: ShownPicture | None = None
        self._problem = self._message = self._reason = self._advice = ""
        self._is_over = False
        self._begin()

    @property
    def lens_file(self) -> Path:
        """Where the lens is kept."""
        return self._shell.folder / LENS_FILE

    def heading(self) -> str:
        """What the screen is about."""
        return _("Measure the camera's lens")

    def rows(self) -> Sequence[Row]:
        """What to do next."""
        rows: list[Row] = [
            Note(_("Not needed, but tall pieces are read more exactly with it. It is true for this camera alone.")),
            SectionHeading(_("Hold the printed sheet before the camera, each time another way")),
            Picks("do", (pick("sheet", _("Write the sheet to print")),), 1),
        ]
        if self._message:
            rows.append(Note(self._message, Tone.GOOD))
        if self._problem:
            rows.append(Note(self._problem, Tone.BAD))
        if self._is_over:
            return [*rows, Picks("do", (pick("again", _("Once more")),), 1)]
        taken = _("{count} of {most} pictures taken").format(count=len(self._measurement.views), most=FEWEST_VIEWS)
        rows.append(Note(taken))
        rows.append(Note(translated(self._advice, _) if self._advice else _("One moment…"), Tone.ASKING))
        if self._reason:
            rows.append(Note(_("This picture {why}").format(why=translated(self._reason, _))))
        return rows

    def picture(self) -> ShownPicture | None:
        """The newest picture that was looked at."""
        return self._shown

    def marks(self) -> Sequence[PictureMark]:
        """Where the sheet was seen so far."""
        views = tuple(self._measurement.views)  # the thread that measures adds some
        return [outline_mark(cv2.convexHull(view.pixels.astype(np.float32)).reshape(-1, 2)) for view in views]

    def touch(self, key: str, value: str) -> None:
        """Something was touched."""
        match key, value:
            case "do", "sheet":
                self._write_sheet()
            case "do", "again":
                self._begin()

    def tick(self) -> None:
        """Take the result of the last view, and examine the next picture."""
        if not self._is_over:
            self._take_in()
        camera = self._camera
        if not self._is_over and camera is not None and not self._work.busy:
            is_enough = bool(self._measurement.views) and not self._advice
            self._work.start(self._measurement.measure if is_enough else partial(self._look, self._measurement, camera))

    def close(self) -> None:
        """Let go of the camera."""
        self._work.forget()
        self._release()

    def _begin(self) -> None:
        self._work.forget()
        self._work, self._measurement = Background(), LensMeasurement()
        self._problem = self._message = self._reason = self._advice = ""
        self._is_over = False
        address = self._shell.devices.camera
        if not address:
            self._end(_("no camera is chosen"))
        elif self._camera is None:
            try:
                self._camera = CameraPictures(self._shell)
            except VisionError as error:
                self._end(error_text(error))

    def _take_in(self) -> None:
        try:
            done = self._work.poll()
        except CalibrationError as error:
            self._end(error_text(error))
        except VisionError as error:
            self._problem = error_text(error)
        else:
            if isinstance(done, Lens):
                self._keep(done)
            elif done is not None:
                number = self._shown.number + 1 if self._shown is not None else 1
                self._shown, self._problem = ShownPicture(done.image, number), ""
                self._reason, self._advice = done.reason, done.advice

    @staticmethod
    def _look(measurement: LensMeasurement, camera: CameraPictures) -> _Looked:
        image = camera.next()
        reason = measurement.add(gray_of(image))
        return _Looked(image, reason, measurement.advice())

    def _keep(self, lens: Lens) -> None:
        try:
            save_camera(lens.camera, self.lens_file, lens.rms)
            self._shell.devices.use_lens(str(self.lens_file))
        except (CompanionError, OSError) as error:
            self._end(error_text(error))
            return
        self._shell.devices.look_anew()
        self._end()
        text = _("Measured, to {pixels} pixels. Kept in {file} and used from now on.")
        self._message = text.format(pixels=f"{lens.rms:.2f}", file=self.lens_file)

    def _end(self, problem: str = "") -> None:
        self._is_over, self._problem, self._reason = True, problem, ""
        self._release()

    def _release(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def _write_sheet(self) -> None:
        path = self._shell.folder / EXPORTS / SHEET_FILE
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, lens_sheet_pdf())
        except OSError as error:
            self._problem = error_text(error)
        else:
            self._message = _("Written: {file}. Print it at actual size and lay it on something flat.").format(
                file=path
            )
