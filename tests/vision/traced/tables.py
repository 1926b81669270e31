"""Tables by seed: a printed sheet, pieces as somebody laid them, clutter, lamps, and a camera's picture of it all."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.components import load_components
from calibration.editions import USUAL, Edition
from calibration.manifest import write_manifest
from companion.registry import game_folder, print_and_play_board
from tests.vision.traced import tracer
from tests.vision.traced.solids import Doubles, Floats, Paint, Solid, circle, dome, gable, prism, rectangle, world

Ink = Callable[[Floats], Floats]
Dice = np.random.Generator

_MARGIN = 300.0
_SHEET_SCALE, _FACE_SCALE = 3.0, 8.0
_PAINT = {
    "red": (0.035, 0.03, 0.50), "blue": (0.40, 0.12, 0.03), "green": (0.08, 0.30, 0.06), "yellow": (0.03, 0.55, 0.80),
    "Baden": (0.35, 0.12, 0.22), "Baiern": (0.42, 0.62, 0.72), "Schweiz": (0.38, 0.12, 0.05),
    "Boehmen": (0.03, 0.25, 0.75), "Wuerttemberg": (0.07, 0.25, 0.06),
}  # fmt: skip
"""Linear BGR of painted wood."""
_FLOORS = {"grey": (0.25, 0.26, 0.27), "white": (0.72, 0.76, 0.80), "tan": (0.25, 0.42, 0.58)}
_CARD = np.array([0.55, 0.58, 0.62], np.float32)
_CARD_HEIGHT = 2.0
_PAWN = 15.0
"""Height (mm) from which a round piece may be a turned pawn."""
_PAWN_PARTS = (
    (1.0, 0.0, 0.2), (0.85, 0.2, 0.33), (0.62, 0.33, 0.45), (0.45, 0.45, 0.62), (0.58, 0.62, 0.7), (0.64, 0.7, 0.88),
    (0.5, 0.88, 0.95), (0.28, 0.95, 1.0),
)  # fmt: skip
"""A pawn from below: its width as a part of its foot's, and between which parts of its height."""


@dataclass(frozen=True, slots=True)
class Handling:
    """How pieces are made and laid down.

    `astray` (mm), `askew` (degrees) and `leaning` (mm between what is stacked) are standard deviations;
    `floors` are of paper or painted; `wooden` are plain painted roofs, houses and carriages. `paints` (linear BGR, by
    label) are those of further wooden pieces, `turned` are pawns with a neck and a head.
    """

    astray: float
    askew: float
    leaning: float
    floors: str
    windows: float
    wooden: bool
    dye: float
    gloss: float
    paints: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Printed:
    """What a manifest's folder holds of one sheet."""

    folder: Path

    @property
    def document(self) -> Mapping[str, Any]:
        """The manifest."""
        return _document(self.folder)

    @property
    def size(self) -> tuple[float, float]:
        """Millimetres."""
        width, height = self.document["size"]
        return width, height


@cache
def _document(folder: Path) -> Mapping[str, Any]:
    return json.loads((folder / "manifest.json").read_text())


@cache
def _picture(path: Path) -> Floats:
    """Linear BGR, and cover where the file has it."""
    picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    light = _linear(picture[..., :3])
    return light if picture.shape[2] == 3 else np.dstack([light, picture[..., 3].astype(np.float32) / 255])


def print_manifest(game: str, folder: Path, edition: Edition = USUAL) -> dict[str, Printed]:
    """What `companion print --manifest` gives for a game, coarser: the id of each of its sheets -> its folder."""
    board = print_and_play_board(game)
    components = load_components(game_folder(game) / "components.toml", board)
    files = write_manifest(board, components, folder, _SHEET_SCALE, _FACE_SCALE, edition=edition)
    sheets = [Printed(file.parent) for file in files if file.name == "manifest.json"]
    return {sheet.document["id"]: sheet for sheet in sheets}


def photograph(
    printed: Printed, look: Mapping[str, str], seed: int, tilts: tuple[float, float] = (0, 60), width: int = 1920,
    handling: Handling | None = None,
) -> npt.NDArray[np.uint8]:  # fmt: skip
    """A picture (BGR) of what lies on a sheet, spot -> label, as one of endlessly many tables shows it."""
    dice = np.random.default_rng(seed)
    camera = camera_over(dice, printed, tilts, width)
    ink = printer(dice)
    usual = some_handling(dice)
    handling = handling or usual
    solids = [*pieces_on(dice, printed, look, ink, handling), *clutter_around(dice, printed)]
    lamps, tint = lamps_over(dice, printed)
    light = tracer.trace(camera, plane_of(dice, printed, ink), solids, lamps)
    return exposed(dice, light, tint)


