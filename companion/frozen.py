"""An immutable, hashable mapping with the speed of a dict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class FrozenDict(dict[K, V]):
    """A mapping that never changes; `put` and `drop` give changed copies."""

    __slots__ = ("_hash",)
    _hash: int

    def put(self, key: K, value: V) -> FrozenDict[K, V]:
        """A copy in which `key` has `value`."""
        copy = dict(self)
        copy[key] = value
        return FrozenDict(copy)

    def drop(self, key: K) -> FrozenDict[K, V]:
        """A copy without `key`; raises KeyError where it is missing."""
        copy = dict(self)
        del copy[key]
        return FrozenDict(copy)

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(frozenset(self.items()))
            return self._hash

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a FrozenDict cannot be changed; use put() or drop()")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = _refuse

    def __ior__(self, other: Mapping[Any, Any] | Iterable[Any]) -> NoReturn:  # type: ignore[override,misc]
        self._refuse(other)

    def __reduce__(self) -> tuple[type[FrozenDict[K, V]], tuple[dict[K, V]]]:
        return FrozenDict, (dict(self),)
