"""What refusals say holds in the position: facts, sites and numbers of checks, in random games and in the cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.board.layout import Board
from companion.board.once import once_a_board
from companion.engine import GameRules, apply_unchecked, explain, judge, open_kinds
from companion.errors import NotationError
from companion.exports.report import verdict_document
from companion.facts import seats_in
from companion.legality import Status, Verdict, Violation
from companion.position import position_document, read_position
from companion.registry import GAMES, load_game
from companion.table import Player
from companion.wording.texts import game_texts
from tests.conformance import Walk, few_outcomes, starting_state
from tests.every_game import EVERY_GAME, named, own, some_seats
from tests.games.test_rules import CASES

POSITIONS_A_GAME, TRIES_A_KIND = 60, 12
NAMED = tuple(Player(name, "") for name in ("Ada", "Bea", "Cleo", "Dora", "Enno", "Fay", "Gus", "Hedy"))
Said = tuple[str, str]
"""rule, wording"""
ROOT = Path(__file__).parents[2]
Document = Mapping[str, Any]
Holds = Mapping[str, Callable[[Any, Document, Mapping[str, Any]], bool]]


def holds(game_id: str) -> Holds:
    """Of some checks of a game: whether what they say holds in the position as a document tells it."""
    return own(game_id, "refusals", "HOLDS", {})


def tried(walk: Walk, state: Any, random: Random) -> Iterator[Any]:
    """Actions of every kind with values from anywhere in the game, most of them illegal."""
    for kind in walk.game.info.kinds:
        names = [field.name for field in fields(kind)]
        for _ in range(TRIES_A_KIND if names else 1):
            pools = [walk.values.get((kind, name), []) for name in names]
            if not all(pools):
                break
            action = kind(*map(random.choice, pools))
            try:
                yield walk.game.parse_action(action.text, state)
            except NotationError:
                continue


def check_refusal(game: GameRules[Any], state: Any, action: Any, verdict: Verdict) -> None:
    """The sentences name what is there, the sites are on the board, the numbers are those of the position.

    All reasons are told, those of the plain verdict first, and each once.
    """
    first = judge(game, state, action)
    assert verdict.status is first.status
    assert verdict.violations[: len(first.violations)] == first.violations
    assert len(set(verdict.violations)) == len(verdict.violations)
    texts, now, board = game_texts(game.info.id), position_document(game, state), state.table.board
    for violation in verdict.violations:
        assert set(re.findall(r"\{(\w+)\}", spoken(game, violation))) <= violation.facts.keys(), (
            violation,
            action.text,
        )
        said = texts.refusal(game.rulebook, violation)
        assert said
        assert not re.search(r"[{}?]|\(\)", said), (said, action.text)
        assert not re.search(r"\b1 (wards|tiles|cards|houses|actions|floors|pieces)\b", said), said
        for site in violation.sites:
            assert site in sites_of(state) or board.lattice.canonical(site), (violation, action.text)
        check_number(game.info.id, violation, state, now)
    named = texts.at(replace(state.table, players=NAMED))
    for violation in verdict.violations:
        said = named.refusal(game.rulebook, violation)
        for seat in seats_in(violation.facts["seat"]) if "{seat}" in spoken(game, violation) else ():
            assert NAMED[seat - 1].name in said
        assert not re.search(r"\bplayer [0-9]", said, re.IGNORECASE), said
    document = verdict_document(game, state, action, None, verdict)
    closed = not verdict.is_legal and type(action) not in open_kinds(game, state)
    assert document["prompt"] == (texts.prompt(game, state) if closed else "")


def said_by(violation: Violation) -> Said:
    """The rule of a violation and its wording."""
    return violation.rule, violation.wording


def spoken(game: GameRules[Any], violation: Violation) -> str:
    """The message by which a violation is told, with its braces."""
    rule = game.rulebook.rules[violation.rule]
    return rule.wordings[violation.wording] if violation.wording else rule.sentence


def check_number(game_id: str, violation: Violation, state: Any, now: Document) -> None:
    """The facts of a violation hold in the position."""
    held = holds(game_id).get(violation.rule)
    facts = {**violation.facts, "wording": violation.wording}
    assert held is None or held(state, now, facts), f"{named(game_id, 'refusals', 'HOLDS')} does not hold: {violation}"


def sites_of(state: Any) -> frozenset[str]:
    """All sites of the board, those of its groups and those that only the game knows."""
    more: Callable[[Any], Iterable[str]] = own(state.table.game, "refusals", "sites", lambda state: ())
    return sites_of_board(state.table.board).union(more(state))


@once_a_board
def sites_of_board(board: Board) -> frozenset[str]:
    """Those of its spots and groups, on all sheets."""
    found = {spot.site for sheet in board.sheets for spot in sheet.spots.values()}
    return frozenset(
        found.union(site for sheet in board.sheets for group in sheet.groups.values() for site in group.sites)
    )


@cache
def said_in_games(game_id: str) -> frozenset[Said]:
    """What is said in seeded random games; each is checked on the way."""
    game, found = load_game(game_id), set[Said]()
    for seed, outcomes in enumerate(few_outcomes(game_id)):
        random = Random(seed)
        walk = Walk(game, starting_state(game_id, some_seats(game_id, 1), Random(seed), outcomes), seed)
        states = [state for state, _, _ in walk.steps] + [walk.end]
        for state in random.sample(states, min(POSITIONS_A_GAME, len(states))):
            for action in tried(walk, state, random):
                verdict = explain(game, state, action)
                check_refusal(game, state, action, verdict)
                found.update(map(said_by, verdict.violations))
    return frozenset(found)


@cache
def said_in_cases(game_id: str) -> frozenset[Said]:
    """What is said in the rule cases; each is checked on the way."""
    game, found = load_game(game_id), set[Said]()
    for case in CASES[game_id]:
        if case.action is None or case.verdict is Status.LEGAL:
            continue
        state = read_position(case.position).state
        for text in case.actions:
            state = apply_unchecked(game, state, game.parse_action(text, state)).state
        action = game.parse_action(case.action, state)
        verdict = explain(game, state, action, case.seat)
        for violation in verdict.violations:
            check_number(game_id, violation, state, position_document(game, state))
            said = game_texts(game_id).refusal(game.rulebook, violation)
            assert not re.search(r"[{}?]|\(\)", said), said
        found.update(map(said_by, verdict.violations))
    return frozenset(found)


def refused_in_games(game_id: str) -> frozenset[str]:
    """The rules that refuse something in seeded random games."""
    return frozenset(rule for rule, _wording in said_in_games(game_id))


def refused_in_cases(game_id: str) -> frozenset[str]:
    """The rules that refuse something in the rule cases."""
    return frozenset(rule for rule, _wording in said_in_cases(game_id))


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_refusals_in_random_games_say_what_holds(game_id: str) -> None:
    checks = {check.rule for check in load_game(game_id).rules.checks}
    assert len(refused_in_games(game_id) & checks) >= len(checks) // 2


@pytest.mark.parametrize("game_id", GAMES)
def test_the_facts_of_every_refusal_are_looked_at(game_id: str) -> None:
    game, looked_at = load_game(game_id), holds(game_id)
    for rule in {check.rule for check in game.rules.checks}:
        ref = game.rulebook.rules[rule]
        facts = re.findall(r"\{(\w+)\}", " ".join((ref.sentence, *ref.wordings.values())))
        assert not facts or rule in looked_at, (
            f"nothing looks at {facts} of {rule}: {named(game_id, 'refusals', 'HOLDS')}"
        )


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_refusals_in_the_cases_say_what_holds(game_id: str) -> None:
    assert refused_in_cases(game_id)
    assert holds(game_id).keys() <= refused_in_games(game_id) | refused_in_cases(game_id)


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_every_wording_of_a_rule_is_said(game_id: str) -> None:
    game = load_game(game_id)
    checked = {check.rule for check in game.rules.checks}
    there = {(rule, each) for rule in checked for each in game.rulebook.rules[rule].wordings}
    elsewhere: Mapping[Said, str] = own(game_id, "refusals", "SAID_ELSEWHERE", {})
    assert all((ROOT / file).is_file() for file in elsewhere.values())
    unsaid = sorted(there - said_in_games(game_id) - said_in_cases(game_id) - elsewhere.keys())
    assert not unsaid, f"no case and no random game says {unsaid}"
