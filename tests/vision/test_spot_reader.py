"""Spots are read in another light and lens than they were taught in; what was never taught is not sure."""

from __future__ import annotations

import dataclasses
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import TeachingError
from calibration.teaching import Lesson, TeachingResult, teach_from_pictures, teaching_summary
from companion.board.layout import EMPTY
from tests.vision.grids import LABELS, Camera, grid_board, random_tiles
from tests.vision.profiles import rewritten
from vision.errors import InvalidProfile
from vision.location.flat_pose import FlatPose, corner_places
from vision.location.location import BoardLocator
from vision.spots.spot_features import describe, quarter_turned
from vision.spots.spot_profile import aspects_of, is_spot_profile, load_spot_profile, save_spot_profile
from vision.spots.spot_reader import SpotFollower, SpotReader, SpotReading, changes

BOARD = grid_board()
CAMERAS = (
    Camera(seed=31),
    Camera(corners=((200, 90), (1080, 100), (1210, 860), (120, 840)), gains=(0.8, 0.85, 0.9), slope=0.2, seed=32),
    Camera(corners=((120, 130), (1150, 90), (1160, 800), (130, 860)), gains=(0.7, 0.8, 1.0), seed=33),
)
ELSEWHERE = Camera(
    corners=((230, 140), (1090, 90), (1120, 800), (160, 850)), radial=0.03, gains=(0.4, 0.5, 0.65), slope=-0.3,
    blur=1.2, noise=4.0, seed=41,
)  # fmt: skip
SELDOM = "cross yellow"


@cache
def pose_of(camera: Camera) -> FlatPose:
    image = camera.photograph(BOARD, {})
    pose = BoardLocator(BOARD).at_corners(image, camera.taps(BOARD))
    assert isinstance(pose, FlatPose)
    return pose


@pytest.fixture(scope="module")
def taught() -> TeachingResult:
    lessons = []
    for k, camera in enumerate(CAMERAS):
        look = {spot: label for spot, label in random_tiles(BOARD, 50 + k).items() if label != SELDOM}
        labels = {spot: look.get(spot, EMPTY) for spot in BOARD.spots}
        lessons.append(Lesson(f"{k}", camera.photograph(BOARD, look), pose_of(camera), labels))
    return teach_from_pictures(BOARD, lessons)


