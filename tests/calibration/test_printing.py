"""Files: pages of exact sizes, posters that make the whole sheet again, nothing half written."""

import itertools
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.components import Component
from calibration.drawing.raster import page_picture
from calibration.editions import Edition
from calibration.errors import PrintError
from calibration.poster import INNER_MARGIN, OUTER_MARGIN, OVERLAP, poster_pages, seams
from calibration.printing import board_pdf, pieces_pdf, print_everything, whole_board_pdf
from calibration.sheets import PAPERS
from companion.board.layout import Board

POINTS = 72 / 25.4


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        return [document[k].get_size() for k in range(len(document))]
    finally:
        document.close()


@pytest.mark.parametrize(
    ("paper", "size", "pages"), [("A2", (594, 420), 1), ("A3", (420, 297), 4), ("A4", (210, 297), 6)]
)
def test_board_pages_are_exact(board: Board, paper: str, size: tuple[float, float], pages: int) -> None:
    sizes = page_sizes(board_pdf(board, paper))
    assert len(sizes) == pages
    for seen in sizes:
        assert seen == pytest.approx((size[0] * POINTS, size[1] * POINTS), abs=0.001)


def test_piece_pages_are_exact(board: Board, components: tuple[Component, ...]) -> None:
    for paper in ("A4", "A3"):
        for seen in page_sizes(pieces_pdf(board, components, paper)):
            assert seen == pytest.approx([v * POINTS for v in PAPERS[paper]], abs=0.001)


@pytest.mark.parametrize("paper", ["A3", "A4"])
def test_a_poster_makes_the_whole_sheet_again(board: Board, paper: str) -> None:
    scale = 4.0
    whole = page_picture(whole_board_pdf(board), 0, scale)
    pdf = board_pdf(board, paper)
    again = np.zeros_like(whole)
    for page, tile in enumerate(poster_pages(board, PAPERS[paper])):
        picture = page_picture(pdf, page, scale)
        left, top, right, bottom = (round(v * scale) for v in tile.part)
        x, y = (round(v * scale) for v in tile.origin)
        again[top:bottom, left:right] = picture[y : y + bottom - top, x : x + right - left]
    apart = np.abs(whole.astype(int) - again.astype(int)).max(axis=2)
    assert (apart > 24).mean() < 1e-4
    assert apart.mean() < 0.1


@pytest.mark.parametrize("paper", ["A3", "A4"])
def test_a_poster_covers_the_sheet_without_a_seam_through_a_marker(board: Board, paper: str) -> None:
    tiles = poster_pages(board, PAPERS[paper])
    parts = [tile.part for tile in tiles]
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in parts) == pytest.approx(
        board.size[0] * board.size[1]
    )
    reach = board.markers.side / 2 + board.markers.quiet_zone
    squares = [(x, y, reach) for x, y in board.markers.centres.values()]
    squares += [(*patch.centre, patch.side / 2) for patch in board.patches]
    for x, y, half in squares:
        holders = [p for p in parts if p[0] <= x - half and p[1] <= y - half and p[2] >= x + half and p[3] >= y + half]
        assert len(holders) == 1
    for tile in tiles:
        width, height = tile.printed[2] - tile.printed[0], tile.printed[3] - tile.printed[1]
        assert tile.origin[0] + width <= tile.page[0]
        assert tile.origin[1] + height <= tile.page[1]
        inner = [(tile.part[2], tile.printed[2], board.size[0]), (tile.part[3], tile.printed[3], board.size[1])]
        for seam, end, edge in inner:
            assert end - seam == (0 if seam == edge else OVERLAP)


def test_markers_are_found_on_the_pages_that_hold_them(board: Board) -> None:
    pdf = board_pdf(board, "A4")
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    found: list[int] = []
    for page in range(6):
        _, ids, _ = finder.detectMarkers(page_picture(pdf, page, 4.0))
        found.extend(np.ravel(ids).tolist() if ids is not None else [])
    assert sorted(found) == sorted(board.markers.centres)


def test_seams_are_even_where_nothing_is_in_the_way() -> None:
    assert seams(500, 300, []) == [250]
    assert seams(500, 300, [(240, 262)]) == [238]


def test_seams_give_way_to_what_they_must_and_spare_what_they_can() -> None:
    assert seams(500, 300, [], [(240, 262)]) == [238]
    assert seams(500, 300, [], [(0, 500)]) == [250]
    assert seams(500, 300, [(0, 500)]) is None


spans = st.lists(st.tuples(st.integers(0, 900), st.integers(1, 60)).map(lambda s: (s[0], s[0] + s[1])), max_size=8)


