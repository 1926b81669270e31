"""The shipped profile is the one that today's artwork teaches."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from calibration.teaching import teach_from_artwork
from companion.registry import print_and_play_board
from vision.profile import load_profile, save_profile, shipped_profile


def test_the_shipped_profile_is_current(tmp_path: Path) -> None:
    board = print_and_play_board("city_of_marble")
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
