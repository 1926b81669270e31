"""Light and camera colour are taken out by what is printed on the sheet."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.board.layout import Board
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.colour.correction import ColourCorrection
from vision.colour.fit import ceiling_of, fit_colours, lit, margins_of
from vision.colour.flaws import ALIKE, BURNT_OUT, COLOURLESS, SWAPPED, colour_flaw
from vision.colour.sheen import sheen_of
from vision.colour.space import LINEAR, linear_to_lab, to_lab
from vision.pictures import Image, interpolated


@pytest.mark.parametrize(
    "light",
    [
        Light(temperature=2900, exposure=0.7),
        Light(temperature=8500, exposure=0.5),
        Light(slope=(0.45, -0.35), exposure=0.8, noise=4.0),
    ],
)
def test_the_sheet_has_its_printed_colours_in_any_light(board: Board, light: Light) -> None:
    scene = Scene(board, CameraView(), light, None)
    image = scene.frame({})
    colours = fit_colours(image, board, scene.pose)
    assert colours.error < 4.0
    places = np.array([[[patch.centre for patch in board.patches]]]).reshape(1, -1, 2)
    pixels = scene.pose.project(np.column_stack([places[0], np.zeros(len(places[0]))]))[None]
    seen = colours.to_lab(interpolated(image, pixels), places)[0]
    printed = to_lab(np.array([patch.rgb[::-1] for patch in board.patches], np.uint8))
    assert np.linalg.norm(seen - printed, axis=1).max() < 12.0
    raw = np.linalg.norm(to_lab(interpolated(image, pixels))[0] - printed, axis=1)
    assert np.linalg.norm(seen - printed, axis=1).mean() < 0.4 * raw.mean()


@pytest.mark.parametrize(
    "light", [Light(temperature=5000, exposure=0.5), Light(temperature=3200, exposure=0.6, slope=(0.3, 0.2))]
)
def test_a_picture_of_a_tenth_of_the_levels_keeps_its_colours(board: Board, light: Light) -> None:
    scene = Scene(board, CameraView(), light, None)
    image = (scene.frame({}) * 0.1).round().astype(np.uint8)
    colours = fit_colours(image, board, scene.pose)
    assert 0.0 < colours.error < 6.0


@pytest.mark.parametrize("exposure", [0.5, 0.3])
def test_a_lamp_on_one_corner_does_not_sway_the_colours_of_the_rest(board: Board, exposure: float) -> None:
    scene = Scene(board, CameraView(), Light(temperature=3000, slope=(0.3, -0.2)), None)
    image, size = scene.frame({}), np.array(board.size)
    far = max(np.ndindex(2, 2), key=lambda way: np.hypot(*(way * size - board.patches[0].centre)))
    (corner,) = scene.pose.project(np.array([[*(far * size), 0.0]]))
    lamp = np.zeros(image.shape[:2], np.float32)
    cv2.circle(lamp, tuple(int(each) for each in corner), image.shape[1] // 7, 1.0, -1)
    light = exposure * (0.1 + 0.9 * cv2.GaussianBlur(lamp, None, image.shape[1] / 60))
    uneven = (255.0 * ((image / 255.0) ** 2.2 * light[..., None]) ** (1 / 2.2)).round().astype(np.uint8)
    margins = margins_of(uneven, board, scene.pose)
    assert lit(margins).usable.sum() > 0.7 * len(margins.places)
    assert 0.0 < fit_colours(uneven, board, scene.pose).error < 4.5


def test_patches_that_do_not_agree_leave_an_error(board: Board) -> None:
    scene = Scene(board, CameraView(), Light(), None)
    image = scene.frame({})
    for k, patch in enumerate(board.patches):
        (middle,) = scene.pose.project(np.array([[*patch.centre, 0.0]]))
        cv2.circle(
            image, tuple(int(each) for each in middle), 12, ((40, 200, 90), (200, 60, 60), (60, 60, 200))[k % 3], -1
        )
    assert fit_colours(image, board, scene.pose).error >= 8.0


def test_noise_does_not_sway_what_patches_tell(board: Board) -> None:
    scene = Scene(board, CameraView(), Light(exposure=0.7), None)
    image = scene.frame({})
    noise = np.random.default_rng(1).normal(0.0, 20.0, image.shape)
    noisy = np.clip(image + noise, 0, 255).round().astype(np.uint8)
    assert fit_colours(noisy, board, scene.pose).error < 3.5


def test_a_dark_picture_has_colours_of_no_use_but_finite(board: Board) -> None:
    pose = CameraView().pose(board)
    colours = fit_colours(np.zeros((720, 1280, 3), np.uint8), board, pose)
    assert np.isfinite(colours.matrix).all()
    assert np.isfinite(colours.to_lab(np.zeros((2, 3, 3), np.uint8), np.zeros((2, 3, 2)))).all()


def test_a_grey_picture_is_told_from_patches_under_a_cloth(board: Board) -> None:
    scene = Scene(board, CameraView(), Light(), None)
    image = scene.frame({})
    grey = np.repeat(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[:, :, np.newaxis], 3, axis=2).astype(np.uint8)
    assert colour_flaw(grey, board, scene.pose) == COLOURLESS
    cloth = np.random.default_rng(1).normal((60, 80, 125), 6.0, image.shape).clip(0, 255).astype(np.uint8)
    for patch in board.patches:
        middle = scene.pose.project(np.array([[*patch.centre, 0.0]]))[0].round().astype(int)
        reach = slice(middle[1] - 20, middle[1] + 20), slice(middle[0] - 20, middle[0] + 20)
        image[reach] = cloth[reach]
    assert colour_flaw(image, board, scene.pose) == ALIKE


def test_patches_that_turn_colours_round_are_not_believed(board: Board) -> None:
    scene = Scene(board, CameraView(), Light(), None)
    image = scene.frame({})
    for patch in board.patches:
        corners = np.array(patch.centre) + 0.5 * patch.side * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        pixels = scene.pose.project(np.column_stack([corners, np.zeros(4)])).round().astype(np.int32)
        light = 0.9 - 0.8 * LINEAR[np.array(patch.rgb[::-1])]
        cv2.fillPoly(image, [pixels], np.interp(light, LINEAR, np.arange(256)).round().tolist())
    matrix = fit_colours(image, board, scene.pose).matrix
    assert matrix.diagonal().min() > 0


@pytest.mark.parametrize("temperature", [2700, 5500, 9000])
def test_an_exchange_of_red_and_blue_is_told_from_warm_and_cold_light(board: Board, temperature: float) -> None:
    scene = Scene(board, CameraView(), Light(temperature=temperature, exposure=0.7), None)
    image = scene.frame({})
    assert colour_flaw(image, board, scene.pose) == ""
    assert colour_flaw(np.ascontiguousarray(image[:, :, ::-1]), board, scene.pose) == SWAPPED


def test_a_burnt_channel_leaves_white_white_and_colours_as_they_are() -> None:
    """Blue was 1.5 of what the sensor takes: the correction takes white's blue for two thirds of what it was."""
    matrix = np.column_stack([np.diag([1 / 1.5, 1.0, 1.0]), np.zeros(3)]).astype(np.float32)
    colours = ColourCorrection((100.0, 100.0), np.zeros(6, np.float32), matrix, 0.0)
    shown = np.array([[255, 250, 250], [255, 60, 40], [200, 250, 250], [255, 255, 255]], np.uint8)
    white, blue, yellowish, glare = colours.to_lab(shown, np.zeros((4, 2)))
    assert np.abs(white[1:]).max() < 2.0
    assert blue[2] < -60.0
    assert yellowish[2] > 10.0
    assert glare[2] > 5.0, "where all is burnt nothing tells what burnt more"


