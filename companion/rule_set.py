"""All rules of a game: collected by decorators, sorted by step, action kind and event."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import wraps
from typing import Any

from companion.frozen import FrozenDict, Interned
from companion.legality import (
    Automatic,
    AutomaticFunction,
    Check,
    CheckFunction,
    Effect,
    EffectFunction,
    Group,
    OutOfTurn,
    Range,
    Score,
    ScoreFunction,
    TieBreakRule,
    Violation,
)
from companion.listing import Domain, Lister, Listing, Row, Values, listing


@dataclass(frozen=True, slots=True)
class StepRules:
    """The rules that apply in a step: how the action kinds it allows are listed, its checks and automatic rules."""

    listings: Mapping[type, Listing]
    """kind -> how it is listed, in listing order"""
    listers: tuple[Lister, ...]
    """what lists them, in the same order"""
    automatics: tuple[Automatic, ...]
    checks: Mapping[type, tuple[Check, ...]]
    """kind -> its checks in group order, without those that speak of other steps only"""


@dataclass(frozen=True)
class RuleSet:
    """All rules of a game in rulebook order, about actions of kinds with these domains, in listing order.

    `step_of` names the step of a state.
    """

    domains: Mapping[type, Domain]
    step_of: Callable[[Any], str]
    checks: tuple[Check, ...] = ()
    effects: tuple[Effect, ...] = ()
    automatics: tuple[Automatic, ...] = ()
    scores: tuple[Score, ...] = ()
    tie_breaks: tuple[TieBreakRule, ...] = ()
    out_of_turn: tuple[OutOfTurn, ...] = ()
    by_kind: Mapping[type, tuple[Check, ...]] = field(init=False, repr=False, compare=False)
    by_event: Mapping[type, tuple[Effect, ...]] = field(init=False, repr=False, compare=False)
    _listings: Mapping[type, Listing] = field(init=False, repr=False, compare=False)
    _step_rules: Mapping[str, StepRules] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_kind: dict[type, list[Check]] = {kind: [] for kind in self.domains}
        for check in sorted(self.checks, key=lambda check: check.group):
            for kind in check.kinds:
                by_kind[kind].append(check)
        by_event: dict[type, list[Effect]] = {}
        for effect in self.effects:
            by_event.setdefault(effect.event, []).append(effect)
        object.__setattr__(self, "by_kind", {kind: tuple(checks) for kind, checks in by_kind.items()})
        object.__setattr__(self, "by_event", {kind: tuple(effects) for kind, effects in by_event.items()})
        listings = {kind: listing(kind, by_kind[kind], domain) for kind, domain in self.domains.items()}
        object.__setattr__(self, "_listings", listings)
        object.__setattr__(self, "_step_rules", Interned(self._rules_in))

    def step_rules(self, state: Any) -> StepRules:
        """The rules that apply in the step of a state; computed once for each step."""
        return self._step_rules[self.step_of(state)]

    def _rules_in(self, step: str) -> StepRules:
        forbidden = {kind for check in self.checks if step in check.forbidden_steps for kind in check.kinds}
        listings = {kind: each for kind, each in self._listings.items() if kind not in forbidden}
        return StepRules(
            listings,
            tuple(each.each_action for each in listings.values()),
            tuple(automatic for automatic in self.automatics if not automatic.steps or step in automatic.steps),
            {
                kind: tuple(check for check in checks if not check.forbidden_steps or step in check.forbidden_steps)
                for kind, checks in self.by_kind.items()
            },
        )

    def domain(self, state: Any, kind: type) -> dict[Any, list[Any]]:
        """Field of a kind -> the values it is listed with; for a joint domain, one entry from all names to the rows."""
        domain = self.domains[kind]
        if domain.joint_values is not None:
            return {tuple(each.name for each in fields(kind)): list(domain.joint_values(state))}
        return {name: list(values(state)) for name, values in domain.of_field.items()}

    def follows(self, state: Any) -> tuple[Any, str] | None:
        """The event that happens by itself in a state, by the first automatic that gives one, and the rule's id."""
        if not self.automatics:
            return None
        for automatic in self.step_rules(state).automatics:
            event = automatic.function(state)
            if event is not None:
                return event, automatic.rule
        return None

    @property
    def deducting_at_end(self) -> frozenset[str]:
        """The ids of the scoring rules that only take points off at the end of the game."""
        return frozenset(score.rule for score in self.scores if score.deducts_at_end)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all rules in code."""
        kinds = (self.checks, self.effects, self.automatics, self.scores, self.tie_breaks, self.out_of_turn)
        return frozenset(rule.rule for rules in kinds for rule in rules)

    def without(self, rule: str) -> RuleSet:
        """The same rules without one, for tests that show which cases depend on it."""
        return RuleSet(
            self.domains,
            self.step_of,
            tuple(check for check in self.checks if check.rule != rule),
            tuple(effect for effect in self.effects if effect.rule != rule),
            tuple(automatic for automatic in self.automatics if automatic.rule != rule),
            tuple(score for score in self.scores if score.rule != rule),
            tuple(tie_break for tie_break in self.tie_breaks if tie_break.rule != rule),
            tuple(special for special in self.out_of_turn if special.rule != rule),
        )


class RuleCollector:
    """Collects the rules of a game's modules by decorators, in the order in which they are written."""

    def __init__(self, kinds: tuple[type, ...], step_of: Callable[[Any], str]) -> None:
        self._step_of = step_of
        self._domains = dict.fromkeys(kinds, Domain())
        self._checks: list[Check] = []
        self._effects: list[Effect] = []
        self._automatics: list[Automatic] = []
        self._scores: list[Score] = []
        self._tie_breaks: list[TieBreakRule] = []
        self._out_of_turn: list[OutOfTurn] = []

    def domain(self, kind: type, *, keeps: tuple[CheckFunction, ...] = (), **of_field: Values) -> None:
        """Register where the fields of a kind get their values; the field that is filtered first comes first.

        No combination of the values breaks the checks `keeps`, whatever the state.
        """
        self._domains[kind] = Domain(FrozenDict(of_field), keeps=keeps)

    def joint_domain(
        self, kind: type, joint_values: Callable[[Any], Iterable[Row]], *, keeps: tuple[CheckFunction, ...] = ()
    ) -> None:
        """Register where the fields of a kind get their values together, as rows.

        No row breaks the checks `keeps`, whatever the state.
        """
        self._domains[kind] = Domain(joint_values=joint_values, keeps=keeps)

    def check(
        self,
        rule: str,
        group: Group,
        *kinds: type,
        among: Range | None = None,
        certain: bool = True,
        in_time: bool = False,
    ) -> Callable[[CheckFunction], CheckFunction]:
        """Register a check; the parameters after the state name the fields of the action that it reads.

        `among` gives the allowed values of the one field read; the function is called for others only and returns the
        violation, or None if another check reports it. `in_time` keeps it out of what is said of an action that has not
        its time.
        """

        def register(function: CheckFunction) -> CheckFunction:
            reads = tuple(inspect.signature(function).parameters)[1:]
            asked = function if among is None else _outside(among, function)
            self._checks.append(Check(rule, group, kinds, reads, asked, among=among, certain=certain, in_time=in_time))
            return asked

        return register

    def forbidden_in_steps(
        self,
        rule: str,
        steps: Iterable[str],
        *kinds: type,
        violation: Callable[[Any], Violation | None] | None = None,
    ) -> None:
        """Forbid these action kinds in these steps.

        `violation(state)` may add facts, or give None where another rule reports the action.
        """
        step_of, forbidden, plain = self._step_of, frozenset(steps), Violation(rule)

        def has_its_time(state: Any) -> Violation | None:
            if step_of(state) not in forbidden:
                return None
            return plain if violation is None else violation(state)

        self._checks.append(Check(rule, Group.TIME, kinds, (), has_its_time, forbidden))

    def effect(self, rule: str, *events: type) -> Callable[[EffectFunction], EffectFunction]:
        """Register what follows from events of these types."""

        def register(function: EffectFunction) -> EffectFunction:
            self._effects.extend(Effect(rule, event, function) for event in events)
            return function

        return register

    def automatic(self, rule: str, *steps: str) -> Callable[[AutomaticFunction], AutomaticFunction]:
        """Register what happens by itself in these steps, or in any; the first that gives an event goes first."""

        def register(function: AutomaticFunction) -> AutomaticFunction:
            self._automatics.append(Automatic(rule, function, frozenset(steps)))
            return function

        return register

    def score(self, rule: str, *, deducts_at_end: bool = False) -> Callable[[ScoreFunction], ScoreFunction]:
        """Register a scoring rule; one that `deducts_at_end` takes points off for what is left over at the end, so that
        it says nothing of the points won before.
        """

        def register(function: ScoreFunction) -> ScoreFunction:
            self._scores.append(Score(rule, function, deducts_at_end))
            return function

        return register

    def tie_break(
        self, rule: str, name: str, *, is_order: bool = False
    ) -> Callable[[Callable[[Any], tuple[int, ...]]], Callable[[Any], tuple[int, ...]]]:
        """Register what decides between equal totals, in order."""

        def register(function: Callable[[Any], tuple[int, ...]]) -> Callable[[Any], tuple[int, ...]]:
            self._tie_breaks.append(TieBreakRule(rule, name, function, is_order))
            return function

        return register

    def out_of_turn(
        self, rule: str
    ) -> Callable[[Callable[[Any, int], Violation | None]], Callable[[Any, int], Violation | None]]:
        """Register a special reason why a seat may not act, named before the rule of whose turn it is."""

        def register(function: Callable[[Any, int], Violation | None]) -> Callable[[Any, int], Violation | None]:
            self._out_of_turn.append(OutOfTurn(rule, function))
            return function

        return register

    def collected(self) -> RuleSet:
        """The rules registered so far.

        Raises ValueError where a domain keeps what is no check of its kind.
        """
        for kind, domain in self._domains.items():
            known = {check.function for check in self._checks if kind in check.kinds}
            if foreign := [function.__name__ for function in domain.keeps if function not in known]:
                raise ValueError(f"the domain of {kind.__name__} keeps {foreign[0]}, which is no check of this kind")
        return RuleSet(
            FrozenDict(self._domains), self._step_of, tuple(self._checks), tuple(self._effects),
            tuple(self._automatics), tuple(self._scores), tuple(self._tie_breaks), tuple(self._out_of_turn),
        )  # fmt: skip


def _outside(among: Range, function: CheckFunction) -> CheckFunction:
    @wraps(function)
    def is_in_range(state: Any, value: Any) -> Violation | None:
        allowed = among(state)
        return None if allowed is None or value in allowed else function(state, value)

    return is_in_range
