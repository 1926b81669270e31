"""What the rules are and how a verdict names them.

A rule is a small function with an id that stands in the game's `rulebook.toml`. A *check* forbids actions; its
parameters after the state are the action's fields it reads, so that the same function judges one action and narrows the
list of legal ones. An *effect* says what follows from an event, an *automatic* what happens by itself once all effects
have run. A *score* gives lines of the score sheet. Rules that hang on the step the table is in name their steps: they
are sorted by step once, and cost nothing in the others.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from operator import attrgetter
from typing import Any

from companion.documents import Table
from companion.frozen import FrozenDict, Interned

Fact = str | int
NO_FACTS: FrozenDict[str, Fact] = FrozenDict()


class Group(IntEnum):
    """Kinds of checks in the order in which they are asked; the first failing kind is the verdict."""

    TIME = 0
    ACTOR = 1
    PLACE = 2
    SUPPLY = 3
    RULE = 4


class Confidence(StrEnum):
    """How sure a rule is: primary text, one secondary source or a strong deduction, a guess."""

    HIGH = "H"
    MEDIUM = "M"
    LOW = "L"


@dataclass(frozen=True, slots=True)
class RuleRef:
    """A rule as the rulebook states it; `sentence` may name facts of a violation in braces."""

    id: str
    title: str
    sentence: str
    source: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Ruling:
    """An open question of a game: the chosen reading is one of `readings` (name -> sentence), `default` unless told."""

    id: str
    question: str
    default: str
    readings: Mapping[str, str]
    source: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class Violation:
    """A broken rule: its id, the sites concerned, facts for its sentence; not `certain` where hidden things decide."""

    rule: str
    sites: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = NO_FACTS
    certain: bool = True


class Status(StrEnum):
    """The three answers of a judge at a real table."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    NOT_CHECKABLE = "not_checkable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one action: all sure violations of the first failing group of checks, or all that are not sure."""

    status: Status
    violations: tuple[Violation, ...] = ()

    @property
    def is_legal(self) -> bool:
        """Whether the action may be recorded without an override."""
        return self.status is not Status.ILLEGAL


LEGAL = Verdict(Status.LEGAL)

CheckFunction = Callable[..., Violation | None]
EffectFunction = Callable[[Any, Any], Iterable[Any]]
AutomaticFunction = Callable[[Any], Any]
ScoreFunction = Callable[[Any], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the action kinds `kinds`; `reads` are the fields of the action handed to the function."""

    rule: str
    group: Group
    kinds: tuple[type, ...]
    reads: tuple[str, ...]
    function: CheckFunction
    untimely: frozenset[str] = frozenset()
    """the steps in which it forbids all actions of its kinds, where nothing but the step decides"""
    arguments: Callable[[Any], tuple[Any, ...]] = field(init=False, repr=False, compare=False)
    """what the function reads of an action"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", _reader(self.reads))

    def violation(self, state: Any, action: Any) -> Violation | None:
        """How the action breaks the rule, if it does."""
        return self.function(state, *self.arguments(action))


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) < 2:
        return lambda action: tuple(getattr(action, name) for name in names)
    return attrgetter(*names)


@dataclass(frozen=True, slots=True)
class Effect:
    """One consequence: called with the state after an event of type `event`, yields further events."""

    rule: str
    event: type
    function: EffectFunction


@dataclass(frozen=True, slots=True)
class Automatic:
    """What happens by itself once all effects have run: called with the state, gives the next event or None.

    It is asked in its steps only; without any, in all.
    """

    rule: str
    function: AutomaticFunction
    steps: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Score:
    """One scoring rule: called with the state, yields score lines."""

    rule: str
    function: ScoreFunction


@dataclass(frozen=True, slots=True)
class TieBreakRule:
    """What decides between equal totals: called with the state, gives a quantity for each seat, larger is better.

    Where it `is_order` the quantities count nothing, they only say who comes before whom.
    """

    rule: str
    name: str
    function: Callable[[Any], tuple[int, ...]]
    is_order: bool = False


@dataclass(frozen=True, slots=True)
class Narrowing:
    """How one kind's actions are listed: its checks by what they read, nothing, one field or several."""

    kind: type
    bare: tuple[CheckFunction, ...]
    single: Mapping[str, tuple[CheckFunction, ...]]
    joint: tuple[Check, ...]
    made: Interned
    """values of all fields -> the action"""


