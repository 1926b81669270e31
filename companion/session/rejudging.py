"""Judges recorded actions again: those after an entry that was changed, and all actions of a log; also what follows
from an action that breaks a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import zip_longest
from typing import Any

from companion.absence import NOBODY, apply_with_absent, pass_over
from companion.engine import GameRules, Step, follow, judge, refusal_text
from companion.errors import NotationError, SessionError
from companion.events import DetailChosen, Event, SupplyRanOut
from companion.files.documents import shown
from companion.legality import Status, Verdict
from companion.session.entries import (
    ActionEntry,
    CorrectionEntry,
    DetailEntry,
    Entry,
    LaterActionEntry,
    LeaveEntry,
    LostEntry,
    OverrideEntry,
    Rejudged,
    RewritingEntry,
)
from companion.session.log import IMPOSSIBLE, Log, Move, Point, after, begin, check_position
from companion.table import Table
from companion.wording.sentences import sentence
from companion.wording.texts import game_texts


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with an entry of a log (line `number` + 1 of its record): the broken rules, and a sentence."""

    number: int
    action: str
    rules: tuple[str, ...]
    sentence: str


def attempt(game: GameRules[Any], state: Any, action: Any, left: frozenset[int] = NOBODY) -> Step:
    """The outcome of an action that breaks a rule, if there can be one, at a table that some seats left.

    Raises SessionError where there can be none: no such place on the board, a piece that nobody has.
    """
    try:
        step = apply_with_absent(game, state, action, left)
    except IMPOSSIBLE as error:
        raise SessionError(sentence("{action} has no outcome in this position", action=repr(action.text))) from error
    check_position(game, step.state)
    return step


def rejudged_later(log: Log, entry: RewritingEntry) -> tuple[Rejudged, ...]:
    """What becomes of the moves that follow the one that an entry rewrites. Its own `later` is not read."""
    found, point = [], log.rewritten(entry)
    for move in log.following(entry):
        rejudged = _rejudged(log.game, point, move)
        found.append(rejudged)
        point = after(log.game, point, replace(move, events=rejudged.events, rules=rejudged.rules))
    return tuple(found)


def _rejudged(game: GameRules[Any], point: Point, move: Move) -> Rejudged:
    if isinstance(move.entry, LeaveEntry):
        return Rejudged(move.number, left_behind(game, point, move.entry).events)
    if isinstance(move.entry, DetailEntry):
        return Rejudged(move.number, told_from_now(game, point.state, move.entry.level).events)
    if move.action is None:
        try:
            after(game, point, replace(move, events=()))
        except SessionError:
            return Rejudged(move.number, None)
        return Rejudged(move.number, ())
    try:
        action = game.parse_action(move.action, point.state)
    except NotationError:
        return Rejudged(move.number, None)
    seat, decision = move.entry.seat, game.decide(point.state)
    verdict = judge(game, point.state, action, seat)
    rules = () if verdict.is_legal else broken(verdict)
    if decision is None or (seat is not None and seat not in decision.actors):
        return Rejudged(move.number, None, rules)
    try:
        applied = apply_with_absent if verdict.is_legal else attempt
        step = applied(game, point.state, action, point.left)
    except SessionError:
        return Rejudged(move.number, None, rules)
    return Rejudged(move.number, step.events, rules)


def left_behind(game: GameRules[Any], point: Point, entry: LeaveEntry) -> Step:
    """What passes at once when a player leaves; nothing where only one stays, for the game ends."""
    left = entry.among(point.left)
    return pass_over(game, point.state, left if len(point.state.table.players) - len(left) > 1 else NOBODY)


def told_from_now(game: GameRules[Any], state: Any, level: str) -> Step:
    """What follows at once where the table tells more of the game, or less, from now on."""
    return follow(game, state, (DetailChosen(level),))


def broken(verdict: Verdict) -> tuple[str, ...]:
    """The ids of a verdict's rules, each once."""
    return tuple(dict.fromkeys(violation.rule for violation in verdict.violations))


def unchecked(verdict: Verdict) -> tuple[str, ...]:
    """The ids of the rules that a verdict leaves unchecked."""
    return broken(verdict) if verdict.status is Status.NOT_CHECKABLE else ()


def is_worse(rejudged: Rejudged, before: Move) -> bool:
    """Whether an entry that could happen before cannot happen now, or breaks a rule that it did not break before."""
    if rejudged.events is None:
        return before.events is not None
    return not set(rejudged.rules) <= set(before.rules)


def verify(log: Log) -> list[Problem]:
    """Judge every action of a log again and work out its facts anew; gives what the entries say otherwise."""
    problems: list[Problem] = []
    again = begin(log.header)
    for entry in log.entries:
        try:
            problems.extend(_problems(again, entry))
        except IMPOSSIBLE:
            reason = "cannot be judged in the position that the facts before it lead to"
            problems.append(Problem(entry.number, entry.action or "", (), reason))
        again = again.append(entry)
    return problems


