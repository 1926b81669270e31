"""What lies where is read from rendered frames of seeds, cameras, lights and placements that nothing was tuned on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import pytest

from companion.board.layout import EMPTY, Board
from companion.registry import print_and_play_board
from tests.vision.conftest import random_light, random_view
from tests.vision.looks import random_look
from ui.simulated_table.hand import Hand
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.camera.frames import CameraFrame
from vision.errors import InvalidProfile
from vision.location.board_pose import BoardPose
from vision.location.fiducials import FiducialFinder
from vision.location.registration import register
from vision.pictures import Image, gray_of
from vision.printed.pieces.profile import Profile
from vision.printed.reading import BoardReader, BoardReading


def read(reader: BoardReader, image: Image) -> BoardReading:
    size = (image.shape[1], image.shape[0])
    pose = register(reader.board, FiducialFinder(reader.board.markers).find(gray_of(image)), size)
    assert isinstance(pose, BoardPose)
    return reader.read(image, pose)


def misreadings(board: Board, look: Mapping[str, str], reading: BoardReading) -> dict[str, tuple[str, str, float]]:
    """Spot -> what lies there, what was read, and how surely; covered spots are not misread."""
    wrong = {}
    for name in board.spots:
        if name not in reading.covered:
            label, chance = max(reading.posteriors[name].items(), key=lambda item: item[1])
            if label != look.get(name, ""):
                wrong[name] = (look.get(name, ""), label, round(chance, 3))
    return wrong


def scene_of(board: Board, seed: int, width: int, **changes: float) -> Scene:
    light = dataclasses.replace(random_light(seed), **changes)
    return Scene(board, random_view(seed, width=width), light, Sloppiness(seed=seed))


@pytest.mark.parametrize(("seed", "width"), [(1011, 1280), (1012, 1920), (1015, 1280)])
def test_a_table_is_read_from_one_frame(board: Board, reader: BoardReader, seed: int, width: int) -> None:
    look = random_look(board, seed, wards=10 * (seed % 6))
    reading = read(reader, scene_of(board, seed, width).frame(look))
    wrong = misreadings(board, look, reading)
    assert all(chance < 0.9 for _, _, chance in wrong.values()), f"surely wrong: {wrong}"
    assert len(wrong) <= 1, f"{len(wrong)} of {len(look)} pieces: {wrong}"
    assert len(reading.covered) <= 12, "only what pieces hide"


def test_pieces_from_another_printer_than_the_sheets_are_read(board: Board, profile: Profile) -> None:
    """The profile has the pieces redder and darker than they are drawn here; the certain ones tell by how much."""
    ink = np.array([1.3, 1.05, 0.75])
    faces = {
        key: dataclasses.replace(face, image=(255 * (face.image / 255) ** ink).round().astype(np.uint8))
        for key, face in profile.faces.items()
    }
    other = dataclasses.replace(profile, faces=faces, second={}, networks={})
    look = random_look(board, 1021, wards=30)
    wrong = misreadings(board, look, read(BoardReader(board, other), scene_of(board, 1021, 1280).frame(look)))
    assert len(wrong) <= 1, f"{len(wrong)} of {len(look)} pieces: {wrong}"


def test_compression_costs_certainty_before_it_costs_truth(board: Board, reader: BoardReader) -> None:
    look = random_look(board, 1021, wards=40)
    wrong = misreadings(board, look, read(reader, scene_of(board, 1021, 1280, quality=80).frame(look)))
    assert len(wrong) <= 0.03 * len(look), wrong


def test_every_distribution_sums_to_one_over_the_labels_of_its_spot(board: Board, reader: BoardReader) -> None:
    look = random_look(board, 1031, wards=25)
    reading = read(reader, scene_of(board, 1031, 1280).frame(look))
    assert reading.posteriors.keys() | reading.covered == board.spots.keys()
    assert not reading.posteriors.keys() & reading.covered
    for name, chances in reading.posteriors.items():
        assert set(chances) == {"", *board.spots[name].labels}
        assert sum(chances.values()) == pytest.approx(1.0)
        assert min(chances.values()) > 0.0, "nothing is impossible"


@pytest.mark.parametrize(("seed", "reach"), [(1041, (300.0, 190.0)), (1042, (380.0, 120.0))])
def test_what_a_resting_hand_hides_is_covered_and_the_rest_is_read(
    board: Board, reader: BoardReader, seed: int, reach: tuple[float, float]
) -> None:
    scene = Scene(board, CameraView(width=1920, height=1080), Light(noise=2.0), Sloppiness(seed=seed))
    look = random_look(board, seed, wards=35)
    reading = read(reader, scene.frame(look, Hand(reach, 0.5)))
    assert not misreadings(board, look, reading)
    palm = np.array(reach) + np.array([0.0, 70.0])
    under = [
        spot.name for spot in board.spots.values()
        if spot.piece == "ward" and np.linalg.norm(np.array(spot.centre) - palm) < 20
    ]  # fmt: skip
    assert under
    assert set(under) <= reading.covered
    assert len(reading.posteriors) > 0.6 * len(board.spots)


def test_a_hand_over_a_slot_covers_its_counts(board: Board, reader: BoardReader) -> None:
    scene = Scene(board, CameraView(width=1920, height=1080), Light(noise=2.0), Sloppiness(seed=1043))
    look = {"envoy temple black": "2", "envoy temple white": "1", "envoy arena purple": "3"}
    reading = read(reader, scene.frame(look, Hand((525.0, 270.0), 0.5)))
    assert not misreadings(board, look, reading)
    assert {f"envoy arena {colour}" for colour in board.palette} <= reading.covered
    assert reading.posteriors["envoy temple black"]["2"] > 0.9


def test_spots_outside_the_picture_are_covered(board: Board, reader: BoardReader) -> None:
    scene = Scene(board, CameraView(width=1280, height=720, aim=(-150.0, 0.0), tilt=5), Light(), Sloppiness(seed=1051))
    look = random_look(board, 1051, wards=20)
    picture = np.ascontiguousarray(scene.frame(look)[:, :1100])
    pose = register(board, FiducialFinder(board.markers).find(gray_of(scene.frame(look))), (1280, 720))
    assert isinstance(pose, BoardPose)
    narrow = dataclasses.replace(pose, camera=dataclasses.replace(pose.camera, width=1280))
    blank = np.zeros((720, 1280, 3), np.uint8)
    blank[:, :1100] = picture
    outside = {name for name, spot in board.spots.items() if narrow.project([[*spot.centre, 0.0]])[0, 0] > 1290}
    reading = reader.read(blank, narrow)
    assert outside <= reading.covered


def test_a_board_without_patches_is_read_in_the_light_of_its_paper(board: Board, profile: Profile) -> None:
    reading = read(BoardReader(dataclasses.replace(board, patches=()), profile), scene_of(board, 1061, 1280).frame({}))
    assert not misreadings(board, {}, reading)


def test_an_empty_board_has_nothing_on_it(board: Board, reader: BoardReader) -> None:
    reading = read(reader, scene_of(board, 1061, 1280).frame({}))
    assert not misreadings(board, {}, reading)
    assert not reading.covered


def test_a_reading_becomes_the_observation_of_its_frame(board: Board, reader: BoardReader, plain_scene: Scene) -> None:
    look = {"ward G7-H7": "green", "magistrate G7-H7": "white"}
    image = plain_scene.frame(look)
    observation = read(reader, image).observation(board, CameraFrame(image, 12.5, 7))
    assert (observation.board, observation.frame, observation.time, observation.quiet) == (board.id, 7, 12.5, True)
    assert observation.likeliest("ward G7-H7")[0] == "green"
    assert observation.likeliest("magistrate G7-H7")[0] == "white"
    assert observation.likeliest("ward G7-G8")[0] == ""


def test_a_profile_of_another_board_is_refused(board: Board, profile: Profile) -> None:
    with pytest.raises(InvalidProfile, match="is for 'other/board'"):
        BoardReader(board, dataclasses.replace(profile, board="other/board"))
    with pytest.raises(InvalidProfile, match="another version"):
        BoardReader(board, dataclasses.replace(profile, digest="0" * 64))
    with pytest.raises(InvalidProfile, match="not for"):
        BoardReader(print_and_play_board("capitol"), profile)


def test_a_piece_leaves_no_doubt_about_what_else_might_stand_in_its_place(board: Board, reader: BoardReader) -> None:
    scene = Scene(board, CameraView(width=1920, height=1080), Light(noise=2.0), Sloppiness(seed=1050))
    look = random_look(board, 1050, wards=30)
    reading = read(reader, scene.frame(look))
    beneath = [spot.replace("magistrate", "aqueduct") for spot in look if spot.startswith("magistrate")]
    assert len(beneath) > 3
    assert all(reading.posteriors[spot][EMPTY] > 0.9 for spot in beneath if spot not in reading.covered)
