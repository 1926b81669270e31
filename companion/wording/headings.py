"""Headings of a printed rulebook, as the sources of its rules name them."""

from __future__ import annotations

import re
from collections.abc import Mapping


def with_headings(source: str, headings: Mapping[str, str]) -> str:
    """A source with other words for the headings that it names whole, each after a comma or a semicolon. A heading may
    itself have a comma, and begin as another does.
    """
    if not headings:
        return source
    names = "|".join(map(re.escape, sorted(headings, key=len, reverse=True)))
    return re.sub(rf"(?<=[,;] )(?:{names})(?=[,;:]|$)", lambda found: headings[found[0]], source)
