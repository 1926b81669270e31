"""The score of a game from one picture of its end: `score-photo`."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.board.layout import Board
from companion.end_reading import answer_keys, read_answers
from companion.engine import GameRules
from companion.errors import InvalidDocument
from companion.frozen import FrozenDict
from companion.photograph import final_position, lying_options, photographed_table, shown_outcomes
from companion.position import position_text
from companion.registry import GAMES, board_named, load_game, print_and_play_board
from companion.report import score_document
from companion.table import Table
from companion.texts import game_texts
from ui.commands.files import check_target, write_bytes
from ui.commands.photographed import ANSWER, PLAYERS, Seen, Told, ask_spots, covered_told, doubt_told
from ui.commands.progress import progress
from ui.commands.scoring import score_lines
from ui.commands.table_options import SET_UP, add_table_options
from ui.commands.terminal import (
    DOES_NOT_HOLD,
    FAILED,
    FINE,
    WrongUse,
    complain,
    emit_json,
    file_name,
    parser,
    quiet_libraries,
    say,
)
from ui.commands.whereabouts import (
    LENS_WITHOUT_MARKERS,
    PLACE_WITHOUT_PROFILE,
    Whereabouts,
    add_place_options,
    numbers_as_values,
    placed,
    whereabouts,
)
from ui.results.photograph import (
    MOST_COVERED,
    Doubt,
    PhotographReading,
    photograph_reading,
    read_photograph,
)

if TYPE_CHECKING:
    from vision.pictures import Image

NOTHING_FOUND = (
    "nothing was found on the board; the points below are those of an empty one, --is SPOT=LABEL says what lies"
)
NOT_CERTAIN = "not certain: the score may be another; what could not be told for sure is named below it"


def score_photo(words: Sequence[str]) -> int:
    """`companion score-photo PICTURE`: exit code 1 where the picture does not hold."""
    chosen = _options().parse_args(numbers_as_values(words))
    from vision.errors import VisionError

    try:
        board = _board(chosen.game or _game_shown(chosen), chosen.board)
    except VisionError as error:
        complain(str(error))
        return FAILED
    game = load_game(board.game)
    told = Told.of(chosen, game, board)
    if chosen.position is not None:
        check_target(chosen.position)
    try:
        with progress(f"reading {chosen.picture}"):
            reading = _read(chosen, board)
    except VisionError as error:
        complain(str(error))
        return FAILED
    if reading.reason:
        complain(f"{chosen.picture}: {reading.reason}")
        return DOES_NOT_HOLD
    seen = Seen.of(game, board, reading, told)
    on_terminal = not chosen.json and sys.stdin is not None and sys.stdin.isatty()
    if on_terminal and len(seen.open) <= MOST_COVERED:
        seen = ask_spots(game, board, reading, told, seen)
    if seen.open:
        return _refuse(chosen, board, seen)
    return _score(chosen, game, board, told, seen, reading.untaught, asks=on_terminal)


def _score(
    chosen: argparse.Namespace, game: GameRules[Any], board: Board, told: Told, seen: Seen, untaught: Sequence[str],
    *, asks: bool,
) -> int:  # fmt: skip
    """Score the board that is seen and told; where it `asks`, what the picture cannot tell is asked on the terminal."""
    look, doubts = seen.look, seen.doubts
    entries = told.entries(game, board, look)
    try:
        table = _table(game, board, entries, look)
        answers = _checked(game, table, told.answers)
        if asks:
            _refuse_contradiction(game, board, entries, look, answers, table)
            answers = _ask(game, table, answers)
        position = final_position(game, board, entries, look, answers)
    except InvalidDocument as error:
        if chosen.json:
            emit_json(photo_document(None, doubts, untaught=untaught))
        complain(f"{chosen.picture}: {_mendable(error, game, board)}")
        return DOES_NOT_HOLD
    if chosen.position is not None:
        write_bytes(chosen.position, position_text(game, position.state).encode())
    questions = game.end_reading.questions(position.state.table)
    untold = [key for *_, key in answer_keys(questions, position.state.table.seats) if key not in answers]
    assumed = _assumed(game, board, entries, look, position.state.table)
    document = score_document(game, position.state)
    if chosen.json:
        emit_json(photo_document(document, doubts, untold, assumed=assumed, untaught=untaught))
    else:
        if not look:
            say(NOTHING_FOUND)
        if doubts:
            say(NOT_CERTAIN)
        for line in (
            *score_lines(game.info.title, document),
            *_remarks(board, doubts, untold, assumed, untaught),
        ):
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


def _game_shown(chosen: argparse.Namespace) -> str | None:
    """The game whose printed board the picture shows, where neither game nor board is told; None where none is seen.

    Raises VisionError, and WrongUse where several are.
    """
    if chosen.board is not None:
        return None
    from ui.results.other_boards import games_shown
    from vision.pictures import read_picture

    with quiet_libraries():
        shown = games_shown(read_picture(chosen.picture))
    if len(shown) > 1:
        raise WrongUse(f"{chosen.picture} shows the boards of {' and '.join(shown)}; --game says which is meant")
    return next(iter(shown), None)


def _board(game_id: str | None, name: str | None) -> Board:
    """The board that is meant.

    Raises WrongUse, or InvalidDocument for a board file.
    """
    if name is None:
        if game_id is None:
            raise WrongUse(
                "no printed markers tell the game; score-photo needs --game, or the --board of another edition"
            )
        return print_and_play_board(game_id)
    board = board_named(name)
    if game_id not in (None, board.game):
        raise WrongUse(f"--board {name} is a board of {load_game(board.game).info.title}, not of --game {game_id}")
    return board


def _table(game: GameRules[Any], board: Board, entries: Mapping[str, Any], look: Mapping[str, str]) -> Table:
    """The table that is told and seen.

    Raises WrongUse for players who cannot be.
    """
    try:
        return photographed_table(game, board, entries, look)
    except InvalidDocument as error:
        if not error.entry.startswith("players"):
            raise
        place = re.fullmatch(r"players\[(\d+)\]\.(\w+)", error.entry)
        what = f"the {place[2]} of player {place[1]}" if place else "the players"
        raise WrongUse(f"{PLAYERS}: {what} {error.reason}") from error


def _checked(game: GameRules[Any], table: Table, answers: Mapping[str, str]) -> Mapping[str, str]:
    """The answers as they are told.

    Raises WrongUse for one that is not asked or cannot be.
    """
    try:
        read_answers(game.end_reading.questions(table), table.seats, answers)
    except InvalidDocument as error:
        raise WrongUse(f"{ANSWER} {error.entry}: {error.reason}") from error
    return answers


def _refuse_contradiction(
    game: GameRules[Any], board: Board, entries: Mapping[str, Any], look: Mapping[str, str],
    answers: Mapping[str, str], table: Table,
) -> None:  # fmt: skip
    """Refuse a board that cannot be as it was read, before anybody answers questions about it.

    Raises InvalidDocument.
    """
    questions = game.end_reading.questions(table)
    asked = {name for question, _seat, key in answer_keys(questions, table.seats) for name in (question.name, key)}
    try:
        final_position(game, board, entries, look, answers)
    except InvalidDocument as error:
        if error.entry not in asked:
            raise


def photo_document(
    score: Mapping[str, Any] | None, doubts: Sequence[Doubt], untold: Sequence[str] = (), covered: Sequence[str] = (),
    assumed: Mapping[str, Sequence[str]] = FrozenDict(), untaught: Sequence[str] = (),
) -> dict[str, Any]:  # fmt: skip
    """A score from a picture and what it rests on: unsure spots, answers not given, a set-up that is not told.

    There is none while anything is `covered`, or where the board cannot be as it was read.
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


