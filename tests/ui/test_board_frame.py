"""Where the board lies on the screen and what a touch means."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ui.tables import BOARD
from ui.drawing.board_frame import (
    NEAREST,
    fitted,
    held,
    moved_by,
    nearer,
    nearest_site,
    shown_part,
    site_outline,
    site_places,
)
from ui.drawing.shapes import contains

PLACES = site_places(BOARD)
WINDOWS = [(10, 20, 830, 660), (0, 0, 300, 900), (5, 5, 60, 50)]


@pytest.mark.parametrize("window", WINDOWS)
def test_the_shown_part_fits_into_the_window_as_large_as_it_can_be_at_its_top(window):
    part = shown_part(BOARD)
    frame = fitted(part, window)
    (left, high), (right, low) = frame.pixel(part[:2]), frame.pixel(part[2:])
    gaps = [left - window[0], low - window[1], window[2] - right, window[3] - high]
    assert min(gaps) >= -1e-6
    assert gaps[0] == pytest.approx(gaps[2], abs=1e-6)
    assert gaps[3] == pytest.approx(0, abs=1e-6)
    assert min(gaps[0], gaps[1]) == pytest.approx(0, abs=1e-6)


def test_the_shown_part_holds_every_spot_and_no_marker():
    left, top, right, bottom = shown_part(BOARD)
    for spot in BOARD.spots.values():
        assert all(left < x < right and top < y < bottom for x, y in spot.outline)
    for x, y in BOARD.markers.centres.values():
        assert not (left < x < right and top < y < bottom)


@given(st.floats(-500, 900), st.floats(-500, 900))
def test_pixels_and_millimetres_are_inverse(x, y):
    frame = fitted(shown_part(BOARD), WINDOWS[0])
    assert frame.millimetres(frame.pixel((x, y))) == pytest.approx((x, y), abs=1e-6)


def test_up_on_the_board_is_up_on_the_screen():
    frame = fitted(shown_part(BOARD), WINDOWS[0])
    assert frame.pixel((100, 50))[1] > frame.pixel((100, 60))[1]


def test_the_centre_of_a_site_means_the_site():
    assert [site for site in PLACES if nearest_site(PLACES, PLACES[site][0], 0.01) != site] == []


@given(st.floats(90, 560), st.floats(30, 390), st.floats(0, 30))
def test_the_nearest_site_is_meant_if_it_is_within_reach(x, y, reach):
    def distance(site):
        centre, radius = PLACES[site]
        return max(0, math.dist(centre, (x, y)) - radius)

    found = nearest_site(PLACES, (x, y), reach)
    nearest = min(map(distance, PLACES))
    assert (found is not None) == (nearest <= reach)
    assert found is None or distance(found) == nearest


def test_the_whole_circle_of_a_slot_means_the_slot():
    x, y = BOARD.slots["baths"]
    assert nearest_site(PLACES, (x + 19, y), 0) == "baths"


def test_nothing_is_meant_far_from_everything():
    assert nearest_site(PLACES, (20, 20), 14) is None


def test_a_site_lies_inside_its_outline():
    assert [site for site in PLACES if not contains(site_outline(BOARD, site), PLACES[site][0])] == []


@given(st.floats(1.0, 6.0), st.floats(20, 800), st.floats(30, 640))
def test_what_is_under_the_finger_stays_there_while_the_board_comes_nearer(factor, x, y):
    frame = fitted(shown_part(BOARD), WINDOWS[0])
    assert nearer(frame, (x, y), factor).millimetres((x, y)) == pytest.approx(frame.millimetres((x, y)), abs=1e-6)


@given(st.floats(0.2, 40.0), st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_a_board_never_leaves_its_window(factor, dx, dy):
    window, part = WINDOWS[0], shown_part(BOARD)
    whole = fitted(part, window)
    frame = held(moved_by(nearer(whole, (400, 300), factor), dx, dy), part, window)
    assert whole.scale - 1e-9 <= frame.scale <= whole.scale * NEAREST * (1 + 1e-9)
    (left, high), (right, low) = frame.pixel(part[:2]), frame.pixel(part[2:])
    if right - left >= window[2] - window[0]:
        assert left <= window[0] + 1e-6
        assert right >= window[2] - 1e-6
    if high - low >= window[3] - window[1]:
        assert low <= window[1] + 1e-6
        assert high >= window[3] - 1e-6
