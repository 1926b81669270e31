"""Chooses, among the markers found in a picture, those of one sheet: others may lie or be printed next to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
MarkerCorners = npt.NDArray[np.float32]
MarkerCandidate = tuple[int, MarkerCorners]
"""A marker's id and its corners (4, 2) in a picture."""
MarkerSet = dict[int, MarkerCorners]

FEWEST_IN_SET = 4
"""Fewest markers that make a sheet."""
TOLERANCE = 0.02
"""Distance, in parts of the picture's width, by which a marker may miss its position, as lenses bend the sheet."""
_EQUAL = 0.7
"""The better of two sheets is meant if the other shows less than this share of its length of markers' sides."""
_LENGTHS = (0.35, 2.8)
"""Range of the ratio of lengths by which a marker may deviate from the position implied by a single other one."""
_TURN = 0.7
"""Smallest cosine of the angle by which it may."""
_TRIED = 8
"""Number of pairs of markers, those with the most support, that are examined closely."""
_SIZES = (0.5, 2.0)
"""Range of a marker's size relative to the expected one."""
_MOVED = 4.0
"""Distance, in sides of a marker, within which a marker of about the right size is the sheet's own, out of place."""
_SAME_SIZE = (0.6, 1.6)
"""Range of its relative size for that: the sheet is then cut or bent."""


def sheets_among(
    candidates: Sequence[MarkerCandidate], printed: Mapping[int, Floats], width: int
) -> tuple[MarkerSet, ...]:
    """The markers of one sheet, or of the two that show best, the better one first; none if no marker is among the
    candidates.

    `printed` are the corners (4, 2) of each marker on the sheet, `width` is the picture's. An id may occur several
    times. Each set is consistent with one plane view of the sheet; a second set has at least four markers.
    """
    left = [each for each in candidates if each[0] in printed]
    alone = dict(left)
    if not left or (len(alone) == len(left) and _fits(alone, printed, width)):
        return (alone,) if alone else ()
    found: list[MarkerSet] = []
    while len(found) < 2 and len(left) >= (FEWEST_IN_SET if found else 1):
        best = _largest(left, printed, width)
        if found and len(best) < FEWEST_IN_SET:
            break
        found.append(best)
        left = [(marker, quad) for marker, quad in left if best.get(marker) is not quad]
    return tuple(sorted(found, key=_shown, reverse=True))


def are_alike(one: MarkerSet, other: MarkerSet) -> bool:
    """Whether two whole sheets show about equally well, so that either may be meant."""
    return len(other) >= FEWEST_IN_SET and _shown(other) >= _EQUAL * _shown(one)


def once_only(candidates: Sequence[MarkerCandidate]) -> MarkerSet:
    """The markers whose id occurs once, wherever they are."""
    ids = [marker for marker, _ in candidates]
    return {marker: quad for marker, quad in candidates if ids.count(marker) == 1}


def displaced(sheet: MarkerSet, candidates: Sequence[MarkerCandidate], printed: Mapping[int, Floats]) -> MarkerSet:
    """Missing markers of a sheet that occur once, not far from their position: the sheet is cut or bent."""
    others = {marker: quad for marker, quad in once_only(candidates).items() if marker in printed.keys() - sheet.keys()}
    plane = _plane(sheet, printed) if others and len(sheet) >= FEWEST_IN_SET else None
    if plane is None:
        return {}
    found = {}
    for marker, quad in others.items():
        place = cv2.perspectiveTransform(printed[marker][None], plane)[0]
        side = _side(place)
        is_near = np.linalg.norm(quad.mean(axis=0) - place.mean(axis=0)) < _MOVED * side
        if is_near and _SAME_SIZE[0] < _side(quad) / max(side, 1e-9) < _SAME_SIZE[1]:
            found[marker] = quad
    return found


def _largest(candidates: Sequence[MarkerCandidate], printed: Mapping[int, Floats], width: int) -> MarkerSet:
    """The largest set that is consistent with a plane view of the sheet; each pair of markers implies where the others
    are.
    """
    best: MarkerSet = dict(candidates[:1])
    pairs = _pairs(candidates, printed)
    if not len(pairs):
        return best
    ids = np.array([marker for marker, _ in candidates])
    quads = np.stack([quad for _, quad in candidates]).astype(np.float64)
    sheet = np.stack([printed[marker] for marker in ids.tolist()])
    places = _by_pairs(sheet, quads, pairs)
    agrees = np.abs(places - quads).max(axis=(2, 3)) < TOLERANCE * width
    supported = sum(
        (agrees[:, ids == marker].any(axis=1).astype(int) for marker in set(ids.tolist())), np.zeros(len(pairs), int)
    )
    for index in np.argsort(-supported, kind="stable")[:_TRIED].tolist():
        pair = dict(candidates[each] for each in pairs[index].tolist())
        members = pair
        for _ in range(2):
            plane = _plane(members, printed)
            if plane is None:
                break
            members = pair | _members(candidates, printed, plane, width)
        if len(members) > len(best) and _fits(members, printed, width):
            best = members
    return best


