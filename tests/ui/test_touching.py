"""A touch anywhere on the board, in any step of any game: what may be done there, or the rule that forbids it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

import pytest

from companion.detail import ON_THE_TABLE
from companion.engine import apply_unchecked, judge, legal_actions, random_game
from companion.registry import load_game
from companion.session.rejudging import told_from_now
from companion.session.session import Session
from companion.wording.texts import game_texts
from tests.conformance import few_outcomes, starting_state
from tests.every_game import EVERY_GAME, own, some_seats
from tests.tables import table_of
from ui.drawing.board_frame import site_places
from ui.table.legal_choices import concerned_sites
from ui.table.presenter import Presenter
from ui.view_models.play_view import VerdictKind, VerdictView

SITES = 16
"""places touched in each position"""


@cache
def positions(game_id: str) -> Mapping[str, tuple[Any, Any]]:
    """Step -> the first and the last position in which a table waits there, of random games, most with all modules."""
    game, found = load_game(game_id), dict[str, tuple[Any, Any]]()
    boldness: Callable[[Any], float] = own(game_id, "components", "boldness", lambda action: 1.0)
    for seed in range(60):
        random = Random(seed)
        outcome = few_outcomes(game_id)[0 if seed % 4 == 1 else -1]
        start = starting_state(game_id, some_seats(game_id, seed), random, outcome)
        if seed % 2 and ON_THE_TABLE in game.info.details:  # which has steps of its own
            start = told_from_now(game, start, ON_THE_TABLE).state
        weights = {kind: 10 ** random.uniform(-2, 0) for kind in game.info.kinds}
        played = random_game(game, start, random, lambda action, w=weights: w[type(action)] * boldness(action), 2500)
        for _, _, step in played:
            decision = game.decide(step.state)
            name = "over" if decision is None else decision.step
            found[name] = (found.get(name, (step.state,))[0], step.state)
        if found.keys() == game_texts(game_id).prompts.keys():
            break
    return found


def touchable(session: Session) -> list[str]:
    return [site for sheet in session.table.board.sheets for site in site_places(sheet)]


def opened(game_id: str, state: Any) -> Presenter:
    game = load_game(game_id)
    return Presenter(Session.create(None, state.table, game.state_document(state)))


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_random_games_come_to_every_step(game_id: str) -> None:
    assert positions(game_id).keys() == game_texts(game_id).prompts.keys()


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_every_touched_place_is_answered_by_what_is_legal_there_or_by_rules(game_id: str) -> None:
    random, game = Random(7), load_game(game_id)
    for step, states in positions(game_id).items():
        for state in states:
            presenter = opened(game_id, state)
            sites = touchable(presenter.session)
            for site in random.sample(sites, min(SITES, len(sites))):
                presenter.on_site(site)
                view, gestures = presenter.view(), list(game.gestures_at(state, site))
                verdict = view.verdict
                if verdict is None:
                    offered = {choice.key for choice in view.choices if not choice.group.endswith("why not?")}
                    assert offered, (step, site)
                    assert offered <= {action.text for action in legal_actions(game, state)}
                elif gestures:
                    assert rules_of(verdict) <= game.rulebook.rules.keys(), (step, site)
                    assert not any(judge(game, state, gesture).is_legal for gesture in gestures[:60])
                else:
                    assert verdict.headline.endswith(presenter.texts.prompt(game, state))


def rules_of(verdict: VerdictView) -> set[str]:
    """The rules a note about a place tells of, each with a sentence."""
    assert verdict.kind is VerdictKind.NOTE
    assert verdict.sentences
    assert all(sentence and "{" not in sentence for sentence, _source in verdict.sentences)
    return {source.rule for _sentence, source in verdict.sentences}


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_what_is_done_on_the_board_is_a_gesture_of_a_place_that_it_concerns(game_id: str) -> None:
    game = load_game(game_id)
    for states in positions(game_id).values():
        session = Session.create(None, states[1].table, game.state_document(states[1]))
        look = game.appearance(session.state)
        for action in session.legal_actions()[:40]:
            if game.appearance(apply_unchecked(game, session.state, action).state) != look:
                sites = concerned_sites(session, action)
                assert any(action in game.gestures_at(session.state, site) for site in sites), (action.text, sites)


def told(presenter: Presenter, site: str) -> tuple[str, list[tuple[str, str]]]:
    """The headline of a touch where nothing is legal, and its sentences, each with its rule."""
    presenter.on_site(site)
    verdict = presenter.view().verdict
    assert verdict is not None
    return verdict.headline, [(sentence, source.rule) for sentence, source in verdict.sentences]


def test_the_transcript_of_places_where_nothing_may_be_done() -> None:
    aqua = Presenter(Session.create(None, table_of("aqua_romana", 2)))
    first = ("First the builders are placed on the path; left to place: 12.", "AR-SETUP-1")
    assert told(aqua, "E4") == (
        "Not now",
        [
            first,
            (
                "A tile is laid on the square straight ahead of one of one's own workers; none looks onto E4.",
                "AR-TILE-2",
            ),
            ("No builder stands on space 1.", "AR-SIGHT-1"),
        ],
    )
    assert told(aqua, "reserve/joker") == ("Not now", [first])
    assert told(aqua, "reservoir/C1-D1") == (
        "Nothing is done here. Player 1: put a builder on any free space of the path (12 left to place).",
        [],
    )
    thurn = Presenter(Session.create(None, table_of("thurn_and_taxis", 2)))
    for city in ("Ulm", "Basel", "Linz", "Lodz", "Passau", "Pilsen"):
        thurn.on_choice(f"show {city}")
    not_open = "Kempten does not lie in the display (open cards: Basel, Linz, Lodz, Passau, Pilsen, Ulm)."
    assert told(thurn, "blue/Kempten") == (
        "The rules allow nothing here now.",
        [(f"Take a card: {not_open}", "TT-TAKE-2")],
    )
    asked = [choice.text for choice in thurn.view().choices if choice.forbidden]
    assert asked[:3] == ["Take Kempten", "House in Kempten", "Play Kempten, as a new route"]


def test_a_place_is_explained_by_what_people_lay_there_and_by_the_reason_that_holds_for_all() -> None:
    presenter = Presenter(Session.create(None, table_of("city_of_marble", 2)))
    for place in ("J4", "B11"):
        _headline, [(sentence, rule)] = told(presenter, place)
        assert sentence.startswith("Play a ward: ")
        assert rule.startswith("COM-WARD")
    for _draw in range(2):
        presenter.on_choice("draw red blue")
    for place in ("J4", "B11", "F6-F7"):
        _headline, [(sentence, rule)] = told(presenter, place)
        assert rule == "COM-TURN-1"
        assert sentence.endswith("none is left.")


def test_where_something_is_legal_the_rest_is_offered_to_ask_why_not() -> None:
    presenter = Presenter(Session.create(None, table_of("city_of_marble", 2)))
    assert told(presenter, "B7-B8")[0] == "The rules allow nothing here now."
    presenter.on_site("E8-F8")
    view = presenter.view()
    assert view.verdict is None
    assert view.legal_sites == {"E8-F8"}
    asked = next(choice for choice in view.choices if choice.group == "E8-F8: why not?")
    presenter.on_choice(asked.key)
    verdict = presenter.view().verdict
    assert verdict is not None
    assert verdict.kind is VerdictKind.REFUSED
    assert verdict.sentences
    assert presenter.session.entries == ()
    presenter.on_choice("put back")
    assert presenter.refused is None


def test_a_place_of_a_table_that_has_ended_early_says_so_and_accuses_nobody() -> None:
    presenter = Presenter(Session.create(None, table_of("city_of_marble", 2)))
    presenter.on_end_early("Time is up")
    assert told(presenter, "E8-F8") == (
        "Nothing is done here. Ended early. The score is as it stands.",
        [],
    )
    assert presenter.view().choices == ()


def test_a_place_touched_to_answer_a_question_is_not_explained() -> None:
    presenter = Presenter(Session.create(None, table_of("city_of_marble", 2)))
    presenter.on_choice("ward E8-F8 red")
    presenter.on_correct()
    assert told(presenter, "B7-B8") == ("Nothing was allowed here then.", [])
    assert not any(choice.forbidden for choice in presenter.view().choices)


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_what_is_offered_to_be_recorded_anyway_can_be_and_nothing_else(game_id: str) -> None:
    random, refused = Random(3), 0
    for states in positions(game_id).values():
        sites = touchable(opened(game_id, states[0]).session)
        for site in random.sample(sites, min(SITES, len(sites))):
            found = refused_at(game_id, states[0], site, random)
            refused += found
            if found:
                break
    assert refused


def refused_at(game_id: str, state: Any, site: str, random: Random) -> int:
    """How many of up to three actions that are asked about at a place were refused; each was recorded if offered."""
    presenter, refused = opened(game_id, state), 0
    presenter.on_site(site)
    asked = [choice.key for choice in presenter.view().choices if not choice.group.startswith("Refused")]
    for key in random.sample(asked, min(3, len(asked))):
        presenter = opened(game_id, state)
        presenter.on_choice(key)
        if presenter.refused is not None:
            can_be = "record anyway" in {choice.key for choice in presenter.view().choices}
            presenter.on_choice("record anyway")
            assert bool(presenter.session.entries) == can_be, key
            refused += 1
    return refused
