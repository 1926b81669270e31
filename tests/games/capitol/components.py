"""What is in the box of Capitol and never changes in number."""

from collections import Counter

from companion.games.capitol.cards import COPIES, DECK_OF, FAMILY_OF
from companion.games.capitol.state import State, card_names, parts_of


def components(state: State) -> dict[str, int]:
    """Cards by deck, floors, roofs by seat and shape: where they are, added up."""
    names = Counter(card_names(state.decks, state.holdings, state.auction))
    assert all(names[card] <= copies for card, copies in COPIES.items())
    for colour in ("white", "black", "red"):
        assert sum(names[name] for name in FAMILY_OF if FAMILY_OF[name] == colour) <= 8
    counts: Counter[str] = Counter()
    for name, count in names.items():
        counts[f"{DECK_OF[name]} cards"] += count
    counts["floors"] = state.floors + sum(building.height for building in state.city.buildings.values())
    for seat in state.table.seats:
        holding = state.holding(seat)
        counts["floors"] += sum(holding.unroofed) + sum(parts_of(building)[0] for building in holding.completed)
        for shape, left in holding.roofs.items():
            before = sum(parts_of(building)[1] == shape for building in holding.completed)
            placed = [building.shape for building in state.city.buildings.values() if building.seat == seat]
            counts[f"{shape} roofs of seat {seat}"] = left + before + placed.count(shape)
            assert left >= 0
    assert state.floors >= 0
    assert len(state.city.fountains) <= 8
    assert not state.city.fountains & set(state.city.buildings)
    assert max(Counter(state.city.monuments.values()).values(), default=0) <= 2
    return dict(counts)
