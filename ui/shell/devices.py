"""The camera and boxes of this machine: chosen once and used by one table after the other. No Kivy.

A missing camera does not keep a table from opening; it is shown among the table's devices.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol, cast

from companion.board.layout import Board
from companion.errors import CompanionError, InvalidDocument
from companion.session.cutouts import cut_outs_of
from companion.session.session import Session
from companion.wording.sentences import Sentence, sentence
from firmware_bridge.boxes import Boxes, Search
from firmware_bridge.errors import BridgeError
from firmware_bridge.presses.bindings import Bindings, load_bindings
from ui.hardware.box_search import opened_boxes
from ui.hardware.boxes import BINDINGS_FILE, open_boxes
from ui.hardware.camera import CameraClient
from ui.hardware.likely_cameras import identity_of, kept_lag, stable_address, with_lag
from ui.hardware.taught_profiles import learnt_file, taught_profile
from ui.services.folders import data_folder
from ui.services.kept_clock import KeptClock
from ui.services.settings import Settings, check_settings
from ui.services.text import _, error_text
from ui.shell.table_loop import TableLoop
from ui.table.composing import CAMERA, LENS
from ui.table.presenter import Presenter
from vision.camera.frames import Grabber
from vision.camera.sources import open_source
from vision.errors import SourceUnavailable, VisionError
from vision.location.board_pose import CameraModel
from vision.location.camera_file import load_camera
from vision.location.location import Corners
from vision.pictures import Image

BOXES = "boxes"
"""the device name under which trouble with all boxes is shown"""
FIRST_PICTURE = 16.0
"""seconds in which a camera must give its first picture"""
_EXPOSURE = 1.0
"""seconds after which a camera has found its exposure"""

OpenCamera = Callable[[str, Board, CameraModel | None, Path | None, Corners], CameraClient]

_log = logging.getLogger("companion.devices")


def camera_at(
    address: str, board: Board, lens: CameraModel | None = None, profile: Path | None = None, corners: Corners = ()
) -> CameraClient:
    """The camera at an address, looking for a board; `profile` is the board's, else the shipped one.

    Raises VisionError.
    """
    open_source(address)
    return CameraClient(address, board, profile, lens, corners, learnt_file(data_folder(), board, profile))


class DeviceOwner(Protocol):
    """What the devices ask of the shell that owns them."""

    folder: Path
    """the user's data folder"""
    table_loop: TableLoop | None
    """the open table"""

    @property
    def settings(self) -> Settings:
        """The user's settings, the camera's address among them."""
        ...

    def change_settings(self, settings: Settings) -> None:
        """Use other settings from now on and remember them.

        Raises OSError where they cannot be remembered; they hold until the program ends all the same.
        """
        ...


