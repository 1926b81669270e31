"""A sheet is told from others like it, from printed markers and from odd pictures of it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.board.layout import DICTIONARIES, Board
from companion.registry import GAMES, print_and_play_board
from tests.vision.drawn import SIZE, marker_picture, seen_by, sheet_picture, taken
from ui.simulated_table.view import CameraView
from vision.location.board_pose import BoardNotFound, BoardPose
from vision.location.fiducials import FiducialFinder
from vision.location.marker_poses import TWO_SHEETS, find_by_markers
from vision.pictures import Image, decode_picture, gray_of

BESIDE = 500
"""The width of the table beside the picture of the sheet, in pixels."""


@pytest.fixture(scope="module")
def pose(board: Board) -> BoardPose:
    return CameraView(width=SIZE[0], height=SIZE[1], distance=1150, tilt=25, azimuth=30).pose(board)


@pytest.fixture(scope="module")
def picture(board: Board, pose: BoardPose) -> Image:
    return seen_by(pose, sheet_picture(board))


def test_a_marker_tells_of_which_game_a_board_is() -> None:
    owners: dict[int, str] = {}  # whatever the dictionary: the first markers of all of them are the same
    for sheet in (sheet for game_id in GAMES for sheet in print_and_play_board(game_id).sheets):
        for marker in sheet.markers.centres:
            assert owners.setdefault(marker, sheet.id) == sheet.id


def test_dictionaries_begin_with_the_same_markers() -> None:
    first, *others = (cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name)).bytesList for name in DICTIONARIES)
    assert len(first) == DICTIONARIES["DICT_4X4_50"]
    for other in others:
        assert (other[: len(first)] == first).all()


def test_markers_beyond_the_first_fifty_are_found(board: Board, pose: BoardPose) -> None:
    centres = {60 + place: centre for place, centre in enumerate(board.markers.centres.values())}
    further = replace(board, markers=replace(board.markers, dictionary="DICT_4X4_250", centres=centres))
    gray = gray_of(seen_by(pose, sheet_picture(further)))
    assert FiducialFinder(further.markers).find(gray).keys() == centres.keys()
    assert not FiducialFinder(board.markers).find(gray)


def grid(board: Board) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(20, board.size[0] - 20, 9), np.linspace(20, board.size[1] - 20, 7))
    return np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])


def beside(picture: Image, other: Image | None = None) -> Image:
    """A picture with another one, or the bare table, to its right."""
    wide = cv2.copyMakeBorder(picture, 0, 0, 0, BESIDE, cv2.BORDER_CONSTANT, value=(150, 170, 180))
    if other is not None:
        part = other[:, :BESIDE]
        wide[: part.shape[0], SIZE[0] : SIZE[0] + part.shape[1]] = part
    return np.asarray(wide, np.uint8)


def strewn(board: Board, picture: Image, ids: tuple[int, ...], side: int = 48) -> Image:
    """Loose markers on the table beside the sheet."""
    wide, dice = beside(picture), np.random.default_rng(5)
    for index, marker in enumerate(ids):
        square = np.rot90(marker_picture(board, marker, side, 8), int(dice.integers(4)))
        left = SIZE[0] + 20 + index % 5 * 95 + int(dice.integers(20))
        top = 20 + index // 5 * 95 + int(dice.integers(20))
        wide[top : top + len(square), left : left + len(square)] = square
    return wide


def distance(board: Board, found: BoardPose | BoardNotFound, wanted: np.ndarray) -> float:
    """How far, in pixels at most, points of the sheet are from where they are seen."""
    assert isinstance(found, BoardPose), found.reason
    return float(np.linalg.norm(found.project(grid(board)) - wanted, axis=1).max())


@pytest.mark.parametrize("ids", [(0,), (0, 1, 2, 3, 4, 5, 6, 7), tuple(range(8)) * 4])
def test_markers_that_lie_about_do_not_matter(
    board: Board, pose: BoardPose, picture: Image, ids: tuple[int, ...]
) -> None:
    found = find_by_markers(board, gray_of(strewn(board, picture, ids)))
    assert distance(board, found, pose.project(grid(board))) < 1.0


def test_a_stray_marker_does_not_stand_for_one_that_is_covered(board: Board, pose: BoardPose) -> None:
    picture = strewn(board, seen_by(pose, sheet_picture(board, hidden=(1, 3, 5))), (1, 3, 5, 1))
    assert FiducialFinder(board.markers).find(gray_of(picture)).keys() == {0, 2, 4, 6, 7}
    assert distance(board, find_by_markers(board, gray_of(picture)), pose.project(grid(board))) < 1.0


@pytest.mark.parametrize("share", [0.5, 0.65])
def test_a_smaller_picture_of_the_board_is_not_the_board(
    board: Board, pose: BoardPose, picture: Image, share: float
) -> None:
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    rim = int(pose.project(grid(board)).min() * share) - 30
    shown = beside(picture, np.asarray(small[:, max(0, rim) :], np.uint8))
    assert distance(board, find_by_markers(board, gray_of(shown)), pose.project(grid(board))) < 1.0


def test_two_boards_are_told(board: Board, picture: Image) -> None:
    both = np.hstack([picture, picture])
    found = find_by_markers(board, gray_of(both))
    assert isinstance(found, BoardNotFound)
    assert found.reason == TWO_SHEETS
    assert found.seen == frozenset(board.markers.centres)
    assert not FiducialFinder(board.markers).find(gray_of(both))


def test_strewn_markers_are_no_board(board: Board) -> None:
    table = np.full((SIZE[1], SIZE[0], 3), 160, np.uint8)
    found = find_by_markers(board, gray_of(strewn(board, table, tuple(range(8)) * 4)))
    assert isinstance(found, BoardNotFound)


def test_a_sheet_that_was_cut_is_still_refused(board: Board, pose: BoardPose) -> None:
    sheet = sheet_picture(board)
    third = sheet.shape[1] // 3
    sheet[:, 2 * third :] = np.roll(sheet[:, 2 * third :], 130, axis=0)
    found = find_by_markers(board, gray_of(seen_by(pose, sheet)))
    assert isinstance(found, BoardNotFound)
    assert found.seen > {1, 5}


def rows_moved(board: Board, pose: BoardPose, sheet: Image, by: float) -> tuple[Image, np.ndarray]:
    """A picture whose rows were read while the camera moved, `by` pixels from the first to the last; where it shows
    points of the sheet.
    """
    columns, rows = np.meshgrid(np.arange(SIZE[0], dtype=np.float64), np.arange(SIZE[1], dtype=np.float64))

    def moved(row: np.ndarray) -> np.ndarray:
        part = row / SIZE[1] - 0.5
        return np.asarray(by * (part + 0.2 * np.sin(9 * part)))

    image = taken(pose, sheet, np.column_stack([(columns + moved(rows)).ravel(), rows.ravel()]), SIZE)
    exact = pose.project(grid(board)).astype(np.float64)
    return image, np.column_stack([exact[:, 0] - moved(exact[:, 1]), exact[:, 1]])


@pytest.mark.parametrize("by", [-5.5, 4.0])
def test_a_camera_that_moved_while_it_read_its_rows_still_tells_every_place(
    board: Board, pose: BoardPose, by: float
) -> None:
    image, wanted = rows_moved(board, pose, sheet_picture(board), by)
    found = find_by_markers(board, gray_of(image))
    assert distance(board, found, wanted) < 2.5
    assert isinstance(found, BoardPose)
    assert np.linalg.norm(found.to_board(wanted) - grid(board)[:, :2], axis=1).max() < 2.0
    assert np.linalg.norm(found.eye - pose.eye) < 0.1 * np.linalg.norm(pose.eye)


def test_a_picture_whose_rows_moved_too_far_is_refused(board: Board, pose: BoardPose) -> None:
    image, _ = rows_moved(board, pose, sheet_picture(board), 35.0)
    assert isinstance(find_by_markers(board, gray_of(image)), BoardNotFound)


def test_a_still_picture_shows_no_shear(board: Board, picture: Image) -> None:
    found = find_by_markers(board, gray_of(picture))
    assert isinstance(found, BoardPose)
    assert np.allclose(found.rotation @ found.rotation.T, np.eye(3), atol=1e-9)


def test_a_part_cut_out_of_a_larger_picture_is_read(board: Board) -> None:
    wide = CameraView(width=SIZE[0], height=SIZE[1], distance=1200, tilt=40, azimuth=60, radial=-0.1).pose(board)
    image = seen_by(wide, sheet_picture(board))
    whole = cv2.copyMakeBorder(image, 0, 300, 0, 600, cv2.BORDER_CONSTANT, value=(150, 170, 180))
    found = find_by_markers(board, gray_of(np.asarray(whole, np.uint8)))
    assert distance(board, found, wide.project(grid(board))) < 1.5


def test_a_sheet_printed_a_little_smaller_is_read_as_well(board: Board, pose: BoardPose) -> None:
    shrunk = replace(pose, rotation=pose.rotation * np.array([0.97, 0.97, 1.0]))
    found = find_by_markers(board, gray_of(seen_by(shrunk, sheet_picture(board))))
    assert distance(board, found, shrunk.project(grid(board))) < 1.0


@pytest.mark.parametrize(("orientation", "turns"), [(3, 2), (6, 1), (8, 3)])
def test_a_photograph_stored_turned_is_read_upright(
    board: Board, pose: BoardPose, picture: Image, orientation: int, turns: int
) -> None:
    data = cv2.imencode(".jpg", np.ascontiguousarray(np.rot90(picture, turns)))[1].tobytes()
    tags = b"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + bytes([orientation]) + bytes(6)
    exif = b"\xff\xe1" + (len(tags) + 8).to_bytes(2, "big") + b"Exif\x00\x00" + tags
    upright = decode_picture(data[:2] + exif + data[2:], "photograph.jpg")
    assert distance(board, find_by_markers(board, gray_of(upright)), pose.project(grid(board))) < 1.0
