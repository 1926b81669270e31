"""Every rule case of every game holds, and every rule and reading of a ruling is missed by some case without it."""

import re
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from companion.legality import Status
from companion.position import parse_position
from companion.registry import GAMES, load_game
from tests.every_game import EVERY_GAME, folder_of_tests
from tests.rule_cases import RuleCase, differences, read_cases

RULES_PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
SOURCE = re.compile(r"\b[A-Z]+\d*\b")
"""the id of a source, as `IT` or `W2`, which the page of rules explains"""
CASES = {game_id: read_cases(folder_of_tests(game_id) / "cases", game_id) for game_id in EVERY_GAME}
RULES = [(game_id, rule) for game_id in EVERY_GAME for rule in sorted(load_game(game_id).rules.ids)]
CHECKS = [
    (game_id, rule)
    for game_id in EVERY_GAME
    for rule in sorted({check.rule for check in load_game(game_id).rules.checks})
]
READINGS = [
    (game_id, name, reading, other)
    for game_id in EVERY_GAME
    for name, ruling in load_game(game_id).rulebook.rulings.items()
    for reading, other in permutations(ruling.readings, 2)
]


@cache
def section(game_id: str) -> str:
    """What the page of rules says of one game; a game that is kept elsewhere has its section in its own folder."""
    page = RULES_PAGE if game_id in GAMES else folder_of_tests(game_id) / "rules.md"
    text = page.read_text(encoding="utf-8")
    return text[text.index(f"## {load_game(game_id).info.title}\n") :].split("\n## ")[0]


def sources(game_id: str) -> set[str]:
    """The ids of the sources that a game's rules and rulings cite."""
    book = load_game(game_id).rulebook
    cited = [*book.rules.values(), *book.rulings.values()]
    return {word for reference in cited for word in SOURCE.findall(reference.source) if len(word) > 1}


@pytest.mark.parametrize(
    ("game_id", "case"), [pytest.param(g, case, id=f"{g}-{case.name}") for g in EVERY_GAME for case in CASES[g]]
)
def test_rule_case(game_id: str, case: RuleCase) -> None:
    assert differences(load_game(game_id), case) == []


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_every_rule_of_the_rulebook_is_in_the_code_and_the_other_way_round(game_id: str) -> None:
    game = load_game(game_id)
    assert game.rules.ids | {game.turn_rule} == set(game.rulebook.rules)


@pytest.mark.parametrize(("game_id", "rule"), RULES)
def test_a_rule_switched_off_is_missed_where_it_bites_and_not_where_it_is_kept(game_id: str, rule: str) -> None:
    game = load_game(game_id)
    without = replace(game, rules=game.rules.without(rule))
    about = [case for case in CASES[game_id] if rule in case.about]
    missed = [case for case in about if differences(without, case)]
    kept = [case for case in about if case not in missed]
    assert missed, f"no case notices that {rule} is switched off"
    assert kept, f"no case shows where {rule} does not bite"


@pytest.mark.parametrize(("game_id", "rule"), CHECKS)
def test_a_check_is_broken_by_some_case_and_passed_by_another(game_id: str, rule: str) -> None:
    game, cases = load_game(game_id), CASES[game_id]
    start = parse_position(f'game = "{game_id}"', "set-up").state
    assert any(rule in case.rules for case in cases)
    kinds = {kind for check in game.rules.checks if check.rule == rule for kind in check.kinds}
    legal = [case.action for case in cases if rule in case.about and case.verdict is Status.LEGAL and case.action]
    assert any(type(game.parse_action(action, start)) in kinds for action in legal)


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_only_the_actor_may_act(game_id: str) -> None:
    """The turn rule is the engine's own check of the seat: without a seat to check its cases are judged otherwise."""
    game, cases = load_game(game_id), CASES[game_id]
    broken = [case for case in cases if game.turn_rule in case.rules]
    assert broken
    assert any(game.turn_rule in case.about for case in cases if case not in broken)
    for case in broken:
        assert differences(game, replace(case, seat=None))


@pytest.mark.parametrize(("game_id", "ruling", "reading", "other"), READINGS)
def test_a_reading_taken_for_another_is_noticed(game_id: str, ruling: str, reading: str, other: str) -> None:
    asked = [case for case in CASES[game_id] if case.position.values.get("rulings", {}).get(ruling) == reading]
    assert any(differences(load_game(game_id), case, {ruling: other}) for case in asked), (
        f"no case that names {ruling} = {reading!r} comes out otherwise by {other!r}; such a case is lacking in cases/"
    )


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_the_rules_page_tells_every_ruling_and_every_source(game_id: str) -> None:
    page = section(game_id)
    for name, ruling in load_game(game_id).rulebook.rulings.items():
        others = [f"`{reading}`" for reading in ruling.readings if reading != ruling.default]
        assert f"| `{name}` | {', '.join([f'**`{ruling.default}`**', *others])} |" in page
    untold = [each for each in sorted(sources(game_id)) if not re.search(rf"^\| {each}\b", page, re.MULTILINE)]
    assert untold == []


def test_sources_are_found_where_rules_cite_them() -> None:
    assert {"IT", "W2"} <= sources("city_of_marble")


def test_no_rule_id_means_rules_of_two_games() -> None:
    owners: dict[str, str] = {}
    for game_id in EVERY_GAME:
        for rule in load_game(game_id).rulebook.rules:
            assert owners.setdefault(rule, game_id) == game_id
