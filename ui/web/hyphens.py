"""Where long words of pages may be parted, for browsers that know no hyphenation of the language in use."""

from __future__ import annotations

import re
from functools import lru_cache

from ui.services.text import language_in_use
from ui.web.markup import Html

SOFT_HYPHEN = "\u00ad"
PARTED = {
    "de": (
        "Aktions-scheibe", "Amts-plättchen", "Aquä-dukt-teil", "Audienz-plättchen", "Bau-meister", "Bonus-plättchen",
        "Brücken-felder", "Brücken-plättchen", "Doppel-kurve", "Geneh-migung", "Gleich-stands-regel", "Magis-trat",
        "Nachzieh-stapel", "Schatz-kammer", "Schluss-plättchen", "Sieg-punkt-chip", "Stock-werk-karte", "Tiber-insel",
        "Verstei-gerung", "Zurück-legen", "Zurück-nehmen", "Zwischen-stand", "drei-eckig", "zurück-rufen",
    ),
}  # fmt: skip
"""language -> words and beginnings of words that a column of a narrow phone does not hold, as they may be parted"""
_TEXT = re.compile(r">[^<]+</(?!select)")
"""what an element holds to its end; not what can be selected, which has room of its own"""


def with_soft_hyphens(html: Html) -> Html:
    """HTML whose texts, and nothing else of it, part such words where a line does not hold them."""
    words = _words(language_in_use())
    if words is None:
        return html
    pattern, parted = words
    return Html(_TEXT.sub(lambda text: pattern.sub(lambda word: parted[word[0]], text[0]), html))


@lru_cache
def _words(language: str) -> tuple[re.Pattern[str], dict[str, str]] | None:
    listed = PARTED.get(language)
    if listed is None:
        return None
    parted = {word.replace("-", ""): word.replace("-", SOFT_HYPHEN) for word in listed}
    return re.compile("|".join(map(re.escape, sorted(parted, key=len, reverse=True)))), parted
