"""The same piece in another picture is told from another piece by the picture alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.grids import LABELS, grid_board, random_tiles
from tests.vision.grids import Camera as Photographer
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator
from vision.spots.spot_comparison import change_odds, misfit
from vision.spots.spot_features import SIDE, Squares

BOARD = grid_board()
USUAL = 0.05
"""odds of a change where the picture says nothing"""


def patch(label: str, dice: np.random.Generator, shift: tuple[float, float] = (0, 0), light: float = 1.0) -> np.ndarray:
    """A tile as some picture shows it, displaced by pixels, in more or less light, with noise."""
    shape, colour = label.split()
    ink = {"red": (40, 40, 200), "blue": (190, 90, 30), "yellow": (40, 200, 230), "white": (235, 235, 235)}[colour]
    large = np.full((SIDE * 4, SIDE * 4, 3), 35, np.uint8)
    x, y = (round(4 * (SIDE / 2 + each)) for each in shift)
    if shape == "disc":
        cv2.circle(large, (x, y), 40, ink, -1)
    elif shape == "square":
        cv2.rectangle(large, (x - 40, y - 40), (x + 40, y + 40), ink, -1)
    else:
        cv2.line(large, (x - 40, y), (x + 40, y), ink, 22)
        cv2.line(large, (x, y - 40), (x, y + 40), ink, 22)
    small = cv2.resize(large, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float64)
    return np.clip(255 * (light * (small / 255) ** 2.2) ** (1 / 2.2) + dice.normal(0, 3, small.shape), 0, 255).astype(
        np.uint8
    )


def odds(first: np.ndarray, second: np.ndarray) -> float:
    level = np.zeros((1, 3))
    return float(change_odds(misfit(first[None], second[None], (level, level)))[0])


@pytest.mark.parametrize("label", ["disc red", "square white", "cross blue"])
@pytest.mark.parametrize(("shift", "light", "blur"), [((0, 0), 1.0, 0.0), ((2, -1.5), 0.7, 0.0), ((-3, 1), 1.3, 1.2)])
def test_a_displaced_look_in_other_light_is_the_same(
    label: str, shift: tuple[float, float], light: float, blur: float
) -> None:
    dice = np.random.default_rng(1)
    moved = patch(label, dice, shift, light)
    if blur:
        moved = np.asarray(cv2.GaussianBlur(moved, (0, 0), blur), np.uint8)
    assert odds(patch(label, dice), moved) < 0.01


@pytest.mark.parametrize("label", ["disc red", "square white", "cross blue"])
@pytest.mark.parametrize(("light", "veil"), [(0.3, 0), (0.8, 18), (0.35, 12)])
def test_a_shadow_or_glare_that_nobody_noticed_changes_no_piece(label: str, light: float, veil: int) -> None:
    dice = np.random.default_rng(3)
    other = np.clip(patch(label, dice, (1, -1), light).astype(int) + veil, 0, 255).astype(np.uint8)
    assert odds(patch(label, dice), other) < USUAL


def test_bare_ground_in_half_the_light_is_the_same() -> None:
    dice = np.random.default_rng(4)
    bare, dim = (np.clip(level + dice.normal(0, 3, (SIDE, SIDE, 3)), 0, 255).astype(np.uint8) for level in (160, 120))
    assert odds(bare, dim) < USUAL


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("disc red", "disc blue"),
        ("disc red", "square red"),
        ("cross white", "disc white"),
        ("disc yellow", "disc white"),
    ],
)
def test_another_piece_is_another(one: str, other: str) -> None:
    dice = np.random.default_rng(2)
    assert odds(patch(one, dice), patch(other, dice, (1, 1))) > USUAL


def test_photographs_from_two_places_differ_only_where_something_was_moved() -> None:
    look = random_tiles(BOARD, 5, 0.6)
    moved = dict(look) | {"tile C3": next(label for label in LABELS if label != look.get("tile C3"))}
    cameras = (Photographer(seed=3), Photographer(corners=((200, 90), (1080, 100), (1210, 860), (120, 840)), seed=4))
    squares = Squares(BOARD.pieces["tile"], list(BOARD.spots.values()))
    patches = []
    for camera, lying in zip(cameras, (look, moved), strict=True):
        image = camera.photograph(BOARD, lying)
        pose = BoardLocator(BOARD).at_corners(image, camera.taps(BOARD))
        assert isinstance(pose, FlatPose)
        patches.append(squares.patches(image, pose)[0])
    level = np.zeros((len(BOARD.spots), 3))
    likely = change_odds(misfit(patches[0], patches[1], (level, level)))
    assert [spot for spot, each in zip(BOARD.spots, likely, strict=True) if each > USUAL] == ["tile C3"]