def hard_photograph(
    printed: Printed, look: Mapping[str, str], seed: int, handling: Handling | None = None
) -> npt.NDArray[np.uint8]:
    """The same under stress: pieces from a printer other than the sheet's, laid carelessly, in deep shadows, and a
    third to all of the usual light.
    """
    dice = np.random.default_rng([seed, 4])
    camera = camera_over(dice, printed, (0, 60), 1920)
    ink, other = printer(dice), printer(dice)
    tint = np.exp(dice.normal(0, 0.03, 3)).astype(np.float32)
    usual = some_handling(dice)
    handling = replace(handling or usual, astray=dice.uniform(0.3, 0.9), askew=dice.uniform(0.8, 3.2))
    solids = [
        *pieces_on(dice, printed, look, lambda colours: np.clip(other(colours) * tint, 0, 0.97), handling),
        *clutter_around(dice, printed),
    ]
    lamps, first = lamps_over(dice, printed, dice.uniform(0.05, 0.4))
    light = tracer.trace(camera, plane_of(dice, printed, ink), solids, lamps)
    return exposed(dice, light * np.float32(math.exp(dice.uniform(math.log(0.3), 0.0))), first)


def some_handling(dice: Dice) -> Handling:
    """How the people of one table handle the pieces of their box."""
    return Handling(
        astray=dice.uniform(0.2, 0.8), askew=dice.uniform(0.5, 3.0), leaning=dice.uniform(0.1, 0.6),
        floors=str(dice.choice(["paper", "paper", "grey", "white", "tan"])),
        windows=float(dice.choice([0.0, 6.0, 8.0])),
        wooden=bool(dice.random() < 0.5), dye=dice.uniform(0.8, 1.2), gloss=float(dice.choice([0.0, 0.03, 0.1])),
    )  # fmt: skip


def camera_over(dice: Dice, printed: Printed, tilts: tuple[float, float], width: int) -> tracer.Camera:
    """A camera on any side that has the whole sheet in view."""
    across, down = printed.size
    height = width * 9 // 16
    middle = world([across / 2, down / 2, 0.0])
    tilt, azimuth = math.radians(dice.uniform(*tilts)), dice.uniform(0, math.tau)
    away = np.array([math.sin(tilt) * math.cos(azimuth), math.sin(tilt) * math.sin(azimuth), math.cos(tilt)])
    eye = middle + dice.uniform(700, 1000) * away
    forward = middle + np.append(dice.normal(0, 10, 2), 0.0) - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    first = dice.uniform(-0.25, 0.15)
    radial = (first, dice.uniform(-0.03, 0.06) if first < 0 else 0.0)
    x, y = np.meshgrid([0.0, across / 2, across], [0.0, down / 2, down])
    rim = world(np.column_stack([x.ravel(), y.ravel(), np.zeros(9)]))
    found = []
    for roll in (0.0, math.pi / 2):
        turn = roll + math.radians(dice.normal(0, 3))
        over = np.cross(forward, right)
        rotation = np.stack([
            math.cos(turn) * right + math.sin(turn) * over, math.cos(turn) * over - math.sin(turn) * right, forward
        ])  # fmt: skip
        unit = tracer.Camera(width, height, 1.0, eye, rotation, radial)
        room = np.abs(unit.project(rim) - unit.middle).max(axis=0)
        found.append((float((np.array([width, height]) / 2 / room).min()), rotation))
    focal, rotation = max(found, key=lambda each: each[0])
    shift = tuple(float(v) for v in dice.normal(0, 0.004, 2) * width)
    focal = min(focal * dice.uniform(0.86, 0.985), 1.05 * width)
    return tracer.Camera(width, height, focal, eye, rotation, radial, shift)


