"""The sample points on every kind of piece on all its spots, and the pixels that show them.

A piece's own frame is that of `companion.board.layout.face_outline`, with z up from the sheet. All samples of a kind
are arrays (spots, points, ...), so that reading takes a few array operations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Piece, Spot, face_outline
from vision.location.board_pose import BoardPose

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

TALL = 6.0
"""Height (mm) from which a piece's sides are sampled; on lower ones they shift too much with the piece."""

AROUND = 1.0
"""Distance (mm) around a face that is sampled too, so that a piece laid askew is fully covered."""
AROUND_RAISED = 2.0
"""The same for a tall piece on others, which nothing holds in place."""


@dataclass(frozen=True, slots=True)
class PatchPlan:
    """The sample points of one kind of piece on all its spots.

    `local` (points, 2) are the points in the piece's frame and `area` (points,) the surface (mm²) of each; the first
    `top_points` lie on or around the face, the others on the sides with outward normals `normals` (points, 2). `places`
    (spots, points, 3) are the points in board millimetres, `headings` (spots,) the pieces' turns in radians.
    """

    piece: str
    spots: tuple[Spot, ...]
    local: Floats
    area: Floats
    top_points: int
    normals: Floats
    headings: Floats
    places: Floats


@dataclass(frozen=True, slots=True)
class PatchView:
    """A plan as one camera sees it: `pixels` (spots, points, 2), and `weight` (spots, points), the visible surface (mm²
    of board) of each sample, zero where it faces away or lies outside the picture.
    """

    plan: PatchPlan
    pixels: Floats
    weight: Floats
    ground: Floats
    """(spots, points, 2): the board millimetres at height 0 behind the points"""
    inside: Flags
    """(spots,): whether the whole piece would be in the picture"""
    eye: Floats
    """(3,): the camera's position, board millimetres"""

    def weighed(self, worth: float) -> PatchView:
        """The same with every sample's surface multiplied by `worth`."""
        return replace(self, weight=self.weight * np.float32(worth))


def plan_patches(board: Board, piece: Piece) -> PatchPlan:
    """The sample points of a kind of piece on all its spots."""
    spots = tuple(spot for spot in board.spots.values() if spot.piece == piece.name)
    headings = np.array([heading(spot, piece) for spot in spots], np.float64)
    return plan_at(piece, spots, np.array([spot.centre for spot in spots], np.float64), headings)


def plan_at(
    piece: Piece, spots: tuple[Spot, ...], centres: npt.NDArray[np.float64], headings: npt.NDArray[np.float64]
) -> PatchPlan:
    """The sample points of a kind of piece at any places (spots, 2); all spots have one base."""
    corners = outline(piece)
    step = max(math.sqrt(_area(corners) / 130), 1.2 if piece.height < TALL else 1.4)
    top = _grid(corners, step, AROUND_RAISED if piece.raised_by and piece.height >= TALL else AROUND)
    local, area = [np.column_stack([top, np.full(len(top), piece.height)])], [np.full(len(top), step**2)]
    normals = [np.zeros((len(top), 2))]
    if piece.height >= TALL:
        side, side_area, side_normals = _sides(corners, piece.height, 2.0)
        local.append(side)
        area.append(side_area)
        normals.append(side_normals)
    points, outward = np.concatenate(local), np.concatenate(normals)
    base = spots[0].base if spots else 0.0
    cosine, sine = np.cos(headings)[:, None], np.sin(headings)[:, None]
    x = points[:, 0] * cosine - points[:, 1] * sine + centres[:, :1]
    y = points[:, 0] * sine + points[:, 1] * cosine + centres[:, 1:]
    places = np.stack([x, y, np.broadcast_to(points[:, 2] + base, x.shape)], axis=-1)
    return PatchPlan(
        piece.name, spots, points[:, :2].astype(np.float32), np.concatenate(area).astype(np.float32), len(top),
        outward.astype(np.float32), headings.astype(np.float32), places.astype(np.float32),
    )  # fmt: skip


