"""MQTT topic filters that include one another: a broker may deliver a message once for each filter that fits it."""

from __future__ import annotations

from collections.abc import Iterable


def without_included(filters: Iterable[str]) -> list[str]:
    """Each filter once, without those that another one of them includes."""
    unique = list(dict.fromkeys(filters))
    return [one for one in unique if not is_included(one, (other for other in unique if other != one))]


def is_included(one: str, others: Iterable[str]) -> bool:
    """Whether every topic that a filter fits is also fitted by one of the others."""
    return any(_includes(other.split("/"), one.split("/")) for other in others)


def _includes(wide: list[str], narrow: list[str]) -> bool:
    for index, level in enumerate(wide):
        if level == "#":
            return True
        if index >= len(narrow) or narrow[index] == "#" or level not in ("+", narrow[index]):
            return False
    return len(wide) == len(narrow)
