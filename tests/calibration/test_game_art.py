"""The printed editions of all games: sheets and faces that people and cameras can read."""

import itertools
import math
from dataclasses import replace
from functools import cache
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from calibration.artwork import board_png, face_png
from calibration.components import Component, load_components
from calibration.drawing.raster import Picture
from calibration.registry import ART, PLAIN, art_of
from calibration.sheet_parts import MARKER_BAND
from companion.board.layout import Board, Spot
from companion.registry import game_folder, print_and_play_board

SCALE = 4.0


ROME = "thurn_and_taxis/rome"


class Edition:
    """A game's board, or, as `game/sheet`, a sheet beside it."""

    def __init__(self, name: str) -> None:
        self.game, _, beside = name.partition("/")
        main = print_and_play_board(self.game)
        self.board: Board = main.beside[beside] if beside else main
        self.components: tuple[Component, ...] = load_components(game_folder(self.game) / "components.toml", main)
        self.sheet: Picture = board_png(self.board, SCALE)


@cache
def edition_of(name: str) -> Edition:
    return Edition(name)


@pytest.fixture(scope="module", params=[*ART, ROME])
def edition(request: pytest.FixtureRequest) -> Edition:
    return edition_of(request.param)


def test_the_margins_above_and_below_hold_markers_only(edition: Edition) -> None:
    board, sheet = edition.board, edition.sheet
    allowed = np.zeros(sheet.shape[:2], bool)
    band = int(MARKER_BAND * SCALE) - 1
    allowed[band:-band] = True
    half = board.markers.side / 2
    for x, y in board.markers.centres.values():
        left, top = (max(0, math.floor((v - half) * SCALE) - 1) for v in (x, y))
        right, bottom = (math.ceil((v + half) * SCALE) + 1 for v in (x, y))
        allowed[top:bottom, left:right] = True
    assert (sheet[~allowed] == 255).all()


def test_markers_keep_their_quiet_zones_and_are_found(edition: Edition) -> None:
    markers, sheet = edition.board.markers, edition.sheet
    for x, y in markers.centres.values():
        reaches = (markers.side / 2 + markers.quiet_zone - 0.3, markers.side / 2 + 0.5)
        outer, inner = (
            tuple(round(value * SCALE) for value in (x - reach, y - reach, x + reach, y + reach)) for reach in reaches
        )
        around = np.zeros(sheet.shape[:2], bool)
        around[outer[1] : outer[3], outer[0] : outer[2]] = True
        around[inner[1] : inner[3], inner[0] : inner[2]] = False
        assert (sheet[around] == 255).all()
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    _, ids, _ = detector.detectMarkers(sheet)
    assert ids is not None
    assert sorted(np.ravel(ids).tolist()) == sorted(markers.centres)


def test_every_spot_lies_between_the_margins(edition: Edition) -> None:
    width, height = edition.board.size
    for spot in edition.board.spots.values():
        for x, y in spot.outline:
            assert MARKER_BAND <= x <= width - MARKER_BAND, spot.name
            assert MARKER_BAND <= y <= height - MARKER_BAND, spot.name


def test_all_that_the_art_draws_is_in_the_game(edition: Edition) -> None:
    pieces = [*edition.board.pieces.values(), *(component.piece for component in edition.components)]
    known = {(piece.name, piece.shape) for piece in pieces}
    art = ART[edition.game]
    assert set(art.faces) | set(art.reverses) | set(art.surfaces) <= known
    labelled = {(piece.name, label) for piece in pieces for label in piece.labels}
    assert set(art.fields) <= labelled


def test_every_tile_and_card_has_a_face_of_its_own(edition: Edition) -> None:
    """Only pawns, cubes and sticks, which show an owner's colour and letter, have plain forms."""
    art = ART[edition.game]
    for component in edition.components:
        piece = component.piece
        if component.form == "tile":
            assert (piece.name, piece.shape) in art.faces, component.name


def spots_of_one_kind(board: Board, piece: str) -> list[Spot]:
    return [spot for spot in board.spots.values() if spot.piece == piece]


