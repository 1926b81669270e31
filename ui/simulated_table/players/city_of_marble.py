"""Simulated players of City of Marble."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.city_of_marble.actions import Draw, PlayWard
from companion.games.city_of_marble.geometry import COLOURS
from companion.games.city_of_marble.state import State, step_of
from ui.simulated_table.players import Mistake

LIKING = {
    "Draw": 1.6, "PlayWard": 0.9, "Lay": 1.2, "Recall": -1.5, "Spend": 0.6, "Send": 1.0, "Keep": 0.3, "Collect": 1.0,
    "Pass": -9.0, "EndTurn": 1.0,
}  # fmt: skip
"""how gladly an action is done, in points"""
MAGISTRATE_LIKING = 0.8


def liking(action: Any) -> float:
    """How gladly an action is done, in points."""
    extra = MAGISTRATE_LIKING if isinstance(action, PlayWard) and action.magistrate else 0.0
    return LIKING.get(type(action).__name__, 0.0) + extra


def mistakes(state: State) -> Iterator[Mistake]:
    """A ward that touches the city at a corner only, one whose colour is spent, two wards of one colour drawn."""
    if step_of(state) != "act":
        return
    board = state.board
    held = [colour for colour in COLOURS if state.own.atrium[colour]]
    spent = [colour for colour in COLOURS if not state.own.atrium[colour]]
    city = {corner for ward in state.wards for corner in board.corners[ward]}
    for ward in board.wards if held else ():
        free = not any(triangle in state.covered or triangle in board.bridges for triangle in board.triangles[ward])
        if free and ward not in state.frontier and city.intersection(board.corners[ward]):
            yield Mistake(PlayWard(ward, held[0]), {f"ward {ward}": held[0]})
            break
    dry = [ward for ward in sorted(state.frontier) if not any(at in board.bridges for at in board.triangles[ward])]
    for ward in dry[:1] if spent else ():
        yield Mistake(PlayWard(ward, spent[0]), {f"ward {ward}": spent[0]})
    if sum(count > 0 for count in state.stacks.values()) > 1:
        colour = max(COLOURS, key=state.stacks.__getitem__)
        yield Mistake(Draw((colour, colour)))
