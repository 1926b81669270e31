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
            (((np.arange(side * finer) + 0.5) / finer - 0.5 - middle) / self.focal).astype(np.float32)
            for side, middle in zip((self.width, self.height), self.middle, strict=True)
        )
        across, down = np.meshgrid(columns, rows)
        straight = np.float32(1.0)
        for _ in range(7):
            square = (across * straight) ** 2 + (down * straight) ** 2
            straight = 1 / (1 + self.radial[0] * square + self.radial[1] * square**2)
        ahead = np.stack([across * straight, down * straight, np.ones_like(across)], axis=-1)
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
    ground = _ground(camera, plane, finer)
    rays, depth = ground.rays, ground.depth.copy()
    cell = np.float32(1 / (plane.scale * _CELL))
    spots = (spot * cell + (cell - 1) / 2 for spot in ground.spots)
    light = cv2.remap(_on_plane(plane, lights, maps), *spots, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    picture = np.multiply(ground.albedo, light, out=light)
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


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """Where rays (rows, columns, 3) meet the plane: how many times as long, at which of its pixels, of what albedo."""

    rays: Floats
    depth: Floats
    spots: tuple[Floats, Floats]
    albedo: Floats


@lru_cache(maxsize=1)  # most pictures of a film are taken of the same table from where the last was
def _ground(camera: Camera, plane: Plane, finer: int) -> _Ground:
    """What a camera sees of a plane where nothing stands on it."""
    rays, eye = camera.rays(finer), [float(part) for part in camera.eye]
    depth = np.where(rays[..., 2] < -1e-4, -eye[2] / np.minimum(rays[..., 2], -1e-4), np.float32(np.inf))
    across, down = (
        np.clip((sign * (eye[axis] + depth * rays[..., axis]) - low) * plane.scale - 0.5, -1e4, 1e4)
        for axis, (sign, low) in enumerate(zip((1, -1), plane.corner, strict=True))
    )
    albedo = cv2.remap(plane.albedo, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _Ground(rays, depth, (across, down), albedo)


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
    shares = [
        cv2.blur((reached > 0.9999).astype(np.float32), (2, 2)) * unshaded
        for reached, unshaded in zip(maps, _unshaded(plane, tuple(lights)), strict=True)
    ]
    return np.stack(shares, axis=-1) @ np.stack([light.colour for light in lights])


@lru_cache(maxsize=1)
def _unshaded(plane: Plane, lights: tuple[Light, ...]) -> tuple[Floats, ...]:
    """How much of each light would fall on each cell of the plane if nothing stood there."""
    x, y = plane.cells[0, :, 0].astype(np.float32), plane.cells[:, :1, 1].astype(np.float32)
    found = []
    for light in lights:
        across, along, high = (float(part) for part in light.place)
        square = (x - across) ** 2 + (y - along) ** 2 + high**2
        found.append(high * light.reach**2 / (square * np.sqrt(square)))
    return tuple(found)


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


def _halfway(to_light: Doubles, ways: Doubles | Floats) -> Doubles:
    half = to_light / np.linalg.norm(to_light, axis=-1, keepdims=True) - ways / np.linalg.norm(
        ways, axis=-1, keepdims=True
    )
    return half / np.linalg.norm(half, axis=-1, keepdims=True)


def _surface(
    solid: Solid, camera: Camera, rays: Floats, depth: Floats, face: Integers, lights: Sequence[Light],
    maps: Sequence[Floats], plane: Plane,
) -> Floats:  # fmt: skip
    """The linear BGR (n, 3) that rays (n, 3) see of a solid."""
    points = camera.eye + depth[:, None] * rays.astype(np.float64)
    normals = solid.normals_at(points, face)
    start = points + normals * _LIFT
    diffuse, sheen = np.zeros((len(points), 3), np.float32), np.zeros((len(points), 3), np.float32)
    for light, reached in zip(lights, maps, strict=True):
        to_light = light.place - start
        away = np.sqrt(_dot(to_light, to_light))
        widening = light.place[2] / np.maximum(to_light[:, 2], 1.0)
        columns, rows = (
            np.clip(((sign * (place - to * widening) - low) / _CELL).astype(np.intp), 0, most - 1)
            for sign, place, to, low, most in zip(
                (1, -1), light.place, to_light.T, plane.corner, reached.shape[::-1], strict=False
            )
        )
        strength = (reached[rows, columns] > 1 / widening - 1e-4) * (light.reach / away) ** 2
        slope = np.maximum(_dot(to_light, normals) / away, 0)
        diffuse += (strength * slope).astype(np.float32)[:, None] * light.colour
        if light.glares and solid.paint.gloss:
            facing = np.maximum(_dot(_halfway(to_light, rays), normals), 0) ** _SHARPNESS
            sheen += (solid.paint.gloss * strength * facing).astype(np.float32)[:, None] * light.colour
    return solid.colours_at(points, face) * diffuse + sheen


def _dot(some: Doubles, others: Doubles) -> Doubles:
    """Products (n,) of vectors (n, 3)."""
    return np.einsum("ij,ij->i", some, others)


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
