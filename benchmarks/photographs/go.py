"""Photographs of go boards from any side: with four taps, and found without them.

A photograph is known by the text beside it, a row of B, W and . for each line. Where no taps are known for it, neither
is how the board lies turned: then the way round that the truth fits best is taken.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.figures import Figure
from benchmarks.photographs.truth import BOARDS, InvalidTruth, digest, joined, misread, share, told
from calibration.errors import CalibrationError
from calibration.teaching import Lesson, teach_from_pictures
from companion.board.layout import EMPTY, Board, load_board
from vision.errors import InvalidPicture
from vision.location.flat_pose import FlatPose, corner_places
from vision.location.location import BoardLocator
from vision.pictures import Image, read_picture
from vision.spots.spot_features import Squares, mean_light
from vision.spots.spot_reader import SpotReader, SpotReading

SUFFIXES = (".jpg", ".jpeg", ".png")
FEWEST_OF_A_SET = 8
"""Photographs of one set (of one folder, named alike up to the last underscore) from which four are taken to teach it;
smaller sets are put together.
"""
SEED = 20261128
TAP_ERROR = 12.0
"""Pixels by which taps are moved besides, seeded."""
TAPS_FILE = "taps.json"
"""Where there is one: photograph -> where a person tapped, four corners in pixels."""
TAPS: Mapping[str, tuple[int, tuple[tuple[int, int], ...]]] = {
    "t1_001": (90, ((195, 460), (1345, 495), (1360, 1540), (195, 1580))),
    "t1_002": (90, ((175, 455), (1310, 490), (1315, 1520), (180, 1555))),
    "t1_003": (180, ((475, 185), (1595, 185), (1565, 1355), (500, 1355))),
    "t1_004": (180, ((440, 150), (1635, 145), (1600, 1365), (500, 1380))),
    "t1_005": (180, ((485, 240), (1640, 225), (1590, 1375), (555, 1380))),
    "t1_006": (180, ((395, 130), (1640, 115), (1610, 1380), (470, 1400))),
    "t1_007": (180, ((435, 165), (1630, 150), (1595, 1375), (490, 1380))),
    "t1_008": (180, ((430, 170), (1655, 140), (1615, 1400), (495, 1390))),
    "t1_009": (180, ((420, 310), (1500, 125), (1635, 1255), (635, 1390))),
    "t1_010": (180, ((450, 230), (1640, 205), (1595, 1395), (530, 1405))),
    "t1_011": (180, ((435, 180), (1665, 150), (1645, 1405), (520, 1415))),
}
"""Photograph -> how the truth's board lies turned in it, and where a person would tap, to the next five pixels."""


@dataclass(frozen=True, slots=True)
class GoPhoto:
    """A photograph with the label of every point, and, if known, its taps and its rotation."""

    path: Path
    labels: Mapping[str, str]
    taps: tuple[tuple[float, float], ...] = ()
    turn: int | None = None

    @property
    def name(self) -> str:
        """The photograph's name in notes and splits."""
        return self.path.stem

    @property
    def set_name(self) -> str:
        """The set it belongs to: its folder, and what its name has in common with others of the same board."""
        return f"{self.path.parent.name}/{self.name.rpartition('_')[0]}"


def measure_go(folder: Path) -> Iterator[Figure]:
    """Points from four taps, how often the board is found without, and the points read then."""
    board = load_board(BOARDS / "go.toml")
    photos, troubles = go_photos(folder, board)
    tapped: dict[str, FlatPose] = {}
    found: dict[str, FlatPose] = {}
    astray: list[str] = []
    for photo in photos:
        image = read_picture(photo.path)
        if photo.taps and (pose := tapped_pose(board, photo, image)):
            tapped[photo.name] = pose
        pose = found_pose(board, photo, image)
        if pose is None:
            astray.append(photo.name)
        elif photo.taps and not is_at_taps(board, pose, photo):
            astray.append(f"{photo.name} (elsewhere)")
        else:
            found[photo.name] = pose
    yield from _with_taps(board, [photo for photo in photos if photo.taps], tapped)
    note = joined("within a quarter of a cell of taps where there are any", told("not found", astray), *troubles)
    yield share("go: boards found without taps", len(found), len(photos), None, note)
    yield from _without_taps(board, photos, found)


def go_photos(folder: Path, board: Board) -> tuple[list[GoPhoto], list[str]]:
    """The photographs that have a truth, and in words what cannot be used.

    Raises InvalidTruth where the taps cannot be read.
    """
    told_taps = _taps_of(folder / TAPS_FILE)
    photos, troubles, alone = [], [], []
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in SUFFIXES:
            continue
        if not path.with_suffix(".txt").exists():
            alone.append(path.name)
            continue
        try:
            labels = go_labels(path.with_suffix(".txt"), board)
            read_picture(path)
        except (InvalidTruth, InvalidPicture) as error:
            troubles.append(str(error))
            continue
        turn, taps = TAPS.get(path.stem, (None, ()))
        photos.append(GoPhoto(path, labels, told_taps.get(path.name) or told_taps.get(path.stem) or taps, turn))
    if alone:
        troubles.append(told("without a truth", alone))
    return photos, troubles


