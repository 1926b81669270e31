"""Cut-outs: the part of a camera picture in which an action was seen, before and after, with everything needed to read
it again: its position in the picture, the board's pose, the colour correction and the profile's file name.

The file is a ZIP archive of `cutout.json`, `before.jpg` and `after.jpg`.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.files.documents import DocumentTable
from companion.wording.sentences import sentence
from vision.archives import Archive, ArchiveKind, parse_archive
from vision.colour.correction import Ceiling, ColourCorrection, Response
from vision.colour.light_map import LightMap
from vision.colour.sheen import Sheen, sheen_of
from vision.colour.trim import ColourTrim
from vision.errors import InvalidPicture
from vision.location.board_pose import BoardPose, CameraModel
from vision.location.flat_pose import FlatPose
from vision.location.relief import TERMS, Relief
from vision.pictures import Image, decode_picture
from vision.printed.reading import BoardReader
from vision.spots.spot_light import SpotLight
from vision.spots.spot_reader import SpotReader

FORMAT = 1
LARGEST = 60 * 1024
"""bytes of a cut-out"""
_AROUND = 45.0
"""Width (mm) of the surroundings kept around the spots: neighbouring pieces help to read a spot."""
_QUALITIES = (88, 75, 60, 45, 30)
"""JPEG qualities to try until the file is small enough."""
_LARGEST_SIDE = 8000
"""largest side (pixels) of the full picture that a cut-out may claim"""
_MOST_CELLS = 50_000
"""largest number of cells of a light map"""
_MOST_BLACKS = 100
"""largest number of places at which sheen is measured"""
_LEAST_STEP = 1e-3
"""smallest cell side of a light map"""
_LEAST_DETERMINANT = 1e-9
"""smallest determinant of a homography or rotation"""
_SKEW = 1e-3
"""largest deviation from 0 of the products of a rotation's rows, which would be 0 for right angles"""
_STEEPEST = 20.0
"""largest coefficient of the light's fall-off, in natural logarithms"""
_NEAR = 2.0
"""largest offset (pixels) of a cut-out from the window its spots ask for"""
_NEARLY = 0.05
"""and the largest as a share of the window's sides"""
_OTHER_KIND = sentence("was read by pieces taught in another way than this profile's; name the other with --profile")
_HEADER, _PICTURES = "cutout.json", ("before.jpg", "after.jpg")


def _refusal(source: str, entry: str, reason: str) -> InvalidPicture:
    return InvalidPicture(source, f"{entry}: {reason}" if entry else reason)


_KIND = ArchiveKind("cut-out", _HEADER, 4 * LARGEST, 16 * LARGEST, _refusal)
_Pixel = npt.NDArray[np.int_]


@dataclass(frozen=True, slots=True)
class CutOut:
    """Two pictures of one size, `before` and `after`, whose top left pixel is pixel `corner` (x, y) of the full
    picture.

    `colours` come from a reader of printed faces or from one taught with photographs; `profile` is the file name of the
    profile that was used, "" for the shipped one.
    """

    board: str
    spots: tuple[str, ...]
    corner: tuple[int, int]
    before: Image
    after: Image
    pose: BoardPose | FlatPose
    colours: ColourCorrection | SpotLight
    profile: str = ""


def cut_out(
    board: Board,
    spots: Iterable[str],
    before: Image,
    after: Image,
    pose: BoardPose | FlatPose,
    colours: ColourCorrection | SpotLight,
    profile: str = "",
) -> CutOut:
    """Cut the window around these spots out of two pictures under one pose.

    `colours` are those that the second picture was read in.
    """
    chosen = tuple(spot for spot in spots if spot in board.spots)
    low, high = _window(board, chosen, pose, after.shape[1::-1])
    window = (slice(low[1], high[1]), slice(low[0], high[0]))
    earlier = before if before.shape == after.shape else after
    corner = (int(low[0]), int(low[1]))
    return CutOut(board.id, chosen, corner, earlier[window], after[window], pose, colours, profile)


