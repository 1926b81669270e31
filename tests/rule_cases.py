"""Rule cases: a position, an action and what the rulebook says of it, read strictly from TOML.

A file holds `[situation.NAME]` tables, which are partial positions, and `[[case]]` tables. A case begins from its
`situation`, changed by its `position`, plays `actions`, then judges `action` and looks at what follows. `about` names
the rules it was written for besides those it expects to be broken. `says` and `never_says` are parts of what people
read of the verdict and its consequences (without an action: of the score), `ruling` the ruling it names, `prompt` what
the table waits for before the action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from companion.engine import GameRules, apply_unchecked, explain, judge, scores
from companion.events import Event
from companion.exports.report import score_document, verdict_document
from companion.files.documents import DocumentTable, parse_toml, read_text
from companion.legality import Status
from companion.position import position_document, read_position
from companion.registry import load_game
from companion.wording.texts import game_texts

KEYS = (
    "name", "about", "situation", "position", "actions", "action", "seat", "verdict", "rules", "sites", "sentence",
    "events", "no_events", "after", "totals", "lines", "ranks", "says", "never_says", "ruling", "prompt",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RuleCase:
    """One question to the rulebook and its answer; expectations that are None are not asked."""

    name: str
    about: frozenset[str]
    position: DocumentTable
    actions: tuple[str, ...]
    action: str | None
    seat: int | None
    verdict: Status
    rules: frozenset[str]
    sites: frozenset[str] | None
    sentence: str | None
    events: tuple[str, ...]
    no_events: frozenset[str]
    after: Mapping[str, Any]
    totals: tuple[int, ...] | None
    lines: Mapping[tuple[str, int], int]
    ranks: tuple[int, ...] | None
    says: tuple[str, ...]
    never_says: tuple[str, ...]
    ruling: str | None
    prompt: str | None


def read_cases(folder: Path, game: str) -> tuple[RuleCase, ...]:
    """All cases of a folder in order of file name.

    Raises InvalidDocument for anything unknown or missing in a file.
    """
    cases: list[RuleCase] = []
    for path in sorted(folder.glob("*.toml")):
        document = parse_toml(read_text(path), path.name)
        document.only("situation", "case")
        situations = document.table("situation", optional=True)
        for table in document.tables("case"):
            case = _read_case(table, situations, load_game(game))
            if case.name in {other.name for other in cases}:
                raise table.invalid("name", f"{case.name!r} is taken by another case")
            cases.append(case)
    return tuple(cases)


def _read_case(table: DocumentTable, situations: DocumentTable, game: GameRules[Any]) -> RuleCase:
    table.only(*KEYS)
    position = {"game": game.info.id}
    if "situation" in table:
        position |= situations.table(table.text("situation")).values
    position |= table.table("position", optional=True).values
    action = table.text("action") if "action" in table else None
    rules = frozenset(table.texts("rules", optional=True))
    about = frozenset(table.texts("about", optional=True)) | rules
    for rule in about:
        if rule not in game.rulebook.rules:
            raise table.invalid("about", f"{rule} is no rule of {game.info.title}")
    verdict = Status(table.choice("verdict", tuple(Status))) if action else Status.LEGAL
    if (verdict is Status.LEGAL) == bool(rules):
        raise table.invalid("rules", "must be named for an action that is not legal, and only for one")
    for key in ("events", "no_events"):
        for text in table.texts(key, optional=True):
            if text.split()[0] not in game.event_classes:
                raise table.invalid(key, f"{text!r} is no event of {game.info.title}")
    lines: dict[tuple[str, int], int] = {}
    for text in table.texts("lines", optional=True):
        rule, seat, points = text.split()
        if rule not in about:
            raise table.invalid("lines", f"{rule} is not among the rules the case is about")
        lines[rule, int(seat)] = int(points)
    return RuleCase(
        name=table.text("name"),
        about=about,
        position=DocumentTable(position, table.source, table.at("position")),
        actions=table.texts("actions", optional=True),
        action=action,
        seat=table.integer("seat", 1, 4) if "seat" in table else None,
        verdict=verdict,
        rules=rules,
        sites=frozenset(table.texts("sites")) if "sites" in table else None,
        sentence=table.text("sentence") if "sentence" in table else None,
        events=table.texts("events", optional=True),
        no_events=frozenset(table.texts("no_events", optional=True)),
        after=table.table("after", optional=True).values,
        totals=table.integers("totals", 0, 999) if "totals" in table else None,
        lines=lines,
        ranks=table.integers("ranks", 1, 4) if "ranks" in table else None,
        says=table.texts("says", optional=True),
        never_says=table.texts("never_says", optional=True),
        ruling=table.text("ruling") if "ruling" in table else None,
        prompt=table.text("prompt") if "prompt" in table else None,
    )


def differences(game: GameRules[Any], case: RuleCase, rulings: Mapping[str, str] | None = None) -> list[str]:
    """What `game` does otherwise than the case says; `rulings` replaces some of the case's own."""
    return list(_differences(game, case, rulings or {}))