def printer(dice: Dice) -> Ink:
    """What a printer makes of linear colours: paper that is not quite white, inks that are a little off or faded."""
    white = (dice.uniform(0.78, 0.95) * (1 + dice.uniform(-0.05, 0.05, 3))).astype(np.float32)
    mixture = (np.eye(3) + dice.uniform(-0.05, 0.05, (3, 3))).astype(np.float32)
    gamma, black = dice.uniform(0.8, 1.2), dice.uniform(0.005, 0.05)
    faded = dice.uniform(0, 0.18) * (dice.random() < 0.5)

    def printed(colours: Floats) -> Floats:
        light = black + (1 - black) * np.clip(colours @ mixture.T, 0, 1) ** np.float32(gamma)
        return ((light * (1 - faded) + faded * (0.5 + 0.5 * light)) * white).astype(np.float32)

    return printed


def pieces_on(dice: Dice, printed: Printed, look: Mapping[str, str], ink: Ink, handling: Handling) -> list[Solid]:
    """The pieces as they stand, those below first."""
    document = printed.document
    kinds = {piece["name"]: piece for piece in document["pieces"]}
    spots = {spot["name"]: spot for spot in document["spots"]}
    solids: list[Solid] = []
    carriers: dict[str, tuple[Doubles, float, float]] = {}
    crowds: Counter[str] = Counter()
    for name in sorted(look, key=lambda spot: spots[spot]["base"]):
        spot = spots[name]
        piece, base = kinds[spot["piece"]], spot["base"]
        centre = np.array(spot["centre"]) + _near(dice, handling.astray)
        turn = math.radians(spot["turn"] + float(np.clip(dice.normal(0, handling.askew), -6, 6)))
        if piece["raised_by"] == "floor":
            centre, turn, base = carriers[spot["site"]]
            centre, turn = centre + _near(dice, handling.leaning), turn + dice.integers(4) * math.pi / 2
        if look[name] not in piece["labels"]:
            solids += _crowd(dice, printed, spot, int(look[name]), crowds, ink, handling)
            continue
        paint = _paint_of(dice, printed, piece, look[name], ink, handling)
        if piece["name"] != "floor":
            solids += _bodies(piece, base, centre, turn, paint, handling)
            continue
        for _ in range(int(look[name])):
            here, twist = centre + _near(dice, handling.leaning), turn + dice.normal(0, 0.05 * handling.leaning)
            solids.append(prism(piece["outline"], base, base + piece["height"], here, twist, paint))
            base += piece["height"]
        carriers[spot["site"]] = (centre, turn, base)
    return solids


def _crowd(
    dice: Dice,
    printed: Printed,
    spot: Mapping[str, Any],
    count: int,
    crowds: Counter[str],
    ink: Ink,
    handling: Handling,
) -> list[Solid]:
    """So many pieces of one colour that stand together with others around a spot, in a spiral."""
    piece = next(each for each in printed.document["pieces"] if each["name"] == spot["piece"])
    paint = _paint_of(dice, printed, piece, spot["name"].split()[-1], ink, handling)
    solids = []
    for _ in range(count):
        number = crowds[spot["site"]]
        crowds[spot["site"]] += 1
        away = 0.62 * piece["size"][0] * math.sqrt(number) * np.array([math.cos(2.4 * number), math.sin(2.4 * number)])
        centre = np.array(printed.document["slots"][spot["site"]]) + away
        solids.append(prism(piece["outline"], 0.0, piece["height"], centre, dice.uniform(0, math.tau), paint))
    return solids


def _near(dice: Dice, spread: float) -> Doubles:
    return np.clip(dice.normal(0, spread, 2), -2 * spread, 2 * spread)


def _bodies(
    piece: Mapping[str, Any], low: float, centre: Doubles, turn: float, paint: Paint, handling: Handling
) -> list[Solid]:
    """A piece that is no stack; wooden houses have a roof."""
    high = low + piece["height"]
    if handling.turned and piece["shape"] == "disc" and piece["height"] >= _PAWN:
        return [
            prism(circle(part * piece["size"][0]), low + below * piece["height"], low + above * piece["height"],
                  centre, turn, paint)
            for part, below, above in _PAWN_PARTS
        ]  # fmt: skip
    if piece["name"] == "dome":
        return [dome(piece["size"][0], low, high, centre, turn, paint)]
    if piece["name"] == "gable":
        return [gable(piece["size"][0], piece["size"][0], low, high, centre, turn, paint)]
    if piece["name"] == "house" and handling.wooden:
        eaves, side = low + 0.55 * piece["height"], piece["size"][0]
        return [
            prism(piece["outline"], low, eaves, centre, turn, paint),
            gable(side, side, eaves, high, centre, turn, paint),
        ]
    return [prism(piece["outline"], low, high, centre, turn, paint)]