def _window(
    board: Board, spots: Iterable[str], pose: BoardPose | FlatPose, size: Sequence[int]
) -> tuple[_Pixel, _Pixel]:
    """The first pixel (x, y) of the window kept around spots in a picture of this size, and the one after its last."""
    places = [
        [x + dx, y + dy, z]
        for spot in map(board.spots.__getitem__, spots)
        for x, y in spot.outline
        for dx in (-_AROUND, _AROUND)
        for dy in (-_AROUND, _AROUND)
        for z in (0.0, spot.base + spot.height)
    ]
    pixels = pose.project(places)
    limits = np.array(size)
    low = np.clip(np.floor(pixels.min(axis=0)), 0, limits - 1).astype(int)
    high = np.clip(np.ceil(pixels.max(axis=0)) + 1, low + 1, limits).astype(int)
    return low, high


def read_again(
    cut: CutOut, board: Board, reader: BoardReader | SpotReader, source: str = "cut-out"
) -> Mapping[str, Mapping[str, float]]:
    """The probabilities of the labels of the cut-out's spots, read from its second picture alone, without covered
    spots.

    Raises InvalidPicture where the reader is of another kind than the one that read it first.
    """
    width, height = cut.pose.size
    whole = np.full((height, width, 3), 127, np.uint8)
    x, y = cut.corner
    rows, columns = cut.after.shape[:2]
    whole[y : y + rows, x : x + columns] = cut.after
    if isinstance(reader, SpotReader) and isinstance(cut.colours, SpotLight):
        posteriors = reader.read_in(cut.colours, whole, cut.pose, cut.spots).posteriors
    elif (
        isinstance(reader, BoardReader)
        and isinstance(cut.colours, ColourCorrection)
        and isinstance(cut.pose, BoardPose)
    ):
        posteriors = reader.read(whole, cut.pose, cut.colours).posteriors
    else:
        raise InvalidPicture(source, _OTHER_KIND)
    return {spot: posteriors[spot] for spot in cut.spots if spot in posteriors}


def shows_its_spots(cut: CutOut, board: Board) -> bool:
    """Whether a cut-out's pictures have nearly the position and size that `cut_out` gives them."""
    known = [name for name in cut.spots if name in board.spots]
    if not known:
        return True
    with np.errstate(all="ignore"):
        window = np.array(_window(board, known, cut.pose, cut.pose.size))
    shape = np.array(cut.after.shape[1::-1])
    return bool((np.abs(window - [cut.corner, cut.corner + shape]) <= _NEAR + _NEARLY * shape).all())


def encoded(cut: CutOut) -> bytes:
    """A cut-out as a file of at most `LARGEST` bytes; large pictures are compressed harder."""
    header = {
        "format": FORMAT, "board": cut.board, "spots": list(cut.spots), "corner": list(cut.corner),
        **_pose_document(cut.pose), **_colours_document(cut.colours),
    } | ({"profile": cut.profile} if cut.profile else {})  # fmt: skip
    text = json.dumps(header, ensure_ascii=False).encode()
    files = (_archived(text, cut, quality) for quality in _QUALITIES)
    small = (data for data in files if len(data) <= LARGEST)
    return next(small, None) or _archived(text, cut, _QUALITIES[-1])


def _pose_document(pose: BoardPose | FlatPose) -> dict[str, object]:
    if isinstance(pose, FlatPose):
        return {"picture": list(pose.size), "homography": pose.homography.ravel().tolist(), "radial": pose.radial}
    camera = pose.camera
    return {
        "camera": [camera.width, camera.height, camera.focal, camera.radial, camera.radial2, *(camera.centre or ())],
        "rotation": pose.rotation.ravel().tolist(), "translation": pose.translation.ravel().tolist(),
        "bleed": pose.bleed,
    } | _relief_document(pose.relief)  # fmt: skip


def _relief_document(relief: Relief | None) -> dict[str, object]:
    if relief is None:
        return {}
    return {"relief": [*relief.size, *relief.terms], "shifts": [*relief.shifts]}


def _colours_document(colours: ColourCorrection | SpotLight) -> dict[str, object]:
    if isinstance(colours, SpotLight):
        return {"light": colours.parts.ravel().tolist(), **_edges_document(colours.edges)}
    document: dict[str, object] = {
        "size": list(colours.size), "fall_off": colours.fall_off.tolist(), "matrix": colours.matrix.ravel().tolist(),
        "response": [colours.response.exponent, colours.response.contrast],
    }  # fmt: skip
    if colours.trim is not None:
        document["trim"] = colours.trim.coefficients.ravel().tolist()
    if colours.ceiling is not None:
        document["ceiling"] = list(colours.ceiling)
    if colours.sheen is not None:
        document["sheen"] = np.column_stack([colours.sheen.places, colours.sheen.light]).ravel().tolist()
    return document | _edges_document(colours.edges)


