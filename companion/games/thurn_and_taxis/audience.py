"""The Audience: carriages on their way to Rome and the clergy they carry."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Event
from companion.facts import Fact
from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis import events as e
from companion.games.thurn_and_taxis.actions import Decline, Move, Tell
from companion.games.thurn_and_taxis.geometry import CARRIAGE_OF, ROME
from companion.games.thurn_and_taxis.rulebook import RULES
from companion.games.thurn_and_taxis.state import MOVE, RANKS, State, has_house, open_carriages, step_of
from companion.legality import Group, Violation

check, effect = RULES.check, RULES.effect


@check("ARR-MOVE-2", Group.PLACE, Move, in_time=True)
def card_got_no_house(state: State, card: str) -> Violation | None:
    closing = state.closing
    if closing is not None and card in closing.unused:
        return None
    housed = () if closing is None else closing.housed
    why = "housed" if card in housed else "moved"
    if card not in state.turn_holding.route:
        why = ""
    elif not housed and has_house(state, card, state.active):  # a position may leave out which cities got houses
        why = "either"
    return Violation("ARR-MOVE-2", facts=FrozenDict(card=card), wording=why)


@check("ARR-MOVE-3", Group.PLACE, Move)
def carriage_is_under_way(state: State, carriage: str) -> Violation | None:
    if state.audience is None or state.audience.carriages[carriage] != ROME:
        return None
    return Violation("ARR-MOVE-3", facts=FrozenDict(carriage=carriage))


@check("ARR-MOVE-4", Group.RULE, Move)
def card_moves_its_own_carriage(state: State, card: str, carriage: str) -> Violation | None:
    own = CARRIAGE_OF.get(state.board.province_of[card])
    if own is None or own == carriage or state.audience is None or state.audience.carriages[own] == ROME:
        return None
    return Violation("ARR-MOVE-4", facts=FrozenDict(card=card, own=own))


@check("ARR-MOVE-5", Group.PLACE, Move)
def road_leads_south(state: State, carriage: str, city: str) -> Violation | None:
    if state.audience is None:
        return None
    place = state.audience.carriages[carriage]
    if place == ROME or city in state.rome.exits[place]:
        return None
    facts = FrozenDict[str, Fact](place=place, city=city, exits=tuple(state.rome.exits[place]))
    return Violation("ARR-MOVE-5", facts=facts)


@check("ARR-MOVE-8", Group.RULE, Decline)
def moving_is_compulsory(state: State) -> Violation | None:
    compulsory = step_of(state) == MOVE and state.ruling("carriage_moves") == "compulsory"
    return Violation("ARR-MOVE-8") if compulsory else None


@check("ARR-ARRIVE-2", Group.RULE, Tell)
def rank_is_new(state: State, rank: str) -> Violation | None:
    if state.audience is None or not state.audience.telling:
        return None
    if rank in ranks_told(state, state.actor):
        return Violation("ARR-ARRIVE-2", facts=FrozenDict(rank=rank))
    return None


def moves(state: State) -> list[tuple[str, str, str]]:
    """The cards that got no house, with the carriages under way and the next cities on their roads."""
    if state.audience is None or state.closing is None:
        return []
    places = {carriage: state.audience.carriages[carriage] for carriage in open_carriages(state.audience)}
    return [
        (card, carriage, city)
        for card in state.closing.unused
        for carriage, place in places.items()
        for city in state.rome.exits[place]
    ]


def ranks_told(state: State, seat: int) -> tuple[str, ...]:
    """The ranks of a seat's audience tiles that were turned over."""
    told = state.audience.told.values() if state.audience is not None else ()
    return tuple(ranks[seat - 1] for ranks in told if len(ranks) >= seat)


@effect("ARR-MOVE-6", e.HousingEnded)
def cards_without_house_move_carriages(state: State, event: e.HousingEnded) -> Iterator[Event]:
    if state.audience is None or state.closing is None:
        return
    unused = tuple(card for card in state.holding(event.seat).route if card not in state.closing.housed)
    if unused:
        yield e.CardsUnused(event.seat, unused)


@effect("ARR-ARRIVE-3", e.CarriageMoved)
def carriage_arrives(state: State, event: e.CarriageMoved) -> Iterator[Event]:
    if event.city == ROME:
        yield e.CarriageArrived(event.carriage)


@effect("ARR-ARRIVE-4", e.TileTold)
def older_tiles_leave(state: State, event: e.TileTold) -> Iterator[Event]:
    if state.audience is None or state.audience.telling:
        return
    arrived = state.audience.told[event.carriage]
    for rank in RANKS:
        if rank in arrived and state.audience.rome[rank]:
            yield e.TilesDismissed(rank, state.audience.rome[rank])


@effect("ARR-ARRIVE-5", e.TileTold)
def newcomers_are_received(state: State, event: e.TileTold) -> Iterator[Event]:
    if state.audience is None or state.audience.telling:
        return
    arrived = state.audience.told[event.carriage]
    for rank in RANKS:
        seats = tuple(seat for seat, brought in enumerate(arrived, 1) if brought == rank)
        if seats:
            yield e.TilesAdmitted(rank, seats)


@RULES.automatic("ARR-MOVE-7", MOVE)
def nothing_is_left_to_move(state: State) -> Event | None:
    if state.audience is None or state.closing is None or not state.closing.unused:
        return None
    return None if open_carriages(state.audience) else e.MovesIgnored(state.active)
