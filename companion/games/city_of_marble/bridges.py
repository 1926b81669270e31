"""Bridge tiles lie face down: their values are known to their owner alone until all turns are over."""

from __future__ import annotations

from companion.closed import ClosedPiece, check_told
from companion.frozen import changed
from companion.games.city_of_marble.state import State

BRIDGE = "bridge"
"""a tile whose value is not known"""
VALUES = tuple(map(str, range(1, 5)))


def _wider(name: str) -> tuple[str, ...]:
    return (BRIDGE,) if name in VALUES else ()


def told_values(state: State, seat: int) -> tuple[int, ...]:
    """The values that a seat alone knows; none once everybody knows them."""
    holding = state.holding(seat)
    return () if holding.values else state.told.get(seat, ())[: holding.bridges]


def closed_tiles(state: State, seat: int) -> tuple[ClosedPiece, ...]:
    """The bridge tiles of a seat whose values are not known to everybody."""
    holding = state.holding(seat)
    if holding.values:
        return ()
    known = [ClosedPiece(str(value), (str(value),)) for value in told_values(state, seat)]
    return (*known, *(ClosedPiece(BRIDGE, VALUES) for _tile in range(holding.bridges - len(known))))


def with_values(state: State, seat: int, names: tuple[str, ...]) -> State:
    """The position with these values, or "bridge", on the tiles of a seat.

    Raises ValueError where there are more or fewer, or no tile has such a value.
    """
    for name in names:
        if name != BRIDGE and name not in VALUES:
            raise ValueError(f"{name} is no value of a bridge tile")
    check_told([piece.name for piece in closed_tiles(state, seat)], names, _wider)
    values = tuple(sorted(int(name) for name in names if name != BRIDGE))
    return changed(state, told=state.told.put(seat, values))
