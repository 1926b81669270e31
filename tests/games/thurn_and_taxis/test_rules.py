"""Every rule case holds, and every rule and every reading of a ruling is missed by some case when it is taken away."""

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from companion.games.thurn_and_taxis.game import GAME
from companion.legality import Status
from companion.position import parse_position
from tests.rule_cases import RuleCase, differences, read_cases

CASES = read_cases(Path(__file__).parent / "cases", "thurn_and_taxis")
START = parse_position('game = "thurn_and_taxis"', "set-up").state
READINGS = [
    (name, reading, other)
    for name, ruling in GAME.rulebook.rulings.items()
    for reading, other in permutations(ruling.readings, 2)
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_rule_case(case: RuleCase) -> None:
    assert differences(GAME, case) == []


def test_every_rule_of_the_rulebook_is_in_the_code_and_the_other_way_round() -> None:
    assert GAME.rules.ids | {GAME.turn_rule} == set(GAME.rulebook.rules)


@pytest.mark.parametrize("rule", sorted(GAME.rules.ids))
def test_a_rule_switched_off_is_missed_where_it_bites_and_not_where_it_is_kept(rule: str) -> None:
    without = replace(GAME, rules=GAME.rules.without(rule))
    about = [case for case in CASES if rule in case.about]
    missed = [case for case in about if differences(without, case)]
    kept = [case for case in about if case not in missed]
    assert missed, f"no case notices that {rule} is switched off"
    assert kept, f"no case shows where {rule} does not bite"


@pytest.mark.parametrize("rule", sorted({check.rule for check in GAME.rules.checks}))
def test_a_check_is_broken_by_some_case_and_passed_by_another(rule: str) -> None:
    assert any(rule in case.rules for case in CASES)
    kinds = {kind for check in GAME.rules.checks if check.rule == rule for kind in check.kinds}
    legal = [case.action for case in CASES if rule in case.about and case.verdict is Status.LEGAL and case.action]
    assert any(type(GAME.parse_action(action, START)) in kinds for action in legal)


def test_only_the_actor_may_act() -> None:
    """TT-TURN-1 is the engine's own check of the seat: without a seat to check its cases are judged otherwise."""
    broken = [case for case in CASES if GAME.turn_rule in case.rules]
    kept = [case for case in CASES if GAME.turn_rule in case.about and case not in broken]
    assert broken
    assert kept
    for case in broken:
        assert differences(GAME, replace(case, seat=None))


@pytest.mark.parametrize(("ruling", "reading", "other"), READINGS)
def test_a_reading_taken_for_another_is_noticed(ruling: str, reading: str, other: str) -> None:
    asked = [case for case in CASES if case.position.values.get("rulings", {}).get(ruling) == reading]
    assert any(differences(GAME, case, {ruling: other}) for case in asked)
