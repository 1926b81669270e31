"""Writes everything needed to play as PDF and PNG: the board, whole or cut into pages, and all pieces."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from calibration.board_sheet import draw_board
from calibration.components import Component
from calibration.drawing.colours import RUBRIC, SEPIA
from calibration.drawing.ink import Ink
from calibration.drawing.raster import page_picture, png_bytes
from calibration.editions import USUAL, Edition
from calibration.errors import PrintError
from calibration.poster import INNER_MARGIN, PosterPage, poster_pages
from calibration.progress import Progress
from calibration.sheets import MARGIN, PAPERS, SheetSpec, draw_ruler, draw_sheet, piece_sheets, sticker_sheets
from companion.board.layout import Board
from companion.files.whole_files import write_whole

BOARD_DPI = 150
"""Default resolution of the board's pictures."""
PIECES_DPI = 300
"""Default resolution of the pieces' pictures."""


_CUT = (170, 170, 170)


def print_everything(
    board: Board, components: Sequence[Component], folder: Path, paper: str = "A4", png_dpi: int | None = None,
    progress: Progress | None = None, edition: Edition = USUAL,
) -> list[Path]:  # fmt: skip
    """Write the board, the sheets next to it, and all pieces for one size of paper; returns the files, PDF before PNG.

    `png_dpi` is the resolution of the pictures, by default 150 for the board and 300 for the pieces; 0 leaves them out.
    The pieces are on A4 where the board is on A2, and smaller sheets are on paper that fits. A file appears only once
    it is complete. Raises PrintError where something does not fit on the paper, the resolution is impossible, or the
    folder cannot be written.
    """
    check_paper(paper)
    if png_dpi is not None and not (png_dpi == 0 or 10 <= png_dpi <= 1200):
        raise PrintError(f"a resolution of {png_dpi} dpi is not possible; it must be 0 (no pictures) or 10 to 1200")
    check_folder(folder)
    own_paper = pieces_paper(paper)
    count = len(piece_sheets(board, components, own_paper))
    board_dpi, pieces_dpi = (BOARD_DPI, PIECES_DPI) if png_dpi is None else (png_dpi, png_dpi)
    steps: list[tuple[str, Callable[[], bytes]]] = []
    sheets = (board, *board.beside.values())
    for sheet in sheets:
        fitting = paper_for(sheet, paper)
        steps.append((f"{file_stem(sheet.id)}-board-{fitting}.pdf", partial(board_pdf, sheet, fitting)))
    pieces = cache(lambda: pieces_pdf(board, components, own_paper, edition))
    name = f"{file_stem(board.id)}-pieces-{own_paper}"
    steps.append((f"{name}.pdf", pieces))
    if edition is Edition.SECOND and sticker_sheets(board, components, own_paper):
        steps.append((
            f"{file_stem(board.id)}-stickers-{own_paper}.pdf", partial(stickers_pdf, board, components, own_paper)
        ))  # fmt: skip
    if png_dpi != 0:
        steps += [(f"{file_stem(sheet.id)}-board.png", partial(_board_picture, sheet, board_dpi)) for sheet in sheets]
        steps += [(f"{name}-{k + 1:02}.png", partial(_page_picture, pieces, k, pieces_dpi)) for k in range(count)]
    written: list[Path] = []
    for step, (file, data) in enumerate(steps):
        if progress is not None:
            progress(step, len(steps), file)
        written.append(write_file(folder / file, data()))
    if progress is not None:
        progress(len(steps), len(steps), "")
    return written


def pieces_paper(paper: str) -> str:
    """The paper size of the pieces if the board is on `paper`."""
    return "A4" if paper == "A2" else paper


def paper_for(board: Board, paper: str) -> str:
    """The paper size for a sheet if `paper` is requested: a smaller one if the sheet fits on it whole."""
    wanted = PAPERS[check_paper(paper)]
    fitting = [
        name
        for name, size in PAPERS.items()
        if size <= wanted and min(board.size) <= size[0] + 1e-6 and max(board.size) <= size[1] + 1e-6
    ]
    return min(fitting, key=lambda name: PAPERS[name], default=paper)


def _board_picture(board: Board, dpi: int) -> bytes:
    return png_bytes(page_picture(whole_board_pdf(board), 0, dpi / 25.4), dpi / 25.4)


def _page_picture(pdf: Callable[[], bytes], page: int, dpi: int) -> bytes:
    return png_bytes(page_picture(pdf(), page, dpi / 25.4), dpi / 25.4)


def file_stem(text: str) -> str:
    """An untrusted name as the first part of a file name that is safe on every system."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "unnamed"


def whole_board_pdf(board: Board) -> bytes:
    """The board's sheet on one page of its own size."""
    ink = Ink(board.name)
    ink.page(*board.size)
    draw_board(ink, board)
    return ink.pdf()


