"""Immutable values made fast: a hashable mapping, a changed copy of a frozen dataclass, and equal values made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

MOST_INTERNED = 1 << 16
_new, _set = object.__new__, object.__setattr__


class FrozenDict(dict[K, V]):
    """A mapping that never changes; `put`, `put_all`, `drop` and `without` give changed copies."""

    __slots__ = ("_hash",)
    _hash: int

    def put(self, key: K, value: V) -> FrozenDict[K, V]:
        """A copy in which `key` has `value`."""
        copy = FrozenDict(self)
        dict.__setitem__(copy, key, value)
        return copy

    def put_all(self, items: Mapping[K, V]) -> FrozenDict[K, V]:
        """A copy in which the keys of `items` have the values of `items`."""
        copy = FrozenDict(self)
        dict.update(copy, items)
        return copy

    def drop(self, key: K) -> FrozenDict[K, V]:
        """A copy without `key`; raises KeyError where it is missing."""
        copy = FrozenDict(self)
        dict.__delitem__(copy, key)
        return copy

    def without(self, keys: Iterable[K]) -> FrozenDict[K, V]:
        """A copy without those of these keys that are there."""
        copy = FrozenDict(self)
        for key in keys:
            dict.pop(copy, key, None)
        return copy

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a FrozenDict cannot be changed; use put(), put_all(), drop() or without()")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = _refuse

    def __ior__(self, other: Mapping[Any, Any] | Iterable[Any]) -> NoReturn:  # type: ignore[override,misc]
        self._refuse(other)

    def __reduce__(self) -> tuple[type[FrozenDict[K, V]], tuple[dict[K, V]]]:
        return FrozenDict, (dict(self),)


def changed(value: T, **changes: Any) -> T:
    """A copy of a frozen dataclass without slots, some fields changed: a fraction of the cost of `dataclasses.replace`.

    It runs no `__post_init__`. Every action makes a few copies of a position's parts, which was half the time of
    applying one; copying a dictionary is several times faster than writing slots one by one.
    """
    copy: T = _new(value.__class__)
    _set(copy, "__dict__", value.__dict__ | changes)
    return copy


class Interned(dict[Any, Any]):
    """Key -> the value that `make` makes of it, always the same object, for lists that repeat the same values.

    It forgets all of them when it has `most`.
    """

    __slots__ = ("_make", "_most")

    def __init__(self, make: Callable[[Any], Any], most: int = MOST_INTERNED) -> None:
        self._make, self._most = make, most

    def __missing__(self, key: Any) -> Any:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._make(key)
        return value
