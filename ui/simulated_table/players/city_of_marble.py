"""Simulated players of City of Marble: greedy for points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Self

from companion.engine import legal_actions
from companion.games.city_of_marble.actions import Draw, PlayWard
from companion.games.city_of_marble.geometry import COLOURS
from companion.games.city_of_marble.state import State, step_of
from companion.registry import load_game
from ui.simulated_table.players import Mistake, greedy

GAME = load_game("city_of_marble")
LIKING = {
    "Draw": 1.6, "PlayWard": 0.9, "Lay": 1.2, "Recall": -1.5, "Spend": 0.6, "Send": 1.0, "Keep": 0.3, "Collect": 1.0,
    "Pass": -9.0, "EndTurn": 1.0,
}  # fmt: skip
"""how gladly an action is done, in points"""
MAGISTRATE_LIKING = 0.8
SAMPLE = 40
"""actions of one kind that a player thinks about"""


@dataclass(frozen=True, slots=True)
class Players:
    """They see nothing that the companion does not; which wards they draw is as good as free choice."""

    @classmethod
    def seated(cls, state: State, random: Random) -> Self:
        """Players at this table."""
        return cls()

    def choose(self, state: State, random: Random) -> Any:
        """What brings points now; of many actions of a kind a player thinks about some."""
        by_kind: dict[type, list[Any]] = {}
        actions = legal_actions(GAME, state)
        if len(actions) > SAMPLE:
            for action in actions:
                by_kind.setdefault(type(action), []).append(action)
            actions = [action for kind in by_kind.values() for action in random.sample(kind, min(SAMPLE, len(kind)))]
        return greedy(GAME, state, actions, _liking, random)

    def after(self, before: State, action: Any, state: State) -> Self:
        """The same players."""
        return self

    def mistakes(self, state: State) -> Iterator[Mistake]:
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


def _liking(action: Any) -> float:
    extra = MAGISTRATE_LIKING if isinstance(action, PlayWard) and action.magistrate else 0.0
    return LIKING.get(type(action).__name__, 0.0) + extra
