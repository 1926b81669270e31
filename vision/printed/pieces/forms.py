"""Which of an upright piece's samples show it, for every form it may have and every position on its spot.

Wooden pawns are cylinders, cones, cones with a ball, or figures; cubes may be turned and shifted. Each form hides a
definite part of its background, so that half a piece does not count as one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from companion.board.layout import Piece
from vision.printed.pieces.appearance import Placement
from vision.printed.pieces.patches import TALL, PatchView, outline

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.intp]

_WITHIN = 0.99
"""Probability that a sample inside a form shows it."""
_BEYOND = 0.02
"""Probability that a sample outside does."""
_FLANK = 1.4
"""Width (mm) of the transition between both."""
_WAYS = np.array([(dx, dy) for dx in (0.0, -1.0, 1.0) for dy in (0.0, -1.0, 1.0)], np.float32)
"""Unit shifts in a 3 x 3 grid, the centre first."""
_DISC_SHIFTS = 1.2 * _WAYS
"""Shifts (mm) of round pieces from the middle of their spots."""
_CUBE_SHIFTS = 1.4 * _WAYS
"""Shifts (mm) of cubes."""
_CUBE_TURNS = np.radians([0.0, -15.0, 15.0])
"""Turns (radians) of cubes."""
_HEIGHTS = np.linspace(0.0, 1.0, 9)
"""Heights at which turned bodies are described, in parts of the whole."""
_CONE = np.interp(_HEIGHTS, (0.0, 0.06, 0.93, 1.0), (1.0, 0.98, 0.32, 0.12))
"""Radii of a cone at these heights, in parts of the greatest."""
_BALL = np.sqrt(np.maximum(0.76**2 - ((_HEIGHTS - 0.79) * 3.6) ** 2, 0.0))
"""Radii of the ball on top of a pawn."""
_PAWN = np.maximum(np.interp(_HEIGHTS, (0.0, 0.08, 0.58, 0.6), (1.0, 0.98, 0.44, 0.0)), _BALL)
"""Radii of a pawn: a cone with a ball."""
_CORE = 0.6
"""Part of its greatest radius that a figure fills from every side."""


class Bodies:
    """The probability that each sample of a spot shows the piece, for each form and position: computed on first use and
    kept as long as the view is used.
    """

    def __init__(self, piece: Piece, view: PatchView) -> None:
        self._piece, self._view = piece, view
        self._known = np.zeros(len(view.plan.spots), bool)
        self._found = np.empty(0, np.float32)

    @staticmethod
    def are_known_of(piece: Piece) -> bool:
        """Whether the forms of a piece are known, and not only its outline."""
        return piece.height >= TALL and piece.shape in ("disc", "square")

    def at(self, rows: Integers) -> Floats:
        """The probabilities (rows, forms x positions, points) for some spots."""
        fresh = rows[~self._known[rows]]
        if fresh.size or not self._found.size:
            found = _bodies(self._piece, self._view, fresh)
            if not self._found.size:
                self._found = np.empty((len(self._known), *found.shape[1:]), np.float32)
            self._found[fresh], self._known[fresh] = found, True
        return self._found[rows]


def shown_before(piece: Piece, view: PatchView, rows: Integers, ways: Integers, behind: Floats) -> Floats:
    """The probability (rows, points) that a piece standing on each spot in form and position `ways` hides places (rows,
    points, 3) behind it.
    """
    feet, lean = _feet(piece, view, rows, behind)
    if piece.shape == "disc":
        form, shift = np.divmod(ways, len(_DISC_SHIFTS))
        return _turned_bodies(piece, feet, lean, _DISC_SHIFTS[shift, None])[np.arange(len(rows)), form]
    turn, shift = np.divmod(ways, len(_CUBE_SHIFTS))
    return _cubes(piece, feet, lean, view.plan.headings[rows] + _CUBE_TURNS[turn], _CUBE_SHIFTS[shift, None])[:, 0]


def laid_before(
    piece: Piece, view: PatchView, rows: Integers, placements: Sequence[Placement], behind: Floats
) -> Floats:
    """The same for printed pieces: upright over the outline of each placement."""
    feet, lean = _feet(piece, view, rows, behind)
    headings = view.plan.headings[rows]
    turns = np.array([placement.turn for placement in placements], np.float32)
    x, y = np.array([placement.shift for placement in placements], np.float32).reshape(-1, 2).T
    cosine, sine = np.cos(headings), np.sin(headings)
    shifts = np.stack([x * cosine - y * sine, x * sine + y * cosine], axis=1)[:, None]
    if piece.shape == "disc":
        return _turned_bodies(piece, feet, lean, shifts)[:, 0]
    return _cubes(piece, feet, lean, headings + turns, shifts)[:, 0]


def _bodies(piece: Piece, view: PatchView, rows: Integers) -> Floats:
    """The probabilities (rows, ways, points): forms or turns one after another, each with all shifts."""
    feet, lean = _feet(piece, view, rows, view.plan.places[rows])
    if piece.shape == "disc":
        return _turned_bodies(piece, feet, lean, _DISC_SHIFTS)
    headings = view.plan.headings[rows]
    return np.concatenate([_cubes(piece, feet, lean, headings + turn, _CUBE_SHIFTS) for turn in _CUBE_TURNS], axis=1)


def _feet(piece: Piece, view: PatchView, rows: Integers, places: Floats) -> tuple[Floats, Floats]:
    """Where sight lines through places meet the plane of the pieces' feet, relative to their centres (rows, points, 2),
    and the lines' horizontal movement (rows, 2) per millimetre of height.
    """
    plan = view.plan
    centres = np.array([plan.spots[k].centre for k in rows], np.float32).reshape(-1, 2)
    base = plan.spots[0].base
    lean = (view.eye[:2] - centres) / np.float32(view.eye[2] - base - piece.height / 2)
    return places[..., :2] - centres[:, None] - (places[..., 2:] - np.float32(base)) * lean[:, None], lean


def _turned_bodies(piece: Piece, feet: Floats, lean: Floats, shifts: Floats) -> Floats:
    """The probabilities (rows, forms x shifts, points) of cylinders and, for pieces higher than wide, the other turned
    forms; shifts are (n, 2), or (rows, n, 2) for different ones on each spot.
    """
    radius = piece.size[0] / 2
    x, y = (feet[:, None, :, axis] - shifts[..., axis, None] for axis in (0, 1))
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


def _cubes(piece: Piece, feet: Floats, lean: Floats, headings: Floats, shifts: Floats) -> Floats:
    """The probabilities (rows, shifts, points) of cubes with these headings; shifts are (n, 2) or (rows, n, 2)."""
    corners, sweep = outline(piece), -piece.height * lean
    cosine, sine = np.cos(headings)[:, None], np.sin(headings)[:, None]
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
    own = (normals @ np.moveaxis(feet, 1, 2)).astype(np.float32)
    reach = (limits[:, None] + shifts @ np.moveaxis(normals, 1, 2)).astype(np.float32)
    margin = np.full((len(feet), reach.shape[1], feet.shape[1]), np.inf, np.float32)
    for side in range(own.shape[1]):
        np.minimum(margin, reach[:, :, side, None] - own[:, None, side], out=margin)
    return _shown(margin)


def _shown(margin: Floats) -> Floats:
    """The probability that a sample this far (mm) inside a body shows it."""
    rise = np.clip(margin / np.float32(_FLANK) + np.float32(0.5), np.float32(0), np.float32(1))
    return np.asarray(np.float32(_BEYOND) + np.float32(_WITHIN - _BEYOND) * rise, np.float32)
