"""Bars that lie in lines: those of a label run from the label's own place on, without a gap or a branch, and touch no
other line. What single spots tell is weighed together along such lines.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Iterator, Mapping
from typing import NamedTuple

from companion.board.layout import EMPTY, Board, Piece
from vision.learned.network import Shares

_ASTRAY = 3.0
"""Nats by which bars that continue no line are less likely, together if they are connected: people do lay wrongly."""
_RARE = 1.4
"""Nats by which a bar that is not seen, on a line with one that is seen further on, is likelier than its spot by itself
tells: that most spots are bare, which is in what it tells, holds of none on a line. In path-traced pictures a bar is
imagined from 1.5 nats on.
"""
_SEEN = 0.5
"""Probability from which a spot by itself shows a bar."""
_BARE = 0.98
"""Probability of nothing on each spot above which no lines are looked for."""
_UNSEEN = -1.0
"""Log odds of a bar of a line on a spot that is covered."""
_LEAST = 1e-6
"""Probabilities count as no lower."""
_BEHIND, _AT_ONCE = 10.0, 40
"""Lines that are so many nats less likely than the likeliest, or come after so many of their length, are given up."""
_DOUBTED = 0.89
"""Largest probability of a label that is not the one that the spot by itself looks likeliest to show, and of nothing
where the spot by itself is not surer of it: that no line runs there proves no more.
"""


class _Gain(NamedTuple):
    """How many nats a line gains or loses by running over an edge: as its spot by itself tells, and where a bar is seen
    there or further on; and whether one is seen there.
    """

    told: float
    before_seen: float
    is_seen: bool


_Gains = Mapping[str, _Gain]
"""of each edge"""


class _Line(NamedTuple):
    """A line of bars in order: its edges, the vertices it touches, its last one, the log odds of its bars, and what
    these would be if a bar further on were seen.
    """

    edges: tuple[str, ...]
    touched: frozenset[str]
    end: str
    odds: float = 0.0
    hoped: float = 0.0

    def longer(self, edge: str, end: str, gain: _Gain) -> _Line:
        """The line with one more bar."""
        hoped = self.hoped + gain.before_seen
        odds = hoped if gain.is_seen else self.odds + gain.told
        return _Line((*self.edges, edge), self.touched | {end}, end, odds, hoped)


class Lines:
    """The lines in which a board's bars of one kind lie. `starts` maps labels to the vertices where lines begin."""

    def __init__(self, board: Board, piece: Piece, starts: Mapping[str, str]) -> None:
        self._starts = dict(starts)
        self._spots = {spot.site: spot.name for spot in board.spots.values() if spot.piece == piece.name}
        self._ends = {edge: board.lattice.edge_ends[edge] for edge in self._spots}
        self._onward: dict[str, list[tuple[str, str]]] = {}
        """vertex -> the edges by which a line may leave it, with the vertices where they end"""
        for edge, (first, second) in self._ends.items():
            self._onward.setdefault(first, []).append((edge, second))
            self._onward.setdefault(second, []).append((edge, first))

    @property
    def spots(self) -> Collection[str]:
        """The spots on which they lie."""
        return self._spots.values()

    def along(self, found: Mapping[str, Shares], covered: Container[str]) -> dict[str, Shares]:
        """The probabilities of the bars' spots that are not covered, from those of each spot by itself.

        None of a board that surely has no bars.
        """
        seen = {edge: found[name] for edge, name in self._spots.items() if name in found and name not in covered}
        if all(shares[EMPTY] > _BARE for shares in seen.values()):
            return {}
        astray = self._astray(seen)
        off = {edge: max(_off_lines(shares, astray[edge]), _LEAST) for edge, shares in seen.items()}
        gains = {label: self._gains(label, seen, off) for label in self._starts}
        chosen = {label: _Line((), frozenset(), start) for label, start in self._starts.items()}
        for _ in range(2):
            for label in chosen:
                chosen[label] = max(self._possible(label, gains[label], chosen), key=lambda line: line.odds)
        on_lines: dict[str, dict[str, float]] = {}
        for label in chosen:
            lines = list(self._possible(label, gains[label], chosen))
            most = max(line.odds for line in lines)
            total = sum(math.exp(line.odds - most) for line in lines)
            for line in lines:
                share = math.exp(line.odds - most) / total
                for edge in line.edges:
                    shares = on_lines.setdefault(edge, {})
                    shares[label] = shares.get(label, 0.0) + share
        return {
            self._spots[edge]: _joined(shares, on_lines.get(edge, {}), astray[edge]) for edge, shares in seen.items()
        }

    def _astray(self, seen: Mapping[str, Shares]) -> dict[str, float]:
        """How likely a bar on each edge is off all lines: connected bars that look alike lie wrongly all at once."""
        looks = {edge: max(shares, key=shares.__getitem__) for edge, shares in seen.items()}
        result = dict.fromkeys(seen, math.exp(-_ASTRAY))
        left = {edge for edge, label in looks.items() if label != EMPTY}
        while left:
            group = [left.pop()]
            for edge in group:
                near = {other for end in self._ends[edge] for other, _ in self._onward[end]} & left
                alike = [other for other in near if looks[other] == looks[edge]]
                left.difference_update(alike)
                group += alike
            result |= dict.fromkeys(group, math.exp(-_ASTRAY / len(group)))
        return result

    def _gains(self, label: str, seen: Mapping[str, Shares], off: Mapping[str, float]) -> _Gains:
        gains = dict.fromkeys(self._spots, _Gain(_UNSEEN, _UNSEEN, is_seen=False))
        for edge, shares in seen.items():
            told = math.log(max(shares[label], _LEAST) / off[edge])
            is_seen = shares[label] > _SEEN
            gains[edge] = _Gain(told, told if is_seen else told + _RARE, is_seen)
        return gains

    def _possible(self, label: str, gains: _Gains, chosen: Mapping[str, _Line]) -> Iterator[_Line]:
        """No line, and those of one label that touch no chosen line of another, the likelier ones of each length."""
        taken = frozenset[str]().union(*(line.touched for other, line in chosen.items() if other != label))
        start = self._starts[label]
        yield _Line((), frozenset(), start)
        if start in taken:
            return
        growing, best = [_Line((), frozenset((start,)), start)], 0.0
        while growing:
            longer = [
                line.longer(edge, end, gains[edge])
                for line in growing
                for edge, end in self._onward.get(line.end, ())
                if line.hoped + gains[edge].before_seen > best - _BEHIND
                and end not in taken
                and end not in line.touched
            ]
            longer.sort(key=lambda line: -line.hoped)
            growing = longer[:_AT_ONCE]
            best = max(best, growing[0].hoped if growing else best)
            yield from growing


