"""The score of a game from one picture of its end: `score-photo`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.board.layout import Board
from companion.engine import GameRules
from companion.photograph import final_position
from companion.position import bare_table, position_text
from companion.registry import GAMES, load_game, print_and_play_board
from companion.report import score_document
from companion.texts import game_texts
from ui.commands.scoring import score_lines
from ui.commands.terminal import (
    DOES_NOT_HOLD,
    FAILED,
    FINE,
    WrongUse,
    complain,
    emit_json,
    parser,
    quiet_libraries,
    say,
)
from ui.photograph import Doubt, PhotographReading, answer_keys, corrected_look, likely_colours, read_photograph


def score_photo(words: Sequence[str]) -> int:
    """`companion score-photo PICTURE --game G`: exit code 1 where the picture does not hold."""
    options = parser("score-photo", "Compute the final score from one photograph of the board and a few answers.")
    options.add_argument("picture", type=Path, metavar="PICTURE", help="a picture file")
    options.add_argument("--game", required=True, choices=tuple(GAMES), metavar="G", help=", ".join(GAMES))
    options.add_argument("--profile", type=Path, metavar="P", help="taught pieces; else those of the printed edition")
    options.add_argument(
        "--players", metavar="NAME=COLOUR,...", help="in turn order; else one for each colour on the board"
    )
    options.add_argument(
        "--answer", action="append", default=[], metavar="NAME.SEAT=TEXT", help="what the picture cannot tell"
    )
    options.add_argument(
        "--is", action="append", default=[], dest="corrected", metavar="SPOT=LABEL",
        help="what lies on a spot that was misread; nothing after the sign for an empty one",
    )  # fmt: skip
    options.add_argument("--set-up", action="append", default=[], metavar="NAME=A,B", help="outcomes of the set-up")
    options.add_argument("--ruling", action="append", default=[], metavar="NAME=READING")
    options.add_argument("--lens", type=Path, metavar="FILE", help="the camera's lens, by companion calibrate")
    options.add_argument("--position", type=Path, metavar="OUT.toml", help="write what was understood as a position")
    options.add_argument("--json", action="store_true", help="print a JSON document")
    chosen = options.parse_args(words)
    from vision.errors import VisionError

    game, board = load_game(chosen.game), print_and_play_board(chosen.game)
    try:
        reading = _read(chosen.picture, board, chosen.profile, chosen.lens)
    except VisionError as error:
        complain(str(error))
        return FAILED
    if reading.reason:
        complain(f"{chosen.picture}: {reading.reason}")
        return DOES_NOT_HOLD
    corrected = _pairs(chosen.corrected)
    look = _corrected(board, reading.look, corrected)
    doubts = [doubt for doubt in reading.doubts if doubt.spot not in corrected]
    entries = {
        "players": _players(board, look, chosen.players, game),
        "rulings": _pairs(chosen.ruling),
        **{name: [part.strip() for part in value.split(",")] for name, value in _pairs(chosen.set_up).items()},
    }
    answers = _pairs(chosen.answer)
    if not chosen.json and sys.stdin is not None and sys.stdin.isatty():
        answers = _ask(game, board, look, entries, answers)
    position = final_position(game, board, entries, look, answers)
    if chosen.position is not None:
        chosen.position.write_text(position_text(game, position.state), encoding="utf-8")
    questions = game.end_reading.questions(position.state.table)
    untold = [key for *_, key in answer_keys(questions, position.state.table.seats) if key not in answers]
    document = score_document(game, position.state)
    if chosen.json:
        emit_json({"score": document, **photo_document(doubts, untold)})
    else:
        for line in (*score_lines(game.info.title, document), *_remarks(board, doubts, untold)):
            say(line)
    return FINE


def photo_document(doubts: Sequence[Doubt], untold: Sequence[str]) -> dict[str, Any]:
    """What a score from a picture rests on: unsure spots, and answers that were not given."""
    return {
        "unsure": [
            {
                "spot": doubt.spot,
                "labels": [{"label": label, "probability": round(share, 4)} for label, share in doubt.labels],
            }
            for doubt in doubts
        ],
        "untold": list(untold),
    }


def _read(picture: Path, board: Board, profile: Path | None, lens: Path | None) -> PhotographReading:
    from vision.camera_file import load_camera
    from vision.pictures import read_picture

    camera = load_camera(lens) if lens is not None else None
    with quiet_libraries():
        return read_photograph(read_picture(picture), board, profile, camera)


def _corrected(board: Board, look: Mapping[str, str], corrected: Mapping[str, str]) -> dict[str, str]:
    try:
        return corrected_look(board, look, corrected)
    except ValueError as error:
        raise WrongUse(f"--is: {error}") from error


def _players(board: Board, look: Mapping[str, str], told: str | None, game: GameRules[Any]) -> list[dict[str, str]]:
    """The players in turn order; without names one for each colour that lies on the board."""
    if told is not None:
        pairs = _pairs(told.split(","))
        return [{"name": name, "colour": colour} for name, colour in pairs.items()]
    colours = likely_colours(game, board, look)
    return [{"name": f"Player {seat}", "colour": colour} for seat, colour in enumerate(colours, 1)]


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise WrongUse(f"{text!r} must be like name=value")
        found[name.strip()] = value.strip()
    return found


def _ask(
    game: GameRules[Any], board: Board, look: Mapping[str, str], entries: Mapping[str, Any], known: Mapping[str, str]
) -> dict[str, str]:
    """Ask on the terminal for what the picture cannot tell."""
    answers = dict(known)
    table = final_position(game, board, entries, {}, {}).state.table if entries else bare_table(game.info.id, board)
    asked = ""
    for question, seat, key in answer_keys(game.end_reading.questions(table), table.seats):
        if question.name != asked:
            asked = question.name
            say(question.sentence + (f" ({', '.join(question.choices)})" if question.choices else ""))
        while key not in answers:
            text = input(f"  {table.players[seat - 1].name}: " if seat else "  ")
            try:
                question.read(text, key)
            except ValueError as error:
                complain(str(error))
            else:
                answers[key] = text
    return answers


def _remarks(board: Board, doubts: Sequence[Doubt], untold: Sequence[str]) -> Iterator[str]:
    texts = game_texts(board.game)
    for doubt in doubts:
        ways = " or ".join(f"{label or 'nothing'} ({share:.0%})" for label, share in doubt.labels[:2])
        yield f"please look: {texts.spot(doubt.spot)} - {ways}; --is '{doubt.spot}=...' says it"
    if untold:
        yield f"not told, taken as nothing: {', '.join(untold)}; --answer {untold[0]}=... says it"
