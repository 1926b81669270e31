"""Tables that keep all their cards until none is left to draw."""

import pytest

from companion.engine import apply, legal_actions
from companion.games.capitol.events import DrawsLost, GameEnded, RoundBegan
from companion.games.capitol.game import GAME
from companion.position import parse_position


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("reading", ["first_player", "nobody"])
def test_a_table_that_keeps_all_its_cards_plays_four_rounds(players: int, reading: str) -> None:
    text = f'game = "capitol"\nplayers = {players}\nrulings.all_zero_auction = "{reading}"'
    state, events = parse_position(text, "here").state, []
    while (decision := GAME.decide(state)) is not None:
        done = GAME.closing_action(state, decision.actors[0])
        step = apply(GAME, state, done or legal_actions(GAME, state)[0])
        state, events = step.state, [*events, *step.events]
    first = [(event.round, event.first) for event in events if isinstance(event, RoundBegan)]
    assert first == [(number, (number - 1) % players + 1) for number in (2, 3, 4)]
    assert sum(isinstance(event, GameEnded) for event in events) == 1
    assert any(isinstance(event, DrawsLost) for event in events) == (players > 2)
