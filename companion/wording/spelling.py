"""Compares names regardless of capitals and of how umlauts are typed (Zürich, zuerich)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

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


def by_letters(name: str) -> tuple[str, str]:
    """What sorts names as people look them up: without accents, then with them."""
    bare = "".join(each for each in unicodedata.normalize("NFD", name.casefold()) if not unicodedata.combining(each))
    return bare, name


def spellings(names: Iterable[str]) -> Mapping[str, str]:
    """Plain spelling -> the name it is written by."""
    return {plain(name): name for name in names}
