"""How each fact changes the position. Nothing else makes a new state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from companion.detail import EVERYTHING
from companion.events import DetailChosen, Event, SupplyRanOut
from companion.frozen import FrozenDict, changed
from companion.games.city_of_marble import events as e
from companion.games.city_of_marble.state import (
    FOUNTAIN,
    NO_COLOURS,
    START_PIECES,
    UNTOLD,
    Holding,
    Laying,
    Sending,
    Site,
    State,
    Ward,
    frontier_after,
    line_of,
    taken_from,
    told_less,
)  # fmt: skip

P = TypeVar("P")


def evolve(state: State, event: Event) -> State:
    """The position after a fact."""
    return _EVOLVE[type(event)](state, event)


def _with(state: State, seat: int, **changes: Any) -> tuple[Holding, ...]:
    holdings = list(state.holdings)
    holdings[seat - 1] = changed(holdings[seat - 1], **changes)
    return tuple(holdings)


def _add(counts: FrozenDict[str, int], key: str, change: int) -> FrozenDict[str, int]:
    return counts.put(key, counts[key] + change)


def _put_on_free(pieces: FrozenDict[str, P], place: str, piece: P) -> FrozenDict[str, P]:
    if place in pieces:
        raise ValueError(f"{place} is taken")
    return pieces.put(place, piece)


def _one_less(state: State) -> int:
    """The actions left after one more; none are left after one too many, which the table may have allowed."""
    return state.actions - 1 if state.actions > 0 else 0


def _wards_drawn(state: State, event: e.WardsDrawn) -> State:
    stacks, domus = state.stacks, state.holding(event.seat).domus
    for colour in event.colours:
        stacks, domus = taken_from(stacks, colour), _add(domus, colour, 1)
    return changed(state, actions=_one_less(state), stacks=stacks, holdings=_with(state, event.seat, domus=domus))


def _ward_laid(state: State, event: e.WardLaid) -> State:
    holding = state.holding(event.seat)
    first, second = state.board.triangles[event.ward]
    covered = state.covered.put_all({first: event.ward, second: event.ward})
    holdings = _with(
        state, event.seat,
        atrium=taken_from(holding.atrium, event.colour), magistrates=holding.magistrates - event.magistrate,
    )  # fmt: skip
    ward = Ward(event.colour, event.seat if event.magistrate else 0)
    return changed(
        state, actions=_one_less(state), holdings=holdings,
        wards=_put_on_free(state.wards, event.ward, ward), covered=covered,
        frontier=frontier_after(state, event.ward, covered),
    )  # fmt: skip


def _bridge_taken(state: State, event: e.BridgeTaken) -> State:
    return changed(state, holdings=_with(state, event.seat, bridges=state.holding(event.seat).bridges + 1))


def _aqueduct_started(state: State, event: e.AqueductStarted) -> State:
    return changed(state, starting=(*state.starting, Laying(event.colour, START_PIECES, event.ward)))


def _expansion_begun(state: State, event: e.ExpansionBegun) -> State:
    return changed(state, actions=_one_less(state), laying=Laying("", event.pieces))


def _piece_laid(state: State, event: e.PieceLaid) -> State:
    waiting = next((start for start in state.starting if start.colour == event.colour), None)
    laying = state.laying or waiting
    rest = state.starting
    if state.laying is None and waiting is not None:
        rest = tuple(start for start in state.starting if start is not waiting)
    if laying is not None:
        laying = changed(laying, left=laying.left - 1) if laying.left > 1 else None
    line = line_of(state, event.colour)
    line = (*line, state.board.other_end(event.edge, line[-1]))
    return changed(state, laying=laying, starting=rest, lines=state.lines.put(event.colour, line))


def _laying_ended(state: State, event: e.LayingEnded) -> State:
    rest = tuple(start for start in state.starting if start.colour != event.colour)
    return changed(state, laying=None, starting=rest)


def _coin_taken(state: State, event: e.CoinTaken) -> State:
    holdings = _with(state, event.seat, coins=state.holding(event.seat).coins + 1)
    return changed(state, holdings=holdings, watered=state.watered | {event.fountain})


def _magistrate_recalled(state: State, event: e.MagistrateRecalled) -> State:
    return changed(_lifted(state, event.ward, event.seat, home=True), actions=_one_less(state))


def _lifted(state: State, ward: str, seat: int, *, home: bool) -> State:
    holdings = state.holdings
    if home:
        holdings = _with(state, seat, magistrates=state.holding(seat).magistrates + 1)
    return changed(state, wards=state.wards.put(ward, Ward(state.wards[ward].colour)), holdings=holdings)


def _imperium_spent(state: State, event: e.ImperiumSpent) -> State:
    imperium = _add(state.holding(event.seat).imperium, event.imperium, -1)
    return changed(state, actions=state.actions + 1, holdings=_with(state, event.seat, imperium=imperium))


def _action_passed(state: State, event: e.ActionPassed) -> State:
    return changed(state, actions=_one_less(state))


def _site_closed(state: State, event: e.SiteClosed) -> State:
    return changed(state, closing=(*state.closing, event.vertex))


def _site_completed(state: State, event: e.SiteCompleted) -> State:
    return changed(state, closing=tuple(vertex for vertex in state.closing if vertex != event.vertex))


def _building_built(state: State, event: e.BuildingBuilt) -> State:
    return changed(state, sites=_put_on_free(state.sites, event.vertex, Site(event.kind, event.seat)))


def _fountain_placed(state: State, event: e.FountainPlaced) -> State:
    return changed(state, sites=_put_on_free(state.sites, event.vertex, Site(FOUNTAIN)))


def _sending_begun(state: State, event: e.SendingBegun) -> State:
    return changed(state, sending=Sending(event.vertex, event.space, event.seats))


def _next_sender(state: State) -> Sending | None:
    sending = state.sending
    if sending is None or len(sending.seats) < 2:
        return None
    return changed(sending, seats=sending.seats[1:])


def _magistrate_sent(state: State, event: e.MagistrateSent) -> State:
    there = tuple(sorted((*state.envoys.get(event.space, ()), event.seat)))
    lifted = _lifted(state, event.ward, event.seat, home=False)
    return changed(lifted, envoys=state.envoys.put(event.space, there), sending=_next_sender(state))


def _magistrate_kept(state: State, event: e.MagistrateKept) -> State:
    return changed(state, sending=_next_sender(state))


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    return changed(state, actions=0, final=None if state.final is None else state.final - 1)


def _domus_emptied(state: State, event: e.DomusEmptied) -> State:
    holding = state.holding(event.seat)
    atrium = FrozenDict({colour: count + holding.domus[colour] for colour, count in holding.atrium.items()})
    domus = FrozenDict(dict.fromkeys(atrium, 0)) if UNTOLD in atrium else NO_COLOURS
    return changed(state, holdings=_with(state, event.seat, atrium=atrium, domus=domus))


def _magistrate_returned(state: State, event: e.MagistrateReturned) -> State:
    there = list(state.envoys[event.space])
    there.remove(event.seat)
    envoys = state.envoys.put(event.space, tuple(there)) if there else state.envoys.drop(event.space)
    holding = state.holding(event.seat)
    changes: dict[str, Any] = {"magistrates": holding.magistrates + 1}
    if event.paid and event.space == "treasury":
        changes["coins"] = holding.coins + 1
    elif event.paid:
        changes["imperium"] = _add(holding.imperium, event.space, 1)
    chosen = state.ruling("collecting") == "optional"
    return changed(state, envoys=envoys, holdings=_with(state, event.seat, **changes), collecting=chosen)


def _final_round_begun(state: State, event: e.FinalRoundBegun) -> State:
    return changed(state, final=event.turns)


def _turn_began(state: State, event: e.TurnBegan) -> State:
    return changed(state, active=event.seat, actions=event.actions, collecting=False)


def _reveal_begun(state: State, event: e.RevealBegun) -> State:
    return changed(state, stage="reveal", collecting=False)


def _bridges_revealed(state: State, event: e.BridgesRevealed) -> State:
    return changed(state, holdings=_with(state, event.seat, values=event.values))


def _game_ended(state: State, event: e.GameEnded) -> State:
    return changed(state, stage="over")


def _detail_chosen(state: State, event: DetailChosen) -> State:
    """Told more, the wards that lie somewhere stay untold until they are seen."""
    return changed(state, detail=event.level) if event.level == EVERYTHING else told_less(state)


def _unchanged(state: State, event: Event) -> State:
    return state


_EVOLVE: dict[type, Callable[[State, Any], State]] = {
    e.WardsDrawn: _wards_drawn,
    e.WardLaid: _ward_laid,
    e.BridgeTaken: _bridge_taken,
    e.AqueductStarted: _aqueduct_started,
    e.ExpansionBegun: _expansion_begun,
    e.PieceLaid: _piece_laid,
    e.LayingEnded: _laying_ended,
    e.CoinTaken: _coin_taken,
    e.MagistrateRecalled: _magistrate_recalled,
    e.ImperiumSpent: _imperium_spent,
    e.ActionPassed: _action_passed,
    e.SiteClosed: _site_closed,
    e.SiteCompleted: _site_completed,
    e.BuildingBuilt: _building_built,
    e.FountainPlaced: _fountain_placed,
    e.SendingBegun: _sending_begun,
    e.MagistrateSent: _magistrate_sent,
    e.MagistrateKept: _magistrate_kept,
    e.TurnEnded: _turn_ended,
    e.DomusEmptied: _domus_emptied,
    e.MagistrateReturned: _magistrate_returned,
    e.FinalRoundBegun: _final_round_begun,
    e.TurnBegan: _turn_began,
    e.RevealBegun: _reveal_begun,
    e.BridgesRevealed: _bridges_revealed,
    e.GameEnded: _game_ended,
    SupplyRanOut: _unchanged,
    DetailChosen: _detail_chosen,
}
