"""How the legal actions of a kind are listed: by the checks that judge one action, each asked as seldom as possible.

A check that reads no field is asked once. The values of a field come from its domain; of these, ranges keep those that
lie in them, and checks of that field alone keep those they do not forbid. The other checks see the combinations that
are left. A check that a domain keeps by construction is not asked at all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from itertools import chain, product
from math import prod
from operator import itemgetter
from typing import Any

from companion.frozen import FrozenDict, Interned
from companion.legality import Check, CheckFunction, Range

Values = Callable[[Any], Collection[Any]]
Row = tuple[Any, ...]
"""a value for each field of a kind, in the order of the fields"""

LONGEST_BLOCK, MOST_BLOCKS = 16, 1 << 10
"""Actions that differ in their first field only are kept in blocks of at most so many, for so many sets of the other
fields' values: few and short ones come again and again."""


@dataclass(frozen=True, slots=True)
class Domain:
    """Where the fields of a kind get their values: functions of the state that give at least all legal ones, in order.

    Fields that depend on one another get their values together, as rows.
    """

    of_field: Mapping[str, Values] = field(default_factory=FrozenDict)
    """field -> its values; the first field here is filtered first"""
    joint_values: Callable[[Any], Iterable[Row]] | None = None
    keeps: tuple[CheckFunction, ...] = ()
    """the checks that no value given here breaks, whatever the state; listing does not ask them"""


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """The ranges and checks of one field, which is at `index` in a row, and where its values come from."""

    index: int
    values: Values
    ranges: tuple[Range, ...]
    checks: tuple[CheckFunction, ...]

    def allowed(self, state: Any, values: Iterable[Any]) -> list[Any]:
        """The values that no range and no check of this field alone forbids."""
        kept = list(values)
        for among in self.ranges:
            in_range = among(state)
            if in_range is not None:
                kept = [value for value in kept if value in in_range]
        for function in self.checks:
            kept = [value for value in kept if (found := function(state, value)) is None or not found.certain]
        return kept


@dataclass(frozen=True, slots=True)
class JointFilter:
    """Checks that read the same two or more fields; `values` takes these from a row, None where they are all fields."""

    values: Callable[[Row], Row] | None
    checks: tuple[CheckFunction, ...]

    def allowed(self, state: Any, rows: Iterable[Row]) -> list[Row]:
        """The rows that these checks do not forbid; checks are asked once about equal values of their fields."""
        kept = list(rows)
        if self.values is None:
            return self._asked(state, kept)
        read = list(map(self.values, kept))
        distinct = dict.fromkeys(read)
        allowed = set(self._asked(state, distinct))
        if len(allowed) == len(distinct):
            return kept
        return [row for row, values in zip(kept, read, strict=True) if values in allowed]

    def _asked(self, state: Any, rows: Iterable[Row]) -> list[Row]:
        for function in self.checks:
            rows = [row for row in rows if (found := function(state, *row)) is None or not found.certain]
        return list(rows)


