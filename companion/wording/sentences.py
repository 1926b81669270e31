"""What devices say to people: English sentences that a screen can translate.

Cameras and boxes know no language but English and no screen. A sentence is therefore a text that remembers the message
it was made from and the values in it; gettext finds the messages as the first argument of `sentence`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType


class Sentence(str):
    """An English text that remembers its message (a gettext id with names in braces) and the values filled in."""

    __slots__ = ("message", "values")

    message: str
    values: Mapping[str, object]

    def __reduce__(self) -> tuple[Callable[..., Sentence], tuple[str, dict[str, object]]]:
        """Pickled to another process, it stays a sentence."""
        return _made, (self.message, dict(self.values))

    def translated(self, translate: Callable[[str], str]) -> str:
        """The text in another language; sentences inside are translated too."""
        values = {
            name: value.translated(translate) if isinstance(value, Sentence) else value
            for name, value in self.values.items()
        }
        return translate(self.message).format_map(values)


def sentence(message: str, **values: object) -> Sentence:
    """The sentence that fills these values into a message."""
    return _made(message, values)


def _made(message: str, values: Mapping[str, object]) -> Sentence:
    made = Sentence(message.format_map(values))
    made.message, made.values = message, MappingProxyType(dict(values))
    return made


def translated(text: str, translate: Callable[[str], str]) -> str:
    """A text in another language if it is a sentence; else as it is, such as the words of an operating system."""
    return text.translated(translate) if isinstance(text, Sentence) else text
