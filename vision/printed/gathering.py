"""Counting the pieces of each colour that stand together in one place, wherever in it they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Spot
from vision.colour import ColourCorrection
from vision.location.registration import BoardPose
from vision.pictures import Image, interpolated
from vision.printed.appearance import OFF_PAINT, Appearance, expected_appearance
from vision.printed.canvas import Canvas
from vision.printed.likelihood import CORRELATION, gains_of, softmax
from vision.printed.occlusion import numbers_at
from vision.printed.patches import PatchPlan, PatchView, depth_inside, look_at, plan_places
from vision.printed.profile import Profile

Floats = npt.NDArray[np.float32]

_SHADOW = 0.5
"""Tall pieces that stand together throw deep shadows on the sheet."""
_STEP = 2.2
"""Distance (mm) of the places at which a piece is tried."""
_PROBE = 2.0
"""Distance (mm) of the points at which it is seen whether anything is there at all."""
_PRIOR = -6.0
_DOUBT = 1e-4
_APART = 0.85
"""Pieces are at least this part of their width apart."""
_AROUND = 2.0
"""Millimetres around a piece found that are struck out with it: it stands between the places tried."""
_FOREIGN_PIECES = 2
"""So many pieces' room taken by something foreign covers the place; less is a shadow or a crumb."""
_MOST_UNKNOWN, _USUAL_REST = 0.5, -4.0
"""How likely something unknown is a piece; the best evidence from which it is half as likely that there is something.
"""
_PLAIN = -9.5
"""Mean log density from which a place is as it was printed and nobody needs to be counted."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """One place where pieces gather: its spots by label, and the plan of all places tried."""

    site: str
    spots: Mapping[str, Spot]
    plan: PatchPlan
    looks: Appearance
    width: float
    probes: Floats
    """(rows, columns, 2): a grid over the place, board millimetres"""


@dataclass(frozen=True, slots=True)
class _Found:
    """The evidence of each piece found, by label, the last something foreign; the best evidence for one more of each;
    and the probability (labels,) that something unknown there is one more.
    """

    won: list[list[float]]
    rest: npt.NDArray[np.float64]
    unknown: npt.NDArray[np.float64]


class Crowd:
    """A gathering place as one camera sees it, of whose samples each counts for so much of its surface.

    Most are empty: the many places to try are looked up when needed.
    """

    def __init__(self, gathering: Gathering, pose: BoardPose, worth: float = 1.0) -> None:
        self.gathering, self.pose, self._worth = gathering, pose, worth
        self.probes = gathering.probes
        flat = np.concatenate([self.probes, np.zeros((*self.probes.shape[:2], 1), np.float32)], axis=2)
        self.pixels = pose.project(flat).reshape(self.probes.shape)
        limits = np.array([pose.camera.width - 1, pose.camera.height - 1])
        self.in_view = bool(((self.pixels >= 0) & (self.pixels <= limits)).all())
        self.scale = float(np.linalg.norm(np.diff(self.pixels, axis=1), axis=2).mean()) / _PROBE
        """pixels a millimetre"""
        self._view: PatchView | None = None

    @property
    def view(self) -> PatchView:
        """All places tried, as the camera sees a piece there."""
        if self._view is None:
            self._view = look_at(self.gathering.plan, self.pose).weighed(self._worth)
        return self._view


def gatherings_of(board: Board, profile: Profile) -> tuple[Gathering, ...]:
    """The gathering places of a board."""
    result = []
    for piece in board.pieces.values():
        if piece.lies_on != "slot":
            continue
        offsets = _disc(board.slot_diameter / 2 - 0.3 * piece.size[0])
        looks = None
        for site, place in board.slots.items():
            spots = {
                spot.name.removeprefix(f"{piece.name} {site} "): spot
                for spot in board.spots.values()
                if spot.piece == piece.name and spot.site == site
            }
            anywhere = tuple(next(iter(spots.values())) for _ in offsets)
            plan = plan_places(piece, anywhere, offsets + np.array(place), np.zeros(len(offsets)))
            looks = looks or expected_appearance(profile, piece, plan)
            probes = np.array(place) + _square(board.slot_diameter / 2)
            result.append(Gathering(site, spots, plan, looks, piece.size[0], probes.astype(np.float32)))
    return tuple(result)


def place_of(crowd: Crowd) -> Floats:
    """The middles (places, 2) of all places tried, in board millimetres."""
    plan = crowd.gathering.plan
    return np.asarray(plan.places[:, 0, :2] - plan.local[0])


def count_gathered(
    crowd: Crowd, image: Image, colours: ColourCorrection, canvas: Canvas, pieces: npt.NDArray[np.int16]
) -> dict[str, Mapping[str, float]] | None:
    """Posteriors over the number of pieces of every label; None where something foreign covers the place.

    The best place and label is taken, the samples it explains are struck out, and so on until nothing is gained.
    Samples that show other `pieces` count for nothing.
    """
    gathering, labels = crowd.gathering, crowd.gathering.looks.labels
    found = _Found([[] for _ in range(len(labels) + 1)], np.full(len(labels) + 1, -50.0), np.zeros(len(labels)))
    if not crowd.in_view:
        return None
    if not _is_plain(crowd, image, colours, canvas):
        view = crowd.view
        lab = colours.to_lab(interpolated(image, view.pixels), view.ground)
        background = canvas.expect(view.ground, _SHADOW).log_density(lab, OFF_PAINT)
        weight = np.where(numbers_at(pieces, view.pixels) == 0, view.weight, np.float32(0))
        rows = np.flatnonzero((background * weight).sum(axis=1) < _PLAIN * weight.sum(axis=1))
        if rows.size:
            nats = gains_of(lab[rows], background[rows], weight[rows], gathering.looks, flawless=True).nats
            found = _pick(crowd, nats, (weight[rows] / CORRELATION).astype(np.float32), rows)
    won, rest = found.won, found.rest
    if len(won[-1]) >= _FOREIGN_PIECES:
        return None
    result: dict[str, Mapping[str, float]] = {}
    for k, label in enumerate(labels):
        spot = gathering.spots[label]
        steps = [gain + _PRIOR for gain in won[k]][: len(spot.labels)]
        steps += [min(float(rest[k]), 0.0) + _PRIOR] * (len(spot.labels) - len(steps))
        scores = np.maximum(np.concatenate([[0.0], np.cumsum(steps)]), -1e6)
        shares = softmax(scores)
        more = found.unknown[k] * np.append(shares[:-1], 0.0)
        shares = shares - more + np.append(0.0, more[:-1]) + _DOUBT
        result[spot.name] = dict(zip((EMPTY, *spot.labels), (shares / shares.sum()).tolist(), strict=True))
    return result


def _is_plain(crowd: Crowd, image: Image, colours: ColourCorrection, canvas: Canvas) -> bool:
    """Whether every part of a place that is large enough for a piece looks as it was printed."""
    lab = colours.to_lab(interpolated(image, crowd.pixels), crowd.probes)
    density = canvas.expect(crowd.probes, _SHADOW).log_density(lab)
    side = round(0.8 * crowd.gathering.width / _PROBE)
    return float(cv2.blur(density, (side, side)).min()) > _PLAIN


def _pick(crowd: Crowd, nats: Floats, share: Floats, rows: npt.NDArray[np.intp]) -> _Found:
    """The pieces found at the places tried (rows), the surest first."""
    centres, pixels = place_of(crowd)[rows], crowd.view.pixels[rows]
    free, unknown = np.ones(len(rows), bool), np.zeros(nats.shape[1] - 1)
    won: list[list[float]] = [[] for _ in range(nats.shape[1])]
    while True:
        scores = np.where(free[:, None], np.matmul(nats, share[:, :, None])[:, :, 0], -1e6)
        place, kind = np.unravel_index(int(scores.argmax()), scores.shape)
        best = float(scores[place, kind])
        if best + _PRIOR <= 0 or not free.any():
            rest = scores.max(axis=0).astype(np.float64)
            if not any(won):
                unknown = softmax(rest[:-1]) * _MOST_UNKNOWN / (1.0 + np.exp(_USUAL_REST - rest[:-1].max()))
            return _Found(won, rest, unknown)
        if kind == len(unknown):
            unknown = np.maximum(unknown, _MOST_UNKNOWN * softmax(scores[place, :-1]))
        won[int(kind)].append(best)
        free &= np.linalg.norm(centres - centres[place], axis=1) >= _APART * crowd.gathering.width
        struck = depth_inside(pixels, _hull(crowd, int(rows[place]))) >= -_AROUND * crowd.scale
        share = np.where(struck, np.float32(0), share)


def _hull(crowd: Crowd, place: int) -> npt.NDArray[np.float64]:
    """The silhouette (n, 2), in pixels, of a piece at one of the places."""
    places = crowd.gathering.plan.places[place]
    ring = places[crowd.gathering.plan.top_points :, :2]
    points = np.concatenate([np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, places[:, 2].max())])
    return np.asarray(cv2.convexHull(crowd.pose.project(points))[:, 0], np.float64)


def _square(half: float) -> npt.NDArray[np.float64]:
    steps = np.arange(-half, half + 1e-9, _PROBE)
    return np.stack(np.meshgrid(steps, steps), axis=-1)


def _disc(radius: float) -> npt.NDArray[np.float64]:
    steps = np.arange(-radius, radius + 1e-9, _STEP)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return np.asarray(grid[np.hypot(grid[:, 0], grid[:, 1]) <= radius])
