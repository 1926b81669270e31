"""What is drawn is where the board definition says, and can be told apart by cameras and by every eye."""

import itertools
import math

import cv2
import numpy as np
import pytest

from calibration.artwork import board_png, face_png
from calibration.drawing import colours
from calibration.drawing.raster import Picture
from calibration.sheet_parts import MARKER_BAND
from companion.board.layout import Board, Piece, face_outline, parse_board
from companion.files.documents import parse_toml

SCALE = 4.0


@pytest.fixture(scope="module")
def sheet(board: Board) -> Picture:
    return board_png(board, SCALE)


def faces(board: Board) -> dict[tuple[str, str], tuple[Picture, Picture]]:
    return {
        (piece.name, label): face_png(board, piece.name, label, SCALE)
        for piece in board.pieces.values()
        for label in piece.labels
    }


def test_the_sheet_has_the_size_of_the_board(board: Board, sheet: Picture) -> None:
    assert sheet.shape == (round(board.size[1] * SCALE), round(board.size[0] * SCALE), 3)


def test_every_marker_is_found_where_the_definition_puts_it(board: Board, sheet: Picture) -> None:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, board.markers.dictionary))
    quads, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(
        cv2.cvtColor(sheet, cv2.COLOR_BGR2GRAY)
    )
    assert ids is not None
    assert sorted(np.ravel(ids).tolist()) == sorted(board.markers.centres)
    half = board.markers.side / 2
    around = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    for marker, quad in zip(np.ravel(ids).tolist(), quads, strict=True):
        corners = (quad[0] + 0.5) / SCALE
        assert np.abs(corners - (np.array(board.markers.centres[marker]) + around)).max() < 0.1


def test_patches_have_their_colours(board: Board, sheet: Picture) -> None:
    for patch in board.patches:
        x, y = (round(value * SCALE) for value in patch.centre)
        reach = int(patch.side / 2 * SCALE) - 2
        seen = sheet[y - reach : y + reach, x - reach : x + reach].reshape(-1, 3)
        assert (seen == np.array(patch.rgb[::-1])).all(), patch.name


def test_the_margins_hold_markers_and_patches_only(board: Board, sheet: Picture) -> None:
    allowed = np.zeros(sheet.shape[:2], bool)
    squares = [(centre, board.markers.side / 2) for centre in board.markers.centres.values()]
    squares += [(patch.centre, patch.side / 2 + 0.25) for patch in board.patches]
    for (x, y), half in squares:
        left, top = (math.floor((v - half) * SCALE) - 1 for v in (x, y))
        right, bottom = (math.ceil((v + half) * SCALE) + 1 for v in (x, y))
        allowed[max(0, top) : bottom, max(0, left) : right] = True
    band = int(MARKER_BAND * SCALE) - 1
    allowed[band:-band, band:-band] = True
    assert (sheet[~allowed] == 255).all()


def test_every_spot_lies_inside_the_margins(board: Board) -> None:
    width, height = board.size
    for spot in board.spots.values():
        for x, y in spot.outline:
            assert MARKER_BAND <= x <= width - MARKER_BAND, spot.name
            assert MARKER_BAND <= y <= height - MARKER_BAND, spot.name


def test_pictures_are_the_same_every_time(board: Board, sheet: Picture) -> None:
    assert np.array_equal(sheet, board_png(board, SCALE))
    first, second = (face_png(board, "ward", "red", SCALE) for _ in range(2))
    assert np.array_equal(first[0], second[0])
    assert np.array_equal(first[1], second[1])


def test_every_face_differs_from_every_other_of_its_kind(board: Board) -> None:
    drawn = faces(board)
    for (first, (a, mask)), (second, (b, _)) in itertools.combinations(drawn.items(), 2):
        same_thing = {first[0], second[0]} == {"magistrate", "envoy"} and first[1] == second[1]
        if a.shape != b.shape or same_thing:
            continue
        apart = np.abs(a.astype(int) - b.astype(int)).max(axis=2)[mask > 127]
        assert (apart > 60).mean() > 0.1, (first, second)


def test_faces_differ_in_more_than_colour(board: Board) -> None:
    """Each label has a sign of its own: its face cut at half its contrast is another drawing."""
    for name in ("ward", "building", "aqueduct", "cube", "magistrate"):
        drawings = []
        for label in board.pieces[name].labels:
            picture, mask = face_png(board, name, label, 12.0)
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
            inside = cv2.erode(mask, np.ones((25, 25), np.uint8)) > 127
            field = float(np.median(grey[inside]))
            drawings.append((np.abs(grey.astype(float) - field) > 45) & inside)
        for a, b in itertools.combinations(drawings, 2):
            assert (a ^ b).sum() > 0.04 * a.size / 4, name


def area(piece: Piece) -> float:
    if piece.shape == "disc":
        return math.pi * piece.size[0] ** 2 / 4
    x, y = np.array(face_outline(piece)).T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def test_masks_have_the_area_of_their_pieces(board: Board) -> None:
    for (name, _), (_, mask) in faces(board).items():
        assert mask.sum() / 255 / SCALE**2 == pytest.approx(area(board.pieces[name]), rel=0.01), name
    assert area(board.pieces["ward"]) == pytest.approx(31.5**2 * math.sqrt(3) / 2)


