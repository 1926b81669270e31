"""What is wrong, in a few words: of a long message the cause stays, and where it happened is left out."""

from __future__ import annotations

import re

_GAP = "…"
_SHORTEST_CAUSE = 12
"""letters; where a long name leaves fewer, its own middle is left out"""
_BRACKETED = re.compile(r"([^(:]*\()(.*)(\))", re.DOTALL)
_NAMED = re.compile(r"([^:]*: )(.*)()", re.DOTALL)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s")
_CLAUSE = re.compile(r"[;,.?!] ")


def brief(text: str, longest: int) -> str:
    """A message like "name: place: cause; cure" or "state (place: cause; cure)" in at most `longest` letters.

    Places go first, then what comes after the cause, at last the end of the cause.
    """
    if len(text) <= longest:
        return text
    matched = _BRACKETED.fullmatch(text) or _NAMED.fullmatch(text)
    head, body, tail = matched.groups() if matched is not None else ("", text, "")
    room = longest - len(head) - len(tail)
    whole = body
    while ": " in body and len(body) > room - (0 if body == whole else len(_GAP) + 1):
        body = body.partition(": ")[2]
    body = body if body == whole else f"{_GAP} {body}"
    if len(body) > room >= _SHORTEST_CAUSE:
        body = _beginning(body, room)
    return f"{head}{body}{tail}" if len(body) <= room else _without_middle(text, longest)


def first_sentence(text: str) -> str:
    """A text up to the end of its first sentence."""
    return _SENTENCE_END.split(text, maxsplit=1)[0]


def _beginning(text: str, longest: int) -> str:
    """As many whole clauses as there is room for, else as many words, else letters."""
    room = longest - len(_GAP) - 1
    ends = [found.start() for found in _CLAUSE.finditer(text) if 0 < found.start() <= room]
    if ends:
        return f"{text[: ends[-1]]} {_GAP}"
    start = len(_GAP) + 1 if text.startswith(f"{_GAP} ") else 0
    end = text.rfind(" ", start, room + 1)
    return f"{text[:end]} {_GAP}" if end > 0 else f"{text[: longest - len(_GAP)]}{_GAP}"


def _without_middle(text: str, longest: int) -> str:
    tail = longest // 2
    return f"{text[: longest - tail - len(_GAP)]}{_GAP}{text[-tail:]}"
