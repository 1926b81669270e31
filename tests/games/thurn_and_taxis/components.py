"""What is in the boxes of Thurn and Taxis and All Roads Lead to Rome and never changes in number."""

from collections import Counter

from companion.games.thurn_and_taxis.actions import Administrator, Close, Decline, Drop, Play, Return
from companion.games.thurn_and_taxis.geometry import ROME
from companion.games.thurn_and_taxis.state import COPIES, EACH, OFFICIALS, TILE_VALUES, State, seen_cards, stack_left


def components(state: State) -> dict[str, int]:
    """Cards, houses by seat, bonus tiles, office and audience tiles: where they are, added up."""
    seen = seen_cards(state.display, state.discards, state.holdings)
    unseen = seen["?"]
    assert all(seen[city] <= COPIES for city in state.board.cities)
    assert sum(state.left.values()) == state.deck + unseen
    assert dict(state.left) == {city: COPIES - seen[city] for city in state.board.cities}
    counts = {"cards": seen.total() + state.deck}
    for seat in state.table.seats:
        placed = sum(seat in seats for seats in state.houses.values())
        counts[f"houses of seat {seat}"] = state.holding(seat).houses + placed
    held = Counter(tile for holding in state.holdings for tile in holding.tiles)
    left = [f"{stack} {value}" for stack in TILE_VALUES for value in stack_left(state, stack)]
    assert max((held + Counter(left)).values()) == 1
    counts["bonus tiles"] = held.total() + len(left)
    if state.offices is not None:
        for kind in OFFICIALS:
            counts[kind] = state.offices.stock[kind] + sum(holding.offices[kind] for holding in state.holdings)
    if state.audience is not None:
        counts["carriages"] = len(state.audience.carriages)
        for carriage, ranks in state.audience.told.items():
            assert state.audience.carriages[carriage] == ROME
            assert len(ranks) <= len(state.table.players)
    return counts


def zeal(action: object) -> float:
    """Random players close routes when they can, else add to them: games end some time."""
    match action:
        case Close(option):
            return 3000.0 if option == EACH else 300.0
        case Play():
            return 30.0
        case Drop() | Administrator():
            return 0.1
    return 1.0


def boldness(action: object) -> float:
    """Random players close routes and return all the office tiles they can: games come to every step."""
    match action:
        case Close():
            return 4.0
        case Return(kinds):
            return 9.0 ** len(kinds)
        case Drop() | Decline():
            return 0.1
    return 1.0
