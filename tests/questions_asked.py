"""What each game asks of people beside a picture of its board, as text that people can read.

`scripts/goldens` writes it to `questions.txt` in the folder of a game's tests, and a test compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from companion.photographs.questions import Answer, Question
from companion.registry import load_game, usual_table
from tests.conformance import few_outcomes
from tests.every_game import EVERY_GAME, folder_of_tests


def questions_asked(game_id: str) -> str:
    """All questions of a game at a table of the most players, those of joining at its set-up.

    Of the results of the set-up only those are told for which other questions are asked.
    """
    game, parts = load_game(game_id), dict[str, str]()
    scoring, joining = game.photograph_scoring, game.mid_game_joining
    for outcomes in few_outcomes(game_id):
        chosen = {option: name for option, (name,) in outcomes.items()}
        table = usual_table(game_id, game.info.seats[1], outcomes=chosen)
        look = game.appearance(game.setup(table))
        text = "\n".join(
            (
                "The last board", *_told(scoring.questions(table)), "", "A game under way, as it is set up",
                *_told(joining.questions(table, look)), "", "What is left out where it cannot be",
                *map(json.dumps, joining.relaxations(table)),
            )
        )  # fmt: skip
        parts.setdefault(text, f"Set-up: {', '.join(chosen.values()) or 'usual'}\n\n")
    kinds = f"Pieces that count: {', '.join(scoring.counted)}\nof these telling: {', '.join(scoring.telling)}\n"
    return "\n".join((kinds, *(f"{heading}{text}\n" for text, heading in parts.items())))


def _told(questions: Iterable[Question]) -> list[str]:
    return [line for question in questions for line in _lines(question)]


def _lines(question: Question) -> Iterator[str]:
    asked = "each player" if question.each else "all"
    about = f" [{question.about}]" if question.about else ""
    yield f"{question.name}, of {asked}: {question.sentence}{about}"
    if question.choices:
        yield f"    {question.answer} of {', '.join(question.choices)}"
    if question.answer in (Answer.NUMBER, Answer.NUMBERS, Answer.COUNTS):
        yield f"    {question.answer} from 0 to {question.largest}"
    if question.usual:
        yield f"    usual: {' | '.join(question.usual)}"


def file_of(game_id: str) -> Path:
    """Where the questions of a game are kept."""
    return folder_of_tests(game_id) / "questions.txt"


if __name__ == "__main__":
    for each in EVERY_GAME:
        file_of(each).write_text(questions_asked(each), encoding="utf-8")
