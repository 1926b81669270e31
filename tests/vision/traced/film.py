"""One traced table before one camera while it is played on: pieces come, hands reach in, the camera is bumped."""

from __future__ import annotations

import math
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from tests.vision.traced import tables, tracer
from tests.vision.traced.solids import Paint, Solid, circle, prism, rectangle, world
from tests.vision.traced.tables import Dice, Printed

Picture = npt.NDArray[np.uint8]
Place = tuple[float, float]
"""board millimetres"""

_SKIN, _WRIST = (105, 135, 190), 34.0
"""BGR, and half the width of an arm (mm)."""
_STANDS = 12
"""Places for the camera of which that is taken where the sheet is seen largest, as people set a stand up."""
_OVER = 45.0
"""Height (mm) of an arm above the sheet."""
_MOST_TRACED = 4
_traced: dict[tuple[object, ...], tracer.Floats] = {}
"""The latest pictures before any exposure: tracing one takes seconds, and tests come back to what was there before."""


@cache
def _grain() -> npt.NDArray[np.int16]:
    """The noise of a sensor larger than any picture: each moment's is another part of it."""
    noise = np.random.default_rng(zlib.crc32(b"grain")).standard_normal((1280, 2304, 3), np.float32)
    return np.floor(np.float32(1.2) * noise).astype(np.int16)


