"""The reader against truth from elsewhere: scenes under views, lights and lenses that nothing was tuned on."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.scenes import NORMAL, STRESS, sheets, situations
from calibration.teaching import teach_from_artwork
from companion.board.layout import EMPTY, Board
from companion.registry import print_and_play_board
from ui.simulated_table.scene import Hand, Scene
from ui.simulated_table.view import CameraView
from vision.camera.frames import CameraFrame
from vision.errors import InvalidProfile
from vision.location.board_pose import BoardNotFound, BoardPose
from vision.location.fiducials import FiducialFinder
from vision.location.registration import register
from vision.pictures import gray_of
from vision.printed.pieces.profile import Profile, load_profile, shipped_profile
from vision.printed.reading import BoardReading
from vision.reader import TableReader

TEST_SEED = 500_000
SCENES = 2


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("city_of_marble")


@pytest.fixture(scope="module")
def profile(board: Board) -> Profile:
    return load_profile(shipped_profile(board), board)


@pytest.fixture(scope="module", params=[pytest.param(each, id=each[1].id) for each in sheets()])
def taught(request: pytest.FixtureRequest) -> tuple[str, Board, Profile]:
    """A game, one of its sheets, and what is learnt from how that is drawn."""
    game, sheet = request.param
    return game, sheet, teach_from_artwork(sheet)


@pytest.mark.parametrize("condition", [NORMAL, STRESS])
def test_scenes_are_read_as_they_lie(taught: tuple[str, Board, Profile], condition: str) -> None:
    game, sheet, drawn = taught
    occupied, wrong = 0, []
    reader = TableReader(sheet, drawn)
    for situation in situations(SCENES, condition, game, sheet, first=TEST_SEED):
        reading = reader.look(situation.picture())
        assert isinstance(reading, BoardReading)
        occupied += len(situation.look)
        for spot, posterior in reading.posteriors.items():
            assert sum(posterior.values()) == pytest.approx(1.0, abs=1e-6)
            label = max(posterior, key=posterior.__getitem__)
            if posterior[label] > 0.5 and label != situation.look.get(spot, EMPTY):
                wrong.append((situation.seed, spot, label))
    assert occupied
    assert len(wrong) <= 1, f"{len(wrong)} of {occupied} occupied spots: {wrong}"


def test_the_pose_is_found_to_a_fraction_of_a_millimetre(board: Board) -> None:
    errors = []
    for situation in situations(4, first=TEST_SEED + 100):
        picture = Scene(board, situation.view, situation.light, situation.sloppiness).frame({})
        pose = register(board, FiducialFinder(board.markers).find(gray_of(picture)), (1920, 1080))
        assert isinstance(pose, BoardPose)
        truth = situation.view.pose(board)
        grid = [[x, y, 0.0] for x in range(40, 580, 90) for y in range(40, 400, 60)]
        errors.append(np.linalg.norm(pose.to_board(truth.project(grid)) - np.array(grid)[:, :2], axis=1).max())
    assert max(errors) < 1.0, errors


def test_a_hand_covers_spots_and_leaves_the_far_side_of_the_board_alone(board: Board, profile: Profile) -> None:
    reader, look = TableReader(board, profile), {"ward E8-F8": "red", "ward J3-J4": "blue", "hill E7-E8-F7": "hill"}
    scene = Scene(board, CameraView())
    states = []
    for number in range(12):
        hand = Hand(board.spots["ward E8-F8"].centre, 0.5) if number >= 8 else None
        sight = reader.see(CameraFrame(scene.frame(look, hand), number / 10, number))
        states.append(str(sight.state))
    assert "watching" in states[:8]
    assert states[-1] == "hand"
    assert sight.observation is not None
    assert not sight.observation.quiet
    assert len(sight.observation.covered) > 20
    assert "ward J3-J4" not in sight.observation.covered


def test_a_picture_without_enough_markers_says_why(board: Board, profile: Profile) -> None:
    reader = TableReader(board, profile)
    blank = reader.look(np.full((720, 1280, 3), 120, np.uint8))
    assert isinstance(blank, BoardNotFound)
    assert blank.reason
    picture = Scene(board, CameraView()).frame({})
    picture[:, : 1280 // 2 + 80] = 90
    half = reader.look(picture)
    assert isinstance(half, BoardNotFound)
    assert "marker" in half.reason


def test_an_upside_down_camera_reads_the_same(board: Board, profile: Profile) -> None:
    look = {"ward E8-F8": "red", "magistrate E8-F8": "white", "aqueduct H2-I1": "grey"}
    picture = cv2.rotate(Scene(board, CameraView(tilt=5)).frame(look), cv2.ROTATE_180)
    reading = TableReader(board, profile).look(picture)
    assert isinstance(reading, BoardReading)
    seen = {spot: max(p, key=p.__getitem__) for spot, p in reading.posteriors.items()}
    assert {spot: label for spot, label in seen.items() if label} == look


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04", b"no archive at all"])
def test_a_damaged_profile_is_refused_in_one_line(board: Board, tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "broken.zip"
    path.write_bytes(damage)
    with pytest.raises(InvalidProfile) as error:
        load_profile(path, board)
    assert "broken.zip" in str(error.value)
    assert "\n" not in str(error.value)


def test_the_profile_of_another_board_is_refused(board: Board) -> None:
    with pytest.raises(InvalidProfile, match="capitol"):
        load_profile(shipped_profile(board), print_and_play_board("capitol"))


def test_a_piece_is_seen_where_no_tile_can_lie() -> None:
    sheet = print_and_play_board("aqua_romana")
    look = {"worker A8/N": "red", "worker D4/S": "blue", "tile D4": "straight 0"}
    reading = TableReader(sheet, load_profile(shipped_profile(sheet), sheet)).look(
        Scene(sheet, CameraView()).frame(look)
    )
    assert isinstance(reading, BoardReading)
    for spot, label in look.items():
        assert max(reading.posteriors[spot], key=reading.posteriors[spot].__getitem__) == label
