"""Convex solids and half ellipsoids that rays can hit. World frame: board millimetres with y flipped, z up."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int8]

_MOST_PLACES = 30_000
"""OpenCV looks up so many places of a picture at once."""


@dataclass(frozen=True, slots=True)
class Paint:
    """Linear BGR of a body, and of its walls, `side`.

    `picture` (linear BGR and cover, `scale` pixels a millimetre from `origin` on) is printed on what is seen from
    above, where `folded` also on the walls that are as long; `windows` are their distance in millimetres, or 0.
    """

    colour: Floats
    side: Floats
    picture: Floats | None = None
    scale: float = 1.0
    origin: tuple[float, float] = (0.0, 0.0)
    gloss: float = 0.0
    windows: float = 0.0
    folded: bool = False


@dataclass(frozen=True, slots=True)
class Solid:
    """The space below some planes, or half an ellipsoid of `radii` over `middle`.

    `normals` (faces, 3) and `offsets` (faces,) are the planes', `upper` (faces,) says which of them bear the picture,
    `centre` (board mm) and `turn` (radians) are the piece's own frame.
    """

    vertices: Doubles
    paint: Paint
    centre: Doubles
    turn: float
    normals: Doubles
    offsets: Doubles
    upper: npt.NDArray[np.bool_]
    middle: Doubles
    radii: Doubles | None = None

    def hit(self, origin: Doubles, rays: Doubles) -> tuple[Doubles, Integers]:
        """How many times a ray (..., 3) must be as long to reach the solid, infinity where it never does; and where."""
        if self.radii is not None:
            return self._hit_ellipsoid(origin, rays, self.radii)
        enter, leave = np.full(rays.shape[:-1], -np.inf), np.full(rays.shape[:-1], np.inf)
        face = np.zeros(rays.shape[:-1], np.int8)
        for k, (normal, offset) in enumerate(zip(self.normals, self.offsets, strict=True)):
            speed, room = rays @ normal, offset - float(normal @ origin)
            with np.errstate(divide="ignore", invalid="ignore"):
                length = room / speed
            later = (speed < 0) & (length > enter)
            enter[later], face[later] = length[later], k
            leave = np.where(speed > 0, np.minimum(leave, length), leave)
            if room < 0:
                leave = np.where(speed == 0, -np.inf, leave)
        return np.where((enter <= leave) & (enter > 0), enter, np.inf), face

    def _hit_ellipsoid(self, origin: Doubles, rays: Doubles, radii: Doubles) -> tuple[Doubles, Integers]:
        start, way = (origin - self.middle) / radii, rays / radii
        square, along, beyond = (way * way).sum(axis=-1), way @ start, float(start @ start) - 1.0
        root = along * along - square * beyond
        length = np.where(root > 0, (-along - np.sqrt(np.maximum(root, 0.0))) / square, np.inf)
        with np.errstate(invalid="ignore"):
            above = origin[2] + length * rays[..., 2] >= self.middle[2]
        return np.where((length > 0) & above, length, np.inf), np.zeros(length.shape, np.int8)

    def normals_at(self, points: Doubles, face: Integers) -> Doubles:
        """The outward normals (n, 3) at points (n, 3) of the surface."""
        if self.radii is None:
            return self.normals[face]
        normal = (points - self.middle) / self.radii**2
        return normal / np.linalg.norm(normal, axis=1, keepdims=True)

    def colours_at(self, points: Doubles, face: Integers) -> Floats:
        """The linear BGR (n, 3) of the surface at points (n, 3)."""
        paint = self.paint
        upper = np.ones(len(points), bool) if self.radii is not None else self.upper[face]
        colours = np.where(upper[:, None], paint.colour, paint.side).astype(np.float32)
        if paint.picture is not None and upper.any():
            own = self._own(points[upper, :2] * [1, -1] - self.centre)
            colours[upper] = self._inked(paint.picture, own)
        if paint.picture is not None and paint.folded and not upper.all():
            wall, own = np.flatnonzero(~upper), self._own(points[~upper, :2] * [1, -1] - self.centre)
            along_x = np.abs(self._own(self.normals[face[wall], :2] * [1, -1])[:, 1]) > 0.5
            down = self.vertices[:, 2].mean() - points[wall, 2]
            as_long = along_x | (abs(paint.picture.shape[0] - paint.picture.shape[1]) < 3)
            drawn = np.column_stack([np.where(along_x, own[:, 0], own[:, 1]), down])
            colours[wall[as_long]] = self._inked(paint.picture, drawn[as_long])
        if paint.windows and not upper.all():
            wall = np.flatnonzero(~upper)
            ways = np.column_stack([-self.normals[face[wall], 1], self.normals[face[wall], 0]])
            along = ((points[wall, :2] - self.middle[:2]) * ways).sum(axis=1)
            low, high = self.vertices[:, 2].min(), self.vertices[:, 2].max()
            height = (points[wall, 2] - low) / (high - low)
            cell = np.abs((along + paint.windows / 2) % paint.windows - paint.windows / 2)
            colours[wall[(cell < 0.25 * paint.windows) & (height > 0.25) & (height < 0.75)]] *= 0.35
        return colours

    def _own(self, off: Doubles) -> Doubles:
        """Board directions (n, 2) in the piece's own frame."""
        cosine, sine = math.cos(self.turn), math.sin(self.turn)
        return np.column_stack([off[:, 0] * cosine + off[:, 1] * sine, off[:, 1] * cosine - off[:, 0] * sine])

    def _inked(self, picture: Floats, own: Doubles) -> Floats:
        """The linear BGR (n, 3) of the picture at places (n, 2) of the piece's own frame."""
        places = ((own - self.paint.origin) * self.paint.scale - 0.5).astype(np.float32)
        parts = (places[k : k + _MOST_PLACES, None] for k in range(0, len(places), _MOST_PLACES))
        ink = np.concatenate([
            cv2.remap(picture, x_y, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0] for x_y in parts
        ])  # fmt: skip
        return np.asarray(ink[:, :3] * ink[:, 3:] + self.paint.colour * (1 - ink[:, 3:]), np.float32)