def exposed(image: Image, times: tuple[float, float, float]) -> Image:
    """What a sensor shows of so much more light (BGR) than it takes."""
    light = LINEAR[image] * np.array(times, np.float32)
    return np.interp(light, LINEAR, np.arange(256)).round().astype(np.uint8)


@pytest.mark.parametrize("times", [(2.0, 2.0, 2.0), (0.8, 1.2, 2.2)], ids=["all channels", "red"])
def test_a_picture_too_bright_for_its_sensor_tells_colours_up_to_a_ceiling(
    board: Board, times: tuple[float, float, float]
) -> None:
    scene = Scene(board, CameraView(), Light(exposure=0.8), None)
    image = exposed(scene.frame({}), times)
    assert colour_flaw(image, board, scene.pose) == ""
    colours = fit_colours(image, board, scene.pose)
    assert colours.ceiling is not None
    assert colours.ceiling == ceiling_of(image, board, scene.pose)
    assert min(colours.ceiling) < 0.75
    places = np.array([[patch.centre for patch in board.patches]])
    pixels = scene.pose.project(np.column_stack([places[0], np.zeros(len(places[0]))]))[None]
    seen = colours.to_lab(interpolated(image, pixels), places)[0]
    printed = np.minimum(LINEAR[np.array([patch.rgb[::-1] for patch in board.patches])], colours.ceiling)
    assert np.linalg.norm(seen - linear_to_lab(printed), axis=1).max() < 12.0


def test_a_picture_of_which_little_more_than_the_darkest_is_not_burnt_out_is_refused(board: Board) -> None:
    scene = Scene(board, CameraView(), Light(exposure=0.8), None)
    assert colour_flaw(exposed(scene.frame({}), (6.0, 6.0, 6.0)), board, scene.pose) == BURNT_OUT


def test_sheen_is_strongest_where_it_was_measured_and_taken_off_there() -> None:
    sheen = sheen_of(np.array([[0.0, 0.0], [200.0, 0.0]]), np.array([[0.2] * 3, [0.0] * 3], np.float32), (200.0, 100.0))
    near, middle, far = sheen.at(np.array([[5.0, 5.0], [100.0, 5.0], [195.0, 5.0]])).mean(axis=1)
    assert near == pytest.approx(0.2, abs=0.01)
    assert middle == pytest.approx(0.1, abs=0.01)
    assert far == pytest.approx(0.0, abs=0.01)
    plain = ColourCorrection((200.0, 100.0), np.zeros(6, np.float32), np.eye(3, 4, dtype=np.float32), 0.0)
    shining = replace(plain, sheen=sheen)
    place, grey = np.array([[5.0, 5.0]]), np.full((1, 3), 188, np.uint8)
    assert shining.light(grey, place) == pytest.approx(plain.light(grey, place) - 0.2, abs=0.01)
    assert shining.mirrored(place) == pytest.approx(0.2, abs=0.01)
    assert plain.mirrored(place) == pytest.approx(0.0)
