"""The rehearsal: tries camera, boxes, record and export and gives a verdict; used by the command and the screen.

A section is one thing to try; devices that are not used are left out. No Kivy.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board
from companion.engine import legal_actions
from companion.errors import InvalidDocument, StoreError
from companion.files.documents import read_text
from companion.session.observation import CameraStatus
from companion.session.record import read_record
from companion.session.rejudging import verify
from companion.session.session import Session
from companion.session.store import Store
from companion.table import Table
from companion.wording.sentences import translated
from firmware_bridge.boxes import Boxes
from firmware_bridge.presses.events import BoxEvent
from firmware_bridge.rehearsal import rehearse
from ui.photographs.reading import UNSURE, ranked_labels
from ui.results.reports import RECORD, write_reports
from ui.services.text import _, error_text
from vision.camera.frames import CameraFrame, Grabber
from vision.camera.lag import LagMeasurement
from vision.camera.picture_quality import ADVICE, Flaw, picture_quality
from vision.errors import VisionError
from vision.location.board_pose import BoardNotFound, BoardPose, CameraModel
from vision.location.flat_pose import USUAL_FOCAL, Projection, corner_places
from vision.pictures import Image
from vision.reader import TableReader
from vision.sheets import SheetsReader
from vision.taught import taught_of

MOVES = 3
BUMP = (2.0, 40.0)
"""degrees and pixels (in a picture 1920 wide) by which the picture is moved as if the camera had been bumped"""
STRAY = 2.0
"""largest distance (pixels) between where the board is found after the bump and where it must be"""
MOST_NAMED = 6
BUMP_SECONDS = 1.0
_WAIT = 0.1
"""seconds to wait for a picture before looking whether it is enough"""


class Result(StrEnum):
    """How a section went."""

    FINE = "fine"
    LEFT_OUT = "left out"
    NOT_FINE = "not fine"


@dataclass(frozen=True, slots=True)
class Section:
    """What was tried, how it went, and lines for people about it."""

    title: str
    result: Result
    lines: tuple[str, ...]
    seconds: float


Submission = tuple[Result, Sequence[str]]
Trial = Callable[[], Submission]


def tried(title: str, trial: Trial) -> Section:
    """Try something."""
    began = time.monotonic()
    result, lines = trial()
    return Section(title, result, tuple(lines), time.monotonic() - began)


def is_ready(sections: Sequence[Section]) -> bool:
    """Whether nothing that was tried failed."""
    return all(section.result is not Result.NOT_FINE for section in sections)


def try_camera(
    photograph: Callable[[], Image],
    board: Board,
    lens: CameraModel | None,
    expected: Mapping[str, str] | None,
    profile: Path | None = None,
) -> Submission:
    """Try the camera: it opens, light and sharpness suffice, the board is found, read, and found again after a bump.

    `expected` is what lies on the board, where that is known; else every spot must be read with certainty. `profile` is
    the board's, else the shipped one.
    """
    try:
        image = photograph()
        profiles = taught_of(board, profile)
        reading = SheetsReader(board, profiles, lens).look(image)
    except VisionError as error:
        return Result.NOT_FINE, [error_text(error)]
    height, width = image.shape[:2]
    lines = [_("the camera gives pictures of {width} x {height}").format(width=width, height=height)]
    flaws = [flaw_text(flaw) for flaw in picture_quality(image).flaws]
    lines += flaws or [_("light and sharpness are fine")]
    if isinstance(reading, BoardNotFound):
        return Result.NOT_FINE, [*lines, translated(reading.reason, _)]
    lines.append(_("the board was found"))
    wrong = _misread(reading.posteriors, expected)
    lines.append(
        _("to look at: {spots}").format(spots=", ".join(wrong[:MOST_NAMED])) if wrong else _("every spot was read")
    )
    bump = _bumped(TableReader(board, profiles[board.id], lens), board, image)
    lines.append(bump or _("after a bump the board was found again"))
    return (Result.NOT_FINE if flaws or wrong or bump else Result.FINE), lines


def try_lag(
    measured: LagMeasurement,
    opened: Callable[[], AbstractContextManager[Grabber]] | None,
    seconds: float,
    keep: Callable[[float], None],
    is_enough: Callable[[], bool] = lambda: False,
) -> Submission:
    """Measure how late the camera shows a hand that comes with a press, and keep that.

    `measured` is told of the presses meanwhile, and of motion where another reader has the camera: then `opened` is
    None. It ends after `seconds`, or when `is_enough` is true.
    """
    until = time.monotonic() + seconds
    with opened() if opened is not None else nullcontext() as grabber:
        last = -1
        while measured.lag is None and not is_enough() and time.monotonic() < until:
            frame = grabber.newest(last, _WAIT) if grabber is not None else None
            if frame is not None:
                last = frame.id
                measured.look(frame)
            elif grabber is None:
                time.sleep(_WAIT)
    lag = measured.lag
    if lag is None:
        return Result.LEFT_OUT, [_("the camera's delay was not measured")]
    keep(lag)
    return Result.FINE, [
        _("the camera shows a hand {seconds} s late; a press waits that long").format(seconds=f"{lag:.1f}")
    ]


def try_boxes(
    opened: Callable[[], AbstractContextManager[Boxes]],
    seconds: float,
    report: Callable[[BoxEvent], None],
    is_enough: Callable[[], bool] = lambda: False,
) -> Submission:
    """Try the boxes: each is there, each button is pressed once within `seconds` or until `is_enough` is true."""
    with opened() as found:
        checks = rehearse(found, seconds, report, is_enough)
    if not checks:
        return Result.LEFT_OUT, [_("no box is there; the four buttons are on the screen")]
    result = Result.FINE if all(check.is_fine for check in checks) else Result.NOT_FINE
    return result, [f"{check.box}: {translated(check.reason, _)}" for check in checks]


def try_game(table: Table, data: Path) -> Submission:
    """Try the store: record a game of three moves, undo some, open it again, export it and read the record back.

    It is written where the evening's will be, in the data folder, and removed again.
    """
    try:
        with tempfile.TemporaryDirectory(prefix=".rehearsal-", dir=data) as folder:
            return _recorded(table, Path(folder))
    except (StoreError, InvalidDocument, OSError) as error:
        return Result.NOT_FINE, [error_text(error)]


def _recorded(table: Table, folder: Path) -> Submission:
    """A short game kept in a folder. Raises StoreError, InvalidDocument, OSError."""
    with Store(folder / "games") as store:
        session = Session.create(store, table)
        for _move in range(MOVES):
            session.submit(legal_actions(session.game, session.state)[0], source="rehearsal")
        session.undo()
        again = Session.open(store, session.id)
        reports = write_reports(session, folder / "reports")
        exported = read_record(read_text(reports[0].with_name(RECORD)), RECORD)
        is_same = again.state == exported.state == session.state and not verify(exported)
        empty = [path.name for path in reports if not path.stat().st_size]
    if not is_same:
        return Result.NOT_FINE, [_("the record does not open as it was written")]
    if empty:
        return Result.NOT_FINE, [_("nothing was written to {files}").format(files=", ".join(empty))]
    recorded = _("{moves} moves were recorded and one undone; the game opened again, and its exported record holds")
    written = _("also written, but not opened: {files}")
    others = ", ".join(path.name for path in reports if path.name != RECORD)
    return Result.FINE, [recorded.format(moves=MOVES), written.format(files=others)]


def flaw_text(flaw: Flaw) -> str:
    """What to do about a picture's flaw."""
    return translated(ADVICE[flaw], _)


