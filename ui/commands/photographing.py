"""The score of a game from one picture of its end: `score-photo`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.board.layout import EMPTY, Board
from companion.end_reading import Question
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

UNSURE = 0.9
"""spots of which no label is as probable as this are shown, to be looked at by somebody"""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A spot that the picture does not show for sure, with what may lie there, likeliest first."""

    spot: str
    labels: tuple[tuple[str, float], ...]


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
    options.add_argument("--position", type=Path, metavar="OUT.toml", help="write what was understood as a position")
    options.add_argument("--json", action="store_true", help="print a JSON document")
    chosen = options.parse_args(words)
    from vision.errors import VisionError

    game, board = load_game(chosen.game), print_and_play_board(chosen.game)
    try:
        look, doubts, reason = _read(chosen.picture, board, chosen.profile)
    except VisionError as error:
        complain(str(error))
        return FAILED
    if reason:
        complain(f"{chosen.picture}: {reason}")
        return DOES_NOT_HOLD
    corrected = _pairs(chosen.corrected)
    _correct(board, look, corrected)
    doubts = [doubt for doubt in doubts if doubt.spot not in corrected]
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
    untold = [key for key in _keys(questions, position.state.table.seats) if key not in answers]
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


def _read(picture: Path, board: Board, profile: Path | None) -> tuple[dict[str, str], list[Doubt], str]:
    """What lies where, the spots in doubt, and why there is no reading, if so."""
    from vision.pictures import read_picture
    from vision.profile import load_profiles
    from vision.registration import BoardNotFound
    from vision.sheets import SheetsReader

    with quiet_libraries():
        image = read_picture(picture)
        reader = SheetsReader(board, load_profiles(board, profile))
    reading = reader.look(image)
    if isinstance(reading, BoardNotFound):
        return {}, [], reading.reason
    look, doubts = {}, []
    for spot, shares in reading.posteriors.items():
        ranked = sorted(shares.items(), key=lambda item: -item[1])
        if ranked[0][0] != EMPTY:
            look[spot] = ranked[0][0]
        if ranked[0][1] < UNSURE:
            doubts.append(Doubt(spot, tuple(ranked[:3])))
    return look, doubts, ""


def _correct(board: Board, look: dict[str, str], corrected: Mapping[str, str]) -> None:
    spots = {name: spot for sheet in board.sheets for name, spot in sheet.spots.items()}
    for name, label in corrected.items():
        if name not in spots:
            raise WrongUse(f"--is: {name!r} is no spot of the board")
        if label and label not in spots[name].labels:
            raise WrongUse(f"--is: on {name} may lie {', '.join(spots[name].labels)} or nothing, not {label!r}")
        look[name] = label
        if not label:
            del look[name]


def _players(board: Board, look: Mapping[str, str], told: str | None, game: GameRules[Any]) -> list[dict[str, str]]:
    """The players in turn order; without names one for each colour that lies on the board."""
    if told is not None:
        pairs = _pairs(told.split(","))
        return [{"name": name, "colour": colour} for name, colour in pairs.items()]
    seen = [colour for colour in board.palette if colour in look.values()]
    missing = [colour for colour in board.palette if colour not in seen]
    fewest, most = game.info.seats
    colours = (seen + missing[: max(0, fewest - len(seen))])[:most]
    return [{"name": f"Player {seat}", "colour": colour} for seat, colour in enumerate(colours, 1)]


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise WrongUse(f"{text!r} must be like name=value")
        found[name.strip()] = value.strip()
    return found


def _keys(questions: Sequence[Question], seats: Sequence[int]) -> Iterator[str]:
    for question in questions:
        yield from (f"{question.name}.{seat}" for seat in seats) if question.each else (question.name,)


def _ask(
    game: GameRules[Any], board: Board, look: Mapping[str, str], entries: Mapping[str, Any], known: Mapping[str, str]
) -> dict[str, str]:
    """Ask on the terminal for what the picture cannot tell."""
    answers = dict(known)
    table = final_position(game, board, entries, {}, {}).state.table if entries else bare_table(game.info.id, board)
    for question in game.end_reading.questions(table):
        say(question.sentence + (f" ({', '.join(question.choices)})" if question.choices else ""))
        for seat in table.seats if question.each else (0,):
            key = f"{question.name}.{seat}" if seat else question.name
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
