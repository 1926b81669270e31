"""Asks on the terminal about a photographed board: its uncertain spots, and what no picture can show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine import GameRules
from companion.errors import InvalidDocument
from companion.photographs.questions import Answer, Question, answer_keys
from companion.table import Table
from companion.wording.spelling import plain, spellings
from companion.wording.texts import game_texts
from ui.commands.score_photo.board import NOTHING, CommandLineTable, ReadBoard, doubt_text
from ui.commands.terminal import complain, say
from ui.photographs.reading import PhotographReading


def ask_spots(reading: PhotographReading, given: CommandLineTable, seen: ReadBoard) -> ReadBoard:
    """Ask on the terminal what lies on covered spots, then on those in doubt, until the input ends.

    An empty answer means "empty" for a covered spot and the likeliest label for a doubtful one.
    """
    named, answered = game_texts(given.game.info.id).spot, dict[str, str]()
    while seen.open or seen.doubts:
        if seen.open:
            spot, usual = seen.open[0], ""
            about = f"covered: {named(spot)} - what lies there"
        else:
            doubt = seen.doubts[0]
            spot, usual = doubt.spot, doubt.labels[0][0]
            about = f"not sure: {named(spot)}, {doubt_text(doubt)} - what lies there"
        labels = {**spellings(given.board.all_spots[spot].labels), plain(NOTHING): ""}
        ways = ", ".join(label or NOTHING for label in labels.values())
        try:
            text = input(f"{about} ({ways}; Enter: {usual or NOTHING})? ")
        except EOFError:
            say()
            return seen
        if text.strip() and plain(text) not in labels:
            complain(f"on {spot} may lie {ways}, not {text.strip()!r}")
            continue
        answered[spot] = labels[plain(text)] if text.strip() else usual
        seen = ReadBoard.of(reading, given, answered)
    return seen


def _ways(question: Question) -> str:
    """The possible answers, and how to type them if they are no plain numbers."""
    choices, of_counts = ", ".join(question.choices), question.answer is Answer.COUNTS
    example = f"; as: {question.choices[0]} 2" if of_counts else ""
    return f" ({choices}{example})" if choices else " (as: 1 4)" if question.answer is Answer.NUMBERS else ""


def ask_answers(game: GameRules[Any], table: Table, known: Mapping[str, str]) -> Mapping[str, str]:
    """Ask on the terminal for what the picture cannot tell, until the input ends."""
    answers = dict(known)
    asked = ""
    for question, seat, key in answer_keys(game.photograph_scoring.questions(table), table.seats):
        if question.name != asked:
            asked = question.name
            say(f"{question.sentence}{_ways(question)}")
        while key not in answers:
            try:
                text = input(f"  {table.players[seat - 1].name}: " if seat else "  ")
                question.read(text, key)
            except EOFError:
                say()
                return answers
            except InvalidDocument as error:
                complain(f"{error.entry} {error.reason}")
            else:
                answers[key] = text
    return answers