def test_masks_fill_the_documented_frame(board: Board) -> None:
    for piece in board.pieces.values():
        _, mask = face_png(board, piece.name, piece.labels[0], SCALE)
        rows, columns = np.nonzero(mask > 127)
        low, high = np.min(face_outline(piece), axis=0), np.max(face_outline(piece), axis=0)
        middle = np.array(mask.shape[::-1]) / 2
        seen = (
            (np.array([columns.min(), rows.min()]) - middle) / SCALE,
            (np.array([columns.max(), rows.max()]) + 1 - middle) / SCALE,
        )
        assert np.abs(seen[0] - low).max() < 0.6, piece.name
        assert np.abs(seen[1] - high).max() < 0.6, piece.name


@pytest.mark.parametrize("label", ["red", "yellow", "green", "blue"])
def test_four_corners_of_wards_make_the_small_hexagon(board: Board, label: str) -> None:
    """An acute corner shows one of the hexagon's six triangles, an obtuse one two; they end 7.5 mm from the vertex."""
    scale = 10.0
    picture, _ = face_png(board, "ward", label, scale)
    middle = np.array(picture.shape[1::-1]) / 2
    spread = board.lattice.side / board.pieces["ward"].size[0]
    directions = ((120, 60), (170, 190), (-60, -120), (-10, 10))
    for corner, angles in zip(face_outline(board.pieces["ward"]), directions, strict=True):
        for angle in angles:
            ray = np.array([math.cos(math.radians(angle)), math.sin(math.radians(angle))])

            def at(distance: float, corner: tuple[float, float] = corner, ray: np.ndarray = ray) -> np.ndarray:
                x, y = np.round((np.array(corner) * spread + distance * ray) * scale + middle).astype(int)
                return picture[y, x, ::-1].astype(int)

            assert np.abs(at(7.0) - np.array(colours.SAND)).max() < 8
            assert np.abs(at(8.6) - np.array(colours.WARDS[label])).max() < 40


def test_unknown_faces_are_refused(board: Board) -> None:
    with pytest.raises(KeyError):
        face_png(board, "ward", "pink", SCALE)
    with pytest.raises(KeyError):
        face_png(board, "horse", "red", SCALE)


# Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB.
SIGHT = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
}


def seen_colour(rgb: tuple[int, int, int], sight: str) -> np.ndarray:
    """The CIE Lab values of what an eye of this kind sees."""
    share = np.array(rgb) / 255
    light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = np.clip(SIGHT[sight] @ light, 0, 1).astype(np.float32)
    return cv2.cvtColor(seen.reshape(1, 1, 3), cv2.COLOR_LRGB2Lab).ravel()


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize(
    "names",
    [
        colours.WARDS,
        colours.BUILDINGS,
        colours.AQUEDUCTS,
        {c: colours.PLAYERS[c] for c in ("black", "white", "purple", "orange")},
        {c: colours.PLAYERS[c] for c in ("red", "blue", "yellow", "green")},
        colours.AREAS,
        colours.TILES,
        colours.BUILDERS,
        colours.PROVINCES,
        colours.CARRIAGES,
        colours.OFFICIALS,
    ],
)
def test_colours_of_one_kind_are_told_apart(sight: str, names: dict[str, tuple[int, int, int]]) -> None:
    for first, second in itertools.combinations(names, 2):
        apart = np.linalg.norm(seen_colour(names[first], sight) - seen_colour(names[second], sight))
        assert apart > 20, (first, second)


OTHER = """
format = 1
id = "lanes/plain"
game = "lanes"
name = "Lanes"
size = [420, 297]
palette = ["red", "blue"]
[grid]
columns = 4
rows = 3
side = 33
corner = [60, 60]
[[group]]
name = "town"
shape = "disc"
size = [20]
place = { Roma = [300, 90], Ostia = [340, 200] }
[link]
road = ["town/Roma - town/Ostia"]
[feature.well]
deep = "B2"
[markers]
dictionary = "DICT_4X4_50"
side = 28
quiet_zone = 3.5
first_id = 8
centres = [[18, 18], [402, 18], [402, 279], [18, 279]]
[[piece]]
name = "stone"
shape = "disc"
size = [22]
height = 4
labels = "palette"
lies_on = "cell"
[[piece]]
name = "plank"
shape = "rectangle"
size = [30, 12]
height = 3
labels = ["oak", "fir"]
lies_on = "town"
"""


def test_a_board_of_another_kind_is_drawn_too() -> None:
    board = parse_board(parse_toml(OTHER, "lanes.toml"))
    sheet = board_png(board, SCALE)
    _, ids, _ = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)).detectMarkers(sheet)
    assert ids is not None
    assert sorted(np.ravel(ids).tolist()) == sorted(board.markers.centres)
    for x, y in (*board.grid.cells.values(), *board.groups["town"].places.values()) if board.grid else ():
        around = sheet[round((y - 4) * SCALE) : round((y + 4) * SCALE), round((x - 4) * SCALE) : round((x + 4) * SCALE)]
        assert around.std() > 5
    oak, fir = (face_png(board, "plank", label, SCALE)[0].astype(int) for label in ("oak", "fir"))
    assert (np.abs(oak - fir).max(axis=2) > 60).mean() > 0.02
