"""Whole games by the simulated players through the presenter, without devices: what they do can all be touched."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.engine import apply_unchecked
from companion.games.thurn_and_taxis.actions import DECK, Take
from companion.games.thurn_and_taxis.state import UNSEEN
from companion.legality import Status
from companion.registry import load_game
from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from tests.every_game import own
from ui.simulated_table.demo import DemoOptions, demo_table, parse, playable
from ui.simulated_table.players import mistakes, seated, thurn_and_taxis
from ui.table.legal_choices import concerned_sites
from ui.table.presenter import Presenter
from ui.view_models.play_view import PieceState, VerdictKind

SET_UPS = [words for game_id in playable() for words in own(game_id, "demo", "SET_UPS", (game_id,))]
NEWCOMERS = 37
"""after so many actions others take over the hands, as when a demo is taken up again"""


def options(words: str) -> DemoOptions:
    """The options of the demo for these words."""
    return parse(["--game", *words.split()])


def new_presenter(words: str) -> Presenter:
    """A new game at the table that these words ask for."""
    return Presenter(Session.create(None, demo_table(options(words))))


def do(presenter: Presenter, action: Any) -> None:
    """Do an action as a player would: press *done*, or find it among the choices and touch it."""
    game, state = presenter.session.game, presenter.session.state
    decision = game.decide(state)
    assert decision is not None
    seat = next((seat for seat in decision.actors if game.closing_action(state, seat) == action), None)
    if seat is not None:
        presenter.on_intent(Intent(IntentKind.DONE, seat))
        return
    if not is_offered(presenter, action):
        presenter.on_intent(Intent(IntentKind.HELP))
    for site in sorted(concerned_sites(presenter.session, action)):
        if not is_offered(presenter, action):
            presenter.on_site(site)
    assert is_offered(presenter, action), f"{action.text} cannot be touched"
    presenter.on_choice(action.text)


def is_offered(presenter: Presenter, action: Any) -> bool:
    return action.text in [choice.key for choice in presenter.view().choices]


@pytest.mark.parametrize("words", SET_UPS)
def test_a_whole_game_can_be_touched_and_pressed(words: str) -> None:
    presenter = new_presenter(words)
    session = presenter.session
    game, players, number = session.game, seated(session.game, session.state, Random(1)), 0
    while game.decide(session.state) is not None:
        before, number = session.state, number + 1
        if number % NEWCOMERS == 0:
            players = seated(game, before, Random(number))
        action = players.choose(before, Random(number))
        do(presenter, action)
        assert session.state == apply_unchecked(game, before, action).state
        players = players.after(before, action, session.state)
        view = presenter.view()
        assert view.prompt.endswith(".")
        assert "{" not in view.prompt
        assert "put right" not in view.prompt
        assert view.eyes == "no camera"
        assert not any(piece.state is PieceState.OWED for piece in view.pieces)
    assert session.is_over
    score = presenter.view().score
    assert score is not None
    assert score.final
    assert all(line.detail and "{" not in line.detail for line in score.lines)
    assert Session.read(None, session.export(), "record").state == session.state


@pytest.mark.parametrize("words", playable())
def test_mistakes_are_refused_and_put_back(words: str) -> None:
    presenter = new_presenter(words)
    session = presenter.session
    game, players, kinds = session.game, seated(session.game, session.state, Random(2)), set()
    for number in range(45):
        state = session.state
        if game.decide(state) is None:
            break
        for mistake in mistakes(game, state, players)[:3]:
            presenter.act(mistake.action)
            verdict = presenter.view().verdict
            assert verdict is not None
            assert verdict.kind is VerdictKind.REFUSED
            assert verdict.sentences
            presenter.on_intent(Intent(IntentKind.NO))
            assert session.state == state
            kinds.add(type(mistake.action))
        action = players.choose(state, Random(number))
        presenter.act(action)
        players = players.after(state, action, session.state)
    assert kinds


def test_the_same_seed_plays_the_same_game() -> None:
    game = load_game("thurn_and_taxis")
    played = []
    for _ in range(2):
        state = game.setup(demo_table(options("thurn_and_taxis")))
        players, actions = seated(game, state, Random(5)), []
        for number in range(80):
            action = players.choose(state, Random(number))
            following = apply_unchecked(game, state, action).state
            players, state = players.after(state, action, following), following
            actions.append(action.text)
        played.append(actions)
    assert played[0] == played[1]


def test_capitol_is_told_no_more_of_a_hand_than_was_shown() -> None:
    presenter = new_presenter("capitol")
    session = presenter.session
    players, unchecked = seated(session.game, session.state, Random(3)), 0
    for number in range(30):
        state = session.state
        assert set(state.holdings[0].hand) <= {"roof", "floor", "permit"}
        action = players.choose(state, Random(number))
        if type(action).__name__ == "Commit":
            break
        verdict = presenter.act(action)
        unchecked += verdict.status is Status.NOT_CHECKABLE
        players = players.after(state, action, session.state)
    assert unchecked > 0


def test_a_card_from_the_stack_stays_hidden_until_it_is_played() -> None:
    game = load_game("thurn_and_taxis")
    state = game.setup(demo_table(options("thurn_and_taxis")))
    players = thurn_and_taxis.Players.seated(state, Random(4))
    for number in range(6):
        action = players.choose(state, Random(number))
        following = apply_unchecked(game, state, action).state
        players, state = players.after(state, action, following), following
    top = players.deck[0]
    following = apply_unchecked(game, state, Take(DECK)).state
    players = players.after(state, Take(DECK), following)
    assert following.own.hand == (UNSEEN,)
    assert players.hidden[0] == (top,)
