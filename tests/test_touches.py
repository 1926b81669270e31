"""The count of touches: what it plays is recorded, and the ways it finds are those of the screen."""

from random import Random

import pytest

from benchmarks.touches import Game, Told, _touches
from tests.ui.test_picking import laying
from ui.table.picking import Picking


@pytest.mark.parametrize(("game_id", "seed"), [("city_of_marble", 2), ("aqua_romana", 3)])
def test_a_whole_game_is_told_by_touches(game_id, seed):
    game = Game(game_id, Random(seed))
    game.play()
    assert game.session.is_over
    assert not game.hidden
    assert game.slips > 0
    undone = sum(1 for entry in game.session.entries if entry.action) - len(game.session.moves)
    assert undone == game.slips
    assert len(game.told) == len(game.session.moves)
    assert all(told.touches or told.alone for told in game.told)


def test_what_a_camera_sees_and_a_box_presses_takes_no_touch():
    told = [Told(1, 2, is_seen=True), Told(1, 1, is_pressed=True), Told(2, 3)]
    assert _touches(told, "by touch") == [3, 3]
    assert _touches(told, "with a camera") == [1, 3]
    assert _touches(told, "with boxes") == [2, 3]


def test_reasons_against_something_are_folded_and_what_may_be_done_is_not():
    from dataclasses import replace

    picking = Picking()
    may = laying("ward F8-G8", "red")
    not_now = tuple(replace(laying("ward F8-G8", colour), group="Why not?", forbidden=True) for colour in "abc")
    picking.take((may, *not_now))
    folded = picking.cards_with_reasons_folded()
    assert [(card.key, card.count) for card in folded] == [(may.key, 0), ("Why not?", 3)]
