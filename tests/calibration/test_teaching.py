"""The shipped profiles are those that today's artwork teaches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.teaching import teach_from_artwork
from companion.board.layout import Board
from companion.registry import GAMES, print_and_play_board
from vision.printed.profile import load_profile, save_profile, shipped_profile


@pytest.mark.parametrize(
    "board", [pytest.param(sheet, id=sheet.id) for game in GAMES for sheet in print_and_play_board(game).sheets]
)
def test_the_shipped_profiles_are_current(board: Board, tmp_path: Path) -> None:
    taught = teach_from_artwork(board)
    shipped = load_profile(shipped_profile(board), board)
    assert shipped.faces.keys() == taught.faces.keys()
    stale = "run scripts/profiles: the artwork has changed since the profile was taught"
    assert np.abs(shipped.sheet.astype(int) - taught.sheet).mean() < 0.5, stale
    for key, face in taught.faces.items():
        assert np.abs(shipped.faces[key].image.astype(int) - face.image).mean() < 0.5, stale
    again = tmp_path / "again.zip"
    save_profile(taught, again)
    save_profile(taught, tmp_path / "twice.zip")
    assert again.read_bytes() == (tmp_path / "twice.zip").read_bytes()
