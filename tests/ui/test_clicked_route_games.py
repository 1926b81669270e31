"""Real clicks in a real, small window, games where routes grow: from the set-up by touch alone to the score sheet."""

from pathlib import Path

import pytest

from tests.ui.clicking import MARKS, SMALL, check_clicked_game

pytestmark = MARKS


@pytest.mark.parametrize("words", ["aqua_romana --seed 4", "thurn_and_taxis --set-up modules=both --seed 1"])
def test_a_game_is_clicked_from_the_first_screen_to_its_final_score(words: str, tmp_path: Path) -> None:
    check_clicked_game(words, tmp_path, SMALL)
