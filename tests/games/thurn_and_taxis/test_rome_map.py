"""The map of the roads to Rome beside the base board: what lies on it, and what a change on it suggests."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from companion.board.layout import load_board, parse_board
from companion.engine import random_game
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.games.thurn_and_taxis.actions import Move, Tell
from companion.games.thurn_and_taxis.game import GAME
from companion.position import parse_position
from companion.registry import game_folder, print_and_play_board
from companion.session.tracking import Finding, explain
from tests.games.thurn_and_taxis.components import zeal
from tests.tables import sight

BOARD = print_and_play_board("thurn_and_taxis")


def test_what_is_seen_on_the_map_is_explained_by_what_was_done() -> None:
    state = parse_position('game = "thurn_and_taxis"\nplayers = 3\nmodules = ["audience"]', "set-up").state
    assert {name.partition(" ")[0] for name in GAME.appearance(state)} == {"carriage"}
    seen = dict.fromkeys((Move, Tell), 0)
    for before, action, step in random_game(GAME, state, Random(5), zeal):
        look = GAME.appearance(step.state)
        if type(action) not in seen or look == GAME.appearance(before):
            continue
        found = explain(GAME, before, sight(BOARD, look))
        assert found.finding is Finding.ACTION
        if isinstance(action, Tell):
            assert any(action in candidate.actions for candidate in found.candidates)
        else:
            moves = [move for candidate in found.candidates for move in candidate.actions]
            assert (action.carriage, action.city) in {(move.carriage, move.city) for move in moves}
        seen[type(action)] += 1
    assert seen[Move] > 20
    assert seen[Tell] > 3


def _taken(sheet: Any) -> None:
    sheet["piece"][-1]["name"] = "house"
    place = next(group["place"] for group in sheet["group"] if group["name"] == "audience blue")
    place["Ulm"] = place.pop("cardinal")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda sheet: sheet.update(game="capitol"), "is of another game or palette"),
        (lambda sheet: sheet["markers"].update(first_id=24), "uses marker 24"),
        (_taken, "has a spot 'house blue/Ulm'"),
        (lambda sheet: sheet.update(beside={}), "names a third sheet"),
        (lambda sheet: sheet.pop("size"), "size"),
    ],
)
def test_sheets_that_do_not_go_together_are_refused(change: Callable[[Any], object], reason: str) -> None:
    document = deepcopy(dict(BOARD.definition))
    change(document["beside"]["rome"])
    with pytest.raises(InvalidDocument, match=reason):
        parse_board(DocumentTable(document, "layout.toml", ""))


def test_an_edition_without_the_map_is_played_without_the_audience() -> None:
    definition = {key: value for key, value in BOARD.definition.items() if key != "beside"}
    board = parse_board(DocumentTable(definition, "layout.toml", ""))
    table = parse_position('game = "thurn_and_taxis"', "set-up").state.table
    assert GAME.options(table)[0].names == ("none", "audience", "offices", "both")
    bare = type(table)(table.game, table.players, table.rulings, table.options, board)
    assert GAME.options(bare)[0].names == ("none", "offices")


def test_a_sheet_is_named_by_a_file_of_the_same_folder(tmp_path: Any) -> None:
    text = (game_folder("thurn_and_taxis") / "layout.toml").read_text(encoding="utf-8")
    path = tmp_path / "layout.toml"
    path.write_text(text.replace('"rome.toml"', '"../rome.toml"'), encoding="utf-8")
    with pytest.raises(InvalidDocument, match="name of a file beside layout"):
        load_board(path)
    path.write_text(text, encoding="utf-8")
    with pytest.raises((InvalidDocument, OSError), match=r"rome\.toml"):
        load_board(path)
