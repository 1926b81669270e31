"""The scoring of the nine areas at the end of each round, and the score sheet it adds up to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.events import Event
from companion.frozen import FrozenDict, frozen
from companion.games.capitol import events as e
from companion.games.capitol.areas import squares_of
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import AMPHITHEATRE, ROUNDS, TEMPLE, Award, State
from companion.scoring import ScoreLine

FIRST_PLACE_POINTS, FOUNTAIN_POINTS = 2, 1
FIRST_PLACE_CARDS, SECOND_PLACE_CARDS = 2, 1
PLACES, FOUNTAINS, DOUBLING, CARRIED = "CAP-SCORE-8", "CAP-SCORE-9", "CAP-SCORE-10", "CAP-SCORE-11"
UNTOLD = "?"
"""shown where a position does not say how many floors there were"""
SCORING_RULES = (PLACES, FOUNTAINS, DOUBLING)
"""the rules by which points are scored in areas"""

effect = RULES.effect


@frozen
class Placing:
    """Who is first and second in an area, and what decides it: floors, height, or nothing, so that a rank is shared.

    Nobody is second where only one player has buildings or the first rank is shared.
    """

    first: tuple[int, ...]
    first_by: str
    second: tuple[int, ...] = ()
    second_by: str = ""


@lru_cache(maxsize=1 << 12)
def placing(
    seats: tuple[int, ...], floors: tuple[int, ...], heights: tuple[int, ...], second_by_height: bool
) -> Placing:
    """The placing of seats by their floors and tallest buildings in an area, at least one seat."""
    present = {seat: there for seat, *there in zip(seats, floors, heights, strict=True)}
    first, first_by = _ahead(present, by_height=True)
    others = {seat: there for seat, there in present.items() if seat not in first}
    if len(first) > 1 or not others:
        return Placing(first, first_by)
    return Placing(first, first_by, *_ahead(others, by_height=second_by_height))


def _ahead(present: dict[int, list[int]], *, by_height: bool) -> tuple[tuple[int, ...], str]:
    best = tuple(present)
    for quantity, name in enumerate(("floors", "height") if by_height else ("floors",)):
        most = max(present[seat][quantity] for seat in best)
        best = tuple(seat for seat in best if present[seat][quantity] == most)
        if len(best) == 1:
            return best, name
    return best, "shared"


def fountains_in(state: State, area: str) -> tuple[str, ...]:
    """The squares of an area with a fountain, printed or won."""
    printed, won = state.board.fountains, state.city.fountains
    return tuple([square for square in state.board.small[area] if square in printed or square in won])


@effect("CAP-SCORE-1", e.ScoringBegan)
def count_areas(state: State, event: e.ScoringBegan) -> Iterator[Event]:
    for area in state.board.areas:
        heights: dict[int, list[int]] = {}
        for square in squares_of(state, area):
            building = state.city.buildings[square]
            heights.setdefault(building.seat, []).append(building.height)
        if heights:
            seats = tuple(sorted(heights))
            floors, tallest = (tuple(quantity(heights[seat]) for seat in seats) for quantity in (sum, max))
            yield e.AreaCounted(area, seats, floors, tallest)
    yield e.RoundScored(event.round)


def _placing(state: State, event: e.AreaCounted) -> Placing:
    return placing(event.seats, event.floors, event.heights, state.ruling("second_place_height") == "yes")


def _first(state: State, event: e.AreaCounted, by: str) -> tuple[Event, ...]:
    places = _placing(state, event)
    return (e.FirstPlaceTaken(event.area, places.first),) if places.first_by == by else ()


def _second(state: State, event: e.AreaCounted, by: str) -> tuple[Event, ...]:
    places = _placing(state, event)
    return (e.SecondPlaceTaken(event.area, places.second),) if places.second_by == by else ()


@effect("CAP-SCORE-2", e.AreaCounted)
def most_floors_come_first(state: State, event: e.AreaCounted) -> tuple[Event, ...]:
    return _first(state, event, "floors")


@effect("CAP-SCORE-3", e.AreaCounted)
def tallest_building_comes_first(state: State, event: e.AreaCounted) -> tuple[Event, ...]:
    return _first(state, event, "height")


@effect("CAP-SCORE-4", e.AreaCounted)
def equals_share_the_first_place(state: State, event: e.AreaCounted) -> tuple[Event, ...]:
    return _first(state, event, "shared")


@effect("CAP-SCORE-5", e.AreaCounted)
def next_most_floors_come_second(state: State, event: e.AreaCounted) -> tuple[Event, ...]:
    return _second(state, event, "floors")


@effect("CAP-SCORE-6", e.AreaCounted)
def taller_building_comes_second(state: State, event: e.AreaCounted) -> tuple[Event, ...]:
    return _second(state, event, "height")


@effect("CAP-SCORE-7", e.AreaCounted)
def equals_share_the_second_place(state: State, event: e.AreaCounted) -> tuple[Event, ...]:
    return _second(state, event, "shared")


@effect(PLACES, e.FirstPlaceTaken)
def score_the_first_place(state: State, event: e.FirstPlaceTaken) -> Iterator[Event]:
    for seat in event.seats:
        yield e.PointsScored(PLACES, event.area, seat, FIRST_PLACE_POINTS, squares_of(state, event.area, seat))


@effect(FOUNTAINS, e.FirstPlaceTaken, e.SecondPlaceTaken)
def score_the_fountains(state: State, event: e.FirstPlaceTaken | e.SecondPlaceTaken) -> Iterator[Event]:
    squares = fountains_in(state, event.area)
    for seat in event.seats if squares else ():
        yield e.PointsScored(FOUNTAINS, event.area, seat, FOUNTAIN_POINTS * len(squares), squares)


@effect(DOUBLING, e.PointsScored)
def double_by_a_temple(state: State, event: e.PointsScored) -> Iterator[Event]:
    large = state.board.large[event.area]
    if state.city.monuments.get(large) == TEMPLE and event.rule != DOUBLING:
        yield e.PointsScored(DOUBLING, event.area, event.seat, event.points, (large,))


@effect("CAP-TILE-5", e.FirstPlaceTaken, e.SecondPlaceTaken)
def earn_extra_cards(state: State, event: e.FirstPlaceTaken | e.SecondPlaceTaken) -> Iterator[e.ExtraCardsEarned]:
    if state.city.monuments.get(state.board.large[event.area]) != AMPHITHEATRE or state.round == ROUNDS:
        return
    if isinstance(event, e.FirstPlaceTaken):
        cards = FIRST_PLACE_CARDS
    elif fountains_in(state, event.area) or state.ruling("amphitheatre_cards") == "place":
        cards = SECOND_PLACE_CARDS
    else:
        return
    for seat in event.seats:
        yield e.ExtraCardsEarned(seat, event.area, cards)


def cards_earned(state: State) -> tuple[int, ...]:
    """By seat, the cards that the amphitheatres add to the draw of a round in which the city lies as it does."""
    earned = [0] * len(state.holdings)
    for counted in count_areas(state, e.ScoringBegan(state.round)):
        if isinstance(counted, e.AreaCounted):
            places = _placing(state, counted)
            for taken in (
                e.FirstPlaceTaken(counted.area, places.first),
                e.SecondPlaceTaken(counted.area, places.second),
            ):
                for extra in earn_extra_cards(state, taken):
                    earned[extra.seat - 1] += extra.cards
    return tuple(earned)


def _placed_lines(state: State, rule: str) -> Iterator[ScoreLine]:
    firsts = {(award.round, award.area, award.seat): award.floors for award in state.awards if award.rule == PLACES}
    floors_of_first = {(number, area): floors for (number, area, _), floors in firsts.items()}
    for award in state.awards:
        if award.rule == rule:
            second = (award.round, award.area, award.seat) not in firsts
            tied = second and award.floors and floors_of_first.get((award.round, award.area)) == award.floors
            facts: dict[str, str | int] = {
                "round": award.round, "area": award.area, "count": award.points,
                "place": "second" if second else "first",
                "floors": award.floors or UNTOLD, "tallest": award.tallest or UNTOLD,
            }  # fmt: skip
            if tied:
                facts["lost_by"] = "height"
            ruling = "second_place_height" if second and _shared_by_ruling(state, award) else ""
            yield ScoreLine(rule, award.seat, award.points, award.squares, FrozenDict(facts), ruling)


def _shared_by_ruling(state: State, award: Award) -> bool:
    """Whether several have a second place only because their tallest buildings do not count for it."""
    here = [each for each in state.awards if (each.round, each.area) == (award.round, award.area)]
    firsts = {each.seat for each in here if each.rule == PLACES}
    return len({each.tallest for each in here if each.rule == FOUNTAINS and each.seat not in firsts}) > 1


@RULES.score(PLACES)
def first_places(state: State) -> Iterator[ScoreLine]:
    yield from _placed_lines(state, PLACES)


@RULES.score(FOUNTAINS)
def fountains(state: State) -> Iterator[ScoreLine]:
    yield from _placed_lines(state, FOUNTAINS)


@RULES.score(DOUBLING)
def temples(state: State) -> Iterator[ScoreLine]:
    doubled: dict[tuple[int, str, int, tuple[str, ...]], int] = {}
    for award in state.awards:
        if award.rule == DOUBLING:
            which = award.round, award.area, award.seat, award.squares
            doubled[which] = doubled.get(which, 0) + award.points
    for (number, area, seat, squares), points in doubled.items():
        facts = FrozenDict[str, str | int](round=number, area=area, count=points)
        yield ScoreLine(DOUBLING, seat, points, squares, facts)


@RULES.score(CARRIED)
def carried_points(state: State) -> Iterator[ScoreLine]:
    for seat in state.table.seats:
        points = state.holding(seat).points
        if points:
            yield ScoreLine(CARRIED, seat, points)
