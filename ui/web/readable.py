"""Codes that people read aloud and type: letters none of which looks like another, in groups of four."""

from __future__ import annotations

import secrets

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""of which codes are made"""
GROUPS, LETTERS_EACH = 3, 4


def drawn_code() -> str:
    """A new code of 59 bits, like "k7mp-x3qd-9hra"."""
    groups = ("".join(secrets.choice(LETTERS) for _letter in range(LETTERS_EACH)) for _group in range(GROUPS))
    return "-".join(groups)


def as_drawn(typed: str) -> str:
    """What somebody typed in the form of `drawn_code`: capitals, blanks and missing hyphens make no difference."""
    letters = "".join(letter for letter in typed.lower() if letter.isalnum())
    return "-".join(letters[start : start + LETTERS_EACH] for start in range(0, len(letters), LETTERS_EACH))
