"""How a game is scored from a picture of its last board, or joined under way: what the picture shows, what is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from companion.board.layout import Board
from companion.errors import InvalidDocument
from companion.events import Event
from companion.files.documents import shown
from companion.table import Table
from companion.wording.spelling import plain, spellings

SOURCE = "photograph"


class Answer(StrEnum):
    """The form of an answer: a number, several, a count for each of several kinds, one of the choices, or several."""

    NUMBER = "number"
    NUMBERS = "numbers"
    COUNTS = "counts"
    CHOICE = "choice"
    CHOICES = "choices"


@dataclass(frozen=True, slots=True)
class Question:
    """A question about something that no picture shows, put to every player if `each`; numbers go from 0 to `largest`.

    `usual` is the prefilled answer, as typed: one text for each seat, or one for all; empty for no answer.
    """

    name: str
    sentence: str
    answer: Answer
    each: bool = True
    choices: tuple[str, ...] = ()
    largest: int = 99
    about: str = ""
    """the piece or player that distinguishes this question from others with the same sentence"""
    usual: tuple[str, ...] = ()

    def usual_for(self, seat: int) -> str:
        """The usual answer of a seat, or of the whole table (0)."""
        return self.usual[(seat - 1) % len(self.usual)] if self.usual else ""

    def sample_answer(self) -> str:
        """A sample answer, as typed, with no empty part."""
        match self.answer:
            case Answer.NUMBER | Answer.NUMBERS:
                return "1"
            case Answer.COUNTS:
                return ", ".join(f"{choice} 1" for choice in self.choices)
            case _:
                return self.choices[-1]

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
                for word in (word for word, (name, _, _) in zip(words, pairs, strict=True) if not name):
                    reason = f"is {shown(word)}; it must be kinds with their numbers, as {self.choices[0]} 2"
                    raise InvalidDocument(SOURCE, entry, reason)
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
    """The game's entries of the position that a picture shows, and the events that must still be applied to it."""

    entries: Mapping[str, Any]
    events: tuple[Event, ...] = ()


Answers = Mapping[str, Any]
"""Question -> its value, or seat -> value where each player is asked; an empty one where it was not answered."""


def nothing_of_the_set_up(board: Board, look: Mapping[str, str]) -> Mapping[str, Any]:
    """No entries: the board does not show how the game was set up."""
    return {}


def all_sheets(table: Table) -> Sequence[Board]:
    """The board and every further sheet of its edition."""
    return table.board.sheets


Look = Mapping[str, str]
"""spot -> label, where something lies"""
Chances = Mapping[str, Mapping[str, float]]
"""spot -> label -> probability"""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The most likely look of spots that a game's rules judge together, and the spots that somebody must be asked
    about.
    """

    look: Mapping[str, str] = field(default_factory=dict)
    asked: frozenset[str] = frozenset()


def nothing_judged(table: Table, look: Look, chances: Chances, covered: Collection[str]) -> Judgement:
    """No judgement: the rules say nothing about spots that were not seen."""
    return Judgement()


@dataclass(frozen=True, slots=True)
class PhotographScoring:
    """How a game is scored from its last board: the questions, and the position that look and answers give.

    Only pieces of the `counted` kinds ever change a score. `set_up` gives the results of the set-up that the board
    shows, `sheets` the sheets that a table uses. `judge` weighs spots together by the rules: from the look, the
    probabilities of labels on spots that nobody confirmed, and the covered spots.

    Of the `telling` kinds more than one wrong label in twenty changes the score and leaves a board that can be the end
    of a game, so that their labels must be surer (measured by the benchmark `single_faults`).
    """

    questions: Callable[[Table], tuple[Question, ...]]
    end_board: Callable[[Table, Mapping[str, str], Answers], EndBoard]
    counted: tuple[str, ...]
    set_up: Callable[[Board, Mapping[str, str]], Mapping[str, Any]] = nothing_of_the_set_up
    sheets: Callable[[Table], Sequence[Board]] = all_sheets
    judge: Callable[[Table, Look, Chances, Collection[str]], Judgement] = nothing_judged
    telling: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MidGameJoining:
    """How a game is joined under way: the questions, and the position entries that look and answers give.

    `lying` gives the entries that follow from the look alone. `relaxations` are changes of a position document (RFC
    7396), smallest first, that reset dependent entries to their defaults: counts of what is left, then unfinished
    steps.
    """

    questions: Callable[[Table, Look], tuple[Question, ...]]
    entries: Callable[[Table, Look, Answers], Mapping[str, Any]]
    lying: Callable[[Table, Look], Mapping[str, Any]]
    relaxations: Callable[[Table], tuple[Mapping[str, Any], ...]]


def for_each_seat(table: Table, entry: str) -> dict[str, Any]:
    """The change that resets an entry of every player to its default."""
    return {"player": {str(seat): {entry: None} for seat in table.seats}}


def whose_turn(table: Table) -> Question:
    """The question who is to move, answered by a colour."""
    colours = tuple(player.colour for player in table.players)
    return Question("to_move", "Whose turn begins?", Answer.CHOICE, each=False, choices=colours, usual=colours[:1])


def read_answers(questions: Iterable[Question], seats: Sequence[int], texts: Mapping[str, str]) -> dict[str, Any]:
    """The values of answers given as `name = text` or, where each player is asked, `name.seat = text`.

    Raises InvalidDocument for an answer to no question, or one that is not possible.
    """
    known: list[str] = []
    values: dict[str, Any] = {}
    for question, seat, key in answer_keys(questions, seats):
        known.append(key)
        value = question.read(texts.get(key, question.usual_for(seat)), key)
        if seat:
            values.setdefault(question.name, {})[seat] = value
        else:
            values[question.name] = value
    for key in texts:
        if key not in known:
            raise InvalidDocument(SOURCE, key, f"is not asked; what is asked is {', '.join(known) or 'nothing'}")
    return values


def answer_keys(questions: Iterable[Question], seats: Sequence[int]) -> Iterator[tuple[Question, int, str]]:
    """Each question with the seat it is put to (0 for the whole table) and the key of its answer."""
    for question in questions:
        for seat in seats if question.each else (0,):
            yield question, seat, f"{question.name}.{seat}" if seat else question.name


def sample_answers(questions: Iterable[Question], seats: Sequence[int]) -> dict[str, str]:
    """A sample answer to every question, none of them empty."""
    return {key: question.sample_answer() for question, _seat, key in answer_keys(questions, seats)}


def by_site(look: Mapping[str, str], piece: str) -> dict[str, str]:
    """Site -> label of the pieces of one kind."""
    return {spot.removeprefix(f"{piece} "): label for spot, label in look.items() if spot.startswith(f"{piece} ")}
