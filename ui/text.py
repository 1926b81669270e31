"""The program's own words in the language chosen at run time; the source texts are English.

Catalogues are `locale/<language>/LC_MESSAGES/companion.mo`. A game's sentences are in its `texts.toml`.
"""

from __future__ import annotations

import gettext
from pathlib import Path

DOMAIN = "companion"
LOCALE_FOLDER = Path(__file__).parent / "locale"

_catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(code: str) -> None:
    """Translate from now on into a language ("it", "de_AT"); English where there is no catalogue for it."""
    global _catalogue  # noqa: PLW0603  # gettext is process-wide by nature
    _catalogue = gettext.translation(DOMAIN, LOCALE_FOLDER, [code], fallback=True)


def _(text: str) -> str:
    """`text` in the chosen language."""
    return _catalogue.gettext(text)


def plural(one: str, many: str, count: int) -> str:
    """The form of a text that goes with `count`."""
    return _catalogue.ngettext(one, many, count)
