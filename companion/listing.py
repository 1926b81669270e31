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

    @property
    def narrowed(self) -> Values:
        """Gives the values of the field in a state, without those that a range or a check of it alone forbids."""
        values, allowed = self.values, self.allowed
        return (lambda state: allowed(state, values(state))) if self.ranges or self.checks else values

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


Lister = Callable[[Any], Iterable[Any]]
"""gives the legal actions of one kind in a state, in a fixed order"""


@dataclass(frozen=True, slots=True)
class Listing:
    """How the actions of one kind are listed, worked out once."""

    each_action: Lister
    """the legal actions of this kind, to be added to a list of several kinds without a list of their own"""

    def actions(self, state: Any) -> list[Any]:
        """The legal actions of this kind, in a fixed order."""
        return list(self.each_action(state))


def listing(kind: type, checks: Iterable[Check], domain: Domain) -> Listing:
    """Sort the checks of a kind by the fields they read; those of few kinds first, for they forbid most often.

    Left out are those that only the step decides, those whose violations are never certain, and those the domain keeps.
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
    field_filters = _field_filters(names, checks, domain)
    joint_filters = tuple(
        JointFilter(None if reads == names else itemgetter(*map(names.index, reads)), tuple(functions))
        for reads, functions in joint.items()
    )
    if domain.joint_values is not None:
        lister = _of_rows(kind, domain.joint_values, field_filters, joint_filters)
    elif len(names) > 1:
        order = map(list(domain.of_field or names).index, names)
        lister = _of_columns(kind, field_filters, joint_filters, itemgetter(*order))
    elif names:
        lister = _of_values(kind, *field_filters)
    else:
        lister = _always(kind)
    return Listing(_unless(tuple(check.function for check in unconditional), lister))


def _unless(checks: tuple[CheckFunction, ...], lister: Lister) -> Lister:
    """Lists nothing where one of these checks, which read no field, forbids the kind."""

    def listed(state: Any) -> Iterable[Any]:
        for function in checks:
            if (found := function(state)) is not None and found.certain:
                return ()
        return lister(state)

    return listed if checks else lister


def _always(kind: type) -> Lister:
    """Lists the one action of a kind without fields."""
    actions = (kind(),)
    return lambda state: actions


def _of_values(kind: type, only: FieldFilter) -> Lister:
    """Lists the actions of a kind with one field."""
    action_of = Interned(kind).__getitem__
    values = only.narrowed
    return lambda state: map(action_of, values(state))


def _of_rows(
    kind: type, joint_values: Lister, field_filters: tuple[FieldFilter, ...], joint_filters: tuple[JointFilter, ...]
) -> Lister:
    """Lists the actions of a kind whose fields get their values together."""
    action_of = Interned(lambda row: kind(*row)).__getitem__

    def listed(state: Any) -> Iterable[Any]:
        rows = joint_values(state)
        for each in field_filters:
            rows, index = list(rows), each.index
            values = {row[index] for row in rows}
            allowed = set(each.allowed(state, values))
            if len(allowed) < len(values):
                rows = [row for row in rows if row[index] in allowed]
        for joint in joint_filters:
            rows = joint.allowed(state, rows)
        return map(action_of, rows)

    return listed


def _of_columns(
    kind: type,
    field_filters: tuple[FieldFilter, ...],
    joint_filters: tuple[JointFilter, ...],
    in_field_order: Callable[[list[Collection[Any]]], tuple[Collection[Any], ...]],
) -> Lister:
    """Lists the actions of a kind with several fields: all combinations of values that no joint filter forbids."""
    action_of = Interned(lambda row: kind(*row))
    blocks = Interned(
        lambda others: Interned(lambda first: [action_of[first, *rest] for rest in product(*others)]), MOST_BLOCKS
    )
    """the values of all fields but the first -> the value of the first one -> the actions with these values"""
    pairs = Interned(lambda first: Interned(lambda second: action_of[first, second]))
    """the value of the first of two fields -> that of the second one -> the action"""
    columns_of = [each.narrowed for each in field_filters]

    def listed(state: Any) -> Iterable[Any]:
        columns: list[Collection[Any]] = []
        for narrowed in columns_of:
            values = narrowed(state)
            if not values:
                return ()
            columns.append(values)
        first, *others = in_field_order(columns)
        if not joint_filters:
            if len(first) > 1 and prod(map(len, others)) <= LONGEST_BLOCK:
                found: list[Any] = []
                for block in map(blocks[tuple(map(tuple, others))].__getitem__, first):
                    found += block
                return found
            if len(others) == 1:
                return chain.from_iterable([map(pairs[value].__getitem__, others[0]) for value in first])
        rows: Iterable[Row] = product(first, *others)
        for joint in joint_filters:
            rows = joint.allowed(state, rows)
        return map(action_of.__getitem__, rows)

    return listed


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
