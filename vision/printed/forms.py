"""What of an upright piece's samples shows it, for every form it may have and every way it may stand on its spot.

Wooden pawns are cylinders, cones, cones with a ball, or figures; cubes are turned and shifted. Each form hides one part
of what lies behind it and no other, so that half a piece is none.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from companion.board.layout import Piece
from vision.printed.patches import TALL, PatchView, outline

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.intp]

_WITHIN, _BEYOND = 0.99, 0.02
"""How likely a sample within a form shows it, and one beyond it."""
_FLANK = 1.4
"""Width (mm) of the rim where a sample shows the piece and what is beside it."""
_DISC_SHIFT, _CUBE_SHIFT, _CUBE_TURN = 1.2, 1.4, math.radians(15)
_HEIGHTS = np.linspace(0.0, 1.0, 9)
_CONE = np.interp(_HEIGHTS, (0.0, 0.06, 0.93, 1.0), (1.0, 0.98, 0.32, 0.12))
_BALL = np.sqrt(np.maximum(0.76**2 - ((_HEIGHTS - 0.79) * 3.6) ** 2, 0.0))
_PAWN = np.maximum(np.interp(_HEIGHTS, (0.0, 0.08, 0.58, 0.6), (1.0, 0.98, 0.44, 0.0)), _BALL)
"""Radii of turned bodies at parts of their height, as parts of the greatest."""
_CORE = 0.6
"""The part of its greatest radius within which a figure is there from all sides."""


def bodies_of(piece: Piece, view: PatchView, rows: Integers) -> Floats | None:
    """The probability (rows, ways, points) that a sample of some spots shows a piece there, for each form and way to
    stand; None for pieces of which nothing is known but their outline.
    """
    if piece.height < TALL or piece.shape not in ("disc", "square"):
        return None
    places = view.plan.places[rows]
    return _bodies(piece, view, rows, places)


def shown_before(piece: Piece, view: PatchView, rows: Integers, ways: Integers, behind: Floats) -> Floats:
    """The probability (rows, points) that a piece which stands on some spots, each in its way, hides places (rows,
    points, 3) behind it.
    """
    found = _bodies(piece, view, rows, behind)
    return np.asarray(found[np.arange(len(rows)), ways], np.float32)


def _bodies(piece: Piece, view: PatchView, rows: Integers, places: Floats) -> Floats:
    plan = view.plan
    centres = np.array([plan.spots[k].centre for k in rows], np.float32).reshape(-1, 2)
    base = plan.spots[0].base
    lean = (view.eye[:2] - centres) / np.float32(view.eye[2] - base - piece.height / 2)
    feet = places[..., :2] - centres[:, None] - (places[..., 2:] - np.float32(base)) * lean[:, None]
    if piece.shape == "disc":
        return _turned_bodies(piece, feet, lean)
    return _cubes(piece, feet, lean, plan.headings[rows])


def _turned_bodies(piece: Piece, feet: Floats, lean: Floats) -> Floats:
    radius = piece.size[0] / 2
    shifts = _shifts(_DISC_SHIFT)
    x, y = (feet[:, None, :, axis] - shifts[:, axis, None] for axis in (0, 1))
    leans_x, leans_y = (lean[:, axis, None, None] for axis in (0, 1))
    up = -(x * leans_x + y * leans_y) / np.maximum(leans_x**2 + leans_y**2, np.float32(1e-6))
    up = np.clip(up, np.float32(0), np.float32(piece.height))
    apart = np.sqrt((x + up * leans_x) ** 2 + (y + up * leans_y) ** 2)
    upright = _shown(np.float32(radius) - apart)
    if piece.height <= piece.size[0]:
        return upright
    bodies = [upright, (upright + _shown(np.float32(_CORE * radius) - apart)) / np.float32(2)]
    cone, pawn = np.full_like(apart, -np.inf), np.full_like(apart, -np.inf)
    for part, wide, round_ in zip(_HEIGHTS, _CONE, _PAWN, strict=True):
        height = np.float32(part * piece.height)
        off = np.sqrt((x + height * leans_x) ** 2 + (y + height * leans_y) ** 2)
        np.maximum(cone, np.float32(radius * wide) - off, out=cone)
        np.maximum(pawn, np.float32(radius * round_) - off, out=pawn)
    return np.concatenate([*bodies, _shown(cone), _shown(pawn)], axis=1)


def _cubes(piece: Piece, feet: Floats, lean: Floats, headings: Floats) -> Floats:
    corners, sweep = outline(piece), -piece.height * lean
    shifts = _shifts(_CUBE_SHIFT)
    found = []
    for turn in (0.0, -_CUBE_TURN, _CUBE_TURN):
        angles = headings + turn
        cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
        x, y = corners[:, 0] * cosine - corners[:, 1] * sine, corners[:, 0] * sine + corners[:, 1] * cosine
        placed = np.stack([x, y], axis=2)
        sides = np.roll(placed, -1, axis=1) - placed
        normals = np.stack([sides[..., 1], -sides[..., 0]], axis=2) / np.linalg.norm(sides, axis=2, keepdims=True)
        normals *= np.sign((normals * placed).sum(axis=2, keepdims=True))
        limits = (normals * placed).sum(axis=2) + np.maximum((normals @ sweep[:, :, None])[:, :, 0], 0.0)
        length = np.maximum(np.linalg.norm(sweep, axis=1, keepdims=True), 1e-6)
        across = np.stack([sweep[:, 1], -sweep[:, 0]], axis=1) / length
        wide = np.abs((placed * across[:, None]).sum(axis=2)).max(axis=1)
        normals = np.concatenate([normals, across[:, None], -across[:, None]], axis=1)
        limits = np.concatenate([limits, wide[:, None], wide[:, None]], axis=1)
        own = np.einsum("spc,snc->snp", feet, normals)
        moved = np.einsum("kc,snc->skn", shifts, normals)
        found.append((limits[:, None, :, None] + moved[..., None] - own[:, None]).min(axis=2))
    return _shown(np.concatenate(found, axis=1).astype(np.float32))


def _shown(margin: Floats) -> Floats:
    """The probability that a sample shows a body which reaches so far (mm) beyond it."""
    rise = np.clip(margin / np.float32(_FLANK) + np.float32(0.5), np.float32(0), np.float32(1))
    return np.asarray(np.float32(_BEYOND) + np.float32(_WITHIN - _BEYOND) * rise, np.float32)


def _shifts(step: float) -> Floats:
    return np.array([(dx, dy) for dx in (0.0, -step, step) for dy in (0.0, -step, step)], np.float32)
