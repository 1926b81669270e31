"""The kernel over every registered game: random walks, golden playthroughs; a toy game for what no game does yet."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random

import pytest

from companion.engine import (
    Decision,
    apply,
    apply_unchecked,
    explain,
    judge,
    legal_actions,
    perft,
    random_game,
    scores,
)  # fmt: skip
from companion.errors import IllegalAction
from companion.events import Event
from companion.frozen import FrozenDict
from companion.legality import Confidence, Group, Rulebook, RuleRef, Status, Violation, violations
from companion.registry import load_game, print_and_play_board
from companion.rule_set import RuleCollector, RuleSet
from companion.scoring import ScoreLine
from companion.table import Player, Table
from tests.conformance import Walk, check_walk, few_outcomes, starting_state
from tests.every_game import EVERY_GAME, module_of_tests
from tests.playthroughs import Playthrough, as_told, folder, header_of

SEATS = {game_id: load_game(game_id).info.seats for game_id in EVERY_GAME}
WALKS = [
    (game_id, seats, outcomes, seed)
    for game_id, (fewest, most) in SEATS.items()
    for seats in range(fewest, most + 1)
    for seed, outcomes in enumerate(few_outcomes(game_id) * (3 if len(few_outcomes(game_id)) == 1 else 1))
]
PLAYTHROUGHS = [
    pytest.param(game_id, playthrough, id=f"{game_id}-{playthrough.name}")
    for game_id in EVERY_GAME
    for playthrough in module_of_tests(game_id, "golden_games").PLAYTHROUGHS
]


@pytest.mark.parametrize(("game_id", "seats", "outcomes", "seed"), WALKS)
def test_a_game_passes_the_walk(game_id: str, seats: int, outcomes: dict[str, list[str]], seed: int) -> None:
    """Three random games for each number of players; where modules may be played, one with each set of them."""
    check_walk(Walk(load_game(game_id), starting_state(game_id, seats, Random(seed), outcomes), seed))


@pytest.mark.parametrize(("game_id", "playthrough"), PLAYTHROUGHS)
def test_a_golden_playthrough_is_told_as_before(game_id: str, playthrough: Playthrough) -> None:
    path = folder(game_id) / f"{playthrough.name}.txt"
    assert path.is_file(), "run scripts/goldens, and read what it has written"
    assert as_told(game_id, playthrough) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_every_playthrough_has_its_seed_and_the_smallest_and_the_largest_table_have_some(game_id: str) -> None:
    paths = list(folder(game_id).glob("*.txt"))
    assert {path.stem for path in paths} == {
        each.name for each in module_of_tests(game_id, "golden_games").PLAYTHROUGHS
    }
    tables = {header_of(path.read_text(encoding="utf-8")) for path in paths}
    assert all(any(f"players = {seats}\n" in header for header in tables) for seats in SEATS[game_id])


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_a_seed_gives_the_same_game_again(game_id: str) -> None:
    def played() -> list[str]:
        start = starting_state(game_id, SEATS[game_id][0], Random(5))
        return [action.text for _, action, _ in random_game(load_game(game_id), start, Random(5), limit=60)]

    assert played() == played()


@dataclass(frozen=True, slots=True)
class Say:
    """Say one of a few numbers."""

    number: int

    @property
    def text(self) -> str:
        return f"say {self.number}"


@dataclass(frozen=True, slots=True)
class Said(Event):
    """A number was said."""

    seat: int
    number: int


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said so far."""

    table: Table
    said: tuple[int, ...] = ()


