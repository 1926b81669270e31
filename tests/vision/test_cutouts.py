"""What the camera saw of an action is kept in little room, and reads again as it was read."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.errors import StoreError
from companion.session.cutouts import LARGEST as ROOM
from companion.session.cutouts import CutOuts, cut_outs_beside
from companion.session.session import Session
from tests.tables import table_of
from tests.vision.box_edition import BoxCamera, box_board, box_table, box_taught_once
from ui.command_line import main
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView, Light
from vision.colour.correction import ColourCorrection
from vision.colour.fit import fit_colours
from vision.colour.space import LINEAR
from vision.cutouts import LARGEST, CutOut, cut_out, decoded, encoded, read_again, shows_its_spots
from vision.errors import InvalidPicture
from vision.location.board_pose import BoardPose
from vision.location.fiducials import FiducialFinder
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator
from vision.location.registration import register
from vision.location.relief import Relief
from vision.pictures import Image, gray_of
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReader
from vision.spots.spot_profile import spot_profile_bytes
from vision.spots.spot_reader import SpotReader

ACTIONS = ("draw red blue", "ward E8-F8 red magistrate", "end", "ward C10-D10 blue")


def pose_of(scene: Scene, picture: Image) -> BoardPose:
    pose = register(scene.board, FiducialFinder(scene.board.markers).find(gray_of(picture)), (1280, 720))
    assert isinstance(pose, BoardPose)
    return pose


def kept(scene: Scene, before: Mapping[str, str], after: Mapping[str, str]) -> CutOut:
    first, second = scene.frame(before), scene.frame(after)
    spots = sorted({spot for spot, _ in before.items() ^ after.items()})
    pose = pose_of(scene, second)
    return cut_out(scene.board, spots, first, second, pose, fit_colours(second, scene.board, pose))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """A short game that the camera told, with its cut-outs beside it."""
    session = Session.create(None, table_of("city_of_marble", 2))
    scene = Scene(session.table.board, CameraView(tilt=20), sloppiness=Sloppiness(seed=4))
    path = tmp_path / "game.jsonl"
    cut_outs = cut_outs_beside(path)
    for text in ACTIONS:
        before = session.game.appearance(session.state)
        outcome = session.submit(session.game.parse_action(text, session.state), source="camera")
        assert outcome.entry is not None, outcome.verdict
        after = session.game.appearance(session.state)
        if after != before:
            cut_outs.keep(outcome.entry.number, encoded(kept(scene, before, after)))
    path.write_text(session.export(), encoding="utf-8")
    return path


def test_a_cut_out_is_small_and_reads_as_the_whole_picture() -> None:
    board = table_of("city_of_marble", 2).board
    scene = Scene(board, CameraView(width=1920, height=1080, tilt=25, distance=800))
    look = {"ward E8-F8": "red", "magistrate E8-F8": "white", "ward J3-J4": "blue"}
    first, second = scene.frame({"ward J3-J4": "blue"}), scene.frame(look)
    pose = register(board, FiducialFinder(board.markers).find(gray_of(second)), (1920, 1080))
    assert isinstance(pose, BoardPose)
    reader = BoardReader(board, load_profile(shipped_profile(board), board))
    live = reader.read(second, pose)
    spots = ["ward E8-F8", "magistrate E8-F8"]
    data = encoded(cut_out(board, spots, first, second, pose, live.colours))
    assert len(data) <= LARGEST < ROOM
    again = decoded(data, "test")
    colours = again.colours
    assert isinstance(colours, ColourCorrection)
    assert colours.trim is not None
    samples, places = np.array([[30, 90, 200]], np.uint8), np.array([[60.0, 200.0]])
    assert np.allclose(colours.to_lab(samples, places), live.colours.to_lab(samples, places), atol=1e-3)
    shown = read_again(again, board, reader)
    assert {spot: max(shares, key=shares.__getitem__) for spot, shares in shown.items()} == {
        "ward E8-F8": "red", "magistrate E8-F8": "white",
    }  # fmt: skip
    assert again.before.shape == again.after.shape
    assert (again.before != again.after).any()


def test_a_cut_out_remembers_how_much_light_its_picture_told() -> None:
    board = table_of("city_of_marble", 2).board
    scene = Scene(board, CameraView(width=1280, height=720, tilt=20))
    light = LINEAR[scene.frame({"ward E8-F8": "red"})] * 2.0
    bright = np.interp(light, LINEAR, np.arange(256)).round().astype(np.uint8)
    live = BoardReader(board, load_profile(shipped_profile(board), board)).read(bright, scene.pose)
    assert live.colours.ceiling is not None
    cut = cut_out(board, ["ward E8-F8"], bright, bright, scene.pose, live.colours)
    colours = decoded(encoded(cut), "test").colours
    assert isinstance(colours, ColourCorrection)
    assert colours.ceiling == live.colours.ceiling
    with pytest.raises(InvalidPicture, match="ceiling"):
        decoded(encoded(replace(cut, colours=replace(live.colours, ceiling=(0.5, 0.5, 1.5)))), "test")


def test_a_cut_out_remembers_how_a_curled_sheet_lay() -> None:
    scene = Scene(table_of("city_of_marble", 2).board, CameraView(tilt=20))
    look = {"ward E8-F8": "red"}
    cut = kept(scene, {}, look)
    assert isinstance(cut.pose, BoardPose)
    relief = Relief(scene.board.size, (-6.0, 1.5, 2.0, 0.5, -0.5), (0.4, -0.2, 0.0, 0.1, 0.3, -0.4, 0.2, 0.0, 0.6, 0.1))
    again = decoded(encoded(replace(cut, pose=replace(cut.pose, relief=relief))), "test").pose
    assert isinstance(again, BoardPose)
    assert again.relief == relief


def test_recheck_agrees_with_the_record_or_says_where_not(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recheck", str(record)]) == 0
    assert "0 of them otherwise than recorded" in capsys.readouterr().out
    assert main(["recheck", str(record), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    entries = document["entries"]
    assert document["missing"] == []
    assert [entry["action"] for entry in entries] == [ACTIONS[1], ACTIONS[3]]
    assert [entry["spots"] for entry in entries] == [2, 1]


def test_cut_outs_that_are_gone_are_counted(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut_outs = cut_outs_beside(record)
    gone = next(cut_outs.numbers())
    (cut_outs.folder / f"{gone:05}.cut").unlink()
    assert main(["recheck", str(record)]) == 0
    assert f"cut-outs are gone or were never written: 1 (entries {gone})" in capsys.readouterr().out
    assert main(["recheck", str(record), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["missing"] == [gone]


def test_a_misread_action_is_found_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    session = Session.create(None, table_of("city_of_marble", 2))
    scene = Scene(session.table.board, CameraView(tilt=20))
    before = dict(session.game.appearance(session.state))
    outcome = session.submit(session.game.parse_action("ward E8-F8 red", session.state), source="camera")
    assert outcome.entry is not None
    path = tmp_path / "game.jsonl"
    lying = before | {"ward E8-F8": "green"}
    cut_outs_beside(path).keep(outcome.entry.number, encoded(kept(scene, before, lying)))
    path.write_text(session.export(), encoding="utf-8")
    assert main(["recheck", str(path)]) == 1
    assert "ward E8-F8 shows green, recorded is red" in capsys.readouterr().out


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04", b"no archive"])
def test_a_damaged_cut_out_is_refused_in_one_line(
    record: Path, damage: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    cut_outs = cut_outs_beside(record)
    cut_outs.keep(next(cut_outs.numbers()), damage)
    assert main(["recheck", str(record)]) == 3
    told = capsys.readouterr()
    assert "cut-out" in told.err
    assert told.err.count("\n") == 1
    assert told.out == "1 cut-outs, 1 spots read again, 0 of them otherwise than recorded\n"
    with pytest.raises(InvalidPicture):
        decoded(damage, "test")


def with_header(data: bytes, change: Mapping[str, object]) -> bytes:
    """A cut-out's file with other entries in its header."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(stream, "w") as changed:
        for name in archive.namelist():
            member = archive.read(name)
            changed.writestr(name, json.dumps(json.loads(member) | change) if name.endswith(".json") else member)
    return stream.getvalue()


