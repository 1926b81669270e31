"""Sentences for people about a game's prompts, actions, events and spots, from the `texts.toml` in its folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any

from companion.amounts import Amount
from companion.engine import GameRules, open_kinds
from companion.errors import InvalidDocument
from companion.events import Event
from companion.facts import NONE, Fact, fact_words
from companion.files.documents import parse_toml, read_text
from companion.legality import Rulebook, Violation
from companion.registry import game_folder
from companion.scoring import ScoreLine
from companion.table import Player, Table
from companion.wording.people import player_names

_NUMBER = re.compile("[0-9]+")
MOST_SEATS = range(1, 9)
"""the seats that sentences can name where no table is at hand"""


@dataclass(frozen=True, slots=True)
class GameTexts:
    """The sentences of one game, by kind and name, with braces for facts.

    `words` name values for people, by the value, or by fact and value where only that fact is meant: `end left`. A fact
    that is true or false is `fact yes` or nothing; `roof-#`, or `fact roof-#`, is a value such as roof-3, with {number}
    for the 3. Several values of one fact may have words of their own: `onto new new`, or with numbers, {number} being
    the first of them, `onto # #+1`. Values that begin with a place (`E4 curve 90`) have the words of what follows it.
    Events have sentences by kind, and may have others for some of their values, in the order of the fields and without
    seats: `MagistrateReturned treasury paid`, or where only what is true about them counts `MagistrateReturned paid`.
    `openings` say what is open to a player, by kind of action or by step and kind: `close Play`. A prompt is that of
    the step, or where one kind alone is open that of the step and the kind (`act Pass`), if there is one; {open} in it
    is replaced by all that is open. `briefs` say what a step waits for where the player is named and what is open is
    shown beside it; `close Play EndTurn` does where just these kinds are open.
    """

    prompts: Mapping[str, str]
    actions: Mapping[str, str]
    events: Mapping[str, str]
    spots: Mapping[str, str]
    words: Mapping[str, str]
    scores: Mapping[str, str]
    kinds: Mapping[str, str]
    openings: Mapping[str, str]
    prompts_of_one: Mapping[str, str]
    briefs: Mapping[str, str]
    uncounted: Mapping[str, str]
    """for steps in which something that lies there is counted only later: what, and when it is"""
    translate: Callable[[str], str] = str
    """a sentence or word, braces and all, in the language of the people at the table"""
    players: tuple[Player, ...] = ()
    """who plays, for sentences that name seats; without any they are "Player 1" and so on"""

    def at(self, table: Table) -> GameTexts:
        """The same sentences with the names of the players at this table."""
        return replace(self, players=table.players)

    def spoken(self, translate: Callable[[str], str]) -> GameTexts:
        """The same sentences in another language; `translate` is asked anew for each."""
        return replace(self, translate=translate)

    def prompt(self, game: GameRules[Any], state: Any) -> str:
        """What the table waits for, in one sentence."""
        decision = game.decide(state)
        if decision is None:
            return self.translate(self.prompts["over"])
        names = player_names(state.table.players, decision.actors, self.translate)
        facts = {key: self._fact(key, value) for key, value in decision.facts.items()}
        kinds = open_kinds(game, state)
        only = f"{decision.step} {kinds[0].__name__}" if len(kinds) == 1 else ""
        prompt = self.translate(self.prompts_of_one.get(only, self.prompts[decision.step]))
        return prompt.format_map({"name": names, "open": self._open(decision.step, kinds)} | facts)

    def brief(self, game: GameRules[Any], state: Any) -> str:
        """What the table waits for, without the players' names; empty where the prompt is as brief as can be."""
        decision = game.decide(state)
        if decision is None:
            return ""
        kinds = " ".join(kind.__name__ for kind in open_kinds(game, state))
        told = self.briefs.get(f"{decision.step} {kinds}", self.briefs.get(decision.step, ""))
        if not told:
            return ""
        facts = {key: self._fact(key, value) for key, value in decision.facts.items()}
        return self.translate(told).format_map(facts)

    def not_yet_counted(self, game: GameRules[Any], state: Any) -> str:
        """What the score does not count yet, and when it will; "" where it counts all that lies there."""
        decision = game.decide(state)
        told = self.uncounted.get(decision.step, "") if decision is not None else ""
        return self.translate(told) if told else ""

    def _open(self, step: str, kinds: Iterable[type]) -> str:
        """What may be done, as a list with "or" before its end."""
        named = [self.openings.get(f"{step} {kind.__name__}", self.openings.get(kind.__name__, "")) for kind in kinds]
        texts = [self.translate(text) for text in dict.fromkeys(filter(None, named))] or [""]
        *first, last = texts
        return f"{', '.join(first)} {self.translate('or')} {last}" if first else last

    def kind(self, action: Any) -> str:
        """The heading of a group of actions of one kind."""
        return self.translate(self.kinds.get(action.kind, action.kind))

    def action(self, action: Any) -> str:
        """An action as the label of a choice."""
        facts = self._facts(action)
        if seat := getattr(action, "seat", 0):
            facts["name"] = player_names(self._known_players(), (seat,))
        return _begun(self.translate(self.actions[action.kind]).format_map(facts))

    def event(self, event: Event, table: Table) -> str:
        """A fact as a sentence of the log; `name` and `names` are the players in its `seat` or `seats`."""
        facts = self._facts(event)
        seat, seats = getattr(event, "seat", 0), getattr(event, "seats", ())
        if seat:
            facts["name"] = table.players[seat - 1].name
        facts["names"] = player_names(table.players, seats, self.translate)
        return _begun(self.translate(self._sentence_of(event)).format_map(facts))

    def _sentence_of(self, event: Event) -> str:
        """The sentence for the values of an event; else for what is true about it, or nought; else for its kind."""
        kind, values = type(event).__name__, {field.name: getattr(event, field.name) for field in fields(event)}
        true = [name for name, value in values.items() if value is True]
        told = [
            name if value is True else value
            for name, value in values.items()
            if value is True or isinstance(value, str)
        ]
        nought = [f"no {name}" for name, value in values.items() if value == 0 and not isinstance(value, bool)]
        true_keys = [" ".join((kind, *true))] if true else []
        keys = (" ".join((kind, *told)), *true_keys, *(f"{kind} {name}" for name in nought), kind)
        return self.events[next((key for key in keys if key in self.events), kind)]

    def refusal(self, book: Rulebook, violation: Violation) -> str:
        """The sentence of a broken rule."""
        known = self._known_players()
        return _begun(book.sentence(violation, known, self.translate, lambda value: self._word("", value)))

    def score_line(self, line: ScoreLine) -> str:
        """What was counted for a line of the score sheet, with what a place was lost by where a tie was broken."""
        facts = {key: self._fact(key, value) for key, value in line.facts.items()}
        lost_by = f"{line.rule} {line.facts.get('lost_by', '')}"
        return self.translate(self.scores.get(lost_by, self.scores.get(line.rule, ""))).format_map(facts)

    def spot(self, spot: str) -> str:
        """A spot of the board, named for people."""
        piece, _, site = spot.partition(" ")
        return self.translate(self.spots.get(piece, "{site}")).format(site=self.place(site))

    def place(self, name: str) -> str:
        """The name of a board place as people write it; files spell some without umlauts."""
        return self._word("", name)

    def label(self, label: str) -> str:
        """What lies on a spot of the board."""
        return self._word("", label)

    def amounts(self, amounts: Iterable[Amount]) -> str:
        """What a holding consists of, such as "2 red, 1 blue" or "Basel: 3"; "none" where it is empty."""
        return ", ".join(map(self._amount, amounts)) or self.translate(NONE)

    def _amount(self, amount: Amount) -> str:
        kind = self._word("", amount.kind) if amount.kind else ""
        if amount.value is not None:
            return f"{kind}: {amount.value}" if kind else str(amount.value)
        if amount.count is not None:
            if kind[-1:].isdecimal():  # two numbers beside one another would be read as one thing's
                return kind if amount.count == 1 else f"{amount.count} × {kind}"
            return f"{amount.count} {kind}" if kind else str(amount.count)
        return kind

    def _facts(self, value: Any) -> dict[str, str]:
        facts = {}
        for field in fields(value):
            fact = getattr(value, field.name)
            if isinstance(fact, tuple):
                parts = [self._word(field.name, part) for part in fact]
                facts[field.name] = self._words_together(field.name, fact) or ", ".join(parts)
            else:
                facts[field.name] = self._word(field.name, fact)
        return facts

    def _words_together(self, name: str, values: tuple[Any, ...]) -> str:
        """The words of several values of a fact together; "" where they have none."""
        texts = [str(value) for value in values]
        first = next((int(text) for text in texts if text.isdecimal()), None)
        general = texts
        if first is not None:
            signs = {str(first): "#", str(first + 1): "#+1"}
            general = [signs.get(text, text) for text in texts]
        words = self.words.get(f"{name} {' '.join(texts)}", self.words.get(f"{name} {' '.join(general)}"))
        return "" if words is None else self.translate(words).format(number=first)

    def _known_players(self) -> tuple[Player, ...]:
        name = self.translate("Player {seat}")
        return self.players or tuple(Player(name.format(seat=seat), "") for seat in MOST_SEATS)

    def _fact(self, name: str, fact: Fact) -> str:
        return fact_words(fact, lambda value: self._word(name, value))

    def _word(self, name: str, value: Any) -> str:
        if isinstance(value, bool):
            return self.translate(self.words.get(f"{name} yes", "")) if value else ""
        word = self.words.get(f"{name} {value}", self.words.get(str(value)))
        numbered = _NUMBER.search(str(value))
        general = _NUMBER.sub("#", str(value))
        form = self.words.get(f"{name} {general}", self.words.get(general)) if word is None and numbered else None
        if numbered and form is not None:
            return self.translate(form).format(number=numbered[0])
        told = self.translate(str(value) if word is None else word)
        place, space, rest = str(value).partition(" ")
        if space and told == value and (named := self._word("", rest)) != rest:
            return f"{place} {named}"
        return told