def _pairs(candidates: Sequence[MarkerCandidate], printed: Mapping[int, Floats]) -> npt.NDArray[np.intp]:
    """All pairs (n, 2) of candidates each of which lies roughly where the other implies."""
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64) - 0.5
    ids = np.array([marker for marker, _ in candidates])
    quads = np.stack([quad for _, quad in candidates]).astype(np.float64)
    sheet = np.stack([printed[marker] for marker in ids.tolist()])
    side = np.abs(sheet[:, 1] - sheet[:, 0]).max(axis=1)
    here, there = quads.mean(axis=1), sheet.mean(axis=1)
    # The affine map fitted to a marker's four corners predicts its surroundings, without perspective.
    maps = np.einsum("ncp,cq->npq", quads - here[:, None], corners) / side[:, None, None]
    said = np.einsum("npq,nmq->nmp", maps, there[None] - there[:, None])
    seen = here[None] - here[:, None]
    lengths, long = np.linalg.norm(said, axis=2), np.linalg.norm(seen, axis=2)
    straight = (said * seen).sum(axis=2) > _TURN * lengths * long
    alike = (long > _LENGTHS[0] * lengths) & (long < _LENGTHS[1] * lengths) & straight
    return np.argwhere(np.triu(alike & alike.T & (ids[None] != ids[:, None])))


def _by_pairs(sheet: Floats, quads: Floats, pairs: npt.NDArray[np.intp]) -> Floats:
    """The corners (pairs, n, 4, 2) of all markers predicted by the homography of each pair of markers."""
    unit, pixel = np.abs(sheet).max(), np.abs(quads).max()
    from_, to = (sheet / unit)[pairs].reshape(len(pairs), 8, 2), (quads / pixel)[pairs].reshape(len(pairs), 8, 2)
    ones, none = np.ones_like(from_[..., :1]), np.zeros_like(from_)
    plain = np.concatenate([from_, ones], axis=2)
    across = np.concatenate([plain, none, none[..., :1], -from_ * to[..., :1]], axis=2)
    down = np.concatenate([none, none[..., :1], plain, -from_ * to[..., 1:]], axis=2)
    rows = np.concatenate([across, down], axis=1)
    wanted = np.concatenate([to[..., 0], to[..., 1]], axis=1)[..., None]
    turned = rows.transpose(0, 2, 1)
    eight = np.linalg.solve(turned @ rows + 1e-12 * np.eye(8), turned @ wanted)[..., 0]
    planes = np.concatenate([eight, np.ones((len(pairs), 1))], axis=1).reshape(-1, 3, 3)
    everywhere = np.concatenate([sheet / unit, np.ones_like(sheet[..., :1])], axis=2)
    seen = np.einsum("pij,ncj->pnci", planes, everywhere)
    depth = np.where(np.abs(seen[..., 2:]) < 1e-9, 1e-9, seen[..., 2:])
    return np.asarray(pixel * seen[..., :2] / depth, np.float64)


def _members(
    candidates: Sequence[MarkerCandidate], printed: Mapping[int, Floats], plane: Floats, width: int
) -> MarkerSet:
    """The markers that lie where a homography from the sheet to the picture puts them, the nearest for each id."""
    found: dict[int, tuple[float, MarkerCorners]] = {}
    places = {marker: cv2.perspectiveTransform(printed[marker][None], plane)[0] for marker, _ in candidates}
    for marker, quad in candidates:
        off = float(np.abs(quad - places[marker]).max())
        size = _side(quad) / max(_side(places[marker]), 1e-9)
        if off < TOLERANCE * width and _SIZES[0] < size < _SIZES[1] and off < found.get(marker, (np.inf, quad))[0]:
            found[marker] = off, quad
    return {marker: quad for marker, (_, quad) in found.items()}


def _fits(members: MarkerSet, printed: Mapping[int, Floats], width: int) -> bool:
    """Whether all markers are consistent with one plane view of the sheet."""
    if len(members) < 2:
        return True
    plane = _plane(members, printed)
    return plane is not None and len(_members(list(members.items()), printed, plane, width)) == len(members)


def _plane(members: MarkerSet, printed: Mapping[int, Floats]) -> Floats | None:
    """The homography from the sheet to the picture; None where there is no sensible one."""
    here = np.concatenate([printed[marker] for marker in members])
    there = np.concatenate(list(members.values())).astype(np.float64)
    plane, _ = cv2.findHomography(here, there)
    # OpenCV returns None where there is none, which its type stubs leave out.
    return cast("Floats | None", plane)


def _side(quad: npt.NDArray[np.floating]) -> float:
    """The mean length of a quadrilateral's sides (4, 2)."""
    return float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).mean())


def _shown(members: MarkerSet) -> float:
    """How well a sheet shows: the total length of its markers' sides, in pixels."""
    return sum(_side(quad) for quad in members.values())
