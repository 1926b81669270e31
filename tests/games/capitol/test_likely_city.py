"""What the rules tell of a city that a picture shows without certainty, and what of it must be asked."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from random import Random

from companion.engine import scores
from companion.games.capitol.geometry import geometry
from companion.games.capitol.likely_city import _placed, _Standing
from companion.photographs.last_board import LastBoard
from companion.photographs.spots_to_ask import judged
from companion.registry import load_game, print_and_play_board

GAME, BOARD = load_game("capitol"), print_and_play_board("capitol")
PLAYERS = [{"name": "Giulia", "colour": "red"}, {"name": "Tiberio", "colour": "blue"}]
LAST = LastBoard(GAME, BOARD, {"players": PLAYERS}, {})
SEEN = {spot: {"": 1.0} for spot in BOARD.spots}
LOW_OR_HIGH = {"1": 0.45, "2": 0.55}
DOME = "dome Palatine/3"


def _building(square: str, owner: str, floors: Mapping[str, float], piece: str = "dome") -> dict[str, dict[str, float]]:
    return {f"floor {square}": dict(floors), f"{piece} {square}": {owner: 1.0}}


def _judged(seen: Mapping[str, Mapping[str, float]], covered: tuple[str, ...] = ()) -> tuple[dict[str, str], set[str]]:
    """What most likely lies there and what is asked about; whatever is not told of is empty for sure."""
    chances = {spot: shares for spot, shares in {**SEEN, **seen}.items() if spot not in covered}
    likely = {spot: max(shares, key=shares.__getitem__) for spot, shares in chances.items()}
    look = {spot: label for spot, label in likely.items() if label}
    doubtful = [spot for spot, shares in chances.items() if max(shares.values()) < 0.9]
    found = judged(LAST.looking(look), chances, doubtful, covered)
    return dict(found.last.look), set(found.asked)


def test_the_only_building_of_an_area_has_one_floor() -> None:
    look, asked = _judged(_building("Palatine/1", "red", LOW_OR_HIGH))
    assert look["floor Palatine/1"] == "1"
    assert not asked


def test_of_two_owners_one_answer_tells_who_comes_first() -> None:
    both = _building("Palatine/1", "red", {"1": 0.005, "2": 0.995}) | _building("Palatine/2", "blue", LOW_OR_HIGH)
    look, asked = _judged(both)
    assert (look["floor Palatine/1"], look["floor Palatine/2"]) == ("2", "1")
    assert not asked
    _, asked = _judged(_building("Palatine/1", "red", LOW_OR_HIGH) | _building("Palatine/2", "blue", LOW_OR_HIGH))
    assert asked == {"floor Palatine/1", "floor Palatine/2"}
    _, asked = _judged(_building("Palatine/1", "red", {"2": 1.0}) | _building("Palatine/2", "blue", LOW_OR_HIGH))
    assert not asked


def test_heights_of_one_owner_alone_are_not_asked_about() -> None:
    _, asked = _judged(_building("Palatine/1", "red", LOW_OR_HIGH) | _building("Palatine/2", "red", LOW_OR_HIGH))
    assert not asked


def test_an_owner_in_doubt_is_asked_about_and_a_shape_is_not() -> None:
    owners = {"red": 0.5, "blue": 0.5}
    _, asked = _judged(_building("Palatine/3", "red", {"1": 1.0}) | {DOME: owners})
    assert asked == {DOME}
    shapes = {DOME: {"red": 0.6, "": 0.4}, "gable Palatine/3": {"": 0.6, "red": 0.4}}
    _, asked = _judged(_building("Palatine/3", "red", {"1": 1.0}) | shapes)
    assert not asked


def test_a_roof_has_the_shape_that_the_others_of_its_area_have() -> None:
    other = {DOME: {"": 0.6, "red": 0.4}, "gable Palatine/3": {"red": 0.6, "": 0.4}}
    seen = _building("Palatine/1", "red", {"1": 1.0}) | _building("Palatine/3", "red", {"1": 1.0}) | other
    look, asked = _judged(seen)
    assert look[DOME] == "red"
    assert "gable Palatine/3" not in look
    assert not asked


def test_what_was_not_seen_is_asked_about_where_it_may_matter_the_roof_last() -> None:
    hidden = ("floor Palatine/5", "dome Palatine/5", "gable Palatine/5", "fountain Palatine/5")
    look, asked = _judged(_building("Palatine/1", "red", {"1": 1.0}), hidden)
    assert look == {"floor Palatine/1": "1", "dome Palatine/1": "red"}
    assert asked == {"floor Palatine/5", "fountain Palatine/5"}
    chances = {spot: shares for spot, shares in SEEN.items() if spot not in hidden}
    told = LAST.looking({"floor Palatine/5": "1"})
    assert "dome Palatine/5" in judged(told, chances, (), hidden[1:]).asked


def test_where_something_surely_stands_against_the_rules_they_tell_nothing_of_the_rest() -> None:
    high = _building("Palatine/1", "red", {"3": 1.0}) | _building("Palatine/2", "blue", {"3": 1.0})
    look, asked = _judged(high | _building("Viminal/1", "red", LOW_OR_HIGH))
    assert (look["floor Palatine/1"], look["floor Palatine/2"]) == ("3", "3")
    assert look["floor Viminal/1"] == "2"
    assert not asked


def test_areas_in_which_players_are_placed_alike_score_alike() -> None:
    random, area = Random(5), "Palatine"
    squares = (*geometry(BOARD).buildable[area], geometry(BOARD).large[area])
    table = LAST.table
    found = []
    for _ in range(150):
        heights = [random.choice((0, 0, 1, 1, 2)) for _ in squares[:-1]]
        city = [
            _Standing(height, random.choice(("red", "blue")))
            if height
            else _Standing(tile=random.choice(("", "fountain")))
            for height in heights
        ]
        city.append(_Standing(tile=random.choice(("", "temple", "amphitheatre"))))
        look = {}
        for square, (height, owner, tile) in zip(squares, city, strict=True):
            look |= {f"floor {square}": str(height), f"dome {square}": owner} if height else {}
            look |= {f"{'monument' if square == squares[-1] else 'fountain'} {square}": tile} if tile else {}
        if sum(owner == "red" for _, owner, _ in city) <= 5 and sum(owner == "blue" for _, owner, _ in city) <= 5:
            sheet = scores(GAME, LAST.looking(look).position({}).state)
            found.append((_placed(tuple(city), table, 0), sheet.totals))
    assert len({totals for _, totals in found}) > 10
    for (placed, totals), (other, others) in combinations(found, 2):
        assert placed != other or totals == others
