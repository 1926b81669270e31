"""What the rules are and how a verdict names them.

A rule is a small function with an id, listed in the game's `rulebook.toml`. A *check* forbids actions; its
parameters after the state are the action's fields it reads, so that the same function judges one action and narrows the
list of legal ones. An *effect* says what follows from an event, an *automatic* what happens by itself once all effects
have run. A *score* gives lines of the score sheet. Rules that hang on the step the table is in name their steps: they
are sorted by step once, and cost nothing in the others.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from operator import attrgetter
from typing import Any

from companion.facts import NO_FACTS, SEAT_FACTS, Fact, fact_words, seats_in
from companion.files.documents import DocumentTable
from companion.frozen import FrozenDict, frozen
from companion.table import Player
from companion.wording.headings import headings_in
from companion.wording.people import player_names

NO_TEXTS: FrozenDict[str, str] = FrozenDict()


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
    """A rule as the rulebook states it; `sentence` may name facts of a violation in braces, `statement` names none."""

    id: str
    title: str
    sentence: str
    statement: str
    """the rule where no case is at hand; "" where there is only a refusal, which is no rule to be read"""
    source: str
    confidence: Confidence
    wordings: Mapping[str, str] = NO_TEXTS
    """other sentences for special cases, by the name that a violation gives"""
    ruling: str = ""
    """the ruling that the rule depends on, if it does on one"""
    reading: str = ""
    """the only reading of that ruling under which there is such a rule, if there is one"""
    statements: Mapping[str, str] = NO_TEXTS
    """reading of that ruling, or of `statement_ruling`, -> what is stated instead"""
    statement_ruling: str = ""
    """a ruling that decides no case of the rule but changes what it states"""
    played_with: tuple[str, ...] = ()
    """the outcomes of a set-up option under which there is such a rule; none where there always is"""

    def stated(self, rulings: Mapping[str, str]) -> str:
        """The rule as it is in force where no case is at hand; "" where it is not in force or only a refusal."""
        chosen = rulings.get(self.ruling or self.statement_ruling, "")
        return "" if self.reading and self.reading != chosen else self.statements.get(chosen, self.statement)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question that the sources of a game answer differently; a table plays one of `readings` (name -> sentence)."""

    id: str
    question: str
    default: str
    readings: Mapping[str, str]
    source: str
    confidence: Confidence
    played_with: tuple[str, ...] = ()
    """as of a rule"""


