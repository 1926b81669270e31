"""Foreign is where nothing explains a patch, with all beside it that has its colours and no better reason."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.printed.sheet.foreign import foreign_in

SIDE = 3.0
SKIN, WALL, PAPER = (65.0, 20.0, 22.0), (60.0, 14.0, 26.0), (95.0, 0.0, 5.0)


def scene_of(explained_wall: float) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
    """A hand of which half looks much like the wall of a stack beside it; what is foreign, and the wall."""
    lab = np.full((60, 80, 3), PAPER, np.float32)
    density, numbers = np.full((60, 80), -9.0, np.float32), np.zeros((60, 80), np.int16)
    lab[20:40, 10:25], lab[20:40, 25:40] = SKIN, WALL
    density[20:40, 10:40] = -15.0
    stack = np.s_[20:40, 40:50]
    lab[stack], density[stack], numbers[stack] = WALL, -15.0, 1
    explained = density.copy()
    explained[stack] = explained_wall
    wall = numbers > 0
    return foreign_in(lab, density, explained, numbers, np.ones((60, 80), bool), SIDE), wall


def test_what_a_piece_explains_is_not_taken_for_the_hand_beside_it() -> None:
    foreign, wall = scene_of(explained_wall=-6.0)
    assert foreign[22:38, 12:36].all()
    assert not foreign[:, 45:].any()
    assert (foreign[wall] > 0).mean() < 0.5


def test_what_only_seems_to_be_a_piece_belongs_to_the_hand() -> None:
    foreign, wall = scene_of(explained_wall=-13.0)
    assert (foreign[wall] > 0).mean() > 0.9


def test_nothing_is_foreign_on_a_bare_sheet() -> None:
    lab = np.full((60, 80, 3), PAPER, np.float32)
    density, none = np.full((60, 80), -9.0, np.float32), np.zeros((60, 80), np.int16)
    assert not foreign_in(lab, density, density, none, np.ones((60, 80), bool), SIDE).any()
