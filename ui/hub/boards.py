"""The boards that tables play on, and their printed pictures, drawn by a process of its own and kept in the cache.

A board that this program has is drawn as it is printed; another edition in plain colours, as its record defines it.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from companion.board.layout import Board
from companion.errors import CompanionError
from companion.publishing.table_state import TableState
from companion.registry import known_games, print_and_play_board
from ui.drawing.faces import Face
from ui.printed.extent import Cell, Extent, HeldCells
from ui.printed.scene import Shown
from ui.services.text import _
from ui.view_models.play_view import PieceState, PieceView
from ui.web.art_files import BoardArt
from ui.web.board_svg import SvgBoard
from ui.web.faces import Faces
from ui.web.markup import Html, element

INDEX = "index.json"
SECONDS_TO_DRAW = 120.0
DRAWN_AGAIN = 60.0
"""seconds after which a board whose drawing failed, say on a full disk, is drawn again when a page shows it"""
ENDED_TOGETHER = 2.0
"""seconds within which whoever ended the drawing by a signal may have ended the hub, too"""
MOST_EDITIONS = 50
"""boards of other editions that are remembered"""
_log = logging.getLogger("companion.hub")


class Boards:
    """The boards of the games; pictures appear as soon as they are drawn. `draws` False: plain colours."""

    def __init__(self, *, draws: bool = True, clock: Callable[[], float] = time.monotonic) -> None:
        self._draws, self._clock = draws, clock
        self.drawn: Callable[[str], None] = lambda _rules: None
        """told the game whose pictures are there now, on another thread"""
        self._known: dict[str, Board | None] = {}
        self._editions: dict[str, Board] = {}
        self._art: dict[str, BoardArt] = {}
        self._asked: set[str] = set()
        self._failed: dict[str, float] = {}
        """games whose boards could not be drawn, and when that was"""
        self._waiting: dict[str, bool] = {}
        """games that are to be drawn, in the order in which they were asked for, and whether a page shows one"""
        self._is_drawing = False
        self._stopping = threading.Event()
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Draw no more; of what is being drawn nothing is said."""
        self._stopping.set()

    def add(self, board: Board) -> None:
        """Another edition, as a record defines it."""
        if len(self._editions) < MOST_EDITIONS:
            self._editions.setdefault(board.digest, board)

    def board(self, rules: str, digest: str = "") -> Board | None:
        """The board of a game by the digest of its definition, "" for the print's; None for one that is not known."""
        if rules not in self._known:
            self._known.setdefault(rules, print_and_play_board(rules) if rules in known_games() else None)
        board = self._known[rules]
        if board is not None and digest in ("", board.digest):
            return board
        return self._editions.get(digest)

    def art(self, board: Board) -> BoardArt | None:
        """The printed pictures of a board; None until they are drawn, or where it has none."""
        with self._lock:
            if board is self._known.get(board.game):
                self._want(board.game, shown=True)
            return self._art.get(board.digest)

    def draw_ahead(self, games: Iterable[str]) -> None:
        """Let the boards of games be drawn in this order before a page shows one; what a page shows comes first."""
        with self._lock:
            for game in games:
                self._want(game, shown=False)

    def _want(self, game: str, *, shown: bool) -> None:
        if game in self._waiting:
            self._waiting[game] |= shown
        elif self._draws and (game not in self._asked or self._may_try_again(game)):
            self._asked.add(game)
            self._failed.pop(game, None)
            self._waiting[game] = shown
            if not self._is_drawing:
                self._is_drawing = True
                threading.Thread(target=self._draw_all, name="hub pictures", daemon=True).start()

    def _may_try_again(self, game: str) -> bool:
        return game in self._failed and self._clock() - self._failed[game] >= DRAWN_AGAIN

    def _draw_all(self) -> None:
        """Draw what is waited for, one board at a time."""
        while (game := self._next()) is not None:
            board = self.board(game)
            if board is not None:
                self._draw(board)

    def _next(self) -> str | None:
        with self._lock:
            game = next((game for game, shown in self._waiting.items() if shown), next(iter(self._waiting), None))
            game = None if self._stopping.is_set() else game
            self._is_drawing = game is not None
            if game is not None:
                del self._waiting[game]
            return game

    def file(self, name: str) -> bytes | None:
        """A picture by its name."""
        return next((art.files[name] for art in list(self._art.values()) if name in art.files), None)

    def faces(self, rules: str, prefix: str) -> Faces:
        """Pictures of a game's pieces and seals, for a part of a page that is told apart by a prefix."""
        board = self.board(rules)
        return Faces(board, self.art(board) if board is not None else None, prefix)

    def svg(self, rules: str, state: TableState, faces: Faces) -> Html:
        """The board of a table as it lies; nothing where its edition is not known."""
        board = self.board(rules, state.digest)
        if board is None:
            return Html("")
        art = self.art(board)
        symbols = faces.symbols
        if symbols is None or board is not self.board(rules):
            symbols = Faces(board, art, "e").symbols
        if symbols is None:
            return Html("")
        pieces = tuple(PieceView(spot, label, PieceState.PLACED) for spot, label in state.pieces.items())
        picture = SvgBoard(board, art, symbols).svg(Shown(pieces), None, _("The board"))
        more = symbols.definitions() if symbols is not faces.symbols else Html("")
        return element("div", picture, more, class_="sheet")

    def _draw(self, board: Board) -> None:
        try:
            command = [sys.executable, "-m", "ui.hub.board_pictures", board.game]
            done = subprocess.run(command, check=True, timeout=SECONDS_TO_DRAW, capture_output=True, text=True)
            self._art[board.digest] = read_art(Path(done.stdout.strip()))
            self.drawn(board.game)
        except (CompanionError, OSError, ValueError, KeyError, TypeError, subprocess.SubprocessError) as error:
            if self._stopping.wait(ENDED_TOGETHER if getattr(error, "returncode", 0) < 0 else 0.0):
                return
            _log.warning("the board of %s is shown in plain colours for now: %s", board.game, error)
            with self._lock:
                self._failed[board.game] = self._clock()


def read_art(folder: Path) -> BoardArt:
    """The pictures that were kept in a folder.

    Raises OSError, ValueError, KeyError.
    """
    document = json.loads((folder / INDEX).read_text(encoding="utf-8"))
    cells = {Face(each[0], each[1], each[2]): Cell(*each[3:]) for each in document["cells"]}
    part, size, atlas = (tuple(document[name]) for name in ("part", "size", "atlas_size"))
    extent = Extent(document["scale"], part, size, atlas, cells)
    files: Mapping[str, bytes] = {
        name: (folder / name).read_bytes() for name in (document["sheet"], document["faces"])
    }  # fmt: skip
    held = HeldCells((1, 1), {})
    return BoardArt(extent, held, document["sheet"], document["faces"], "", {}, files)
