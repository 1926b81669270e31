"""A prompt names only what is legal: the kinds of actions that its words promise are all open.

Which words promise what, a game says in `prompts.py` of its own tests; without it nothing is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

import pytest

from companion.engine import apply_unchecked, legal_actions, open_kinds
from companion.errors import InvalidDocument
from companion.events import Event
from companion.wording.texts import game_texts
from tests.every_game import EVERY_GAME, REFERENCE, fewest_seats, own
from tests.tables import start

WALKS, LONGEST = 6, 300


def promised_by(game_id: str) -> Mapping[str, set[str]]:
    """Words of a game's prompts -> the kinds of actions that must be legal where a prompt says them."""
    return own(game_id, "prompts", "PROMISED", {})


@pytest.mark.parametrize("game_id", [game for game in EVERY_GAME if promised_by(game)])
def test_a_prompt_promises_nothing_that_is_not_legal(game_id: str) -> None:
    promised = promised_by(game_id)
    texts, checked = game_texts(game_id), set()
    for seed in range(WALKS):
        random = Random(seed)
        game, state = start(game_id, fewest_seats(game_id))
        for _step in range(LONGEST):
            if (decision := game.decide(state)) is None:
                break
            kinds = {kind.__name__ for kind in open_kinds(game, state)}
            for prompt in {texts.prompt(game, state), texts.brief(game, state)}:
                for words, needed in promised.items():
                    if words in prompt:
                        assert needed <= kinds, f"{decision.step}: {prompt!r}, but open are {sorted(kinds)}"
                        checked.add(words)
            actions = legal_actions(game, state)
            kind = random.choice(sorted({type(action).__name__ for action in actions}))
            action = random.choice([action for action in actions if type(action).__name__ == kind])
            state = apply_unchecked(game, state, action).state
    assert len(checked) >= min(2, len(promised))


@dataclass(frozen=True)
class NothingPut(Event):
    """A fact that no game tells of."""


def test_a_sentence_that_is_missing_is_named() -> None:
    texts, table = game_texts(REFERENCE), start(REFERENCE)[1].table
    with pytest.raises(InvalidDocument, match=r"texts\.toml: event\.NothingPut: is missing"):
        texts.event(NothingPut(), table)
