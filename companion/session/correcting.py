"""What else an action may have been: the legal alternatives to one that was recorded wrongly, likeliest first."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

from companion.board.layout import EMPTY, Board
from companion.engine import GameRules, apply_unchecked, open_actions
from companion.session.log import IMPOSSIBLE
from companion.session.observation import Observation
from companion.session.tracking import SMALLEST_PROBABILITY

NEAR = 0.05
"""nats by which an alternative is less likely for each millimetre away from what was recorded"""
BESIDE_A_PICTURE = 0.05
"""how much nearness still weighs where a camera saw what was done"""
OTHER_KIND, OTHER_FIELD, UNSEEN = 4.0, 0.2, 12.0
"""nats for another kind of action, for each field that is another one, and for nothing to see where something was"""


def alternatives(
    game: GameRules[Any], state: Any, action: Any, observation: Observation | None = None
) -> tuple[Any, ...]:
    """The actions that were legal at `state` instead of `action`.

    What the camera saw weighs as the likelihood of the pieces by which two alternatives differ; what it did not see is
    judged by how near an alternative lies and how little about it is different.
    """
    sheets, before = state.table.board.sheets, dict(game.appearance(state))
    try:
        recorded = _changes(game, state, before, action)
    except IMPOSSIBLE:  # since an earlier entry was amended
        recorded = {}
    start = _middle(sheets, recorded)
    scored = []
    for number, other in enumerate(open_actions(game, state)):
        if other == action:
            continue
        changes = _changes(game, state, before, other)
        middle = _middle(sheets, changes)
        away = NEAR * math.dist(start, middle) if start is not None and middle is not None else 0.0
        score = -_difference(action, other) - (UNSEEN if recorded and not changes else 0.0)
        if observation is None:
            score -= away
        else:
            spots = changes.keys() | recorded.keys()
            score += _likelihood(before | changes, before | recorded, spots, observation) - away * BESIDE_A_PICTURE
        scored.append((-score, number, other))
    return tuple(other for _score, _number, other in sorted(scored, key=lambda each: each[:2]))


def _changes(game: GameRules[Any], state: Any, before: Mapping[str, str], action: Any) -> dict[str, str]:
    """Spot -> label for the spots that show something else after an action."""
    after = game.appearance(apply_unchecked(game, state, action).state)
    return {spot: after.get(spot, EMPTY) for spot in {spot for spot, _label in before.items() ^ after.items()}}


def _middle(sheets: tuple[Board, ...], changes: Mapping[str, str]) -> tuple[float, float] | None:
    places = [sheet.spots[spot].centre for sheet in sheets for spot in changes if spot in sheet.spots]
    return (fmean(x for x, _ in places), fmean(y for _, y in places)) if places else None


def _difference(action: Any, other: Any) -> float:
    """How little two actions have in common (nats)."""
    if type(action) is not type(other):
        return OTHER_KIND
    names: tuple[str, ...] = getattr(type(action), "__slots__", ())
    return OTHER_FIELD * sum(bool(getattr(action, name) != getattr(other, name)) for name in names)


def _likelihood(
    after: Mapping[str, str], recorded: Mapping[str, str], spots: Iterable[str], observation: Observation
) -> float:
    """How much likelier (nats) what was seen is where `after` lies there than where `recorded` does."""
    total = 0.0
    for spot in sorted(spots):  # always in the same order, so that rounding decides between equals the same way
        posterior = observation.posteriors.get(spot)
        one, two = after.get(spot, EMPTY), recorded.get(spot, EMPTY)
        if posterior is not None and one != two:
            total += math.log(max(posterior.get(one, 0.0), SMALLEST_PROBABILITY))
            total -= math.log(max(posterior.get(two, 0.0), SMALLEST_PROBABILITY))
    return total
