"""Immutable values made fast: dataclasses, their changed copies, a hashable mapping, and equal values made once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from typing import Any, NoReturn, TypeVar, dataclass_transform

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

MOST_INTERNED = 1 << 16
_new, _set = object.__new__, object.__setattr__


@dataclass_transform(frozen_default=True)
def frozen(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass with slots, as `dataclass(frozen=True, slots=True)` does, that is made faster.

    What `dataclass` generates finds each slot anew by its name; this constructor writes the slots, which takes a third
    of the time. Fields may have defaults, but nothing else that `dataclasses.field` offers.

    Raises TypeError for a class with other fields or with `__post_init__`.
    """
    made: Any = dataclass(frozen=True, slots=True)(cls)
    if hasattr(made, "__post_init__"):
        raise TypeError(f"{cls.__name__} has __post_init__, which this constructor does not call; use dataclass")
    parameters, lines, names = ["self"], ["pass"], dict[str, Any]()
    for field in fields(made):
        if not field.init or field.kw_only or field.default_factory is not MISSING:
            raise TypeError(f"{cls.__name__}.{field.name} is no field of a plain constructor; use dataclass")
        names |= {f"write_{field.name}": getattr(made, field.name).__set__, f"default_{field.name}": field.default}
        parameters.append(field.name if field.default is MISSING else f"{field.name}=default_{field.name}")
        lines.append(f"write_{field.name}(self, {field.name})")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines), names)  # noqa: S102  # as dataclass does
    made.__init__ = names["__init__"]
    kind: type[T] = made
    return kind


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
    """A copy of a frozen dataclass, some fields changed: without slots at a fraction of the cost of `replace`.

    It runs no `__post_init__`. Every action makes a few copies of a position's parts, which was half the time of
    applying one; copying a dictionary is several times faster than writing slots one by one.
    """
    try:
        fields = value.__dict__
    except AttributeError:
        return replace(value, **changes)  # type: ignore[type-var]
    copy: T = _new(value.__class__)
    _set(copy, "__dict__", fields | changes)
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
