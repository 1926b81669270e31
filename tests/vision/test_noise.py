"""A sensor's noise is measured and smoothed as far as it must be; clean pictures are left alone."""

from __future__ import annotations

import numpy as np
import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.pictures import Image
from vision.printed.picture.noise import noise_of, quietened
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReader

LOOK = {f"house {colour}/{town}": colour for colour, town in (("blue", "Ulm"), ("red", "Augsburg"), ("green", "Lodz"))}


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("thurn_and_taxis")


@pytest.fixture(scope="module")
def scene(board: Board) -> Scene:
    return Scene(board, CameraView(width=1280, height=720, tilt=12.0), Light(exposure=0.8))


def noisy(image: Image, deviation: float) -> Image:
    noise = np.random.default_rng(11).normal(0.0, deviation, image.shape)
    return np.clip(image + noise, 0, 255).round().astype(np.uint8)


@pytest.mark.parametrize("deviation", [8.0, 16.0, 24.0])
def test_noise_is_measured_beside_white(scene: Scene, deviation: float) -> None:
    image = noisy(scene.frame(LOOK), deviation)
    white = np.percentile(image, 95)
    assert noise_of(image) == pytest.approx(deviation * 255 / white, rel=0.2)
    assert noise_of((image * 0.25).round().astype(np.uint8)) == pytest.approx(noise_of(image), rel=0.2)


def test_a_clean_picture_is_left_alone(scene: Scene) -> None:
    image = scene.frame(LOOK)
    assert quietened(image, scene.pose) is image


def test_a_noisy_picture_is_read_as_a_clean_one(board: Board, scene: Scene) -> None:
    reader = BoardReader(board, load_profile(shipped_profile(board), board))
    reading = reader.read(noisy(scene.frame(LOOK), 24.0), scene.pose)
    assert not reading.covered
    for spot, chances in reading.posteriors.items():
        assert chances[LOOK.get(spot, "")] > 0.9, spot
