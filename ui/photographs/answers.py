"""The form for what no picture can show: numbers with big buttons, kinds and choices to touch. No Kivy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.errors import InvalidDocument
from companion.photographs.questions import Answer, Question, answer_keys
from companion.wording.sentences import translated
from ui.photographs.reading import reason_of
from ui.services.text import _, ended
from ui.view_models.form_view import Note, Picks, Row, SectionHeading, Stepper, pick


class AnswerSheet:
    """The answers so far, at first the usual ones. Each key maps values to how often they are chosen; `""` holds a
    number.
    """

    def __init__(self) -> None:
        self._amounts: dict[str, dict[str, int]] = {}

    def rows(self, questions: Sequence[Question], names: Sequence[str]) -> list[Row]:
        """The form; `names` are those of the seats in turn order."""
        rows: list[Row] = []
        asked = ""
        for question, seat, key in answer_keys(questions, range(1, len(names) + 1)):
            if question.name != asked:
                asked = question.name
                about = f" ({_(question.about)})" if question.about else ""
                rows.append(SectionHeading(_(question.sentence) + about))
            rows += self._rows(question, names[seat - 1] if seat else "", key, self._begun(question, seat, key))
        return rows

    def touch(self, key: str, value: str) -> None:
        """React to a touch: `+1` and `-1` change a number, `add X` adds one X, `is X` chooses only X, `clear` begins
        anew.
        """
        key, _space, name = key.partition(" ")
        amounts = self._amounts.setdefault(key, {})
        what, _space, rest = value.partition(" ")
        if value in ("-1", "+1"):
            amounts[name] = max(0, amounts.get(name, 0) + int(value))
        elif what == "add":
            amounts[rest] = amounts.get(rest, 0) + 1
        elif what == "clear":
            amounts.clear()
        elif what == "is":
            amounts.clear()
            amounts[rest] = 1

    def texts(self, questions: Sequence[Question], seats: int) -> dict[str, str]:
        """The answers as they would be typed."""
        keys = answer_keys(questions, range(1, seats + 1))
        return {key: answer_text(question, self._begun(question, seat, key)) for question, seat, key in keys}

    def problem(self, error: InvalidDocument, questions: Sequence[Question], names: Sequence[str]) -> str:
        """What is wrong with the answers, for people: the question that the error is about, and whose answer it is."""
        for question, seat, key in answer_keys(questions, range(1, len(names) + 1)):
            if error.entry in (key, question.name):
                asked = _(question.sentence)
                if question.each and seat and error.entry == key:
                    asked = _("{who}: {what}").format(who=names[seat - 1], what=asked)
                if not answer_text(question, self._begun(question, seat, key)):
                    return _("Still to be answered: {question}").format(question=asked)
                flaw = translated(error.reason, _)
                return ended(_("{question} This answer {what}").format(question=asked, what=flaw))
        return reason_of(error)

    def _begun(self, question: Question, seat: int, key: str) -> dict[str, int]:
        """The answer to a question; the usual one until it is touched."""
        return self._amounts.setdefault(key, usual_amounts(question, seat))

    def _rows(self, question: Question, who: str, key: str, amounts: Mapping[str, int]) -> list[Row]:
        answered = f"answer {key}"
        match question.answer:
            case Answer.NUMBER:
                return [Stepper(answered, who or _("Number"), amounts.get("", 0), 0, question.largest)]
            case Answer.COUNTS:
                rows: list[Row] = [Note(who)]
                return rows + [
                    Stepper(f"{answered} {name}", _(name), amounts.get(name, 0), 0, question.largest)
                    for name in question.choices
                ]
            case Answer.CHOICE:
                picks = [pick(f"is {name}", _(name), chosen=bool(amounts.get(name))) for name in question.choices]
                if not question.usual:
                    picks.append(pick("is ", _("None of these"), chosen=not any(map(amounts.get, question.choices))))
                return [*([Note(who)] if who else []), Picks(answered, tuple(picks), min(6, len(picks)))]
            case Answer.NUMBERS:
                values: Sequence[str] = [str(number) for number in range(1, question.largest + 1)]
            case _:
                values = question.choices
        text = answer_text(question, amounts) or "–"
        if who:
            text = _("{who}: {what}").format(who=who, what=text)
        picks = [pick(f"add {value}", _(value)) for value in values]
        return [Note(text), Picks(answered, (*picks, pick("clear", _("Clear"))), 5)]


def usual_amounts(question: Question, seat: int) -> dict[str, int]:
    """How often each value is chosen in the usual answer of a seat."""
    value = question.read(question.usual_for(seat), question.name)
    match question.answer:
        case Answer.NUMBER:
            return {"": value}
        case Answer.COUNTS:
            return dict(value)
        case Answer.CHOICE:
            return {value: 1} if value else {}
        case _:
            return dict(Counter(map(str, value)))


def answer_text(question: Question, amounts: Mapping[str, int]) -> str:
    """An answer as `Question.read` takes it, from how often each of its values was chosen."""
    chosen = {name: count for name, count in amounts.items() if count}
    match question.answer:
        case Answer.NUMBER:
            return str(amounts.get("", 0))
        case Answer.NUMBERS:
            return " ".join(name for name, count in chosen.items() for _ in range(count))
        case Answer.COUNTS:
            return ", ".join(f"{name} {count}" for name, count in chosen.items())
        case _:
            return ", ".join(name for name, count in chosen.items() for _ in range(count))
