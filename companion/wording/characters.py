"""Characters that a text from outside must not hold where it is shown: controls, and those that turn its direction."""

from __future__ import annotations

import re
import unicodedata

_JOINER, _NON_JOINER = "\N{ZERO WIDTH JOINER}", "\N{ZERO WIDTH NON-JOINER}"
_PICTOGRAPHS = range(0x1F000, 0x1FC00)
"""where emoji are and will be added: newer ones than Python's tables know are no controls"""
_VIRAMA = 9
"""the combining class of the signs that bind consonants of Indian scripts"""
_FLAG = re.compile("\N{WAVING BLACK FLAG}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{2,6}\U000e007f")
"""the flag of a part of a country, such as England's: letters that nobody sees follow a black flag"""


def is_plain_text(text: str) -> bool:
    """Whether a text is one line without control, direction and other invisible characters; joined emoji are fine."""
    text = _FLAG.sub("", text)
    return all(_is_plain(text, at) for at in range(len(text)))


def without_controls(text: str) -> str:
    """A text on one line with each control, direction and other invisible character replaced by a visible mark."""
    flags = (match.span() for match in _FLAG.finditer(text))
    spared = {at for begin, end in flags for at in range(begin, end)}
    return "".join(
        character if at in spared or _is_plain(text, at) else "\N{REPLACEMENT CHARACTER}"
        for at, character in enumerate(text)
    )


def with_plain_blanks(text: str) -> str:
    """A text with plain blanks for those that look alike: such as do not break, and narrow, wide and thin ones."""
    return "".join(" " if unicodedata.category(character) == "Zs" else character for character in text)


def _is_plain(text: str, at: int) -> bool:
    return text[at].isprintable() or ord(text[at]) in _PICTOGRAPHS or _joins(text, at)


def _joins(text: str, at: int) -> bool:
    """Whether the character is a joiner where it has work to do: between emoji, as in those of families, after the
    sign that binds consonants of Indian scripts, or, keeping them apart, between Arabic letters.
    """
    if text[at] not in (_JOINER, _NON_JOINER) or not 0 < at < len(text) - 1:
        return False
    before, after = text[at - 1], text[at + 1]
    if unicodedata.combining(before) == _VIRAMA:
        return unicodedata.category(after) == "Lo"
    if text[at] == _NON_JOINER:
        return unicodedata.bidirectional(before) == unicodedata.bidirectional(after) == "AL"
    return (_is_pictograph(before) or unicodedata.category(before) in ("Sk", "Mn")) and _is_pictograph(after)


def _is_pictograph(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sm") or ord(character) in _PICTOGRAPHS
