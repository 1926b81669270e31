"""What stacks are made of is learned from the picture, and the table beyond the sheet may be of the same colour."""

from __future__ import annotations

import numpy as np

from companion.registry import print_and_play_board
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.stacks.colours import StackColours, learned
from vision.printed.stacks.forms import stack_kind_of


def test_walls_of_a_learned_colour_explain_the_sheet_better_but_not_the_table() -> None:
    board = print_and_play_board("capitol")
    kind = stack_kind_of(board)
    assert kind is not None
    looks = [(rider.name, label) for rider in kind.riders for label in rider.labels]
    colours = StackColours(load_profile(shipped_profile(board), board), kind, looks)
    grey = np.full((40, 60, 3), (45.0, 3.0, 4.0), np.float32)
    on_sheet = np.zeros((40, 60), bool)
    on_sheet[:, :30] = True
    before = colours.evidence(colours.cells(grey), np.full((40, 60), -14.0, np.float32), on_sheet)
    after = learned(before, walls=on_sheet)
    assert (after.body[0] > before.body[0] + 1.0).all()
    assert (after.body[0] > after.sheet)[on_sheet].all()
    assert (after.body.max(axis=0) <= after.sheet)[~on_sheet].all()
