"""The triangular lattice by numbers that can be counted on paper: a regular hexagon of side 6."""

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board.lattice import TriangularLattice, name_of, triangular_lattice
from companion.registry import print_and_play_board

SIDE = 33.0
LATTICE = triangular_lattice(13, 13, 6, 18, SIDE, (297.0, 210.0), frozenset())
VERTICES = sorted(LATTICE.places)


def hexagon(size: int) -> TriangularLattice:
    return triangular_lattice(2 * size + 1, 2 * size + 1, size, 3 * size, SIDE, (0.0, 0.0), frozenset())


@pytest.mark.parametrize("size", range(1, 7))
def test_a_hexagon_of_side_n_has_as_many_of_each_as_the_formulas_say(size: int) -> None:
    """Vertices 3n(n+1)+1, triangles 6n^2; a triangle has three edges, all but the 6n border edges are shared by two."""
    lattice = hexagon(size)
    assert len(lattice.places) == 3 * size * (size + 1) + 1
    assert len(lattice.triangle_corners) == 6 * size**2
    assert len(lattice.edge_ends) == (3 * 6 * size**2 + 6 * size) // 2
    assert len(lattice.rhombus_sides) == len(lattice.edge_ends) - 6 * size


def test_the_grid_of_side_six() -> None:
    assert len(LATTICE.places) == 127
    assert len(LATTICE.triangle_corners) == 216
    assert len(LATTICE.edge_ends) == 342
    assert len(LATTICE.rhombus_sides) == 306
    assert len(LATTICE.places) - len(LATTICE.edge_ends) + len(LATTICE.triangle_corners) == 1, "Euler, without outside"


def test_degrees_of_vertices() -> None:
    """91 inner vertices have six neighbours; of the 36 on the border six are corners of 120 degrees, with three."""
    assert Counter(map(len, LATTICE.neighbours.values())) == {6: 91, 4: 30, 3: 6}
    assert Counter(map(len, LATTICE.vertex_triangles.values())) == {6: 91, 3: 30, 2: 6}
    assert all(len(LATTICE.vertex_edges[vertex]) == len(LATTICE.neighbours[vertex]) for vertex in VERTICES)


def test_the_first_letters_and_numbers() -> None:
    assert LATTICE.places["G7"] == (297.0, 210.0)
    assert LATTICE.neighbours["G7"] == ("H7", "H6", "G6", "F7", "F8", "G8")
    assert LATTICE.neighbours["I1"] == ("J1", "H1", "H2", "I2")
    assert LATTICE.rhombus_corners["G7-H7"] == ("G7", "H6", "H7", "G8")
    assert set(LATTICE.edge_triangles["G7-H7"]) == {"G7-H6-H7", "G7-G8-H7"}
    x, y = LATTICE.places["I1"]
    assert (x, y) == pytest.approx((297 + 33 * (2 - 3), 210 - 33 * 0.8660254 * 6))


def test_what_no_name_means() -> None:
    for text in ("", "A1", "N7", "G0", "G07", "G7-I7", "G7-G7", "G7-H7-I7", "G7-H7-H6-G6", "G7 H7", "7G", "G-7", "ß1"):
        assert LATTICE.canonical(text) is None, text


@given(st.sampled_from(VERTICES), st.randoms(use_true_random=False))
def test_a_name_is_read_in_any_order_and_case(vertex: str, random) -> None:
    for name in (*LATTICE.vertex_edges[vertex], *LATTICE.vertex_triangles[vertex]):
        corners = [random.choice((corner.lower(), corner)) for corner in name.split("-")]
        random.shuffle(corners)
        assert LATTICE.canonical("-".join(corners)) == name


@given(st.sampled_from(VERTICES), st.sampled_from(VERTICES))
def test_neighbours_are_one_side_away_and_only_they(one: str, other: str) -> None:
    distance = math.dist(LATTICE.places[one], LATTICE.places[other])
    assert (other in LATTICE.neighbours[one]) == math.isclose(distance, SIDE)
    assert other == one or distance > SIDE * 0.999


@given(st.sampled_from(sorted(LATTICE.rhombus_sides)))
def test_a_ward_is_a_rhombus_of_sixty_and_a_hundred_and_twenty_degrees(ward: str) -> None:
    first, left, second, right = LATTICE.rhombus_corners[ward]
    places = LATTICE.places
    for side in LATTICE.rhombus_sides[ward]:
        assert math.dist(*(places[end] for end in LATTICE.edge_ends[side])) == pytest.approx(SIDE)
    assert ward == "-".join(sorted((first, second), key=lambda name: (name[0], int(name[1:]))))
    assert math.dist(places[first], places[second]) == pytest.approx(SIDE)
    assert math.dist(places[left], places[right]) == pytest.approx(SIDE * math.sqrt(3))


@pytest.mark.parametrize("turns", range(1, 6))
def test_a_sixth_of_a_turn_changes_nothing(turns: int) -> None:
    def turned(name: str) -> str:
        corners = []
        for corner in name.split("-"):
            q, r = ord(corner[0]) - 65 - 6, int(corner[1:]) - 1 - 6
            for _ in range(turns):
                q, r = -r, q + r
            corners.append((q + 6, r + 6))
        return name_of(corners)

    assert {turned(vertex) for vertex in VERTICES} == set(VERTICES)
    for edge, beside in LATTICE.edge_triangles.items():
        assert set(map(turned, beside)) == set(LATTICE.edge_triangles[turned(edge)])
    for ward, sides in LATTICE.rhombus_sides.items():
        assert set(map(turned, sides)) == set(LATTICE.rhombus_sides[turned(ward)])


def test_a_triangle_left_out_takes_its_wards_with_it() -> None:
    whole, hole = hexagon(2), triangular_lattice(5, 5, 2, 6, SIDE, (0.0, 0.0), frozenset({"C3-D2-D3"}))
    gone = set(whole.rhombus_sides) - set(hole.rhombus_sides)
    assert gone == {"C3-D2", "C3-D3", "D2-D3"}
    assert set(whole.triangle_corners) - set(hole.triangle_corners) == {"C3-D2-D3"}


def coverings(vertex: str) -> list[tuple[str, ...]]:
    """All ways to cover the six triangles around a vertex with wards that do not overlap."""
    around = set(LATTICE.vertex_triangles[vertex])
    near = [ward for ward, beside in LATTICE.edge_triangles.items() if around & set(beside)]
    found = []
    for size in range(3, 7):
        for wards in combinations(near, size):
            covered = Counter(triangle for ward in wards for triangle in LATTICE.edge_triangles[ward])
            if max(covered.values()) == 1 and around <= set(covered):
                found.append(wards)
    return found


@pytest.mark.parametrize("vertex", ["G7", "B7", "H2"])
def test_a_vertex_has_eighteen_coverings(vertex: str) -> None:
    """Matchings of a ring of six triangles: k wards lie on two of them and 6 - k reach out; 1 + 6 + 9 + 2."""
    assert Counter(map(len, coverings(vertex))) == {6: 1, 5: 6, 4: 9, 3: 2}


def test_sites_adjoin_where_they_share_a_vertex() -> None:
    board = print_and_play_board("city_of_marble")
    assert board.are_adjoining("G7", "G7-H7")
    assert board.are_adjoining("G7-H7", "H7-I7")
    assert not board.are_adjoining("G7", "H7")
    assert not board.are_adjoining("temple", "temple")
