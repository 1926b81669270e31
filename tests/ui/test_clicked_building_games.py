"""Real clicks in a real window, games where buildings rise: from the set-up by touch alone to the score sheet."""

from pathlib import Path

import pytest

from tests.ui.clicking import LARGE, MARKS, check_clicked_game

pytestmark = MARKS


@pytest.mark.parametrize("words", ["city_of_marble --seed 1", "capitol --seed 5"])
def test_a_game_is_clicked_from_the_first_screen_to_its_final_score(words: str, tmp_path: Path) -> None:
    check_clicked_game(words, tmp_path, LARGE)
