"""Selects the set of pieces that explains a picture best together, so that no sample is evidence for two pieces.

Every piece claims samples; where pieces overlap in the picture, the nearer one shows. A set is worth the gains of its
visible samples, so a false detection made up of its neighbours loses against them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from companion.board.layout import Spot
from vision.printed.evidence.classify import SpotKind, Tables
from vision.printed.evidence.pose_cache import PoseCache
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.pieces.likelihood import CORRELATION
from vision.printed.pieces.patches import inward_normals

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_COST = 3.0
"""Nats that a fully visible piece must gain."""
_COST_HIDDEN = 6.0
"""Nats that a partly hidden piece must gain from what is visible: shadows and neighbouring sides easily gain some."""
_ROUNDS = 6
"""Most rounds of the local search."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Pieces of one site that stand together: the gain in nats (points,) of each sample at its pixel (points, 2), the
    corners (n, 2) of their silhouettes in pixels, and their distance from the camera (mm).
    """

    spots: tuple[Spot, ...]
    gains: Doubles
    pixels: Floats
    outlines: tuple[Floats, ...]
    distance: float

    @property
    def site(self) -> str:
        """The site of these pieces."""
        return self.spots[0].site


def standing_of(
    kinds: Iterable[SpotKind],
    tables: Tables,
    evidence: tuple[Evidence, Evidence],
    cache: PoseCache,
    riders: Mapping[str, str] = MappingProxyType({}),
) -> list[Spot]:
    """The spots that are taken according to the set of likely pieces that explains the picture best.

    `evidence` is that of whole pieces, and that of carriers around their riders, which `riders` maps to their carriers.
    """
    found: dict[str, dict[str, tuple[Spot, int, int]]] = {}
    for kind in kinds:
        name = kind.piece.name
        best = tables[name].argmax(axis=1)
        for k in np.flatnonzero((best > 0) & (best <= len(kind.looks.labels))):
            spot = kind.plan.spots[k]
            found.setdefault(spot.site, {})[name] = spot, int(k), int(best[k]) - 1
    claims = []
    for here in found.values():
        carried = {name: carrier for name, carrier in riders.items() if name in here and carrier in here}
        groups = [[name, carried[name]] if name in carried else [name] for name in here]
        claims += [_claim(group, here, evidence, cache) for group in groups if group[0] not in carried.values()]
    return [spot for k in explaining(claims) for spot in reversed(claims[k].spots)]


def _claim(
    names: list[str],
    here: Mapping[str, tuple[Spot, int, int]],
    evidence: tuple[Evidence, Evidence],
    cache: PoseCache,
) -> Claim:
    """The claim of a piece alone, or of a rider with its carrier, named second."""
    gains, pixels = [], []
    for name, seen in zip(names, evidence, strict=False):
        _, k, label = here[name]
        weight = seen.weights[name][k] / CORRELATION
        shown = weight > 0
        gains.append((seen.gains[name].nats[k, label] * weight)[shown])
        pixels.append(cache.views[name].pixels[k][shown])
    spots = tuple(here[name][0] for name in names)
    outlines = tuple(cache.silhouettes.outline(spot.name) for spot in spots)
    distance = cache.silhouettes.distance(spots[0].name)
    return Claim(spots, np.concatenate(gains).astype(np.float64), np.concatenate(pixels), outlines, distance)


def explaining(claims: Sequence[Claim]) -> list[int]:
    """The indices of the claims that together explain most: at most one for each site, each with a gain of its own.

    A local search from the empty set by additions, removals and exchanges of overlapping claims.
    """
    hides = _hiding(claims)
    nearer = [frozenset(masks) for masks in hides]
    at_site: dict[str, set[int]] = {}
    for k, claim in enumerate(claims):
        at_site.setdefault(claim.site, set()).add(k)
    near = [(at_site[claim.site] | others) - {k} for k, (claim, others) in enumerate(zip(claims, nearer, strict=True))]
    for k, others in enumerate(nearer):
        for j in others:
            near[j].add(k)
    whole = [float(claim.gains.sum()) for claim in claims]
    chosen: set[int] = set()

    @cache
    def seen(k: int, hiding: frozenset[int]) -> float:
        if not hiding:
            return whole[k] - _COST
        hidden = np.logical_or.reduce([hides[k][j] for j in hiding])
        return float(claims[k].gains[~hidden].sum()) - _COST_HIDDEN

    def worth(k: int, among: set[int]) -> float:
        return seen(k, nearer[k] & among)

    def change(gone: set[int], come: int | None) -> float:
        after = (chosen - gone) | ({come} if come is not None else set())
        touched = set(gone) if come is None else gone | {come}
        around = {j for k in touched for j in near[k]} | touched
        return sum(worth(j, after) for j in around & after) - sum(worth(j, chosen) for j in around & chosen)

    def moves(k: int) -> list[tuple[set[int], int | None]]:
        if k in chosen:
            return [({k}, None)]
        rivals = near[k] & chosen
        same = {j for j in rivals if claims[j].site == claims[k].site}
        return [(same, k), *(({j} | same, k) for j in rivals - same), (rivals, k)]

    order = sorted(range(len(claims)), key=lambda k: -whole[k])
    for _ in range(_ROUNDS):
        settled = True
        for k in order:
            gain, (gone, come) = max(((change(*move), move) for move in moves(k)), key=lambda found: found[0])
            if gain > 1e-6:
                chosen = (chosen - gone) | ({come} if come is not None else set())
                settled = False
        if settled:
            break
    return sorted(chosen, key=lambda k: -whole[k])


def _hiding(claims: Sequence[Claim]) -> list[dict[int, Flags]]:
    """For each claim, the nearer claims that hide some of its samples, and which samples."""
    corners = [np.concatenate(claim.outlines) for claim in claims]
    low = np.array([each.min(axis=0) for each in corners]).reshape(-1, 2)
    high = np.array([each.max(axis=0) for each in corners]).reshape(-1, 2)
    sides = [[_sides(outline.astype(np.float64)) for outline in claim.outlines] for claim in claims]
    result: list[dict[int, Flags]] = []
    for k, claim in enumerate(claims):
        found: dict[int, Flags] = {}
        pixels = claim.pixels.T.astype(np.float64)
        for j in np.flatnonzero(((low <= high[k]) & (high >= low[k])).all(axis=1)).tolist():
            if claims[j].site == claim.site or claims[j].distance > claim.distance:
                continue
            mask = np.logical_or.reduce([(inward @ pixels >= least).all(axis=0) for inward, least in sides[j]])
            if mask.any():
                found[j] = mask
        result.append(found)
    return result


def _sides(corners: Doubles) -> tuple[Doubles, Doubles]:
    """The inward normals (n, 2) of a convex polygon's sides, and the sides' positions (n, 1) along them."""
    inward = inward_normals(corners)
    return inward, (corners * inward).sum(axis=1, keepdims=True)