def _begun(text: str) -> str:
    """A text that begins with a capital."""
    return text[:1].upper() + text[1:]


class _Section(dict[str, str]):
    """The sentences of one part of a file; one that is asked for and not there is named."""

    def __init__(self, place: Callable[[str], str], sentences: Mapping[str, str]) -> None:
        super().__init__(sentences)
        self._place = place

    def __missing__(self, name: str) -> str:
        raise InvalidDocument("texts.toml", self._place(name), "is missing; write the sentence that people read")


@cache
def game_texts(game_id: str) -> GameTexts:
    """The sentences of a game.

    Raises UnknownGame.
    """
    document = parse_toml(read_text(game_folder(game_id) / "texts.toml"), "texts.toml")

    def sentences(kind: str) -> Mapping[str, str]:
        table = document.table(kind, optional=kind in ("brief", "kind", "open", "only", "uncounted"))
        return _Section(table.at, {name: table.text(name) for name in table})

    return GameTexts(
        prompts=sentences("prompt"), actions=sentences("action"), events=sentences("event"), spots=sentences("spot"),
        words=sentences("word"), scores=sentences("score"), kinds=sentences("kind"), openings=sentences("open"),
        prompts_of_one=sentences("only"), briefs=sentences("brief"),
        uncounted=sentences("uncounted"),
    )  # fmt: skip
