"""The reader before pictures of a renderer that shares nothing with the simulated table: it knows the manifest only.

Seeds from 700 000 on are kept for this: nothing is tuned on them.
"""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.scenes import look_of
from companion.board.layout import EMPTY, Board
from companion.registry import print_and_play_board
from tests.vision.traced import tracer
from tests.vision.traced.printed_once import printed_once
from tests.vision.traced.solids import world
from tests.vision.traced.tables import Printed, photograph
from vision.location.board_pose import BoardPose
from vision.location.fiducials import Fiducial
from vision.location.registration import marker_corners, register
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReading
from vision.reader import TableReader

FIRST_SEED = 700_000
SURE, MOST_WRONG = 0.9, 0.025
"""a shadow between lamps of two colours may still be taken for a pale piece"""


READ = ("capitol", "thurn_and_taxis", "city_of_marble", "aqua_romana")


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Printed]:
    return {sheet: each for game in READ for sheet, each in printed_once(game, tmp_path_factory).items()}


def sheets() -> list[tuple[str, Board]]:
    return [(game, sheet) for game in READ for sheet in print_and_play_board(game).sheets]


@pytest.mark.parametrize(("game", "board"), sheets(), ids=lambda value: getattr(value, "id", value))
def test_a_table_of_another_renderer_is_read(printed: dict[str, Printed], game: str, board: Board) -> None:
    seed = FIRST_SEED + len(board.spots)
    look = {spot: label for spot, label in look_of(game, seed).items() if spot in board.spots}
    picture = photograph(printed[board.id], look, seed, tilts=(30, 55), width=1280)
    reading = TableReader(board, load_profile(shipped_profile(board), board)).look(picture)
    assert isinstance(reading, BoardReading)
    best = {spot: max(chances, key=chances.__getitem__) for spot, chances in reading.posteriors.items()}
    wrong = [
        (spot, look.get(spot, EMPTY), label)
        for spot, label in best.items()
        if label != look.get(spot, EMPTY) and reading.posteriors[spot][label] >= SURE
    ]
    assert len(wrong) <= MOST_WRONG * len(board.spots), wrong
    assert sum(best.get(spot) == label for spot, label in look.items()) >= 0.8 * len(look)


@pytest.mark.parametrize(("first", "second", "bleed"), [(-0.22, 0.05, 0.9), (0.14, 0.0, 0.4), (-0.1, -0.02, 1.3)])
def test_a_lens_off_centre_whose_light_bleeds_does_not_shift_the_board(
    first: float, second: float, bleed: float
) -> None:
    board = print_and_play_board("capitol")
    forward = np.array([-0.35, 0.3, -0.88]) / np.linalg.norm([-0.35, 0.3, -0.88])
    right = np.cross(forward, [0.0, 0.0, 1.0])
    rotation = np.stack([right / np.linalg.norm(right), np.cross(forward, right / np.linalg.norm(right)), forward])
    eye = world([297.0, 210.0, 0.0]) - 850 * forward
    camera = tracer.Camera(1920, 1080, 1300.0, eye, rotation, (first, second), (7.0, -5.0))

    def seen(marker: int) -> Fiducial:
        """A marker whose dark sides seem to lie farther in by `bleed` pixels."""
        corners = camera.project(world(np.column_stack([marker_corners(board, marker), np.zeros(4)])))
        along = np.roll(corners, -1, axis=0) - corners
        along = along / np.linalg.norm(along, axis=1, keepdims=True)
        before = np.roll(along, 1, axis=0)
        cross = before[:, 0] * along[:, 1] - before[:, 1] * along[:, 0]
        inwards = (along - before) / np.abs(cross)[:, None]
        return Fiducial(marker, (corners + bleed * inwards).astype(np.float32), 200.0)

    pose = register(board, {marker: seen(marker) for marker in board.markers.centres}, (1920, 1080))
    assert isinstance(pose, BoardPose)
    assert pose.bleed == pytest.approx(bleed, abs=0.1)
    for height in (0.0, 60.0):
        x, y = np.meshgrid(np.linspace(40, 550, 7), np.linspace(40, 380, 5))
        places = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, height)])
        assert np.linalg.norm(pose.project(places) - camera.project(world(places)), axis=1).max() < 1.0


def test_the_tracer_casts_shadows_away_from_its_lamp() -> None:
    from tests.vision.traced.solids import Paint, prism, rectangle

    grey = np.full(3, 0.5, np.float32)
    block = prism(rectangle(20, 20), 0.0, 30.0, np.array([50.0, 50.0]), 0.3, Paint(grey, grey))
    plane = tracer.Plane(np.ones((300, 300, 3), np.float32), 2.0, (-25.0, -25.0), 0.0)
    down = np.array([[1.0, 0, 0], [0, -1.0, 0], [0, 0, -1.0]])
    camera = tracer.Camera(300, 300, 400.0, world([50.0, 50.0, 400.0]), down)
    lamp = tracer.lamp(world([-150.0, 50.0, 200.0]), 5.0, np.ones(3, np.float32), world([50.0, 50.0, 0.0]), 3)
    picture = tracer.trace(camera, plane, [block], lamp)
    pixels = camera.project(world([[75.0, 50.0, 0.0], [25.0, 50.0, 0.0], [50.0, 50.0, 30.0]])).round().astype(int)
    shadow, light, lid = (float(picture[y, x].mean()) for x, y in pixels)
    assert shadow < 0.05
    assert light > 0.5
    assert 0.1 < lid < light
