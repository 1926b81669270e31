"""Piece sheets: everything in the box, nothing over the edge, nothing over another; nets fold to their pieces."""

import itertools
import math
from collections import Counter
from dataclasses import dataclass, replace

import cv2
import numpy as np
import pytest

from calibration.components import Component, load_components, parse_components
from calibration.drawing.ink import Ink
from calibration.drawing.raster import page_picture
from calibration.errors import PrintError
from calibration.registry import ART
from calibration.sheets import MARGIN, PAPERS, Item, SheetSpec, draw_ruler, draw_sheet, piece_sheets
from calibration.solids import Net, net_of
from companion.board.layout import Board, Piece, face_outline
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, parse_toml
from companion.games.city_of_marble import state
from companion.registry import game_folder, print_and_play_board

Corners = np.ndarray
MOST_SHEETS = {"city_of_marble": (11, 6), "capitol": (14, 8), "aqua_romana": (5, 3), "thurn_and_taxis": (13, 7)}


def corners_of(item: Item) -> Corners:
    piece = item.component.piece
    if item.component.form == "net":
        across, down = net_of(piece).size
        points = np.array([(-across, -down), (across, -down), (across, down), (-across, down)]) / 2
    else:
        points = np.array(face_outline(piece))
    turn = math.radians(item.turn)
    rotation = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    return points @ rotation + np.array(item.centre)


@dataclass(frozen=True)
class Box:
    board: Board
    components: tuple[Component, ...]
    sheets: tuple[SheetSpec, ...]


@pytest.fixture(scope="module", params=list(itertools.product(ART, ("A4", "A3"))), ids="-".join)
def box(request: pytest.FixtureRequest) -> Box:
    game, paper = request.param
    board = print_and_play_board(game)
    components = load_components(game_folder(game) / "components.toml", board)
    return Box(board, components, piece_sheets(board, components, paper))


def test_the_box_is_as_the_rules_count_it(board: Board, components: tuple[Component, ...]) -> None:
    counts = {component.name: dict(component.counts) for component in components}
    assert counts["ward"] == dict(state.WARDS_IN_BOX)
    assert counts["building"] == dict.fromkeys(state.BUILDINGS, state.BUILDINGS_PER_KIND) | {"fountain": 12}
    assert counts["imperium"] == dict.fromkeys(state.BUILDINGS, state.IMPERIUM_PER_KIND)
    assert counts["aqueduct"] == dict.fromkeys(("grey", "brown", "white"), state.PIECES_PER_AQUEDUCT)
    assert counts["cube"] == dict.fromkeys(board.palette, state.CUBES)
    assert counts["magistrate"] == dict.fromkeys(board.palette, state.MAGISTRATES)
    assert counts["coin"] == {"coin": state.COINS}
    by_name = {component.name: component for component in components}
    assert set(by_name["hill"].obverse) == set(board.features["hill"])
    assert by_name["bridge"].total == len(board.features["bridge"]) + 1
    assert set(by_name["bridge"].reverse) == {"1", "2", "3", "4"}


def test_the_sheets_hold_everything_in_the_box(box: Box) -> None:
    items = [item for sheet in box.sheets for item in sheet.items]
    printed = Counter((item.component.name, item.label) for item in items if not item.reverse)
    assert printed == {(c.name, label): count for c in box.components for label, count in c.counts.items()}
    for component in box.components:
        mine = [item for item in items if item.component is component]
        assert sorted(i.inscription for i in mine if i.reverse) == sorted(component.reverse)
        assert not component.obverse or sorted(i.inscription for i in mine if not i.reverse) == sorted(
            component.obverse
        )


def test_items_stay_within_the_margins(box: Box) -> None:
    for sheet in box.sheets:
        for item in sheet.items:
            points = corners_of(item)
            assert points.min() >= MARGIN - 1e-6, item
            assert (points <= np.array(sheet.size) - MARGIN + 1e-6).all(), item


def test_items_do_not_overlap(box: Box) -> None:
    for sheet in box.sheets:
        shapes = [corners_of(item).astype(np.float32) for item in sheet.items]
        boxes = [(points.min(axis=0), points.max(axis=0)) for points in shapes]
        for first, second in itertools.combinations(range(len(shapes)), 2):
            (low, high), (other_low, other_high) = boxes[first], boxes[second]
            if (high > other_low + 0.01).all() and (other_high > low + 0.01).all():
                common, _ = cv2.intersectConvexConvex(shapes[first], shapes[second])
                assert common < 0.1, (sheet.items[first], sheet.items[second])