@cache
def toy_rules() -> RuleSet:
    rules = RuleCollector((Say,), lambda state: "talk")
    rules.domain(Say, number=lambda state: range(10))

    @rules.check("TOY-TIME", Group.TIME, Say)
    def goes_on(state: Talk) -> Violation | None:
        return Violation("TOY-TIME") if len(state.said) > 5 else None

    @rules.check("TOY-TWICE", Group.RULE, Say)
    def not_twice(state: Talk, number: int) -> Violation | None:
        return Violation("TOY-TWICE", facts=FrozenDict(number=number)) if number in state.said else None

    @rules.check("TOY-BIG", Group.SUPPLY, Say)
    def not_big(state: Talk, number: int) -> Violation | None:
        return Violation("TOY-BIG") if number > 7 else None

    @rules.check("TOY-ODD", Group.SUPPLY, Say)
    def may_be_odd(state: Talk, number: int) -> Violation | None:
        return Violation("TOY-ODD", certain=False) if number % 2 else None

    @rules.effect("TOY-ECHO", Said)
    def echo(state: Talk, event: Said) -> Iterator[Event]:
        if event.number == 4 or event.number > 100:
            yield Said(event.seat, event.number + 2)

    @rules.automatic("TOY-END")
    def end(state: Talk) -> Event | None:
        return Said(1, 0) if len(state.said) == 3 else None

    @rules.score("TOY-SUM")
    def total(state: Talk) -> Iterator[ScoreLine]:
        yield ScoreLine("TOY-SUM", 1, sum(state.said))

    @rules.tie_break("TOY-TIE", "seats")
    def tie(state: Talk) -> tuple[int, ...]:
        return (1, 2)

    return rules.collected()


class ToyInfo:
    id = "toy"


@dataclass(frozen=True)
class Toy:
    """Two seats say numbers in turn; only what the kernel asks of a game to play is there."""

    rules: RuleSet = field(default_factory=toy_rules)
    turn_rule: str = "TOY-TURN"
    info: type = ToyInfo

    @property
    def rulebook(self) -> Rulebook:
        ids = [*self.rules.ids, self.turn_rule]
        texts = {rule: RuleRef(rule, rule, f"{rule}: {{number}}.", f"{rule}.", "here", Confidence.HIGH) for rule in ids}
        return Rulebook(texts, {})

    def decide(self, state: Talk) -> Decision | None:
        return Decision((len(state.said) % 2 + 1,), "talk") if len(state.said) <= 5 else None

    def direct_events(self, state: Talk, action: Say) -> tuple[Event, ...]:
        return (Said(len(state.said) % 2 + 1, action.number),)

    def evolve(self, state: Talk, event: Said) -> Talk:
        return Talk(state.table, (*state.said, event.number))


TOY = Toy()
START = Talk(
    Table(
        "toy", (Player("Anna", "red"), Player("Bruno", "blue")), FrozenDict(), FrozenDict(),
        print_and_play_board("city_of_marble"),
    )
)  # fmt: skip


def rules_of(number: int, said: tuple[int, ...] = (), seat: int | None = None) -> tuple[Status, set[str]]:
    verdict = judge(TOY, Talk(START.table, said), Say(number), seat)
    return verdict.status, {violation.rule for violation in verdict.violations}


def test_all_violations_of_the_first_failing_group_are_named() -> None:
    assert rules_of(8, said=(8,)) == (Status.ILLEGAL, {"TOY-BIG"})
    assert rules_of(6, said=(6,)) == (Status.ILLEGAL, {"TOY-TWICE"})
    assert rules_of(8, said=(8,) * 6) == (Status.ILLEGAL, {"TOY-TIME"})


def test_what_hangs_on_hidden_things_cannot_be_checked_and_may_be_recorded() -> None:
    assert rules_of(3) == (Status.NOT_CHECKABLE, {"TOY-ODD"})
    assert judge(TOY, START, Say(3)).is_legal
    assert rules_of(9) == (Status.ILLEGAL, {"TOY-BIG"}), "a certain violation hides an uncertain one"
    assert rules_of(3, said=(3,)) == (Status.ILLEGAL, {"TOY-TWICE"}), "also one of a later group"
    assert [action.number for action in legal_actions(TOY, START)] == list(range(8))


def test_the_wrong_player_is_named_after_the_wrong_time_and_before_all_else() -> None:
    assert rules_of(8, seat=2) == (Status.ILLEGAL, {"TOY-TURN"})
    assert rules_of(8, seat=1) == (Status.ILLEGAL, {"TOY-BIG"})
    assert rules_of(8, said=(0,) * 6, seat=2) == (Status.ILLEGAL, {"TOY-TIME"})


