"""Headings of a printed rulebook, as the sources of its rules name them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache


def with_headings(source: str, headings: Mapping[str, str]) -> str:
    """A source with other words for the headings that it names whole, each after a comma or a semicolon. A heading may
    itself have a comma, and begin as another does.
    """
    return _naming(tuple(headings)).sub(lambda found: headings[found[0]], source)


def headings_in(source: str, headings: Collection[str]) -> list[str]:
    """Those of the headings that a source names whole, as `with_headings` finds them."""
    return _naming(tuple(headings)).findall(source)


@lru_cache(maxsize=16)
def _naming(headings: tuple[str, ...]) -> re.Pattern[str]:
    """What finds the headings of one rulebook; of two that begin alike the longer one is tried first."""
    names = "|".join(map(re.escape, sorted(headings, key=len, reverse=True))) or "(?!)"
    return re.compile(rf"(?<=[,;] )(?:{names})(?=[,;:]|$)")