def test_a_players_pieces_are_on_one_sheet_without_what_is_shared(box: Box) -> None:
    sheets_of: dict[str, list[int]] = {}
    for number, sheet in enumerate(box.sheets):
        owned = [item for item in sheet.items if item.component.each_player > 1]
        assert len(owned) in (0, len(sheet.items))
        for label in {item.label for item in owned}:
            sheets_of.setdefault(label, []).append(number)
            assert label in sheet.title
    assert {label: len(numbers) for label, numbers in sheets_of.items()} == dict.fromkeys(box.board.palette, 1)


def test_no_more_paper_is_used_than_is_known_to_do(box: Box) -> None:
    on_a4, on_a3 = MOST_SHEETS.get(box.board.game, (20, 10))
    assert len(box.sheets) <= (on_a4 if box.sheets[0].size == PAPERS["A4"] else on_a3)


def test_what_is_too_large_for_the_paper_is_refused(board: Board, components: tuple[Component, ...]) -> None:
    track = next(c for c in components if c.name == "score track")
    for size in ((400.0, 100.0), (100.0, 280.0)):
        large = replace(track, piece=replace(track.piece, size=size))
        with pytest.raises(PrintError, match="larger paper"):
            piece_sheets(board, [large], "A4")


def area(points: tuple[tuple[float, float], ...]) -> float:
    x, y = np.array(points).T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


@pytest.mark.parametrize("name", ["cube", "aqueduct"])
def test_boxes_have_the_surface_of_their_pieces(board: Board, name: str) -> None:
    piece = board.pieces[name]
    length, width, height = piece.size[0], piece.size[-1], piece.height
    net = net_of(piece)
    assert len(net.panels) == 6
    assert sum(area(p) for p in net.panels) == pytest.approx(2 * (length * width + length * height + width * height))


def test_pawns_are_as_large_as_their_discs(board: Board) -> None:
    piece = board.pieces["magistrate"]
    *sides, lid = net_of(piece).panels
    assert area(lid) == pytest.approx(math.pi * piece.size[0] ** 2 / 4)
    assert {round(max(y for _, y in p) - min(y for _, y in p), 6) for p in sides} == {piece.height}


def folded() -> list[tuple[str, Piece]]:
    """Every piece that is folded from paper in any game."""
    return [
        (f"{game} {component.name}", component.piece)
        for game in ART
        for component in load_components(game_folder(game) / "components.toml", print_and_play_board(game))
        if component.form == "net"
    ]


@pytest.mark.parametrize("piece", [pytest.param(piece, id=name) for name, piece in folded()])
def test_nets_can_be_cut_and_folded(piece: Piece) -> None:
    """No two panels or tabs overlap, everything hangs together, and all of it is inside the net's size."""
    net: Net = net_of(piece)
    shapes = [np.array(p, np.float32) for p in (*net.panels, *net.tabs)]
    assert min(s.min() for s in shapes) >= -1e-4
    assert (max(s[:, 0].max() for s in shapes), max(s[:, 1].max() for s in shapes)) == pytest.approx(net.size, abs=1e-4)
    for a, b in itertools.combinations(shapes, 2):
        assert cv2.intersectConvexConvex(a, b)[0] < 0.02
    canvas = np.zeros((round(net.size[1] * 20) + 2, round(net.size[0] * 20) + 2), np.uint8)
    for shape in shapes:
        cv2.fillConvexPoly(canvas, np.round(shape * 20).astype(np.int32), 255)
    assert cv2.connectedComponents(canvas)[0] == 2


