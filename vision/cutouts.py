"""The part of a camera's picture in which an action was seen, before and after it, with all that is needed to read it
again: where it lay in the picture, the camera's pose, and how colours were corrected.

The file is a ZIP archive of `cutout.json`, `before.jpg` and `after.jpg`.
"""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.documents import Table, parse_json
from companion.errors import InvalidDocument
from vision.colour import ColourCorrection, Response, fit_colours
from vision.errors import InvalidPicture
from vision.pictures import Image, decode_picture
from vision.reading import BoardReader
from vision.registration import BoardPose, CameraModel

FORMAT = 1
LARGEST = 60 * 1024
"""bytes of a cut-out"""
_AROUND = 45.0
"""Millimetres of board around the spots that are kept with them: neighbours help to read a spot."""
_QUALITIES = (88, 75, 60, 45, 30)
_LARGEST_SIDE = 8000
_PICTURES = ("before.jpg", "after.jpg")


@dataclass(frozen=True, slots=True)
class CutOut:
    """`corner` is the pixel (x, y) of the full picture at which the parts, pictures of one size, begin."""

    board: str
    spots: tuple[str, ...]
    corner: tuple[int, int]
    before: Image
    after: Image
    pose: BoardPose
    colours: ColourCorrection


def cut_out(board: Board, spots: Iterable[str], before: Image, after: Image, pose: BoardPose) -> CutOut:
    """Cut the part with these spots out of two pictures taken under one pose."""
    chosen = tuple(spot for spot in spots if spot in board.spots)
    places = [
        [x + dx, y + dy, z]
        for spot in (board.spots[name] for name in chosen)
        for x, y in spot.outline
        for dx in (-_AROUND, _AROUND)
        for dy in (-_AROUND, _AROUND)
        for z in (0.0, spot.base + spot.height)
    ]
    pixels = pose.project(places)
    height, width = after.shape[:2]
    limits = np.array([width, height])
    low = np.clip(np.floor(pixels.min(axis=0)).astype(int), 0, limits - 1)
    high = np.clip(np.ceil(pixels.max(axis=0)).astype(int) + 1, low + 1, limits)
    window = (slice(low[1], high[1]), slice(low[0], high[0]))
    colours = fit_colours(after, board, pose)
    earlier = before if before.shape == after.shape else after
    return CutOut(board.id, chosen, (int(low[0]), int(low[1])), earlier[window], after[window], pose, colours)


def read_again(cut: CutOut, board: Board, reader: BoardReader) -> Mapping[str, Mapping[str, float]]:
    """What lies on the cut-out's spots, as read from its second picture alone; covered spots are left out."""
    camera = cut.pose.camera
    whole = np.full((camera.height, camera.width, 3), 127, np.uint8)
    x, y = cut.corner
    rows, columns = cut.after.shape[:2]
    whole[y : y + rows, x : x + columns] = cut.after
    reading = reader.read(whole, cut.pose, cut.colours)
    return {spot: reading.posteriors[spot] for spot in cut.spots if spot in reading.posteriors}


def encoded(cut: CutOut) -> bytes:
    """A cut-out as a file of at most `LARGEST` bytes; pictures give way where they are large."""
    camera = cut.pose.camera
    header = {
        "format": FORMAT, "board": cut.board, "spots": list(cut.spots), "corner": list(cut.corner),
        "camera": [camera.width, camera.height, camera.focal, camera.radial, camera.radial2, *(camera.centre or ())],
        "rotation": cut.pose.rotation.ravel().tolist(), "translation": cut.pose.translation.ravel().tolist(),
        "size": list(cut.colours.size), "fall_off": cut.colours.fall_off.tolist(),
        "matrix": cut.colours.matrix.ravel().tolist(),
        "response": [cut.colours.response.exponent, cut.colours.response.contrast],
    }  # fmt: skip
    text = json.dumps(header, ensure_ascii=False).encode()
    files = (_archived(text, cut, quality) for quality in _QUALITIES)
    small = (data for data in files if len(data) <= LARGEST)
    return next(small, None) or _archived(text, cut, _QUALITIES[-1])


