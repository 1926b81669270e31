"""The score sheet: podiums, and the bonus for the three highest."""

from __future__ import annotations

from collections.abc import Iterator

from companion.frozen import FrozenDict
from companion.games.aqua_romana.field import podium_places
from companion.games.aqua_romana.rulebook import RULES
from companion.games.aqua_romana.state import State
from companion.scoring import ScoreLine

BONUS = (4, 3, 2)
"""for the highest podium with a worker, the second and the third"""


def workers_on(state: State, podium: int) -> Iterator[tuple[int, str, str]]:
    """Seat, colour and site of the workers on a podium, in the order of their arrival."""
    for colour, place in zip(state.podiums[podium], podium_places(podium), strict=False):
        yield seat_of(state, colour), colour, f"podium/{place}"


def seat_of(state: State, colour: str) -> int:
    """The seat that plays a colour."""
    return next(aqueduct.seat for aqueduct in state.aqueducts.values() if aqueduct.colour == colour)


@RULES.score("AR-SCORE-1")
def score_podiums(state: State) -> Iterator[ScoreLine]:
    for podium in podiums_taken(state):
        for seat, colour, site in workers_on(state, podium):
            facts = FrozenDict[str, str | int](colour=colour, podium=podium)
            yield ScoreLine("AR-SCORE-1", seat, podium, (site,), facts)
    for colour in state.podiums.get(0, ()):
        yield ScoreLine("AR-SCORE-1", seat_of(state, colour), 0, (), FrozenDict(colour=colour, podium=0))


def podiums_taken(state: State) -> list[int]:
    """The podiums with workers, the highest first."""
    return sorted((podium for podium in state.podiums if podium), reverse=True)


@RULES.score("AR-SCORE-2")
def score_bonus(state: State) -> Iterator[ScoreLine]:
    ranked = [list(workers_on(state, podium)) for podium in podiums_taken(state)]
    if state.ruling("shared_podium_bonus") == "first_come":
        ranked = [[worker] for workers in ranked for worker in workers]
    full = [place for place, podium in enumerate(podiums_taken(state)) if len(state.podiums[podium]) > 1]
    for rank, (points, workers) in enumerate(zip(BONUS, ranked, strict=False), 1):
        for seat, colour, site in workers:
            facts = FrozenDict[str, str | int](colour=colour, rank=rank)
            ruling = "shared_podium_bonus" if full and rank > full[0] else ""
            yield ScoreLine("AR-SCORE-2", seat, points, (site,), facts, ruling)
