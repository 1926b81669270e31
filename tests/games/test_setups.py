"""A position that names nothing but the table is the position after set-up, whatever the table chose."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.position import parse_position, read_position
from companion.registry import load_game
from tests.conformance import few_outcomes
from tests.every_game import EVERY_GAME


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_a_position_that_names_only_the_table_is_as_after_set_up(game_id: str) -> None:
    game = load_game(game_id)
    fewest, most = game.info.seats
    rulings = [{}, *({name: reading} for name, each in game.rulebook.rulings.items() for reading in each.readings)]
    for seats in range(fewest, most + 1):
        for outcomes in few_outcomes(game_id):
            for chosen in rulings:
                document: dict[str, Any] = {"game": game_id, "players": seats, "rulings": chosen, **outcomes}
                state = read_position(DocumentTable(document, "set-up", "")).state
                assert state == game.setup(state.table)
                assert hash(state) == hash(game.setup(state.table))


def test_an_empty_table_of_counts_is_not_left_out() -> None:
    wards = parse_position('game = "city_of_marble"\nstacks = {}\n[player.1]\natrium = {}', "position").state
    assert not any(wards.holding(1).atrium.values())
    assert not any(wards.stacks.values())
    assert all(wards.holding(2).atrium.values())
    tiles = parse_position('game = "aqua_romana"\nbuilders = { 38 = "curve" }\nstock = {}', "position").state
    assert not any(tiles.stock.values())
    with pytest.raises(InvalidDocument, match=r"unplaced|step"):
        parse_position('game = "aqua_romana"\nunplaced = {}', "position")
    with pytest.raises(InvalidDocument, match=r"player\.1\.roofs: there are 5"):
        parse_position('game = "capitol"\n[player.1]\nroofs = {}', "position")