def _differences(game: GameRules[Any], case: RuleCase, rulings: Mapping[str, str]) -> Iterator[str]:
    document = dict(case.position.values)
    document["rulings"] = document.get("rulings", {}) | rulings
    state = read_position(DocumentTable(document, case.position.source, case.position.entry)).state
    for text in case.actions:
        action = game.parse_action(text, state)
        verdict = judge(game, state, action)
        if not verdict.is_legal:
            yield f"{text!r} breaks {sorted({violation.rule for violation in verdict.violations})} on the way"
            return
        state = apply_unchecked(game, state, action).state
    if case.prompt is not None and (prompt := game_texts(game.info.id).prompt(game, state)) != case.prompt:
        yield f"waits for {prompt!r}, not {case.prompt!r}"
    if case.action is not None:
        action = game.parse_action(case.action, state)
        verdict = judge(game, state, action, case.seat)
        broken = frozenset(violation.rule for violation in verdict.violations)
        if (verdict.status, broken) != (case.verdict, case.rules):
            yield f"{case.action!r} is {verdict.status} by {sorted(broken)}, not {case.verdict} by {sorted(case.rules)}"
            return
        yield from _wording_differences(game, case, state)
        sites = frozenset(site for violation in verdict.violations for site in violation.sites)
        if case.sites is not None and sites != case.sites:
            yield f"concerns {sorted(sites)}, not {sorted(case.sites)}"
        sentences = [game.rulebook.sentence(violation, state.table.players) for violation in verdict.violations]
        if case.sentence is not None and case.sentence not in sentences:
            yield f"is refused with {sentences}, not {case.sentence!r}"
        if verdict.is_legal:
            step = apply_unchecked(game, state, action)
            state = step.state
            yield from _event_differences(case, step.events)
    if case.action is None:
        yield from _wording_differences(game, case, state)
    yield from _unequal(case.after, position_document(game, state), "")
    yield from _score_differences(game, case, state)


def _wording_differences(game: GameRules[Any], case: RuleCase, state: Any) -> Iterator[str]:
    """Where what people read is not what the case says."""
    if not case.says and not case.never_says and case.ruling is None:
        return
    if case.action is None:
        document = score_document(game, state)
        found = document["lines"]
        words = [*(line["counted"] for line in found), *document["words"]]
    else:
        action = game.parse_action(case.action, state)
        verdict = explain(game, state, action, case.seat)
        document = verdict_document(game, state, action, case.seat, verdict)
        found = [*document["violations"], *document["consequences"]]
        words = [*(each["sentence"] for each in found), document["prompt"]]
    whole = "\n".join(words)
    yield from (f"does not say {part!r}: {whole}" for part in case.says if part not in whole)
    yield from (f"says {part!r}: {whole}" for part in case.never_says if part in whole)
    rulings = {each["ruling"]["id"] for each in found if each["ruling"]}
    if case.ruling is not None and rulings != set(filter(None, [case.ruling])):
        yield f"names the rulings {sorted(rulings)}, not {case.ruling!r}"


def event_text(event: Event) -> str:
    """An event in one line: its name, then its fields in order, parts of a list joined by commas."""
    return " ".join((type(event).__name__, *(_field_text(getattr(event, field.name)) for field in fields(event))))


def _field_text(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) or "-"


def _event_differences(case: RuleCase, events: tuple[Event, ...]) -> Iterator[str]:
    happened = [event_text(event) for event in events]
    rest = iter(happened)
    for expected in case.events:
        if expected not in rest:
            yield f"{expected!r} is missing, or out of order, in {happened}"
            return
    for text in happened:
        if text.split()[0] in case.no_events:
            yield f"{text!r} happened"


def _unequal(expected: Mapping[str, Any], found: Mapping[str, Any], entry: str) -> Iterator[str]:
    for key, value in expected.items():
        if isinstance(value, Mapping) and isinstance(found.get(key), Mapping):
            yield from _unequal(value, found[key], f"{entry}{key}.")
        elif found.get(key) != value:
            yield f"{entry}{key} is {found.get(key)!r}, not {value!r}"


def _score_differences(game: GameRules[Any], case: RuleCase, state: Any) -> Iterator[str]:
    if case.totals is None and not case.lines and case.ranks is None:
        return
    sheet = scores(game, state)
    points: Counter[tuple[str, int]] = Counter()
    for line in sheet.lines:
        points[line.rule, line.seat] += line.points
    for (rule, seat), expected in case.lines.items():
        if points[rule, seat] != expected:
            yield f"{rule} gives seat {seat} {points[rule, seat]} points, not {expected}"
    if case.totals is not None and sheet.totals != case.totals:
        yield f"totals are {sheet.totals}, not {case.totals}"
    if case.ranks is not None and sheet.ranks != case.ranks:
        yield f"ranks are {sheet.ranks}, not {case.ranks}"