def _read(chosen: argparse.Namespace, board: Board) -> PhotographReading:
    """What the picture shows. Raises VisionError, InvalidDocument, WrongUse."""
    from vision.location.camera_file import load_camera
    from vision.pictures import read_picture
    from vision.spots.spot_profile import is_spot_profile

    place = whereabouts(chosen)
    with quiet_libraries():
        image = read_picture(chosen.picture)
        if chosen.profile is not None and is_spot_profile(chosen.profile):
            if chosen.lens is not None:
                raise WrongUse(LENS_WITHOUT_MARKERS)
            return _read_spots(image, board, chosen.profile, place)
        if place.said and (chosen.profile is None or chosen.profile.is_file()):
            raise WrongUse(PLACE_WITHOUT_PROFILE)
        camera = load_camera(chosen.lens) if chosen.lens is not None else None
        return read_photograph(image, board, chosen.profile, camera)


def _read_spots(image: Image, board: Board, profile: Path, place: Whereabouts) -> PhotographReading:
    """What a picture of an edition shows whose pieces were taught from photographs."""
    from vision.location.board_pose import BoardNotFound
    from vision.location.location import BoardLocator
    from vision.spots.spot_profile import load_spot_profile
    from vision.spots.spot_reader import SpotReader

    taught = load_spot_profile(profile, board)
    pose = placed(BoardLocator(board, taught.sheet), image, place)
    if isinstance(pose, BoardNotFound):
        return PhotographReading({}, (), {}, reason=str(pose.reason))
    return photograph_reading(board, SpotReader(board, taught).read(image, pose).posteriors, taught=taught)


