"""A prompt names only what is legal: the kinds of actions that its words promise are all open."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine import apply_unchecked, legal_actions, open_kinds
from companion.registry import GAMES
from companion.wording.texts import game_texts
from tests.every_game import fewest_seats
from tests.tables import start

WALKS, LONGEST = 6, 300

PROMISED = {
    "only a pass is left": {"Pass"},
    "end the turn, or go on?": {"EndTurn", "Spend"},
    "end the turn": {"EndTurn"},
    "lay the aqueduct or complete a site": {"Lay", "Complete"},
    "send a magistrate": {"Send"},
    "keep them all": {"Keep"},
    "or pass": {"Pass"},
    "turn over the cards": {"Reveal"},
    "one by one": {"Reveal"},
    "turn over the senator": {"TurnSenator"},
    "close an aqueduct?": {"Close"},
    "close one of your aqueducts": {"Close"},
    "just end it": {"EndTurn"},
    "close the route": {"Close"},
    "play a second card": {"Play"},
    "play a card": {"Play"},
    "take a second card": {"Take"},
    "drop the route": {"Drop"},
    "lay a tile": {"Build"},
    "move any builder": {"Move"},
}
"""words of a prompt -> the kinds of actions that must be legal where it says them"""
CAPITOL_PLAYS = {"play a card": {"PlayForNothing"}}
"""where the same words mean other kinds"""


@pytest.mark.parametrize("game_id", GAMES)
def test_a_prompt_promises_nothing_that_is_not_legal(game_id: str) -> None:
    promised = PROMISED | (CAPITOL_PLAYS if game_id == "capitol" else {})
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
    assert len(checked) >= 2
