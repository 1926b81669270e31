"""Characters that a text from outside must not hold where it is shown: controls, and those that turn its direction."""

from __future__ import annotations

import unicodedata

_JOINER = "\N{ZERO WIDTH JOINER}"


def is_plain_text(text: str) -> bool:
    """Whether a text is one line without control, direction and other invisible characters; joined emoji are fine."""
    return all(character.isprintable() or _joins(text, at) for at, character in enumerate(text))


def without_controls(text: str) -> str:
    """A text on one line with each control, direction and other invisible character replaced by a visible mark."""
    return "".join(
        character if character.isprintable() or _joins(text, at) else "\N{REPLACEMENT CHARACTER}"
        for at, character in enumerate(text)
    )


def with_plain_blanks(text: str) -> str:
    """A text with plain blanks for those that look alike: such as do not break, and narrow, wide and thin ones."""
    return "".join(" " if unicodedata.category(character) == "Zs" else character for character in text)


def _joins(text: str, at: int) -> bool:
    """Whether the character is a joiner between two emoji, as in those of families."""
    if text[at] != _JOINER or not 0 < at < len(text) - 1:
        return False
    before, after = (unicodedata.category(text[k]) for k in (at - 1, at + 1))
    return before in ("So", "Sk", "Mn") and after == "So"
