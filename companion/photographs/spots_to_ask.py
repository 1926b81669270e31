"""Which uncertain spots of a picture could change the score, so that somebody must be asked about them.

Other labels of doubtful spots are tried one spot at a time, and in pairs where there are few. A covered spot may show
any label; it is asked about if its kind of piece counts for the score.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from companion.board.layout import EMPTY
from companion.engine import scores
from companion.errors import InvalidDocument
from companion.photographs.last_board import LastBoard
from companion.photographs.questions import Judgement, sample_answers
from companion.scoring import TieBreak

ASKED = 0.1
"""The smallest probability of another score for which somebody is asked."""
_SURELY_ASKED = 0.02
"""The same for kinds of pieces whose wrong labels pass unnoticed; they are in doubt below the probability `_SURE`."""
_SURE = 0.98
_RARE = 0.01
"""Less probable labels are ignored."""
_MOST, _FEW = 30, 15
"""Doubtful spots that are thought about, all are asked about where there are more; and other labels that are tried in
pairs, too.
"""


class Counted(NamedTuple):
    """A score: rule, seat and points of each line, the totals, and the tie-break values."""

    lines: tuple[tuple[str, int, int], ...]
    totals: tuple[int, ...]
    tie_breaks: tuple[TieBreak, ...]


class _Other(NamedTuple):
    """Another label on a spot, and its probability relative to the likeliest one."""

    spot: str
    label: str
    odds: float


@dataclass(frozen=True, slots=True)
class OpenBoard:
    """The board with its most likely look, and the spots about which somebody must be asked."""

    last: LastBoard
    asked: frozenset[str]


def judged(
    last: LastBoard,
    chances: Mapping[str, Mapping[str, float]],
    doubtful: Collection[str],
    covered: Collection[str],
) -> OpenBoard:
    """The most likely board by picture and rules, and the spots that must be asked about.

    As for `spots_that_count`, without the spots that the rules settle.
    """
    found = Judgement()
    with suppress(InvalidDocument):  # no such table
        found = last.game.photograph_scoring.judge(last.table, last.look, chances, covered)
    likely = last.looking({spot: label for spot, label in {**last.look, **found.look}.items() if label != EMPTY})
    if found.look and counted(last) and not counted(likely):
        found, likely = Judgement(), last
    rest = {spot: shares for spot, shares in chances.items() if spot not in found.look}
    open_spots = [spot for spot in doubtful if spot not in found.look]
    unseen = [spot for spot in covered if spot not in found.look]
    return OpenBoard(likely, found.asked | spots_that_count(likely, rest, open_spots, unseen))


def spots_that_count(
    last: LastBoard,
    chances: Mapping[str, Mapping[str, float]],
    doubtful: Collection[str],
    covered: Iterable[str],
) -> frozenset[str]:
    """Those of the `doubtful` and `covered` spots about which somebody must be asked.

    `last` is the board with what most likely lies on it, `chances` (spot -> label -> probability) is what may. Where
    that cannot be the end of a game all covered spots are asked about, and those whose other looks would mend it,
    doubtful before or not; all doubtful ones if none does.
    """
    unknown = frozenset(covered)
    if len(doubtful) > _MOST:
        return unknown.union(doubtful)
    stays = counted(last)
    doubtful = {*doubtful, *(_unnoticed(last, chances) if stays else ())}
    others = list(_others(last.look, {spot: chances[spot] for spot in doubtful} if stays else chances))
    alone = {other: counted(_with(last, other)) for other in others}
    possible: dict[str, float] = defaultdict(float)
    changed: dict[str, float] = defaultdict(float)
    mending = {other.spot for other in others if alone[other] and not stays}
    for other, scored in alone.items():
        possible[other.spot] += other.odds if scored else 0.0
        changed[other.spot] += other.odds if scored and scored != stays else 0.0
    for pair in combinations(others, 2) if len(others) <= _FEW else ():
        scored = counted(_with(last, *pair)) if pair[0].spot != pair[1].spot else ()
        if scored:
            for one, partner in (pair, pair[::-1]):
                possible[one.spot] += one.odds * partner.odds
                changed[one.spot] += one.odds * partner.odds if scored != (alone[partner] or stays) else 0.0
                mending |= set() if stays or alone[partner] else {one.spot}
    if not stays:
        return unknown.union(mending or doubtful)
    spots = last.board.all_spots
    counting = {spot for spot in unknown if spots[spot].piece in last.game.photograph_scoring.counted}
    telling = last.game.photograph_scoring.telling
    enough = {spot: _SURELY_ASKED if spots[spot].piece in telling else ASKED for spot in doubtful}
    return frozenset(counting.union(spot for spot in doubtful if changed[spot] > enough[spot] * (1.0 + possible[spot])))


def _unnoticed(last: LastBoard, chances: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The spots of telling kinds whose label is nearly sure, the least sure first; at most `_FEW`."""
    telling = last.game.photograph_scoring.telling
    spots = last.board.all_spots
    sure = {
        spot: shares.get(last.look.get(spot, EMPTY), 1.0)
        for spot, shares in chances.items()
        if spot in spots and spots[spot].piece in telling
    }
    return sorted((spot for spot, share in sure.items() if share < _SURE), key=sure.__getitem__)[:_FEW]


def _with(last: LastBoard, *others: _Other) -> LastBoard:
    changed = {**last.look, **{other.spot: other.label for other in others}}
    return last.looking({spot: label for spot, label in changed.items() if label != EMPTY})


def _others(look: Mapping[str, str], chances: Mapping[str, Mapping[str, float]]) -> Iterator[_Other]:
    for spot, shares in chances.items():
        likeliest = look.get(spot, EMPTY)
        usual = max(shares.get(likeliest, 0.0), _RARE)
        for label, share in shares.items():
            if label != likeliest and share > _RARE:
                yield _Other(spot, label, share / usual)


def counted(last: LastBoard) -> tuple[Counted, ...]:
    """The scores of a board with the usual answers and, where possible, with the sample answers; none where no game
    can end so.
    """
    found: tuple[Counted, ...] = ()
    with suppress(InvalidDocument):  # no end of a game, or not one with so much
        table = last.table
        for answers in ({}, sample_answers(last.game.photograph_scoring.questions(table), table.seats)):
            sheet = scores(last.game, last.position(answers).state)
            lines = tuple((line.rule, line.seat, line.points) for line in sheet.lines)
            found += (Counted(lines, sheet.totals, sheet.tie_breaks),)
    return found