class Devices:
    """Opens tables with the camera of the settings and, where `with_boxes`, the boxes that are found."""

    def __init__(
        self,
        owner: DeviceOwner,
        *,
        open_camera: OpenCamera = camera_at,
        with_boxes: bool = False,
        search: Search | None = None,
    ) -> None:
        self._owner, self._open_camera, self._with_boxes = owner, open_camera, with_boxes
        self._search = search or Search(serial=True, wireless=True, buttons=True)
        self._boxes_stack = ExitStack()
        self._corners: dict[str, Corners] = {}
        self._told_bindings = ""

    @property
    def camera(self) -> str:
        """The address of the camera that is used; "" for none."""
        return self._owner.settings.camera

    @property
    def bindings_file(self) -> Path:
        """The file that remembers this table's boxes and the meaning of their buttons."""
        return self._owner.folder / BINDINGS_FILE

    def bindings_problem(self) -> str:
        """Why tables play without button boxes, in one line: the file about them does not hold; "" where it does."""
        if not self._with_boxes or not self.bindings_file.exists():
            return ""
        try:
            load_bindings(self.bindings_file)
        except InvalidDocument as error:
            self._told_bindings = error_text(error)
            _log.warning("%s", error)
            return _("Tables play without button boxes: {why}").format(why=self._told_bindings)
        return ""

    def lens(self) -> CameraModel | None:
        """The camera's measured lens, if a file of it was chosen and can be read."""
        lens, problem = self._load_lens()
        if problem:
            _log.warning("%s", problem)
        return lens

    def lens_problem(self) -> str:
        """Why the chosen lens file is not used, in one line; "" where it is, or where none was chosen."""
        return self._load_lens()[1]

    def _load_lens(self) -> tuple[CameraModel | None, str]:
        path = self._owner.settings.lens
        if not path:
            return None, ""
        try:
            return load_camera(Path(path)), ""
        except InvalidDocument as error:
            return None, _("{problem}; the camera reads without it").format(problem=error_text(error))

    def profile(self, board: Board) -> Path | None:
        """The profile that this user taught for a board; None for the shipped one."""
        return taught_profile(self._owner.folder, board)

    def eye(self, address: str, board: Board) -> CameraClient:
        """A camera looking for a board; it is not started.

        Raises VisionError, also where another camera is now at the address of the settings than was chosen there.
        """
        self._check_identity(address)
        corners = self._corners.get(board.id, ())
        return self._open_camera(address, board, self.lens(), self.profile(board), corners)

    def place_corners(self, board: Board, corners: Corners) -> None:
        """Remember the board's corners that the user touched in the camera's picture; valid until the camera moves."""
        self._corners[board.id] = tuple(corners)
        self.look_anew()

    def look_anew(self) -> None:
        """Restart the open table's camera with the current corners, lens and profile."""
        loop = self._owner.table_loop
        if loop is not None and self.camera:
            self._replace_camera(loop)

    def open_table(self, session: Session, kept_clock: KeptClock | None = None) -> TableLoop:
        """Open a session's table with the camera and boxes that are there."""
        cut_outs = cut_outs_of(self._owner.folder, session.id)
        loop = TableLoop(Presenter(session), None, None, cut_outs, kept_clock)
        loop.camera, problem = self._look(loop)
        if problem:
            loop.presenter.devices.tell(CAMERA, problem, ok=False)
        self._tell_lens(loop)
        self._give_boxes(loop)
        return loop

    def use_camera(self, address: str) -> None:
        """Use a camera from now on, also at the open table; "" for none.

        It is remembered by what it is: by a stable address instead of its number, and by name, serial number or USB
        place. Raises InvalidDocument for an address that cannot be kept; OSError where it cannot be remembered, then it
        is used all the same.
        """
        address = stable_address(address)
        settings = replace(self._owner.settings, camera=address, camera_identity=identity_of(address))
        check_settings(settings)
        loop = self._owner.table_loop
        try:
            self._owner.change_settings(settings)
        finally:
            self._corners.clear()
            if loop is not None:
                self._replace_camera(loop)

    def keep_lag(self, seconds: float) -> None:
        """Remember of the camera in use how much later than their times its pictures show something.

        Raises OSError where it cannot be remembered; it holds all the same.
        """
        loop = self._owner.table_loop
        if loop is not None:
            loop.presenter.set_camera_lag(seconds)
        self._owner.change_settings(with_lag(self._owner.settings, self.camera, seconds))

    def use_lens(self, path: str) -> None:
        """Use a lens file from now on; "" for none.

        Raises InvalidDocument where it is none or its path cannot be kept, OSError where it cannot be remembered.
        """
        if path:
            load_camera(Path(path))
        settings = replace(self._owner.settings, lens=path)
        check_settings(settings)
        self._owner.change_settings(settings)

    def release_boxes(self) -> None:
        """Take the boxes from the table, for a screen that speaks to them itself."""
        loop = self._owner.table_loop
        if loop is not None:
            loop.use_boxes(None)
        self._boxes_stack.close()

    def return_boxes(self) -> None:
        """Give the table its boxes back."""
        if self._owner.table_loop is not None:
            self._give_boxes(self._owner.table_loop)

    def listen(self, bindings: Bindings) -> AbstractContextManager[Boxes]:
        """All boxes that can be found, at work as long as the context lasts.

        Entering it raises CompanionError or BridgeError.
        """
        return opened_boxes([], None, self._search, bindings, self.bindings_file)

    def photograph(self) -> Image:
        """A picture by the camera; may take some seconds.

        Raises SourceError.
        """
        loop = self._owner.table_loop
        if loop is not None and loop.camera is not None:
            image = loop.camera.frame(FIRST_PICTURE)
            if image is None:
                raise SourceUnavailable(loop.camera.name, sentence("gives no picture"))
            return image
        self._check_identity(self.camera)
        return one_picture(self.camera)

    def watch(self) -> AbstractContextManager[Grabber]:
        """The camera's pictures as they come, as long as the context lasts; no open table has the camera.

        Raises SourceError.
        """
        self._check_identity(self.camera)
        return pictures_of(self.camera)

    def close(self) -> None:
        """Close the boxes."""
        self._boxes_stack.close()

    def _check_identity(self, address: str) -> None:
        """Refuse another camera at the address of the settings than was chosen there.

        Raises SourceUnavailable.
        """
        remembered, found = self._owner.settings.camera_identity, identity_of(address)
        if address == self.camera and remembered and found and found != remembered:
            reason = sentence(
                "is where {remembered} was; choose it on the camera screen if it is to be used", remembered=remembered
            )
            raise SourceUnavailable(found, reason)

    def _replace_camera(self, loop: TableLoop) -> None:
        eye, problem = self._look(loop)
        loop.use_camera(eye)
        if problem:
            loop.presenter.devices.tell(CAMERA, problem, ok=False)
        self._tell_lens(loop)

    def _tell_lens(self, loop: TableLoop) -> None:
        """Say at the table that the lens file cannot be used, as long as that is so."""
        problem = self.lens_problem() if self.camera else ""
        if problem:
            loop.presenter.devices.tell(LENS, problem, ok=False)
        else:
            loop.presenter.devices.forget(LENS)

    def _look(self, loop: TableLoop) -> tuple[CameraClient | None, str]:
        """The camera for a table, or the reason why there is none."""
        loop.presenter.set_camera_lag(kept_lag(self._owner.settings, self.camera))
        if not self.camera:
            return None, ""
        try:
            return self.eye(self.camera, loop.presenter.board), ""
        except VisionError as error:
            return None, error_text(error)

    def _give_boxes(self, loop: TableLoop) -> None:
        if not self._with_boxes:
            return
        self._boxes_stack.close()
        try:
            loop.boxes = open_boxes([], None, self.bindings_file, self._boxes_stack)
        except (BridgeError, CompanionError) as error:
            if error_text(error) != self._told_bindings:
                _log.warning("%s", error)
            loop.presenter.devices.tell(BOXES, error_text(error), ok=False)


@contextmanager
def pictures_of(address: str) -> Iterator[Grabber]:
    """The pictures of a camera as they come, as long as the context lasts.

    Raises SourceError.
    """
    grabber = Grabber(open_source(address))
    grabber.start()
    try:
        yield grabber
    finally:
        grabber.close()


def one_picture(address: str) -> Image:
    """A picture by a camera, once it has found its exposure.

    Raises SourceError.
    """
    with pictures_of(address) as grabber:
        first = grabber.newest(timeout=FIRST_PICTURE)
        if first is None:
            told = grabber.status().reason
            source, colon, reason = told.partition(": ")
            if isinstance(told, Sentence) and isinstance(told.values.get("reason"), Sentence):
                reason = cast(Sentence, told.values["reason"])  # one that can be translated
            raise SourceUnavailable(source if colon else address, reason or sentence("gives no picture"))
        settled = first
        until = time.monotonic() + _EXPOSURE
        while time.monotonic() < until:
            settled = grabber.newest(settled.id, until - time.monotonic()) or settled
        return settled.image
