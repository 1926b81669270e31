"""How an action is written: one line, by a form that its class states once."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar, cast


class Notated:
    """Base of the action classes: `form` is the notation with the fields in braces, as in `take {card}`.

    A tuple is written as its parts, a flag as its name where it is set: `close {option} {cartwright}`.
    """

    __slots__ = ()
    form: ClassVar[str]

    @property
    def text(self) -> str:
        """The action in the game's notation; parsing it gives the same action."""
        names = [field.name for field in fields(cast(Any, self))]
        values = {name: _written(name, getattr(self, name)) for name in names}
        return " ".join(self.form.format_map(values).split())


def _written(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else ""
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