@frozen
class Violation:
    """A broken rule: its id, the sites concerned, facts for its sentence; not `certain` where hidden things decide.

    `wording` names another sentence of the rule, `ruling` the ruling that decided this case.
    """

    rule: str
    sites: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = NO_FACTS
    certain: bool = True
    wording: str = ""
    ruling: str = ""


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
Range = Callable[[Any], Container[Any] | None]
EffectFunction = Callable[[Any, Any], Iterable[Any]]
AutomaticFunction = Callable[[Any], Any]
ScoreFunction = Callable[[Any], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the action kinds `kinds`; `reads` are the fields of the action handed to the function.

    A check that is a range reads one field and forbids the values outside.
    """

    rule: str
    group: Group
    kinds: tuple[type, ...]
    reads: tuple[str, ...]
    function: CheckFunction
    forbidden_steps: frozenset[str] = frozenset()
    """the steps in which it forbids all actions of its kinds, where nothing but the step decides"""
    among: Range | None = None
    """gives the values the field may have, or None where it may have any"""
    certain: bool = True
    """whether any of its violations is sure"""
    in_time: bool = False
    """whether it speaks only of actions that have their time: what it reads means something else in other steps"""
    arguments: Callable[[Any], tuple[Any, ...]] = field(init=False, repr=False, compare=False)
    """what the function reads of an action"""

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", _reader(self.reads))

    def violation(self, state: Any, action: Any) -> Violation | None:
        """How the action breaks the rule, if it does."""
        return self.function(state, *self.arguments(action))


def _reader(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    if not names:
        return lambda action: ()
    read = attrgetter(*names)
    return read if len(names) > 1 else lambda action: (read(action),)


@dataclass(frozen=True, slots=True)
class OutOfTurn:
    """A special reason why a seat may not act: called with the state and a seat that is not to act."""

    rule: str
    function: Callable[[Any, int], Violation | None]


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
    deducts_at_end: bool = False
    """whether it only takes off, at the end of the game, what is left over then"""


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
class Rulebook:
    """The texts of a game's rules and rulings."""

    rules: Mapping[str, RuleRef]
    rulings: Mapping[str, Ruling]
    headings: Mapping[str, str] = NO_TEXTS
    """heading of the printed rulebook that sources name -> what it says in English"""

    def sentence(
        self,
        violation: Violation,
        players: Sequence[Player],
        translate: Callable[[str], str] = str,
        word: Callable[[str | int], str] = str,
    ) -> str:
        """The sentence of the broken rule, translated, with the facts of the case filled in, each value by `word`.

        Seats, the facts `seat` and `actors`, are the names of the players there.
        """
        facts = {name: fact_words(fact, word) for name, fact in violation.facts.items()}
        for name in SEAT_FACTS & violation.facts.keys():
            facts[name] = player_names(players, seats_in(violation.facts[name]), translate)
        rule = self.rules[violation.rule]
        sentence = rule.wordings[violation.wording] if violation.wording else rule.sentence
        return translate(sentence).format_map(_Facts(facts))

    def ruling_of(self, violation: Violation) -> str:
        """The ruling that decided a case, if one did."""
        return violation.ruling or self.rules[violation.rule].ruling

    def defaults(self) -> FrozenDict[str, str]:
        """The usual reading of every ruling."""
        return self.chosen({})

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


class _Facts(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "?"


def read_rulebook(document: DocumentTable) -> Rulebook:
    """The rules and rulings of a rulebook document.

    Raises InvalidDocument.
    """
    document.only("rule", "ruling", "headings")
    rules: dict[str, RuleRef] = {}
    for table in document.tables("rule"):
        ref = _read_rule(table)
        if ref.id in rules:
            raise table.invalid("id", f"{ref.id} stands twice")
        rules[ref.id] = ref
    rulings: dict[str, Ruling] = {}
    for table in document.tables("ruling", optional=True):
        table.only("id", "question", "default", "readings", "source", "confidence", "played_with")
        readings_table = table.table("readings")
        readings = {name: readings_table.text(name) for name in readings_table}
        rulings[table.text("id")] = Ruling(
            table.text("id"), table.text("question"), table.choice("default", tuple(readings)), FrozenDict(readings),
            table.text("source"), Confidence(table.choice("confidence", tuple(Confidence))),
            table.texts("played_with", optional=True),
        )  # fmt: skip
    for table in document.tables("rule"):
        ref = rules[table.text("id")]
        if ref.ruling and ref.ruling not in rulings:
            raise table.invalid("ruling", f"is {ref.ruling!r}, which is no ruling of this game")
        ruling = ref.ruling or ref.statement_ruling
        if ruling and ruling not in rulings:
            raise table.invalid("statement_ruling", f"is {ruling!r}, which is no ruling of this game")
        for reading in filter(None, (ref.reading, *ref.statements)):
            if reading not in (rulings[ruling].readings if ruling else ()):
                raise table.invalid("reading", f"is {reading!r}, which is no reading of the ruling {ruling!r}")
    sources = [rule.source for rule in rules.values()] + [ruling.source for ruling in rulings.values()]
    return Rulebook(FrozenDict(rules), FrozenDict(rulings), _read_headings(document, sources))


def _read_headings(document: DocumentTable, sources: Iterable[str]) -> FrozenDict[str, str]:
    headings, table = _texts_of(document, "headings"), document.table("headings", optional=True)
    named = {heading for source in sources for heading in headings_in(source, headings)}
    for heading, said in headings.items():
        if not said.strip():
            raise table.invalid(heading, "is empty; write in English what the heading says")
        if heading not in named:
            raise table.invalid(heading, "no source of a rule names this heading")
    return headings


def _read_rule(table: DocumentTable) -> RuleRef:
    table.only(
        "id", "title", "sentence", "statement", "source", "confidence", "wordings", "ruling", "reading", "statements",
        "statement_ruling", "played_with",
    )  # fmt: skip
    sentence = table.text("sentence")
    wordings, statements = _texts_of(table, "wordings"), _texts_of(table, "statements")
    statement = sentence if "statement" not in table and "{" not in sentence else table.text("statement")
    for key, text in (("statement", statement), *(("statements", text) for text in statements.values())):
        if "{" in text:
            raise table.invalid(key, "it names facts of a case in braces, which only a sentence may")
    return RuleRef(
        table.text("id"), table.text("title"), sentence, statement, table.text("source"),
        Confidence(table.choice("confidence", tuple(Confidence))), wordings, table.text("ruling", ""),
        table.text("reading", ""), statements, table.text("statement_ruling", ""),
        table.texts("played_with", optional=True),
    )  # fmt: skip


def _texts_of(table: DocumentTable, key: str) -> FrozenDict[str, str]:
    texts = table.table(key, optional=True)
    return FrozenDict({name: texts.text(name) for name in texts})


def further_violations(
    checks: Iterable[Check], state: Any, action: Any, known: Container[Violation], groups: Container[Group]
) -> Iterator[Violation]:
    """The certain violations of checks of these groups besides those already known; `checks` are in group order.

    Checks that speak only of actions in their time are not asked where the action has none.
    """
    early = False
    for check in checks:
        if check.group not in groups or (early and check.in_time):
            continue
        violation = check.violation(state, action)
        if violation is not None and violation.certain:
            early = early or check.group is Group.TIME
            if violation not in known:
                yield violation


def violations(checks: Iterable[Check], state: Any, action: Any) -> Iterator[Violation]:
    """All violations up to the end of the first group with a certain one; `checks` are in group order.

    A violation that depends on hidden cards is not certain, so the checks after it are asked as well.
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
