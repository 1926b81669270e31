"""The path that is being laid, such as a route of towns, as it is drawn on the board."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

from companion.registry import print_and_play_board, usual_table
from companion.session.session import Session
from companion.session.store import Store
from ui.drawing.board_frame import fitted, shown_part, site_centre, site_outline
from ui.drawing.shapes import between, box, centre_of, contains, shortened
from ui.printed.scene import Filled, Line, Looks, Shown, compose_scene
from ui.table.card_rows import compose_path
from ui.view_models.play_view import PathView, PieceState, PieceView


def test_a_path_is_framed_at_its_places_and_joined_by_roads_below_the_pieces() -> None:
    board = print_and_play_board("thurn_and_taxis")
    towns = ("Wuerzburg", "Mannheim", "Carlsruhe")
    sites = tuple(f"city/{town}" for town in towns)
    looks = Looks(fitted(shown_part(board), (0.0, 0.0, 700.0, 600.0)), None)
    house = PieceView("house red/Mannheim", "red", PieceState.PLACED)
    assert house.spot in board.spots
    plain = compose_scene(board, looks, Shown((house,)))
    scene = compose_scene(board, looks, Shown((house,), path=PathView((*sites, "elsewhere"), "red")))
    added = scene[: len(scene) - len(plain)]
    assert scene[len(added) :] == plain, "it lies below"
    frames = [each for each in added if isinstance(each, Line)]
    assert len(frames) == 2 * len(sites)
    for site in sites:
        middle = looks.frame.pixel(site_centre(board, site))
        assert any(contains(frame.points, middle) for frame in frames), site
    roads = [each for each in added if isinstance(each, Filled)]
    for start, end in pairwise(sites):
        ends = [centre_of(looks.frame.pixels(site_outline(board, site))) for site in (start, end)]
        assert any(contains(road.points, between(*ends, 0.5)) for road in roads), (start, end)
        assert not any(contains(road.points, middle) for road in roads for middle in ends), "towns stay in sight"


def test_no_road_leads_past_a_place_that_is_not_on_the_sheet() -> None:
    board = print_and_play_board("thurn_and_taxis")
    looks = Looks(fitted(shown_part(board), (0.0, 0.0, 700.0, 600.0)), None)
    sites = ("city/Wuerzburg", "elsewhere", "city/Carlsruhe", "city/Mannheim")
    drawn = compose_scene(board, looks, Shown(path=PathView(sites, "red")))
    roads = [each for each in drawn if isinstance(each, Filled)]
    outlines = [looks.frame.pixels(site_outline(board, site)) for site in sites if site != "elsewhere"]
    middles = [centre_of(outline) for outline in outlines]
    assert any(contains(road.points, between(middles[1], middles[2], 0.5)) for road in roads)
    assert not any(contains(road.points, between(middles[0], middles[1], 0.5)) for road in roads)
    assert len([each for each in drawn if isinstance(each, Line)]) == 2 * 3


def test_what_lies_outside_of_two_frames_is_the_way_between_them() -> None:
    left, right = box(0, 0, 20, 20), box(100, 0, 20, 20)
    assert shortened((0, 0), (100, 0), left, right) == ((10, 0), (90, 0))
    assert shortened((0, 0), (15, 0), left, box(15, 0, 20, 20)) == ((7.5, 0), (7.5, 0))


def test_the_route_of_who_acts_is_a_path_of_towns(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite3") as store:
        session = Session.create(store, usual_table("thurn_and_taxis", 2))
        assert compose_path(session) is None
        random, longest = Random(3), 0
        while not session.is_over and longest < 3:
            session.submit(random.choice(session.legal_actions()))
            path = compose_path(session)
            route = session.game.holdings(session.state, session.actors[0])[1] if len(session.actors) == 1 else None
            if route is not None and not route.is_empty:
                assert path is not None
                assert path.sites == tuple(f"city/{amount.kind}" for amount in route.amounts)
                assert path.colour == session.table.players[session.actors[0] - 1].colour
                longest = max(longest, len(path.sites))
            else:
                assert path is None