def narrowing(kind: type, checks: Iterable[Check]) -> Narrowing:
    """Sort a kind's checks by how many fields they read; those of few kinds first, for they forbid most often.

    Those that only the step decides are left out.
    """
    joint: list[Check] = []
    single: dict[str, tuple[CheckFunction, ...]] = {}
    checks = tuple(check for check in checks if not check.untimely)
    bare = [check.function for check in sorted(checks, key=lambda check: len(check.kinds)) if not check.reads]
    for check in checks:
        if not check.reads:
            continue
        if len(check.reads) > 1:
            joint.append(check)
        else:
            single[check.reads[0]] = (*single.get(check.reads[0], ()), check.function)
    return Narrowing(kind, tuple(bare), single, tuple(joint), Interned(kind))


@dataclass(frozen=True, slots=True)
class Moment:
    """What there is to ask in a step: about the kinds of action that have their time, and what can happen by itself."""

    kinds: Mapping[type, Narrowing]
    """in listing order"""
    automatics: tuple[Automatic, ...]


@dataclass(frozen=True)
class RuleSet:
    """All rules of a game in rulebook order, about actions of these kinds; `step_of` names the step of a state."""

    kinds: tuple[type, ...]
    step_of: Callable[[Any], str]
    checks: tuple[Check, ...] = ()
    effects: tuple[Effect, ...] = ()
    automatics: tuple[Automatic, ...] = ()
    scores: tuple[Score, ...] = ()
    tie_breaks: tuple[TieBreakRule, ...] = ()
    by_kind: Mapping[type, tuple[Check, ...]] = field(init=False, repr=False, compare=False)
    by_event: Mapping[type, tuple[Effect, ...]] = field(init=False, repr=False, compare=False)
    _narrowing: Mapping[type, Narrowing] = field(init=False, repr=False, compare=False)
    _moments: dict[str, Moment] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        by_kind: dict[type, list[Check]] = {kind: [] for kind in self.kinds}
        for check in sorted(self.checks, key=lambda check: check.group):
            for kind in check.kinds:
                by_kind[kind].append(check)
        by_event: dict[type, list[Effect]] = {}
        for effect in self.effects:
            by_event.setdefault(effect.event, []).append(effect)
        object.__setattr__(self, "by_kind", {kind: tuple(checks) for kind, checks in by_kind.items()})
        object.__setattr__(self, "by_event", {kind: tuple(effects) for kind, effects in by_event.items()})
        object.__setattr__(self, "_narrowing", {kind: narrowing(kind, checks) for kind, checks in by_kind.items()})

    def moment(self, state: Any) -> Moment:
        """What there is to ask in the step of a state; worked out once a step."""
        step = self.step_of(state)
        moment = self._moments.get(step)
        if moment is None:
            untimely = {kind for check in self.checks if step in check.untimely for kind in check.kinds}
            moment = self._moments[step] = Moment(
                {kind: narrowed for kind, narrowed in self._narrowing.items() if kind not in untimely},
                tuple(automatic for automatic in self.automatics if not automatic.steps or step in automatic.steps),
            )
        return moment

    def follows(self, state: Any) -> tuple[Any, str] | None:
        """The event that happens by itself in a state, by the first automatic that gives one, and the rule's id."""
        for automatic in self.moment(state).automatics:
            event = automatic.function(state)
            if event is not None:
                return event, automatic.rule
        return None

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all rules in code."""
        kinds = (self.checks, self.effects, self.automatics, self.scores, self.tie_breaks)
        return frozenset(rule.rule for rules in kinds for rule in rules)

    def without(self, rule: str) -> RuleSet:
        """The same rules with one switched off: how a test shows that its cases bite."""
        return RuleSet(
            self.kinds,
            self.step_of,
            tuple(check for check in self.checks if check.rule != rule),
            tuple(effect for effect in self.effects if effect.rule != rule),
            tuple(automatic for automatic in self.automatics if automatic.rule != rule),
            tuple(score for score in self.scores if score.rule != rule),
            tuple(tie_break for tie_break in self.tie_breaks if tie_break.rule != rule),
        )


class RuleCollector:
    """Collects the rules of a game's modules by decorators, in the order in which they are written."""

    def __init__(self, kinds: tuple[type, ...], step_of: Callable[[Any], str]) -> None:
        self._kinds, self._step_of = kinds, step_of
        self._checks: list[Check] = []
        self._effects: list[Effect] = []
        self._automatics: list[Automatic] = []
        self._scores: list[Score] = []
        self._tie_breaks: list[TieBreakRule] = []

    def check(self, rule: str, group: Group, *kinds: type) -> Callable[[CheckFunction], CheckFunction]:
        """Register a check; the parameters after the state name the fields it reads."""

        def register(function: CheckFunction) -> CheckFunction:
            reads = tuple(inspect.signature(function).parameters)[1:]
            self._checks.append(Check(rule, group, kinds, reads, function))
            return function

        return register

    def untimely(
        self, rule: str, steps: Iterable[str], *kinds: type, violation: Callable[[Any], Violation] | None = None
    ) -> None:
        """Register that these kinds have no time in these steps; `violation` of the state may tell more than the id."""
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

    def score(self, rule: str) -> Callable[[ScoreFunction], ScoreFunction]:
        """Register a scoring rule."""

        def register(function: ScoreFunction) -> ScoreFunction:
            self._scores.append(Score(rule, function))
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

    def collected(self) -> RuleSet:
        """The rules registered so far."""
        return RuleSet(
            self._kinds, self._step_of, tuple(self._checks), tuple(self._effects), tuple(self._automatics),
            tuple(self._scores), tuple(self._tie_breaks),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The texts of a game's rules and rulings."""

    rules: Mapping[str, RuleRef]
    rulings: Mapping[str, Ruling]

    def sentence(self, violation: Violation, translate: Callable[[str], str] = str) -> str:
        """The sentence of the broken rule with the facts of the case filled in; both may be translated."""
        facts = {
            name: ", ".join(map(translate, fact.split(", "))) if isinstance(fact, str) else fact
            for name, fact in violation.facts.items()
        }
        return translate(self.rules[violation.rule].sentence).format_map(_Facts(facts))

    def chosen(self, rulings: Mapping[str, str]) -> FrozenDict[str, str]:
        """All rulings with their readings, the default where `rulings` says nothing.

        Raises ValueError for an unknown ruling or reading.
        """
        for name, reading in rulings.items():
            if name not in self.rulings:
                raise ValueError(f"no ruling is called {name!r}; there are {', '.join(self.rulings) or 'none'}")
            if reading not in self.rulings[name].readings:
                raise ValueError(
                    f"ruling {name!r} cannot be {reading!r}; it is one of {', '.join(self.rulings[name].readings)}"
                )
        return FrozenDict({name: rulings.get(name, ruling.default) for name, ruling in self.rulings.items()})


class _Facts(dict[str, Fact]):
    def __missing__(self, key: str) -> str:
        return "?"


def read_rulebook(document: Table) -> Rulebook:
    """The rules and rulings of a rulebook document.

    Raises InvalidDocument.
    """
    document.only("rule", "ruling")
    rules: dict[str, RuleRef] = {}
    for table in document.tables("rule"):
        table.only("id", "title", "sentence", "source", "confidence")
        ref = RuleRef(
            table.text("id"), table.text("title"), table.text("sentence"), table.text("source"),
            Confidence(table.choice("confidence", tuple(Confidence))),
        )  # fmt: skip
        if ref.id in rules:
            raise table.invalid("id", f"{ref.id} stands twice")
        rules[ref.id] = ref
    rulings: dict[str, Ruling] = {}
    for table in document.tables("ruling", optional=True):
        table.only("id", "question", "default", "readings", "source", "confidence")
        readings_table = table.table("readings")
        readings = {name: readings_table.text(name) for name in readings_table}
        rulings[table.text("id")] = Ruling(
            table.text("id"), table.text("question"), table.choice("default", tuple(readings)), FrozenDict(readings),
            table.text("source"), Confidence(table.choice("confidence", tuple(Confidence))),
        )  # fmt: skip
    return Rulebook(FrozenDict(rules), FrozenDict(rulings))


def violations(checks: Iterable[Check], state: Any, action: Any) -> Iterator[Violation]:
    """All violations up to the first group that surely fails; `checks` stand in group order.

    What hangs on hidden things does not end the questions: a sure violation may follow.
    """
    failed: Group | None = None
    for check in checks:
        if failed is not None and check.group is not failed:
            return
        violation = check.violation(state, action)
        if violation is not None:
            if violation.certain:
                failed = check.group
            yield violation
