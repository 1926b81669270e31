"""The score of a game from one picture of its end: `score-photo`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.board.layout import Board
from companion.engine import GameRules
from companion.errors import InvalidDocument
from companion.exports.report import score_document
from companion.frozen import FrozenDict
from companion.photographs.last_board import LastBoard, lying_options
from companion.photographs.questions import answer_keys, read_answers
from companion.position import position_text
from companion.registry import GAMES, load_game
from companion.table import Table
from companion.wording.texts import game_texts
from ui.commands.progress import progress
from ui.commands.score_photo.board import ANSWER, PLAYERS, CommandLineTable, ReadBoard, covered_text, doubt_text
from ui.commands.score_photo.picture import game_shown, meant_board, read_picture_of
from ui.commands.score_photo.questions import ask_answers, ask_spots
from ui.commands.scoring import score_lines
from ui.commands.table_options import SET_UP, add_table_options
from ui.commands.terminal import DOES_NOT_HOLD, FAILED, FINE, WrongUse, complain, emit_json, file_name, parser, say
from ui.commands.whereabouts import add_place_options, numbers_as_values
from ui.photographs.reading import MOST_COVERED, Doubt
from ui.services.files import check_target, write_bytes

NOTHING_FOUND = (
    "nothing was found on the board; the points below are those of an empty one, --is SPOT=LABEL says what lies"
)
NOT_CERTAIN = "not certain: the score may be another; what could not be told for sure is named below it"


def score_photo(words: Sequence[str]) -> int:
    """`companion score-photo PICTURE`: exit code 1 if no score can be given from the picture."""
    chosen = _options().parse_args(numbers_as_values(words))
    from vision.errors import VisionError

    try:
        board = meant_board(chosen.game or game_shown(chosen), chosen.board)
    except VisionError as error:
        complain(str(error))
        return FAILED
    game = load_game(board.game)
    given = CommandLineTable.of(chosen, game, board)
    if chosen.position is not None:
        check_target(chosen.position)
    try:
        with progress(f"reading {chosen.picture}"):
            reading = read_picture_of(board, chosen)
    except VisionError as error:
        complain(str(error))
        return FAILED
    if reading.reason:
        complain(f"{chosen.picture}: {reading.reason}")
        return DOES_NOT_HOLD
    seen = ReadBoard.of(reading, given)
    on_terminal = not chosen.json and sys.stdin is not None and sys.stdin.isatty()
    if on_terminal and len(seen.open) <= MOST_COVERED:
        seen = ask_spots(reading, given, seen)
    if seen.open:
        return _refuse(chosen, board, seen)
    return _score(chosen, seen, given.answers, reading.untaught, asks=on_terminal)


def _score(
    chosen: argparse.Namespace, seen: ReadBoard, given: Mapping[str, str], untaught: Sequence[str], *, asks: bool
) -> int:  # fmt: skip
    """Score the board as read, with the answers given in `given`; if it `asks`, ask for the others on the terminal."""
    last, doubts = seen.board, seen.doubts
    game = last.game
    try:
        table = _table(last)
        answers = _checked(game, table, given)
        if asks:
            _refuse_contradiction(last, answers)
            answers = ask_answers(game, table, answers)
        position = last.position(answers)
    except InvalidDocument as error:
        if chosen.json:
            emit_json(photo_document(None, doubts, untaught=untaught))
        complain(f"{chosen.picture}: {_mendable(error, last)}")
        return DOES_NOT_HOLD
    if chosen.position is not None:
        write_bytes(chosen.position, position_text(game, position.state).encode())
    questions = game.photograph_scoring.questions(position.state.table)
    untold = [key for *_, key in answer_keys(questions, position.state.table.seats) if key not in answers]
    assumed = last.assumed_outcomes()
    document = score_document(game, position.state)
    if chosen.json:
        emit_json(photo_document(document, doubts, untold, assumed=assumed, untaught=untaught))
    else:
        if not last.look:
            say(NOTHING_FOUND)
        if doubts:
            say(NOT_CERTAIN)
        remarks = _remarks(last.board, doubts, untold, assumed, untaught)
        for line in (*score_lines(game.info.title, document), *remarks):
            say(line)
    return FINE


def _options() -> argparse.ArgumentParser:
    options = parser("score-photo", "Compute the final score from one photograph of the board and a few answers.")
    options.add_argument("picture", type=file_name, metavar="PICTURE", help="a picture file")
    options.add_argument(
        "--game", choices=tuple(GAMES), metavar="G", help=f"{', '.join(GAMES)}; else as its markers tell"
    )
    options.add_argument("--board", metavar="B", help="another edition's board file; else the printed edition's")
    options.add_argument(
        "--profile", type=file_name, metavar="P", help="taught pieces; else those of the printed edition"
    )
    add_place_options(options)
    options.add_argument(
        "--players", metavar="NAME=COLOUR,...", help="in turn order; else one for each colour on the board"
    )
    options.add_argument(
        "--answer", action="append", default=[], metavar="NAME.SEAT=TEXT", help="what the picture cannot tell"
    )
    options.add_argument(
        "--is", action="append", default=[], dest="corrected", metavar="SPOT=LABEL",
        help="what lies on a spot that was misread or covered; nothing after the sign for an empty one, and a kind of"
        " piece before it for all its covered spots",
    )  # fmt: skip
    add_table_options(options)
    options.add_argument("--lens", type=file_name, metavar="FILE", help="the camera's lens, by companion calibrate")
    options.add_argument(
        "--position", type=file_name, metavar="OUT.toml", help="write what was understood as a position"
    )
    options.add_argument("--json", action="store_true", help="print a JSON document")
    return options


def _table(last: LastBoard) -> Table:
    """The table from the command line and the picture.

    Raises WrongUse for players who cannot be.
    """
    try:
        return last.table
    except InvalidDocument as error:
        if not error.entry.startswith("players"):
            raise
        place = re.fullmatch(r"players\[(\d+)\]\.(\w+)", error.entry)
        what = f"the {place[2]} of player {place[1]} " if place else ""
        raise WrongUse(f"{PLAYERS}: {what}{error.reason}") from error


def _checked(game: GameRules[Any], table: Table, answers: Mapping[str, str]) -> Mapping[str, str]:
    """The answers given on the command line.

    Raises WrongUse for one that is not asked or cannot be.
    """
    try:
        read_answers(game.photograph_scoring.questions(table), table.seats, answers)
    except InvalidDocument as error:
        raise WrongUse(f"{ANSWER} {error.entry}: {error.reason}") from error
    return answers


def _refuse_contradiction(last: LastBoard, answers: Mapping[str, str]) -> None:
    """Refuse a board that breaks the rules as read, before the user answers questions about it.

    Raises InvalidDocument.
    """
    keys = answer_keys(last.questions, last.table.seats)
    asked = {name for question, _seat, key in keys for name in (question.name, key)}
    try:
        last.position(answers)
    except InvalidDocument as error:
        if error.entry not in asked:
            raise


def photo_document(
    score: Mapping[str, Any] | None, doubts: Sequence[Doubt], untold: Sequence[str] = (), covered: Sequence[str] = (),
    assumed: Mapping[str, Sequence[str]] = FrozenDict(), untaught: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """A score from a picture and its assumptions: doubtful spots, missing answers, a set-up that was not given.

    There is no score while a spot is `covered` or if the board breaks the rules as read.
    """
    return {
        "score": score,
        "covered": list(covered),
        "unsure": [
            {
                "spot": doubt.spot,
                "labels": [{"label": label, "probability": round(share, 4)} for label, share in doubt.labels],
            }
            for doubt in doubts
        ],
        "untold": list(untold),
        "assumed": {name: list(names) for name, names in assumed.items()},
        "untaught": list(untaught),
    }


def _refuse(chosen: argparse.Namespace, board: Board, seen: ReadBoard) -> int:
    """Report that covered spots prevent a score, and what would help."""
    if chosen.json:
        emit_json(photo_document(None, seen.doubts, covered=seen.open))
    complain(f"{chosen.picture}: {covered_text(board, seen.open)}")
    if not chosen.json and len(seen.open) <= MOST_COVERED:
        texts = game_texts(board.game)
        for spot in seen.open:
            say(
                f"covered: {texts.spot(spot)}; --is '{spot}=...' says what lies there, --is '{spot}=' that nothing does"
            )
    return DOES_NOT_HOLD


def _mendable(error: InvalidDocument, last: LastBoard) -> str:
    """Why the board breaks the rules as read, and which option corrects it."""
    outcomes = {option.name for option in lying_options(last.game, last.board)}
    by_words = f"; {SET_UP} {error.entry}=... says it" if error.entry in outcomes else ""
    remedy = f"{by_words}, --is SPOT=LABEL" if by_words else "; --is SPOT=LABEL says"
    return f"{error.entry}: {error.reason}{remedy} what was misread"


def _remarks(
    board: Board, doubts: Sequence[Doubt], untold: Sequence[str], assumed: Mapping[str, Sequence[str]],
    untaught: Sequence[str],
) -> Iterator[str]:  # fmt: skip
    texts = game_texts(board.game)
    for doubt in doubts:
        yield f"please look: {texts.spot(doubt.spot)} - {doubt_text(doubt)}; --is '{doubt.spot}=...' says it"
    if untold:
        yield f"not told, taken as nothing: {', '.join(untold)}; --answer {untold[0]}=... says it"
    if untaught:
        yield f"never taught, taken as nothing: {', '.join(untaught)}; --is '{untaught[0]} PLACE=LABEL' says what lies"
    for name, names in assumed.items():
        yield f"neither told nor seen: {name}, taken as {', '.join(names)}; {SET_UP} {name}=... says it"
