"""A game told in full and the same game told less: the same score, and nothing legal is ever called illegal."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.detail import EVERYTHING, ON_THE_TABLE
from companion.engine import apply_unchecked, follow, judge, legal_actions, scores
from companion.events import DetailChosen
from companion.files.documents import DocumentTable
from companion.games.city_of_marble.actions import EndTurn
from companion.legality import Status
from companion.position import position_document, read_position
from companion.registry import GAMES, load_game
from tests.conformance import Walk, few_outcomes, starting_state, zeal_of
from ui.simulated_table.told_less import told_less

KINDS_STAND_IN = {"capitol": "timing"}
TOLD_LESS = tuple(game_id for game_id in GAMES if ON_THE_TABLE in load_game(game_id).info.details)


@pytest.mark.parametrize("game_id", TOLD_LESS)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), chosen=st.randoms(use_true_random=False))
def test_less_told_means_the_same_score(game_id: str, seed: int, chosen: Random) -> None:
    seats = chosen.randint(*load_game(game_id).info.seats)
    start = starting_state(game_id, seats, Random(seed), chosen.choice(few_outcomes(game_id)))
    check_told_less(Walk(load_game(game_id), start, seed), 0)


@pytest.mark.parametrize("game_id", TOLD_LESS)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), chosen=st.randoms(use_true_random=False))
def test_a_table_may_tell_less_from_any_time_on(game_id: str, seed: int, chosen: Random) -> None:
    seats = chosen.randint(*load_game(game_id).info.seats)
    start = starting_state(game_id, seats, Random(seed), chosen.choice(few_outcomes(game_id)))
    walk = Walk(load_game(game_id), start, seed)
    check_told_less(walk, chosen.randrange(len(walk.steps)))


def check_told_less(walk: Walk, since: int) -> None:
    """Play a walk, told less from the action of this number on."""
    game = walk.game
    state = follow(game, walk.steps[since][0], (DetailChosen(ON_THE_TABLE),)).state
    for full, action, step in walk.steps[since:]:
        for told in told_less(game.info.id, full, action, step.events):
            verdict = judge(game, state, told)
            assert verdict.status is not Status.ILLEGAL, (action.text, told.text, verdict)
            assert told in legal_actions(game, state)
            state = apply_unchecked(game, state, told).state
            assert game.parse_action(told.text, state) == told
    assert game.detail(state) == ON_THE_TABLE
    assert game.decide(state) is None
    assert sheet(game, state) == sheet(game, walk.end)


def sheet(game: Any, state: Any) -> tuple[Any, ...]:
    """What a score sheet says of everybody, without what only the telling of the cards decides."""
    found = scores(game, state)
    return found.totals, found.winners, [(line.rule, line.seat, line.points) for line in found.lines]


@pytest.mark.parametrize("game_id", [game_id for game_id in TOLD_LESS if game_id != "capitol"])
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), chosen=st.randoms(use_true_random=False))
def test_a_table_may_tell_everything_again(game_id: str, seed: int, chosen: Random) -> None:
    seats = chosen.randint(*load_game(game_id).info.seats)
    outcomes = few_outcomes(game_id)
    if game_id == "thurn_and_taxis":  # without office tiles nobody knows how many cards hands hold
        outcomes = [each for each in outcomes if each["modules"][0] in ("offices", "both")]
    start = starting_state(game_id, seats, Random(seed), chosen.choice(outcomes))
    walk = Walk(load_game(game_id), start, seed)
    game, states = walk.game, [full for full, _action, _step in walk.steps]
    turns = [place for place in range(1, len(states)) if begins(game_id, states[place - 1], states[place])]
    chosen_place = chosen.randrange(len(turns))
    again, following = turns[chosen_place], (*turns, len(states))[chosen_place + 1]
    state = follow(game, states[0], (DetailChosen(ON_THE_TABLE),)).state
    for place, (full, action, step) in enumerate(walk.steps):
        if place == again:
            state = follow(game, state, (DetailChosen(EVERYTHING),)).state
            following = again if game.rules.step_of(state) == "take" else following  # nothing of the turn was told yet
        less = told_less(game_id, full, action, step.events)
        is_told = less or place >= following or type(action).__name__ not in ("Administrator", "Take", "Show")
        is_told = is_told or (type(action).__name__ == "Show" and game.rules.step_of(state) == "show")
        is_told = is_told and (type(action).__name__ != "Discard" or game.rules.step_of(state) == "cut")
        stays_untold = place < again or (game_id == "city_of_marble" and isinstance(action, EndTurn))
        for told in less if stays_untold else (action,) if is_told else ():
            verdict = judge(game, state, told)
            assert verdict.status is not Status.ILLEGAL, (action.text, told.text, verdict)
            state = apply_unchecked(game, state, told).state
    assert sheet(game, state) == sheet(game, walk.end)


def begins(game_id: str, before: Any, state: Any) -> bool:
    """Whether a turn begins here."""
    decision = load_game(game_id).decide(state)
    return bool(state.active != before.active and decision is not None and decision.step in ("take", "act"))


@pytest.mark.parametrize("game_id", TOLD_LESS)
@pytest.mark.parametrize("seed", range(3))
def test_whatever_a_table_may_tell_of_what_lies_there_can_be(game_id: str, seed: int) -> None:
    """Any game of legal actions told less: each has its time, comes to a position, and the game comes to an end."""
    game = load_game(game_id)
    kinds_in = import_module(f"companion.games.{game_id}.{KINDS_STAND_IN.get(game_id, 'rules')}").KINDS_IN
    start = starting_state(game_id, 3, Random(seed), few_outcomes(game_id)[-1])
    state = follow(game, start, (DetailChosen(ON_THE_TABLE),)).state
    zeal, random = zeal_of(game_id), Random(seed)
    for _action in range(3000):
        legal = legal_actions(game, state)
        if not legal:
            break
        assert {type(action) for action in legal} <= set(kinds_in[game.rules.step_of(state)])
        state = apply_unchecked(game, state, random.choices(legal, list(map(zeal, legal)))[0]).state
    assert game.decide(state) is None
    assert read_position(DocumentTable(position_document(game, state), "position", "")).state == state


def test_hands_told_again_are_as_where_a_position_leaves_them_out() -> None:
    game = load_game("capitol")
    state = follow(game, starting_state("capitol", 3, Random(1)), (DetailChosen(ON_THE_TABLE),)).state
    state = follow(game, state, (DetailChosen(EVERYTHING),)).state
    assert state.hands_untold == {1, 2, 3}
    assert not judge(game, state, game.parse_action("floor-8 new 1", state)).violations[0].certain
    for action in ("pass", "pass", "pass", "ready 2", "ready 1", "ready 3", "reveal floor-8", "senator"):
        assert judge(game, state, game.parse_action(action, state)).is_legal
        state = apply_unchecked(game, state, game.parse_action(action, state)).state


@pytest.mark.parametrize("game_id", TOLD_LESS)
def test_a_position_told_less_is_written_and_read(game_id: str) -> None:
    game = load_game(game_id)
    walk = Walk(game, starting_state(game_id, 3, Random(5), few_outcomes(game_id)[-1]), 5)
    for full, _action, _step in walk.steps[:: max(1, len(walk.steps) // 25)]:
        state = follow(game, full, (DetailChosen(ON_THE_TABLE),)).state
        document = position_document(game, state)
        assert read_position(DocumentTable(document, "position", "")).state == state
        again = follow(game, state, (DetailChosen(EVERYTHING),)).state
        assert game.detail(again) == EVERYTHING
        assert read_position(DocumentTable(position_document(game, again), "position", "")).state == again
