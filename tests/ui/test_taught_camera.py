"""A camera that reads with taught pieces: chosen by the profile, refused in one line where it does not fit."""

from __future__ import annotations

import queue
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.teaching import Lesson, teach_from_pictures
from companion.board.layout import EMPTY, Board, parse_board
from companion.files.documents import DocumentTable
from companion.registry import print_and_play_board
from companion.session.store import Store
from companion.wording.sentences import Sentence
from tests.vision.grids import Camera, grid_board, random_tiles
from ui.application.play import GAMES_FILE
from ui.command_line import main
from ui.commands.camera_options import CameraOptions, board_in_play
from ui.commands.terminal import WrongUse
from ui.hardware.camera import CameraClient
from ui.hardware.taught_profiles import learnt_file, profile_file, taught_profile
from ui.services.folders import data_folder
from vision.errors import InvalidProfile
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator
from vision.location.marker_poses import MIRRORED
from vision.printed.pieces.profile import shipped_profile
from vision.reader_process import CameraReport
from vision.spots.spot_profile import save_spot_profile
from vision.taught import board_taught, load_taught

GRID = grid_board(columns=6, rows=5)
CAMERA = Camera(seed=171)
LONGEST = 40.0
MARBLE = "city_of_marble"


def bare_board() -> Board:
    definition = dict(print_and_play_board(MARBLE).definition)
    for key in ("markers", "patches"):
        definition.pop(key)
    return parse_board(DocumentTable(definition | {"id": f"{MARBLE}/box", "name": "A box"}, "box.toml", ""))


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pose = BoardLocator(GRID).at_corners(CAMERA.photograph(GRID, {}), CAMERA.taps(GRID))
    assert isinstance(pose, FlatPose)
    lessons = []
    for seed in (181, 182):
        look = random_tiles(GRID, seed, share=0.6)
        labels = {spot: look.get(spot, EMPTY) for spot in GRID.spots}
        lessons.append(Lesson(str(seed), CAMERA.photograph(GRID, look), pose, labels))
    path = tmp_path_factory.mktemp("profiles") / "grid.zip"
    save_spot_profile(teach_from_pictures(GRID, lessons).profile, path)
    return path


def heard(eye: CameraClient) -> list[CameraReport]:
    """All reports up to the first that reads the board, or the last of so many seconds."""
    reports: list[CameraReport] = []
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        try:
            reports.append(eye.reports.get(timeout=1.0))
        except queue.Empty:
            continue
        sight = reports[-1].reading
        if sight is not None and (sight.reason or (sight.observation is not None and sight.observation.quiet)):
            break
    return reports


def filmed(folder: Path, image: np.ndarray) -> str:
    for number in range(6):
        cv2.imwrite(str(folder / f"{number:02}.png"), image)
    return str(folder)


def test_a_folder_of_pictures_is_read_with_taught_pieces(profile: Path, tmp_path: Path) -> None:
    look = random_tiles(GRID, 190)
    seen = Camera(gains=(0.7, 0.75, 0.9), slope=0.2, seed=172).photograph(GRID, look)
    eye = CameraClient(filmed(tmp_path, seen), GRID, profile, learnt=tmp_path / "learnt.zip")
    eye.start()
    try:
        sight = heard(eye)[-1].reading
    finally:
        eye.close()
    assert sight is not None
    assert sight.observation is not None
    read = {spot: sight.observation.likeliest(spot)[0] for spot in sight.observation.posteriors}
    assert {spot: label for spot, label in read.items() if label} == look


def test_a_mirrored_camera_is_named_in_words_that_can_be_translated(profile: Path, tmp_path: Path) -> None:
    image = Camera(gains=(0.9, 0.9, 0.9), seed=173).photograph(GRID, {})
    cv2.putText(image, "ROMA", (420, 500), cv2.FONT_HERSHEY_SIMPLEX, 5.0, (30, 40, 60), 14)
    pose = BoardLocator(GRID).at_corners(image, CAMERA.taps(GRID))
    assert isinstance(pose, FlatPose)
    look = {next(iter(GRID.spots)): next(iter(GRID.spots.values())).labels[0]}
    lesson = Lesson("lettered", image, pose, {spot: look.get(spot, EMPTY) for spot in GRID.spots})
    lettered = tmp_path / "lettered.zip"
    save_spot_profile(teach_from_pictures(GRID, [lesson]).profile, lettered)
    eye = CameraClient(filmed(tmp_path, np.ascontiguousarray(image[:, ::-1])), GRID, lettered)
    eye.start()
    try:
        sight = heard(eye)[-1].reading
    finally:
        eye.close()
    assert sight is not None
    assert sight.reason == MIRRORED
    assert isinstance(sight.reason, Sentence), "it comes through the pipe with its message"


def test_a_profile_says_which_board_it_is_for(profile: Path, tmp_path: Path) -> None:
    assert board_taught(profile) == GRID.id
    with pytest.raises(WrongUse, match="was taught on 'synthetic/grid', no known board of city_of_marble"):
        board_in_play(MARBLE, None, profile, tmp_path)
    assert board_in_play(MARBLE, None, None, tmp_path).id == f"{MARBLE}/print_and_play"
    with pytest.raises(WrongUse, match="is a board of capitol, not of city_of_marble"):
        board_in_play(MARBLE, "capitol", None, tmp_path)


def test_printed_faces_need_printed_markers(tmp_path: Path) -> None:
    board = bare_board()
    with pytest.raises(InvalidProfile, match="is for 'city_of_marble/print_and_play'"):
        load_taught(shipped_profile(print_and_play_board(MARBLE)), board)
    with pytest.raises(InvalidProfile, match="comes with no taught profile"):
        CameraOptions("0", None, None, ()).check(board)


def test_what_does_not_go_together_is_refused() -> None:
    printed = print_and_play_board(MARBLE)
    corners = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    with pytest.raises(WrongUse, match="name it with --camera"):
        CameraOptions(None, None, Path("pieces.zip"), ()).check(printed)
    with pytest.raises(WrongUse, match="is found by its printed markers"):
        CameraOptions("0", None, None, corners).check(printed)


def test_play_refuses_a_profile_of_another_board_and_begins_no_game(
    profile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    words = ["play", "--game", MARBLE, "--camera", "0", "--board", MARBLE, "--profile", str(profile)]
    assert main(words) == 3
    told = capsys.readouterr().err.strip()
    assert "is for 'synthetic/grid', not for 'city_of_marble/print_and_play'" in told
    assert "\n" not in told


@pytest.mark.parametrize("words", [["--camera", "nowhere"], ["--camera", "0", "--lens", "nowhere.toml"]])
def test_a_camera_that_is_not_there_begins_no_game(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["play", "--new", *words]) == 3
    assert capsys.readouterr().err.startswith(f"companion: {words[-1]}: ")
    with Store(data_folder() / GAMES_FILE) as store:
        assert store.games() == ()


def test_what_was_learnt_is_kept_apart_for_each_profile(profile: Path, tmp_path: Path) -> None:
    assert taught_profile(tmp_path, GRID) is None
    kept = profile_file(tmp_path, GRID)
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"one")
    assert taught_profile(tmp_path, GRID) == kept
    first = learnt_file(tmp_path, GRID, kept)
    kept.write_bytes(b"another")
    assert first != learnt_file(tmp_path, GRID, kept)
    assert learnt_file(tmp_path, GRID, None) is None
    assert learnt_file(tmp_path, GRID, tmp_path / "gone.zip") is None
