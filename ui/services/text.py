"""The program's own words in the language chosen at run time; the source texts are English.

Catalogues are `locale/<language>/LC_MESSAGES/<domain>.mo`, made from the `.po` files next to them by
`scripts/catalogues.py`: the screens' words, the games' texts and their rules. What a catalogue lacks stays English.
"""

from __future__ import annotations

import gettext
import os
from pathlib import Path

from companion.engine import GameInfo
from companion.registry import known_games
from companion.wording.sentences import translated
from companion.wording.texts import GameTexts, game_texts

DOMAINS = ("companion", "games", "rules")
LOCALE_FOLDER = Path(__file__).parent.parent / "locale"
LANGUAGES = {"en": "English", "it": "Italiano", "de": "Deutsch"}
"""code -> the language's own name"""

_catalogue: gettext.NullTranslations = gettext.NullTranslations()
_language = "en"


def use_language(code: str) -> None:
    """Translate from now on into a language ("it", "de_AT"); "" is the machine's; English where none is known."""
    global _catalogue, _language  # noqa: PLW0603  # gettext is process-wide by nature
    code = code or system_language()
    _language = code.partition("_")[0]
    _catalogue = gettext.translation(DOMAINS[0], LOCALE_FOLDER, [code], fallback=True)
    for domain in DOMAINS[1:]:
        _catalogue.add_fallback(gettext.translation(domain, LOCALE_FOLDER, [code], fallback=True))


def language_in_use() -> str:
    """The code of the chosen language, without a country."""
    return _language if _language in LANGUAGES else "en"


def system_language() -> str:
    """The machine's language ("de_AT"); English if it names none."""
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return named.partition(".")[0] or "en"


def _(text: str) -> str:
    """`text` in the chosen language."""
    return _catalogue.gettext(text) if text else ""


def error_text(error: Exception) -> str:
    """The message of an error, in the chosen language if it is a translatable sentence."""
    told = getattr(error, "sentence", error.args[0] if error.args else "")
    return translated(told, _) if isinstance(told, str) else str(error)


def error_sentence(error: Exception) -> str:
    """The message of an error as a sentence of its own, with a capital and a full stop."""
    return ended(capitalised(error_text(error)))


def ended(text: str) -> str:
    """A text with the full stop that a sentence ends with, where it has no other end."""
    return text if text.endswith((".", "!", "?", "…")) or not text else f"{text}."


def plural(one: str, many: str, count: int) -> str:
    """The form of a text that goes with `count`."""
    return _catalogue.ngettext(one, many, count)


def players_text(game: GameInfo) -> str:
    """How many can play a game, as "2 to 4 players"."""
    fewest, most = game.seats
    if fewest < most:
        return _("{fewest} to {most} players").format(fewest=fewest, most=most)
    return plural("{count} player", "{count} players", most).format(count=most)


def capitalised(text: str) -> str:
    """A word or phrase with a capital, as on a button or in a row."""
    return text[:1].upper() + text[1:]


def place_name(game_id: str, name: str) -> str:
    """The name of a site as people write it; unchanged if this program does not know the game."""
    return translated_texts(game_id).place(name) if game_id in known_games() else _(name)


def site_name(texts: GameTexts, site: str) -> str:
    """A place of the board as people call it: "A1/E" is the east side of A1."""
    known = texts.place(site)
    if known != site:
        return known
    place, _gap, part = site.rpartition("/")
    sides = {
        "N": _("{place}, north side"), "E": _("{place}, east side"),
        "S": _("{place}, south side"), "W": _("{place}, west side"),
    }  # fmt: skip
    if place and part in sides:
        return sides[part].format(place=texts.place(place))
    return texts.place(part)


def translated_texts(game_id: str) -> GameTexts:
    """The sentences of a game in whatever language is chosen when they are asked for."""
    return game_texts(game_id).spoken(_)