def test_domes_and_gable_roofs_have_the_heights_of_their_pieces() -> None:
    pieces = print_and_play_board("capitol").pieces
    dome = net_of(pieces["dome"])
    top, first, second = dome.panels[0]
    foot, slant = math.dist(first, second), math.dist(top, first)
    radius = foot / 2 / math.sin(math.pi / len(dome.panels))
    assert len(dome.panels) / 2 * radius**2 * math.sin(math.tau / len(dome.panels)) == pytest.approx(math.pi * 11**2)
    assert math.sqrt(slant**2 - radius**2) == pytest.approx(pieces["dome"].height)
    roof = net_of(pieces["gable"])
    length, slope = roof.panels[0][2][0] - roof.panels[0][0][0], roof.panels[0][2][1] - roof.panels[0][0][1]
    assert length == pytest.approx(24)
    assert math.sqrt(slope**2 - 12**2) == pytest.approx(pieces["gable"].height)
    for gable in roof.panels[2:]:
        eave, ridge, other_eave = gable
        assert math.dist(eave, other_eave) == pytest.approx(24)
        assert math.dist(ridge, eave) == pytest.approx(slope) == pytest.approx(math.dist(ridge, other_eave))


def test_surfaces_stand_on_their_feet() -> None:
    """In a surface's own frame, its lowest side is level and below its origin's height or on it."""
    pieces = print_and_play_board("capitol").pieces
    for name in ("floor", "dome", "gable"):
        surfaces = net_of(pieces[name]).surfaces
        assert surfaces
        for surface in surfaces:
            turn = math.radians(surface.turn)
            back = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
            own = (np.array(surface.outline) - np.array(surface.origin)) @ back
            lowest = np.sort(own[:, 1])[-2:]
            assert lowest[0] == pytest.approx(lowest[1], abs=1e-6), surface
            assert own[:, 1].max() >= -1e-6


def test_the_ruler_is_a_hundred_millimetres_long() -> None:
    ink = Ink("ruler")
    ink.page(140, 20)
    draw_ruler(ink, 10, 15)
    dark = page_picture(ink.pdf(), 0, 20.0)[298:302, : 115 * 20].min(axis=(0, 2)) < 128
    assert np.ptp(np.flatnonzero(dark)) / 20 == pytest.approx(100, abs=0.3)


def test_a_sheet_is_drawn_where_its_items_are(board: Board, components: tuple[Component, ...]) -> None:
    sheets = piece_sheets(board, components)
    ink = Ink("sheet")
    ink.page(*sheets[0].size)
    draw_sheet(ink, board, sheets[0], 1, len(sheets))
    picture = page_picture(ink.pdf(), 0, 4.0)
    assert picture.shape == (PAPERS["A4"][1] * 4, PAPERS["A4"][0] * 4, 3)
    for item in sheets[0].items:
        x, y = (round(v * 4) for v in item.centre)
        assert picture[y - 30 : y + 30, x - 30 : x + 30].std() > 20


GOOD = """
format = 1
game = "city_of_marble"
[[component]]
name = "ward"
piece = "ward"
count = { red = 2 }
"""


def parsed(text: str, board: Board) -> tuple[Component, ...]:
    document: DocumentTable = parse_toml(text, "components.toml")
    return parse_components(document, board)


def test_a_short_list_is_read(board: Board) -> None:
    (component,) = parsed(GOOD, board)
    assert (component.total, component.piece) == (2, board.pieces["ward"])


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("format = 1", "format = 2", "format: is 2"),
        ('"city_of_marble"', '"chess"', "game: is 'chess'"),
        ("red = 2", "pink = 2", "component\\[1\\].count: has 'pink'"),
        ("red = 2", "red = 0", "count.red: is 0"),
        ("count = { red = 2 }", "", "how many there are"),
        ("count = { red = 2 }", "count = { red = 2 }\neach_player = 3", "not both"),
        ('piece = "ward"', 'piece = "horse"', "is 'horse'"),
        ('piece = "ward"', 'piece = "ward"\nsize = [3]', "board's to say"),
        ('piece = "ward"', 'shape = "square"\nsize = [-3]', "size: must be"),
        ('piece = "ward"', 'piece = "ward"\nform = "net"', "cannot be folded"),
        ('piece = "ward"', 'piece = "ward"\nreverse = ["1"]', "names 1 pieces, but there are 2"),
        ('piece = "ward"', 'piece = "ward"\ncolour = "red"', "not known here"),
    ],
)
def test_bad_lists_are_refused(board: Board, old: str, new: str, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason):
        parsed(GOOD.replace(old, new), board)


def test_a_component_is_described_once(board: Board) -> None:
    twice = GOOD + GOOD.partition("[[")[1] + GOOD.partition("[[")[2]
    with pytest.raises(InvalidDocument, match="described twice"):
        parsed(twice, board)
