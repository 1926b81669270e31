"""Scanning the QR code that a hub's page shows, before the table's camera or one of this device. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from companion.errors import InvalidDocument
from companion.publishing.invitation import Invitation, read_invitation
from ui.forms.camera_pictures import CameraPictures
from ui.hardware.likely_cameras import likely_cameras
from ui.services.background import Background
from ui.services.text import _, error_text
from ui.shell.shell import Shell
from ui.view_models.form_view import Note, Picks, Row, ShownPicture, Tone, pick
from ui.view_models.setup_view import PickView
from vision.errors import VisionError
from vision.pictures import Image
from vision.qr_code import qr_text

STOP = "stop"
"""the pick that ends the scanning; every other one is a camera's address"""


@dataclass(frozen=True, slots=True, eq=False)
class _Looked:
    image: Image
    text: str


class CodeScanning:
    """Looks for a code in picture after picture, from `touch` until one is found or it is ended."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._camera: CameraPictures | None = None
        self._work: Background[_Looked] = Background()
        self._problem = ""
        self.shown: ShownPicture | None = None
        """the newest picture that was looked at"""

    @property
    def is_on(self) -> bool:
        """Whether it is looking."""
        return self._camera is not None

    def rows(self) -> Sequence[Row]:
        """What can be done, and what is the matter; nothing where there is no camera."""
        notes = [Note(self._problem, Tone.BAD)] if self._problem else []
        if self.is_on:
            told = _("Hold the code that the organiser's page shows before the camera, so that it is sharp and whole.")
            return [*notes, Note(told, Tone.ASKING), Picks("scan", (pick(STOP, _("Stop scanning")),), 1)]
        picks = self._picks()
        return [*notes, Picks("scan", picks, 1)] if picks else notes

    def touch(self, value: str) -> None:
        """Begin with a camera, or end."""
        self.close()
        if value == STOP:
            return
        try:
            self._camera = CameraPictures(self._shell, value)
        except VisionError as error:
            self._problem = error_text(error)

    def tick(self) -> Invitation | None:
        """Look at the next picture; what was found, once: it ends the scanning."""
        camera = self._camera
        if camera is None:
            return None
        found: Invitation | None = None
        try:
            looked = self._work.poll()
            if looked is not None:
                self._problem = ""
                self.shown = ShownPicture(looked.image, self.shown.number + 1 if self.shown is not None else 1)
                found = read_invitation(looked.text) if looked.text else None
        except InvalidDocument:
            self._problem = _("That is another code; the organiser's page shows one at New table.")
        except VisionError as error:
            self._problem = error_text(error)
        if found is not None:
            self.close()
            return found
        if not self._work.busy:
            self._work.start(partial(_look, camera))
        return None

    def close(self) -> None:
        """End it, and let go of the camera."""
        camera, self._camera = self._camera, None
        self._work.forget()
        self._work, self._problem, self.shown = Background(), "", None
        if camera is not None:
            camera.close()

    def _picks(self) -> tuple[PickView, ...]:
        if self._shell.devices.camera:
            return (pick("", _("Scan the code with the camera")),)
        return tuple(
            pick(address, _("Scan the code with {camera}").format(
                camera=name or _("Camera {number}").format(number=address)
            ))
            for address, name in likely_cameras()
        )  # fmt: skip


def _look(camera: CameraPictures) -> _Looked:
    image = camera.next()
    return _Looked(image, qr_text(image))