def _edges_document(edges: LightMap | None) -> dict[str, object]:
    if edges is None:
        return {}
    level = np.round(edges.level, 3).ravel().tolist()
    columns = edges.level.shape[1]
    return {"edges": {"step": edges.step, "columns": columns, "tint": edges.tint.tolist(), "level": level}}


def _archived(text: bytes, cut: CutOut, quality: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(zipfile.ZipInfo(_HEADER), text, zipfile.ZIP_DEFLATED)
        for name, picture in zip(_PICTURES, (cut.before, cut.after), strict=True):
            _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
            archive.writestr(zipfile.ZipInfo(name), data.tobytes())
    return stream.getvalue()


def decoded(data: bytes, source: str) -> CutOut:
    """The cut-out of a file.

    Raises InvalidPicture.
    """

    def parsed(archive: Archive) -> CutOut:
        before, after = (decode_picture(archive.member(name), source) for name in _PICTURES)
        return _parsed(archive.header(), before, after)

    return parse_archive(io.BytesIO(data), source, _KIND, parsed)


def _parsed(header: DocumentTable, before: Image, after: Image) -> CutOut:
    header.only(
        "format", "board", "spots", "corner", "camera", "rotation", "translation", "bleed", "relief", "shifts",
        "picture", "homography", "radial", "size", "fall_off", "matrix", "response", "trim", "edges", "ceiling",
        "sheen", "light", "profile",
    )  # fmt: skip
    if header.integer("format") != FORMAT:
        raise header.invalid("format", f"is {header.integer('format')}; this program reads format {FORMAT}")
    pose = _flat_pose(header) if "homography" in header else _board_pose(header)
    x, y = _pair(header, "corner", 0)
    width, height = pose.size
    if after.shape != before.shape or x + after.shape[1] > width or y + after.shape[0] > height:
        raise header.invalid("corner", "puts the pictures outside the camera's picture")
    edges = _edges(header.table("edges")) if "edges" in header else None
    colours = (
        SpotLight(_numbers(header, "light", 9).reshape(3, 3), edges) if "light" in header else _colours(header, edges)
    )
    profile = header.text("profile", longest=255) if "profile" in header else ""
    if profile != Path(profile).name:
        raise header.invalid("profile", "must be the name of a file")
    spots = header.texts("spots", longest=200)
    return CutOut(header.text("board", longest=100), spots, (x, y), before, after, pose, colours, profile)


def _flat_pose(header: DocumentTable) -> FlatPose:
    width, height = _pair(header, "picture", 1)
    homography = _numbers(header, "homography", 9).reshape(3, 3)
    if abs(np.linalg.det(homography)) < _LEAST_DETERMINANT:
        raise header.invalid("homography", "does not map the board to the picture")
    return FlatPose((width, height), homography, header.number("radial", -1, 1))


def _board_pose(header: DocumentTable) -> BoardPose:
    camera = header.sequence("camera", longest=7)
    numbers = _numbers(header, "camera", len(camera))
    if len(numbers) not in (5, 7) or not all(1 <= side <= _LARGEST_SIDE for side in numbers[:2]):
        raise header.invalid("camera", "must be width, height, focal length and two distortions, perhaps the middle")
    width, height = int(numbers[0]), int(numbers[1])
    centre = (float(numbers[5]), float(numbers[6])) if len(numbers) == 7 else None
    if not 0.05 <= numbers[2] / width <= 100 or np.abs(numbers[3:5]).max() > 5:
        raise header.invalid("camera", "has a focal length or a distortion that no lens has")
    if centre is not None and not (0 <= centre[0] <= width and 0 <= centre[1] <= height):
        raise header.invalid("camera", "has its middle beside the picture")
    model = CameraModel(width, height, float(numbers[2]), float(numbers[3]), float(numbers[4]), centre)
    rotation = _numbers(header, "rotation", 9).reshape(3, 3)
    if np.abs(rotation @ rotation.T - np.eye(3)).max() > _SKEW or np.linalg.det(rotation) < 0:
        raise header.invalid("rotation", "must be a rotation")
    bleed = header.number("bleed", -100, 100, 0.0)
    relief = None
    if "relief" in header:
        width_mm, height_mm, *terms = _numbers(header, "relief", 2 + TERMS).tolist()
        if min(width_mm, height_mm) < 1:
            raise header.invalid("relief", "must begin with the sheet's width and height in mm")
        shifts = _numbers(header, "shifts", 2 * TERMS).tolist() if "shifts" in header else [0.0] * (2 * TERMS)
        relief = Relief((width_mm, height_mm), tuple(terms), tuple(shifts))
    return BoardPose(model, rotation, _numbers(header, "translation", 3), 0.0, frozenset(), bleed, relief)


def _colours(header: DocumentTable, edges: LightMap | None) -> ColourCorrection:
    """The colour correction of a reader of printed faces; files of earlier versions lack response, trim and edges."""
    width, height = _numbers(header, "size", 2).tolist()
    if min(width, height) < 1:
        raise header.invalid("size", "must be the sheet's width and height in mm")
    fall_off = _numbers(header, "fall_off", 6).astype(np.float32)
    if np.abs(fall_off).max() > _STEEPEST:
        raise header.invalid("fall_off", f"must be numbers of at most {_STEEPEST:g}")
    trim = None
    if "trim" in header:
        trim = ColourTrim((width, height), _numbers(header, "trim", 27).reshape(9, 3).astype(np.float32))
    return ColourCorrection(
        (width, height),
        fall_off,
        _matrix(header),
        0.0,
        _response(header) if "response" in header else Response(),
        trim,
        edges,
        _ceiling(header) if "ceiling" in header else None,
        _sheen(header, (width, height)) if "sheen" in header else None,
    )


def _response(header: DocumentTable) -> Response:
    exponent, contrast = _numbers(header, "response", 2).tolist()
    if not (0.1 <= exponent <= 10 and 0 <= contrast <= 1):
        raise header.invalid("response", "must be an exponent from 0.1 to 10 and a contrast from 0 to 1")
    return Response(exponent, contrast)


def _ceiling(header: DocumentTable) -> Ceiling:
    blue, green, red = _numbers(header, "ceiling", 3).tolist()
    if not all(0 < light <= 1 for light in (blue, green, red)):
        raise header.invalid("ceiling", "must be the light of three channels, over 0 and at most 1")
    return blue, green, red


def _sheen(header: DocumentTable, size: tuple[float, float]) -> Sheen:
    count = len(header.sequence("sheen", longest=5 * _MOST_BLACKS))
    measured = _numbers(header, "sheen", count, 5 * _MOST_BLACKS)
    if not count or count % 5 or not max(size) <= _LARGEST_SIDE:
        raise header.invalid("sheen", "must be the place and the light of blacks of the sheet, five numbers each")
    measured = measured.reshape(-1, 5)
    return sheen_of(measured[:, :2], measured[:, 2:].astype(np.float32), size)


def _edges(table: DocumentTable) -> LightMap:
    table.only("step", "columns", "tint", "level")
    columns = table.integer("columns", 1, _MOST_CELLS)
    level = _numbers(table, "level", len(table.sequence("level", longest=_MOST_CELLS)), _MOST_CELLS)
    if not len(level) or len(level) % columns:
        raise table.invalid("level", f"must be rows of {columns} numbers")
    tint = _numbers(table, "tint", 3).astype(np.float32)
    return LightMap(table.number("step", _LEAST_STEP, 100), level.reshape(-1, columns).astype(np.float32), tint)


def _matrix(header: DocumentTable) -> npt.NDArray[np.float32]:
    """The colour matrix; files of earlier versions lack its offset column."""
    count = len(header.sequence("matrix", longest=12))
    matrix = _numbers(header, "matrix", 9 if count == 9 else 12).reshape(3, -1)
    return np.column_stack([matrix, np.zeros((3, 4 - matrix.shape[1]))]).astype(np.float32)


def _pair(header: DocumentTable, key: str, low: int) -> tuple[int, int]:
    values = header.integers(key, low, _LARGEST_SIDE, longest=2)
    if len(values) != 2:
        raise header.invalid(key, "must be two whole numbers")
    return values[0], values[1]


def _numbers(header: DocumentTable, key: str, count: int, longest: int = 27) -> npt.NDArray[np.float64]:
    values = header.sequence(key, longest=longest)
    if len(values) != count or not all(isinstance(v, int | float) and abs(v) < 1e6 for v in values):
        raise header.invalid(key, f"must be {count} numbers")
    return np.array(values, np.float64)