@given(st.integers(100, 900), st.sampled_from([210.0, 297.0, 420.0]), spans, spans)
def test_seams_fit_the_pages_and_spare_what_is_forbidden(
    length: int, page: float, forbidden: list[tuple[float, float]], preferred: list[tuple[float, float]]
) -> None:
    found = seams(length, page, forbidden, preferred)
    if found is None:
        assert forbidden
        return
    for seam in found:
        assert not any(low < seam < high for low, high in forbidden)
    strips = [end - start for start, end in itertools.pairwise([0, *found, length])]
    assert min(strips) > 0
    margins = [OUTER_MARGIN + INNER_MARGIN, *[2 * INNER_MARGIN] * (len(strips) - 2), OUTER_MARGIN + INNER_MARGIN]
    for index, (strip, margin) in enumerate(zip(strips, margins, strict=True)):
        assert strip + margin + (OVERLAP if index + 1 < len(strips) else 0) <= page + 1e-6


def test_a_board_that_cannot_be_cut_beside_its_markers_is_refused(board: Board) -> None:
    row = {k: (40.0 + 34.0 * k, 210.0) for k in range(16)}
    column = {16 + k: (297.0, 20.0 + 34.0 * k) for k in range(12)}
    crowded = replace(board, markers=replace(board.markers, centres=MappingProxyType(row | column)))
    with pytest.raises(PrintError, match="without a seam through a marker"):
        board_pdf(crowded, "A4")
    assert len(page_sizes(board_pdf(crowded, "A2"))) == 1


def test_everything_is_written(board: Board, components: tuple[Component, ...], tmp_path: Path) -> None:
    steps: list[tuple[int, int, str]] = []
    written = print_everything(
        board, components, tmp_path / "out", "A4", 40, lambda *step: steps.append(step), Edition.SECOND
    )
    assert sorted(written) == sorted((tmp_path / "out").iterdir())
    assert [path.suffix for path in written[:4]] == [".pdf", ".pdf", ".pdf", ".png"]
    assert [done for done, _, _ in steps] == list(range(len(written) + 1))
    assert {total for _, total, _ in steps} == {len(written)}
    assert [name for _, _, name in steps[:-1]] == [path.name for path in written]
    picture = cv2.imread(str(written[3]))
    assert picture is not None
    assert picture.shape[:2] == (round(420 / 25.4 * 40), round(594 / 25.4 * 40))
    header = written[3].read_bytes()[:80]
    per_metre = int.from_bytes(header[header.index(b"pHYs") + 4 :][:4], "big")
    assert per_metre == round(40 / 0.0254)


def test_pictures_can_be_left_out(board: Board, components: tuple[Component, ...], tmp_path: Path) -> None:
    written = print_everything(board, components, tmp_path, "A2", 0)
    assert {path.suffix for path in written} == {".pdf"}
    assert page_sizes(written[1].read_bytes())[0] == pytest.approx([v * POINTS for v in PAPERS["A4"]], abs=0.001)


def test_documents_are_the_same_every_time(board: Board, components: tuple[Component, ...]) -> None:
    assert board_pdf(board, "A4") == board_pdf(board, "A4")
    assert pieces_pdf(board, components, "A4") == pieces_pdf(board, components, "A4")


def test_unknown_paper_is_refused(board: Board, components: tuple[Component, ...], tmp_path: Path) -> None:
    with pytest.raises(PrintError, match=r"paper 'A9' is not known; there are A4, A3, A2"):
        print_everything(board, components, tmp_path, "A9")


@pytest.mark.parametrize("dpi", [-1, 5, 100_000])
def test_impossible_resolutions_are_refused(
    board: Board, components: tuple[Component, ...], tmp_path: Path, dpi: int
) -> None:
    with pytest.raises(PrintError, match="dpi is not possible"):
        print_everything(board, components, tmp_path, "A4", dpi)
    with pytest.raises(PrintError, match="too large; ask for a lower resolution"):
        page_picture(whole_board_pdf(board), 0, 50.0)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_a_file_is_refused(board: Board, components: tuple[Component, ...], tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(PrintError, match="taken: is no folder"):
        print_everything(board, components, tmp_path / "taken", "A4", 0)
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_file_in_the_way_is_named_and_nothing_half_written_stays(
    board: Board, components: tuple[Component, ...], tmp_path: Path
) -> None:
    (tmp_path / "city-of-marble-print-and-play-board-A4.pdf").mkdir()
    with pytest.raises(PrintError, match=r"board-A4\.pdf: cannot be written"):
        print_everything(board, components, tmp_path, "A4", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["city-of-marble-print-and-play-board-A4.pdf"]