def test_an_explanation_adds_the_certain_reasons_of_later_groups_each_once() -> None:
    def reasons(number: int, said: tuple[int, ...] = (), seat: int | None = None) -> list[str]:
        verdict = explain(TOY, Talk(START.table, said), Say(number), seat)
        return [violation.rule for violation in verdict.violations]

    assert reasons(8, said=(8,)) == ["TOY-BIG", "TOY-TWICE"]
    assert reasons(9, said=(9,)) == ["TOY-BIG", "TOY-TWICE"], "what cannot be checked is no reason beside certain ones"
    assert reasons(3) == ["TOY-ODD"]
    assert reasons(2) == []
    assert reasons(8, said=(8,), seat=2) == ["TOY-BIG", "TOY-TWICE"]
    assert reasons(8, said=(8,), seat=1) == ["TOY-TURN"], "what the action needs is not this player's matter"


def test_a_reason_that_two_checks_give_is_told_once() -> None:
    doubled = Toy(replace(TOY.rules, checks=tuple(check for check in TOY.rules.checks for _ in range(2))))
    for number, said in ((8, ()), (8, (8,)), (6, (6,)), (3, ()), (3, (3,))):
        state = Talk(START.table, said)
        assert judge(doubled, state, Say(number)) == judge(TOY, state, Say(number))
        assert explain(doubled, state, Say(number)) == explain(TOY, state, Say(number))


def test_effects_follow_their_event_and_automatics_follow_the_effects() -> None:
    step = apply(TOY, Talk(START.table, (1,)), Say(4), seat=2)
    assert [(c.event.number, c.rule) for c in step.consequences] == [(4, ""), (6, "TOY-ECHO"), (0, "TOY-END")]
    assert step.state.said == (1, 4, 6, 0)


def test_an_illegal_action_is_not_applied_and_says_why() -> None:
    with pytest.raises(IllegalAction, match=r"^'say 6' is illegal: TOY-TWICE: 6\.$") as refusal:
        apply(TOY, Talk(START.table, (6,)), Say(6))
    assert refusal.value.verdict == judge(TOY, Talk(START.table, (6,)), Say(6))


def test_an_endless_cascade_is_stopped() -> None:
    with pytest.raises(RuntimeError, match="toy: an action has no end of consequences"):
        apply_unchecked(TOY, START, Say(101))


def test_scores_at_any_time() -> None:
    sheet = scores(TOY, Talk(START.table, (2, 3)))
    assert (sheet.totals, sheet.ranks, sheet.leaders, sheet.winners, sheet.final) == ((5, 0), (1, 2), (1,), (), False)
    assert scores(TOY, START).ranks == (2, 1), "equal totals, the tie-break decides"
    assert scores(TOY, Talk(START.table, (0,) * 6)).final


def test_perft_of_the_toy() -> None:
    """Eight numbers; then those not said yet; 4 also says 6, and a third number said ends with a 0."""
    assert perft(TOY, START, 0) == 1
    assert perft(TOY, START, 1) == 8
    lengths = {first: len(legal_actions(TOY, apply_unchecked(TOY, START, Say(first)).state)) for first in range(8)}
    assert lengths == {first: 6 if first == 4 else 7 for first in range(8)}
    assert perft(TOY, START, 2) == 7 * 7 + 6


@dataclass(frozen=True, slots=True)
class Dot:
    """A field of a grid."""

    column: int
    row: int


