"""What people are asked beside a picture is as it was last read by a person."""

import pytest

from tests.every_game import EVERY_GAME
from tests.questions_asked import file_of, questions_asked


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_each_game_asks_what_its_file_says(game_id: str) -> None:
    file = file_of(game_id)
    assert file.is_file(), "scripts/goldens writes it"
    assert questions_asked(game_id) == file.read_text(encoding="utf-8"), "read `scripts/goldens` and what it changes"
