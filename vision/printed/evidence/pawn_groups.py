"""Counts the pieces of each colour that stand in one place together, anywhere in it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import EMPTY, Board, Spot
from vision.colour.correction import ColourCorrection
from vision.location.board_pose import BoardPose
from vision.pictures import Image, interpolated
from vision.printed.pieces.appearance import OFF_PAINT, Appearance, expected_appearance
from vision.printed.pieces.likelihood import CORRELATION, gains_of, softmax
from vision.printed.pieces.occlusion import numbers_at
from vision.printed.pieces.patches import PatchPlan, PatchView, depth_inside, look_at, plan_at
from vision.printed.pieces.profile import Profile
from vision.printed.sheet.canvas import Canvas

Floats = npt.NDArray[np.float32]

_SHADOW = 0.5
"""Factor of the deepest shadow on the sheet: deeper than elsewhere (`canvas.SHADOW`), as tall pieces stand close
together.
"""
_STEP = 2.2
"""Spacing (mm) of the positions at which a piece is tried."""
_PROBE = 2.0
"""Spacing (mm) of the probes that show whether anything is there at all."""
_PRIOR = -7.5
"""Prior log odds of a piece at one position."""
_DOUBT = 1e-4
"""Probability spread evenly over all counts, so that no reading is certain."""
_APART = 0.85
"""Smallest distance between pieces, in parts of their width."""
_AROUND = 2.0
"""Margin (mm) around a piece found whose samples are struck out: it may stand between the positions tried."""
_FOREIGN_PIECES = 2
"""Number of foreign finds, each as large as a piece, from which the place is covered; one may be a shadow or a
crumb.
"""
_MOST_UNKNOWN = 0.5
"""Largest probability that something unknown is a piece."""
_USUAL_REST = -4.0
"""Best evidence (nats) at which that probability is half as large."""
_LEAST_LIGHT = 0.75
"""Smallest light of a place relative to the rest of the sheet."""
_MOST_LIGHT = 1.15
"""Largest light of a place relative to the rest of the sheet."""
_SHADED, _BRIGHT_SHARE = 0.7, 0.15
"""A place of which not even this share has so much light lies in a shadow that looks like pieces everywhere: it is
covered.
"""
_BLACK = 15.0
"""Printed lightness (Lab) below which the light cannot be measured."""
_SAME_PIECE = 3.0
"""Distance (mm) between positions that show the same piece."""
_PLAIN = -9.5
"""Mean log density above which a place looks as printed, and nothing is counted. Lower than for stacks (-9.2), as the
deeper shadows spread the densities.
"""


@dataclass(frozen=True, slots=True)
class PawnGroup:
    """A place where pieces stand together: its spots by label, and the plan of all positions to try."""

    site: str
    spots: Mapping[str, Spot]
    plan: PatchPlan
    looks: Appearance
    width: float
    probes: Floats
    """(rows, columns, 2): a grid over the place, board millimetres"""


@dataclass(frozen=True, slots=True)
class _Found:
    """The pieces found: the probabilities (pieces, labels) of each being there with each label; the number of foreign
    finds; the best evidence (labels,) for one more piece; the probabilities (labels,) of something unknown being one.
    """

    pieces: npt.NDArray[np.float64]
    foreign: int
    rest: npt.NDArray[np.float64]
    unknown: npt.NDArray[np.float64]


class PawnGroupView:
    """A group as one camera sees it; `worth` is the weight of each sample's surface.

    Most groups are empty: the pixels of the many positions are computed only when needed.
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
        """All positions tried, as the camera sees a piece there."""
        if self._view is None:
            self._view = look_at(self.group.plan, self.pose).weighed(self._worth)
        return self._view


def pawn_groups_of(board: Board, profile: Profile, blur: float) -> tuple[PawnGroup, ...]:
    """The pawn groups of a board, with pieces as they look under a blur (standard deviation, mm)."""
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
            plan = plan_at(piece, anywhere, offsets + np.array(place), np.zeros(len(offsets)))
            looks = looks or expected_appearance(profile, piece, plan, blur)
            probes = np.array(place) + _square(board.slot_diameter / 2)
            result.append(PawnGroup(site, spots, plan, looks, piece.size[0], probes.astype(np.float32)))
    return tuple(result)


def positions_of(group_view: PawnGroupView) -> Floats:
    """The centres (positions, 2) of all positions tried, in board millimetres."""
    plan = group_view.group.plan
    return np.asarray(plan.places[:, 0, :2] - plan.local[0])


def count_pawns(
    group_view: PawnGroupView, image: Image, colours: ColourCorrection, canvas: Canvas, pieces: npt.NDArray[np.int16]
) -> dict[str, Mapping[str, float]] | None:
    """Posteriors over the number of pieces of every label; None where a foreign object or a deep shadow
    covers the place.

    Greedy: the best position and label is taken and its samples are struck out, until nothing gains any more. Samples
    that show other `pieces` do not count.
    """
    group, labels = group_view.group, group_view.group.looks.labels
    found = _Found(np.zeros((0, len(labels))), 0, np.full(len(labels), -50.0), np.zeros(len(labels)))
    if not group_view.in_view:
        return None
    expected = canvas.expect(group_view.probes, _SHADOW)
    shown = colours.to_lab(interpolated(image, group_view.pixels), group_view.probes)
    ratios = _light_ratios(shown, expected.middle)
    if ratios.size and np.quantile(ratios, 1.0 - _BRIGHT_SHARE) < _SHADED:
        return None
    light = _light_on(ratios)
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
    """The probabilities of 0 to `most` (or more) things, each of which is there with its own probability."""
    shares = np.zeros(most + 1)
    shares[0] = 1.0
    for chance in chances:
        more = shares * chance
        shares -= more
        shares[1:] += more[:-1]
        shares[-1] += more[-1]
    return shares


def _light_ratios(shown: Floats, printed: Floats) -> Floats:
    """The ratios of seen to printed lightness of a place's probes that are not printed black."""
    known = printed[..., 0] > _BLACK
    return np.asarray(shown[..., 0][known] / printed[..., 0][known])


def _light_on(ratios: Floats) -> np.float32:
    """The light on a place relative to the rest of the sheet: the median, as pieces take less than half of it."""
    return np.float32(np.clip(np.median(ratios), _LEAST_LIGHT, _MOST_LIGHT)) if ratios.size else np.float32(1)


def _is_plain(group_view: PawnGroupView, density: Floats) -> bool:
    """Whether every part of a place as large as a piece looks as printed, given the log densities (rows, columns) of
    its probes.
    """
    side = round(0.8 * group_view.group.width / _PROBE)
    return float(cv2.blur(density, (side, side)).min()) > _PLAIN


def _pick(group_view: PawnGroupView, nats: Floats, share: Floats, rows: npt.NDArray[np.intp]) -> _Found:
    """The pieces found at the positions tried (rows), in order of certainty."""
    centres, pixels = positions_of(group_view)[rows], group_view.view.pixels[rows]
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
    """The silhouette (n, 2), in pixels, of a piece at one position."""
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
