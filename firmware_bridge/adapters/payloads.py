"""What a payload of a device holds: entries at the end of a path of keys."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

MOST_EVENTS = 100
"""Events read of one message."""
BUTTON = "{button}"


def found_at(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[Any, int | None]]:
    """What is at the end of a path, with the button's number where a key on the way gives it."""
    for index, key in enumerate(path):
        if BUTTON in key or key == "*":
            before, after = key.split(BUTTON, 1) if BUTTON in key else ("", "")
            parent = at_path(values, path[:index])
            for name in list(parent)[:MOST_EVENTS] if isinstance(parent, Mapping) else ():
                number = name[len(before) : len(name) - len(after)]
                if key == "*":
                    yield at_path(parent[name], path[index + 1 :]), None
                elif name == f"{before}{number}{after}" and re.fullmatch(r"\d{1,2}", number, re.ASCII):
                    yield at_path(parent[name], path[index + 1 :]), int(number)
            return
    yield at_path(values, path), None


def json_value(payload: str | bytes) -> Any:
    """What a JSON payload holds, None for one that does not hold."""
    try:
        return json.loads(payload)
    except (ValueError, RecursionError):
        return None


def whole_number(value: object) -> int | None:
    """A whole number; some gateways write it as a text."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,10}", value, re.ASCII):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def at_path(value: Any, path: tuple[str, ...]) -> Any:
    """What is at the end of a path of keys and places in lists; None where there is no such entry."""
    for key in path:
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