def _archived(text: bytes, cut: CutOut, quality: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(zipfile.ZipInfo("cutout.json"), text, zipfile.ZIP_DEFLATED)
        for name, picture in zip(_PICTURES, (cut.before, cut.after), strict=True):
            _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
            archive.writestr(zipfile.ZipInfo(name), data.tobytes())
    return stream.getvalue()


def decoded(data: bytes, source: str) -> CutOut:
    """The cut-out of a file.

    Raises InvalidPicture.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            header = parse_json(_member(archive, "cutout.json", source).decode(), source)
            before, after = (decode_picture(_member(archive, name, source), source) for name in _PICTURES)
        return _parsed(header, before, after)
    except InvalidDocument as error:
        raise InvalidPicture(source, f"{error.entry}: {error.reason}") from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise InvalidPicture(source, f"is no cut-out, or is damaged ({error})") from error


def _parsed(header: Table, before: Image, after: Image) -> CutOut:
    header.only(
        "format", "board", "spots", "corner", "camera", "rotation", "translation", "size", "fall_off", "matrix",
        "response",
    )  # fmt: skip
    if header.integer("format") != FORMAT:
        raise header.invalid("format", f"is {header.integer('format')}; this program reads format {FORMAT}")
    camera = header.sequence("camera", longest=7)
    numbers = _numbers(header, "camera", len(camera))
    if len(numbers) not in (5, 7) or not all(1 <= side <= _LARGEST_SIDE for side in numbers[:2]):
        raise header.invalid("camera", "must be width, height, focal length and two distortions, perhaps the middle")
    x, y = header.integers("corner", 0, _LARGEST_SIDE, longest=2)
    width, height = int(numbers[0]), int(numbers[1])
    if after.shape != before.shape or x + after.shape[1] > width or y + after.shape[0] > height:
        raise header.invalid("corner", "puts the pictures outside the camera's picture")
    centre = (float(numbers[5]), float(numbers[6])) if len(numbers) == 7 else None
    model = CameraModel(width, height, float(numbers[2]), float(numbers[3]), float(numbers[4]), centre)
    rotation = _numbers(header, "rotation", 9).reshape(3, 3)
    pose = BoardPose(model, rotation, _numbers(header, "translation", 3), 0.0, frozenset())
    size = _numbers(header, "size", 2)
    colours = ColourCorrection(
        (float(size[0]), float(size[1])),
        _numbers(header, "fall_off", 6).astype(np.float32),
        _matrix(header),
        0.0,
        Response(*_numbers(header, "response", 2).tolist()) if "response" in header else Response(),
    )
    spots = header.texts("spots", longest=200)
    return CutOut(header.text("board", longest=100), spots, (x, y), before, after, pose, colours)


def _matrix(header: Table) -> npt.NDArray[np.float32]:
    """The colour matrix; earlier versions wrote it without an offset."""
    count = len(header.sequence("matrix", longest=12))
    matrix = _numbers(header, "matrix", 9 if count == 9 else 12).reshape(3, -1)
    return np.column_stack([matrix, np.zeros((3, 4 - matrix.shape[1]))]).astype(np.float32)


def _numbers(header: Table, key: str, count: int) -> npt.NDArray[np.float64]:
    values = header.sequence(key, longest=12)
    if len(values) != count or not all(isinstance(v, int | float) and abs(v) < 1e6 for v in values):
        raise header.invalid(key, f"must be {count} numbers")
    return np.array(values, np.float64)


def _member(archive: zipfile.ZipFile, name: str, source: str) -> bytes:
    try:
        info = archive.getinfo(name)
    except KeyError as error:
        raise InvalidPicture(source, f"{name} is missing") from error
    if info.file_size > 4 * LARGEST:
        raise InvalidPicture(source, f"{name} unpacks to more than {4 * LARGEST >> 10} KiB")
    return archive.read(info)
