"""Thurn and Taxis as printed: the boxes, both maps, and that all of it is printed in one go."""

import itertools
import json
import math
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import cv2
import jsonschema
import numpy as np
import pypdfium2
import pytest

from calibration.art.thurn_and_taxis.clearings import clearings
from calibration.art.thurn_and_taxis.provinces import land, province_of
from calibration.art.thurn_and_taxis.regions import regions
from calibration.art.thurn_and_taxis.sheet import STAMP, road_ends, road_line
from calibration.artwork import board_png
from calibration.components import Component, load_components
from calibration.drawing.raster import Picture
from calibration.manifest import write_manifest
from calibration.poster import poster_pages
from calibration.printing import paper_for, print_everything
from calibration.sheet_parts import MARKER_BAND
from calibration.sheets import PAPERS
from calibration.solids import net_of
from companion.board.layout import Board, parse_board
from companion.files.documents import DocumentTable
from companion.games.thurn_and_taxis import state
from companion.games.thurn_and_taxis.drawings import printed
from companion.games.thurn_and_taxis.geometry import CARRIAGES, PROVINCES, geometry, rome_map
from companion.registry import game_folder, print_and_play_board
from companion.wording.spelling import plain

SCALE = 4.0
SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "manifest.schema.json"


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("thurn_and_taxis")


@pytest.fixture(scope="module")
def rome(board: Board) -> Board:
    return board.beside["rome"]


@pytest.fixture(scope="module")
def components(board: Board) -> tuple[Component, ...]:
    return load_components(game_folder("thurn_and_taxis") / "components.toml", board)


@pytest.fixture(scope="module")
def sheet(board: Board) -> Picture:
    return board_png(board, SCALE)


def test_the_boxes_are_as_the_rules_count_them(board: Board, components: tuple[Component, ...]) -> None:
    box = {component.name: component for component in components}
    cities = geometry(board).cities
    assert dict(box["city card"].counts) == dict.fromkeys(cities, state.COPIES)
    assert box["city card"].total == 66
    assert dict(box["carriage card"].counts) == {str(n): 4 for n in state.CARRIAGE_POINTS if n}
    assert dict(box["house"].counts) == dict.fromkeys(board.palette, state.HOUSES)
    offices = dict(zip(state.OFFICIALS, state.OFFICE_TILES[4], strict=True))
    assert dict(box["office tile"].counts) == offices
    assert box["office tile"].total == 26
    assert dict(box["carriage"].counts) == dict.fromkeys(CARRIAGES, 1)
    assert box["victory point"].total == 12
    assert {component.total for name, component in box.items() if name.endswith(" aid")} == {4}


def test_there_are_thirty_bonus_tiles_with_the_points_of_the_rules(components: tuple[Component, ...]) -> None:
    (tiles,) = (component for component in components if component.name == "bonus tile")
    stacks = [stack for stack, count in tiles.counts.items() for _ in range(count)]
    points: dict[str, list[int]] = {}
    for stack, inscription in zip(stacks, tiles.obverse, strict=True):
        points.setdefault(stack, []).append(int(inscription))
    assert points.pop("end") == [state.END_TILE_POINTS]
    assert {stack: tuple(values) for stack, values in points.items()} == dict(state.TILE_VALUES)
    assert tiles.total == 30


def test_every_player_has_an_audience_tile_of_each_rank(board: Board, components: tuple[Component, ...]) -> None:
    (tiles,) = (component for component in components if component.name == "audience tile")
    owners = [colour for colour, count in tiles.counts.items() for _ in range(count)]
    assert Counter(zip(owners, tiles.obverse, strict=True)) == Counter(itertools.product(board.palette, state.RANKS))
    assert set(tiles.reverse) == {""}


def test_stacks_on_the_sheet_have_the_size_of_what_lies_in_them(
    board: Board, components: tuple[Component, ...]
) -> None:
    box = {component.name: component for component in components}
    for component, groups in (
        ("carriage card", ("carriages",)), ("bonus tile", ("bonus", "end")), ("office tile", ("office",)),
    ):  # fmt: skip
        places = {place for group in groups for place in board.groups[group].places}
        assert places == set(box[component].counts)
        sizes = {size for group in groups for size in board.groups[group].size}
        assert sizes == set(box[component].piece.size)


def rectangles(board: Board) -> dict[str, tuple[float, float, float, float]]:
    """Every place of a sheet as left, top, right and bottom; houses and audience tiles are within other places."""
    return {
        site: (x - group.size[0] / 2, y - group.size[-1] / 2, x + group.size[0] / 2, y + group.size[-1] / 2)
        for group in board.groups.values()
        if group.kind not in ("house", "audience tile")
        for site, (x, y) in group.sites.items()
    }


