"""How simulated players play: greedy for points, a little random, and now and then against the rules.

Each game has a module of its id here with its LIKING and its `mistakes`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from random import Random
from typing import Any, cast

from companion.engine import GameRules, apply_unchecked, legal_actions, scores

TEMPER = 0.45
"""points by which two choices may differ and still both be likely"""
SAMPLE = 40


@dataclass(frozen=True, slots=True)
class Mistake:
    """A forbidden action: touched on the screen, or laid on the table so that these spots show these labels."""

    action: Any
    look: Mapping[str, str] = field(default_factory=dict)


def choose(game: GameRules[Any], state: Any, random: Random) -> Any:
    """An action for whoever must act: mostly one that brings points. The state must not be over."""
    actions = legal_actions(game, state)
    decision = game.decide(state)
    seat = decision.actors[0] if decision else 1
    if len(actions) > SAMPLE:
        by_kind: dict[type, list[Any]] = {}
        for action in actions:
            by_kind.setdefault(type(action), []).append(action)
        actions = [action for kind in by_kind.values() for action in random.sample(kind, min(SAMPLE, len(kind)))]
    before = scores(game, state).totals[seat - 1]
    players = _players(game.info.id)

    def worth(action: Any) -> float:
        after = scores(game, apply_unchecked(game, state, action).state).totals[seat - 1]
        return float(after - before + players.liking(action) + random.gauss(0.0, TEMPER))

    return max(actions, key=worth)


def mistakes(game: GameRules[Any], state: Any) -> Iterator[Mistake]:
    """Forbidden things a careless player might do now."""
    return cast(Iterator[Mistake], _players(game.info.id).mistakes(state))


def _players(game_id: str) -> Any:
    return import_module(f"ui.simulated_table.players.{game_id}")
