"""How simulated players play: as people would, a little at random, and now and then against the rules.

A game that the demo can play has a module of its id here with a class `Players`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Protocol, Self, cast

from companion.engine import GameRules, apply_unchecked, judge, points_of

TEMPER = 0.45
"""spread (points) of the chance that is added to the worth of each choice"""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A forbidden action: touched on the screen, or laid on the table with these labels on these spots."""

    action: Any
    look: Mapping[str, str] = field(default_factory=dict)


class Players(Protocol):
    """Everybody at one table, with what only they see: closed hands, stacks face down. Immutable.

    `state` is always the companion's, which holds only what was made known at the table.
    """

    @classmethod
    def seated(cls, state: Any, random: Random) -> Self:
        """Players who sit down at this state; hidden cards and tiles are dealt so that they fit what is known."""
        ...

    def choose(self, state: Any, random: Random) -> Any:
        """A legal action for whoever must act. The state must not be over."""
        ...

    def after(self, before: Any, action: Any, state: Any) -> Self:
        """The same players once an action at the state `before` has led to `state`."""
        ...

    def mistakes(self, state: Any) -> Iterator[Mistake]:
        """Things a careless player might do now."""
        ...


def has_players(game_id: str) -> bool:
    """Whether a game has simulated players."""
    return find_spec(f"{__name__}.{game_id}") is not None


def seated(game: GameRules[Any], state: Any, random: Random) -> Players:
    """The simulated players of a game, come to a table at this state."""
    module = import_module(f"ui.simulated_table.players.{game.info.id}")
    return cast(Players, module.Players.seated(state, random))


def choose(game: GameRules[Any], state: Any, random: Random) -> Any:
    """An action for whoever must act, by players who have just come to the table."""
    return seated(game, state, random).choose(state, random)


def mistakes(game: GameRules[Any], state: Any, players: Players) -> list[Mistake]:
    """Forbidden things a careless player might do now."""
    return [mistake for mistake in players.mistakes(state) if not judge(game, state, mistake.action).is_legal]


def greedy(
    game: GameRules[Any], state: Any, actions: Iterable[Any], liking: Callable[[Any], float], random: Random
) -> Any:
    """The action that brings whoever must act most points, the points by which it is liked and chance included."""
    decision = game.decide(state)
    seat = decision.actors[0] if decision else 1
    before = points_of(game, state, seat)

    def points(action: Any) -> float:
        after = points_of(game, apply_unchecked(game, state, action).state, seat)
        return after - before + liking(action) + random.gauss(0.0, TEMPER)

    return max(actions, key=points)
