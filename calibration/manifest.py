"""The manifest: all that a printer, a camera or another program must know about a board and its pieces, as JSON.

All lengths are millimetres, origin at the sheet's top-left corner, x right, y down; docs/boards.md describes the
fields, docs/schemas/manifest.schema.json checks them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calibration.artwork import board_png, face_pixels, face_png
from calibration.components import Component
from calibration.drawing.raster import png_bytes
from calibration.editions import USUAL, Edition
from calibration.printing import check_folder, file_stem, write_file
from calibration.progress import Progress
from companion.board.lattice import Point
from companion.board.layout import Board, Markers, Piece, Spot, face_outline, face_turn

FORMAT = 1
SHEET_SCALE = 4.0
"""Default resolution of the sheet's picture, pixels per millimetre."""
FACE_SCALE = 12.0
"""Default resolution of the faces' pictures, pixels per millimetre."""


def manifest(
    board: Board, components: Sequence[Component], sheet_scale: float = SHEET_SCALE, face_scale: float = FACE_SCALE,
    edition: Edition = USUAL,
) -> dict[str, Any]:  # fmt: skip
    """The document for a board: markers, patches, spots, pieces with their faces; scales in pixels per millimetre."""
    counts = {c.piece.name: dict(c.counts) for c in components if c.on_board}
    files = _face_files(board)
    width, height = board.size
    return {
        "format": FORMAT,
        "id": board.id,
        "game": board.game,
        "name": board.name,
        "digest": board.digest,
        "edition": edition.value,
        "size": list(board.size),
        "sheet": {
            "file": "board.png",
            "pixels_per_mm": sheet_scale,
            "origin": [0.0, 0.0],
            "pixels": [round(width * sheet_scale), round(height * sheet_scale)],
        },
        "markers": _markers(board.markers),
        "patches": [
            {"name": patch.name, "centre": list(patch.centre), "side": patch.side, "rgb": list(patch.rgb)}
            for patch in board.patches
        ],
        "palette": list(board.palette),
        "features": {kind: dict(sites) for kind, sites in board.features.items()},
        "slots": {name: list(place) for name, place in board.slots.items()},
        "slot_diameter": board.slot_diameter,
        "pieces": [_piece(piece, counts.get(piece.name, {}), files, face_scale) for piece in board.pieces.values()],
        "spots": [_spot(spot, board.pieces[spot.piece]) for spot in board.spots.values()],
        "beside": {name: f"{subfolder}/manifest.json" for name, subfolder in _subfolders(board).items()},
        "components": [
            {
                "name": c.name,
                "shape": c.piece.shape,
                "size": list(c.piece.size),
                "form": c.form,
                "counts": dict(c.counts),
            }
            for c in components
        ],
    }


def write_manifest(
    board: Board, components: Sequence[Component], folder: Path, sheet_scale: float = SHEET_SCALE,
    face_scale: float = FACE_SCALE, progress: Progress | None = None, edition: Edition = USUAL,
) -> list[Path]:  # fmt: skip
    """Write manifest.json and its pictures into a folder, sheets next to the board into folders in it.

    Returns the files, manifest.json last. Raises PrintError where a folder cannot be written.
    """
    sheets = [(board, folder)]
    sheets += [(board.beside[name], folder / subfolder) for name, subfolder in _subfolders(board).items()]
    tasks: list[tuple[Path, Callable[[], bytes]]] = []
    for sheet, place in reversed(sheets):
        check_folder(place)
        tasks += [
            (place / file, partial(_face, sheet, *face, face_scale, edition))
            for face, file in _face_files(sheet).items()
        ]
        tasks.append((place / "board.png", partial(_sheet, sheet, sheet_scale)))
        tasks.append((place / "manifest.json", partial(_text, sheet, components, sheet_scale, face_scale, edition)))
    written = []
    for step, (path, data) in enumerate(tasks):
        if progress is not None:
            progress(step, len(tasks), path.name)
        written.append(write_file(path, data()))
    if progress is not None:
        progress(len(tasks), len(tasks), "")
    return written


def _face(board: Board, piece: str, label: str, scale: float, edition: Edition) -> bytes:
    picture, mask = face_png(board, piece, label, scale, edition)
    return png_bytes(np.dstack([picture, mask]), scale)


def _sheet(board: Board, scale: float) -> bytes:
    return png_bytes(board_png(board, scale), scale)


def _text(
    board: Board, components: Sequence[Component], sheet_scale: float, face_scale: float, edition: Edition
) -> bytes:
    document = manifest(board, components, sheet_scale, face_scale, edition)
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _subfolders(board: Board) -> dict[str, str]:
    """Sheet next to the board -> the folder of its manifest; all different."""
    return dict(zip(board.beside, _files(list(board.beside), ""), strict=True))


def _markers(markers: Markers) -> dict[str, Any]:
    half = markers.side / 2
    return {
        "dictionary": markers.dictionary,
        "side": markers.side,
        "quiet_zone": markers.quiet_zone,
        "markers": [
            {
                "id": marker,
                "centre": [x, y],
                "corners": [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]],
            }
            for marker, (x, y) in markers.centres.items()
        ],
    }


def _face_files(board: Board) -> dict[tuple[str, str], str]:
    """(piece, label) -> the file name of its picture; all different."""
    faces = [(piece.name, label) for piece in board.pieces.values() for label in piece.labels]
    return dict(zip(faces, _files([" ".join(face) for face in faces], ".png"), strict=True))


def _files(names: Sequence[str], ending: str) -> list[str]:
    """A safe file name for each of these untrusted names; all different."""
    files: list[str] = []
    for name in names:
        stem = file_stem(name)
        same = sum(file.partition(".")[0] == stem for file in files)
        files.append(f"{stem}.{same + 1}{ending}" if same else f"{stem}{ending}")
    return files


def _piece(piece: Piece, counts: dict[str, int], files: dict[tuple[str, str], str], scale: float) -> dict[str, Any]:
    width, height = face_pixels(piece, scale)
    return {
        "name": piece.name,
        "shape": piece.shape,
        "size": list(piece.size),
        "height": piece.height,
        "lies_on": piece.lies_on,
        "raised_by": piece.raised_by or None,
        "labels": list(piece.labels),
        "counts": counts,
        "outline": _points(face_outline(piece)),
        "faces": [
            {
                "label": label,
                "file": files[piece.name, label],
                "pixels_per_mm": scale,
                "origin": [round(-width / 2 / scale, 4), round(-height / 2 / scale, 4)],
                "pixels": [width, height],
            }
            for label in piece.labels
        ],
    }


def _spot(spot: Spot, piece: Piece) -> dict[str, Any]:
    return {
        "name": spot.name,
        "piece": spot.piece,
        "site": spot.site,
        "labels": list(spot.labels),
        "centre": _points([spot.centre])[0],
        "turn": face_turn(spot, piece),
        "outline": _points(spot.outline),
        "base": spot.base,
        "height": spot.height,
    }


def _points(points: Sequence[Point]) -> list[list[float]]:
    return [[round(x, 4) + 0.0, round(y, 4) + 0.0] for x, y in points]