@pytest.fixture(scope="module")
def small() -> bytes:
    """The file of a cut-out of one ward."""
    scene = Scene(table_of("city_of_marble", 2).board, CameraView(tilt=20), sloppiness=Sloppiness(seed=4))
    return encoded(kept(scene, {}, {"ward E8-F8": "red"}))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"rotation": [0.0, 0, 0, 0, 1, 0, 0, 0, 1]}, "rotation: must be a rotation"),
        ({"rotation": [1.0, 0, 0, 0, 1, 3e5, 0, 0, 1]}, "rotation: must be a rotation"),
        ({"camera": [1280, 720, 1e-6, 0, 0]}, "camera: has a focal length or a distortion that no lens has"),
        ({"camera": [1280, 720, 1000, 0, 0, -639, 360]}, "camera: has its middle beside the picture"),
        ({"size": [0, 400]}, "size: must be the sheet's width and height"),
        ({"fall_off": [0.0, 5e4, 0, 0, 0, 0]}, "fall_off: must be numbers of at most 20"),
        ({"response": [-1, 0]}, "response: must be an exponent"),
    ],
)
def test_a_cut_out_with_impossible_numbers_is_refused(small: bytes, change: Mapping[str, object], reason: str) -> None:
    with pytest.raises(InvalidPicture, match=f"some cut-out: {reason}"):
        decoded(with_header(small, change), "some cut-out")