def _refuse(chosen: argparse.Namespace, board: Board, seen: Seen) -> int:
    """Give no score from a picture on which spots are covered, and say what would help."""
    if chosen.json:
        emit_json(photo_document(None, seen.doubts, covered=seen.open))
    complain(f"{chosen.picture}: {covered_told(board, seen.open)}")
    if not chosen.json and len(seen.open) <= MOST_COVERED:
        texts = game_texts(board.game)
        for spot in seen.open:
            say(
                f"covered: {texts.spot(spot)}; --is '{spot}=...' says what lies there, --is '{spot}=' that nothing does"
            )
    return DOES_NOT_HOLD


def _mendable(error: InvalidDocument, game: GameRules[Any], board: Board) -> str:
    """Why the board cannot be as it was read, and which option would mend it."""
    by_words = f"; {SET_UP} {error.entry}=... says it" if error.entry in _option_names(game, board) else ""
    remedy = f"{by_words}, --is SPOT=LABEL" if by_words else "; --is SPOT=LABEL says"
    return f"{error.entry}: {error.reason}{remedy} what was misread"


def _option_names(game: GameRules[Any], board: Board) -> set[str]:
    return {option.name for option in lying_options(game, board)}


def _assumed(
    game: GameRules[Any], board: Board, entries: Mapping[str, Any], look: Mapping[str, str], table: Table
) -> Mapping[str, Sequence[str]]:
    """The usual outcomes of the set-up that were taken where they would show on the board and none does or is told."""
    known = {*entries, *shown_outcomes(game, board, look, entries)}
    return {name: table.options[name] for name in sorted(_option_names(game, board)) if name not in known}


def _ask(game: GameRules[Any], table: Table, known: Mapping[str, str]) -> Mapping[str, str]:
    """Ask on the terminal for what the picture cannot tell, until the input ends."""
    answers = dict(known)
    asked = ""
    for question, seat, key in answer_keys(game.end_reading.questions(table), table.seats):
        if question.name != asked:
            asked = question.name
            say(question.sentence + (f" ({', '.join(question.choices)})" if question.choices else ""))
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


def _remarks(
    board: Board, doubts: Sequence[Doubt], untold: Sequence[str], assumed: Mapping[str, Sequence[str]],
    untaught: Sequence[str],
) -> Iterator[str]:  # fmt: skip
    texts = game_texts(board.game)
    for doubt in doubts:
        yield f"please look: {texts.spot(doubt.spot)} - {doubt_told(doubt)}; --is '{doubt.spot}=...' says it"
    if untold:
        yield f"not told, taken as nothing: {', '.join(untold)}; --answer {untold[0]}=... says it"
    if untaught:
        yield f"never taught, taken as nothing: {', '.join(untaught)}; --is '{untaught[0]} PLACE=LABEL' says what lies"
    for name, names in assumed.items():
        yield f"neither told nor seen: {name}, taken as {', '.join(names)}; {SET_UP} {name}=... says it"
