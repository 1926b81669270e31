"""Stacks are read by their silhouettes: floors counted, roofs told apart, heights left open where nobody can see."""

from __future__ import annotations

from random import Random

import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from ui.simulated_table.hand import Hand
from ui.simulated_table.scene import Scene, Sloppiness
from ui.simulated_table.view import CameraView
from vision.camera.frames import CameraFrame
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReading
from vision.reader import TableReader

TOWERS = (
    ("Palatine/2", "1", "gable", "red"), ("Palatine/7", "4", "dome", "blue"), ("Aventine/1", "7", "dome", "green"),
    ("Aventine/6", "2", "gable", "yellow"), ("Quirinal/7", "3", "gable", "green"),
)  # fmt: skip


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("capitol")


@pytest.fixture(scope="module")
def reader(board: Board) -> TableReader:
    return TableReader(board, load_profile(shipped_profile(board), board))


def look_of(towers: tuple[tuple[str, str, str, str], ...]) -> dict[str, str]:
    look = {}
    for square, floors, roof, colour in towers:
        look |= {f"floor {square}": floors, f"{roof} {square}": colour}
    return look


def labels(reading: BoardReading) -> dict[str, str]:
    likeliest = {spot: max(shares, key=shares.__getitem__) for spot, shares in reading.posteriors.items()}
    return {spot: label for spot, label in likeliest.items() if label}


@pytest.mark.parametrize(("tilt", "azimuth"), [(32, 90), (45, 60), (50, 120)])
def test_floors_and_roofs_are_read_from_the_side(board: Board, reader: TableReader, tilt: int, azimuth: int) -> None:
    look = look_of(TOWERS) | {"fountain Palatine/3": "fountain", "monument Aventine/L": "temple"}
    view = CameraView(width=1920, height=1080, distance=880, tilt=tilt, azimuth=azimuth)
    reading = reader.look(Scene(board, view, sloppiness=Sloppiness(seed=tilt)).frame(look))
    assert isinstance(reading, BoardReading)
    assert {spot: label for spot, label in labels(reading).items() if spot in look} == look
    assert labels(reading).keys() - look.keys() == set()
    beneath = {spot.name for spot in board.spots.values() if spot.site in {square for square, *_ in TOWERS}}
    assert not beneath & reading.covered


def test_from_straight_above_heights_stay_open_and_roofs_do_not(board: Board, reader: TableReader) -> None:
    look = look_of((("Palatine/2", "2", "gable", "red"), ("Palatine/6", "3", "dome", "blue")))
    reading = reader.look(Scene(board, CameraView(width=1920, height=1080, distance=850, tilt=1)).frame(look))
    assert isinstance(reading, BoardReading)
    for square, roof, colour in (("Palatine/2", "gable", "red"), ("Palatine/6", "dome", "blue")):
        floors = reading.posteriors[f"floor {square}"]
        assert max(floors.values()) < 0.9
        assert floors[""] < 0.01
        assert reading.posteriors[f"{roof} {square}"][colour] > 0.9


@pytest.mark.parametrize("tilt", [8, 40])
def test_what_a_hand_hides_is_no_stack_and_not_empty_either(board: Board, reader: TableReader, tilt: int) -> None:
    look = look_of(TOWERS)
    view = CameraView(width=1920, height=1080, distance=880, tilt=tilt)
    hand = Hand(board.spots["floor Palatine/7"].centre, 0.5)
    reading = reader.look(Scene(board, view).frame(look, hand))
    assert isinstance(reading, BoardReading)
    wrong = {
        spot
        for spot, shares in reading.posteriors.items()
        if max(shares.values()) >= 0.9 and shares[look.get(spot, "")] < 0.9
    }
    assert wrong == set()
    assert {"floor Palatine/7", "dome Palatine/7", "fountain Palatine/7"} <= reading.covered
    assert labels(reading)["gable Quirinal/7"] == "green"


def test_only_what_changes_is_read_again_and_nothing_is_kept_that_is_gone(board: Board, reader: TableReader) -> None:
    scene = Scene(board, CameraView(width=1920, height=1080, distance=880, tilt=35))
    random, towers = Random(4), list(TOWERS)
    for number in range(4):
        picture = scene.frame(look_of(tuple(towers)))
        for step in range(8):
            reader.request()
            sight = reader.see(CameraFrame(picture, number + step / 10, 10 * number + step))
        assert sight.observation is not None, sight.state
        assert sight.observation.quiet
        seen = BoardReading(sight.observation.posteriors, sight.observation.covered, None)  # type: ignore[arg-type]
        assert labels(seen) == look_of(tuple(towers))
        towers.pop(random.randrange(len(towers)))
