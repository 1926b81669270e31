"""Questions that the whole table is asked by something that is no device: may that phone sit there, may that be undone.

Anybody at the table answers with a touch; whoever asked is told the answer. No Kivy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ui.view_models.play_view import ChoiceView

KEYS = "asked "
MOST_OPEN = 8


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question with its answers as (answer, text); `answered` is called with the one that was touched."""

    text: str
    answers: tuple[tuple[str, str], ...]
    answered: Callable[[str], None]
    on_phones: bool = False
    """whether the phones of the seats may answer it, too"""
    seat: int | None = None
    """the seat whose box may answer it, too: *done* is the first answer, *no* the last"""


class TableQuestions:
    """The questions that are open, by a name that whoever asks gives them. A method that changes something says so."""

    def __init__(self) -> None:
        self._open: dict[str, TableQuestion] = {}

    @property
    def open(self) -> dict[str, TableQuestion]:
        """The open questions by name, the oldest first."""
        return dict(self._open)

    def ask(self, name: str, question: TableQuestion) -> bool:
        """Ask a question, in place of one of the same name; not where too many are open."""
        if name not in self._open and len(self._open) >= MOST_OPEN:
            return False
        self._open[name] = question
        return True

    def drop(self, name: str) -> bool:
        """Ask it no more."""
        return self._open.pop(name, None) is not None

    def choices(self) -> tuple[ChoiceView, ...]:
        """The answers to all of them."""
        return answers_to(self._open)

    def answer(self, key: str) -> bool:
        """An answer was touched; not if its question is open no more."""
        answer, _space, name = key.removeprefix(KEYS).partition(" ")
        question = self._open.get(name)
        if question is None or answer not in dict(question.answers):
            return False
        del self._open[name]
        question.answered(answer)
        return True

    def answer_by_box(self, seat: int | None, *, agrees: bool) -> bool:
        """A box of a seat was pressed; whether that answers a question."""
        for name, question in self._open.items():
            if seat is not None and question.seat == seat:
                answer = question.answers[0 if agrees else -1][0]
                return self.answer(f"{KEYS}{answer} {name}")
        return False


def answers_to(questions: Mapping[str, TableQuestion]) -> tuple[ChoiceView, ...]:
    """The answers to questions by name, each with its question as `group`."""
    return tuple(
        ChoiceView(f"{KEYS}{answer} {name}", text, question.text)
        for name, question in questions.items()
        for answer, text in question.answers
    )


def is_answer(key: str) -> bool:
    """Whether a choice answers one of these questions."""
    return key.startswith(KEYS)
