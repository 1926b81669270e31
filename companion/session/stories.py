"""Whether what is seen can have come about in one way only: the order of several actions, and other actions instead.

A camera that looks away while several things happen sees only where they led to. Who did what, and when, may matter.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, Protocol

from companion.absence import NOBODY, apply_with_absent
from companion.engine import GameRules, judge, legal_actions, scores

MOST_REORDERED = 4
"""actions whose orders are all tried (24 of 4); with more the table is asked"""


class Story(Protocol):
    """Actions, the state they lead to, and the spots where the table lags behind that state."""

    @property
    def actions(self) -> tuple[Any, ...]:
        """In their order."""
        ...

    @property
    def state(self) -> Any:
        """The state after them."""
        ...

    @property
    def owed(self) -> frozenset[str]:
        """Spots that would have to change as well and have not."""
        ...


def is_only_story(game: GameRules[Any], state: Any, stories: Sequence[Story], left: frozenset[int] = NOBODY) -> bool:
    """Whether the first of the stories that explain what is seen at `state` may be recorded without asking.

    One action may: how likely it is was weighed before. Several may only if all their pieces lie there, every legal
    order of them leads to the same position, owners and points, no other story that explains as much leads to another
    position, and none of the unseen actions among them could have been another unseen action.
    """
    first = stories[0]
    if len(first.actions) == 1:
        return True
    if first.owed:
        return False
    rivals = [other for other in stories[1:] if other.state != first.state and len(other.owed) <= len(first.owed)]
    if rivals and {_summary(game, other.state) for other in rivals} != {_summary(game, first.state)}:
        return False
    return leads_to_one_state(game, state, first.actions, left) and not _hides_a_choice(game, state, first, left)


def leads_to_one_state(game: GameRules[Any], state: Any, actions: Sequence[Any], left: frozenset[int] = NOBODY) -> bool:
    """Whether every legal order of these actions leads to the same position, owners and points.

    False for too many actions to be tried.
    """
    if len(actions) > MOST_REORDERED:
        return False
    ends = set(_ends(game, state, actions, left))
    return len(ends) == 1 or len({_summary(game, end) for end in ends}) == 1


def is_order_open(game: GameRules[Any], state: Any, actions: Sequence[Any], left: frozenset[int] = NOBODY) -> bool:
    """Whether the same actions may as well have been done in another order."""
    return 1 < len(actions) <= MOST_REORDERED and len(_ends(game, state, actions, left)) > 1


def _ends(game: GameRules[Any], state: Any, actions: Sequence[Any], left: frozenset[int]) -> list[Any]:
    """The state after each legal order of the actions."""
    ends = []
    for order in set(permutations(actions)):
        end = state
        for action in order:
            if not judge(game, end, action).is_legal:
                break
            end = apply_with_absent(game, end, action, left).state
        else:
            ends.append(end)
    return ends


def _summary(game: GameRules[Any], state: Any) -> tuple[Any, ...]:
    """All that matters of a position, whatever the order in which its parts came about."""
    seats = state.table.seats
    return (
        frozenset(game.appearance(state).items()),
        game.decide(state),
        tuple(tuple(game.holdings(state, seat)) for seat in seats),
        tuple(tuple(game.secrets(state, seat)) for seat in seats),
        scores(game, state).totals,
        _unordered(game.state_document(state)),
    )


def _unordered(part: Any) -> str:
    """A part of a position document as text in which the order of its members says nothing."""
    if isinstance(part, Mapping):
        return json.dumps(sorted((key, _unordered(value)) for key, value in part.items()))
    if isinstance(part, list | tuple):
        return json.dumps(sorted(map(_unordered, part)))
    return json.dumps(part)


def _hides_a_choice(game: GameRules[Any], state: Any, story: Story, left: frozenset[int]) -> bool:
    """Whether one of the story's actions changes nothing that a camera sees, and another such action was legal then."""
    for action in story.actions:
        after = apply_with_absent(game, state, action, left).state
        if game.appearance(after) == game.appearance(state):
            unseen = (*game.info.unseen, type(action))
            if any(isinstance(other, unseen) and other != action for other in legal_actions(game, state)):
                return True
        state = after
    return False
