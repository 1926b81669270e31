"""What is in the box of City of Marble and never changes in number."""

from companion.games.city_of_marble.state import State, frontier


def components(state: State) -> dict[str, int]:
    """Wards by colour, magistrates by seat, triangles covered by wards, bridge tiles: where they are, added up.

    What the state keeps for speed must follow from the rest.
    """
    counts: dict[str, int] = {}
    for colour, left in state.stacks.items():
        held = sum(holding.atrium[colour] + holding.domus[colour] for holding in state.holdings)
        counts[f"{colour} wards"] = left + held + sum(ward.colour == colour for ward in state.wards.values())
    for seat in state.table.seats:
        on_wards = sum(ward.magistrate == seat for ward in state.wards.values())
        on_spaces = sum(there.count(seat) for there in state.envoys.values())
        counts[f"magistrates of seat {seat}"] = state.holding(seat).magistrates + on_wards + on_spaces
    on_board = sum(triangle not in state.covered for triangle in state.board.bridges)
    counts["bridge tiles"] = on_board + sum(holding.bridges for holding in state.holdings)
    counts["triangles without ward"] = len(state.covered) - 2 * len(state.wards)
    near_corners = state.ruling("hill_contact") == "corner"
    assert state.frontier == frontier(state.board, state.covered, corner_contact=near_corners)
    for colour, line in state.lines.items():
        assert 2 <= len(line) == len(set(line)) <= 14, f"the {colour} aqueduct"
    assert all(left >= 0 for left in state.stacks.values())
    for holding in state.holdings:
        assert min(holding.atrium.values()) >= 0
        assert min(holding.imperium.values()) >= 0
        assert 0 <= holding.magistrates <= 3
    return counts
