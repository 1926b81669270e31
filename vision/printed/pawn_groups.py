"""Counting the pieces of each colour that stand together in one place, wherever in it they stand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Spot
from vision.colour import ColourCorrection
from vision.location.board_pose import BoardPose
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
_PRIOR = -7.5
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
_LEAST_LIGHT, _MOST_LIGHT = 0.75, 1.15
"""How much darker or lighter than the rest of the sheet a whole place may lie."""
_BLACK = 15.0
"""Printed colours below this lightness tell nothing of the light."""
_SAME_PIECE = 3.0
"""Millimetres within which places tried show one and the same piece."""
_PLAIN = -9.5
"""Mean log density from which a place is as it was printed and nobody needs to be counted."""


@dataclass(frozen=True, slots=True)
class PawnGroup:
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
    """The probability (pieces, labels) that a piece found is there and of each label; how many more are something
    foreign; the best evidence (labels,) for one more of each, and the probability (labels,) that something unknown is.
    """

    pieces: npt.NDArray[np.float64]
    foreign: int
    rest: npt.NDArray[np.float64]
    unknown: npt.NDArray[np.float64]


class PawnGroupView:
    """A gathering place as one camera sees it, of whose samples each counts for so much of its surface.

    Most are empty: the many places to try are looked up when needed.
    """

    def __init__(self, group: PawnGroup, pose: BoardPose, worth: float = 1.0) -> None:
        self.group, self.pose, self._worth = group, pose, worth
        self.probes = group.probes
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
            self._view = look_at(self.group.plan, self.pose).weighed(self._worth)
        return self._view


def pawn_groups_of(board: Board, profile: Profile) -> tuple[PawnGroup, ...]:
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
            result.append(PawnGroup(site, spots, plan, looks, piece.size[0], probes.astype(np.float32)))
    return tuple(result)


def under_blur(groups: tuple[PawnGroup, ...], board: Board, profile: Profile, blur: float) -> tuple[PawnGroup, ...]:
    """The same places with pieces as they look under a blur (standard deviation, mm)."""
    plans = {group.plan.piece: group.plan for group in groups}
    looks = {name: expected_appearance(profile, board.pieces[name], plan, blur) for name, plan in plans.items()}
    return tuple(replace(group, looks=looks[group.plan.piece]) for group in groups)


def place_of(group_view: PawnGroupView) -> Floats:
    """The middles (places, 2) of all places tried, in board millimetres."""
    plan = group_view.group.plan
    return np.asarray(plan.places[:, 0, :2] - plan.local[0])


def count_pawns(
    group_view: PawnGroupView, image: Image, colours: ColourCorrection, canvas: Canvas, pieces: npt.NDArray[np.int16]
) -> dict[str, Mapping[str, float]] | None:
    """Posteriors over the number of pieces of every label; None where something foreign covers the place.

    The best place and label is taken, the samples it explains are struck out, and so on until nothing is gained.
    Samples that show other `pieces` count for nothing.
    """
    group, labels = group_view.group, group_view.group.looks.labels
    found = _Found(np.zeros((0, len(labels))), 0, np.full(len(labels), -50.0), np.zeros(len(labels)))
    if not group_view.in_view:
        return None
    expected = canvas.expect(group_view.probes, _SHADOW)
    shown = colours.to_lab(interpolated(image, group_view.pixels), group_view.probes)
    light = _light_on(shown, expected.middle)
    if not _is_plain(group_view, expected.log_density(shown / light)):
        view = group_view.view
        lab = colours.to_lab(interpolated(image, view.pixels), view.ground) / light
        background = canvas.expect(view.ground, _SHADOW).log_density(lab, OFF_PAINT)
        weight = np.where(numbers_at(pieces, view.pixels) == 0, view.weight, np.float32(0))
        rows = np.flatnonzero((background * weight).sum(axis=1) < _PLAIN * weight.sum(axis=1))
        if rows.size:
            nats = gains_of(lab[rows], background[rows], weight[rows], group.looks, flawless=True).nats
            found = _pick(group_view, nats, (weight[rows] / CORRELATION).astype(np.float32), rows)
    if found.foreign >= _FOREIGN_PIECES:
        return None
    result: dict[str, Mapping[str, float]] = {}
    for k, label in enumerate(labels):
        spot = group.spots[label]
        one_more = 1.0 / (1.0 + math.exp(-max(float(found.rest[k]), -50.0) - _PRIOR))
        shares = _counts([*found.pieces[:, k], one_more], len(spot.labels))
        more = found.unknown[k] * np.append(shares[:-1], 0.0)
        shares = shares - more + np.append(0.0, more[:-1]) + _DOUBT
        result[spot.name] = dict(zip((EMPTY, *spot.labels), (shares / shares.sum()).tolist(), strict=True))
    return result


def _counts(chances: Sequence[float], most: int) -> npt.NDArray[np.float64]:
    """The probabilities of 0 to `most` (or more) of some things, each of which is there with its own."""
    shares = np.zeros(most + 1)
    shares[0] = 1.0
    for chance in chances:
        more = shares * chance
        shares -= more
        shares[1:] += more[:-1]
        shares[-1] += more[-1]
    return shares


def _light_on(shown: Floats, printed: Floats) -> np.float32:
    """How light a place lies beside the rest of the sheet: what most of it shows over what is printed there, as pieces
    take less than half of it.
    """
    known = printed[..., 0] > _BLACK
    ratio = shown[..., 0][known] / printed[..., 0][known]
    return np.float32(np.clip(np.median(ratio), _LEAST_LIGHT, _MOST_LIGHT)) if known.any() else np.float32(1)


def _is_plain(group_view: PawnGroupView, density: Floats) -> bool:
    """Whether every part of a place that is large enough for a piece looks as it was printed, given the log densities
    (rows, columns) of its probes.
    """
    side = round(0.8 * group_view.group.width / _PROBE)
    return float(cv2.blur(density, (side, side)).min()) > _PLAIN


def _pick(group_view: PawnGroupView, nats: Floats, share: Floats, rows: npt.NDArray[np.intp]) -> _Found:
    """The pieces found at the places tried (rows), the surest first."""
    centres, pixels = place_of(group_view)[rows], group_view.view.pixels[rows]
    free, unknown = np.ones(len(rows), bool), np.zeros(nats.shape[1] - 1)
    pieces: list[npt.NDArray[np.float64]] = []
    foreign = 0
    while True:
        scores = np.where(free[:, None], np.matmul(nats, share[:, :, None])[:, :, 0], -1e6)
        place, kind = np.unravel_index(int(scores.argmax()), scores.shape)
        best = float(scores[place, kind])
        if best + _PRIOR <= 0 or not free.any():
            rest = scores.max(axis=0).astype(np.float64)[:-1]
            if not pieces and not foreign:
                unknown = softmax(rest) * _MOST_UNKNOWN / (1.0 + np.exp(_USUAL_REST - rest.max()))
            return _Found(np.array(pieces).reshape(-1, len(unknown)), foreign, rest, unknown)
        away = np.linalg.norm(centres - centres[place], axis=1)
        if kind == len(unknown):
            unknown = np.maximum(unknown, _MOST_UNKNOWN * softmax(scores[place, :-1]))
            foreign += 1
        else:
            there = 1.0 / (1.0 + np.exp(-best - _PRIOR))
            pieces.append(there * softmax(scores[away <= _SAME_PIECE].max(axis=0))[:-1])
        free &= away >= _APART * group_view.group.width
        struck = depth_inside(pixels, _hull(group_view, int(rows[place]))) >= -_AROUND * group_view.scale
        share = np.where(struck, np.float32(0), share)


def _hull(group_view: PawnGroupView, place: int) -> npt.NDArray[np.float64]:
    """The silhouette (n, 2), in pixels, of a piece at one of the places."""
    places = group_view.group.plan.places[place]
    ring = places[group_view.group.plan.top_points :, :2]
    points = np.concatenate([np.column_stack([ring, np.full(len(ring), z)]) for z in (0.0, places[:, 2].max())])
    return np.asarray(cv2.convexHull(group_view.pose.project(points))[:, 0], np.float64)


def _square(half: float) -> npt.NDArray[np.float64]:
    steps = np.arange(-half, half + 1e-9, _PROBE)
    return np.stack(np.meshgrid(steps, steps), axis=-1)


def _disc(radius: float) -> npt.NDArray[np.float64]:
    steps = np.arange(-radius, radius + 1e-9, _STEP)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    return np.asarray(grid[np.hypot(grid[:, 0], grid[:, 1]) <= radius])
