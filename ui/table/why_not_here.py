"""Why something may not be done at a touched place: the gestures there that the game's checks forbid. No Kivy."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from companion.board.layout import Board
from companion.engine import judge
from companion.legality import Group, Verdict
from companion.session.session import Session
from ui.drawing.board_frame import site_centre

MOST_JUDGED = 200
"""gestures that are judged at one place"""
MOST_SHOWN = 8
"""of the illegal ones that may be chosen all the same"""

Judged = tuple[Any, Verdict]
"""an action and the verdict on it"""


def illegal_gestures(session: Session, site: str) -> tuple[Judged, ...]:
    """The illegal gestures at a site, `MOST_SHOWN` at most, the likeliest first: one for each set of rules broken, then
    the others.

    Likeliest are the kinds of action that this step of the game allows, and of these the gestures that fail only in the
    last checks. Where the step allows none of the kinds, the rule that most of them break comes first. There are none
    once the game was ended early: no rule forbids anything then.
    """
    gestures = dict.fromkeys(session.game.gestures_at(session.state, site))
    return tuple(islice(_illegal(session, gestures), MOST_SHOWN))


def illegal_plays(session: Session, piece: str, sites: Iterable[str]) -> tuple[Judged, ...]:
    """The illegal gestures at sites that name a closed piece: those of the likeliest kind of action."""
    game, state = session.game, session.state
    gestures = dict.fromkeys(gesture for site in sites for gesture in game.gestures_at(state, site))
    judged = tuple(_illegal(session, (each for each in gestures if piece in game.pieces_named(each))))
    return tuple(each for each in judged if type(each[0]) is type(judged[0][0]))


def _illegal(session: Session, actions: Iterable[Any]) -> Iterator[Judged]:
    """The illegal ones of the first `MOST_JUDGED` actions, the likeliest first."""
    if session.record_status.ended:
        return iter(())
    game, state = session.game, session.state
    judged = [(action, judge(game, state, action)) for action in islice(actions, MOST_JUDGED)]
    groups = {check.rule: int(check.group) for check in game.rules.checks}

    kinds = list(dict.fromkeys(type(action) for action, _verdict in judged))
    in_time = {type(action) for action, verdict in judged if not is_out_of_time(verdict, groups)}
    broken = {(type(action), each.rule) for action, verdict in judged for each in verdict.violations}
    kinds_breaking = Counter(rule for _kind, rule in broken)

    def rank(judgement: Judged) -> tuple[int, ...]:
        action, rules = judgement[0], [violation.rule for violation in judgement[1].violations]
        place, late = kinds.index(type(action)), -max(groups.get(rule, 0) for rule in rules)
        if type(action) in in_time:
            return 0, place, late, len(rules)
        return 1, -max(kinds_breaking[rule] for rule in rules), place, late, len(rules)

    ranked = sorted((each for each in judged if not each[1].is_legal), key=rank)
    return _each_reason_first(ranked)


def is_out_of_time(verdict: Verdict, groups: Mapping[str, int]) -> bool:
    """Whether the step of the game does not allow this kind of action; `groups` is rule -> group of its check."""
    return any(groups.get(violation.rule) == Group.TIME for violation in verdict.violations)


def reasons(judged: Iterable[Judged]) -> tuple[Judged, ...]:
    """One action, the first, for each set of rules that is broken."""
    found: dict[frozenset[str], Judged] = {}
    for action, verdict in judged:
        found.setdefault(frozenset(violation.rule for violation in verdict.violations), (action, verdict))
    return tuple(found.values())


def at_site(action: Any, site: str) -> Any | None:
    """The same action at another site; None for one that is not at exactly one."""
    match [name[1:-1] for name in type(action).site_forms]:
        case [field] if getattr(action, field, None) in action.sites:
            return replace(action, **{field: site})
    return None


def nearest_place(board: Board, legal: Sequence[Any], action: Any, site: str) -> str:
    """The place nearest to a site where an action of that kind is legal, of the same piece if it can, "" for none."""
    start, piece = site_centre(board, site), {*action.text.split()} - {*action.sites}
    found = [
        (len(piece - {*each.text.split()}), math.dist(start, centre), each.sites[0])
        for each in legal
        if start is not None and type(each) is type(action) and each.sites
        and (centre := site_centre(board, each.sites[0])) is not None
    ]  # fmt: skip
    return min(found)[2] if found else ""


def _each_reason_first(judged: list[Judged]) -> Iterator[Judged]:
    first = reasons(judged)
    yield from first
    yield from (each for each in judged if each not in first)
