"""Boards as they are printed, for the screen: drawn once and kept, told apart without colours, marked around pieces."""

from __future__ import annotations

import math
import shutil
from itertools import combinations
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.board.layout import Board, parse_board
from companion.files.documents import DocumentTable
from companion.registry import print_and_play_board
from tests.every_game import EVERY_GAME
from tests.ui.tables import BOARD, pieces_of, state_after
from ui.drawing import marks
from ui.drawing.board_frame import BoardFrame, fitted, shown_part
from ui.drawing.faces import STOREY, faces_of, lying
from ui.drawing.shapes import contains
from ui.drawing.theme import contrast
from ui.printed import edition
from ui.printed.edition import keep_photograph
from ui.printed.image import board_image
from ui.printed.pictures import BoardPictures, Wanted, board_pictures
from ui.printed.scene import Filled, Line, Looks, Quads, Shown, Word, compose_scene
from ui.services.folders import BOARDS, cache_folder, data_folder
from ui.view_models.play_view import PieceState, PieceView, VerdictKind, VerdictView

SCALE = 1.77
"""pixels of a millimetre in a window of 1280 by 800"""
# Gustavo Machado et al., A Physiologically-based Model for Simulation of Color Vision Deficiency (2009), severity 1.
DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
PROTANOPIA = ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))


@pytest.fixture(scope="module", params=EVERY_GAME)
def sheet(request: pytest.FixtureRequest) -> tuple[Board, BoardPictures]:
    board = print_and_play_board(request.param)
    return board, board_pictures(board, Wanted(SCALE, shown_part(board)))


@pytest.fixture(scope="module")
def pictures() -> BoardPictures:
    return board_pictures(BOARD, Wanted(SCALE, shown_part(BOARD)))


def face_of(pictures: BoardPictures, name: tuple[str, str, float]) -> np.ndarray:
    cell = next(cell for face, cell in pictures.cells.items() if (face.piece, face.label, face.turn) == name)
    height, width = pictures.atlas.shape[:2]
    left, top = round(cell.left * width), round(cell.top * height)
    return pictures.atlas[top : top + cell.height, left : left + cell.width]


def seen_by(picture: np.ndarray, sight: tuple[tuple[float, ...], ...] | None) -> np.ndarray:
    """The lightness and hue (CIE L*a*b*) of a picture (red, green, blue) for eyes of this sight."""
    colours = picture[:, :, :3] / 255.0
    if sight is not None:
        linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
        linear = np.clip(linear @ np.array(sight).T, 0, 1)
        colours = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return cv2.cvtColor(colours.astype(np.float32), cv2.COLOR_RGB2LAB)


def test_every_face_of_every_spot_is_there(sheet: tuple[Board, BoardPictures]) -> None:
    board, pictures = sheet
    assert set(pictures.cells) == set(faces_of(board))
    left, top, right, bottom = shown_part(board)
    assert pictures.sheet.shape == (round((bottom - top) * SCALE), round((right - left) * SCALE), 4)
    for face in pictures.cells:
        opaque = face_of(pictures, (face.piece, face.label, face.turn))[:, :, 3]
        assert opaque.max() == 255
        assert max(opaque[0].max(), opaque[-1].max(), opaque[:, 0].max(), opaque[:, -1].max()) < 40, "room for a shadow"


def test_labels_differ_for_colour_blind_eyes_and_in_their_signs_alone(sheet: tuple[Board, BoardPictures]) -> None:
    """Also under what stands on a piece: the disc in its middle is left out where something may stand there."""
    board, pictures = sheet
    carried = {piece.raised_by for piece in board.pieces.values() if piece.lies_on != "cell side"}
    alike = []
    kinds = {(face.piece, face.turn) for face in pictures.cells}
    for kind, turn in sorted(kinds):
        labels = [face.label for face in pictures.cells if (face.piece, face.turn) == (kind, turn)]
        faces = {label: face_of(pictures, (kind, label, turn)) for label in labels}
        looks = {
            label: [seen_by(face, sight) for sight in (None, DEUTERANOPIA, PROTANOPIA)] for label, face in faces.items()
        }
        for one, other in combinations(labels, 2):
            both = (faces[one][:, :, 3] > 200) & (faces[other][:, :, 3] > 200)
            if kind in carried and board.pieces[kind].shape == "rhombus":
                rows, columns = np.indices(both.shape)
                middle = (both.shape[0] - 1) / 2, (both.shape[1] - 1) / 2
                both &= np.hypot(rows - middle[0], columns - middle[1]) > 5.5 * SCALE
            light = [looks[label][0][:, :, 0][both] for label in (one, other)]
            signs = int((abs((light[0] - np.median(light[0])) - (light[1] - np.median(light[1]))) > 15).sum())
            hues = [
                math.dist(*(np.median(looks[label][sight][both], axis=0) for label in (one, other))) for sight in (1, 2)
            ]
            is_turned = one.rpartition(" ")[0] == other.rpartition(" ")[0] != ""
            if signs < 8 or (min(hues) < 7 and not is_turned):
                alike.append((kind, one, other, signs, hues))
    assert alike == []


