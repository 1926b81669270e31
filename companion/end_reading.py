"""What a game says of scoring it from a picture of its last board: what the picture shows, and what must be asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.board.layout import Board
from companion.documents import shown
from companion.errors import InvalidDocument
from companion.events import Event
from companion.spelling import plain, spellings
from companion.table import Table

SOURCE = "photograph"


class Answer(StrEnum):
    """What is answered: a number, several numbers, how many of each kind, one of the choices, or several."""

    NUMBER = "number"
    NUMBERS = "numbers"
    COUNTS = "counts"
    CHOICE = "choice"
    CHOICES = "choices"


@dataclass(frozen=True, slots=True)
class Question:
    """Something no picture tells; asked of every player where `each`. Numbers go from 0 to `largest`."""

    name: str
    sentence: str
    answer: Answer
    each: bool = True
    choices: tuple[str, ...] = ()
    largest: int = 99

    def read(self, text: str, entry: str) -> Any:
        """The value of an answer as it is typed: `3`, `1 4`, `temple 2, baths 1`, `Baden 3, 7 4`; empty is none.

        Raises InvalidDocument.
        """
        words = [part.strip() for part in text.split(",") if part.strip()]
        match self.answer:
            case Answer.NUMBER:
                return self._number(text.strip() or "0", entry)
            case Answer.NUMBERS:
                return [self._number(word, entry) for word in re.split(r"[\s,]+", text.strip()) if word]
            case Answer.COUNTS:
                pairs = [word.rpartition(" ") for word in words]
                return {self._choice(name.strip(), entry): self._number(count, entry) for name, _, count in pairs}
            case Answer.CHOICE:
                return self._choice(text.strip(), entry) if text.strip() else ""
            case _:
                return [self._choice(word, entry) for word in words]

    def _number(self, text: str, entry: str) -> int:
        if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= self.largest):
            raise InvalidDocument(SOURCE, entry, f"is {shown(text)}; it must be a number from 0 to {self.largest}")
        return int(text)

    def _choice(self, text: str, entry: str) -> str:
        choice = spellings(self.choices).get(plain(text))
        if choice is not None:
            return choice
        raise InvalidDocument(SOURCE, entry, f"is {shown(text)}; it must be one of {', '.join(self.choices)}")


@dataclass(frozen=True, slots=True)
class EndBoard:
    """A game's own entries of the position that a picture shows, and the facts that still have to follow from it."""

    entries: Mapping[str, Any]
    events: tuple[Event, ...] = ()


Answers = Mapping[str, Any]
"""Question -> its value, or seat -> value where each player is asked; an empty one where it was not answered."""


def nothing_of_the_set_up(board: Board, look: Mapping[str, str]) -> Mapping[str, Any]:
    """What a board tells of the set-up where it tells nothing."""
    return {}


@dataclass(frozen=True, slots=True)
class EndReading:
    """How a game is scored from its last board: what must be asked, and what look and answers come to.

    `set_up` gives the set-up's outcomes that the board shows.
    """

    questions: Callable[[Table], tuple[Question, ...]]
    end_board: Callable[[Table, Mapping[str, str], Answers], EndBoard]
    set_up: Callable[[Board, Mapping[str, str]], Mapping[str, Any]] = nothing_of_the_set_up


def read_answers(questions: Iterable[Question], seats: Sequence[int], texts: Mapping[str, str]) -> dict[str, Any]:
    """The values of answers given as `name = text` or, where each player is asked, `name.seat = text`.

    Raises InvalidDocument for an answer nobody asked for, or one that cannot be.
    """
    known: dict[str, Question] = {}
    values: dict[str, Any] = {}
    for question in questions:
        keys = [f"{question.name}.{seat}" for seat in seats] if question.each else [question.name]
        known |= dict.fromkeys(keys, question)
        read = {key: question.read(texts.get(key, ""), key) for key in keys}
        values[question.name] = {s: read[f"{question.name}.{s}"] for s in seats} if question.each else read[keys[0]]
    for key in texts:
        if key not in known:
            raise InvalidDocument(SOURCE, key, f"is not asked; what is asked is {', '.join(known) or 'nothing'}")
    return values


def by_site(look: Mapping[str, str], piece: str) -> dict[str, str]:
    """Site -> label of the pieces of one kind."""
    return {spot.removeprefix(f"{piece} "): label for spot, label in look.items() if spot.startswith(f"{piece} ")}