def lines_of(board: Board) -> tuple[Lines, ...]:
    """The lines of the kinds of bars on edges of the lattice whose labels are names of a feature at its vertices."""
    return tuple(
        Lines(board, piece, starts)
        for piece in board.pieces.values()
        if piece.lies_on == "edge"
        for starts in board.features.values()
        if starts.keys() == set(piece.labels) and all(site in board.lattice.places for site in starts.values())
    )


def _off_lines(shares: Shares, astray: float) -> float:
    """How likely what a spot shows is where no line runs."""
    return shares[EMPTY] + astray * (1.0 - shares[EMPTY])


def _joined(shares: Shares, on_lines: Mapping[str, float], astray: float) -> Shares:
    """The probabilities of a spot of which `on_lines` tells how likely a line of each label runs over it."""
    off = max(0.0, 1.0 - sum(on_lines.values())) / max(_off_lines(shares, astray), _LEAST)
    joint = {
        label: off * share * (1.0 if label == EMPTY else astray) + on_lines.get(label, 0.0)
        for label, share in shares.items()
    }
    total = sum(joint.values())
    joint = {label: share / total for label, share in joint.items()}
    best = max(joint, key=joint.__getitem__)
    if best == EMPTY:
        return _at_most(max(shares[EMPTY], _DOUBTED), best, joint)
    return joint if shares[best] == max(shares.values()) else _at_most(_DOUBTED, best, joint)


def _at_most(most: float, best: str, shares: Shares) -> Shares:
    """The same with no more than this for the likeliest label."""
    if shares[best] <= most:
        return shares
    rest = (1.0 - most) / (1.0 - shares[best] + _LEAST)
    capped = {label: most if label == best else share * rest for label, share in shares.items()}
    total = sum(capped.values())
    return {label: share / total for label, share in capped.items()}
