"""The engine and its slow twin agree: every small area and auction there is, and whole boards drawn at random."""

from itertools import combinations_with_replacement, product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine import apply_unchecked, scores
from companion.games.capitol.events import AuctionWon
from companion.games.capitol.game import GAME
from companion.games.capitol.improvement import leaders
from companion.games.capitol.scoring import placing
from companion.games.capitol.state import Auction
from tests.games.capitol.tables import position
from tests.games.capitol.twins import Area, winner

randoms = st.integers(0, 2**32).map(Random)
SHORES = [list(heights) for count in range(3) for heights in combinations_with_replacement((1, 2, 3), count)]
"""what one player may have in an area: up to two buildings of up to three floors"""


@pytest.mark.parametrize("second_by_height", [True, False])
def test_places_in_every_small_area(second_by_height: bool) -> None:
    """10 ways to stand in an area, for each of four players: all 9,999 in which anybody stands there."""
    counted = 0
    for all_heights in product(SHORES, repeat=4):
        area = Area(dict(enumerate(all_heights, 1)), 0)
        present = tuple(seat for seat, heights in area.heights.items() if heights)
        if not present:
            continue
        floors = tuple(sum(area.heights[seat]) for seat in present)
        tallest = tuple(max(area.heights[seat]) for seat in present)
        places = placing(present, floors, tallest, second_by_height=second_by_height)
        assert (list(places.first), list(places.second)) == area.places(second_by_height=second_by_height)
        counted += 1
    assert counted == 10**4 - 1


@pytest.mark.parametrize("first", [1, 2, 3])
def test_the_winner_of_every_small_auction(first: int) -> None:
    """Up to two cards of 1 to 4 are 15 bids, for each of three players: 15 cubed auctions, less the one without any."""
    bids = [bid for count in range(3) for bid in combinations_with_replacement(range(1, 5), count)]
    state = position(players=3, first=first, phase="improvement")
    counted = 0
    for numbers in product(bids, repeat=3):
        if not any(numbers):
            continue
        auction = Auction(1, tuple(tuple(f"floor-{number}" for number in bid) for bid in numbers))
        best, reason = leaders(state, auction)
        assert best[0] == winner({seat: list(bid) for seat, bid in enumerate(numbers, 1)}, first)
        assert reason in ("sum", "card", "seat")
        assert (len(best) == 1) == (reason != "seat")
        counted += 1
    assert counted == 15**3 - 1


def scattered(random: Random) -> dict[str, Any]:
    """A position before the last tile of a round, buildings and tiles anywhere, as no game need have placed them."""
    players = random.randint(2, 4)
    board = position().board
    squares = [square for area in board.areas for square in board.buildable[area]]
    near = random.sample(board.areas, random.choice([1, 2, 9]))
    squares = [square for square in squares if board.area_of[square] in near]
    random.shuffle(squares)
    fountains = [squares.pop() for _ in range(random.randint(0, min(8, len(squares) - 1)))]
    left = [(seat, shape) for seat in range(1, players + 1) for shape in ("round", "triangular") for _ in range(5)]
    random.shuffle(left)
    pairs = list(zip(squares, left, strict=False))[:30]
    buildings = [f"{square} {random.randint(1, 3)}-{shape} {seat}" for square, (seat, shape) in pairs]
    number = random.randint(2, 4)
    box = ["amphitheatre", "temple", "temple" if number == 2 else "amphitheatre"]
    tiles = random.sample(box, random.randint(0, 3))
    large = random.sample([board.large[area] for area in board.areas], 9)
    every = list(range(1, players + 1))
    return {
        "players": players,
        "round": number,
        "rulings": {
            "second_place_height": random.choice(["yes", "no"]),
            "amphitheatre_cards": random.choice(["points", "place"]),
        },
        "phase": "improvement",
        "auction": {"number": 3, "ready": every, "opened": every, "winner": 1},
        "buildings": buildings,
        "fountains": fountains,
        "monuments": [f"{square} {tile}" for square, tile in zip(large, tiles, strict=False)],
        "player": {str(seat): {"completed": []} for seat in every},
    }


@given(randoms)
def test_scoring_of_scattered_boards(random: Random) -> None:
    state = position(**scattered(random))
    free = [square for square in state.board.large.values() if square not in state.city.monuments]
    state = apply_unchecked(GAME, state, GAME.parse_action(f"tile {random.choice(free)}", state)).state
    by_height = state.ruling("second_place_height") == "yes"
    by_place = state.ruling("amphitheatre_cards") == "place"
    totals, cards = [0] * len(state.holdings), [0] * len(state.holdings)
    for name in state.board.areas:
        squares = state.board.small[name]
        heights = {
            seat: [b.height for square, b in state.city.buildings.items() if square in squares and b.seat == seat]
            for seat in state.table.seats
        }
        fountains = sum(square in state.city.fountains or square in state.board.fountains for square in squares)
        area = Area(heights, fountains, state.city.monuments.get(state.board.large[name], ""))
        for seat in state.table.seats:
            totals[seat - 1] += area.points(seat, second_by_height=by_height)
            cards[seat - 1] += area.cards(seat, second_by_height=by_height, by_place=by_place)
    assert scores(GAME, state).totals == tuple(totals)
    assert state.extra == (tuple(cards) if state.round < 4 else (0,) * len(cards))


@given(randoms)
def test_auctions_of_real_cards(random: Random) -> None:
    """Bids turned over card by card: who wins, what it costs, and that all others have their cards back."""
    players = random.randint(2, 4)
    cards = [f"floor-{number}" for number in range(1, 9) for _ in range(3)]
    random.shuffle(cards)
    hands = {seat: sorted(cards.pop() for _ in range(random.randint(1, 4))) for seat in range(1, players + 1)}
    every, first = list(range(1, players + 1)), random.randint(1, players)
    state = position(
        players=players, first=first, phase="improvement", auction={"number": 1, "ready": every},
        player={str(seat): {"hand": hand} for seat, hand in hands.items()},
    )  # fmt: skip
    bids = {seat: random.sample(hand, random.randint(0, len(hand))) for seat, hand in hands.items()}
    won: list[AuctionWon] = []
    for seat in state.table.clockwise(first):
        for text in (*(f"reveal {card}" for card in bids[seat]), "senator"):
            step = apply_unchecked(GAME, state, GAME.parse_action(text, state))
            state = step.state
            won += [event for event in step.events if isinstance(event, AuctionWon)]
    numbers = {seat: [int(card[-1]) for card in bid] for seat, bid in bids.items()}
    best = winner(numbers, first) if any(bids.values()) else first
    assert [event.seat for event in won] == [best]
    assert won[0].total == sum(numbers[best])
    for seat, hand in hands.items():
        kept = list(hand)
        for card in bids[seat] if seat == best else ():
            kept.remove(card)
        assert state.holding(seat).hand == tuple(kept)
    assert state.decks["floor"].discard == tuple(bids[best])
