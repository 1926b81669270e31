"""Bullets and numbers in front of names, as people write them in lists and word processors put them."""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Sequence

_POINTS = frozenset("*•·‣⁃・")
_APART = frozenset("-‐‑–—―−+<>»›~|")
"""characters that are a bullet only with a blank behind"""
_EMOJI = "\U0001f000"
"""the first of the pictures, which are parts of names"""
_BOX = re.compile(r"\[[ xX✓✔✗]?\]")
_DIGITS = r"\(?#?\d{1,4}[.):]{1,2}|\[\d{1,4}\]"
_CIRCLED = "\u2460-\u249b\u24ea-\u24ff\u2776-\u2793"
_NUMBER = re.compile(
    rf"\s*(?:(?:{_DIGITS}|\(?(?:[a-zA-Z]|[ivxlc]+|[IVXLC]+)\)|\d{{1,4}}\s?[-–—])\s+(?=\S)"
    rf"|(?:{_DIGITS})(?=[^\W\d])|[{_CIRCLED}]\s*(?=\S))"
)
_BARE_NUMBER = re.compile(r"\s*(\d{1,4})\s+(?=[^\W\d])")
"""a number before a name, which is one of the list only where it is that of its line"""
_LETTERS = re.compile(r"\s*([a-z]|[ivxlc]+|[IVXLC]+)\.\s+(?=\S)")
"""a letter or a roman number, which may be the initial of a name as well"""
_LOOSE_DASH = re.compile(r"\s*[-–—](?=[^\W\d])")
"""a dash right before a name, which is a bullet only among lines with marks"""
_ROMAN = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def mark_ends(lines: Sequence[str]) -> list[int]:
    """How many characters of each line are a bullet or a number with the blanks behind it; 0 where there is none."""
    ends = [_end(line, at) for at, line in enumerate(lines)]
    for before in (0, 1):  # lines before the first that is counted
        lettered = {at: end for at, line in enumerate(lines) if (end := _lettered_end(line, at + 1 - before))}
        if len(lettered) > 1:
            return [end or lettered.get(at, 0) for at, end in enumerate(ends)]
    return ends


def are_most(ends: Sequence[int]) -> bool:
    """Whether most lines have a mark, so that marks are none of the names."""
    return 2 * sum(end > 0 for end in ends) > len(ends)


def loose_dash(line: str) -> int:
    """How many characters of a line are a dash right before a name."""
    found = _LOOSE_DASH.match(line)
    return found.end() if found else 0


def are_counted(lines: Sequence[str]) -> bool:
    """Whether each line begins with a number, one more than that before."""
    found = [re.match(r"\D{0,3}(\d{1,4})", line) for line in lines]
    numbers = [int(each[1]) for each in found if each]
    first = numbers[0] if numbers else 0
    return numbers == [*range(first, first + len(lines))]


def without_tabbed_marks(text: str) -> str:
    """A text without marks where most lines have one with a tab behind it, as word processors write lists."""
    lines = list(io.StringIO(text, newline=""))
    written = [at for at, line in enumerate(lines) if line.strip()]
    ends = mark_ends([lines[at] for at in written])
    if not are_most([end if "\t" in lines[at][:end] else 0 for at, end in zip(written, ends, strict=True)]):
        return text
    for at, end in zip(written, ends, strict=True):
        lines[at] = lines[at][end:]
    return "".join(lines)


def _end(line: str, at: int) -> int:
    """How many characters of a line are its mark, which may be a number behind a bullet; `at` counts lines from 0."""
    end = _bullets_end(line, 0)
    if number := _NUMBER.match(line, end):
        return _bullets_end(line, number.end())
    if end:
        return end
    counted = _BARE_NUMBER.match(line)
    return counted.end() if counted is not None and int(counted[1]) in (at, at + 1) else 0


def _bullets_end(line: str, begin: int) -> int:
    while (end := _bullet_end(line, begin)) > begin:
        begin = end
    return begin


def _bullet_end(line: str, begin: int) -> int:
    """Where the name after a bullet begins; `begin` itself where there is no bullet."""
    first = len(line) - len(line[begin:].lstrip())
    box = _BOX.match(line, first)
    if not box and not _is_bullet(line[first : first + 1]) and not line.startswith("o\t", first):
        return begin
    behind = line[box.end() if box else first + 1 :].removeprefix("\N{VARIATION SELECTOR-16}")
    name = behind.lstrip()
    is_apart = len(name) < len(behind)
    if not name or (not is_apart and (line[first] in _APART or not name[0].isalpha())):
        return begin
    return len(line) - len(name)


def _is_bullet(character: str) -> bool:
    """Whether a character is a point, a dash, a shape, an arrow, or a private one, as fonts of symbols have them."""
    if not character or character == "=" or character >= _EMOJI:
        return False
    return character in _POINTS | _APART or unicodedata.category(character) in ("So", "Sm", "Co")


def _lettered_end(line: str, number: int) -> int:
    found = _LETTERS.match(line)
    if found is None or number < 1:
        return 0
    is_it = found[1].lower() == _roman(number) or (number <= 26 and found[1] == chr(ord("a") - 1 + number))
    return found.end() if is_it else 0


def _roman(number: int) -> str:
    written = ""
    for value, letters in _ROMAN:
        written += letters * (number // value)
        number %= value
    return written