class Film:
    """Pictures of one table. What lies on a site lies the same way as long as the site is not changed."""

    def __init__(self, printed: Printed, seed: int, tilts: tuple[float, float] = (15, 40), width: int = 1280) -> None:
        self._printed, self._seed = printed, seed
        self._seen_from: tuple[object, ...] = (tilts, width)
        dice = self._dice("camera")
        stands = [tables.camera_over(dice, printed, tilts, width) for _ in range(_STANDS)]
        self._still = self.camera = max(stands, key=self._shown_size)
        self._ink = tables.printer(self._dice("ink"))
        self._handling = tables.some_handling(self._dice("handling"))
        self._clutter = tables.clutter_around(self._dice("clutter"), printed)
        self._plane = tables.plane_of(self._dice("plane"), printed, self._ink)
        self._lamps, self._tint = tables.lamps_over(self._dice("lamps"), printed)
        self._noise = self._dice("noise")
        self._dealt: dict[tuple[str, frozenset[tuple[str, str]]], list[Solid]] = {}

    def _shown_size(self, camera: tracer.Camera) -> float:
        """The area (square pixels) of the sheet in the picture."""
        ring = rectangle(*self._printed.size) + np.array(self._printed.size) / 2
        pixels = camera.project(world(np.column_stack([ring, np.zeros(4)])))
        return cv2.contourArea(pixels.astype(np.float32))

    def _dice(self, what: str) -> Dice:
        return np.random.default_rng([self._seed, zlib.crc32(what.encode())])

    def bump(self, degrees: float, pixels: float) -> None:
        """Turn the camera about its axis and to the side, from where it stood first."""
        self._seen_from = (*self._seen_from[:2], degrees, pixels)
        turn, pan = math.radians(degrees), math.atan(pixels / self._still.focal)
        rolled = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1.0]])
        panned = np.array([[math.cos(pan), 0, math.sin(pan)], [0, 1.0, 0], [-math.sin(pan), 0, math.cos(pan)]])
        self.camera = replace(self._still, rotation=panned @ rolled @ self._still.rotation)

    def picture(
        self, look: Mapping[str, str], beside: Sequence[Solid] = (), *, light: float = 1.0, leaning: bool = False
    ) -> Picture:
        """What lies there, spot -> label, and what else stands about.

        `light` is what the camera's exposure or a cloud makes of it; `leaning` lets somebody's head cast a shadow.
        """
        traced = self._traced(look, beside, leaning=leaning)
        return tables.exposed(self._dice("exposure"), traced * np.float32(light), self._tint)

    def _traced(self, look: Mapping[str, str], beside: Sequence[Solid], *, leaning: bool) -> tracer.Floats:
        key = (self._printed, self._seed, self._seen_from, frozenset(look.items()), leaning)
        if beside or key not in _traced:
            solids = [*self._pieces(look), *self._clutter, *beside, *([self._head()] if leaning else [])]
            traced = tracer.trace(self.camera, self._plane, solids, self._lamps)
            if beside:
                return traced
            if len(_traced) >= _MOST_TRACED:
                del _traced[next(iter(_traced))]
            _traced[key] = traced
        return _traced[key]

    def frame(self, picture: Picture) -> Picture:
        """The same with the noise of another moment."""
        grain, (height, width) = _grain(), picture.shape[:2]
        row, column = (int(self._noise.integers(most)) for most in np.subtract(grain.shape[:2], (height, width)))
        return cv2.add(picture, grain[row : row + height, column : column + width], dtype=cv2.CV_8U)

    def reached_over(self, picture: Picture, place: Place, share: float) -> Picture:
        """A picture with an arm that has come so far (0 to 1) from the sheet's near side to a place."""
        down = self._printed.size[1]
        near = np.array([place[0] + 40.0, down + 160.0])
        tip = near + share * (np.array(place) - near)
        way = (tip - near) / max(1.0, float(np.linalg.norm(tip - near)))
        side = _WRIST * np.array([-way[1], way[0]])
        ring = np.array([near - side, near + side, tip + 0.7 * side, tip + 0.5 * _WRIST * way, tip - 0.7 * side])
        shown = picture.astype(np.float32)
        dark, arm = (np.zeros(picture.shape[:2], np.uint8) for _ in range(2))
        for mask, height, off in ((dark, 0.0, 14.0), (arm, _OVER, 0.0)):
            pixels = self.camera.project(world(np.column_stack([ring + off, np.full(len(ring), height)])))
            cv2.fillPoly(mask, [pixels.round().astype(np.int32)], 255)
        shown *= 1 - 0.45 * cv2.blur(dark, (25, 25)).astype(np.float32)[..., None] / 255
        cover = cv2.blur(arm, (3, 3)).astype(np.float32)[..., None] / 255
        return (shown * (1 - cover) + np.array(_SKIN, np.float32) * cover).astype(np.uint8)

    def knocked_over(self, piece: str, label: str, place: Place, turn: float = 0.7) -> Solid:
        """A piece that lies on its side around a place."""
        kind = next(each for each in self._printed.document["pieces"] if each["name"] == piece)
        spot = next(each for each in self._printed.document["spots"] if each["piece"] == piece)
        ring, side = rectangle(kind["height"], kind["size"][-1]), kind["size"][-1]
        paint = self._pieces({spot["name"]: label})[0].paint
        plain = Paint(paint.side, paint.side, gloss=paint.gloss)
        return prism(ring, 0.0, side, np.array(place), turn, plain)

    def _pieces(self, look: Mapping[str, str]) -> list[Solid]:
        """Site by site: how a piece lies does not depend on what lies elsewhere."""
        sites: dict[str, dict[str, str]] = defaultdict(dict)
        for spot in self._printed.document["spots"]:
            if look.get(spot["name"]):
                sites[spot["site"]][spot["name"]] = look[spot["name"]]
        return [solid for site, there in sites.items() for solid in self._pieces_at(site, there)]

    def _pieces_at(self, site: str, there: Mapping[str, str]) -> list[Solid]:
        key = (site, frozenset(there.items()))
        if key not in self._dealt:
            self._dealt[key] = tables.pieces_on(self._dice(site), self._printed, there, self._ink, self._handling)
        return self._dealt[key]

    def _head(self) -> Solid:
        """Something high up that keeps the lamp from a corner of the sheet."""
        lamp = self._lamps[0].place
        corner = world([0.2 * self._printed.size[0], 0.2 * self._printed.size[1], 0.0])
        middle = corner + 0.55 * (lamp - corner)
        grey = np.full(3, 0.1, np.float32)
        place = np.array([middle[0], -middle[1]])
        return prism(circle(260.0), middle[2] - 40.0, middle[2] + 40.0, place, 0.0, Paint(grey, grey))
