"""How each fact changes the position. Nothing else makes a new state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.detail import EVERYTHING
from companion.events import DetailChosen, Event, SupplyRanOut
from companion.frozen import FrozenDict, changed
from companion.games.capitol import events as e
from companion.games.capitol.areas import heights_of
from companion.games.capitol.cards import DECK_OF, NUMBER_OF, Cards, learned, take, told
from companion.games.capitol.state import (
    CONSTRUCTION,
    DRAWING,
    FOUNTAIN,
    IMPROVEMENT,
    OVER,
    Auction,
    Award,
    Building,
    Deck,
    District,
    Holding,
    State,
    building_name,
    city,
    fitted,
    height_of,
    in_order,
    parts_of,
    stand_ins,
    taken,
    untold_cards,
)  # fmt: skip


def evolve(state: State, event: Event) -> State:
    """The position after a fact.

    Raises ValueError or LookupError where it cannot be a fact of this position.
    """
    return _EVOLVE[type(event)](state, event)


def _with(state: State, seat: int, **changes: Any) -> tuple[Holding, ...]:
    holdings = list(state.holdings)
    holdings[seat - 1] = changed(holdings[seat - 1], **changes)
    return tuple(holdings)


def _running(state: State) -> Auction:
    if state.auction is None:
        raise ValueError("no auction is going on")
    return state.auction


def _discarded(decks: FrozenDict[str, Deck], cards: Cards) -> FrozenDict[str, Deck]:
    for card in cards:
        name = DECK_OF[card]
        deck = decks[name]
        decks = decks.put(name, Deck(deck.pile, (*deck.discard, card)))
    return decks


def _refilled(state: State, seat: int, card: str) -> State:
    """The state in which a hand that is not told still holds a card like this one after it is laid down."""
    deck = state.decks[DECK_OF[card]]
    if seat not in state.hands_untold or not deck.pile or deck.pile[-1] in NUMBER_OF:
        return state
    hand = tuple(sorted((*state.holding(seat).hand, deck.pile[-1])))
    decks = state.decks.put(DECK_OF[card], Deck(deck.pile[:-1], deck.discard))
    return changed(state, holdings=_with(state, seat, hand=hand), decks=decks)


def _card_played(state: State, event: e.CardPlayed) -> State:
    if state.is_untold:
        return state
    state = _refilled(state, event.seat, event.card)
    hand, card, unknown = take(state.holding(event.seat).hand, event.card, state.unknown)
    holdings = _with(state, event.seat, hand=hand)
    return changed(state, holdings=holdings, decks=_discarded(state.decks, (card,)), unknown=unknown)


def built(unroofed: tuple[int, ...], onto: tuple[str, ...]) -> tuple[int, ...]:
    """The heights of unroofed buildings after floors were put on these heights in turn, or began new buildings.

    Raises ValueError where no building has such a height.
    """
    heights = list(unroofed)
    for height in map(height_of, onto):
        if height:
            heights.remove(height)
        heights.append(height + 1)
    return tuple(sorted(heights))


def _floors_built(state: State, event: e.FloorsBuilt) -> State:
    heights = built(state.holding(event.seat).unroofed, event.onto)
    if len(event.onto) > state.floors:
        raise ValueError("the reserve holds fewer floors")
    holdings = _with(state, event.seat, unroofed=heights)
    return changed(state, floors=state.floors - len(event.onto), holdings=holdings)


def _building_covered(state: State, event: e.BuildingCovered) -> State:
    holding = state.holding(event.seat)
    unroofed = list(holding.unroofed)
    unroofed.remove(event.height)
    completed = in_order([*holding.completed, building_name(event.height, event.shape)])
    roofs = holding.roofs.put(event.shape, holding.roofs[event.shape] - 1)
    holdings = _with(state, event.seat, unroofed=tuple(unroofed), completed=completed, roofs=roofs)
    return changed(state, holdings=holdings)


def _building_placed(state: State, event: e.BuildingPlaced) -> State:
    completed = list(state.holding(event.seat).completed)
    completed.remove(event.building)
    height, shape = parts_of(event.building)
    buildings = state.city.buildings.put(event.square, Building(event.seat, height, shape))
    if event.square in state.city.buildings:
        after = city(state.board, buildings, state.city.fountains, state.city.monuments)
    else:
        districts = _districts(state, event.square, buildings[event.square])
        after = changed(state.city, buildings=buildings, districts=districts)
    return changed(state, holdings=_with(state, event.seat, completed=tuple(completed)), city=after)


def _districts(state: State, square: str, building: Building | None = None) -> FrozenDict[str, District]:
    """The districts once a building, or a fountain, is on a square."""
    board, before = state.board, state.city.districts
    area = board.area_of[square]
    districts = before.put(area, taken(before[area], square, building))
    if building is None:
        return districts
    areas = board.of_colour[board.colour[area]]
    bound = (area,) if before[area].shape else areas
    return districts.put_all({each: fitted(districts, areas, each) for each in bound})


def _player_passed(state: State, event: e.PlayerPassed) -> State:
    return changed(state, passed=tuple(sorted((*state.passed, event.seat))))


def _turn_began(state: State, event: e.TurnBegan) -> State:
    return changed(state, active=event.seat)


def _auction_began(state: State, event: e.AuctionBegan) -> State:
    auction = Auction(event.number, ((),) * len(state.holdings))
    return changed(state, phase=IMPROVEMENT, active=state.first, passed=(), auction=auction)


def _opening(state: State, auction: Auction) -> State:
    """The state with this auction, the next bid to be opened being that of the active player."""
    left = [seat for seat in state.table.clockwise(state.first) if seat not in auction.opened]
    return changed(state, auction=auction, active=left[0] if left else state.first)


def _bid_prepared(state: State, event: e.BidPrepared) -> State:
    auction = _running(state)
    return changed(state, auction=changed(auction, ready=tuple(sorted((*auction.ready, event.seat)))))


def _nothing_to_bid(state: State, event: e.NothingToBid) -> State:
    auction = _running(state)
    ready, opened = (tuple(sorted((*seats, event.seat))) for seats in (auction.ready, auction.opened))
    return _opening(state, changed(auction, ready=ready, opened=opened))


def _card_revealed(state: State, event: e.CardRevealed) -> State:
    auction, state = _running(state), _refilled(state, event.seat, event.card)
    hand, card, unknown = take(state.holding(event.seat).hand, event.card, state.unknown)
    bids = list(auction.bids)
    bids[event.seat - 1] = (*bids[event.seat - 1], card)
    auction = changed(auction, bids=tuple(bids))
    return changed(state, auction=auction, holdings=_with(state, event.seat, hand=hand), unknown=unknown)


def _senator_turned(state: State, event: e.SenatorTurned) -> State:
    auction = _running(state)
    return _opening(state, changed(auction, opened=tuple(sorted((*auction.opened, event.seat)))))


def _auction_won(state: State, event: e.AuctionWon) -> State:
    return changed(state, auction=changed(_running(state), winner=event.seat), active=event.seat)


def _auction_awarded(state: State, event: e.AuctionAwarded) -> State:
    everybody = tuple(state.table.seats)
    auction = changed(_running(state), ready=everybody, opened=everybody, winner=event.seat)
    return changed(state, auction=auction, active=event.seat)


def _without_bid(state: State, seat: int) -> Auction:
    auction = _running(state)
    bids = list(auction.bids)
    bids[seat - 1] = ()
    return changed(auction, bids=tuple(bids))


def _bid_discarded(state: State, event: e.BidDiscarded) -> State:
    return changed(state, auction=_without_bid(state, event.seat), decks=_discarded(state.decks, event.cards))


def _bid_returned(state: State, event: e.BidReturned) -> State:
    hand = tuple(sorted((*state.holding(event.seat).hand, *event.cards)))
    return changed(state, auction=_without_bid(state, event.seat), holdings=_with(state, event.seat, hand=hand))


def _tile_placed(state: State, event: e.TilePlaced) -> State:
    if event.prize == FOUNTAIN:
        fountains, districts = state.city.fountains | {event.square}, _districts(state, event.square)
        return changed(state, city=changed(state.city, fountains=fountains, districts=districts))
    return changed(state, city=changed(state.city, monuments=state.city.monuments.put(event.square, event.prize)))


def _scoring_began(state: State, event: e.ScoringBegan) -> State:
    return changed(state, auction=None)


def _noted(state: State, event: Event) -> State:
    return state


def _points_scored(state: State, event: e.PointsScored) -> State:
    heights = heights_of(state, event.area, event.seat)
    floors, tallest = sum(heights), max(heights, default=0)
    award = Award(state.round, event.rule, event.area, event.seat, event.points, event.squares, floors, tallest)
    return changed(state, awards=(*state.awards, award))


def _extra_cards_earned(state: State, event: e.ExtraCardsEarned) -> State:
    extra = list(state.extra)
    extra[event.seat - 1] += event.cards
    return changed(state, extra=tuple(extra))


def _drawing_began(state: State, event: e.DrawingBegan) -> State:
    return changed(state, phase=DRAWING, active=event.seat, draws=event.cards)


def _card_drawn(state: State, event: e.CardDrawn) -> State:
    deck = state.decks[DECK_OF[event.card]]
    top, rest = deck.pile[0], deck.pile[1:]
    card = told(top, event.card)
    hand = tuple(sorted((*state.holding(event.seat).hand, card)))
    return changed(
        state, draws=state.draws - 1, decks=state.decks.put(DECK_OF[card], Deck(rest, deck.discard)),
        holdings=_with(state, event.seat, hand=hand), unknown=learned(state.unknown, top, card),
    )  # fmt: skip


def _draws_lost(state: State, event: e.DrawsLost | e.UntoldCardsDrawn) -> State:
    return changed(state, draws=0)


def _deck_turned(state: State, event: e.DeckTurned) -> State:
    return changed(state, decks=state.decks.put(event.deck, Deck(state.decks[event.deck].discard)))


def _round_began(state: State, event: e.RoundBegan) -> State:
    return changed(
        state, round=event.round, phase=CONSTRUCTION, first=event.first, active=event.first, draws=0,
        extra=(0,) * len(state.holdings),
    )  # fmt: skip


def _game_ended(state: State, event: e.GameEnded) -> State:
    return changed(state, phase=OVER)


def _detail_chosen(state: State, event: DetailChosen) -> State:
    """Told less, cards and bids are forgotten; told more, hands and stacks are as where a position leaves them out."""
    if event.level == EVERYTHING:
        return changed(state, detail=event.level, **stand_ins(state))
    auction = state.auction
    if auction is not None and not auction.winner:
        auction = Auction(auction.number, ((),) * len(state.holdings))
    active = state.first if auction is not None and not auction.winner else state.active
    return changed(
        state, detail=event.level, auction=auction, active=active, hands_untold=frozenset(), decks_untold=frozenset(),
        **untold_cards(state),
    )  # fmt: skip


def _unchanged(state: State, event: Event) -> State:
    return state


_EVOLVE: dict[type, Callable[[State, Any], State]] = {
    e.CardPlayed: _card_played,
    e.FloorsBuilt: _floors_built,
    e.BuildingCovered: _building_covered,
    e.BuildingPlaced: _building_placed,
    e.CardForgone: _noted,
    e.PlayerPassed: _player_passed,
    e.TurnBegan: _turn_began,
    e.AuctionBegan: _auction_began,
    e.BidPrepared: _bid_prepared,
    e.NothingToBid: _nothing_to_bid,
    e.CardRevealed: _card_revealed,
    e.SenatorTurned: _senator_turned,
    e.AuctionWon: _auction_won,
    e.AuctionAwarded: _auction_awarded,
    e.AuctionUnclaimed: _noted,
    e.BidDiscarded: _bid_discarded,
    e.BidReturned: _bid_returned,
    e.TilePlaced: _tile_placed,
    e.ScoringBegan: _scoring_began,
    e.AreaCounted: _noted,
    e.FirstPlaceTaken: _noted,
    e.SecondPlaceTaken: _noted,
    e.PointsScored: _points_scored,
    e.RoundScored: _noted,
    e.ExtraCardsEarned: _extra_cards_earned,
    e.DrawingBegan: _drawing_began,
    e.CardDrawn: _card_drawn,
    e.UntoldCardsDrawn: _draws_lost,
    e.DrawsLost: _draws_lost,
    e.DeckTurned: _deck_turned,
    e.RoundBegan: _round_began,
    e.GameEnded: _game_ended,
    SupplyRanOut: _unchanged,
    DetailChosen: _detail_chosen,
}