@pytest.fixture(scope="module")
def whole(taught: TeachingResult, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The profile as a file, which nobody changes."""
    path = tmp_path_factory.mktemp("profile") / "whole.zip"
    save_spot_profile(taught.profile, path)
    return path


@pytest.fixture(scope="module")
def reader(taught: TeachingResult) -> SpotReader:
    return SpotReader(BOARD, taught.profile)


def misread(reading: SpotReading, look: dict[str, str]) -> dict[str, tuple[str, str, float]]:
    wrong = {}
    for spot in reading.posteriors:
        label, chance = reading.likeliest(spot)
        if label != look.get(spot, EMPTY):
            wrong[spot] = (look.get(spot, EMPTY), label, chance)
    return wrong


@pytest.mark.parametrize("camera", [CAMERAS[1], ELSEWHERE])
def test_tiles_never_seen_before_are_read(reader: SpotReader, camera: Camera) -> None:
    look = random_tiles(BOARD, 60)
    reading = reader.read(camera.photograph(BOARD, look), pose_of(camera))
    assert not reading.covered
    assert not misread(reading, look)
    for chances in reading.posteriors.values():
        assert sum(chances.values()) == pytest.approx(1.0)
        assert min(chances.values()) > 0


def test_a_label_never_shown_is_read_from_its_words(reader: SpotReader) -> None:
    look = {"tile C3": SELDOM, "tile F2": "wedge blue"}
    reading = reader.read(ELSEWHERE.photograph(BOARD, look), pose_of(ELSEWHERE))
    assert reading.likeliest("tile C3")[0] == SELDOM


def test_the_light_is_told_by_what_was_recognised(reader: SpotReader) -> None:
    look = random_tiles(BOARD, 61)
    gains = reader.read(ELSEWHERE.photograph(BOARD, look), pose_of(ELSEWHERE)).gains
    brighter = np.array(gains) + np.log(ELSEWHERE.gains)
    assert np.ptp(brighter) < 0.25, "blue, green and red are balanced as they were taught"


def test_a_picture_many_times_darker_than_those_taught_is_read_alike(reader: SpotReader) -> None:
    look = random_tiles(BOARD, 62)
    picture = CAMERAS[1].photograph(BOARD, look)
    reading = reader.read((picture * 0.25).astype(np.uint8), pose_of(CAMERAS[1]))
    assert len(reading.posteriors) > 0.9 * len(BOARD.spots)
    assert len(misread(reading, look)) <= 0.05 * len(look)


def test_no_edges_are_seen_in_even_light(reader: SpotReader) -> None:
    assert reader.read(ELSEWHERE.photograph(BOARD, random_tiles(BOARD, 66)), pose_of(ELSEWHERE)).colours.edges is None


def test_what_is_burnt_out_is_covered(reader: SpotReader) -> None:
    camera, look = CAMERAS[1], random_tiles(BOARD, 67)
    picture = camera.photograph(BOARD, look)
    picture[:, : picture.shape[1] // 2] = 255
    reading = reader.read(picture, pose_of(camera))
    places = {spot: pose_of(camera).project([[*BOARD.spots[spot].centre, 0.0]])[0, 0] for spot in BOARD.spots}
    burnt = {spot for spot in BOARD.spots if places[spot] < picture.shape[1] / 2 - 40}
    assert len(burnt) > 10
    assert burnt <= reading.covered
    assert len(reading.covered) < 0.7 * len(BOARD.spots)


def test_boards_so_large_that_a_sample_tells_the_light_are_followed_as_they_are_read(taught: TeachingResult) -> None:
    board = grid_board(columns=26, rows=20, side=15.0)
    profile = dataclasses.replace(taught.profile, board=board.id, digest=board.digest, sheet=None)
    size = (board.size[0] * 4, board.size[1] * 4)
    corners = ((30.0, 20.0), (size[0] - 25.0, 30.0), (size[0] - 15.0, size[1] - 20.0), (15.0, size[1] - 30.0))
    camera = Camera(corners=corners, size=(round(size[0]), round(size[1])), gains=(0.8, 0.85, 0.9), seed=34)
    pose = BoardLocator(board).at_corners(camera.photograph(board, {}), camera.taps(board))
    assert isinstance(pose, FlatPose)
    look, follower = random_tiles(board, 63, share=0.3), SpotFollower(board, profile)
    first = camera.photograph(board, look)
    read = follower.read(first, pose)
    assert read.posteriors.keys() == board.spots.keys()
    assert len(misread(read, look)) <= 0.02 * len(look)
    dimmed = dataclasses.replace(camera, gains=(0.65, 0.7, 0.75))
    moved = random_tiles(board, 64, share=0.3)
    for picture, lying in ((dimmed.photograph(board, look), look), (dimmed.photograph(board, moved), moved)):
        now, anew = follower.read(picture, pose), SpotReader(board, profile).read(picture, pose)
        assert len(misread(now, lying)) <= 0.02 * len(lying)
        same = [spot for spot in anew.posteriors if now.likeliest(spot)[0] == anew.likeliest(spot)[0]]
        assert len(same) >= 0.99 * len(board.spots)


def test_a_hand_and_what_is_outside_are_not_read_as_sure(reader: SpotReader) -> None:
    camera = CAMERAS[0]
    image = camera.photograph(BOARD, {})
    pose = pose_of(camera)
    cv2.ellipse(image, (600, 450), (220, 160), 20, 0, 360, (110, 140, 205), -1)
    places = pose.project([[*spot.centre, 0.0] for spot in BOARD.spots.values()])
    near = np.linalg.norm((places - (600, 450)) / (220, 160), axis=1) < 0.6
    under = [spot for spot, hidden in zip(BOARD.spots, near, strict=True) if hidden]
    reading = reader.read(image, pose)
    likeliest = {spot: reading.likeliest(spot) for spot in under if spot in reading.posteriors}
    sure = [spot for spot, (label, chance) in likeliest.items() if label and chance > 0.9]
    assert len(under) >= 4
    assert not sure
    narrow = np.ascontiguousarray(image[:, :700])
    outside = reader.read(narrow, pose)
    assert {"tile H1", "tile H6"} <= outside.covered


def test_a_sheet_that_clearly_has_an_upper_end_tells_how_a_board_lies() -> None:
    camera = CAMERAS[2]
    image = camera.photograph(BOARD, {})
    for place in ((30, 30), (90, 40), (60, 100)):
        x, y = camera.place(BOARD, np.array([place], float))[0]
        cv2.circle(image, (int(x), int(y)), 60, (40, 30, 30), -1)
    lesson = Lesson("bare", image, pose_of(camera), dict.fromkeys(BOARD.spots, EMPTY) | {"tile H6": LABELS[0]})
    sheet = teach_from_pictures(BOARD, [lesson]).profile.sheet
    turned = np.ascontiguousarray(image[::-1, ::-1])
    taps = [(1279 - x, 959 - y) for x, y in camera.taps(BOARD)]
    pose = BoardLocator(BOARD, sheet).at_corners(turned, taps)
    assert isinstance(pose, FlatPose)
    np.testing.assert_allclose(pose.project_flat(corner_places(BOARD)), taps, atol=4)
    upright = BoardLocator(BOARD, sheet).at_corners(image, camera.taps(BOARD))
    assert isinstance(upright, FlatPose)
    np.testing.assert_allclose(upright.project_flat(corner_places(BOARD)), camera.taps(BOARD), atol=4)


def test_changes_between_two_photographs_are_named(reader: SpotReader) -> None:
    before = random_tiles(BOARD, 62, 0.2)
    laid = {spot: "disc red" for spot in ("tile B2", "tile D5", "tile G3") if spot not in before}
    after = before | laid
    one, other = CAMERAS[0], ELSEWHERE
    first = reader.read(one.photograph(BOARD, before), pose_of(one))
    second = reader.read(other.photograph(BOARD, after), pose_of(other))
    assert {change.spot: (change.before, change.after) for change in changes(first, second)} == {
        spot: ("", label) for spot, label in laid.items()
    }
    assert not changes(first, first)


def test_an_unmoved_piece_whose_two_looks_are_read_in_doubt_has_not_changed(reader: SpotReader) -> None:
    look, spot = {"tile C3": "disc red", "tile F4": "cross blue"}, "tile C3"
    one, other = (reader.read(camera.photograph(BOARD, look), pose_of(camera)) for camera in (CAMERAS[0], ELSEWHERE))
    halves = {"disc red": (0.49, 0.48), "disc blue": (0.48, 0.49)}

    def doubtful(reading: SpotReading, which: int) -> SpotReading:
        rest = dict.fromkeys(reading.posteriors[spot], 0.03 / (len(reading.posteriors[spot]) - 2))
        shares = rest | {label: pair[which] for label, pair in halves.items()}
        return dataclasses.replace(reading, posteriors={**reading.posteriors, spot: shares})

    before, after = doubtful(one, 0), doubtful(other, 1)
    assert before.likeliest(spot)[0] != after.likeliest(spot)[0]
    assert not changes(before, after)
    surely = dataclasses.replace(one, posteriors={**one.posteriors, spot: {"disc red": 0.002, "disc blue": 0.998}})
    assert not changes(
        surely, dataclasses.replace(other, posteriors={**other.posteriors, spot: {"disc red": 1.0, "disc blue": 0.0}})
    )


def test_a_spot_some_pixels_over_the_edge_is_read_by_what_is_there(reader: SpotReader) -> None:
    camera, look = CAMERAS[0], random_tiles(BOARD, 71, 0.8)
    image, pose = camera.photograph(BOARD, look), pose_of(camera)
    column = [f"tile H{row}" for row in range(1, 7)]
    ends = [float(pose.project([(x, y, 0.0) for x, y in BOARD.spots[spot].outline])[:, 0].max()) for spot in column]
    reading = reader.read(np.ascontiguousarray(image[:, : round(min(ends)) - 3]), pose)
    assert set(column) <= reading.posteriors.keys()
    assert not {spot: wrong for spot, wrong in misread(reading, look).items() if spot in column}


def test_pictures_softer_and_sharper_than_those_that_taught_are_read(reader: SpotReader) -> None:
    camera, look = CAMERAS[1], random_tiles(BOARD, 72)
    picture = camera.photograph(BOARD, look)
    for blur in (1.5, 2.5, 3.5):
        soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
        assert len(misread(reader.read(soft, pose_of(camera)), look)) <= 1
    sharp = cv2.addWeighted(picture, 2.0, cv2.GaussianBlur(picture, (0, 0), 1.5), -1.0, 0)
    assert not misread(reader.read(np.asarray(sharp, np.uint8), pose_of(camera)), look)


def test_labels_of_equally_many_words_are_told_word_by_word() -> None:
    assert aspects_of(("red star", "blue disc")) == (("red", "star"), ("blue", "disc"))
    assert aspects_of(("Field", "Home")) == (("Field",), ("Home",))
    assert aspects_of(("red star", "Home")) == (("red star",), ("Home",))


def test_turning_a_patch_permutes_its_description() -> None:
    patches = np.random.default_rng(3).integers(0, 255, (5, 36, 36, 3)).astype(np.uint8)
    turned = np.ascontiguousarray(np.rot90(patches, 1, (1, 2)))
    np.testing.assert_allclose(describe(turned), quarter_turned(describe(patches), 1), atol=1e-4)


def test_a_profile_is_kept_as_it_is(taught: TeachingResult, reader: SpotReader, tmp_path: Path) -> None:
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    save_spot_profile(taught.profile, first)
    save_spot_profile(load_spot_profile(first, BOARD), second)
    assert first.read_bytes() == second.read_bytes()
    assert is_spot_profile(first)
    image = CAMERAS[0].photograph(BOARD, random_tiles(BOARD, 63))
    again = SpotReader(BOARD, load_spot_profile(first, BOARD)).read(image, pose_of(CAMERAS[0]))
    assert again == reader.read(image, pose_of(CAMERAS[0]))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda h: h.update(format=7), "format: is 7; this program reads format 3"),
        (lambda h: h.update(digest="0"), "digest: was taught on another version of this board"),
        (lambda h: h.update(board="other"), "board: is for 'other'"),
        (lambda h: h["pieces"].clear(), "pieces: describes no piece"),
        (lambda h: h["pieces"][0].update(piece="dragon"), "pieces[1].piece: describes the dragon"),
        (lambda h: h["pieces"][0]["levels"][0].update(count=17), "samples: is no array of 17 x"),
        (lambda h: h["pieces"][0].update(turns=3), "turns: must be 1, 2 or 4"),
        (lambda h: h["pieces"][0]["levels"][1]["aspects"].pop(), "do not all tell the same labels apart"),
        (
            lambda h: [level["aspects"].pop() for level in h["pieces"][0]["levels"]],
            "does not tell the tile's labels apart",
        ),
        (lambda h: h["pieces"][0]["levels"].reverse(), "not in the order of their blurs"),
        (lambda h: h["pieces"][0]["levels"].clear(), "levels: are missing"),
        (
            lambda h: h["pieces"][0]["levels"][0]["aspects"][0]["members"][0].update(weights=[1]),
            "weights: must be 4 numbers",
        ),
        (lambda h: h["pieces"][0]["light"].update({"": [1, 2, "3"]}), "must be 3 numbers"),
        (lambda h: h["sheet"].update(file="none.png"), "none.png: is missing"),
    ],
)
def test_a_damaged_profile_is_refused(
    whole: Path, tmp_path: Path, change: Callable[[dict], object], reason: str
) -> None:
    path = rewritten(whole, tmp_path / "profile.zip", change)
    with pytest.raises(InvalidProfile) as refusal:
        load_spot_profile(path, BOARD)
    assert str(refusal.value).startswith(f"{path}: ")
    assert reason in str(refusal.value)


def test_numbers_that_are_none_and_files_cut_short_are_refused(taught: TeachingResult, tmp_path: Path) -> None:
    whole = tmp_path / "whole.zip"
    save_spot_profile(taught.profile, whole)
    nan = np.full(len(taught.profile.pieces["tile"].classifier.samples) * 268, np.nan, "<f4")
    with zipfile.ZipFile(whole) as archive:
        size = len(archive.read("samples0-0.f32"))
    bad = rewritten(
        whole, tmp_path / "nan.zip", lambda _: None, {"samples0-0.f32": np.resize(nan, size // 4).tobytes()}
    )
    with pytest.raises(InvalidProfile, match="infinite or far too large"):
        load_spot_profile(bad, BOARD)
    for length in (0, 200, whole.stat().st_size // 2):
        bad.write_bytes(whole.read_bytes()[:length])
        assert not is_spot_profile(bad)
        with pytest.raises(InvalidProfile, match="is no profile, or is damaged"):
            load_spot_profile(bad, BOARD)


def test_what_was_taught_is_summed_up_and_nothing_is_not_learnt() -> None:
    camera = CAMERAS[0]
    look = {"tile A1": "disc red", "tile B2": "disc blue", "tile C3": "square red"}
    lesson = Lesson(
        "one", camera.photograph(BOARD, look), pose_of(camera), {s: look.get(s, EMPTY) for s in BOARD.spots}
    )
    text = "\n".join(teaching_summary(teach_from_pictures(BOARD, [lesson])))
    assert "disc white" in text
    assert "square blue" not in text, "both words were shown"
    with pytest.raises(TeachingError, match="no two different labels"):
        teach_from_pictures(BOARD, [Lesson("one", lesson.image, lesson.pose, {"tile A1": LABELS[0]})])