@dataclass(frozen=True, slots=True)
class Listing:
    """How the actions of one kind are listed, worked out once."""

    unconditional: tuple[CheckFunction, ...]
    """the checks that read no field"""
    field_filters: tuple[FieldFilter, ...]
    joint_values: Callable[[Any], Iterable[Row]] | None
    joint_filters: tuple[JointFilter, ...]
    in_field_order: Callable[[list[Collection[Any]]], Iterable[Collection[Any]]]
    """puts the values of the fields, which are in the order of `field_filters`, in the order of the fields"""
    action_of: Interned
    """the value of the only field, or else a row -> the action"""
    blocks: Interned
    """the values of all fields but the first -> the value of the first one -> the actions with these values"""
    pairs: Interned
    """the value of the first of two fields -> that of the second one -> the action"""

    def actions(self, state: Any) -> list[Any]:
        """The legal actions of this kind, in a fixed order."""
        return list(self.each_action(state))

    def each_action(self, state: Any) -> Iterable[Any]:
        """The same actions, to be added to a list of several kinds without a list of their own."""
        for function in self.unconditional:
            if (found := function(state)) is not None and found.certain:
                return ()
        if self.joint_values is not None:
            return map(self.action_of.__getitem__, self._filtered(state, self.joint_values(state)))
        columns: list[Collection[Any]] = []
        for each in self.field_filters:
            values = each.values(state)
            if each.ranges or each.checks:
                values = each.allowed(state, values)
            if not values:
                return ()
            columns.append(values)
        if len(columns) > 1:
            return self._combined(state, *self.in_field_order(columns))
        return map(self.action_of.__getitem__, columns[0]) if columns else (self.action_of[()],)

    def _filtered(self, state: Any, rows: Iterable[Row]) -> Iterable[Row]:
        for each in self.field_filters:
            rows, index = list(rows), each.index
            values = {row[index] for row in rows}
            allowed = set(each.allowed(state, values))
            if len(allowed) < len(values):
                rows = [row for row in rows if row[index] in allowed]
        for joint in self.joint_filters:
            rows = joint.allowed(state, rows)
        return rows

    def _combined(self, state: Any, first: Collection[Any], *others: Collection[Any]) -> Iterable[Any]:
        """The actions of all combinations of these values that no joint filter forbids."""
        if not self.joint_filters:
            if len(first) > 1 and prod(map(len, others)) <= LONGEST_BLOCK:
                return chain.from_iterable(map(self.blocks[tuple(map(tuple, others))].__getitem__, first))
            if len(others) == 1:
                return [action for value in first for action in map(self.pairs[value].__getitem__, others[0])]
        rows: Iterable[Row] = product(first, *others)
        for joint in self.joint_filters:
            rows = joint.allowed(state, rows)
        return map(self.action_of.__getitem__, rows)


def listing(kind: type, checks: Iterable[Check], domain: Domain) -> Listing:
    """Sort the checks of a kind by the fields they read; those of few kinds first, for they forbid most often.

    Left out are those that only the step decides, those of which no violation is certain, and those the domain keeps.
    """
    checks = tuple(
        check for check in checks if check.certain and not check.forbidden_steps and check.function not in domain.keeps
    )
    unconditional = sorted((check for check in checks if not check.reads), key=lambda check: len(check.kinds))
    names = tuple(each.name for each in fields(kind))
    joint = dict[tuple[str, ...], list[CheckFunction]]()
    for check in checks:
        if len(check.reads) > 1:
            joint.setdefault(check.reads, []).append(check.function)
    order = [list(domain.of_field).index(name) for name in names if name in domain.of_field]
    action_of = Interned(kind if len(names) == 1 else lambda row: kind(*row))
    return Listing(
        unconditional=tuple(check.function for check in unconditional),
        field_filters=_field_filters(names, checks, domain),
        joint_values=domain.joint_values,
        joint_filters=tuple(
            JointFilter(None if reads == names else itemgetter(*map(names.index, reads)), tuple(functions))
            for reads, functions in joint.items()
        ),
        in_field_order=itemgetter(*order) if len(order) > 1 else list,
        action_of=action_of,
        blocks=Interned(
            lambda others: Interned(lambda first: [action_of[first, *rest] for rest in product(*others)]), MOST_BLOCKS
        ),
        pairs=Interned(lambda first: Interned(lambda second: action_of[first, second])),
    )


def _field_filters(names: tuple[str, ...], checks: tuple[Check, ...], domain: Domain) -> tuple[FieldFilter, ...]:
    """The filters in the order of the domain; where values come as rows, of the fields that have anything to filter."""
    found = []
    for name in domain.of_field or names:
        single = [check for check in checks if check.reads == (name,)]
        values = domain.of_field.get(name, _no_values)
        ranges = tuple(check.among for check in single if check.among is not None and check.among is not values)
        functions = tuple(check.function for check in single if check.among is None)
        if domain.of_field or ranges or functions:
            found.append(FieldFilter(names.index(name), values, ranges, functions))
    return tuple(found)


def _no_values(state: Any) -> Collection[Any]:
    return ()
