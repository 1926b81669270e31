"""From camera frames to observations: locates the board, waits until it is still, reads what lies on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from companion.board.layout import Board
from companion.session.observation import CameraStatus, Observation
from vision.camera.frames import CameraFrame
from vision.colour.correction import ColourCorrection
from vision.location.board_pose import BoardNotFound, CameraModel
from vision.location.flat_pose import Projection
from vision.location.location import Corners
from vision.location.marker_poses import MarkerPoses
from vision.location.sheet_poses import SheetPoses
from vision.pictures import Gray, Image, gray_of
from vision.printed.reading import BoardReader
from vision.spots.free_labels import FreeLabels
from vision.spots.spot_light import SpotLight
from vision.spots.spot_profile import SpotProfile
from vision.spots.spot_reader import SpotFollower
from vision.stability import WIDTH, MotionGate, Stillness
from vision.taught import AnyProfile


class SpotShares(Protocol):
    """The probabilities of the labels of every spot that is visible; the others are covered."""

    @property
    def posteriors(self) -> Mapping[str, Mapping[str, float]]:
        """Spot -> label -> probability."""

    @property
    def covered(self) -> frozenset[str]:
        """Spots about which nothing is known."""

    @property
    def colours(self) -> ColourCorrection | SpotLight:
        """The colour correction, or for taught pieces the light, that the picture was read with."""

    def observation(self, board: Board, frame: CameraFrame) -> Observation:
        """The same as the observation of a quiet frame."""


class PoseSource(Protocol):
    """Finds a board in the frames of a camera. Its poses are of the type that the classifier next to it reads with."""

    reason: str
    """why the pose cannot be trusted now; empty where it can"""

    def find(self, image: Image) -> Any:
        """The pose in a single picture, or BoardNotFound."""

    def follow(self, image: Image, gray: Gray, time: float) -> Any:
        """The last good pose; None before the first.

        While nothing has moved it is the same object as before: readers keep what they derived from a pose until they
        are given another object (`vision.printed.evidence.pose_cache`).
        """

    def rest(self, image: Image, gray: Gray) -> None:
        """Called while the table is quiet under the last pose."""


class SpotClassifier(Protocol):
    """What lies on a board's spots."""

    def colour_flaw(self, image: Image, pose: Any) -> str:
        """Why a picture's colours cannot be used, or ""."""

    def read(self, image: Image, pose: Any) -> SpotShares:
        """Read everything a picture shows under a pose."""


def pose_source_and_classifier(
    board: Board, taught: AnyProfile, camera: CameraModel | None = None, corners: Corners = ()
) -> tuple[PoseSource, SpotClassifier]:
    """The finder and the reader of a board: by markers or by its look, and for printed faces or taught pieces."""
    poses: PoseSource = MarkerPoses(board, camera)
    if isinstance(taught, SpotProfile):
        if not board.markers.centres:
            poses = SheetPoses(board, taught.sheet, corners)
        return poses, SpotFollower(board, taught)
    return poses, BoardReader(board, taught)


@dataclass(frozen=True, slots=True)
class FrameReading:
    """What a frame shows. `pose` is the last good one; `reason` says why reading is paused, else it is empty.

    `observation` says what lies where if the frame was read (then it is quiet), or only which spots a hand covers (then
    it is not quiet); None where there is nothing new.
    """

    state: CameraStatus
    reason: str
    pose: Projection | None
    observation: Observation | None
    beside: Mapping[str, Projection] = field(default_factory=dict)
    """the poses of the other sheets in view, by their boards' ids"""