def grid_rules(asked: list[tuple[int, ...]]) -> RuleSet:
    """Rules about dots on a state that is its grid's width; nothing is dotted in a grid of width 4."""
    rules = RuleCollector((Dot,), lambda width: "rest" if width == 4 else "dot")
    rules.domain(Dot, row=lambda width: range(2), column=range)
    rules.forbidden_in_steps("GRID-REST", ("rest",), Dot)

    @rules.check("GRID-EVEN", Group.PLACE, Dot, among=lambda width: range(0, width, 2))
    def column_is_even(width: int, column: int) -> Violation:
        return Violation("GRID-EVEN", facts=FrozenDict(column=column))

    @rules.check("GRID-ANY", Group.PLACE, Dot, among=lambda width: None)
    def any_row_will_do(width: int, row: int) -> Violation:
        return Violation("GRID-ANY")

    @rules.check("GRID-DIAGONAL", Group.RULE, Dot)
    def keeps_off_the_diagonal(width: int, column: int, row: int) -> Violation | None:
        asked.append((column, row))
        return Violation("GRID-DIAGONAL") if column == row else None

    @rules.check("GRID-HIDDEN", Group.RULE, Dot, certain=False)
    def nothing_hides_there(width: int, column: int) -> Violation | None:
        asked.append((column,))
        return Violation("GRID-HIDDEN", certain=False) if column == 2 else None

    @rules.automatic("GRID-GROW", "rest")
    def grow(width: int) -> Event | None:
        return Said(1, width)

    return rules.collected()


def test_a_list_asks_each_rule_no_more_than_it_must() -> None:
    asked: list[tuple[int, ...]] = []
    listing = grid_rules(asked).step_rules(5).listings[Dot]
    assert listing.actions(5) == [Dot(0, 1), Dot(2, 0), Dot(2, 1), Dot(4, 0), Dot(4, 1)]
    assert asked == [(0, 0), (0, 1), (2, 0), (2, 1), (4, 0), (4, 1)]


def test_a_step_leaves_out_what_has_no_time_in_it_and_what_cannot_happen() -> None:
    rules = grid_rules([])
    assert not rules.step_rules(4).listings
    assert rules.follows(4) == (Said(1, 4), "GRID-GROW")
    assert rules.follows(5) is None


@pytest.mark.parametrize(
    ("width", "dot", "broken"),
    [
        (5, Dot(0, 1), []), (5, Dot(1, 1), ["GRID-EVEN"]), (5, Dot(0, 0), ["GRID-DIAGONAL"]),
        (5, Dot(2, 1), ["GRID-HIDDEN"]), (5, Dot(6, 1), ["GRID-EVEN"]), (4, Dot(1, 1), ["GRID-REST"]),
    ],
)  # fmt: skip
def test_a_verdict_names_the_rules_that_narrow_a_list(width: int, dot: Dot, broken: list[str]) -> None:
    found = violations(grid_rules([]).by_kind[Dot], width, dot)
    assert [violation.rule for violation in found] == broken


def test_a_list_does_not_ask_the_checks_that_a_domain_keeps() -> None:
    asked: list[str] = []

    def columns(width: int) -> range:
        asked.append("width")
        return range(width)

    rules = RuleCollector((Dot,), lambda width: "dot")

    @rules.check("GRID-WIDTH", Group.PLACE, Dot, among=columns)
    def lies_in_the_grid(width: int, column: int) -> Violation:
        return Violation("GRID-WIDTH")

    @rules.check("GRID-LINE", Group.PLACE, Dot)
    def lies_on_a_line(width: int, column: int, row: int) -> Violation | None:
        asked.append("line")
        return Violation("GRID-LINE") if row else None

    rules.joint_domain(Dot, lambda width: [(0, 0), (1, 0)], keeps=(lies_in_the_grid, lies_on_a_line))
    found = rules.collected()
    assert found.step_rules(2).listings[Dot].actions(2) == [Dot(0, 0), Dot(1, 0)]
    assert asked == []
    broken = violations(found.by_kind[Dot], 2, Dot(2, 1))
    assert [violation.rule for violation in broken] == ["GRID-WIDTH", "GRID-LINE"], "a verdict asks them all the same"


def test_a_domain_keeps_nothing_but_checks_of_its_kind() -> None:
    rules = RuleCollector((Say, Dot), lambda width: "dot")

    @rules.check("GRID-LINE", Group.PLACE, Dot)
    def lies_on_a_line(width: int, row: int) -> Violation | None:
        return Violation("GRID-LINE") if row else None

    rules.domain(Say, number=range, keeps=(lies_on_a_line,))
    with pytest.raises(ValueError, match=r"^the domain of Say keeps lies_on_a_line, which is no check of this kind$"):
        rules.collected()
