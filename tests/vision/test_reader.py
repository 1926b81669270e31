"""The live reader waits for hands, reads when the table is quiet, and follows a camera that is bumped."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

import cv2
import numpy as np
import pytest

from companion.board.layout import Board
from companion.session.observation import CameraStatus, Observation
from tests.vision.looks import random_look
from tests.vision.test_registration import without_markers
from ui.simulated_table.hand import Hand
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.camera.frames import CameraFrame
from vision.location.board_pose import BoardNotFound
from vision.pictures import Image, gray_of
from vision.printed.pieces.profile import Profile
from vision.reader import FrameReading, TableReader


class Camera:
    """Ten frames a second of one scene."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.number = scene, 0

    def frame(self, look: Mapping[str, str], hand: Hand | None = None) -> CameraFrame:
        return self.shown(self.scene.frame(look, hand))

    def shown(self, image: Image) -> CameraFrame:
        self.number += 1
        return CameraFrame(image, self.number / 10, self.number)


@pytest.fixture
def camera(plain_scene: Scene) -> Camera:
    return Camera(plain_scene)


@pytest.fixture
def table(board: Board, profile: Profile) -> TableReader:
    return TableReader(board, profile)


def observed(sights: list[FrameReading]) -> list[Observation]:
    return [sight.observation for sight in sights if sight.observation is not None]


def visit(hand: tuple[float, float], frames: int = 6) -> Iterator[Hand]:
    return (Hand(hand, (k + 1) / (frames + 1)) for k in range(frames))


def test_a_quiet_table_is_read_once_it_has_settled_and_then_now_and_again(
    board: Board, table: TableReader, camera: Camera
) -> None:
    look = random_look(board, 1101, wards=12)
    sights = [table.see(camera.frame(look)) for _ in range(14)]
    states = [sight.state for sight in sights]
    assert states[0] is CameraStatus.SETTLING
    first = states.index(CameraStatus.WATCHING)
    assert set(states[first:]) == {CameraStatus.WATCHING}
    quiet = [observation for observation in observed(sights) if observation.quiet]
    assert 2 <= len(quiet) <= 4, "read on settling and every half second"
    for observation in quiet:
        assert {spot: observation.likeliest(spot)[0] for spot in look if spot not in observation.covered}.items() <= (
            look.items()
        )


def test_a_hand_is_named_and_nothing_is_read_until_it_has_gone(
    board: Board, table: TableReader, camera: Camera
) -> None:
    before = random_look(board, 1102, wards=8)
    ward = next(spot for spot in before if spot.startswith("ward") and f"magistrate {spot[5:]}" not in before)
    after = before | {f"magistrate {ward[5:]}": "orange"}
    place = board.spots["ward G7-H7"].centre
    for _ in range(8):
        table.see(camera.frame(before))
    during = [table.see(camera.frame(before, hand)) for hand in visit(place)]
    assert {sight.state for sight in during[1:-1]} == {CameraStatus.HAND}, "at the ends it is not over the sheet"
    assert all(not observation.quiet for observation in observed(during[1:-1]))
    assert max(len(observation.covered) for observation in observed(during)) > 30
    later = [table.see(camera.frame(after)) for _ in range(8)]
    assert later[0].state is CameraStatus.SETTLING
    quiet = [observation for observation in observed(later) if observation.quiet]
    assert quiet
    assert {spot for spot in after if quiet[0].likeliest(spot)[0] != after[spot]} <= quiet[0].covered


def test_a_request_reads_the_next_quiet_frame(board: Board, profile: Profile, camera: Camera) -> None:
    table = TableReader(board, profile, refresh=1e9)
    for _ in range(10):
        table.see(camera.frame({}))
    assert table.see(camera.frame({})).observation is None
    table.request()
    sight = table.see(camera.frame({}))
    assert sight.observation is not None
    assert sight.observation.quiet


def test_a_bumped_camera_is_followed_without_a_misreading(board: Board, table: TableReader, camera: Camera) -> None:
    look = random_look(board, 1103, wards=10)
    for _ in range(8):
        table.see(camera.frame(look))
    pose = table.see(camera.frame(look)).pose
    view = dataclasses.replace(camera.scene.view, aim=(14.0, -9.0), roll=1.5)
    bumped = Scene(board, view, Light(noise=2.0), Sloppiness(seed=1000))
    sights = [table.see(camera.shown(bumped.frame(look))) for _ in range(8)]
    assert all(sight.state is not CameraStatus.PAUSED for sight in sights)
    assert sights[-1].pose is not pose
    quiet = [observation for observation in observed(sights) if observation.quiet]
    assert quiet
    wrong = {spot for spot in quiet[-1].posteriors if quiet[-1].likeliest(spot)[0] != look.get(spot, "")}
    assert not wrong


