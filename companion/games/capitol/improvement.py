"""The improvement phase: three auctions with hidden bids, and where the tiles go."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from companion.events import Event
from companion.frozen import FrozenDict
from companion.games.capitol import events as e
from companion.games.capitol.actions import Commit, PutAside, PutTile
from companion.games.capitol.cards import NUMBER_OF
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import (
    AUCTIONS_PER_ROUND,
    FOUNTAIN,
    Auction,
    State,
    prize,
    prize_of,
    step_of,
)  # fmt: skip
from companion.legality import Group, Violation

check, effect = RULES.check, RULES.effect


@check("CAP-BID-2", Group.ACTOR, Commit)
def is_not_ready_yet(state: State, seat: int) -> Violation | None:
    ready = state.auction is not None and seat in state.auction.ready
    return Violation("CAP-BID-2", facts=FrozenDict(seat=seat)) if ready else None


@RULES.out_of_turn("CAP-BID-2")
def has_made_a_bid(state: State, seat: int) -> Violation | None:
    ready = step_of(state) == "bid" and state.auction is not None and seat in state.auction.ready
    return Violation("CAP-BID-2", facts=FrozenDict(seat=seat)) if ready else None


@effect("CAP-BID-4", e.AuctionBegan)
def bid_nothing_without_cards(state: State, event: e.AuctionBegan) -> Iterator[Event]:
    for seat in state.table.clockwise(state.first):
        if not state.holding(seat).hand and not state.is_untold:
            yield e.NothingToBid(seat)


def leaders(state: State, auction: Auction) -> tuple[tuple[int, ...], str]:
    """The seats whose bids are the best, and what decides between them: sum, card, seat, or nobody's bid."""
    bids = {seat: [NUMBER_OF[card] for card in auction.bids[seat - 1]] for seat in state.table.clockwise(state.first)}
    total = max(map(sum, bids.values()))
    best = tuple(seat for seat, numbers in bids.items() if sum(numbers) == total)
    if total == 0:
        return best, "nobody"
    if len(best) == 1:
        return best, "sum"
    highest = max(max(bids[seat]) for seat in best)
    best = tuple(seat for seat in best if max(bids[seat]) == highest)
    return best, "card" if len(best) == 1 else "seat"


def _decided(state: State, by: str) -> tuple[Event, ...]:
    auction = state.auction
    if auction is None or auction.winner or len(auction.opened) < len(state.holdings):
        return ()
    best, reason = leaders(state, auction)
    if reason != by:
        return ()
    numbers = [NUMBER_OF[card] for card in auction.bids[best[0] - 1]]
    return (e.AuctionWon(best[0], prize(state), sum(numbers), max(numbers, default=0)),)


@effect("CAP-BID-5", e.SenatorTurned, e.NothingToBid)
def highest_sum_wins(state: State, event: Event) -> tuple[Event, ...]:
    return _decided(state, "sum")


@effect("CAP-BID-6", e.SenatorTurned, e.NothingToBid)
def highest_card_breaks_the_tie(state: State, event: Event) -> tuple[Event, ...]:
    return _decided(state, "card")


@effect("CAP-BID-7", e.SenatorTurned, e.NothingToBid)
def nearest_seat_breaks_the_tie(state: State, event: Event) -> tuple[Event, ...]:
    return _decided(state, "seat")


@effect("CAP-BID-8", e.SenatorTurned, e.NothingToBid)
def nobody_bids(state: State, event: Event) -> Iterator[Event]:
    for won in _decided(state, "nobody"):
        yield won if state.ruling("all_zero_auction") == "first_player" else e.AuctionUnclaimed(prize(state))


@effect("CAP-BID-9", e.AuctionWon)
def discard_the_winning_bid(state: State, event: e.AuctionWon) -> Iterator[Event]:
    cards = state.auction.bids[event.seat - 1] if state.auction else ()
    if cards:
        yield e.BidDiscarded(event.seat, cards if state.ruling("bid_discards") == "as_revealed" else cards[::-1])


@effect("CAP-BID-10", e.AuctionWon)
def take_losing_bids_back(state: State, event: e.AuctionWon) -> Iterator[Event]:
    for seat in state.table.clockwise(state.first):
        cards = state.auction.bids[seat - 1] if state.auction else ()
        if cards and seat != event.seat:
            yield e.BidReturned(seat, cards)


@check("CAP-BID-8", Group.RULE, PutAside)
def tile_can_be_put_aside(state: State) -> Violation | None:
    first = state.ruling("all_zero_auction") == "first_player"
    return Violation("CAP-BID-8") if first and step_of(state) == "award" else None


@check("CAP-TILE-2", Group.PLACE, PutTile)
def fountain_lies_on_a_small_square(state: State, square: str) -> Violation | None:
    large = square in state.board.large_squares
    return Violation("CAP-TILE-2", (square,)) if large and prize(state) == FOUNTAIN else None


@check("CAP-TILE-3", Group.PLACE, PutTile)
def monument_lies_on_a_large_square(state: State, square: str) -> Violation | None:
    won = prize(state)
    if square in state.board.large_squares or won in ("", FOUNTAIN):
        return None
    return Violation("CAP-TILE-3", (square,), FrozenDict(prize=won))


@check("CAP-TILE-4", Group.PLACE, PutTile)
def square_is_free(state: State, square: str) -> Violation | None:
    city = state.city
    taken = square in city.buildings or square in city.fountains or square in city.monuments
    return Violation("CAP-TILE-4", (square,)) if taken or square in state.board.fountains else None


def squares_for_tile(state: State) -> tuple[str, ...]:
    """The squares on which the tile just won may lie."""
    city = state.city
    if prize(state) == FOUNTAIN:
        free = chain.from_iterable([district.free for district in city.districts.values()])
        return tuple([square for square in free if square not in city.monuments])
    taken = city.monuments.keys() | city.buildings.keys() | city.fountains
    return tuple([square for square in state.board.large.values() if square not in taken])


@effect("CAP-BID-11", e.TilePlaced, e.AuctionUnclaimed)
def score_after_the_auctions(state: State, event: Event) -> Iterator[Event]:
    if state.auction is not None and state.auction.number == AUCTIONS_PER_ROUND:
        yield e.ScoringBegan(state.round)


@effect("CAP-BID-12", e.TilePlaced, e.AuctionUnclaimed)
def next_auction(state: State, event: Event) -> Iterator[Event]:
    if state.auction is not None and state.auction.number < AUCTIONS_PER_ROUND:
        number = state.auction.number + 1
        yield e.AuctionBegan(number, prize_of(state.round, number))
