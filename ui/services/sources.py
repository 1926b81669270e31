"""What the letters and numbers of sources stand for, in words for people who only play."""

from __future__ import annotations

import re

from companion.wording.sentences import translated
from ui.services.headings import HEADINGS
from ui.services.text import _, capitalised, language_in_use

ITALIAN = "it"
_RULE = re.compile(r"^[A-Z]+(?:-[A-Z0-9]+)+: ")
_ITALIAN, _FRENCH, _ENGLISH = re.compile(r"\bIT\b"), re.compile(r"\bFR\b"), re.compile(r"\bEN\b")
_OTHER = re.compile(r"\b(?:[A-Z][0-9]+)\b")


def source_title(source: str) -> str:
    """Where a rule stands, without its code and without what else confirms it; headings in the chosen language."""
    first = _RULE.sub("", source).partition(";")[0].strip()
    if not any(name.match(first) for name in (_ITALIAN, _FRENCH, _ENGLISH, _OTHER)):
        return _("No rulebook says it; this is how it is played here")
    if other := _OTHER.match(first):
        what = first[other.end() :].strip(",: ") or _("another source")
        return _("{what} (not from a rulebook)").format(what=capitalised(what))
    return spelled_sources(", ".join(_heading(part) for part in first.split(", ")))


def _heading(part: str) -> str:
    if part not in HEADINGS or language_in_use() == ITALIAN:  # where it is looked up as it is printed
        return part
    return translated(HEADINGS[part], _)


def spelled_sources(text: str) -> str:
    """A text with the names of sources in place of their letters and numbers."""
    text = _FRENCH.sub(_("French rulebook"), _ITALIAN.sub(_("Italian rulebook"), text))
    text = _ENGLISH.sub(_("English rulebook"), text)
    return _OTHER.sub(_("another source"), text)