def test_a_lost_board_pauses_the_eye_keeps_the_pose_and_says_why(
    board: Board, table: TableReader, camera: Camera
) -> None:
    for _ in range(6):
        table.see(camera.frame({}))
    pose = table.see(camera.frame({})).pose
    dark = table.see(camera.shown(np.zeros((720, 1280, 3), np.uint8)))
    assert dark.state is CameraStatus.PAUSED
    assert "none of the sheet's markers" in dark.reason
    assert dark.pose is pose
    assert dark.observation is None
    back = [table.see(camera.frame({})) for _ in range(8)]
    assert back[-1].state is CameraStatus.WATCHING
    assert back[-1].reason == ""


def test_a_mirrored_picture_is_told_from_one_without_the_board(
    board: Board, table: TableReader, camera: Camera
) -> None:
    image = camera.scene.frame({})
    sight = table.see(camera.shown(np.ascontiguousarray(image[:, ::-1])))
    assert sight.state is CameraStatus.PAUSED
    assert "mirrored" in sight.reason
    camera.number += 10
    assert table.see(camera.shown(image)).reason == ""
    upside_down = table.look(np.ascontiguousarray(image[::-1]))
    assert isinstance(upside_down, BoardNotFound)
    assert "mirrored" in upside_down.reason


def test_a_few_hidden_markers_do_not_pause_the_eye(board: Board, table: TableReader, camera: Camera) -> None:
    for _ in range(6):
        table.see(camera.frame({}))
    hidden = without_markers(board, camera.scene, (0, 1, 2, 3, 4, 5))
    assert table.see(camera.shown(hidden)).state is not CameraStatus.PAUSED


def test_a_camera_that_changes_its_resolution_is_registered_anew(
    board: Board, table: TableReader, camera: Camera
) -> None:
    for _ in range(5):
        table.see(camera.frame({}))
    larger = Camera(Scene(board, CameraView(width=1920, height=1080), Light(noise=2.0), None))
    larger.number = camera.number
    sights = [table.see(larger.frame({})) for _ in range(6)]
    assert sights[-1].state is CameraStatus.WATCHING
    assert sights[-1].pose is not None
    assert sights[-1].pose.camera.width == 1920


def test_light_that_changes_for_all_is_no_motion(board: Board, table: TableReader, camera: Camera) -> None:
    for _ in range(8):
        table.see(camera.frame({}))
    for gain in (0.97, 0.9, 0.85, 0.85):
        dimmer = (camera.scene.frame({}) * gain).astype(np.uint8)
        assert table.see(camera.shown(dimmer)).state is CameraStatus.WATCHING


def test_what_moves_beside_the_sheet_is_ignored(board: Board, table: TableReader, camera: Camera) -> None:
    for _ in range(8):
        table.see(camera.frame({}))
    for step in range(5):
        image = camera.scene.frame({}).copy()
        image[300:420, 10 + 20 * step : 60 + 20 * step] = (255, 255, 255)
        assert table.see(camera.shown(image)).state is CameraStatus.WATCHING


@pytest.mark.parametrize("shade", [(1.0, 1.0, 1.0), (0.7, 0.85, 1.0)], ids=["grey", "sepia"])
def test_a_picture_without_colours_is_refused_and_one_of_pale_colours_is_not(
    board: Board, table: TableReader, camera: Camera, shade: tuple[float, float, float]
) -> None:
    look = random_look(board, 1109, wards=6)
    image = camera.scene.frame(look)
    grey = gray_of(image)[..., None] * np.array(shade)
    found = table.find(grey.astype(np.uint8))
    assert isinstance(found, BoardNotFound)
    assert "the picture is grey" in found.reason
    sights = [table.see(camera.shown(grey.astype(np.uint8))) for _ in range(8)]
    assert sights[-1].state is CameraStatus.PAUSED
    assert "the picture is grey" in sights[-1].reason
    assert not any(seen.quiet for seen in observed(sights))
    assert not isinstance(table.find((0.6 * grey + 0.4 * image).astype(np.uint8)), BoardNotFound)
    sights = [table.see(camera.shown(image)) for _ in range(8)]
    assert any(seen.quiet for seen in observed(sights)), "colours are back"


def test_a_picture_whose_light_bleeds_over_edges_settles_as_well(table: TableReader, camera: Camera) -> None:
    def bled(image: Image) -> Image:
        light = cv2.GaussianBlur((image / 255) ** 2.4, (0, 0), 1.0)
        return (255 * light ** (1 / 2.4)).astype(np.uint8)

    sights = [table.see(camera.shown(bled(camera.scene.frame({})))) for _ in range(7)]
    assert sights[-1].pose.bleed > 0.4
    assert sights[-1].state is CameraStatus.WATCHING, "edges that look shifted are no movement"
    assert sights[-1].pose is sights[1].pose


def test_a_picture_that_is_burnt_out_is_refused_and_one_in_bright_light_is_not(
    board: Board, table: TableReader, camera: Camera
) -> None:
    image = camera.scene.frame(random_look(board, 1110, wards=6)).astype(np.float32)
    burnt = table.find(np.clip(image * 2.4, 0, 255).astype(np.uint8))
    assert isinstance(burnt, BoardNotFound)
    assert "too bright" in burnt.reason
    assert not isinstance(table.find(np.clip(image * 1.15, 0, 255).astype(np.uint8)), BoardNotFound)
