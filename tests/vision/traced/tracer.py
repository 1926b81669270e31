"""Light: lamps with soft shadows, a sky, and a pinhole camera with a lens that bends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from tests.vision.traced.solids import Doubles, Floats, Integers, Solid

_CELL = 1.0
"""Side (mm) of the cells of shadow maps."""
_LIFT = 0.6
"""How far (mm) from its surface a point asks for light, lest it shade itself."""
_SHARPNESS, _PLANE_SHARPNESS = 40, 60
_FAR = 20_000.0


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """A point of a lamp, or of the sky: its place in the world, its linear BGR where `reach` (mm) away."""

    place: Doubles
    colour: Floats
    reach: float
    glares: bool


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """`rotation` rows are right, down and forward in the world; `radial` are k1 and k2, `shift` the principal point's
    (pixels from the middle).
    """

    width: int
    height: int
    focal: float
    eye: Doubles
    rotation: Doubles
    radial: tuple[float, float] = (0.0, 0.0)
    shift: tuple[float, float] = (0.0, 0.0)

    @property
    def middle(self) -> Doubles:
        """The principal point (pixels)."""
        return np.array([(self.width - 1) / 2 + self.shift[0], (self.height - 1) / 2 + self.shift[1]])

    def project(self, points: Doubles) -> Doubles:
        """The pixels (n, 2) of world points (n, 3)."""
        seen = (points - self.eye) @ self.rotation.T
        plane = seen[:, :2] / np.maximum(seen[:, 2:], 1e-6)
        square = (plane**2).sum(axis=1, keepdims=True)
        return plane * (1 + self.radial[0] * square + self.radial[1] * square**2) * self.focal + self.middle

    @lru_cache(maxsize=1)  # noqa: B019  of one camera: most pictures of a film are taken from where the last was
    def rays(self, finer: int) -> Floats:
        """The rays (rows, columns, 3) of pixels divided into `finer` times `finer`."""
        columns, rows = (
            ((np.arange(side * finer) + 0.5) / finer - 0.5 - middle) / self.focal
            for side, middle in zip((self.width, self.height), self.middle, strict=True)
        )
        bent = np.stack(np.meshgrid(columns, rows), axis=-1).astype(np.float32)
        straight = bent.copy()
        for _ in range(7):
            square = (straight**2).sum(axis=-1, keepdims=True)
            straight = bent / (1 + self.radial[0] * square + self.radial[1] * square**2)
        ahead = np.concatenate([straight, np.ones_like(straight[..., :1])], axis=-1)
        return ahead @ self.rotation.astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """What lies at height 0: linear BGR (rows, columns, 3), `scale` pixels a millimetre, from a board place on."""

    albedo: Floats
    scale: float
    corner: tuple[float, float]
    gloss: float

    @property
    def cells(self) -> Doubles:
        """The world points (rows, columns, 3) of the shadow maps."""
        rows, columns = (int(side / self.scale / _CELL) for side in self.albedo.shape[:2])
        x, y = np.arange(columns) * _CELL + self.corner[0], -(np.arange(rows) * _CELL + self.corner[1])
        return np.stack([*np.meshgrid(x, y), np.zeros((rows, columns))], axis=-1)


def trace(camera: Camera, plane: Plane, solids: Sequence[Solid], lights: Sequence[Light], finer: int = 2) -> Floats:
    """The linear picture (rows, columns, 3)."""
    cells = plane.cells
    maps = [_shadow_map(light.place, solids, cells, plane.corner) for light in lights]
    lit = plane.albedo * cv2.resize(_on_plane(plane, lights, maps), plane.albedo.shape[1::-1])
    rays = camera.rays(finer)
    depth = np.where(rays[..., 2] < -1e-4, -camera.eye[2] / np.minimum(rays[..., 2], -1e-4), np.inf).astype(np.float32)
    spots = [
        np.clip((sign * (eye + depth * rays[..., axis]) - low) * plane.scale - 0.5, -1e4, 1e4).astype(np.float32)
        for axis, (sign, eye, low) in enumerate(zip((1, -1), camera.eye, plane.corner, strict=False))
    ]
    picture = cv2.remap(lit, *spots, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    picture += _glare(camera, rays, depth, lights, plane.gloss)
    owner, face = np.full(depth.shape, -1, np.int16), np.zeros(depth.shape, np.int8)
    windows = [_window(camera, solid, finer) for solid in solids]
    for number, (solid, window) in enumerate(zip(solids, windows, strict=True)):
        length, there = solid.hit(camera.eye, rays[window].astype(np.float64))
        near = length < depth[window]
        depth[window][near], owner[window][near], face[window][near] = length[near], number, there[near]
    for number, (solid, window) in enumerate(zip(solids, windows, strict=True)):
        shown = owner[window] == number
        if shown.any():
            colours = _surface(
                solid, camera, rays[window][shown], depth[window][shown], face[window][shown], lights, maps, plane
            )
            picture[window][shown] = colours
    return cv2.resize(picture, (camera.width, camera.height), interpolation=cv2.INTER_AREA)


def _window(camera: Camera, solid: Solid, finer: int) -> tuple[slice, slice]:
    """The rows and columns that may show a solid."""
    pixels = np.clip((camera.project(solid.vertices) + 0.5) * finer, -1e6, 1e6)
    limits = np.array([camera.width, camera.height]) * finer
    low = np.clip(np.floor(pixels.min(axis=0)).astype(int) - 3 * finer, 0, limits)
    high = np.clip(np.ceil(pixels.max(axis=0)).astype(int) + 3 * finer, low, limits)
    return slice(low[1], high[1]), slice(low[0], high[0])


def _shadow_map(place: Doubles, solids: Sequence[Solid], cells: Doubles, corner: tuple[float, float]) -> Floats:
    """How far light from a place comes towards each cell of the plane, as a part of the way."""
    reached = np.ones(cells.shape[:2], np.float32)
    for solid in solids:
        height = np.minimum(solid.vertices[:, 2], 0.95 * place[2])
        ground = place[:2] + (solid.vertices[:, :2] - place[:2]) * (place[2] / (place[2] - height))[:, None]
        spots = (ground * [1, -1] - corner) / _CELL
        low = np.clip(np.floor(spots.min(axis=0)).astype(int) - 1, 0, reached.shape[::-1])
        high = np.clip(np.ceil(spots.max(axis=0)).astype(int) + 2, low, reached.shape[::-1])
        window = slice(low[1], high[1]), slice(low[0], high[0])
        if reached[window].size:
            length, _ = solid.hit(place, cells[window] - place)
            reached[window] = np.minimum(reached[window], length)
    return reached


def _on_plane(plane: Plane, lights: Sequence[Light], maps: Sequence[Floats]) -> Floats:
    """The light (rows, columns, 3) that falls on the plane."""
    total = np.zeros((*maps[0].shape, 3), np.float32)
    for light, reached, unshaded in zip(lights, maps, _unshaded(plane, tuple(lights)), strict=True):
        share = cv2.blur((reached > 0.9999).astype(np.float32), (2, 2)) * unshaded
        total += share.astype(np.float32)[..., None] * light.colour
    return total


@lru_cache(maxsize=1)
def _unshaded(plane: Plane, lights: tuple[Light, ...]) -> tuple[Doubles, ...]:
    """How much of each light would fall on each cell of the plane if nothing stood there."""
    cells = plane.cells
    return tuple(
        light.place[2] * light.reach**2 / np.linalg.norm(light.place - cells, axis=-1) ** 3 for light in lights
    )


def _glare(camera: Camera, rays: Floats, depth: Floats, lights: Sequence[Light], gloss: float) -> Floats:
    """The lamps' sheen on the plane, which changes slowly over the picture."""
    ways, far = rays[::8, ::8].astype(np.float64), np.minimum(depth[::8, ::8], 1e5)[..., None]
    points, shine = camera.eye + far * ways, np.zeros(ways.shape, np.float32)
    for light in lights:
        if light.glares:
            half = _halfway(light.place - points, ways)
            shine += (gloss * np.maximum(half[..., 2], 0) ** _PLANE_SHARPNESS)[..., None].astype(
                np.float32
            ) * light.colour
    return cv2.resize(shine, rays.shape[1::-1])


