"""How the printed edition writes names: with their umlauts, where files spell them in plain letters."""

from __future__ import annotations

from companion.wording.texts import game_texts


def printed(name: str) -> str:
    """A city's or province's name as it is printed."""
    return game_texts("thurn_and_taxis").words.get(name, name)
