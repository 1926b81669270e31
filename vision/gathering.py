"""Counting the pieces of each colour that stand together in one place, wherever in it they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Spot
from vision.appearance import Appearance, expected_appearance
from vision.likelihood import CORRELATION, gains_of, posterior, softmax
from vision.patches import PatchPlan, plan_places
from vision.profile import Profile
from vision.registration import BoardPose

Floats = npt.NDArray[np.float32]

_STEP = 2.0
"""Distance (mm) of the places at which a piece is tried."""
_PRIOR = -3.0
_APART = 0.85
"""Pieces are at least this part of their width apart."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """One place where pieces gather: its spots by label, and the plan of all places tried."""

    site: str
    spots: Mapping[str, Spot]
    plan: PatchPlan
    looks: Appearance
    width: float


def gatherings_of(board: Board, profile: Profile) -> tuple[Gathering, ...]:
    """The gathering places of a board."""
    result = []
    for piece in board.pieces.values():
        if piece.lies_on != "slot":
            continue
        for site, (x, y) in board.slots.items():
            spots = {
                spot.name.removeprefix(f"{piece.name} {site} "): spot
                for spot in board.spots.values()
                if spot.piece == piece.name and spot.site == site
            }
            offsets = _disc(board.slot_diameter / 2 - 0.3 * piece.size[0])
            plan = plan_places(
                piece, tuple(next(iter(spots.values())) for _ in offsets), offsets + np.array([x, y]), np.zeros(len(offsets))
            )
            result.append(Gathering(site, spots, plan, expected_appearance(profile, piece, plan), piece.size[0]))
    return tuple(result)


def count_gathered(
    gathering: Gathering, lab: Floats, weight: Floats, background: Floats, pixels: Floats, pose: BoardPose
) -> dict[str, Mapping[str, float]]:
    """Posteriors over the number of pieces of every label; all arrays are (places, points, ...).

    The best place and label is taken, the samples it explains are struck out, and so on until nothing is gained.
    """
    share = weight / CORRELATION
    gains, _ = gains_of(lab, background, weight, gathering.looks)
    labels = gathering.looks.labels
    centres = gathering.plan.places[:, 0, :2] - gathering.plan.local[0]
    free = np.ones(len(centres), bool)
    won: dict[str, list[float]] = {label: [] for label in labels}
    for _ in range(4 * len(labels)):
        scores = np.where(free[:, None], (gains * share[:, None]).sum(axis=2), -np.inf)
        place, kind = np.unravel_index(int(scores.argmax()), scores.shape)
        best = float(scores[place, kind])
        if not best + _PRIOR > 0:
            break
        won[labels[kind]].append(best)
        free &= np.linalg.norm(centres - centres[place], axis=1) >= _APART * gathering.width
        share = np.where(_within(pixels, _hull(gathering, int(place), pose)), 0.0, share)
        if not free.any():
            break
    rest = np.where(free[:, None], (gains * share[:, None]).sum(axis=2), -np.inf).max(axis=0)
    result = {}
    for k, label in enumerate(labels):
        spot = gathering.spots[label]
        steps = [gain + _PRIOR for gain in won[label]][: len(spot.labels)]
        steps += [min(float(rest[k]), 0.0) + _PRIOR] * (len(spot.labels) - len(steps))
        scores = np.maximum(np.concatenate([[0.0], np.cumsum(steps)]), -1e6)
        result[spot.name] = posterior((EMPTY, *spot.labels), softmax(scores))
    return result


def _hull(gathering: Gathering, place: int, pose: BoardPose) -> npt.NDArray[np.float32]:
    """The silhouette (n, 1, 2), in pixels, of a piece at one of the places."""
    ring = gathering.plan.places[place, :, :2]
    heights = gathering.plan.places[place, :, 2]
    points = np.concatenate([np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, float(heights.max()))])
    return np.asarray(cv2.convexHull(pose.project(points)), np.float32)


def _within(pixels: Floats, hull: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Which pixels (..., 2) lie inside a convex polygon (n, 1, 2)."""
    corners = hull[:, 0].astype(np.float64)
    along = np.roll(corners, -1, axis=0) - corners
    inside = np.ones(pixels.shape[:-1], bool)
    after = np.roll(along, -1, axis=0)
    sign = np.sign((along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0]).sum())
    for start, side in zip(corners, along, strict=True):
        inside &= sign * (side[0] * (pixels[..., 1] - start[1]) - side[1] * (pixels[..., 0] - start[0])) >= 0
    return inside


def _disc(radius: float) -> npt.NDArray[np.float64]:
    steps = np.arange(-radius, radius + 1e-9, _STEP)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return grid[np.hypot(grid[:, 0], grid[:, 1]) <= radius]
