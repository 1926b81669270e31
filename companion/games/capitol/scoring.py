"""The scoring of the nine areas at the end of each round, and the score sheet it adds up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.events import Event
from companion.frozen import FrozenDict
from companion.games.capitol import events as e
from companion.games.capitol.areas import squares_of
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import AMPHITHEATRE, ROUNDS, TEMPLE, State
from companion.scoring import ScoreLine

FIRST_PLACE_POINTS, FOUNTAIN_POINTS = 2, 1
FIRST_PLACE_CARDS, SECOND_PLACE_CARDS = 2, 1
PLACES, FOUNTAINS, DOUBLING, CARRIED = "CAP-SCORE-8", "CAP-SCORE-9", "CAP-SCORE-10", "CAP-SCORE-11"
SCORING_RULES = (PLACES, FOUNTAINS, DOUBLING)
"""the rules by which points are scored in areas"""

effect = RULES.effect


@dataclass(frozen=True, slots=True)
class Presence:
    """What one player has in an area: all floors, and the height of the tallest building."""

    floors: int
    tallest: int


def presence(state: State, area: str) -> dict[int, Presence]:
    """The seats with buildings in an area, in order of seat, with what they have there."""
    heights: dict[int, list[int]] = {}
    for square in squares_of(state, area):
        building = state.buildings[square]
        heights.setdefault(building.seat, []).append(building.height)
    return {seat: Presence(sum(heights[seat]), max(heights[seat])) for seat in sorted(heights)}


def best_of(present: Mapping[int, Presence], *, by_height: bool = True) -> tuple[tuple[int, ...], str]:
    """The seats that are ahead, and what decides it: floors, height, or nothing, so that they share the place."""
    floors = max(there.floors for there in present.values())
    best = tuple(seat for seat, there in present.items() if there.floors == floors)
    if len(best) == 1:
        return best, "floors"
    if by_height:
        tallest = max(present[seat].tallest for seat in best)
        best = tuple(seat for seat in best if present[seat].tallest == tallest)
    return best, "height" if len(best) == 1 else "shared"


def fountains_in(state: State, area: str) -> tuple[str, ...]:
    """The squares of an area with a fountain, printed or won."""
    board = state.board
    return tuple(square for square in board.small[area] if square in board.fountains or square in state.fountains)


@effect("CAP-SCORE-1", e.ScoringBegan)
def count_areas(state: State, event: e.ScoringBegan) -> Iterator[Event]:
    for area in state.board.areas:
        present = presence(state, area)
        if present:
            floors = tuple(there.floors for there in present.values())
            yield e.AreaCounted(area, tuple(present), floors, tuple(there.tallest for there in present.values()))
    yield e.RoundScored(event.round)


def _first(state: State, area: str, by: str) -> Iterator[Event]:
    seats, reason = best_of(presence(state, area))
    if reason == by:
        yield e.FirstPlaceTaken(area, seats)


@effect("CAP-SCORE-2", e.AreaCounted)
def most_floors_come_first(state: State, event: e.AreaCounted) -> Iterator[Event]:
    yield from _first(state, event.area, "floors")


@effect("CAP-SCORE-3", e.AreaCounted)
def tallest_building_comes_first(state: State, event: e.AreaCounted) -> Iterator[Event]:
    yield from _first(state, event.area, "height")


@effect("CAP-SCORE-4", e.AreaCounted)
def equals_share_the_first_place(state: State, event: e.AreaCounted) -> Iterator[Event]:
    yield from _first(state, event.area, "shared")


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
    if state.monuments.get(large) == TEMPLE and event.rule != DOUBLING:
        yield e.PointsScored(DOUBLING, event.area, event.seat, event.points, (large,))


@effect("CAP-TILE-6", e.FirstPlaceTaken, e.SecondPlaceTaken)
def earn_extra_cards(state: State, event: e.FirstPlaceTaken | e.SecondPlaceTaken) -> Iterator[Event]:
    if state.monuments.get(state.board.large[event.area]) != AMPHITHEATRE or state.round == ROUNDS:
        return
    if isinstance(event, e.FirstPlaceTaken):
        cards = FIRST_PLACE_CARDS
    elif fountains_in(state, event.area) or state.ruling("amphitheatre_cards") == "place":
        cards = SECOND_PLACE_CARDS
    else:
        return
    for seat in event.seats:
        yield e.ExtraCardsEarned(seat, event.area, cards)


def _second(state: State, event: e.FirstPlaceTaken, by: str) -> Iterator[Event]:
    others = {seat: there for seat, there in presence(state, event.area).items() if seat not in event.seats}
    if not others or len(event.seats) > 1:
        return
    seats, reason = best_of(others, by_height=state.ruling("second_place_height") == "yes")
    if reason == by:
        yield e.SecondPlaceTaken(event.area, seats)


@effect("CAP-SCORE-5", e.FirstPlaceTaken)
def next_most_floors_come_second(state: State, event: e.FirstPlaceTaken) -> Iterator[Event]:
    yield from _second(state, event, "floors")


@effect("CAP-SCORE-6", e.FirstPlaceTaken)
def taller_building_comes_second(state: State, event: e.FirstPlaceTaken) -> Iterator[Event]:
    yield from _second(state, event, "height")


@effect("CAP-SCORE-7", e.FirstPlaceTaken)
def equals_share_the_second_place(state: State, event: e.FirstPlaceTaken) -> Iterator[Event]:
    yield from _second(state, event, "shared")


def _lines(state: State, rule: str) -> Iterator[ScoreLine]:
    for award in state.awards:
        if award.rule == rule:
            facts = FrozenDict[str, str | int](round=award.round, area=award.area, count=award.points)
            yield ScoreLine(rule, award.seat, award.points, award.squares, facts)


@RULES.score(PLACES)
def first_places(state: State) -> Iterator[ScoreLine]:
    yield from _lines(state, PLACES)


@RULES.score(FOUNTAINS)
def fountains(state: State) -> Iterator[ScoreLine]:
    yield from _lines(state, FOUNTAINS)


@RULES.score(DOUBLING)
def temples(state: State) -> Iterator[ScoreLine]:
    yield from _lines(state, DOUBLING)


@RULES.score(CARRIED)
def carried_points(state: State) -> Iterator[ScoreLine]:
    for seat in state.table.seats:
        points = state.holding(seat).points
        if points:
            yield ScoreLine(CARRIED, seat, points)
