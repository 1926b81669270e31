"""Follows all sheets of an edition with one camera: the board and the sheets next to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from companion.board.layout import Board
from companion.session.observation import CameraStatus, Observation
from vision.camera.frames import CameraFrame
from vision.colour.correction import ColourCorrection
from vision.location.board_pose import BoardNotFound, CameraModel
from vision.location.flat_pose import Projection
from vision.location.location import Corners
from vision.pictures import Image
from vision.reader import FrameReading, TableReader
from vision.spots.spot_light import SpotLight
from vision.taught import AnyProfile

_BUSY = (CameraStatus.HAND, CameraStatus.SETTLING)
"""States in which a camera cannot read; of several sheets' states the first in this order is reported."""


@dataclass(frozen=True, slots=True)
class SheetsReading:
    """The probabilities of the labels of every visible spot of all sheets, and the pose of the board itself."""

    pose: Projection
    posteriors: Mapping[str, Mapping[str, float]]
    covered: frozenset[str]

    def observation(self, board: Board, frame: CameraFrame) -> Observation:
        """The reading as the observation of a quiet frame."""
        return Observation(board.id, frame.id, frame.time, self.posteriors, self.covered, quiet=True)


class SheetsReader:
    """One reader for each sheet, whose readings are combined into one. Used by one thread.

    The board itself must be in view; all spots of another sheet that is not are covered.
    """

    def __init__(
        self,
        board: Board,
        profiles: Mapping[str, AnyProfile],
        camera: CameraModel | None = None,
        refresh: float = 0.5,
        corners: Corners = (),
        learnt: Path | None = None,
    ) -> None:
        """`corners` and `learnt` are those of the board itself, as for a `TableReader`."""
        self.board = board
        own = (corners, learnt)
        self._readers = {
            sheet.id: TableReader(sheet, profiles[sheet.id], camera, refresh, *(own if sheet is board else ()))
            for sheet in board.sheets
            if sheet.id in profiles
        }
        self._last: dict[str, Observation] = {}

    def request(self) -> None:
        """Read the next quiet frame even if the last reading is recent."""
        for reader in self._readers.values():
            reader.request()

    def confirm(self, frame: CameraFrame, reading: FrameReading, look: Mapping[str, str]) -> None:
        """The record agrees with the reading of a frame: `look` is what lies on the board."""
        self._readers[self.board.id].confirm(frame, reading, look)

    def colours(self, sheet: str) -> ColourCorrection | SpotLight | None:
        """The colour correction of a sheet when it was last read; None before the first time."""
        return self._readers[sheet].colours if sheet in self._readers else None

    def look(self, image: Image) -> SheetsReading | BoardNotFound:
        """Read a single picture."""
        pose = self._readers[self.board.id].find(image)
        if isinstance(pose, BoardNotFound):
            return pose
        main = self._readers[self.board.id].read(image, pose)
        readings = {name: reader.look(image) for name, reader in self._readers.items() if name != self.board.id}
        posteriors, covered = dict(main.posteriors), set(main.covered)
        for sheet in self.board.beside.values():
            found = readings.get(sheet.id)
            if found is None or isinstance(found, BoardNotFound):
                covered.update(sheet.spots)
            else:
                posteriors |= found.posteriors
                covered |= found.covered
        return SheetsReading(pose, posteriors, frozenset(covered))

    def see(self, frame: CameraFrame) -> FrameReading:
        """Process the next frame of a camera."""
        readings = {name: reader.see(frame) for name, reader in self._readers.items()}
        main = readings[self.board.id]
        poses = {name: reading.pose for name, reading in readings.items() if reading.state is not CameraStatus.PAUSED}
        beside = {name: pose for name, pose in poses.items() if pose is not None and name != self.board.id}
        if len(readings) == 1 or main.state is CameraStatus.PAUSED:
            self._last.clear()
            return replace(main, beside=beside)
        for name, reading in readings.items():
            if reading.state is not CameraStatus.WATCHING:
                self._last.pop(name, None)
            elif reading.observation is not None:
                self._last[name] = reading.observation
        state = next((state for state in _BUSY if any(each.state is state for each in readings.values())), main.state)
        if state is not CameraStatus.WATCHING:
            covered = [reading.observation.covered for reading in readings.values() if reading.observation is not None]
            moving = Observation(self.board.id, frame.id, frame.time, {}, frozenset().union(*covered), quiet=False)
            return FrameReading(state, "", main.pose, moving, beside)
        fresh = any(reading.observation is not None for reading in readings.values())
        waiting = any(name not in self._last for name in poses)
        return FrameReading(state, "", main.pose, self._combined(frame) if fresh and not waiting else None, beside)

    def _combined(self, frame: CameraFrame) -> Observation:
        """The last readings of all sheets as one observation of a frame."""
        posteriors: dict[str, Mapping[str, float]] = {}
        covered: set[str] = set()
        for sheet in self.board.sheets:
            last = self._last.get(sheet.id)
            if last is None:
                covered.update(sheet.spots)
            else:
                posteriors |= last.posteriors
                covered |= last.covered
        return Observation(self.board.id, frame.id, frame.time, posteriors, frozenset(covered), quiet=True)
