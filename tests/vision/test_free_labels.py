"""Confirmed positions teach the pieces while a table is played, are kept, and never make reading worse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.teaching import Lesson, TeachingResult, teach_from_pictures
from companion.board.layout import EMPTY
from companion.session.observation import Observation
from tests.vision.grids import Camera, grid_board, random_tiles
from vision.camera.frames import CameraFrame
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator
from vision.spots.free_labels import FreeLabels, improved
from vision.spots.spot_learning import samples_of
from vision.spots.spot_profile import SpotProfile
from vision.spots.spot_reader import SpotFollower
from vision.taught import with_learnt

BOARD = grid_board(columns=6, rows=5)
CAMERA = Camera(seed=71)
DUSK = Camera(
    corners=((180, 130), (1100, 120), (1160, 840), (110, 820)), gains=(0.5, 0.6, 0.75), slope=-0.2, noise=3.0, seed=72
)


def pose_of(camera: Camera) -> FlatPose:
    pose = BoardLocator(BOARD).at_corners(camera.photograph(BOARD, {}), camera.taps(BOARD))
    assert isinstance(pose, FlatPose)
    return pose


@pytest.fixture(scope="module")
def taught() -> TeachingResult:
    lessons = []
    for seed in (81, 82):
        look = random_tiles(BOARD, seed, share=0.6)
        labels = {spot: look.get(spot, EMPTY) for spot in BOARD.spots}
        lessons.append(Lesson(str(seed), CAMERA.photograph(BOARD, look), pose_of(CAMERA), labels))
    return teach_from_pictures(BOARD, lessons)


def loss(observation: Observation, look: dict[str, str]) -> float:
    told = [observation.posteriors[spot][look.get(spot, EMPTY)] for spot in observation.posteriors]
    return -float(np.log(told).mean())


def test_confirmed_positions_are_learnt_kept_and_used_again(taught: TeachingResult, tmp_path: Path) -> None:
    path = tmp_path / "learnt" / "grid.zip"
    free, follower, pose = FreeLabels(BOARD, taught.profile, path), SpotFollower(BOARD, taught.profile), pose_of(DUSK)
    agreed = 0
    for number in range(10):
        look = random_tiles(BOARD, 90 + number, share=0.3)
        image = DUSK.photograph(BOARD, look)
        seen = follower.read(image, pose).observation(BOARD, CameraFrame(image, float(number), number))
        agreed += free.take(follower, image, pose, seen, look)
        free.finish()
    assert agreed >= 6
    better = free.learnt()
    assert better is not None
    assert free.learnt() is None, "it is told once"
    assert len(better.pieces["tile"].labels) > len(taught.profile.pieces["tile"].labels)
    again = with_learnt(taught.profile, path, BOARD)
    assert isinstance(again, SpotProfile)
    assert again.pieces["tile"].labels == better.pieces["tile"].labels
    look = random_tiles(BOARD, 120)
    image = DUSK.photograph(BOARD, look)
    frame = CameraFrame(image, 0.0, 0)
    before = SpotFollower(BOARD, taught.profile).read(image, pose).observation(BOARD, frame)
    after = SpotFollower(BOARD, again).read(image, pose).observation(BOARD, frame)
    assert all(after.likeliest(spot)[0] == look.get(spot, EMPTY) for spot in after.posteriors)
    assert loss(after, look) <= loss(before, look) + 0.02


def test_a_position_on_which_record_and_sight_differ_teaches_nothing(taught: TeachingResult) -> None:
    free, follower, pose = FreeLabels(BOARD, taught.profile), SpotFollower(BOARD, taught.profile), pose_of(DUSK)
    look = random_tiles(BOARD, 130)
    image = DUSK.photograph(BOARD, look)
    seen = follower.read(image, pose).observation(BOARD, CameraFrame(image, 0.0, 0))
    spot = next(iter(look))
    for _ in range(8):
        assert not free.take(follower, image, pose, seen, look | {spot: EMPTY})
    free.finish()
    assert free.learnt() is None


def test_what_reads_the_latest_positions_worse_is_not_used(taught: TeachingResult) -> None:
    piece, known = BOARD.pieces["tile"], taught.profile.pieces["tile"]
    samples = samples_of(known)
    laid = np.flatnonzero([label != EMPTY for label in samples.labels])
    held_out = samples.chosen(laid[: len(laid) // 2])
    wrong = samples.chosen(laid)
    shifted = type(samples)(wrong.descriptions, (*wrong.labels[7:], *wrong.labels[:7]), wrong.groups)
    assert improved(piece, known, shifted, held_out) is known


def test_a_damaged_file_of_what_was_learnt_is_left_aside(taught: TeachingResult, tmp_path: Path) -> None:
    path = tmp_path / "grid.zip"
    assert with_learnt(taught.profile, path, BOARD) is taught.profile
    path.write_bytes(b"PK\x03\x04")
    assert with_learnt(taught.profile, path, BOARD) is taught.profile
