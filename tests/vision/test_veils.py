"""Tiles in the mirror image of a lamp, away from every marker, are read beneath its light."""

from __future__ import annotations

import numpy as np
import pytest

from companion.board.layout import Board
from companion.registry import print_and_play_board
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView
from vision.colour.space import LINEAR
from vision.colour.veils import veils_over
from vision.pictures import Image
from vision.printed.pieces.profile import load_profile, shipped_profile
from vision.printed.reading import BoardReader

TILES = {
    "tile D4": "curve 0", "tile E4": "double curve 0", "tile F4": "bridge 0", "tile E5": "curve 180",
    "tile H6": "straight 0", "tile C6": "bridge 0", "tile I3": "curve 90",
}  # fmt: skip
VEILED = ("tile D4", "tile E4", "tile F4", "tile E5")
WARM = np.array([0.6, 1.0, 1.4])
_LEVELS = np.interp(np.arange(4097) / 4096, LINEAR, np.arange(256))


@pytest.fixture(scope="module")
def aqueducts() -> Board:
    return print_and_play_board("aqua_romana")


def veiled(board: Board, scene: Scene, image: Image) -> Image:
    """The picture with a lamp mirrored around the tile E4."""
    column, row = scene.pose.project(np.array([[*board.spots["tile E4"].centre, 0.0]]))[0]
    rows, columns = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    light = 0.22 * np.exp(-0.5 * ((columns - column) ** 2 + (rows - row) ** 2) / 130.0**2)
    seen = np.clip(LINEAR[image] + light[..., None] * WARM, 0, 1)
    return np.asarray(_LEVELS[(seen * 4096).round().astype(np.intp)].round(), np.uint8)


def test_tiles_beneath_a_mirrored_lamp_are_read(aqueducts: Board) -> None:
    scene = Scene(aqueducts, CameraView(tilt=20.0))
    reader = BoardReader(aqueducts, load_profile(shipped_profile(aqueducts), aqueducts))
    seen = reader.read(veiled(aqueducts, scene, scene.frame(TILES)), scene.pose)
    assert seen.colours.veils is not None
    for spot in VEILED:
        assert seen.posteriors.get(spot, {}).get(TILES[spot], 0.0) > 0.9, spot
    wrong = [s for s, shares in seen.posteriors.items() if max(shares, key=shares.__getitem__) != TILES.get(s, "")]
    assert not wrong


def test_a_picture_without_mirrored_light_has_no_veils(aqueducts: Board) -> None:
    scene = Scene(aqueducts, CameraView(tilt=20.0))
    reader = BoardReader(aqueducts, load_profile(shipped_profile(aqueducts), aqueducts))
    assert reader.read(scene.frame(TILES), scene.pose).colours.veils is None


def test_a_veil_lies_over_its_tile_alone(aqueducts: Board) -> None:
    spot, other = aqueducts.spots["tile E4"], aqueducts.spots["tile I3"]
    veils = veils_over({spot: np.array([0.1, 0.2, 0.3], np.float32)}, aqueducts.size)
    found = veils.at(np.array([spot.centre, other.centre]))
    assert np.allclose(found[0], [0.1, 0.2, 0.3])
    assert not found[1].any()