@pytest.mark.parametrize("change", [{"translation": [0.0, 0, 9e5]}, {"corner": [0, 0]}, {"spots": ["ward A10-B9"]}])
def test_a_cut_out_of_another_place_than_it_says_is_told_apart(small: bytes, change: Mapping[str, object]) -> None:
    board = table_of("city_of_marble", 2).board
    assert shows_its_spots(decoded(small, "kept"), board)
    assert not shows_its_spots(decoded(with_header(small, change), "changed"), board)


def test_a_pipe_in_place_of_a_cut_out_is_refused(tmp_path: Path) -> None:
    cut_outs = CutOuts(tmp_path)
    os.mkfifo(tmp_path / "00001.cut")
    with pytest.raises(StoreError, match="is no file"):
        cut_outs.read(1)


def test_a_record_without_cut_outs_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "touched.jsonl"
    path.write_text(Session.create(None, table_of("city_of_marble", 2)).export(), encoding="utf-8")
    assert main(["recheck", str(path)]) == 3
    assert "there are no cut-outs" in capsys.readouterr().err
    copied = tmp_path / "copy.jsonl"
    kept_there = CutOuts(tmp_path / "some")
    kept_there.keep(3, b"x")
    kept_there.copy_to(copied)
    assert list(cut_outs_beside(copied).numbers()) == [3]
    kept_there.discard()
    assert not list(kept_there.numbers())


def test_what_photographs_taught_is_read_again_with_the_profile_named(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session.create(None, box_table(2))
    board, taught, record = box_board(), box_taught_once(tmp_path_factory).profile, tmp_path / "game.jsonl"
    profile = tmp_path / "box.zip"
    profile.write_bytes(spot_profile_bytes(taught))
    before = dict(session.game.appearance(session.state))
    outcome = session.submit(session.game.parse_action("ward E8-F8 red", session.state), source="camera")
    assert outcome.entry is not None
    after = dict(session.game.appearance(session.state))
    camera = BoxCamera(
        CameraView(distance=760, tilt=12), Light(temperature=4200, exposure=0.75, slope=(-0.2, 0.1)), seed=3
    )
    first, second = camera.picture(before), camera.picture(after)
    pose = BoardLocator(board).at_corners(second, camera.taps())
    assert isinstance(pose, FlatPose)
    reader = SpotReader(board, taught)
    live = reader.read(second, pose)
    spots = sorted({spot for spot, _ in before.items() ^ after.items()})
    data = encoded(cut_out(board, spots, first, second, pose, live.colours, profile.name))
    assert len(data) <= LARGEST
    again = decoded(data, "test")
    assert read_again(again, board, reader).keys() == set(spots)
    plain = ColourCorrection(board.size, np.zeros(6, np.float32), np.eye(3, 4, dtype=np.float32), 0.0)
    with pytest.raises(InvalidPicture):
        read_again(replace(again, colours=plain), board, reader)
    cut_outs_beside(record).keep(outcome.entry.number, data)
    record.write_text(session.export(), encoding="utf-8")
    assert main(["recheck", str(record)]) == 0
    assert main(["recheck", str(record), "--profile", str(profile)]) == 0
    capsys.readouterr()
    profile.unlink()
    assert main(["recheck", str(record)]) == 3
    assert "--profile" in capsys.readouterr().err