def board_pdf(board: Board, paper: str) -> bytes:
    """The board's sheet on paper of this name: one page where it fits, else pages to glue together.

    Raises PrintError where it cannot be cut without a seam through a marker.
    """
    tiles = poster_pages(board, PAPERS[check_paper(paper)])
    if len(tiles) == 1 and tiles[0].page == board.size:
        return whole_board_pdf(board)
    ink = Ink(board.name)
    with ink.group("board", *board.size):
        draw_board(ink, board)
    for tile in tiles:
        ink.page(*tile.page)
        _draw_page(ink, board, tile, tiles)
    return ink.pdf()


def pieces_pdf(board: Board, components: Sequence[Component], paper: str, edition: Edition = USUAL) -> bytes:
    """All piece sheets, one a page.

    Raises PrintError where a component does not fit on the paper.
    """
    return _sheets_pdf("pieces", board, piece_sheets(board, components, check_paper(paper)), edition)


def stickers_pdf(board: Board, components: Sequence[Component], paper: str) -> bytes:
    """The sheets of stickers for wooden pieces, one a page."""
    return _sheets_pdf("stickers", board, sticker_sheets(board, components, check_paper(paper)), Edition.SECOND)


def _sheets_pdf(what: str, board: Board, sheets: Sequence[SheetSpec], edition: Edition) -> bytes:
    ink = Ink(f"{board.name}: {what}")
    for number, sheet in enumerate(sheets, 1):
        ink.page(*sheet.size)
        draw_sheet(ink, board, sheet, number, len(sheets), edition)
    return ink.pdf()


def check_paper(paper: str) -> str:
    """Check the name of a paper size and return it.

    Raises PrintError for an unknown one.
    """
    if paper not in PAPERS:
        raise PrintError(f"paper {paper!r} is not known; there are {', '.join(PAPERS)}")
    return paper


def check_folder(folder: Path) -> None:
    """Create the folder if it does not exist.

    Raises PrintError where nothing can be written there.
    """
    if folder.exists() and not folder.is_dir():
        raise PrintError(f"{folder}: is no folder; name another one")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise PrintError(f"{folder}: cannot be written ({error.strerror or error}); name another folder") from error


def write_file(path: Path, data: bytes) -> Path:
    """Write a file atomically.

    Raises PrintError where it cannot be written.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        raise PrintError(f"{path}: cannot be written ({error.strerror or error}); name another folder") from error
    return path


def _draw_page(ink: Ink, board: Board, tile: PosterPage, tiles: Sequence[PosterPage]) -> None:
    """Draw a page of the poster: its part of the board, cut marks along its seams, and instructions."""
    left, top, right, bottom = tile.printed
    x0, y0 = tile.origin
    area = [(x0, y0), (x0 + right - left, y0), (x0 + right - left, y0 + bottom - top), (x0, y0 + bottom - top)]
    with ink.clipped(area), ink.placed(x0 - left, y0 - top):
        ink.stamp("board", board.size[1])
    for start, end in _cut_marks(tile, board):
        ink.line([start, end], _CUT, 0.15)
    rows, columns = max(t.row for t in tiles) + 1, max(t.column for t in tiles) + 1
    below = y0 + bottom - top + 10
    if tile.page[1] - below > 22 and len(tiles) > 1:
        where = f"{board.name}: row {tile.row + 1} of {rows}, column {tile.column + 1} of {columns}"
        ink.text(MARGIN + 2, below, where, 2.4, RUBRIC, anchor="start")
        advice = "Cut along the grey lines at the left and at the top; glue over the strips of the neighbouring pages."
        ink.text(MARGIN + 2, below + 5, advice, 1.8, SEPIA, anchor="start", widest=tile.page[0] - 2 * MARGIN - 24)
        for other in tiles:
            x, y = tile.page[0] - MARGIN - 7.0 * (columns - other.column), below - 2 + 5.0 * other.row
            ink.rectangle(x, y, 7.0, 5.0, RUBRIC if other == tile else None, SEPIA, 0.2)
        draw_ruler(ink, MARGIN + 2, tile.page[1] - MARGIN)


def _cut_marks(tile: PosterPage, board: Board) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Short lines next to the printed part, in line with its seams; long ones where the seam is the print's own
    edge.
    """
    left, top, right, bottom = tile.part
    x0, y0 = tile.origin
    x1, y1 = x0 + tile.printed[2] - left, y0 + tile.printed[3] - top
    reach = INNER_MARGIN - 1.0
    if left > 0:
        yield (x0 - 0.1, max(0.5, y0 - reach)), (x0 - 0.1, y1 + reach)
    if top > 0:
        yield (max(0.5, x0 - reach), y0 - 0.1), (x1 + reach, y0 - 0.1)
    if right < board.size[0]:
        seam = x0 + right - left
        yield (seam, y1 + 0.5), (seam, y1 + reach)
        if y0 - reach > 0:
            yield (seam, y0 - reach), (seam, y0 - 0.5)
    if bottom < board.size[1]:
        seam = y0 + bottom - top
        yield (x1 + 0.5, seam), (x1 + reach, seam)
        if x0 - reach > 0:
            yield (x0 - reach, seam), (x0 - 0.5, seam)
