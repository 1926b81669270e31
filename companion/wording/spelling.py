"""Compares names regardless of capitals and of how umlauts are typed (Zürich, zuerich)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

_UNMARKED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""letters that are no others with a mark"""
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


@lru_cache(maxsize=1 << 12)
def plain(name: str) -> str:
    """A name in the form that is compared: lower case, umlauts and sharp s spelled out."""
    return unicodedata.normalize("NFC", name).casefold().translate(_SPELLED_OUT)


def look_alike(name: str) -> str:
    """A name in the form in which it is compared with those it might be taken for: as `plain`, and without widths and
    styles of letters, ligatures and blanks that are more than one.
    """
    return " ".join(plain(unicodedata.normalize("NFKC", name)).split())


@lru_cache(maxsize=1 << 12)
def bare(name: str) -> str:
    """A name in lower case without accents and strokes, as who has no such keys writes it."""
    letters = unicodedata.normalize("NFD", name.casefold()).translate(_UNMARKED)
    return "".join(each for each in letters if not unicodedata.combining(each))


def by_letters(name: str) -> tuple[str, str]:
    """What sorts names as people look them up: without accents, then with them."""
    return bare(name), name


def holds(name: str, sought: str) -> bool:
    """Whether a name holds what somebody looks for, with or without accents, or with umlauts spelled out."""
    return bare(sought) in bare(name) or plain(sought) in plain(name)


def spellings(names: Iterable[str]) -> Mapping[str, str]:
    """Plain spelling -> the name it is written by."""
    return {plain(name): name for name in names}
