"""Caches of values computed from a board."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

from companion.board.definition import Board

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
RESULTS_KEPT = 32


class _Identity:
    """A board as a cache key, compared by identity: boards hold dictionaries and cannot be hashed."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def __hash__(self) -> int:
        return id(self.board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.board is self.board


def once_a_board(function: Callable[[Board, *Ts], T]) -> Callable[[Board, *Ts], T]:
    """Cache the latest results of a function of a board and of further hashable arguments."""

    @lru_cache(maxsize=RESULTS_KEPT)
    def kept(identity: _Identity, rest: tuple[*Ts]) -> T:
        return function(identity.board, *rest)

    @wraps(function)
    def looked_up(board: Board, /, *rest: *Ts) -> T:
        return kept(_Identity(board), rest)

    return looked_up
