"""Which open spots of a picture somebody is asked about: those that may change the score."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.errors import InvalidDocument
from companion.photographs.last_board import LastBoard
from companion.photographs.spots_to_ask import spots_that_count
from companion.position import parse_position

CITY = parse_position(
    """
game = "city_of_marble"
players = [{ name = "Giulia", colour = "purple" }, { name = "Tiberio", colour = "white" }]
hills = ["Capitoline", "Palatine", "Aventine"]
wards = ["F7-G7 green", "G7-H6 blue", "G7-G8 green"]
buildings = ["G7 temple 1", "H7 baths 2"]
stage = "over"
""",
    "end",
)
LOOK = CITY.game.appearance(CITY.state)
BOARD = CITY.state.table.board
ENTRIES = {"players": [{"name": player.name, "colour": player.colour} for player in CITY.state.table.players]}
SOURCE = BOARD.features["source"]["white"]
FAR = next(spot for spot in BOARD.spots if spot.startswith("aqueduct ") and SOURCE not in spot)


def _asked(
    doubtful: Mapping[str, Mapping[str, float]], covered: tuple[str, ...] = (), look: Mapping[str, str] = LOOK
) -> set[str]:
    chances = {spot: shares for spot, shares in doubtful.items() if max(shares.values()) < 0.9}
    last = LastBoard(CITY.game, BOARD, ENTRIES, look)
    return set(spots_that_count(last, doubtful, chances.keys(), covered))


def test_nothing_open_asks_nothing() -> None:
    assert _asked({}) == set()


def test_a_building_that_may_be_another_is_asked_about_and_a_magistrate_is_not() -> None:
    doubts = {"building G7": {"temple": 0.6, "arena": 0.4}, "magistrate F7-G7": {"": 0.6, "purple": 0.4}}
    assert _asked(doubts) == {"building G7"}


def test_a_label_that_is_hardly_possible_is_not_asked_about() -> None:
    assert _asked({"building G7": {"temple": 0.6, "arena": 0.009}}) == set()
    assert _asked({"building G7": {"temple": 0.6, "arena": 0.1}}) == {"building G7"}


def test_what_the_rules_rule_out_is_not_asked_about() -> None:
    fourth = next(spot for spot in BOARD.spots if spot.startswith("hill ") and spot not in LOOK)
    assert _asked({FAR: {"": 0.6, "white": 0.4}, fourth: {"": 0.6, "hill": 0.4}}) == set()


def test_a_building_and_its_cube_of_which_neither_may_be_alone_are_asked_about() -> None:
    doubts = {"building F8": {"": 0.6, "arena": 0.4}, "cube F8": {"": 0.6, "white": 0.4}}
    assert _asked({**doubts, "magistrate F7-G7": {"": 0.6, "purple": 0.4}}) == doubts.keys()


def test_of_what_is_covered_the_kinds_that_count_are_asked_about() -> None:
    assert _asked({}, ("building F8", "cube F8", "magistrate F7-G7", "ward F8-G8")) == {"building F8", "cube F8"}


def test_where_no_game_ends_so_what_would_mend_it_is_asked_about_however_sure_it_looked() -> None:
    look = {spot: label for spot, label in LOOK.items() if spot != "cube G7"}
    doubts = {"cube G7": {"": 0.97, "purple": 0.03}, "magistrate F7-G7": {"": 0.6, "purple": 0.4}}
    assert _asked(doubts, ("ward F8-G8",), look) == {"cube G7", "ward F8-G8"}
    del doubts["cube G7"]
    assert _asked(doubts, (), look) == {"magistrate F7-G7"}


def test_of_many_doubtful_spots_all_are_asked_about() -> None:
    doubts = {spot: {"": 0.6, "purple": 0.4} for spot in BOARD.spots if spot.startswith("magistrate ")}
    assert len(doubts) > 30
    assert _asked(doubts) == doubts.keys()


def test_a_label_whose_fault_nobody_would_notice_must_be_surer() -> None:
    assert _asked({"building G7": {"temple": 0.95, "arena": 0.05}}) == {"building G7"}
    assert _asked({"building G7": {"temple": 0.99, "arena": 0.01}}) == set()
    assert _asked({"ward F7-G7": {"green": 0.95, "blue": 0.05}}) == set()


def test_a_cube_on_no_building_ends_no_game_so_that_the_building_is_asked_about() -> None:
    look = {spot: label for spot, label in LOOK.items() if spot != "building G7"}
    assert _asked({"building G7": {"": 0.95, "temple": 0.05}, "cube G7": {"purple": 1.0}}, (), look) == {"building G7"}


@pytest.mark.parametrize(("label", "where"), [("", "no building"), ("fountain", "a fountain")])
def test_a_cube_on_no_building_is_named(label: str, where: str) -> None:
    look = {spot: shown for spot, shown in LOOK.items() if spot != "building G7"} | (
        {"building G7": label} if label else {}
    )
    colour = LOOK["cube G7"]
    with pytest.raises(InvalidDocument, match=f"cube G7: shows {colour}, but lies on {where}"):
        LastBoard(CITY.game, BOARD, ENTRIES, look).position({})