def world(points: npt.ArrayLike) -> Doubles:
    """Board points (..., 3) in the right-handed world."""
    return np.asarray(points, np.float64) * np.array([1.0, -1.0, 1.0])


def turned(ring: npt.ArrayLike, turn: float, centre: npt.ArrayLike) -> Doubles:
    """A ring (n, 2) about the origin turned (radians) and moved to a place."""
    cosine, sine = math.cos(turn), math.sin(turn)
    return np.asarray(ring, np.float64) @ np.array([[cosine, sine], [-sine, cosine]]) + np.asarray(centre)


def rectangle(length: float, width: float) -> Doubles:
    """The ring (4, 2) of a rectangle about the origin."""
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [length / 2, width / 2]


def circle(diameter: float, corners: int = 20) -> Doubles:
    """The ring (n, 2) of a polygon about the origin."""
    angles = np.linspace(0, math.tau, corners, endpoint=False)
    return np.column_stack([np.cos(angles), np.sin(angles)]) * diameter / 2


def prism(ring: npt.ArrayLike, low: float, high: float, centre: Doubles, turn: float, paint: Paint) -> Solid:
    """A piece of one outline from bottom to top; `ring` is in its own frame."""
    foot = world(np.column_stack([turned(ring, turn, centre), np.full(len(np.asarray(ring)), low)]))
    walls = [(first, last, first + _up(1.0)) for first, last in zip(foot, np.roll(foot, -1, axis=0), strict=True)]
    lid = [(foot[0] + _up(high - low), foot[1] + _up(high - low), foot[2] + _up(high - low))]
    floor = [(foot[0], foot[1], foot[2])]
    vertices = np.concatenate([foot, foot + _up(high - low)])
    return _below(vertices, [*walls, *lid, *floor], [len(walls)], paint, centre, turn)


def gable(length: float, width: float, low: float, high: float, centre: Doubles, turn: float, paint: Paint) -> Solid:
    """A roof whose ridge runs along its length."""
    foot = world(np.column_stack([turned(rectangle(length, width), turn, centre), np.full(4, low)]))
    left, right = (foot[[a, b]].mean(axis=0) + _up(high - low) for a, b in ((0, 3), (1, 2)))
    planes = [
        (foot[0], foot[1], left), (foot[3], foot[2], left), (foot[0], foot[3], left), (foot[1], foot[2], right),
        (foot[0], foot[1], foot[2]),
    ]  # fmt: skip
    return _below(np.concatenate([foot, [left, right]]), planes, [0, 1], paint, centre, turn)


def dome(diameter: float, low: float, high: float, centre: Doubles, turn: float, paint: Paint) -> Solid:
    """Half an ellipsoid."""
    ring = world(np.column_stack([turned(circle(diameter), turn, centre), np.full(20, low)]))
    vertices = np.concatenate([ring, ring + _up(high - low)])
    radii = np.array([diameter / 2, diameter / 2, high - low])
    none = np.zeros((0, 3))
    return Solid(vertices, paint, centre, turn, none, np.zeros(0), np.zeros(0, bool), world([*centre, low]), radii)


def _up(height: float) -> Doubles:
    return np.array([0.0, 0.0, height])


def _below(
    vertices: Doubles, planes: list[tuple[Doubles, Doubles, Doubles]], upper: list[int], paint: Paint, centre: Doubles,
    turn: float,
) -> Solid:  # fmt: skip
    """The convex solid of these vertices whose faces lie in planes given by three points each."""
    middle = vertices.mean(axis=0)
    normals, offsets = [], []
    for a, b, c in planes:
        normal = np.cross(b - a, c - a)
        normal = normal / np.linalg.norm(normal)
        normal = normal if normal @ (a - middle) > 0 else -normal
        normals.append(normal)
        offsets.append(float(normal @ a))
    bearing = np.isin(np.arange(len(planes)), upper)
    return Solid(vertices, paint, centre, turn, np.array(normals), np.array(offsets), bearing, middle)