def _misread(posteriors: Mapping[str, Mapping[str, float]], expected: Mapping[str, str] | None) -> list[str]:
    """The spots that differ from what is expected; without an expectation those read without certainty."""
    found = []
    for spot, shares in posteriors.items():
        label, chance = ranked_labels(shares)[0]
        if expected is None:
            if chance < UNSURE:
                found.append(spot)
        elif label != expected.get(spot, EMPTY):
            found.append(spot)
    return found


def _bumped(reader: TableReader, board: Board, image: Image) -> str:
    """Why the board was not found again after a simulated bump; "" if it was."""
    height, width = image.shape[:2]
    began = time.monotonic()
    before = reader.see(CameraFrame(image, began, 0)).pose
    if before is None:
        return _("the board was not found a second time")
    turn = _bump(before.camera if isinstance(before, BoardPose) else _usual_camera(before.size))
    moved = np.asarray(cv2.warpPerspective(image, turn, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    sight = reader.see(CameraFrame(moved, began + 0.1, 1))
    for number in range(2, 2 + round(BUMP_SECONDS / 0.3)):
        if sight.state is not CameraStatus.PAUSED:
            break
        sight = reader.see(CameraFrame(moved, began + 0.3 * number, number))
    if sight.pose is None or sight.state is CameraStatus.PAUSED:
        return _("after a bump the board is not found: {why}").format(why=translated(sight.reason, _))
    wanted = cv2.perspectiveTransform(_corners(board, before)[:, None], turn)[:, 0]
    off = float(np.abs(_corners(board, sight.pose) - wanted).max())
    return "" if off <= STRAY * max(1.0, width / 1920) else _("after a bump the board is found beside itself")


def _bump(camera: CameraModel) -> npt.NDArray[np.float64]:
    """The map of the picture (3 x 3) that turns the camera about its axis and to the side."""
    roll, pan = np.radians(BUMP[0]), np.arctan(BUMP[1] * camera.width / 1920 / camera.focal)
    rolled = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1.0]])
    panned = np.array([[np.cos(pan), 0, np.sin(pan)], [0, 1.0, 0], [-np.sin(pan), 0, np.cos(pan)]])
    return np.asarray(camera.matrix @ panned @ rolled @ np.linalg.inv(camera.matrix), np.float64)


def _usual_camera(size: tuple[int, int]) -> CameraModel:
    """A camera model for which only the size of its pictures is known."""
    return CameraModel(*size, focal=USUAL_FOCAL * max(size))


def _corners(board: Board, pose: Projection) -> npt.NDArray[np.float32]:
    return pose.project([(x, y, 0.0) for x, y in corner_places(board)])
