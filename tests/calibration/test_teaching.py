"""The shipped profiles are those that today's artwork teaches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.registry import ART
from calibration.teaching import teach_from_artwork
from companion.board.layout import Board
from companion.registry import GAMES, print_and_play_board
from vision.printed.pieces.profile import has_profile, load_profile, save_profile, shipped_profile

SHEETS = [sheet for game in GAMES for sheet in print_and_play_board(game).sheets]
TAUGHT = [pytest.param(sheet, id=sheet.id) for sheet in SHEETS if has_profile(sheet)]


def test_what_is_taught_of_a_board_with_art_of_its_own_comes_with_the_program() -> None:
    assert [sheet.id for sheet in SHEETS if sheet.game in ART and not has_profile(sheet)] == []


@pytest.mark.parametrize("board", TAUGHT)
def test_the_shipped_profiles_are_current(board: Board, tmp_path: Path) -> None:
    taught = teach_from_artwork(board)
    shipped = load_profile(shipped_profile(board), board)
    assert shipped.faces.keys() == taught.faces.keys()
    assert shipped.second.keys() == taught.second.keys()
    stale = "run scripts/profiles: the artwork has changed since the profile was taught"
    assert np.abs(shipped.sheet.astype(int) - taught.sheet).mean() < 0.5, stale
    for key, face in taught.faces.items():
        assert np.abs(shipped.faces[key].image.astype(int) - face.image).mean() < 0.5, stale
    for key, face in taught.second.items():
        assert np.abs(shipped.second[key].image.astype(int) - face.image).mean() < 0.5, stale
    again = tmp_path / "again.zip"
    save_profile(taught, again)
    save_profile(taught, tmp_path / "twice.zip")
    assert again.read_bytes() == (tmp_path / "twice.zip").read_bytes()
