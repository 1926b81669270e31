"""What events are called that bring something along, or that ask for something only where there is something."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.games.city_of_marble import events as e
from companion.position import bare_table
from companion.registry import print_and_play_board
from companion.table import Player, Table
from companion.wording.texts import game_texts

GAME = "city_of_marble"


def seated() -> Table:
    return replace(bare_table(GAME, print_and_play_board(GAME)), players=(Player("Giulia", "black"),))


@pytest.mark.parametrize(
    ("space", "paid", "told"),
    [
        ("temple", True, "Giulia's magistrate comes home from the temple with its Imperium tile."),
        ("temple", False, "Giulia's magistrate comes home from the temple."),
        ("treasury", True, "Giulia's magistrate comes home from the Treasury with a coin."),
        ("treasury", False, "Giulia's magistrate comes home from the Treasury."),
    ],
)
def test_what_comes_home_with_a_magistrate_is_said(space: str, paid: bool, told: str) -> None:
    assert game_texts(GAME).event(e.MagistrateReturned(1, space, paid), seated()) == told


def test_no_bridge_values_are_asked_of_those_who_hold_no_bridge() -> None:
    told = game_texts(GAME).event(e.RevealBegun(), seated())
    assert told == "All turns are over: whoever holds bridge tiles tells their values."
