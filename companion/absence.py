"""A table that goes on after players left: their turns pass automatically, which no rulebook describes.

A game's `events_without` says which decisions of a seat that left pass and which the other players make.
"""

from __future__ import annotations

from typing import Any

from companion.engine import MAXIMUM_CASCADE, GameRules, Step, apply_unchecked, follow

NOBODY: frozenset[int] = frozenset()


def pass_over(game: GameRules[Any], state: Any, left: frozenset[int]) -> Step:
    """Apply `events_without` for seats that left, until another seat must act or decide for them."""
    passed = Step(state, (), ())
    while left and (decision := game.decide(passed.state)) is not None:
        passing = (game.events_without(passed.state, seat) for seat in decision.actors if seat in left)
        events = next(filter(None, passing), ())
        if not events:
            break
        if len(passed.events) >= MAXIMUM_CASCADE:
            raise RuntimeError(f"{game.info.id}: a table without {sorted(left)} has no end of turns that pass")
        passed = passed.then(follow(game, passed.state, events))
    return passed


def apply_with_absent(game: GameRules[Any], state: Any, action: Any, left: frozenset[int] = NOBODY) -> Step:
    """Apply a judged action, and the events by which the table goes on without the seats that left."""
    step = apply_unchecked(game, state, action)
    if not left:
        return step
    return step.then(pass_over(game, step.state, left))
