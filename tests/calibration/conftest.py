"""The printed edition of City of Marble."""

import pytest

from calibration.components import Component, load_components
from companion.board.layout import Board
from companion.registry import game_folder, print_and_play_board


@pytest.fixture(scope="session")
def board() -> Board:
    return print_and_play_board("city_of_marble")


@pytest.fixture(scope="session")
def components(board: Board) -> tuple[Component, ...]:
    return load_components(game_folder("city_of_marble") / "components.toml", board)
