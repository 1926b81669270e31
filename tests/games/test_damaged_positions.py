"""A position with entries changed, taken out or taken from another is refused in one line, or can be played on."""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import apply_unchecked, legal_actions, random_game, scores
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.position import position_document, read_position
from companion.registry import load_game
from tests.conformance import starting_state
from tests.every_game import EVERY_GAME, some_seats

TABLES, LONGEST = 4, 150
Place = tuple[str | int, ...]


@cache
def documents(game_id: str) -> tuple[dict[str, Any], ...]:
    """Positions from the beginnings of random games under random rulings."""
    game, found = load_game(game_id), []
    for seed in range(TABLES):
        start = starting_state(game_id, some_seats(game_id, seed), Random(seed))
        played = random_game(game, start, Random(seed), limit=LONGEST)
        found += [position_document(game, state) for number, (state, _, _) in enumerate(played) if number % 6 == 0]
    return tuple(found)


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """All entries of a document but those that say which game it is."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        if place or key not in ("game", "board"):
            yield (*place, key)
            yield from places(below, (*place, key))


def entry(document: Any, place: Place) -> Any:
    for key in place:
        document = document[key]
    return document


def damaged(game_id: str, random: Random) -> dict[str, Any]:
    """A position with up to three entries changed."""
    document, other = (deepcopy(random.choice(documents(game_id))) for _ in range(2))
    for _ in range(random.randint(1, 3)):
        place = random.choice(list(places(document)))
        holder, key = entry(document, place[:-1]), place[-1]
        value = holder[key]
        alike = [each for where in places(other) if type(each := entry(other, where)) is type(value)]
        if random.random() < 0.2:
            del holder[key]
        elif isinstance(value, int) and not isinstance(value, bool) and random.random() < 0.5:
            holder[key] = value + random.choice([-1, 1, 90])
        elif alike:
            holder[key] = deepcopy(random.choice(alike))
    return document


@settings(max_examples=120)
@given(st.integers(0, 2**32).map(Random))
@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_a_damaged_position_is_refused_or_can_be_played_on(game_id: str, random: Random) -> None:
    game, document = load_game(game_id), DocumentTable(damaged(game_id, random), "damaged", "")
    refused = None
    try:
        state = read_position(document).state
    except InvalidDocument as error:
        refused = error
    if refused is not None:
        assert refused.entry
        assert "\n" not in str(refused)
        return
    game.appearance(state)
    scores(game, state)
    actions = legal_actions(game, state)
    assert bool(actions) == (game.decide(state) is not None)
    while actions and random.random() < 0.8:
        state = apply_unchecked(game, state, random.choice(actions)).state
        actions = legal_actions(game, state)
