"""A board of coloured routes with wooden wagons under the ray tracer: 179 printed spaces, each turned as its route.

Five colours of wagons lie on spaces of seven colours: neither a colour nor a bare space alone says what is there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration.teaching import Lesson
from companion.board.layout import EMPTY, Board, parse_board
from companion.files.documents import DocumentTable
from tests.vision.traced import tracer
from tests.vision.traced.solids import Paint, Solid, prism, rectangle
from tests.vision.traced.tables import camera_over, exposed, lamps_over, some_handling
from vision.location.flat_pose import FlatPose, normalised
from vision.location.flat_pose import rectangle as corners_of

SIZE = (620.0, 420.0)
WAGON = (22.0, 8.0, 9.0)
"""Length, width and height, mm."""
SPACE = (24.0, 9.5)
SCALE, MARGIN = 3.0, 300.0
WAGONS = {
    "red": (0.03, 0.03, 0.42), "blue": (0.42, 0.13, 0.03), "green": (0.06, 0.25, 0.05), "yellow": (0.03, 0.50, 0.72),
    "black": (0.025, 0.025, 0.03),
}  # fmt: skip
"""Linear BGR of painted wood."""
SPACES = (
    (0.06, 0.06, 0.45), (0.45, 0.22, 0.08), (0.10, 0.38, 0.16), (0.05, 0.55, 0.75), (0.05, 0.05, 0.06),
    (0.70, 0.72, 0.74), (0.30, 0.32, 0.34),
)  # fmt: skip
"""Linear BGR of the printed spaces."""
Dice = np.random.Generator


@dataclass(frozen=True, slots=True)
class Evening:
    """One light and one camera: what is drawn from `seed` stays the same in all pictures of it."""

    seed: int


@dataclass(frozen=True, slots=True)
class _Size:
    """A sheet of a size (mm)."""

    size: tuple[float, float]


@cache
def railway_board(*, turned: bool = True) -> Board:
    """The board; without `turned` its places are described as if all lay level."""
    place = {
        name: [round(x, 2), round(y, 2), round(turn, 1)] if turned else [round(x, 2), round(y, 2)]
        for name, (x, y, turn, _ink) in _spaces().items()
    }
    group = {"name": "route", "kind": "space", "shape": "rectangle", "size": list(SPACE), "place": place}
    piece = {
        "name": "wagon", "shape": "rectangle", "size": list(WAGON[:2]), "height": WAGON[2], "labels": list(WAGONS),
        "lies_on": "space",
    }  # fmt: skip
    document = {
        "format": 1, "id": "railways/board", "game": "railways", "name": "Railways", "size": list(SIZE),
        "group": [group], "piece": [piece],
    }  # fmt: skip
    return parse_board(DocumentTable(document, "railways.toml", ""))


@cache
def _spaces() -> Mapping[str, tuple[float, float, float, int]]:
    """Place -> x, y (mm), turn (degrees), number of the ink: routes between towns near the crossings of a grid."""
    dice = np.random.default_rng(5)
    columns, rows = 7, 5
    towns = {
        (c, r): np.array([50 + c * (SIZE[0] - 100) / (columns - 1), 45 + r * (SIZE[1] - 90) / (rows - 1)])
        + dice.uniform(-9, 9, 2)
        for c in range(columns)
        for r in range(rows)
    }
    found: dict[str, tuple[float, float, float, int]] = {}
    number = 0
    for (c, r), start in towns.items():
        for step in ((1, 0), (0, 1), (1, 1)):
            end = towns.get((c + step[0], r + step[1]))
            if end is None or (step == (1, 1) and (c + r) % 2):
                continue
            number += 1
            length = float(np.linalg.norm(end - start))
            count = int((length - 12) // (SPACE[0] + 1.5))
            way = (end - start) / length
            turn = math.degrees(math.atan2(way[1], way[0]))
            for k in range(count):
                at = (start + end) / 2 + way * (SPACE[0] + 1.5) * (k - (count - 1) / 2)
                found[f"{number}-{k + 1}"] = (float(at[0]), float(at[1]), turn, number % len(SPACES))
    return found


def random_wagons(seed: int, share: float = 0.45) -> dict[str, str]:
    """Spot -> label: whole routes, as they are built."""
    dice = np.random.default_rng([seed, 9])
    routes = sorted({name.split("-")[0] for name in _spaces()})
    built = {route: str(dice.choice(list(WAGONS))) for route in routes if dice.random() < share}
    return {f"wagon route/{name}": built[name.split("-")[0]] for name in _spaces() if name.split("-")[0] in built}


def lesson(look: Mapping[str, str], evening: Evening, seed: int, board: Board, width: int = 1600) -> Lesson:
    """The same with its labels and the board where a person touches its corners, off by up to 2 pixels."""
    picture, corners = _taken(look, evening, seed, width)
    taps = corners + np.random.default_rng([seed, 4]).uniform(-2, 2, (4, 2))
    there = cv2.getPerspectiveTransform(corners_of(0.0, 0.0, *SIZE).astype(np.float32), taps.astype(np.float32))
    pose = FlatPose((picture.shape[1], picture.shape[0]), normalised(there))
    return Lesson(f"{evening.seed}/{seed}", picture, pose, {spot: look.get(spot, EMPTY) for spot in board.spots})


def _taken(
    look: Mapping[str, str], evening: Evening, seed: int, width: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    sheet, dice = _Size(SIZE), np.random.default_rng([seed, 6])
    camera = camera_over(dice, sheet, (5, 30), width)  # type: ignore[arg-type]
    camera = replace(camera, radial=(float(dice.uniform(-0.02, 0.01)), 0.0))
    light = np.random.default_rng([evening.seed, 2])
    handling = some_handling(light)
    solids = [
        _wagon(dice, *_spaces()[name.removeprefix("wagon route/")][:3], WAGONS[label], handling.gloss)
        for name, label in look.items()
    ]
    lamps, tint = lamps_over(light, sheet)  # type: ignore[arg-type]
    traced = tracer.trace(camera, _plane(), solids, lamps)
    corners = camera.project(np.column_stack([corners_of(0.0, 0.0, *SIZE), np.zeros(4)]) * np.array([1.0, -1.0, 1.0]))
    # Camera and white balance stay as they are for an evening; only the noise differs.
    picture = exposed(np.random.default_rng([evening.seed, 3]), traced, tint)
    return picture, np.asarray(corners, np.float64)


def _wagon(dice: Dice, x: float, y: float, turn: float, colour: tuple[float, ...], gloss: float) -> Solid:
    paint = (np.array(colour) * dice.uniform(0.94, 1.06)).astype(np.float32)
    centre = np.array([x, y]) + np.clip(dice.normal(0, 0.7, 2), -1.5, 1.5)
    angle = math.radians(turn + float(np.clip(dice.normal(0, 2.5), -6, 6)))
    return prism(rectangle(*WAGON[:2]), 0.0, WAGON[2], centre, angle, Paint(paint, paint, gloss=gloss))


@cache
def _plane() -> tracer.Plane:
    """The printed map on a table."""
    dice = np.random.default_rng(8)
    rows, columns = (round(side * SCALE) for side in SIZE[::-1])
    hills = cv2.resize(
        dice.standard_normal((9, 13, 3)).astype(np.float32), (columns, rows), interpolation=cv2.INTER_CUBIC
    )
    sheet = np.array([0.42, 0.55, 0.60], np.float32) * (1 + 0.12 * hills)
    for x, y, turn, ink in _spaces().values():
        box = cv2.boxPoints(((x * SCALE, y * SCALE), (SPACE[0] * SCALE, SPACE[1] * SCALE), turn))
        cv2.fillPoly(sheet, [box.round().astype(np.int32)], SPACES[ink], cv2.LINE_AA)
        cv2.polylines(sheet, [box.round().astype(np.int32)], True, (0.12, 0.14, 0.15), 1, cv2.LINE_AA)
    edge = round(MARGIN * SCALE)
    table = np.full((rows + 2 * edge, columns + 2 * edge, 3), (0.06, 0.12, 0.22), np.float32)
    table[edge : edge + rows, edge : edge + columns] = np.clip(sheet, 0.02, 0.9)
    return tracer.Plane(table, SCALE, (-MARGIN, -MARGIN), 0.03)