@pytest.mark.parametrize("name", ["board", "rome"])
def test_places_do_not_overlap_and_stay_between_the_margins(name: str, request: pytest.FixtureRequest) -> None:
    board = request.getfixturevalue(name)
    places = rectangles(board)
    if name == "board":
        places |= {
            f"stamp {city}": (x - STAMP / 2, y - STAMP / 2, x + STAMP / 2, y + STAMP / 2 + 7)
            for city, (x, y) in board.groups["city"].places.items()
        }
        places = {site: box for site, box in places.items() if not site.startswith("city/")}
    for (first, a), (second, b) in itertools.combinations(places.items(), 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, (first, second)
    width, height = board.size
    for site, (left, top, right, bottom) in places.items():
        assert min(left, top) >= MARKER_BAND, site
        assert right <= width - MARKER_BAND, site
        assert bottom <= height - MARKER_BAND, site


def test_roads_keep_clear_of_the_stamps_of_other_cities(board: Board) -> None:
    cities = board.groups["city"].places
    ends = list(road_ends(board))
    assert len(ends) == 45
    for start, end in ends:
        for city, (x, y) in cities.items():
            if city not in (start, end):
                for px, py in road_line(cities[start], cities[end]):
                    assert max(abs(px - x), abs(py - y)) > STAMP / 2 + 1.5, (start, end, city)


def test_roads_of_the_map_to_rome_lead_south_as_drawn(rome: Board) -> None:
    places, exits = rome.groups["city"].places, rome_map(rome).exits
    for start, end in road_ends(rome):
        assert end in exits[start]
        line = road_line(places[start], places[end])
        assert {line[0], line[-1]} == {places[start], places[end]}
        assert all(a[1] < b[1] for a, b in itertools.pairwise(sorted(line, key=lambda point: point[1])))


def test_each_city_lies_in_the_land_of_its_province(board: Board, sheet: Picture) -> None:
    cities, provinces = board.groups["city"].places, province_of(board)
    assert set(provinces) == set(cities)
    assert set(provinces.values()) == set(PROVINCES)
    for city, (x, y) in cities.items():
        around = [(x + side * (STAMP / 2 + 2.5), y + down) for side in (-1, 1) for down in (-12, -8, -4, 4, 8)]
        seen = [sheet[round(py * SCALE), round(px * SCALE), ::-1].astype(int) for px, py in around]
        near = [np.abs(pixel - np.array(land(provinces[city]))).max() < 12 for pixel in seen]
        assert sum(near) >= 4, city


def test_lands_of_cities_share_their_borders_and_fill_the_map(board: Board) -> None:
    cities = board.groups["city"].places
    box = (38.0, 38.0, 446.0, 382.0)
    lands = regions(cities, box)
    covered = 0.0
    for city, region in lands.items():
        outline = np.array(region.outline, np.float32)
        assert cv2.pointPolygonTest(outline, cities[city], measureDist=True) > 12
        covered += cv2.contourArea(outline)
        for other, border in region.borders.items():
            assert np.allclose(sorted(lands[other].borders[city]), sorted(border))
    assert covered == pytest.approx((box[2] - box[0]) * (box[3] - box[1]), rel=0.01)


def test_room_is_what_is_left_between_places_lines_and_edges() -> None:
    free = clearings((0.0, 0.0, 100.0, 50.0), [(50.0, 25.0, 10.0, 5.0)], [[(80.0, 25.0)]])
    places = np.array([[20.0, 25.0], [50.0, 40.0], [4.0, 25.0], [80.0, 28.0]])
    assert free.room(places, 2.0, 1.0).tolist() == [18.0, 9.0, 2.0, 2.0]
    assert free.with_taken([(20.0, 25.0, 1.0, 1.0)]).room(places[:1], 2.0, 1.0).tolist() == [-2.0]


def edition(board: Board, change: Callable[[dict[str, Any]], object]) -> Board:
    document = deepcopy(dict(board.definition))
    change(document)
    return parse_board(DocumentTable(document, "own.toml", ""))


def without(document: dict[str, Any], *names: str) -> None:
    document["group"] = [group for group in document["group"] if group["name"] not in names]
    document.pop("beside", None)


def test_an_edition_without_stacks_gives_the_map_the_whole_panel(board: Board) -> None:
    bare = edition(board, lambda document: without(document, "carriages", "bonus", "end", "office"))
    sheet = board_png(bare, 2.0)
    right, low = int((board.size[0] - MARKER_BAND - 8) * 2), int((board.size[1] - MARKER_BAND - 30) * 2)
    assert np.abs(sheet[low, right, ::-1].astype(int) - np.array(land("Salzburg"))).max() < 60
    beside = sheet[(45 * 2) : (180 * 2), int((board.size[0] - 24) * 2) : int((board.size[0] - 14) * 2)]
    assert (beside < 200).any()


@pytest.mark.parametrize(
    "names", [("Lodz",), ("city",), ("red",), ("passengers",), ("audience",), ("audience", "audience red")]
)
def test_sheets_of_odd_editions_are_drawn_too(board: Board, rome: Board, names: tuple[str, ...]) -> None:
    def odd(document: dict[str, Any]) -> None:
        without(document, *names)
        for group in document["group"]:
            for name in names:
                group["place"].pop(name, None)
        left = {
            f"{group.get('prefix', group['name'])}/{place}" for group in document["group"] for place in group["place"]
        }
        for kind, sites in list(document.get("feature", {}).items()):
            kept = {name: site for name, site in sites.items() if site in left}
            document["feature"][kind] = kept
        document["link"] = {
            kind: [pair for pair in pairs if left.issuperset(pair.split(" - "))]
            for kind, pairs in document["link"].items()
        }

    for sheet in (board, rome):
        drawn = board_png(edition(sheet, odd), 1.0)
        assert drawn.std() > 30


def test_names_are_printed_with_their_umlauts(board: Board, rome: Board) -> None:
    names = {*board.groups["city"].places, *rome.groups["city"].places, *PROVINCES}
    assert {name for name in names if printed(name) != name} == {n for n in names if "ue" in n or "oe" in n}
    assert all(plain(printed(name)) == plain(name) for name in names)
    assert {geometry(board).names[plain(name)] for name in ("München", "MUENCHEN")} == {"Muenchen"}
    assert rome_map(rome).names[plain("Lörrach")] == "Loerrach"


def page_sizes(pdf: bytes) -> list[tuple[int, int]]:
    document = pypdfium2.PdfDocument(pdf)
    try:
        sizes = [document[k].get_size() for k in range(len(document))]
    finally:
        document.close()
    return [(round(width / 72 * 25.4), round(height / 72 * 25.4)) for width, height in sizes]


def test_everything_is_printed_in_one_go(board: Board, components: tuple[Component, ...], tmp_path: Path) -> None:
    """The map beside the board is on the paper that it fits, where that is smaller than what is asked for."""
    written = print_everything(board, components, tmp_path, "A2", 0)
    assert sorted(written) == sorted(tmp_path.iterdir())
    pages = {path.name: page_sizes(path.read_bytes()) for path in written}
    assert pages.pop("thurn-and-taxis-print-and-play-board-A2.pdf") == [(594, 420)]
    assert pages.pop("thurn-and-taxis-rome-board-A3.pdf") == [(297, 420)]
    ((name, pieces),) = pages.items()
    assert name == "thurn-and-taxis-print-and-play-pieces-A4.pdf"
    assert set(pieces) == {(210, 297)}


@pytest.mark.parametrize("name", ["board", "rome"])
def test_both_maps_are_cut_for_smaller_paper(name: str, request: pytest.FixtureRequest) -> None:
    board = request.getfixturevalue(name)
    assert [paper_for(board, paper) for paper in ("A4", "A3", "A2")] == {
        "board": ["A4", "A3", "A2"], "rome": ["A4", "A3", "A3"],
    }[name]  # fmt: skip
    pages = {paper: len(poster_pages(board, PAPERS[paper])) for paper in ("A4", "A3")}
    assert pages == {"board": {"A4": 6, "A3": 4}, "rome": {"A4": 4, "A3": 1}}[name]


def test_the_manifest_names_that_of_the_map_beside_the_board(
    board: Board, rome: Board, components: tuple[Component, ...], tmp_path: Path
) -> None:
    written = write_manifest(board, components, tmp_path, 1.0, 4.0)
    assert sorted(written) == sorted(path for path in tmp_path.rglob("*") if path.is_file())
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    document = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    beside = json.loads((tmp_path / document["beside"]["rome"]).read_text(encoding="utf-8"))
    for each, sheet in ((document, board), (beside, rome)):
        jsonschema.validate(each, schema, jsonschema.Draft202012Validator)
        assert [spot["name"] for spot in each["spots"]] == list(sheet.spots)
    counts = {piece["name"]: piece["counts"] for piece in beside["pieces"]}
    assert counts == {"carriage": dict.fromkeys(CARRIAGES, 1), "audience": dict.fromkeys(board.palette, 5)}


def test_a_carriage_is_drawn_from_its_sides_with_its_wheels_down(components: tuple[Component, ...]) -> None:
    (carriage,) = (component.piece for component in components if component.name == "carriage")
    net = net_of(carriage)
    parts = Counter(surface.part for surface in net.surfaces)
    assert parts == {"wall": 2, "end": 2}
    tops = [face for face in net.faces if face not in {surface.origin for surface in net.surfaces}]
    assert len(tops) == 2
    first = min(tops, key=lambda place: place[1])
    for surface in net.surfaces:
        down = (-math.sin(math.radians(surface.turn)), math.cos(math.radians(surface.turn)))
        away = (surface.origin[0] - first[0], surface.origin[1] - first[1])
        if surface.part == "end" or surface.origin[1] < max(tops, key=lambda place: place[1])[1]:
            assert down[0] * away[0] + down[1] * away[1] > 0
