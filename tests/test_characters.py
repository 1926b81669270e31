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


@pytest.mark.parametrize("text", ["Ötzi", "Anna-Lena", "王", "ا", FAMILY, HEALTH, HEART, f"Ann {FAMILY}!"])
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
