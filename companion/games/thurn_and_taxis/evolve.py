"""How each fact changes the position. Nothing else makes a new state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.detail import EVERYTHING
from companion.events import DetailChosen, Event, SupplyRanOut
from companion.frozen import FrozenDict, changed
from companion.games.thurn_and_taxis import events as e
from companion.games.thurn_and_taxis.actions import LEFT
from companion.games.thurn_and_taxis.state import (
    BEGIN,
    CARD,
    CLOSE,
    COPIES,
    CUT,
    DISPLAY,
    EACH,
    END,
    GRANT,
    HAND_LIMIT,
    HOUSE,
    LAST,
    MOVE,
    OVER,
    PLAY,
    TAKE,
    UNSEEN,
    Audience,
    Cards,
    Closing,
    Holding,
    Offices,
    State,
    cards_left,
    seen_cards,
)  # fmt: skip

UNCOUNTED = 1_000
"""cards of a city that may lie in the deck where nobody has counted them: more than ever come up"""


def evolve(state: State, event: Event) -> State:
    """The position after a fact.

    Raises ValueError or LookupError where it cannot be a fact of this position.
    """
    after = _EVOLVE[type(event)](state, event)
    return _without_cards_gone_back(after) if after.is_uncounted else after


def _without_cards_gone_back(state: State) -> State:
    """Where nobody has counted, a fourth card of a city is one of the discards, which have gone back into the deck."""
    seen = seen_cards(state.display, state.discards, state.holdings)
    discards = list(state.discards)
    for card, count in seen.items():
        for _more in range(count - COPIES if card != UNSEEN else 0):
            if card in discards:
                discards[discards.index(card)] = UNSEEN
    return state if discards == list(state.discards) else changed(state, discards=tuple(sorted(discards)))


def _with(state: State, seat: int, **changes: Any) -> tuple[Holding, ...]:
    holdings = list(state.holdings)
    holdings[seat - 1] = changed(holdings[seat - 1], **changes)
    return tuple(holdings)


def _without(cards: Cards, card: str) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _closing(state: State) -> Closing:
    if state.closing is None:
        raise ValueError("no route is being closed")
    return state.closing


def _audience(state: State) -> Audience:
    if state.audience is None:
        raise ValueError("The Audience is not played")
    return state.audience


def _offices(state: State) -> Offices:
    if state.offices is None:
        raise ValueError("Offices of Honor are not played")
    return state.offices


def _unveiled(state: State, card: str) -> FrozenDict[str, int]:
    return state.left.put(card, state.left[card] - 1)


def _card_shown(state: State, event: e.CardShown) -> State:
    if len(state.display) == DISPLAY and UNSEEN in state.display:  # it tells which of these lies there
        display = tuple(sorted((*_without(state.display, UNSEEN), event.card)))
        return changed(state, display=display, left=_unveiled(state, event.card))
    display = tuple(sorted((*state.display, event.card)))
    return changed(state, display=display, deck=state.deck - 1, left=_unveiled(state, event.card))


def _deck_shuffled(state: State, event: e.DeckShuffled) -> State:
    left = dict(state.left)
    for card in state.discards:
        if card != UNSEEN:
            left[card] += 1
    return changed(state, deck=state.deck + len(state.discards), discards=(), left=FrozenDict(left))


def _discarded(state: State, cards: Cards) -> Cards:
    if state.is_untold:
        cards = (UNSEEN,) * len(cards)
    return tuple(sorted((*state.discards, *cards)))


def _display_discarded(state: State, event: e.DisplayDiscarded) -> State:
    return changed(state, display=(), discards=_discarded(state, state.display))


def _taken(state: State, seat: int, card: str, **changes: Any) -> State:
    hand = tuple(sorted((*state.holding(seat).hand, card)))
    holdings = _with(state, seat, hand=hand)
    if state.offices is not None and state.offices.owed == CARD:
        return _reward_used(changed(state, holdings=holdings, **changes))
    owed = max(0, state.owed - 1)
    return changed(state, holdings=holdings, owed=owed, taken=True, stage=TAKE if owed else PLAY, **changes)


def _card_taken(state: State, event: e.CardTaken) -> State:
    display, left = _seen_taken(state.display, state, event.card)
    return _taken(state, event.seat, event.card, display=display, left=left)


def _deck_card_taken(state: State, event: e.DeckCardTaken) -> State:
    return _taken(state, event.seat, UNSEEN, deck=state.deck - 1)


def _untold_card_taken(state: State, event: e.UntoldCardTaken) -> State:
    if state.deck:
        return _taken(state, event.seat, UNSEEN, deck=state.deck - 1)
    if state.discards:
        return _taken(state, event.seat, UNSEEN, deck=len(state.discards) - 1, discards=())
    return _taken(state, event.seat, UNSEEN, display=_without(state.display, UNSEEN))


def _display_filled(state: State, event: e.DisplayFilled) -> State:
    display = (*state.display, *(UNSEEN,) * event.cards)
    return changed(state, display=display, deck=state.deck - event.cards)


def _taking_skipped(state: State, event: e.TakingSkipped) -> State:
    return changed(state, owed=0, stage=PLAY)


def _official_used(state: State, event: e.OfficialUsed) -> State:
    return changed(state, official=event.official)


def _postmaster_forced(state: State, event: e.PostmasterForced) -> State:
    return changed(state, owed=2)


def _route_away(state: State, seat: int, **changes: Any) -> State:
    route, left = state.holding(seat).route, state.left
    if state.is_untold:
        left = left.put_all({card: left[card] + 1 for card in route})
    discards = _discarded(state, route)
    return changed(state, discards=discards, holdings=_with(state, seat, route=()), left=left, **changes)


def _route_dropped(state: State, event: e.RouteDropped) -> State:
    return _route_away(state, event.seat, stage=BEGIN)


def _seen_taken(cards: Cards, state: State, card: str) -> tuple[Cards, FrozenDict[str, int]]:
    """The cards without one that is seen now, and what is unseen then."""
    if card in cards:
        return _without(cards, card), state.left
    return _without(cards, UNSEEN), _unveiled(state, card)


def _shed(state: State, seat: int, card: str) -> tuple[Cards, FrozenDict[str, int]]:
    """The hand without a card, and what is unseen once it is shown."""
    if state.are_officials_untold and not state.holding(seat).hand:
        return (), _unveiled(state, card)
    return _seen_taken(state.holding(seat).hand, state, card)


def _card_played(state: State, event: e.CardPlayed) -> State:
    hand, left = _shed(state, event.seat, event.card)
    route = state.holding(event.seat).route
    route = (event.card, *route) if event.end == LEFT else (*route, event.card)
    return changed(state, holdings=_with(state, event.seat, hand=hand, route=route), left=left, stage=CLOSE)


def _playing_skipped(state: State, event: e.PlayingSkipped) -> State:
    return changed(state, stage=CLOSE)


def _route_closed(state: State, event: e.RouteClosed) -> State:
    route, province_of = state.holding(event.seat).route, state.board.province_of
    provinces = tuple(dict.fromkeys(province_of[city] for city in route))
    waiting = provinces if event.option == EACH else (event.option,)
    return changed(state, stage=HOUSE, closing=Closing(event.option, event.cartwright, waiting))


def _house_in(state: State, seat: int, city: str) -> State:
    houses = state.houses.put(city, tuple(sorted((*state.houses.get(city, ()), seat))))
    return changed(state, houses=houses, holdings=_with(state, seat, houses=state.holding(seat).houses - 1))


def _house_placed(state: State, event: e.HousePlaced) -> State:
    closing = _closing(state)
    waiting = closing.waiting
    if closing.option == EACH:
        waiting = _without(waiting, state.board.province_of[event.city])
    closing = changed(closing, waiting=waiting, housed=(*closing.housed, event.city))
    return changed(_house_in(state, event.seat, event.city), closing=closing)


def _housing_ended(state: State, event: e.HousingEnded) -> State:
    return changed(state, stage=MOVE, closing=changed(_closing(state), waiting=()))


def _bonus_taken(state: State, event: e.BonusTaken) -> State:
    tiles = (*state.holding(event.seat).tiles, f"{event.stack} {event.value}")
    return changed(state, holdings=_with(state, event.seat, tiles=tiles))


def _carriage_taken(state: State, event: e.CarriageTaken) -> State:
    return changed(state, holdings=_with(state, event.seat, carriage=event.carriage))


def _end_triggered(state: State, event: e.EndTriggered) -> State:
    return changed(state, ending=event.seat)


def _cards_unused(state: State, event: e.CardsUnused) -> State:
    return changed(state, closing=changed(_closing(state), unused=event.cards))


def _moves_ignored(state: State, event: e.MovesIgnored) -> State:
    return changed(state, closing=changed(_closing(state), unused=()))


def _carriage_moved(state: State, event: e.CarriageMoved) -> State:
    closing, audience = _closing(state), _audience(state)
    closing = changed(closing, unused=_without(closing.unused, event.card))
    carriages = audience.carriages.put(event.carriage, event.city)
    return changed(state, closing=closing, audience=changed(audience, carriages=carriages))


def _carriage_arrived(state: State, event: e.CarriageArrived) -> State:
    return changed(state, audience=changed(_audience(state), telling=event.carriage))


def _tile_told(state: State, event: e.TileTold) -> State:
    audience = _audience(state)
    told = (*audience.told.get(event.carriage, ()), event.rank)
    telling = "" if len(told) == len(state.table.players) else event.carriage
    return changed(state, audience=changed(audience, told=audience.told.put(event.carriage, told), telling=telling))


def _tiles_dismissed(state: State, event: e.TilesDismissed) -> State:
    audience = _audience(state)
    return changed(state, audience=changed(audience, rome=audience.rome.put(event.rank, ())))


def _tiles_admitted(state: State, event: e.TilesAdmitted) -> State:
    audience = _audience(state)
    seats = tuple(sorted((*audience.rome[event.rank], *event.seats)))
    return changed(state, audience=changed(audience, rome=audience.rome.put(event.rank, seats)))


def _office_gained(state: State, event: e.OfficeGained) -> State:
    offices, held = _offices(state), state.holding(event.seat).offices
    stock = offices.stock.put(event.official, offices.stock[event.official] - 1)
    holdings = _with(state, event.seat, offices=held.put(event.official, held[event.official] + 1))
    return changed(state, offices=changed(offices, stock=stock), holdings=holdings)


def _return_began(state: State, event: e.ReturnBegan) -> State:
    return changed(state, offices=changed(_offices(state), returning=event.seats))


def _offices_returned(state: State, event: e.OfficesReturned) -> State:
    offices, held = _offices(state), state.holding(event.seat).offices
    stock = offices.stock
    for kind in event.kinds:
        stock, held = stock.put(kind, stock[kind] + 1), held.put(kind, held[kind] - 1)
    holdings = _with(state, event.seat, offices=held)
    again = state.stage == LAST and state.ruling("last_return") == "any_number" and any(held.values())
    rest = offices.returning if again else offices.returning[1:]
    return changed(state, offices=changed(offices, stock=stock, returning=rest), holdings=holdings)


def _card_earned(state: State, event: e.CardEarned) -> State:
    offices = _offices(state)
    return changed(state, offices=changed(offices, returning=(event.seat, *offices.returning), owed=CARD))


def _house_earned(state: State, event: e.HouseEarned) -> State:
    offices = _offices(state)
    return changed(state, offices=changed(offices, returning=(event.seat, *offices.returning), owed=GRANT))


def _chip_gained(state: State, event: e.ChipGained) -> State:
    return changed(state, holdings=_with(state, event.seat, chips=state.holding(event.seat).chips + 1))


def _reward_used(state: State) -> State:
    offices = _offices(state)
    return changed(state, offices=changed(offices, returning=offices.returning[1:], owed=""))


def _house_granted(state: State, event: e.HouseGranted) -> State:
    return _reward_used(_house_in(state, event.seat, event.city))


def _reward_declined(state: State, event: e.RewardDeclined) -> State:
    return _reward_used(state)


def _route_discarded(state: State, event: e.RouteDiscarded) -> State:
    stage = CUT if len(state.holding(event.seat).hand) > HAND_LIMIT else END
    return _route_away(state, event.seat, closing=None, stage=stage)


def _hand_cut(state: State, event: e.HandCut) -> State:
    hand, left = _shed(state, event.seat, event.card)
    return changed(
        state,
        holdings=_with(state, event.seat, hand=hand),
        discards=_discarded(state, (event.card,)),
        left=left,
        stage=CUT if len(hand) > HAND_LIMIT else END,
    )


def _untold_hand_cut(state: State, event: e.UntoldHandCut) -> State:
    hand = state.holding(event.seat).hand
    return changed(
        state,
        holdings=_with(state, event.seat, hand=hand[event.cards :]),
        discards=_discarded(state, hand[: event.cards]),
        stage=END,
    )


def _detail_chosen(state: State, event: DetailChosen) -> State:
    """Told less, cards that do not lie in a route are forgotten; told more, they stay unseen until they are seen."""
    if event.level == EVERYTHING:
        if state.is_untold:  # nobody knows when the discards went back into the deck: every card may be there
            left = FrozenDict(dict.fromkeys(state.board.cities, UNCOUNTED))
            state = changed(state, left=left, is_uncounted=True)
        return _hands_left_out(_turn_untold(state), event.level)
    display, discards = ((UNSEEN,) * len(cards) for cards in (state.display, state.discards))
    holdings = tuple(changed(holding, hand=(UNSEEN,) * len(holding.hand)) for holding in state.holdings)
    left = cards_left(state.board.cities, seen_cards((), (), holdings))
    return changed(
        state, detail=event.level, display=display, discards=discards, holdings=holdings, left=left,
        hands_untold=frozenset(), is_uncounted=False,
    )  # fmt: skip


def _turn_untold(state: State) -> State:
    """Where nothing of a turn was told but that a card is taken, as it always is, that is still to be told."""
    hand = state.turn_holding.hand
    if not state.is_untold or state.stage != PLAY or state.official or UNSEEN not in hand:
        return state
    holdings = _with(state, state.active, hand=hand[: hand.index(UNSEEN)] + hand[hand.index(UNSEEN) + 1 :])
    return changed(state, holdings=holdings, deck=state.deck + 1, stage=TAKE, owed=1, taken=False)


def _hands_left_out(state: State, level: str) -> State:
    """All is told again; where nobody knows how many cards hands hold, they are as where a position leaves them out."""
    if not state.are_officials_untold:
        return changed(state, detail=level)
    deck, holdings = state.deck, list(state.holdings)
    for place, holding in enumerate(holdings):
        missing = min(deck, max(0, HAND_LIMIT - len(holding.hand)))
        holdings[place] = changed(holding, hand=(*holding.hand, *(UNSEEN,) * missing))
        deck -= missing
    seats = frozenset(state.table.seats)
    return changed(state, detail=level, holdings=tuple(holdings), deck=deck, hands_untold=seats)


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    return changed(state, hands_untold=state.hands_untold - {event.seat}) if state.hands_untold else state


def _turn_began(state: State, event: e.TurnBegan) -> State:
    return changed(state, active=event.seat, stage=TAKE, owed=1, official="", taken=False)


def _round_finished(state: State, event: e.RoundFinished) -> State:
    return changed(state, stage=LAST)


def _game_ended(state: State, event: e.GameEnded) -> State:
    return changed(state, stage=OVER)


def _unchanged(state: State, event: Event) -> State:
    return state


_EVOLVE: dict[type, Callable[[State, Any], State]] = {
    e.CardShown: _card_shown,
    e.DeckShuffled: _deck_shuffled,
    e.DisplayDiscarded: _display_discarded,
    e.CardTaken: _card_taken,
    e.DeckCardTaken: _deck_card_taken,
    e.UntoldCardTaken: _untold_card_taken,
    e.DisplayFilled: _display_filled,
    e.UntoldHandCut: _untold_hand_cut,
    e.TakingSkipped: _taking_skipped,
    e.OfficialUsed: _official_used,
    e.PostmasterForced: _postmaster_forced,
    e.RouteDropped: _route_dropped,
    e.CardPlayed: _card_played,
    e.PlayingSkipped: _playing_skipped,
    e.RouteClosed: _route_closed,
    e.HousePlaced: _house_placed,
    e.HousingEnded: _housing_ended,
    e.BonusTaken: _bonus_taken,
    e.CarriageTaken: _carriage_taken,
    e.EndTriggered: _end_triggered,
    e.CardsUnused: _cards_unused,
    e.CarriageMoved: _carriage_moved,
    e.MovesIgnored: _moves_ignored,
    e.CarriageArrived: _carriage_arrived,
    e.TileTold: _tile_told,
    e.TilesDismissed: _tiles_dismissed,
    e.TilesAdmitted: _tiles_admitted,
    e.OfficeGained: _office_gained,
    e.ReturnBegan: _return_began,
    e.OfficesReturned: _offices_returned,
    e.CardEarned: _card_earned,
    e.ChipGained: _chip_gained,
    e.HouseEarned: _house_earned,
    e.HouseGranted: _house_granted,
    e.RewardDeclined: _reward_declined,
    e.RouteDiscarded: _route_discarded,
    e.HandCut: _hand_cut,
    e.TurnEnded: _turn_ended,
    e.TurnBegan: _turn_began,
    e.RoundFinished: _round_finished,
    e.GameEnded: _game_ended,
    SupplyRanOut: _unchanged,
    DetailChosen: _detail_chosen,
}
