"""Moments of simulated games at which the episodes of the benchmark of trust begin."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from companion.board.layout import Board
from companion.engine import apply_unchecked, legal_actions, legal_of_kind
from companion.registry import load_game, print_and_play_board, usual_table
from companion.session.log import Log
from companion.session.session import Session
from companion.session.tracking import only_takes_off
from ui.simulated_table.players import seated


@dataclass(frozen=True, slots=True)
class Moment:
    """A position of a game: its log, what is done next and the states that leads to, the present one first."""

    log: Log
    actions: tuple[Any, ...]
    states: tuple[Any, ...]


def moments_of(game_id: str, seed: int) -> Iterator[Moment]:
    """The moments of a game before each action that the camera can see, with the visible ones that follow at once."""
    game, board = load_game(game_id), print_and_play_board(game_id)
    random = Random(seed)
    state = game.setup(usual_table(game.info.id, random.randint(*game.info.seats), board=board))
    session = Session.create(None, state.table)
    players = seated(game, state, random)
    logs, actions, states = [], [], [session.state]
    while game.decide(session.state) is not None:
        before = session.state
        action = players.choose(before, Random(f"{seed}:{len(actions)}"))
        logs.append(session.log)
        session.submit(action)
        actions.append(action)
        states.append(session.state)
        players = players.after(before, action, session.state)
    looks = [game.appearance(state) for state in states]
    for place, log in enumerate(logs):
        if looks[place] == looks[place + 1] or _has_twin(game, states[place], actions[place], looks[place + 1]):
            continue
        end, visible = place + 1, 1
        while end < len(actions) and visible < 3:
            is_seen = looks[end] != looks[end + 1]
            if not is_seen and not isinstance(actions[end], game.info.turn_end or ()):
                break
            visible += is_seen
            end += 1
        yield Moment(log, tuple(actions[place:end]), tuple(states[place : end + 1]))


def first_of(moment: Moment) -> Moment:
    """The moment with its first action alone."""
    return Moment(moment.log, moment.actions[:1], moment.states[:2])


def is_on_board(moment: Moment, board: Board) -> bool:
    """Whether all that happens can be seen on the game's own board."""
    looks = [moment.log.game.appearance(state).items() for state in moment.states]
    changed = {spot for before, after in itertools.pairwise(looks) for spot, _label in before ^ after}
    return changed <= board.spots.keys()


def removals(moment: Moment) -> Mapping[Any, Mapping[str, str]]:
    """The states after the legal actions that only take pieces off and that no other action looks like; their looks."""
    game, before = moment.log.game, moment.states[0]
    states = [apply_unchecked(game, before, action).state for action in legal_actions(game, before)]
    looks = {state: game.appearance(state) for state in states if only_takes_off(game, before, state)}
    counts = Counter(frozenset(game.appearance(state).items()) for state in states)
    return {state: look for state, look in looks.items() if counts[frozenset(look.items())] == 1}


def _has_twin(game: Any, state: Any, action: Any, look: Mapping[str, str]) -> bool:
    """Whether another action leaves the same to see: no camera can tell them apart."""
    others = (other for other in legal_of_kind(game, state, type(action)) if other != action)
    return any(game.appearance(apply_unchecked(game, state, other).state) == look for other in others)
