"""How the legal actions of a kind are listed: by the checks that judge one, asked as seldom as they can be.

Checks that read no field are asked once. A field's values come from its domain; ranges leave those that lie in them,
checks of that field alone those they do not forbid. The other checks see the combinations that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from itertools import product
from operator import itemgetter
from typing import Any

from companion.frozen import FrozenDict, Interned
from companion.legality import Check, CheckFunction, Range

Values = Callable[[Any], Iterable[Any]]
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """Where a kind's fields get their values: functions of the state that give at least all legal ones, in order.

    Fields that depend on one another are given `together`, as tuples of all of them.
    """

    of_field: Mapping[str, Values] = field(default_factory=FrozenDict)
    """field -> its values, the field that is narrowed first at the beginning"""
    together: Callable[[Any], Iterable[Row]] | None = None
    within: tuple[Range, ...] = ()
    """ranges that `together` takes its values from"""


@dataclass(frozen=True, slots=True)
class Column:
    """What narrows the values of one field; `place` is where it stands in a row."""

    place: int
    values: Values
    ranges: tuple[Range, ...]
    checks: tuple[CheckFunction, ...]

    def narrowed(self, state: Any, values: Iterable[Any]) -> list[Any]:
        """Those of these values that no range and no check of this field alone forbids."""
        kept = list(values)
        for among in self.ranges:
            allowed = among(state)
            if allowed is not None:
                kept = [value for value in kept if value in allowed]
        for function in self.checks:
            kept = [value for value in kept if (found := function(state, value)) is None or not found.certain]
        return kept


@dataclass(frozen=True, slots=True)
class Joint:
    """Checks that read the same several fields; `values` takes these from a row, None where they are all fields."""

    values: Callable[[Row], Row] | None
    checks: tuple[CheckFunction, ...]

    def narrowed(self, state: Any, rows: Iterable[Row]) -> list[Row]:
        """The rows that these checks do not forbid; the same values are asked about once."""
        kept = list(rows)
        if self.values is None:
            return self._allowed(state, kept)
        read = list(map(self.values, kept))
        distinct = dict.fromkeys(read)
        allowed = set(self._allowed(state, distinct))
        if len(allowed) == len(distinct):
            return kept
        return [row for row, values in zip(kept, read, strict=True) if values in allowed]

    def _allowed(self, state: Any, rows: Iterable[Row]) -> list[Row]:
        for function in self.checks:
            rows = [row for row in rows if (found := function(state, *row)) is None or not found.certain]
        return list(rows)


@dataclass(frozen=True, slots=True)
class Listing:
    """How the actions of one kind are listed, worked out once."""

    bare: tuple[CheckFunction, ...]
    columns: tuple[Column, ...]
    together: Callable[[Any], Iterable[Row]] | None
    joints: tuple[Joint, ...]
    in_row: Callable[[list[list[Any]]], Iterable[list[Any]]]
    """puts the values of the columns in the order of the fields"""
    action_of: Callable[[Row], Any]
    """the action with the values of a row"""

    def actions(self, state: Any) -> list[Any]:
        """The legal actions of this kind, in a fixed order."""
        for function in self.bare:
            if (found := function(state)) is not None and found.certain:
                return []
        if not self.columns and self.together is None:
            return [self.action_of(())]
        rows: Iterable[Row]
        if self.together is not None:
            rows = self._narrowed_rows(state, list(self.together(state)))
        else:
            narrowed = []
            for column in self.columns:
                values = column.narrowed(state, column.values(state))
                if not values:
                    return []
                narrowed.append(values)
            rows = zip(*narrowed, strict=True) if len(narrowed) == 1 else product(*self.in_row(narrowed))
        for joint in self.joints:
            rows = joint.narrowed(state, rows)
        return list(map(self.action_of, rows))

    def _narrowed_rows(self, state: Any, rows: list[Row]) -> list[Row]:
        for column in self.columns if rows else ():
            place = column.place
            values = {row[place] for row in rows}
            allowed = set(column.narrowed(state, values))
            if len(allowed) < len(values):
                rows = [row for row in rows if row[place] in allowed]
        return rows


def listing(kind: type, checks: Iterable[Check], domain: Domain) -> Listing:
    """Sort the checks of a kind by the fields they read; those of few kinds first, for they forbid most often.

    Left out are those that only the step decides, and those of which no violation is sure.
    """
    checks = tuple(check for check in checks if check.certain and not check.forbidden_steps)
    bare = sorted((check for check in checks if not check.reads), key=lambda check: len(check.kinds))
    names = tuple(each.name for each in fields(kind))
    columns, joint = [], dict[tuple[str, ...], list[CheckFunction]]()
    for name in domain.of_field or names:
        single = [check for check in checks if check.reads == (name,)]
        values = domain.of_field.get(name, _no_values)
        ranges = [check.among for check in single if check.among is not None]
        kept: tuple[Any, ...] = (values, *domain.within)
        column = Column(
            names.index(name),
            values,
            tuple(among for among in ranges if among not in kept),
            tuple(check.function for check in single if check.among is None),
        )
        if domain.of_field or column.ranges or column.checks:
            columns.append(column)
    for check in checks:
        if len(check.reads) > 1:
            joint.setdefault(check.reads, []).append(check.function)
    order = [list(domain.of_field).index(name) for name in names if name in domain.of_field]
    return Listing(
        bare=tuple(check.function for check in bare),
        columns=tuple(columns),
        together=domain.together,
        joints=tuple(
            Joint(None if reads == names else itemgetter(*map(names.index, reads)), tuple(functions))
            for reads, functions in joint.items()
        ),
        in_row=itemgetter(*order) if len(order) > 1 else list,
        action_of=Interned(kind).__getitem__,
    )


def _no_values(state: Any) -> Iterable[Any]:
    return ()
