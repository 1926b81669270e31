"""The manifest is enough to draw any table without this program."""

import json
import math
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import cv2
import jsonschema
import numpy as np
import pytest

from calibration.components import Component
from calibration.editions import Edition
from calibration.errors import PrintError
from calibration.manifest import manifest, write_manifest
from companion.board.layout import Board

SCHEMA = Path(__file__).resolve().parents[2] / "docs" / "schemas" / "manifest.schema.json"


@pytest.fixture(scope="module")
def folder(board: Board, components: tuple[Component, ...], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manifest")
    written = write_manifest(board, components, folder, 2.0, 6.0)
    assert sorted(written) == sorted(folder.iterdir())
    return folder


@pytest.fixture(scope="module")
def document(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return document


def test_it_follows_its_schema(document: dict[str, Any]) -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema, jsonschema.Draft202012Validator)
    for entry in ("format", "markers", "spots"):
        broken = {key: value for key, value in document.items() if key != entry}
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, schema, jsonschema.Draft202012Validator)


def test_it_is_the_same_every_time(document: dict[str, Any], board: Board, components: tuple[Component, ...]) -> None:
    assert document == json.loads(json.dumps(manifest(board, components, 2.0, 6.0)))
    assert document == {**manifest(board, components, 2.0, 6.0, Edition.SECOND), "edition": "first"}


def test_it_has_every_spot_piece_and_marker(
    document: dict[str, Any], board: Board, components: tuple[Component, ...]
) -> None:
    assert [spot["name"] for spot in document["spots"]] == list(board.spots)
    assert {piece["name"]: piece["labels"] for piece in document["pieces"]} == {
        piece.name: list(piece.labels) for piece in board.pieces.values()
    }
    assert {m["id"]: tuple(m["centre"]) for m in document["markers"]["markers"]} == dict(board.markers.centres)
    counts = {piece["name"]: piece["counts"] for piece in document["pieces"]}
    assert counts["ward"] == {"red": 12, "yellow": 14, "green": 16, "blue": 18}
    assert counts["cube"] == dict.fromkeys(board.palette, 16)
    assert len(document["components"]) == len(components)


def test_pictures_have_the_stated_sizes(document: dict[str, Any], folder: Path) -> None:
    pictures = [document["sheet"], *(face for piece in document["pieces"] for face in piece["faces"])]
    assert len({picture["file"] for picture in pictures}) == len(pictures)
    for picture in pictures:
        image = cv2.imread(str(folder / picture["file"]), cv2.IMREAD_UNCHANGED)
        assert image is not None
        assert [image.shape[1], image.shape[0]] == picture["pixels"]


def test_a_turned_face_covers_its_spot(document: dict[str, Any], folder: Path) -> None:
    """Placed by origin, resolution, centre and turn alone, a face's pixels fill the spot's outline."""
    pieces = {piece["name"]: piece for piece in document["pieces"]}
    some = {}
    for spot in document["spots"]:
        some.setdefault((spot["piece"], spot["turn"]), spot)
    assert len({turn for piece, turn in some if piece == "ward"}) == 3
    for spot in some.values():
        face = pieces[spot["piece"]]["faces"][0]
        image = cv2.imread(str(folder / face["file"]), cv2.IMREAD_UNCHANGED)
        assert image is not None
        rows, columns = np.nonzero(image[:, :, 3] > 127)
        own = (np.column_stack([columns, rows]) + 0.5) / face["pixels_per_mm"] + np.array(face["origin"])
        turn = math.radians(spot["turn"])
        turned = own @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        seen = cv2.convexHull((turned + np.array(spot["centre"])).astype(np.float32))
        outline = np.array(spot["outline"], np.float32)
        common, _ = cv2.intersectConvexConvex(seen, outline)
        assert common > 0.93 * max(cv2.contourArea(seen), cv2.contourArea(outline)), spot["name"]


def test_a_folder_that_is_a_file_is_refused(board: Board, components: tuple[Component, ...], tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(PrintError, match="taken: is no folder; name another one"):
        write_manifest(board, components, tmp_path / "taken")


def test_names_from_outside_stay_in_the_folder(board: Board) -> None:
    labels = ("../../etc/passwd", "a b", "a/b", "Ä", "", "C:\\x")
    hostile = replace(board.pieces["cube"], labels=labels)
    strange = replace(board, pieces=MappingProxyType({"cube": hostile}), spots=MappingProxyType({}))
    (piece,) = manifest(strange, [])["pieces"]
    files = [face["file"] for face in piece["faces"]]
    assert len(set(files)) == len(labels)
    assert all(
        set(file) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.") and not file.startswith(".") for file in files
    )