def test_a_damaged_picture_in_the_cache_is_drawn_anew(
    pictures: BoardPictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_the_run = next((cache_folder() / "boards").glob(f"{BOARD.digest[:24]}-*-{edition.SCALES[0]:g}"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache_folder() / "boards" / of_the_run.name
    folder.mkdir(parents=True)
    for name in (edition.SHEET, edition.FACES, edition.CHIPS, edition.CARDS, edition.DOCUMENT):
        shutil.copy(of_the_run / name, folder)
    for name, damage in ((edition.FACES, b""), (edition.DOCUMENT, b"[1, 2]"), (edition.SHEET, b"no picture")):
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(damage)
        assert edition._read(folder) is None, name
        (folder / name).write_bytes(whole)
    assert edition._read(folder) is not None
    (folder / edition.SHEET).write_bytes(b"no picture")
    again = board_pictures(BOARD, Wanted(SCALE, shown_part(BOARD)))
    assert np.array_equal(again.sheet, pictures.sheet)
    assert np.array_equal(again.atlas, pictures.atlas)
    assert edition._read(folder) is not None


def test_without_a_cache_the_board_is_drawn_all_the_same(
    pictures: BoardPictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    again = board_pictures(BOARD, Wanted(SCALE, shown_part(BOARD)))
    assert np.array_equal(again.sheet, pictures.sheet)


def test_the_sheet_of_an_own_board_is_the_photograph_that_was_traced() -> None:
    own = parse_board(DocumentTable({**BOARD.definition, "id": "own/photographed"}, "own", ""))
    photograph = np.zeros((420, 594, 3), np.uint8)
    photograph[:, :297], photograph[:, 297:] = (40, 60, 200), (200, 120, 30)
    folder = data_folder() / BOARDS
    folder.mkdir(parents=True, exist_ok=True)
    keep_photograph(own, photograph, folder)
    left, top, right, bottom = part = shown_part(own)
    sheet = board_pictures(own, Wanted(1.0, part)).sheet
    for x, colour in ((left + 5, (200, 60, 40)), (right - 5, (30, 120, 200))):
        seen = sheet[round((bottom - top) / 2), round(x - left), :3].astype(int)
        assert abs(seen - np.array(colour)).max() < 12
    (folder / next(path.name for path in folder.glob("*.jpg"))).write_bytes(b"damaged")
    assert len(np.unique(board_pictures(own, Wanted(1.0, part)).sheet.reshape(-1, 4), axis=0)) > 100


def test_a_dimmed_sheet_keeps_the_order_of_its_colours(pictures: BoardPictures) -> None:
    dim = board_pictures(BOARD, Wanted(SCALE, shown_part(BOARD), dimmed=True))
    bright, dark = (each.sheet[:, :, :3].astype(int).sum(axis=2).ravel() for each in (pictures, dim))
    assert (dark < bright + 3).all()
    assert np.corrcoef(bright, dark)[0, 1] > 0.999
    assert np.array_equal(dim.atlas[:, :, 3], pictures.atlas[:, :, 3])


def test_a_pile_lifts_what_stands_on_it() -> None:
    board = print_and_play_board("capitol")
    floor = next(spot for spot in board.spots.values() if spot.piece == "floor")
    dome = next(spot for spot in board.spots.values() if spot.piece == "dome" and spot.site == floor.site)
    alone, high = (lying(board, [(floor.name, count), (dome.name, "green")]) for count in ("1", "4"))
    assert alone[1].centre == dome.centre
    assert high[1].centre == pytest.approx((dome.centre[0], dome.centre[1] - 3 * STOREY))
    assert high[1].level > high[0].level


def composed(pictures: BoardPictures | None, pieces: tuple[PieceView, ...], **said: object) -> tuple[Looks, tuple]:
    looks = Looks(fitted(shown_part(BOARD), (0.0, 0.0, 522 * SCALE, 348 * SCALE)), pictures)
    return looks, compose_scene(BOARD, looks, Shown(pieces, **said))  # type: ignore[arg-type]


def test_pieces_without_marks_are_one_list_of_quads(pictures: BoardPictures) -> None:
    pieces = tuple(PieceView(piece.spot, piece.label, PieceState.PLACED) for piece in pieces_of(state_after(120)))
    _looks, scene = composed(pictures, pieces)
    assert [type(each) for each in scene if not isinstance(each, Filled | Line | Word)] == [Quads]
    quads = next(each for each in scene if isinstance(each, Quads))
    assert len(quads.vertices) == 16 * len(pieces)
    assert all(0 <= share <= 1 for share in (*quads.vertices[2::4], *quads.vertices[3::4]))


@pytest.mark.parametrize("state", [state for state in PieceState if state is not PieceState.PLACED])
def test_a_mark_hides_nothing_of_its_piece(pictures: BoardPictures, state: PieceState) -> None:
    """Whatever is filled or drawn within a piece's outline is drawn before its face."""
    spot = next(name for name in BOARD.spots if name.startswith("ward G7"))
    looks, scene = composed(pictures, (PieceView(spot, "blue", state),))
    outline = looks.frame.pixels(BOARD.spots[spot].outline)
    last = max(number for number, each in enumerate(scene) if isinstance(each, Quads))
    middle = looks.frame.pixel(BOARD.spots[spot].centre)
    for each in scene[last + 1 :]:
        if isinstance(each, Filled):
            assert not contains(each.points, middle)
            assert all(not contains(outline, point) for point in each.points) or len(each.points) > 8
    assert any(isinstance(each, Line) for each in scene)


def test_what_lies_higher_lies_over_the_mark_of_what_lies_lower(pictures: BoardPictures) -> None:
    look = {piece.spot: piece for piece in pieces_of(state_after(120))}
    building = next(spot for spot in look if spot.startswith("building "))
    vertex = BOARD.spots[building].site
    ward = next(spot for spot in look if spot.startswith("ward ") and vertex in BOARD.lattice.corners(spot[5:]))
    pieces = (PieceView(ward, look[ward].label, PieceState.LATEST), look[building])
    _looks, scene = composed(pictures, pieces)
    halo = max(number for number, each in enumerate(scene) if isinstance(each, Line))
    faces = [len(each.vertices) // 16 for each in scene[halo:] if isinstance(each, Quads)]
    assert sum(faces) == 2, "the ward once more, and the building over its halo"


def test_few_overlapping_places_are_outlined_and_many_are_dots(pictures: BoardPictures) -> None:
    wards = [spot.site for spot in BOARD.spots.values() if spot.piece == "ward"]
    for count, kind in ((2, Line), (30, Filled)):
        _looks, scene = composed(pictures, (), legal=frozenset(wards[:count]))
        assert {type(each) for each in scene} == {kind}


def test_few_empty_places_are_outlined_and_of_many_each_has_a_dot() -> None:
    board = print_and_play_board("capitol")
    squares = sorted(spot.site for spot in board.spots.values() if spot.piece == "floor")
    looks = Looks(BoardFrame(2.0, (0.0, 800.0)), None)
    for count, kind in ((marks.MOST_MARKED, Line), (marks.MOST_MARKED + 1, Filled)):
        scene = compose_scene(board, looks, Shown(legal=frozenset(squares[:count])))
        assert {type(each) for each in scene} == {kind}


def test_a_place_that_may_be_empty_is_ringed_and_asked_about(pictures: BoardPictures) -> None:
    spot = next(name for name in BOARD.spots if name.startswith("ward G7"))
    _looks, scene = composed(pictures, (PieceView(spot, "", PieceState.DOUBTFUL),))
    assert [each.text for each in scene if isinstance(each, Word)] == ["?"]
    assert not any(isinstance(each, Quads) for each in scene)


def test_a_refused_place_is_ringed_and_crossed(pictures: BoardPictures) -> None:
    verdict = VerdictView(VerdictKind.REFUSED, "No", sites=("H4",))
    _looks, scene = composed(pictures, (), verdict=verdict)
    assert [each.text for each in scene if isinstance(each, Word)] == [marks.CROSS]
    assert marks.WRONG_RED in {each.colour for each in scene if isinstance(each, Line)}


def test_before_its_picture_is_there_a_piece_is_told_by_colour_and_letters() -> None:
    pieces = tuple(pieces_of(state_after(120)))
    _looks, scene = composed(None, pieces)
    assert not any(isinstance(each, Quads) for each in scene)
    words = [each for each in scene if isinstance(each, Word)]
    assert len(words) >= len(pieces)
    grounds = [each.colour for each in scene if isinstance(each, Filled)]
    assert min(contrast(ground, word.colour) for ground, word in zip(grounds, words, strict=False)) >= 1


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_board_for_sharing_shows_what_lies_on_it(game: str) -> None:
    for board in print_and_play_board(game).sheets:
        spot = max(board.spots.values(), key=lambda each: each.base)
        bare = board_image(board, {}, 1.0).astype(int)
        laid = board_image(board, {spot.name: spot.labels[0]}, 1.0).astype(int)
        rows, columns = np.nonzero(abs(laid - bare).max(axis=2) > 20)
        left, top, _right, _bottom = shown_part(board)
        centre = lying(board, [(spot.name, spot.labels[0])])[0].centre
        assert len(rows) > 20
        assert math.dist((columns.mean() + left, rows.mean() + top), centre) < 4