def _paint_of(
    dice: Dice, printed: Printed, piece: Mapping[str, Any], label: str, ink: Ink, handling: Handling
) -> Paint:
    if piece["name"] == "floor" and handling.floors in _FLOORS:
        colour = np.array(_FLOORS[handling.floors], np.float32) * np.float32(handling.dye)
        return Paint(colour, colour, gloss=handling.gloss, windows=handling.windows)
    if label in handling.paints and piece["height"] > _CARD_HEIGHT:
        colour = np.array(handling.paints[label], np.float32)
        return Paint(colour, colour, gloss=handling.gloss)
    if handling.wooden and label in _PAINT and piece["height"] > 4:
        colour = (np.array(_PAINT[label]) * handling.dye * dice.uniform(0.93, 1.07)).astype(np.float32)
        return Paint(colour, colour, gloss=handling.gloss)
    face = next(each for each in piece["faces"] if each["label"] == label)
    picture = _picture(printed.folder / face["file"])
    inked = np.dstack([ink(picture[..., :3]), picture[..., 3]])
    mean = ((inked[..., :3] * inked[..., 3:]).sum(axis=(0, 1)) / inked[..., 3].sum()).astype(np.float32)
    side = mean if piece["height"] > 4 else _CARD
    windows = handling.windows if piece["name"] == "floor" else 0.0
    folded = piece["shape"] in ("bar", "square") and piece["size"][-1] == piece["height"]
    scale, origin = face["pixels_per_mm"], tuple(face["origin"])
    return Paint(mean, side, inked, scale, origin, handling.gloss / 2, windows, folded=folded)


def clutter_around(dice: Dice, printed: Printed) -> list[Solid]:
    """Cups, dice, cards and spare pieces around the sheet, at times a paper over a marker."""
    across, down = printed.size
    solids = []

    def thing(ring: Doubles, high: float, around: float) -> None:
        gap = around + dice.uniform(4, 70)
        x, y = dice.uniform(0, across), dice.uniform(0, down)
        place = ((x, -gap), (x, down + gap), (-gap, y), (across + gap, y))[dice.integers(4)]
        colour = dice.uniform(0.03, 0.8, 3).astype(np.float32)
        solids.append(
            prism(ring, 0.0, high, np.array(place), dice.uniform(0, math.tau), Paint(colour, colour, gloss=0.1))
        )

    for kind in dice.integers(5, size=dice.integers(1, 8)):
        ring, high, around = (
            (rectangle(14, 14), 14.0, 8.0), (circle(70), 80.0, 38.0), (rectangle(63, 44), 0.5, 35.0),
            (rectangle(24, 24), 10.0, 14.0), (circle(18), 2.0, 9.0),
        )[kind]  # fmt: skip
        thing(ring, high, around)
    if dice.random() < 0.25:
        markers = printed.document["markers"]["markers"]
        marker = np.array(markers[dice.integers(len(markers))]["centre"])
        away = marker - np.array([across / 2, down / 2])
        white = np.full(3, 0.8, np.float32)
        place = marker + away / np.linalg.norm(away) * dice.uniform(10, 30)
        solids.append(prism(rectangle(63, 44), 0.2, 0.8, place, dice.uniform(0, math.tau), Paint(white, white)))
    return solids


