"""The boards of a game: the shipped one and those in the user's own files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.board.layout import Board, load_board
from companion.errors import InvalidDocument
from companion.registry import print_and_play_board
from companion.wording.spelling import slug


@dataclass(frozen=True, slots=True)
class Editions:
    """The boards of one game, the shipped one first; `problems` are messages about files that hold no valid board,
    or one whose id another has.
    """

    boards: tuple[Board, ...]
    problems: tuple[str, ...] = ()


def editions_of(game_id: str, folder: Path) -> Editions:
    """The shipped board and those of this game in a folder of the user's board files, which need not exist."""
    boards, problems = [print_and_play_board(game_id)], []
    for path in sorted(folder.glob("*.toml")):
        try:
            board = load_board(path)
        except InvalidDocument as error:
            problems.append(str(error))
            continue
        if board.game != game_id:
            continue
        if board.id in {known.id for known in boards}:
            problems.append(
                str(InvalidDocument(path.name, "id", f"is {board.id}, as of another board; give it its own"))
            )
            continue
        boards.append(board)
    return Editions(tuple(boards), tuple(problems))


def edition_slug(text: str) -> str:
    """The words of an edition as an id or a file's name may hold them."""
    return slug(text, "_")[:40] or "board"