def printed_at(sheet: Picture, spot: Spot, share: float) -> np.ndarray:
    """The sheet's pixels (n, 3) in the middle of a spot, its outline shrunk to a share."""
    middle = np.array(spot.centre)
    outline = np.round(((np.array(spot.outline) - middle) * share + middle) * SCALE).astype(np.int32)
    left, top = outline.min(axis=0)
    right, bottom = outline.max(axis=0) + 1
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillPoly(mask, [outline - np.array([left, top], np.int32)], 255)
    return np.asarray(sheet[top:bottom, left:right][mask > 0], np.int64)


@pytest.mark.parametrize("game", ["capitol", "aqua_romana", "thurn_and_taxis", ROME])
def test_the_print_under_pieces_is_calm_and_pieces_stand_out(game: str) -> None:
    """Where a piece will lie the sheet is nearly one colour, and the piece's face is another."""
    edition = edition_of(game)
    for piece in edition.board.pieces.values():
        faces = {}
        for label in piece.labels:
            picture, mask = face_png(edition.board, piece.name, label, SCALE)
            faces[label] = picture[mask > 127].astype(int)
        for spot in spots_of_one_kind(edition.board, piece.name):
            ground = printed_at(edition.sheet, spot, 0.9)
            usual = np.median(ground, axis=0)
            quiet = (np.abs(ground - usual).max(axis=1) < 45).mean()
            assert quiet > (0.6 if piece.shape == "disc" else 0.7), (spot.name, quiet)
            for label, face in faces.items():
                apart = (np.abs(face - usual).max(axis=1) > 45).mean()
                assert apart > 0.35, (spot.name, label, apart)


def test_labels_of_a_piece_are_told_apart(edition: Edition) -> None:
    """All but storeys, which are counted, not told apart."""
    for piece in edition.board.pieces.values():
        if piece.stacked:
            continue
        faces = {label: face_png(edition.board, piece.name, label, SCALE) for label in piece.labels}
        for (first, (a, mask)), (second, (b, _)) in itertools.combinations(faces.items(), 2):
            apart = np.abs(a.astype(int) - b.astype(int)).max(axis=2)[mask > 127]
            assert (apart > 60).mean() > 0.1, (piece.name, first, second)


def test_labels_differ_in_more_than_colour(edition: Edition) -> None:
    """Cut at half its contrast, each label's face is a drawing of its own."""
    for piece in edition.board.pieces.values():
        if piece.stacked:
            continue
        drawings = {}
        for label in piece.labels:
            picture, mask = face_png(edition.board, piece.name, label, 8.0)
            grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(float)
            inside = cv2.erode(mask, np.ones((17, 17), np.uint8)) > 127
            drawings[label] = (np.abs(grey - float(np.median(grey[inside]))) > 40) & inside
        for (first, a), (second, b) in itertools.combinations(drawings.items(), 2):
            share = (a ^ b).sum() / max(1, min(a.sum(), b.sum()))
            assert share > 0.12, (piece.name, first, second, share)


@pytest.mark.parametrize("game", list(ART))
def test_pieces_of_another_edition_are_drawn_too(game: str) -> None:
    """Labels and shapes that the printed edition does not have get a plain form or a neutral colour."""
    board = print_and_play_board(game)
    for piece in board.pieces.values():
        for change in (
            {"labels": ("1", "Ärger")},
            {"labels": ("1", "Ärger"), "shape": "rectangle", "size": (20.0, 12.0)},
        ):
            strange = replace(piece, **change)
            other = replace(board, pieces=MappingProxyType({piece.name: strange}))
            for label in strange.labels:
                picture, mask = face_png(other, piece.name, label, SCALE)
                assert picture[mask > 127].std() > 5, (piece.name, label)


def test_a_game_without_art_of_its_own_gets_a_plain_lattice() -> None:
    board = replace(edition_of("city_of_marble").board, game="lanes")
    assert art_of(board) is PLAIN
    sheet, lattice = board_png(board, 2.0), board.lattice
    middles = [lattice.centre(edge) for edge in lattice.edge_ends]
    around = [sheet[round(2 * y) - 2 : round(2 * y) + 3, round(2 * x) - 2 : round(2 * x) + 3] for x, y in middles]
    darker = np.mean([patch.max() - patch.min() > 15 for patch in around])
    assert darker > 0.95, "edges are drawn"