def look_at(plan: PatchPlan, pose: BoardPose) -> PatchView:
    """The view of a plan under a pose."""
    shape = plan.places.shape[:2]
    flat = plan.places.reshape(-1, 3)
    pixels = pose.project(flat).reshape(*shape, 2)
    eye = pose.eye.astype(np.float32)
    x, y, z = np.ascontiguousarray(np.moveaxis(plan.places, 2, 0))
    drop = eye[2] - z
    lean_x, lean_y = (eye[0] - x) / drop, (eye[1] - y) / drop
    column, row = pixels[:, :, 0], pixels[:, :, 1]
    width, height = pose.camera.width, pose.camera.height
    within: Flags = (column >= 1) & (column <= width - 2) & (row >= 1) & (row <= height - 2)
    weight = within * plan.area
    sides = np.s_[:, plan.top_points :]
    cosine, sine = np.cos(plan.headings)[:, None], np.sin(plan.headings)[:, None]
    normal_x, normal_y = plan.normals[plan.top_points :].T
    facing = (normal_x * cosine - normal_y * sine) * lean_x[sides] + (normal_x * sine + normal_y * cosine) * lean_y[
        sides
    ]
    weight[sides] *= np.maximum(facing, np.float32(0))
    ground = np.stack([x - lean_x * z, y - lean_y * z], axis=-1)
    return PatchView(plan, pixels, weight, ground, np.all(within, axis=1), eye)


def outline(piece: Piece) -> npt.NDArray[np.float64]:
    """The corners (n, 2) of a piece in its own frame, in order."""
    return np.array(face_outline(piece))


def depth_inside(points: npt.NDArray[np.floating], corners: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """The distance of points (..., 2) to the nearest side of a convex polygon (n, 2), negative outside."""
    depth = np.full(points.shape[:-1], np.inf)
    for corner, normal in zip(corners, inward_normals(corners), strict=True):
        np.minimum(depth, (points - corner) @ normal, out=depth)
    return depth


def inward_normals(corners: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """The normals (n, 2) of a convex polygon's sides, each from a corner to the next."""
    following = np.concatenate([corners[1:], corners[:1]])
    along = following - corners
    turn = np.sign(corners[:, 0] @ following[:, 1] - corners[:, 1] @ following[:, 0])
    return np.asarray(
        turn * np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
    )


def heading(spot: Spot, piece: Piece) -> float:
    """The turn (radians) from a piece's own frame to its outline on a spot."""
    first, own = np.array(spot.outline[0]) - np.array(spot.centre), outline(piece)[0]
    return math.atan2(first[1], first[0]) - math.atan2(own[1], own[0])


def _area(corners: npt.NDArray[np.float64]) -> float:
    x, y = corners.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def _grid(corners: npt.NDArray[np.float64], step: float, around: float) -> npt.NDArray[np.float64]:
    """Points of a square grid inside a polygon and up to `around` outside it."""
    reach = np.ceil((np.abs(corners).max(axis=0) + around) / step)
    axes = [(np.arange(-n, n) + 0.5) * step for n in reach]
    points = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    return np.asarray(points[depth_inside(points, corners) >= -around])


def _sides(
    corners: npt.NDArray[np.float64], height: float, step: float
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Points (n, 3) on the walls above a polygon's sides, the surface of each and its outward normal."""
    points, areas, normals = [], [], []
    levels = max(2, round(height / (2.4 * step)))
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = float(np.hypot(*(end - start)))
        along = max(1, round(length / step))
        normal = np.array([end[1] - start[1], start[0] - end[0]]) / length
        normal *= np.sign(normal @ (start + end)) or 1.0
        for k in range(along):
            at = start + (end - start) * (k + 0.5) / along
            for level in range(levels):
                points.append([*at, height * (level + 0.5) / levels])
                areas.append(length / along * height / levels)
                normals.append(normal)
    return np.array(points), np.array(areas), np.array(normals)
