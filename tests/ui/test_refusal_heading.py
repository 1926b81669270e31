"""The two words above a refusal speak of the place only where the place is what is wrong."""

from __future__ import annotations

from dataclasses import replace

from companion.engine import explain, legal_actions
from companion.games.city_of_marble.actions import PlayWard
from tests.ui.tables import GAME, TEXTS, state_after
from ui.table.verdict_panel import refused_verdict

SPOT = ("ward a1",)
"""where the camera has seen something, whatever rule that breaks"""


def wards_of(state):
    return [action for action in legal_actions(GAME, state) if isinstance(action, PlayWard)]


def heading(state, action):
    verdict = explain(GAME, state, action)
    assert not verdict.is_legal
    return refused_verdict(GAME, TEXTS, action, verdict, state.table.rulings, SPOT).brief


def with_wards():
    return next(state for count in range(40, 120) if wards_of(state := state_after(count)))


def test_a_covered_place_is_refused_as_a_place():
    state = with_wards()
    action = wards_of(state)[0]
    assert heading(state, replace(action, ward=next(iter(state.wards)))) == "Not here"


def test_what_comes_too_late_is_no_matter_of_place():
    state = with_wards()
    assert heading(replace(state, actions=0), wards_of(state)[0]) == "Not now"


def test_a_tile_that_is_not_held_is_no_matter_of_place():
    state = with_wards()
    action = wards_of(state)[0]
    held = {ward.colour for ward in wards_of(state)}
    missing = next(colour for colour in ("red", "blue", "yellow", "grey", "green") if colour not in held)
    assert heading(state, replace(action, colour=missing)) == "Not allowed"