def plane_of(dice: Dice, printed: Printed, ink: Ink) -> tracer.Plane:
    """The sheet on a table of wood, stone or cloth."""
    sheet = ink(_picture(printed.folder / "board.png"))
    scale = printed.document["sheet"]["pixels_per_mm"]
    fine = cv2.resize(sheet, None, fx=_SHEET_SCALE / scale, fy=_SHEET_SCALE / scale, interpolation=cv2.INTER_AREA)
    edge = int(_MARGIN * _SHEET_SCALE)
    rows, columns = (side + 2 * edge for side in fine.shape[:2])
    base = np.array(((0.05, 0.11, 0.22), (0.35, 0.38, 0.42), (0.08, 0.09, 0.10), (0.10, 0.22, 0.12))[dice.integers(4)])
    grain = cv2.resize(dice.standard_normal((rows // 3, columns // 120)).astype(np.float32), (columns, rows))
    tone = np.clip(1 + float(dice.choice([0.02, 0.14])) * grain, 0.3, 2.0)
    table = tone[..., None] * (base * dice.uniform(0.6, 1.5)).astype(np.float32)
    table[edge : edge + fine.shape[0], edge : edge + fine.shape[1]] = fine
    return tracer.Plane(table, _SHEET_SCALE, (-_MARGIN, -_MARGIN), float(dice.choice([0.0, 0.03, 0.12])))


def lamps_over(dice: Dice, printed: Printed, ambient: float | None = None) -> tuple[list[tracer.Light], Floats]:
    """One lamp or two of their own colours, and the room's light (a share of all); with the colour of the first."""
    middle = world([printed.size[0] / 2, printed.size[1] / 2, 0.0])
    ambient = dice.uniform(0.25, 0.8) if ambient is None else ambient
    first = _kelvin(dice.uniform(2700, 6500))
    lights = []
    for number in range(dice.integers(1, 3)):
        height, azimuth = math.radians(dice.uniform(25, 75)), dice.uniform(0, math.tau)
        way = np.array([math.cos(height) * math.cos(azimuth), math.cos(height) * math.sin(azimuth), math.sin(height)])
        strength = (1 - ambient) * (1.0 if number == 0 else dice.uniform(0.2, 0.8)) / math.sin(height)
        colour = first if number == 0 else _kelvin(dice.uniform(2700, 6500))
        place = middle + dice.uniform(900, 2600) * way
        lights += tracer.lamp(place, dice.uniform(20, 200), (colour * strength).astype(np.float32), middle, 4)
    room = first if dice.random() < 0.5 else _kelvin(dice.uniform(3500, 7500))
    return [*lights, *tracer.sky((room * ambient).astype(np.float32), middle, 6)], first


def _kelvin(temperature: float) -> Floats:
    """Linear BGR of a black body of 2000 to 6600 K, green 1 (after Tanner Helland's fit)."""
    hundreds = min(temperature, 6600.0) / 100
    green, blue = 99.47 * math.log(hundreds) - 161.12, 138.52 * math.log(hundreds - 10) - 305.04
    light = _linear(np.clip([blue, green, 255.0], 1, 255))
    return light / light[1]


def exposed(dice: Dice, light: Floats, tint: Floats) -> npt.NDArray[np.uint8]:
    """What lens, sensor and file make of light: vignetting, blur, white balance, noise, a tone curve, JPEG."""
    height, width = light.shape[:2]
    rows, columns = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    light = light * (1 - dice.uniform(0, 0.4) * (rows**2 + columns**2) / 2).astype(np.float32)[..., None]
    light = cv2.GaussianBlur(light, (0, 0), dice.uniform(0.3, 1.0) * max(1.0, width / 2400))
    balance = (1 / tint) ** dice.uniform(0.35, 1.0) * (1 + dice.uniform(-0.06, 0.06, 3))
    crosstalk = np.eye(3) + dice.uniform(-0.05, 0.05, (3, 3))
    crosstalk = crosstalk / crosstalk.sum(axis=1, keepdims=True) * balance[:, None] / balance[1]
    light = light @ crosstalk.T.astype(np.float32) * np.float32(dice.uniform(0.5, 1.05))
    noise = dice.uniform(0.3, 2.0) * 1e-3
    grain = dice.standard_normal(light.shape, np.float32)
    light = light + grain * np.sqrt(np.maximum(light, 0) * np.float32(0.6 * noise) + np.float32(noise**2))
    level = np.clip(light, 0, 1) ** np.float32(1 / dice.uniform(1.9, 2.5))
    contrast = np.float32(dice.uniform(0, 0.35))
    level = level * (1 - contrast) + contrast * level**2 * (3 - 2 * level)
    grey = (level @ np.array([0.114, 0.587, 0.299], np.float32))[..., None]
    level = np.clip(grey + (level - grey) * np.float32(dice.uniform(0.85, 1.25)), 0, 1)
    _, data = cv2.imencode(
        ".jpg", (level * 255).round().astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, int(dice.integers(60, 96))]
    )
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


def _linear(levels: npt.ArrayLike) -> Floats:
    share = np.asarray(levels, np.float32) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4).astype(np.float32)
