"""The rules on paper: every game, in every language, whole and on two or three pages."""

from __future__ import annotations

import re

import pytest

from companion.registry import GAMES
from ui.commands.printing import printed_rules
from ui.services.text import LANGUAGES, use_language


@pytest.mark.parametrize("game", GAMES)
def test_rules_fit_on_few_pages_in_each_language(game: str) -> None:
    sheets = {}
    for language in LANGUAGES:
        use_language(language)
        try:
            sheets[language] = printed_rules(game)
        finally:
            use_language("en")
    assert len(set(sheets.values())) == len(LANGUAGES)
    for pdf in sheets.values():
        assert 1 <= len(re.findall(rb"/Type /Page\b", pdf)) <= 4
