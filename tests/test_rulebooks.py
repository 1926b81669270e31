"""What a rulebook says besides its rules: what headings of the printed one mean."""

import pytest

from companion.errors import InvalidDocument
from companion.files.documents import parse_toml
from companion.legality import read_rulebook

RULE = """
[[rule]]
id = "X-1"
title = "Laying tiles"
sentence = "A tile lies beside another."
source = "IT, Posare, note; Pescare"
confidence = "H"
[headings]
"""


def test_headings_that_sources_name_are_read():
    book = read_rulebook(parse_toml(RULE + '"Posare" = "Laying"\n"Pescare" = "Drawing"', "rulebook.toml"))
    assert book.headings == {"Posare": "Laying", "Pescare": "Drawing"}


@pytest.mark.parametrize(
    ("heading", "reason"),
    [
        ('"Posa" = "Laying"', "headings.Posa: no source of a rule names this heading"),
        ('"note; Pescare" = ""', "headings.note; Pescare: is empty; write in English what the heading says"),
        ('"Posare" = 1', "headings.Posare: must be text, not 1"),
    ],
)
def test_headings_that_say_nothing_or_that_no_source_names_are_refused(heading, reason):
    with pytest.raises(InvalidDocument) as refused:
        read_rulebook(parse_toml(RULE + heading, "rulebook.toml"))
    assert str(refused.value) == f"rulebook.toml: {reason}"
