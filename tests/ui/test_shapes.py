"""The arithmetic of what is drawn."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.drawing.shapes import (
    axis_marks,
    circle,
    contains,
    dashes,
    dashes_along,
    fan,
    lanes,
    leads,
    rounded,
    spread,
    stairs,
    stroke,
)

SQUARE = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))


def area(triangles):
    total = 0.0
    for (ax, ay), (bx, by), (cx, cy) in zip(triangles[::3], triangles[1::3], triangles[2::3], strict=True):
        total += abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2
    return total


def test_a_fan_covers_its_polygon():
    assert area(fan(SQUARE)) == pytest.approx(100)
    assert area(fan(circle((3, 4), 2, 96))) == pytest.approx(math.pi * 4, rel=0.01)


def test_a_stroke_is_as_long_and_wide_as_asked():
    assert area(stroke((1, 1), (4, 5), 0.5)) == pytest.approx(5 * 0.5)


def test_a_stroke_of_no_length_is_nothing():
    assert area(stroke((1, 1), (1, 1), 0.5)) == 0


@pytest.mark.parametrize(("dash", "gap", "count"), [(2, 2, 3), (5, 5, 2), (1, 1.25, 5), (30, 4, 1)])
def test_dashes_begin_and_end_at_the_corners(dash, gap, count):
    found = dashes(SQUARE, dash, gap)
    assert len(found) == 4 * count
    for corner in SQUARE:
        assert sum(math.dist(corner, end) < 1e-6 for ends in found for end in ends) == 2


def test_dashes_keep_the_proportion_of_dash_and_gap():
    covered = sum(math.dist(*ends) for ends in dashes(SQUARE, 2, 3)) / 4
    count = 3  # 2 + 3 + 2 + 3 + 2, shrunk to 10
    assert covered == pytest.approx(10 * count * 2 / (count * 2 + (count - 1) * 3), rel=0.01)


@pytest.mark.parametrize("points", [SQUARE, SQUARE[::-1]])
def test_a_polygon_contains_its_inside_and_border(points):
    assert contains(points, (5, 5))
    assert contains(points, (10, 5))
    assert not contains(points, (10.1, 5))


@given(st.lists(st.floats(0, 100), min_size=1, max_size=5), st.floats(1, 60))
def test_signs_at_one_height_are_spread_within_their_room(places, gap):
    spread_out = spread(places, gap, 0, 100)
    room = min(gap, 100 / max(1, len(places) - 1))
    ordered = sorted(spread_out)
    assert ordered[0] >= -1e-9
    assert ordered[-1] <= 100
    assert all(upper - lower >= room - 1e-9 for lower, upper in pairwise(ordered))
    assert [place for _, place in sorted(zip(places, spread_out, strict=True))] == ordered


def test_signs_that_are_apart_stay_where_they_are():
    assert spread([90, 10, 50], 22, 0, 100) == [90, 10, 50]


@given(st.integers(-40, 0), st.integers(0, 400))
def test_an_axis_is_marked_at_few_different_whole_numbers_around_all_points(least, most):
    marks = axis_marks(least, most, 5)
    assert 2 <= len(marks) <= 6
    assert marks[0] <= least <= 0 <= most <= marks[-1]
    assert 0 in marks


def test_an_axis_of_no_points_is_marked_at_nothing_and_one():
    assert list(axis_marks(0, 0, 4)) == [0, 1]
    assert list(axis_marks(-8, 70, 5)) == [-20, 0, 20, 40, 60, 80]


def test_lines_through_the_same_points_get_lanes_of_their_own():
    assert lanes([(0, 0, 3), (0, 1, 3), (0, 1, 2)]) == [[0, 0, 0], [1, 0, 1], [2, 1, 0]]


def test_stairs_keep_their_height_up_to_the_next_point():
    assert stairs([(0, 0), (1, 0), (2, 3), (3, 3)]) == ((0, 0), (2, 0), (2, 3), (3, 3))


def test_dashes_go_on_around_corners_and_are_as_long_as_they_are_told_to_be():
    line = [(0.0, 0.0), (7.0, 0.0), (7.0, 8.0)]
    drawn = dashes_along(line, 4, 2)
    assert drawn == [
        ((0, 0), (4, 0)), ((6, 0), (7, 0)), ((7, 0), (7, 3)), ((7, 5), (7, 8)),
    ]  # fmt: skip
    assert dashes_along(line, 1, 0) == [((0, 0), (7, 0)), ((7, 0), (7, 8))]


@given(
    st.lists(st.tuples(st.floats(0, 2000), st.floats(0, 300)), min_size=2, max_size=12),
    st.floats(0.5, 40),
    st.floats(0.5, 20),
)
def test_dashes_come_to_an_end_and_cover_their_share_of_any_line(line, dash, gap):
    length = sum(math.dist(start, end) for start, end in pairwise(line))
    drawn = sum(math.dist(start, end) for start, end in dashes_along(line, dash, gap))
    whole, rest = divmod(length, dash + gap)
    assert drawn == pytest.approx(whole * dash + min(rest, dash), abs=0.01 + dash * 1e-3)


def test_who_leads_is_who_alone_has_most():
    assert leads([[0, 2, 2, 5, 5], [0, 0, 2, 2, 6]]) == [(1, 2, 0), (3, 4, 0), (4, 5, 1)]
    assert leads([[1, 2, 3], [0, 0, 0]]) == [(0, 3, 0)]


@pytest.mark.parametrize("radii", [(0, 0, 0, 0), (4, 4, 0, 0), (3, 0, 2, 1)])
def test_a_rounded_rectangle_stays_within_it_and_reaches_all_its_sides(radii):
    points = rounded(10, 20, 30, 12, radii)
    xs, ys = zip(*points, strict=True)
    assert (min(xs), max(xs)) == pytest.approx((10, 40))
    assert (min(ys), max(ys)) == pytest.approx((20, 32))
    assert ((10, 32) in points) == (radii[0] == 0)
