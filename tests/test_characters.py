"""Texts from outside are shown without controls and direction characters; joined emoji stay."""

from __future__ import annotations

import pytest

from companion.position import name_problem
from companion.wording.characters import is_plain_text, without_controls
from ui.commands.terminal import printable

MARK = "\N{REPLACEMENT CHARACTER}"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
HEALTH = "\U0001f469\U0001f3fd\u200d\u2695\ufe0f"
HEART = "\u2764\ufe0f\u200d\U0001f525"
SHAKEN = "\U0001f642\u200d\u2194\ufe0f"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
PINK = "\U0001fa77"
"""a heart of 2022, newer than the tables of some Pythons"""
REZA, SRI = "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627", "\u0dc1\u0dca\u200d\u0dbb\u0dd3"
"""names of Iran and Sri Lanka that are written with joiners"""


@pytest.mark.parametrize(
    "text",
    ["Ötzi", "Anna-Lena", "王", "ا", FAMILY, HEALTH, HEART, f"Ann {FAMILY}!",
     SHAKEN, ENGLAND, f"{ENGLAND}{ENGLAND}", PINK, f"{PINK}\u200d\U0001f525", REZA, SRI],
)  # fmt: skip
def test_names_and_joined_emoji_are_plain(text: str) -> None:
    assert is_plain_text(text)
    assert without_controls(text) == printable(text) == text
    assert not name_problem(text, ())


@pytest.mark.parametrize(
    "character",
    ["\0", "\x1b", "\n", "\x7f", "\x9b", "\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069", "\u2028",
     "\ufeff", "\u200b", "\u200d", "\U000e0041"],
)  # fmt: skip
def test_controls_and_direction_characters_are_not(character: str) -> None:
    text = f"An{character}na"
    assert not is_plain_text(text)
    assert without_controls(text) == printable(text) == f"An{MARK}na"
    assert name_problem(text, ())
    assert printable(character) == MARK, "also alone"


@pytest.mark.parametrize("text", [ENGLAND[:-1], ENGLAND[1:], f"A{ENGLAND[1:]}", "ا\u200c", "\u200cا", "a\u200cا"])
def test_parts_of_flags_and_joiners_without_work_are_not(text: str) -> None:
    assert not is_plain_text(text)
    assert MARK in without_controls(text)
