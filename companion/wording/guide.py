"""What a game's `guide.toml` says to people who set it up or look a rule up, in English; catalogues translate it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.files.documents import parse_toml, read_text
from companion.registry import game_folder


@dataclass(frozen=True, slots=True)
class GameGuide:
    """`play` describes how the game is played, `setup` the steps of setting up, in order.

    `outcomes` names the set-up options ("hills") and their values ("modules both"), `topics` the topics of the rules.
    """

    play: tuple[str, ...]
    setup: tuple[str, ...]
    outcomes: Mapping[str, str]
    topics: Mapping[str, str]

    def topic(self, rule: str) -> str:
        """The name of the topic of a rule: its id, as in COM-AQ-2, has the topic's key between hyphens."""
        parts = rule.split("-")
        key = next((part for part in parts if part in self.topics), parts[min(1, len(parts) - 1)])
        return self.topics.get(key, key.capitalize())

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
