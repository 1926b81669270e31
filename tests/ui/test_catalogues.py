"""The translators' catalogues hold every message, none that nobody says, and the same placeholders."""

import re
from collections import Counter
from string import Formatter

import pytest

from companion.amounts import Amount
from companion.registry import load_game
from scripts.catalogues import LANGUAGES, missing, read_catalogue, templates
from ui.services import text
from ui.services.text import translated_texts

DOMAINS = ("companion", "games", "rules")
BEHIND = 0.05
"""the share of a catalogue's messages that its translators may be behind the sources"""
COUNTED = re.compile(
    r"\{(acknowledged|actions|cards|count|draws|entries|held|kept|left|length|moves|played|players|points|rounds|tables)"
    r"\} "
    r"(more |new |other )?(are|cards|corners|entries|floors|games|lie|markers|minutes|moves|pictures|players|points"
    r"|rounds|spots|tables|times|tiles|wards|were)\b"
)
"""a number that counts, and a noun or a verb after it that would have to agree"""
NEVER_ONE = (
    "take {count} more pictures",  # one has a sentence of its own
    "{where}: has {players} players",  # a table of two at least
    "{count} lie on a board",  # three hills
    "the log has {count} entries",  # thousands
    "{moves} moves were recorded",  # three
    "Touch the button and move your other hand",  # five times
    "Give a name of at most",  # the ends of a range
    "{count} minutes",  # five at least
    "The table is not as the record says: {count} spots differ.",  # many
    "the {count} markers",  # three at least
    "{name} has closed a route of {length} cards.",  # three at least
    "Three stacks cannot be empty yet: {left} wards",  # more than a stack holds
    "The hand holds {held} cards after the route",  # four at least
)
"""how messages begin in which the number can never be one"""


@pytest.fixture(scope="module")
def sources():
    return templates()


@pytest.fixture
def german():
    text.use_language("de")
    yield
    text.use_language("en")


def ids(catalogue):
    return {message.id if isinstance(message.id, str) else message.id[0] for message in catalogue if message.id}


def placeholders(message):
    return Counter(name for _text, name, _spec, _conversion in Formatter().parse(message) if name is not None)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_a_catalogue_has_the_messages_of_the_sources(language, domain, sources):
    catalogue = read_catalogue(language, domain)
    said, known = ids(sources[domain]), ids(catalogue)
    behind = sorted({*(said - known), *missing(catalogue)})
    at = f"ui/locale/{language}/LC_MESSAGES/{domain}.po"
    assert len(behind) <= BEHIND * len(said), f"make translations; translate {len(behind)} of {at}, as {behind[:9]}"
    stale = sorted(known - said)
    assert len(stale) <= BEHIND * len(said), f"make translations; nobody says {len(stale)} of {at}, as {stale[:9]}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("domain", DOMAINS)
def test_translations_name_the_same_facts(language, domain):
    for message in read_catalogue(language, domain):
        if not message.id:
            continue
        originals = [message.id] if isinstance(message.id, str) else message.id
        translations = [message.string] if isinstance(message.string, str) else message.string
        for translation in filter(None, translations):
            assert placeholders(translation) == placeholders(originals[-1]), message.id
            assert message.fuzzy is False
            for end in ("…",):
                assert translation.endswith(end) == originals[-1].endswith(end), message.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_left_to_do_agrees_with_any_number(language):
    """A count of what is left may be one: a noun after it would have to agree."""
    told = [message.string for message in read_catalogue(language, "games") if isinstance(message.string, str)]
    assert [each for each in told if re.search(r"\{(actions|left)\} [A-Z]", each)] == []


def test_no_sentence_puts_a_noun_after_a_number_that_may_be_one():
    told = [
        message.id
        for domain in DOMAINS
        for message in read_catalogue(LANGUAGES[0], domain)
        if isinstance(message.id, str) and COUNTED.search(message.id) and not message.id.startswith(NEVER_ONE)
    ]
    assert told == []


def test_games_speak_the_language_of_the_table(german):
    english = translated_texts("city_of_marble").prompts["over"]
    assert text._(english) != english
    book = load_game("city_of_marble").rulebook
    assert text._(book.rules["COM-TURN-1"].title) != book.rules["COM-TURN-1"].title


def test_amounts_are_told_in_the_language_of_the_table(german):
    told = translated_texts("city_of_marble").amounts((Amount("red", 2), Amount("blue", 1)))
    assert re.fullmatch(r"2 \w+, 1 \w+", told)
    assert told != "2 red, 1 blue"
