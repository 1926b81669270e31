"""The score sheet."""

from __future__ import annotations

from collections.abc import Iterator

from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis.rulebook import RULES
from companion.games.thurn_and_taxis.state import CARRIAGE_POINTS, CHIPS, END_TILE_POINTS, RANK_VALUES, State
from companion.scoring import ScoreLine

score = RULES.score


@score("TT-SCORE-1")
def carriages(state: State) -> Iterator[ScoreLine]:
    for seat in state.table.seats:
        carriage = state.holding(seat).carriage
        if carriage:
            facts = FrozenDict[str, str | int](carriage=carriage)
            yield ScoreLine("TT-SCORE-1", seat, CARRIAGE_POINTS[carriage], facts=facts)


@score("TT-SCORE-2")
def bonus_tiles(state: State) -> Iterator[ScoreLine]:
    for seat in state.table.seats:
        for tile in state.holding(seat).tiles:
            stack, _, value = tile.partition(" ")
            yield ScoreLine("TT-SCORE-2", seat, int(value), facts=FrozenDict[str, str | int](stack=stack))


@score("TT-SCORE-3")
def game_end_tile(state: State) -> Iterator[ScoreLine]:
    if state.ending:
        yield ScoreLine("TT-SCORE-3", state.ending, END_TILE_POINTS)


@score("TT-SCORE-4", deducts_at_end=True)
def houses_left(state: State) -> Iterator[ScoreLine]:
    for seat in state.table.seats:
        left = state.holding(seat).houses
        if left:
            yield ScoreLine("TT-SCORE-4", seat, -left, facts=FrozenDict[str, str | int](left=left))


@score("ARR-SCORE-1")
def audience_tiles(state: State) -> Iterator[ScoreLine]:
    values = RANK_VALUES[state.ruling("fifth_rank")]
    for rank, seats in state.audience.rome.items() if state.audience is not None else ():
        ruling = "fifth_rank" if len({reading[rank] for reading in RANK_VALUES.values()}) > 1 else ""
        for seat in seats:
            facts = FrozenDict[str, str | int](rank=rank)
            yield ScoreLine("ARR-SCORE-1", seat, values[rank], facts=facts, ruling=ruling)


@score("ARR-SCORE-2")
def victory_point_chips(state: State) -> Iterator[ScoreLine]:
    ruling = "chips" if sum(holding.chips for holding in state.holdings) > CHIPS else ""
    for seat in state.table.seats:
        chips = state.holding(seat).chips
        if chips:
            yield ScoreLine("ARR-SCORE-2", seat, chips, facts=FrozenDict[str, str | int](chips=chips), ruling=ruling)


@RULES.tie_break("TT-TIE-1", "the seat nearest clockwise to the game-end tile", is_order=True)
def nearest_to_the_end_tile(state: State) -> tuple[int, ...]:
    seats = len(state.table.players)
    if not state.ending:
        return (0,) * seats
    return tuple(seats - (seat - state.ending) % seats for seat in state.table.seats)
