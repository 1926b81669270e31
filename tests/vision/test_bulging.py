"""A sheet that bulges between its markers is told by what is printed on it."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.board.layout import Board
from tests.vision.drawn import seen_by
from ui.simulated_table.view import CameraView
from vision.colour.fit import fit_colours
from vision.location.board_pose import BoardPose
from vision.location.relief import FLAT, Relief, bulge_terms
from vision.pictures import Image
from vision.printed.pieces.profile import Profile
from vision.printed.sheet.bulging import bulged
from vision.printed.sheet.canvas import Canvas

_SIZE = 1920, 1080
_PLACES = np.stack(np.meshgrid(np.linspace(60, 534, 9), np.linspace(60, 360, 7)), axis=-1).reshape(-1, 2)


def _picture(board: Board, profile: Profile, pose: BoardPose) -> Image:
    size = round(3 * board.size[0]), round(3 * board.size[1])
    return seen_by(pose, np.asarray(cv2.resize(profile.sheet, size, interpolation=cv2.INTER_AREA), np.uint8), _SIZE)


def _as_found(board: Board, profile: Profile, pose: BoardPose, picture: Image) -> BoardPose:
    return bulged(picture, pose, fit_colours(picture, board, pose), Canvas(board, profile), board, {})


def _bulging(board: Board) -> Relief:
    """A wave of 4 mm along the sheet, which its markers do not tell."""
    grid = np.stack(np.meshgrid(np.linspace(0, 594, 40), np.linspace(0, 420, 30)), axis=-1).reshape(-1, 2)
    wave = 2.0 - 2.0 * np.cos(2 * np.pi * grid[:, 0] / 594)
    terms, *_ = np.linalg.lstsq(bulge_terms(grid, board.size), wave, rcond=None)
    return Relief(board.size, FLAT, bulge=tuple(terms.tolist()))


def test_a_wave_between_the_markers_is_found(board: Board, profile: Profile) -> None:
    flat = CameraView(width=_SIZE[0], height=_SIZE[1], tilt=40).pose(board)
    true = replace(flat, relief=_bulging(board))
    found = _as_found(board, profile, flat, _picture(board, profile, true))
    places = np.column_stack([_PLACES, np.zeros(len(_PLACES))])
    before, after = (np.linalg.norm(pose.project(places) - true.project(places), axis=1) for pose in (flat, found))
    assert np.median(before) > 2.0
    assert np.median(after) < np.median(before) / 4


def test_a_bulge_rises_as_its_terms_say(board: Board) -> None:
    relief = _bulging(board)
    assert np.allclose(relief.heights(_PLACES), bulge_terms(_PLACES, board.size) @ np.array(relief.bulge), atol=1e-12)


def test_places_are_seen_at_several_heights_as_each_by_itself(board: Board) -> None:
    pose = replace(CameraView(tilt=40).pose(board), relief=replace(_bulging(board), shifts=(0.3,) * 10))
    places = _PLACES.astype(np.float32)
    for height, pixels in zip((18.0, 2.0), pose.project_at(places, (18.0, 2.0)), strict=True):
        points = np.column_stack([places, np.full(len(places), height, np.float32)])
        assert np.array_equal(pixels, pose.project(points))


def test_a_flat_sheet_is_left_as_its_markers_say(board: Board, profile: Profile) -> None:
    flat = CameraView(width=_SIZE[0], height=_SIZE[1], tilt=40).pose(board)
    assert _as_found(board, profile, flat, _picture(board, profile, flat)) is flat
