"""Boards, profiles and rendered frames for the camera's tests.

Seeds below 1000 were used to choose the reader's constants; tests use others, and cameras and lights drawn anew.
"""

from __future__ import annotations

import numpy as np
import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.printed.pieces.profile import Profile, load_profile, shipped_profile
from vision.printed.reading import BoardReader


@pytest.fixture(scope="session")
def board() -> Board:
    return print_and_play_board("city_of_marble")


@pytest.fixture(scope="session")
def profile(board: Board) -> Profile:
    return load_profile(shipped_profile(board), board)


@pytest.fixture(scope="session")
def reader(board: Board, profile: Profile) -> BoardReader:
    return BoardReader(board, profile)


def random_view(seed: int, *, width: int) -> CameraView:
    """A camera as people put one up: any side of the table, a little askew, a lens of its own."""
    dice = np.random.default_rng([seed, 1])
    return CameraView(
        width=width, height=width * 9 // 16, distance=dice.uniform(710, 780), tilt=dice.uniform(0, 38),
        azimuth=float(dice.choice([75, 90, 100, 260])), roll=dice.uniform(-4, 4), aim=tuple(dice.uniform(-8, 8, 2)),
        field=dice.uniform(63, 69), radial=dice.uniform(-0.1, 0.05),
    )  # fmt: skip


def random_light(seed: int) -> Light:
    """A room: warm or cold, a lamp on one side, a sensor that adds its own."""
    dice = np.random.default_rng([seed, 2])
    return Light(
        exposure=dice.uniform(0.6, 1.0), temperature=dice.uniform(3200, 7500), slope=tuple(dice.uniform(-0.3, 0.3, 2)),
        direction=dice.uniform(0, 360), elevation=dice.uniform(40, 65), shadow=dice.uniform(0.15, 0.45),
        blur=dice.uniform(0.3, 0.8), noise=dice.uniform(1.0, 4.0),
    )  # fmt: skip


@pytest.fixture(scope="session")
def plain_scene(board: Board) -> Scene:
    """One table, drawn once, for tests that do not care which."""
    return Scene(board, CameraView(), Light(noise=2.0), Sloppiness(seed=1000))
