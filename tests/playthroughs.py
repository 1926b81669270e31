"""Whole games as text that people can read: what was decided, among how many actions, what followed by which rule.

`scripts/goldens` plays the actions of each text and writes what they lead to, as a test does that compares; a
playthrough that is not written yet is invented from its seed. `python -m tests.playthroughs anew` invents all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from companion.engine import GameRules, apply, legal_actions, random_game, scores
from companion.position import parse_position, toml_text
from tests.every_game import EVERY_GAME, folder_of_tests, module_of_tests
from tests.rule_cases import event_text

FIRST_ACTION = "\n\n  1  "
"""what stands between the position a text begins with and its actions"""
RULE_OFF = "-" * 60


@dataclass(frozen=True)
class Playthrough:
    """A seeded random game worth reading: the set-up as a position document, and how much which action is liked.

    It stays as it was first played: where a list of legal actions has another order, the seed gives another game.
    """

    name: str
    position: Mapping[str, Any]
    seed: int
    liking: Callable[[Any], float]

    def invented(self) -> list[str]:
        """The actions of the game that the seed gives."""
        start = parse_position(toml_text(self.position), self.name)
        return [a.text for _, a, _ in random_game(start.game, start.state, Random(self.seed), self.liking)]


def told(header: str, actions: Iterable[str]) -> str:
    """The text of a game that begins with the position `header`."""
    start = parse_position(header, "header")
    return "\n".join((header, *_told(start.game, start.state, actions))) + "\n"


def _told(game: GameRules[Any], state: Any, actions: Iterable[str]) -> Iterator[str]:
    for number, text in enumerate(actions, 1):
        decision = game.decide(state)
        assert decision is not None
        yield f"{number:3}  {decision.actors[0]} {decision.step:<6} {len(legal_actions(game, state)):4}  {text}"
        action = game.parse_action(text, state)
        step = apply(game, state, action, decision.actors[0])
        for consequence in step.consequences:
            if consequence.rule:
                yield f"{'':21}{event_text(consequence.event)}  ({consequence.rule})"
        state = step.state
        if type(action) is game.info.turn_end:
            yield ""
    yield RULE_OFF
    sheet = scores(game, state)
    for line in sheet.lines:
        facts = ", ".join(f"{key} {value}" for key, value in line.facts.items())
        yield f"{line.seat}  {line.points:3}  {game.rulebook.rules[line.rule].title}: {facts}  ({line.rule})"
    for seat in state.table.seats:
        ties = ", ".join(f"{tie.values[seat - 1]} {tie.name}" for tie in sheet.tie_breaks)
        yield f"{seat}  {sheet.totals[seat - 1]:3}  place {sheet.ranks[seat - 1]} ({ties})"


def header_of(text: str) -> str:
    """The position a text begins with."""
    return text[: text.index(FIRST_ACTION) + 1]


def actions_of(text: str) -> list[str]:
    """The actions a text tells."""
    body = text[text.index(FIRST_ACTION) : text.index(RULE_OFF)]
    lines = [line for line in body.splitlines() if line[:3].strip()]
    return [line.split(maxsplit=4)[4] for line in lines]


def folder(game_id: str) -> Path:
    """Where the playthroughs of a game are kept."""
    return folder_of_tests(game_id) / "playthroughs"


def as_told(game_id: str, playthrough: Playthrough, *, anew: bool = False) -> str:
    """The text of a playthrough: of the actions that are written, or of newly invented ones."""
    path = folder(game_id) / f"{playthrough.name}.txt"
    keep = path.exists() and not anew
    actions = actions_of(path.read_text(encoding="utf-8")) if keep else playthrough.invented()
    return told(toml_text(playthrough.position), actions)


def main(*, anew: bool) -> None:
    """Write all playthroughs of all games."""
    for game_id in EVERY_GAME:
        for playthrough in module_of_tests(game_id, "golden_games").PLAYTHROUGHS:
            text = as_told(game_id, playthrough, anew=anew)
            folder(game_id).mkdir(exist_ok=True)
            (folder(game_id) / f"{playthrough.name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(anew="anew" in sys.argv)