class TableReader:
    """Follows one board with one camera. Used by one thread.

    A quiet table is read once it has settled, then every `refresh` seconds, and whenever `request` was called. `camera`
    is the measured lens, if any; `corners` are those of a board without markers in the first picture; `learnt` is the
    file for what confirmed positions teach about pieces taught from photographs.

    Raises InvalidProfile.
    """

    def __init__(
        self,
        board: Board,
        taught: AnyProfile,
        camera: CameraModel | None = None,
        refresh: float = 0.5,
        corners: Corners = (),
        learnt: Path | None = None,
    ) -> None:
        self.board = board
        self._free = FreeLabels(board, taught, learnt) if isinstance(taught, SpotProfile) else None
        self._poses, self._spots = pose_source_and_classifier(board, taught, camera, corners)
        self._gate = MotionGate(board)
        self._refresh, self._read = refresh, float("-inf")
        self.colours: ColourCorrection | SpotLight | None = None
        """how those of the frame that was read last were corrected; None before the first"""

    def request(self) -> None:
        """Read the next quiet frame even if the last reading is recent."""
        self._read = float("-inf")

    def confirm(self, frame: CameraFrame, reading: FrameReading, look: Mapping[str, str]) -> None:
        """The record agrees with the reading of a frame: `look` is what lies on the board."""
        free, spots, seen = self._free, self._spots, reading.observation
        if free is not None and isinstance(spots, SpotFollower) and reading.pose is not None and seen is not None:
            free.take(spots, frame.image, reading.pose, seen, look)

    def find(self, image: Image) -> Projection | BoardNotFound:
        """Where the board lies in a single picture."""
        found: Projection | BoardNotFound = self._poses.find(image)
        flaw = "" if isinstance(found, BoardNotFound) else self._spots.colour_flaw(image, found)
        return BoardNotFound(flaw, frozenset()) if flaw else found

    def read(self, image: Image, pose: Projection) -> SpotShares:
        """Read one picture under a pose returned by `find`."""
        return self._spots.read(image, pose)

    def look(self, image: Image) -> SpotShares | BoardNotFound:
        """Find the board in one picture and read it."""
        pose = self.find(image)
        return pose if isinstance(pose, BoardNotFound) else self.read(image, pose)

    def see(self, frame: CameraFrame) -> FrameReading:
        """Process the next frame of a camera."""
        better = self._free.learnt() if self._free is not None else None
        if better is not None:
            self._spots = SpotFollower(self.board, better)
        gray = gray_of(frame.image)
        pose = self._poses.follow(frame.image, gray, frame.time)
        if pose is None or self._poses.reason:
            self._read = float("-inf")
            return FrameReading(CameraStatus.PAUSED, self._poses.reason, pose, None)
        stillness = self._gate.update(gray, pose, frame.time)
        if stillness.state is not CameraStatus.WATCHING:
            self._read = float("-inf")
            covered = self._covered(stillness, pose)
            moving = Observation(self.board.id, frame.id, frame.time, {}, covered, quiet=False)
            return FrameReading(stillness.state, "", pose, moving)
        if frame.time - self._read < self._refresh:
            return FrameReading(CameraStatus.WATCHING, "", pose, None)
        flaw = self._spots.colour_flaw(frame.image, pose)
        if flaw:
            self._read = float("-inf")
            return FrameReading(CameraStatus.PAUSED, flaw, pose, None)
        self._poses.rest(frame.image, gray)
        self._read = frame.time
        reading = self._spots.read(frame.image, pose)
        self.colours = reading.colours
        return FrameReading(CameraStatus.WATCHING, "", pose, reading.observation(self.board, frame))

    def _covered(self, stillness: Stillness, pose: Projection) -> frozenset[str]:
        """The spots that are moving or under an arm."""
        spots = tuple(self.board.spots.values())
        middles = pose.project([[*spot.centre, spot.base + spot.height] for spot in spots])
        scale = WIDTH / pose.size[0]
        height, width = stillness.mask.shape
        columns = np.clip((middles[:, 0] * scale).astype(int), 0, width - 1)
        rows = np.clip((middles[:, 1] * scale).astype(int), 0, height - 1)
        under = stillness.mask[rows, columns]
        return frozenset(spot.name for spot, hidden in zip(spots, under, strict=True) if hidden)
