"""Listing skips the checks that domains keep by construction: the lists are those that all checks together leave."""

from collections.abc import Iterator
from dataclasses import fields, replace
from random import Random
from typing import Any

import pytest

from companion.engine import GameRules, apply_unchecked, judge, legal_actions
from companion.errors import SessionError
from companion.registry import load_game
from companion.rule_set import RuleSet
from companion.session.rejudging import attempt
from tests.conformance import few_outcomes, starting_state
from tests.every_game import EVERY_GAME

SKIPPING = [
    game_id for game_id in EVERY_GAME if any(domain.keeps for domain in load_game(game_id).rules.domains.values())
]
"""the games with domains that keep checks by construction"""
POSITIONS = 10_000 // len(SKIPPING)
"""positions looked at of each game"""
OVERRIDES = 20
"""in one of so many positions the table plays on from an action that breaks a rule, if it has a result"""
TRIES, LONGEST_GAME = 6, 400


def asking_all(rules: RuleSet) -> RuleSet:
    """The same rules, with lists that ask every check."""
    return replace(rules, domains={kind: replace(domain, keeps=()) for kind, domain in rules.domains.items()})


def positions(game: GameRules[Any]) -> Iterator[Any]:
    """Positions of seeded random games with drawn rulings, modules and numbers of players, and with overrides."""
    modules, (fewest, most) = few_outcomes(game.info.id), game.info.seats
    seed = 0
    while True:
        random = Random(seed)
        seats = fewest + seed % (most - fewest + 1)
        state = starting_state(game.info.id, seats, random, modules[seed % len(modules)])
        sites = sorted({spot.site for spot in state.table.board.spots.values()})
        seen: dict[tuple[type, str], list[Any]] = {}
        for _ in range(LONGEST_GAME):
            yield state
            actions = legal_actions(game, state)
            if not actions:
                break
            for action in random.choices(actions, k=3):
                for each in fields(action):
                    value = getattr(action, each.name)
                    others = [value, random.choice(sites)] if value in sites else [value]
                    seen.setdefault((type(action), each.name), []).extend(others)
            state = played(game, state, random.choice(actions), seen, random)
        seed += 1


def played(
    game: GameRules[Any], state: Any, action: Any, seen: dict[tuple[type, str], list[Any]], random: Random
) -> Any:
    """The position after an action, or now and then after one with another value that breaks a rule."""
    names = [each.name for each in fields(action)]
    for _ in range(TRIES if names and random.randrange(OVERRIDES) == 0 else 0):
        name = random.choice(names)
        other = replace(action, **{name: random.choice(seen.get((type(action), name)) or [getattr(action, name)])})
        if not judge(game, state, other).is_legal:
            try:
                return attempt(game, state, other).state
            except SessionError:
                continue
    return apply_unchecked(game, state, action).state


@pytest.mark.parametrize("game_id", SKIPPING)
def test_skipping_the_checks_that_domains_keep_changes_no_list(game_id: str) -> None:
    game = load_game(game_id)
    every = asking_all(game.rules)
    for state, _ in zip(positions(game), range(POSITIONS), strict=False):
        skipping, asking = game.rules.step_rules(state).listings, every.step_rules(state).listings
        for kind, listing in asking.items():
            assert skipping[kind].actions(state) == listing.actions(state), kind.__name__
