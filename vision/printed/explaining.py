"""Which of the pieces that may stand explain a picture together: what one shows is no evidence of another.

Every piece claims samples; where pieces overlap in the picture, the nearer one shows. A set of pieces is worth what its
visible samples gain, so that a phantom made up of its neighbours loses against them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from companion.board.layout import Spot
from vision.printed.classify import Kind, Tables
from vision.printed.evidence import Evidence
from vision.printed.likelihood import CORRELATION
from vision.printed.patches import depth_inside
from vision.printed.standpoint import Standpoint

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_COST, _COST_HIDDEN = 3.0, 6.0
"""Nats that a piece must gain by what is seen of it: one seen whole, and one that others hide in part, which shadows
and sides beside these make up easily.
"""
_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class Claim:
    """Pieces of one site that stand together: the gain in nats (points,) of each sample at its pixel (points, 2), the
    corners (n, 2) of their silhouettes in pixels, and how far away they are.
    """

    spots: tuple[Spot, ...]
    gains: Doubles
    pixels: Floats
    outlines: tuple[Floats, ...]
    distance: float

    @property
    def site(self) -> str:
        """The site of all these pieces."""
        return self.spots[0].site


def standing_of(
    kinds: Iterable[Kind],
    tables: Tables,
    evidence: tuple[Evidence, Evidence],
    stand: Standpoint,
    riders: Mapping[str, str] = MappingProxyType({}),
) -> list[Spot]:
    """The spots that are taken, going by what explains the picture best of all that the tables hold for likely.

    `evidence` is that of whole pieces, and of carriers around what stands on them, which `riders` names.
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
        claims += [_claim(group, here, evidence, stand) for group in groups if group[0] not in carried.values()]
    return [spot for k in explaining(claims) for spot in reversed(claims[k].spots)]


def _claim(
    names: list[str],
    here: Mapping[str, tuple[Spot, int, int]],
    evidence: tuple[Evidence, Evidence],
    stand: Standpoint,
) -> Claim:
    """What a piece claims alone or together with the one, named second, that carries it."""
    gains, pixels = [], []
    for name, seen in zip(names, evidence, strict=False):
        _, k, label = here[name]
        weight = seen.weights[name][k] / CORRELATION
        shown = weight > 0
        gains.append((seen.gains[name].nats[k, label] * weight)[shown])
        pixels.append(stand.views[name].pixels[k][shown])
    spots = tuple(here[name][0] for name in names)
    outlines = tuple(stand.silhouettes.outline(spot.name) for spot in spots)
    distance = stand.silhouettes.distance(spots[0].name)
    return Claim(spots, np.concatenate(gains).astype(np.float64), np.concatenate(pixels), outlines, distance)


def explaining(claims: Sequence[Claim]) -> list[int]:
    """The numbers of the claims that together explain the most: no two of one site, none without a gain of its own.

    A local search from the empty set over additions, removals and exchanges of claims that overlap.
    """
    hides = _hiding(claims)
    near = [set(hides[k]) | {j for j, others in enumerate(hides) if k in others} for k in range(len(claims))]
    for k, claim in enumerate(claims):
        near[k] |= {j for j, other in enumerate(claims) if j != k and other.site == claim.site}
    chosen: set[int] = set()

    def worth(k: int, among: set[int]) -> float:
        hidden = np.zeros(len(claims[k].gains), bool)
        for j, mask in hides[k].items():
            if j in among:
                hidden |= mask
        if not hidden.any():
            return float(claims[k].gains.sum()) - _COST
        return float(claims[k].gains[~hidden].sum()) - _COST_HIDDEN

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

    order = sorted(range(len(claims)), key=lambda k: -float(claims[k].gains.sum()))
    for _ in range(_ROUNDS):
        settled = True
        for k in order:
            gone, come = max(moves(k), key=lambda move: change(*move))
            if change(gone, come) > 1e-6:
                chosen = (chosen - gone) | ({come} if come is not None else set())
                settled = False
        if settled:
            break
    return sorted(chosen, key=lambda k: -float(claims[k].gains.sum()))


def _hiding(claims: Sequence[Claim]) -> list[dict[int, Flags]]:
    """For each claim the nearer ones that hide samples of it, and which."""
    corners = [np.concatenate(claim.outlines) for claim in claims]
    low = np.array([each.min(axis=0) for each in corners]).reshape(-1, 2)
    high = np.array([each.max(axis=0) for each in corners]).reshape(-1, 2)
    result: list[dict[int, Flags]] = []
    for k, claim in enumerate(claims):
        found: dict[int, Flags] = {}
        for j in np.flatnonzero(((low <= high[k]) & (high >= low[k])).all(axis=1)):
            other = claims[int(j)]
            if other.site == claim.site or other.distance > claim.distance:
                continue
            depths = [depth_inside(claim.pixels, outline.astype(np.float64)) for outline in other.outlines]
            mask = np.max(depths, axis=0) >= 0
            if mask.any():
                found[int(j)] = mask
        result.append(found)
    return result