def _problems(log: Log, entry: Entry) -> Iterator[Problem]:
    if isinstance(entry, ActionEntry):
        yield from _action_problems(log.game, log.point, entry, entry.seat)
    elif isinstance(entry, OverrideEntry):
        yield from _override_problems(log.game, log.point, entry)
    elif isinstance(entry, RewritingEntry):
        yield from _rewriting_problems(log, entry)
    elif isinstance(entry, LeaveEntry):
        yield from _event_problems(entry, log.header.table, left_behind(log.game, log.point, entry).events)
    elif isinstance(entry, DetailEntry):
        yield from _event_problems(entry, log.header.table, told_from_now(log.game, log.state, entry.level).events)
    elif isinstance(entry, LostEntry):
        yield Problem(entry.number, "", (), f"the entry is missing: {entry.reason}")
    elif isinstance(entry, CorrectionEntry):
        try:
            check_position(log.game, log.append(entry).state)
        except SessionError as error:
            yield Problem(entry.number, "", (), str(error))


def _action_problems(
    game: GameRules[Any], point: Point, entry: ActionEntry | LaterActionEntry, seat: int | None
) -> Iterator[Problem]:
    state = point.state
    try:
        action = game.parse_action(entry.action, state)
    except NotationError as error:
        yield Problem(entry.number, entry.action, (), str(error))
        return
    verdict = judge(game, state, action, seat)
    if not verdict.is_legal:
        yield Problem(entry.number, entry.action, broken(verdict), refusal_text(game, state, verdict))
        return
    if unchecked(verdict) != entry.unchecked:
        told, found = ", ".join(entry.unchecked) or "none", ", ".join(unchecked(verdict)) or "none"
        yield Problem(entry.number, entry.action, (), f"the rules it leaves unchecked are {found}, not {told}")
    yield from _event_problems(entry, state.table, apply_with_absent(game, state, action, point.left).events)


def _override_problems(game: GameRules[Any], point: Point, entry: OverrideEntry) -> Iterator[Problem]:
    state = point.state
    try:
        action = game.parse_action(entry.action, state)
        rules = broken(judge(game, state, action))
        if not _as_recorded(entry.rules, rules):
            yield Problem(
                entry.number, entry.action, rules,
                f"it breaks {', '.join(rules) or 'no rule'}, not {', '.join(entry.rules) or 'none'} as the entry says",
            )  # fmt: skip
        elif not rules:
            yield Problem(entry.number, entry.action, (), "it breaks no rule, so there was nothing to override")
        yield from _event_problems(entry, state.table, attempt(game, state, action, point.left).events)
    except (NotationError, SessionError) as error:
        yield Problem(entry.number, entry.action, (), str(error))


def _rewriting_problems(log: Log, entry: RewritingEntry) -> Iterator[Problem]:
    if isinstance(entry, LaterActionEntry):
        found = list(_action_problems(log.game, log.before(entry.target), entry, entry.seat))
        yield from found
        if found:
            return
    for told, rejudged in zip(entry.later, rejudged_later(log, entry), strict=True):
        if not _same(told, rejudged):
            reason = f"what it makes of entry {rejudged.number} is not what follows from the change"
            yield Problem(entry.number, entry.action or "", rejudged.rules, reason)


def _as_recorded(recorded: tuple[str, ...], broken_now: tuple[str, ...]) -> bool:
    """Whether a record names rules that are broken; older ones may name fewer than are known today."""
    return set(recorded) <= set(broken_now) and bool(recorded) == bool(broken_now)


def _binding(events: Iterable[Event]) -> tuple[Event, ...]:
    """The facts without warnings, which older records do not have."""
    return tuple(event for event in events if not isinstance(event, SupplyRanOut))


def _same(recorded: Rejudged, again: Rejudged) -> bool:
    """Whether what became of a later entry is what the record says."""
    if (recorded.events is None) != (again.events is None):
        return False
    events = _binding(recorded.events or ()) == _binding(again.events or ())
    return events and _as_recorded(recorded.rules, again.rules)


def _event_problems(
    entry: ActionEntry | LaterActionEntry | OverrideEntry | LeaveEntry | DetailEntry,
    table: Table,
    found: tuple[Event, ...],
) -> Iterator[Problem]:
    for place, (tells, finds) in enumerate(zip_longest(_binding(entry.events), _binding(found)), 1):
        if tells != finds:
            told, follows = _sentence(tells, table), _sentence(finds, table)
            reason = f"fact {place} is told as {told}, but {follows} follows{_differences(tells, finds)}"
            yield Problem(entry.number, entry.action or "", (), reason)
            return


def _sentence(event: Event | None, table: Table) -> str:
    return shown(game_texts(table.game).event(event, table), 200) if event is not None else "nothing"


def _differences(told: Event | None, found: Event | None) -> str:
    """Where two facts of one kind differ, which their sentences may leave unsaid."""
    if told is None or type(told) is not type(found):
        return ""
    differing = [field.name for field in fields(told) if getattr(told, field.name) != getattr(found, field.name)]
    return f" (another {' and '.join(differing)})"
