"""Shadows with hard edges and patches of sun: what lies in them is read, and what merely looks dark is no shadow."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from tests.vision.conftest import random_light, random_view
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView
from vision.colour.correction import ColourCorrection
from vision.colour.fit import fit_in_uneven_light
from vision.colour.light_map import LightMap
from vision.colour.space import LINEAR, lab_to_linear, linear_to_lab
from vision.cutouts import cut_out, decoded, encoded, read_again
from vision.pictures import Image
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReader
from vision.printed.sheet.canvas import Canvas
from vision.printed.sheet.local_light import LightFinder

TILES = {"tile D4": "bridge 0", "tile E4": "curve 90", "tile F5": "straight 90", "tile C6": "double curve 0",
         "tile H3": "curve 180", "tile I7": "straight 0"}  # fmt: skip
SURE = 0.9


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("aqua_romana")


@pytest.fixture(scope="module")
def reader(board: Board) -> BoardReader:
    return BoardReader(board, load_profile(shipped_profile(board), board))


@pytest.fixture(scope="module")
def scene(board: Board) -> Scene:
    return Scene(board, random_view(4001, width=1280), random_light(4001), Sloppiness(seed=4001))


def shaded(
    image: Image, corners: list[tuple[float, float]], light: tuple[float, float, float], soft: float = 0.002
) -> Image:
    """A picture of which a polygon (shares of width and height) gets less light (BGR), as through an sRGB camera; its
    edges are `soft` (standard deviation, share of the width).
    """
    height, width = image.shape[:2]
    mask = np.zeros((height, width), np.float32)
    cv2.fillPoly(mask, [np.rint(np.array(corners) * [width, height]).astype(np.int32)], 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), soft * width)[..., None]
    dimmed = LINEAR[image] * (1.0 + mask * (np.array(light, np.float32) - 1.0))
    levels = np.interp(dimmed, LINEAR, np.arange(256))
    return np.asarray(levels.round(), np.uint8)


def wrong(posteriors: object, look: dict[str, str]) -> list[str]:
    assert isinstance(posteriors, dict)
    best = {spot: max(shares, key=shares.__getitem__) for spot, shares in posteriors.items()}
    return [spot for spot, label in best.items() if label != look.get(spot, "") and posteriors[spot][label] > SURE]


@pytest.mark.parametrize(
    ("corners", "light"),
    [
        ([(0.55, 0.0), (1.0, 0.0), (1.0, 1.0), (0.4, 1.0)], (0.3, 0.27, 0.24)),
        ([(0.0, 0.3), (1.0, 0.5), (1.0, 1.0), (0.0, 1.0)], (0.14, 0.12, 0.1)),
        ([(0.0, 0.0), (0.45, 0.0), (0.6, 1.0), (0.0, 1.0)], (0.25, 0.25, 0.25)),
    ],
)
def test_tiles_on_both_sides_of_a_shadows_edge_are_read(
    reader: BoardReader, scene: Scene, corners: list[tuple[float, float]], light: tuple[float, float, float]
) -> None:
    reading = reader.read(shaded(scene.frame(TILES), corners, light), scene.pose)
    assert reading.colours.edges is not None
    assert not wrong(dict(reading.posteriors), TILES)
    read = [spot for spot, label in TILES.items() if reading.posteriors.get(spot, {}).get(label, 0.0) > SURE]
    assert len(read) >= len(TILES) - 1


def test_along_a_shadows_soft_edge_hardly_a_spot_is_covered(board: Board, reader: BoardReader, scene: Scene) -> None:
    image = shaded(scene.frame(TILES), [(0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.45, 1.0)], (0.12, 0.11, 0.1), soft=0.01)
    reading = reader.read(image, scene.pose)
    assert reading.colours.edges is not None
    assert len(reading.covered) < 0.04 * len(board.spots)


def test_light_is_told_from_what_is_printed(board: Board, scene: Scene) -> None:
    image = shaded(scene.frame({}), [(0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 1.0)], (0.25, 0.25, 0.25))
    canvas = Canvas(board, load_profile(shipped_profile(board), board))
    even = fit_in_uneven_light(image, board, scene.pose)
    light = LightFinder(board, scene.pose).find(image, even, canvas)
    pixels = np.array([[0.35, 0.5], [0.65, 0.5]]) * np.array(image.shape[1::-1])
    factors = light.at(scene.pose.to_board(pixels)).mean(axis=1)
    assert factors[1] / factors[0] == pytest.approx(0.25, rel=0.3)


def test_a_picture_without_shadows_is_left_alone(reader: BoardReader, scene: Scene) -> None:
    assert reader.read(scene.frame(TILES), scene.pose).colours.edges is None


def test_a_dark_cloth_is_no_shadow(board: Board, reader: BoardReader, scene: Scene) -> None:
    image = scene.frame(TILES)
    corner = np.array([board.spots[name].centre for name in ("tile E3", "tile H3", "tile H6", "tile E6")])
    pixels = scene.pose.project(np.column_stack([corner, np.zeros(4)])).round().astype(np.int32)
    cv2.fillPoly(image, [pixels], (45, 45, 45))
    seen = reader.read(image, scene.pose).posteriors
    for spot in ("tile F4", "tile G4", "tile F5", "tile G5"):
        assert seen.get(spot, {"": 0.0}).get("", 0.0) < SURE


def test_a_cut_out_keeps_the_light_it_was_read_in(board: Board, reader: BoardReader, scene: Scene) -> None:
    corners = [(0.55, 0.0), (1.0, 0.0), (1.0, 1.0), (0.4, 1.0)]
    first, second = (shaded(scene.frame(look), corners, (0.2, 0.2, 0.2)) for look in ({}, TILES))
    reading = reader.read(second, scene.pose)
    assert reading.colours.edges is not None
    data = encoded(cut_out(board, ["tile H3", "tile I7"], first, second, scene.pose, reading.colours))
    cut = decoded(data, "cut-out")
    assert isinstance(cut.colours, ColourCorrection)
    assert cut.colours.edges is not None
    places = np.array([board.spots["tile H3"].centre, board.spots["tile D4"].centre])
    assert cut.colours.edges.at(places) == pytest.approx(reading.colours.edges.at(places), rel=0.01)
    assert read_again(cut, board, reader)["tile H3"]["curve 180"] > SURE


def overexposed(image: Image, times: float) -> Image:
    """A picture with so much more light than its sensor takes."""
    return np.asarray(np.interp(LINEAR[image] * times, LINEAR, np.arange(256)).round(), np.uint8)


def test_where_the_sun_is_too_bright_the_shadow_is_read_all_the_same(
    board: Board, reader: BoardReader, scene: Scene
) -> None:
    """Most of the sheet lies in shadow, beside it paper and patches are saturated."""
    corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 0.6), (0.0, 0.75)]
    image = overexposed(shaded(scene.frame(TILES), corners, (0.15, 0.14, 0.13)), 2.2)
    reading = reader.read(image, scene.pose)
    assert not wrong(dict(reading.posteriors), TILES)
    assert len(reading.covered) < 0.5 * len(board.spots)


def sheened(image: Image, scene: Scene, at: tuple[float, float], reach: float, most: float) -> Image:
    """A picture of half the light in which the sheet mirrors a lamp around a board place."""
    height, width = image.shape[:2]
    x, y = np.meshgrid(np.arange(0, width, 8), np.arange(0, height, 8))
    places = scene.pose.to_board(np.column_stack([x.ravel(), y.ravel()]).astype(float)).reshape(*x.shape, 2)
    light = most * np.exp(-((places - np.array(at)) ** 2).sum(axis=-1) / (2 * reach**2))
    light = cv2.resize(light.astype(np.float32), (width, height))[..., None]
    return np.asarray(np.interp(0.5 * LINEAR[image] + light, LINEAR, np.arange(256)).round(), np.uint8)


def test_sheen_over_the_patches_does_not_darken_the_rest() -> None:
    board = print_and_play_board("capitol")
    scene = Scene(board, random_view(4002, width=1280), random_light(4002), Sloppiness(seed=4002))
    look = {"floor Capitoline/3": "2", "dome Capitoline/3": "red", "floor Aventine/2": "1", "gable Aventine/2": "blue",
            "floor Esquiline/4": "3", "dome Esquiline/4": "green", "fountain Caelian/2": "fountain"}  # fmt: skip
    patches = np.mean([patch.centre for patch in board.patches], axis=0)
    image = sheened(scene.frame(look), scene, (float(patches[0]), float(patches[1])), 90.0, 0.12)
    reading = BoardReader(board, load_profile(shipped_profile(board), board)).read(image, scene.pose)
    assert reading.colours.sheen is not None
    assert not wrong(dict(reading.posteriors), look)
    assert not [spot for spot in look if spot in reading.covered]
    cut = decoded(encoded(cut_out(board, list(look)[:1], image, image, scene.pose, reading.colours)), "cut-out")
    assert isinstance(cut.colours, ColourCorrection)
    assert cut.colours.sheen is not None
    assert cut.colours.sheen.between == pytest.approx(reading.colours.sheen.between, abs=1e-5)


def test_a_light_map_is_read_between_its_cells_and_beyond_its_rim() -> None:
    light = LightMap(10.0, np.array([[0.0, -1.0]], np.float32), np.array([0.8, 1.0, 1.2], np.float32))
    at = light.at(np.array([[-50.0, 5.0], [5.0, 5.0], [10.0, 5.0], [15.0, 90.0]]))
    assert np.log(at[:, 1]) == pytest.approx([0.0, 0.0, -0.5, -1.0], abs=0.02)
    assert np.log(at[3]) == pytest.approx([-0.8, -1.0, -1.2], abs=0.02)
    assert light.at(np.zeros((0, 2))).shape == (0, 3)


def test_lab_and_light_are_each_others_inverse() -> None:
    light = np.random.default_rng(3).uniform(0.0, 1.0, (200, 3)).astype(np.float32)
    assert lab_to_linear(linear_to_lab(light)) == pytest.approx(light, abs=2e-3)


def test_a_bumped_camera_goes_on_in_the_light_it_knew(board: Board, scene: Scene) -> None:
    before, bumped = LightFinder(board, scene.pose), LightFinder(board, replace(scene.pose))
    before.edges, before.left = LightMap(5.0, np.zeros((84, 119), np.float32), np.ones(3, np.float32)), 0.02
    bumped.go_on_from(before)
    assert bumped.edges is before.edges
    assert bumped.left == before.left
    elsewhere = LightFinder(board, CameraView(tilt=50.0, azimuth=200.0, distance=1100.0).pose(board))
    elsewhere.go_on_from(before)
    assert elsewhere.edges is None
