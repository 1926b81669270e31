"""How an action is written: one line, by a form that its class states once; and how such a line is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, ClassVar, cast

from companion.errors import InvalidNotation

LONGEST = 200


class Notated:
    """Base of the action classes: `form` is the notation with the fields in braces, as in `take {card}`.

    A tuple is written as its parts, a flag as its name where it is set: `close {option} {cartwright}`.
    """

    __slots__ = ()
    form: ClassVar[str]
    site_forms: ClassVar[tuple[str, ...]] = ()
    """the ids of the board sites that the action names, with the fields in braces, as in `city/{card}`"""

    @property
    def kind(self) -> str:
        """The name of the class, as texts and JSON documents call the kind of action."""
        return type(self).__name__

    @property
    def sites(self) -> tuple[str, ...]:
        """The ids of the board sites that the action names."""
        return tuple(form.format_map(_Fields(self)) for form in self.site_forms)

    @property
    def text(self) -> str:
        """The action in the game's notation; parsing it gives the same action."""
        values = {name: _written(name, getattr(self, name)) for name in _field_names(cast(Any, type(self)))}
        return " ".join(self.form.format_map(values).split())


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(cast(Any, kind)))


class _Fields(dict[str, Any]):
    """The fields of an action, by name."""

    def __init__(self, action: object) -> None:
        super().__init__()
        self._action = action

    def __missing__(self, name: str) -> Any:
        return getattr(self._action, name)


def _written(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else ""
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def read_action(
    text: str, example: str, forms: Mapping[str, str], read: Callable[[str, list[str]], object | None]
) -> object:
    """Read one line of notation; `read` gets the first word in lower case and the others, and gives None for a wrong
    form.

    `forms` maps a first word, up to a hyphen, to its form for messages. Raises InvalidNotation, as `read` may with a
    reason.
    """
    words = text.split()
    if not words or len(text) > LONGEST:
        raise InvalidNotation(f"an action is one line such as {example}")
    word = words[0].lower()
    form = forms.get(word.partition("-")[0])
    if form is None:
        raise InvalidNotation(f"{text!r} is no action: it must begin with one of {', '.join(forms)}")
    try:
        action = read(word, words[1:])
    except InvalidNotation as error:
        raise InvalidNotation(f"{text!r} is no action: {error}") from None
    if action is None:
        raise InvalidNotation(f"{text!r} is no action: the form is {form}")
    return action