def go_labels(path: Path, board: Board) -> dict[str, str]:
    """Spot -> label, from rows of B, W and . with or without spaces between them.

    Raises InvalidTruth.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidTruth(path, f"cannot be read ({error})") from error
    rows = [row for line in text.splitlines() if (row := "".join(line.split()).upper())]
    assert board.grid is not None
    columns, height = board.grid.columns, board.grid.rows
    if [len(row) for row in rows] != [columns] * height:
        size = f"{max(map(len, rows), default=0)} x {len(rows)}"
        raise InvalidTruth(path, f"tells {size} points; the board has {columns} x {height}")
    strange = sorted(set("".join(rows)) - set("BW."))
    if strange:
        raise InvalidTruth(path, f"{strange[0]!r} is none of B, W and .")
    labels = {}
    for spot in board.spots.values():
        label = rows[int(spot.site[1:]) - 1][ord(spot.site[0]) - ord("A")]
        labels[spot.name] = EMPTY if label == "." else label
    return labels


def tapped_pose(board: Board, photo: GoPhoto, image: Image) -> FlatPose | None:
    """Where the board lies by taps that are off as a person's are; None if they give no board."""
    digits = "".join(filter(str.isdigit, photo.name.rpartition("_")[2]))
    off = np.random.default_rng([SEED, int(digits or 0)]).uniform(-TAP_ERROR, TAP_ERROR, (4, 2))
    taps = [(float(x), float(y)) for x, y in np.array(photo.taps) + off]
    pose = BoardLocator(board).at_corners(image, taps, None if photo.turn is None else photo.turn // 90)
    if not isinstance(pose, FlatPose):
        return None
    return fitting_way(board, image, pose, photo.labels) if photo.turn is None else pose


def found_pose(board: Board, photo: GoPhoto, image: Image) -> FlatPose | None:
    """Where the board lies, found without anyone's help, and turned as the truth fits it best."""
    pose = BoardLocator(board).locate(image)
    return fitting_way(board, image, pose, photo.labels) if isinstance(pose, FlatPose) else None


def fitting_way(board: Board, image: Image, pose: FlatPose, labels: Mapping[str, str]) -> FlatPose:
    """The rotation in which white stones are brightest and black ones darkest."""
    spots = tuple(board.spots.values())
    squares = Squares(board.pieces["stone"], spots)
    sign = np.array([{"W": 1.0, "B": -1.0}.get(labels[spot.name], 0.0) for spot in spots])
    ways = [pose.turned(board, quarters) for quarters in range(4)]
    light = [mean_light(squares.patches(image, way)[0]).mean(axis=1) for way in ways]
    return ways[int(np.argmax([sign @ (each - np.median(each)) for each in light]))]


def is_at_taps(board: Board, pose: FlatPose, photo: GoPhoto) -> bool:
    """Whether the board was found within a quarter of a cell of where it was tapped, whichever way round."""
    corners, taps = pose.project_flat(corner_places(board)), np.array(photo.taps)
    off = min(float(np.abs(np.roll(corners, k, axis=0) - taps).max()) for k in range(4))
    return off < 0.25 * float(np.linalg.norm(taps[1] - taps[0])) / 18


@dataclass(slots=True)
class _Count:
    """Points, stones and boards read so far, and which boards were not read exactly."""

    points: int = 0
    right: int = 0
    stones: int = 0
    stones_right: int = 0
    boards: int = 0
    inexact: list[str] = field(default_factory=list)

    def add(self, photo: GoPhoto, reading: SpotReading | None) -> None:
        """Count one photograph; points of a board that was not found count as wrong."""
        laid = {spot: label for spot, label in photo.labels.items() if label}
        bad, bad_stones = (
            (misread(reading, photo.labels)[0], misread(reading, laid)[0])
            if reading
            else (len(photo.labels), len(laid))
        )
        self.points, self.right = self.points + len(photo.labels), self.right + len(photo.labels) - bad
        self.stones, self.stones_right = self.stones + len(laid), self.stones_right + len(laid) - bad_stones
        self.boards += 1
        if bad:
            self.inexact.append(f"{photo.name} {bad}")

    def figure(self, name: str, goal: float | None, *notes: str) -> Figure:
        """The share of points right."""
        exact = self.boards - len(self.inexact)
        note = f"{self.stones_right} of {self.stones} stones, {exact} of {self.boards} boards exact"
        return share(name, self.right, self.points, goal, joined(note, told("wrong", self.inexact), *notes))


def _with_taps(board: Board, photos: Sequence[GoPhoto], poses: Mapping[str, FlatPose]) -> Iterator[Figure]:
    """Points read in all tapped photographs but those that taught."""
    count, troubles, split = _Count(), [], []
    for taught in (names for members in sets_of(photos).values() for names in two_foursomes(members)):
        split.append(taught)
        reader = _taught(board, [photo for photo in photos if photo.name in taught], poses)
        if isinstance(reader, str):
            troubles.append(reader)
            continue
        for photo in photos:
            if photo.name not in taught:
                count.add(photo, _read(reader, photo, poses))
    if photos:
        yield count.figure("go: points right with four taps", 99.5, *troubles, f"split {digest([str(tuple(split))])}")


def _without_taps(board: Board, photos: Sequence[GoPhoto], poses: Mapping[str, FlatPose]) -> Iterator[Figure]:
    """Points read where the board was found by itself, taught from four photographs of its own set, and of another."""
    sets = sets_of(photos)
    taught = {name: names for name, members in sets.items() if (names := _teaching_of(members, poses))}
    readers: dict[str, SpotReader] = {}
    troubles = []
    for name, names in taught.items():
        reader = _taught(board, [photo for photo in sets[name] if photo.name in names], poses)
        if isinstance(reader, str):
            troubles.append(reader)
        else:
            readers[name] = reader
    own, another = _Count(), _Count()
    for name, members in sets.items():
        other = next((each for each in readers if each != name), None)
        for photo in members:
            if name in readers and photo.name not in taught[name]:
                own.add(photo, _read(readers[name], photo, poses))
            if other is not None:
                another.add(photo, _read(readers[other], photo, poses))
    split = f"split {digest([str(sorted(taught.items()))])}"
    if own.boards:
        yield own.figure("go: points right without taps, taught from 4 of the same board", None, *troubles, split)
    if another.boards:
        yield another.figure("go: points right without taps, taught from 4 of another board", None, *troubles, split)


def sets_of(photos: Sequence[GoPhoto]) -> dict[str, list[GoPhoto]]:
    """The photographs by set; those of sets too small to be taught by themselves are one set."""
    sets: dict[str, list[GoPhoto]] = {}
    for photo in photos:
        sets.setdefault(photo.set_name, []).append(photo)
    small = [name for name, members in sets.items() if len(members) < FEWEST_OF_A_SET]
    rest = [photo for name in small for photo in sets.pop(name)]
    return sets | ({"others": rest} if rest else {})


def two_foursomes(photos: Sequence[GoPhoto]) -> list[tuple[str, ...]]:
    """Two choices of at most four photographs of a set that teach it, every other one by name."""
    names = sorted(photo.name for photo in photos)
    chosen = (tuple(names[1::2][:4]), tuple(names[4::2][:4]))
    return [each for each in chosen if each and len(each) < len(names)]


def _teaching_of(photos: Sequence[GoPhoto], poses: Mapping[str, FlatPose]) -> list[str]:
    """The photographs that teach a set: evenly spread by their number of stones, the fullest among them."""
    known = sorted(
        (photo for photo in photos if photo.name in poses), key=lambda photo: sum(map(bool, photo.labels.values()))
    )
    if len(known) < FEWEST_OF_A_SET:
        return []
    return [known[round(k * (len(known) - 1) / 4)].name for k in range(1, 5)]


def _taught(board: Board, photos: Sequence[GoPhoto], poses: Mapping[str, FlatPose]) -> SpotReader | str:
    """What photographs teach, or why they teach nothing."""
    known = [photo for photo in photos if photo.name in poses]
    if not known:
        return "no photograph to teach from"
    lessons = (Lesson(photo.name, read_picture(photo.path), poses[photo.name], photo.labels) for photo in known)
    try:
        return SpotReader(board, teach_from_pictures(board, lessons).profile)
    except CalibrationError as error:
        return f"{known[0].set_name}: {error}"


def _read(reader: SpotReader, photo: GoPhoto, poses: Mapping[str, FlatPose]) -> SpotReading | None:
    pose = poses.get(photo.name)
    return reader.read(read_picture(photo.path), pose) if pose else None


def _taps_of(path: Path) -> dict[str, tuple[tuple[float, float], ...]]:
    if not path.exists():
        return {}
    try:
        return {
            name: tuple((float(x), float(y)) for x, y in corners)
            for name, corners in json.loads(path.read_text(encoding="utf-8-sig")).items()
        }
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InvalidTruth(path, f"must name four corners for each photograph ({error})") from error