def _halfway(to_light: Doubles, ways: Doubles) -> Doubles:
    half = to_light / np.linalg.norm(to_light, axis=-1, keepdims=True) - ways / np.linalg.norm(
        ways, axis=-1, keepdims=True
    )
    return half / np.linalg.norm(half, axis=-1, keepdims=True)


def _surface(
    solid: Solid, camera: Camera, rays: Floats, depth: Floats, face: Integers, lights: Sequence[Light],
    maps: Sequence[Floats], plane: Plane,
) -> Floats:  # fmt: skip
    """The linear BGR (n, 3) that rays (n, 3) see of a solid."""
    ways = rays.astype(np.float64)
    points = camera.eye + depth[:, None] * ways
    normals = solid.normals_at(points, face)
    start = points + normals * _LIFT
    diffuse, sheen = np.zeros((len(points), 3), np.float32), np.zeros((len(points), 3), np.float32)
    for light, reached in zip(lights, maps, strict=True):
        to_light = light.place - start
        away = np.linalg.norm(to_light, axis=1)
        widening = light.place[2] / np.maximum(light.place[2] - start[:, 2], 1.0)
        ground = light.place[:2] + (start[:, :2] - light.place[:2]) * widening[:, None]
        spots = ((ground * [1, -1] - plane.corner) / _CELL).astype(int)
        columns, rows = (np.clip(spots[:, axis], 0, reached.shape[1 - axis] - 1) for axis in (0, 1))
        strength = (reached[rows, columns] > 1 / widening - 1e-4) * (light.reach / away) ** 2
        slope = np.maximum((to_light * normals).sum(axis=1) / away, 0)
        diffuse += (strength * slope).astype(np.float32)[:, None] * light.colour
        if light.glares and solid.paint.gloss:
            facing = np.maximum((_halfway(to_light, ways) * normals).sum(axis=1), 0) ** _SHARPNESS
            sheen += (solid.paint.gloss * strength * facing).astype(np.float32)[:, None] * light.colour
    return solid.colours_at(points, face) * diffuse + sheen


def lamp(place: Doubles, radius: float, colour: Floats, aim: Doubles, points: int) -> list[Light]:
    """A round lamp of a radius (mm), as points; `colour` is its light where it aims."""
    reach = float(np.linalg.norm(place - aim))
    steps = [(2.4 * k, radius * math.sqrt((k + 0.5) / points)) for k in range(points)]
    return [
        Light(
            place + np.array([r * math.cos(a), r * math.sin(a), 0.0]), colour / np.float32(points), reach, glares=True
        )
        for a, r in steps
    ]


def sky(colour: Floats, aim: Doubles, points: int) -> list[Light]:
    """Light from everywhere above; `colour` is all of it that falls on the plane."""
    lights = []
    for k in range(points):
        height = (k + 0.5) / points
        side = math.sqrt(1 - height**2)
        way = np.array([side * math.cos(2.4 * k), side * math.sin(2.4 * k), height])
        lights.append(Light(aim + way * _FAR, (colour * 2 / points).astype(np.float32), _FAR, glares=False))
    return lights
