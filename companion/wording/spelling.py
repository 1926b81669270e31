"""Names in the forms in which they are compared, looked for and put into names of files.

What a person writes is one name however it is typed (`plain`: Zürich, zuerich), what looks the same is asked about
(`look_alike`), what is looked for is found without accents (`bare`: zurich).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache

_UNMARKED = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""letters that are no others with a mark"""
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def _plain(name: str) -> str:
    """A name in the form that is compared: lower case, umlauts and sharp s spelled out."""
    return unicodedata.normalize("NFC", name).casefold().translate(_SPELLED_OUT)


plain = lru_cache(maxsize=1 << 12)(_plain)
"""`_plain`, kept for the names of a game, which are compared over and over"""


def look_alike(name: str) -> str:
    """A name in the form in which it is compared with those it might be taken for: as `plain`, and without widths and
    styles of letters, ligatures and blanks that are more than one.
    """
    return " ".join(plain(unicodedata.normalize("NFKC", name)).split())


def bare(name: str) -> str:
    """A name in lower case without accents and strokes, as who has no such keys writes it."""
    letters = unicodedata.normalize("NFD", name.casefold()).translate(_UNMARKED)
    return "".join(each for each in letters if not unicodedata.combining(each))


def by_letters(name: str) -> tuple[str, str]:
    """What sorts names as people look them up: without accents, then with them."""
    return bare(name), name


def slug(text: str, joint: str) -> str:
    """The letters and digits of a text as a file's name or an id may hold them, with a joint between words; "" where
    it has none.
    """
    return re.sub(r"[^a-z0-9]+", joint, bare(text)).strip(joint)


def finding(sought: str) -> Callable[[str], bool]:
    """Whether a name holds what somebody looks for, with or without accents, or with umlauts spelled out.

    Nothing of the names is kept: there may be more of them than `plain` keeps for the games.
    """
    without, spelled = bare(sought), _plain(sought)
    return lambda name: without in bare(name) or spelled in _plain(name)


def found_parts(text: str, words: Iterable[str]) -> list[tuple[str, bool]]:
    """A text in parts, each with whether it is one of the words that were looked for, with or without accents."""
    letters = [(letter, at) for at, character in enumerate(text) for letter in bare(character)]
    sought = "|".join(re.escape(bare(word)) for word in sorted(words, key=len, reverse=True) if bare(word))
    parts, end = list[tuple[str, bool]](), 0
    for hit in re.finditer(sought, "".join(letter for letter, _at in letters)) if sought else ():
        begin, after = letters[hit.start()][1], letters[hit.end() - 1][1] + 1
        parts += [(text[end:begin], False), (text[begin:after], True)]
        end = after
    return [part for part in (*parts, (text[end:], False)) if part[0]]


def nearest(written: str, names: Iterable[str]) -> str:
    """The name that somebody may have meant who misspelt it; "" where none is near."""
    known = {bare(name): name for name in names}
    return next((known[each] for each in get_close_matches(bare(written), known, 1)), "")


def with_nearest(reason: str, written: str, names: Iterable[str]) -> str:
    """A reason that a name is none, and the name that may have been meant."""
    near = nearest(written, names)
    return f"{reason}; the nearest name is {near!r}" if near else reason


def spellings(names: Iterable[str]) -> Mapping[str, str]:
    """Plain spelling -> the name it is written by."""
    return {plain(name): name for name in names}
