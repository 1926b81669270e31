"""Pawns that stand together in a place of their own."""

import cv2
import numpy as np
import pytest

from companion.board.layout import EMPTY, Board
from tests.vision.conftest import random_light, random_view
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from vision.printed.pieces.profile import Profile
from vision.printed.reading import BoardReader


@pytest.mark.parametrize("shade", [1.0, 0.3])
def test_a_place_in_deep_shadow_holds_no_pawns_for_sure(shade: float, board: Board, profile: Profile) -> None:
    scene = Scene(board, random_view(1209, width=1920), random_light(1209), Sloppiness(seed=1209))
    site = "treasury"
    pose, frame = scene.view.pose(board), scene.frame({}).astype(np.float32)
    turns = np.linspace(0, 2 * np.pi, 40)
    ring = np.array(board.slots[site]) + 0.7 * board.slot_diameter * np.column_stack([np.cos(turns), np.sin(turns)])
    shadow = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillPoly(shadow, [pose.project(np.column_stack([ring, np.zeros(40)])).round().astype(np.int32)], 255)
    soft = cv2.GaussianBlur(shadow, (0, 0), 2).astype(np.float32)[..., None] / 255
    picture = (frame * (1 - soft * (1 - shade ** (1 / 2.2)))).astype(np.uint8)
    reading = BoardReader(board, profile).read(picture, pose)
    spots = [spot.name for spot in board.spots.values() if spot.site == site and spot.piece == "envoy"]
    assert spots
    surely = {spot: shares for spot in spots if (shares := reading.posteriors.get(spot)) and shares[EMPTY] < 0.1}
    assert not surely
    assert all(spot in reading.posteriors for spot in spots) == (shade == 1.0)


def test_black_pawns_in_full_light_are_no_shadow(board: Board, profile: Profile) -> None:
    scene = Scene(board, random_view(1209, width=1920), random_light(1209), Sloppiness(seed=1209))
    reading = BoardReader(board, profile).read(scene.frame({"envoy treasury black": "3"}), scene.view.pose(board))
    assert reading.posteriors["envoy treasury black"]["3"] > 0.9
