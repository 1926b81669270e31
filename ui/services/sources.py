"""What the letters and numbers of sources stand for, in words for people who only play."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.wording.headings import with_headings
from ui.services.text import _, capitalised, language_in_use

ITALIAN = "it"
_ITALIAN, _FRENCH, _ENGLISH = re.compile(r"\bIT\b"), re.compile(r"\bFR\b"), re.compile(r"\bEN\b")
_OTHER = re.compile(r"\b(?:[A-Z][0-9]+)\b")


def source_title(source: str, headings: Mapping[str, str]) -> str:
    """Where a rule stands without what else confirms it; `headings` of the rulebook, as `Rulebook` has them, in the
    chosen language. In Italian they stay as they are printed, for there they are looked up.
    """
    first = source.partition(";")[0].strip()
    if not any(name.match(first) for name in (_ITALIAN, _FRENCH, _ENGLISH, _OTHER)):
        return _("No rulebook says it; this is how it is played here")
    if other := _OTHER.match(first):
        what = first[other.end() :].strip(",: ") or _("another source")
        return _("{what} (not from a rulebook)").format(what=capitalised(what))
    if language_in_use() != ITALIAN:
        first = with_headings(first, {printed: _(said) for printed, said in headings.items()})
    return spelled_sources(first)


def spelled_sources(text: str) -> str:
    """A text with the names of sources in place of their letters and numbers."""
    text = _FRENCH.sub(_("French rulebook"), _ITALIAN.sub(_("Italian rulebook"), text))
    text = _ENGLISH.sub(_("English rulebook"), text)
    return _OTHER.sub(_("another source"), text)
