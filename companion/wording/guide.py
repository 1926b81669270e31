"""What a game's `guide.toml` says to people who set it up or look a rule up, in English; catalogues translate it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.files.documents import parse_toml, read_text
from companion.registry import game_folder


@dataclass(frozen=True, slots=True)
class GameGuide:
    """`play` tells how it is played, `setup` the steps of setting up, in order.

    `outcomes` name a set-up option ("hills") and its values ("modules both").
    """

    play: tuple[str, ...]
    setup: tuple[str, ...]
    outcomes: Mapping[str, str]
    topics: Mapping[str, str]

    def topic(self, rule: str) -> str:
        """What a rule is about, from the middle part of its id."""
        name = rule.split("-")[1] if rule.count("-") == 2 else rule
        return self.topics.get(name, name.capitalize())

    def outcome(self, option: str, value: str = "") -> str:
        """A set-up option, or one of its values, in words."""
        key = f"{option} {value}".strip()
        return self.outcomes.get(key, value or option)


@cache
def game_guide(game_id: str) -> GameGuide:
    """The guide of a game.

    Raises UnknownGame.
    """
    document = parse_toml(read_text(game_folder(game_id) / "guide.toml"), f"{game_id}/guide.toml")
    document.only("play", "setup", "names", "outcome", "topic")
    outcomes, topics = document.table("outcome", optional=True), document.table("topic")
    return GameGuide(
        document.texts("play"),
        document.texts("setup"),
        {name: outcomes.text(name) for name in outcomes},
        {name: topics.text(name) for name in topics},
    )
