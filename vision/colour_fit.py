"""Corrects the colours of one picture by the printed patches and the paper's white, frame by frame.

Every usual response of a camera is tried at once; arrays of all of them have the responses as their first axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour import Ceiling, ColourCorrection, Response, surface_of
from vision.colour_space import LINEAR, linear_to_lab
from vision.location.board_pose import BoardPose
from vision.pictures import Image
from vision.swatches import Swatches, swatches_of

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_SURFACE_RIDGE = np.array([1e-6, 0.02, 0.02, 0.2, 0.2, 0.2])
"""How firmly the fall-off of light is held to be level, and more firmly still to be a plane."""
FEWEST_PATCHES = 4
_BESIDE, _EDGE, _DIM = 2.0, 12, 60
"""How far (mm) beside a patch its white paper is looked at, by how many levels both sides may differ, and from which
level on it tells colours.
"""
_BRIGHT = 0.9
"""The part of all paper that is darker than what is taken for in full light."""
_OWN = 0.75
"""What a corrected channel gets of itself, at least, beside what it gets of the others."""
_NEUTRAL = np.eye(3, 4, dtype=np.float32)
_LEAST_LIGHT = 0.002
"""What is darker, in linear light, is taken for no paper."""
_HIDDEN = 8.0
"""Patches that disagree by more (Lab) are not all seen."""
_MATRIX_RIDGE = np.array([0.02, 0.02, 0.02, 0.02])
"""How firmly the matrix is held to be that of the paper's white alone, and its offset to be none."""
_FEW_KNOWN_RIDGE = np.where(np.eye(3, 4) > 0, 0.02, [1.0, 1.0, 1.0, 0.1])
"""The same of each channel where the patches that are burnt out in it tell less of how channels mix."""

_LEAST_PAPER = 0.3
"""The part of the white paper that must not be burnt out for light and colours to go by it."""
_CEILINGS, _WHITE = 0.1, 0.9
"""Steps of the logarithm in which ceilings are told, and the one from which on what is burnt out is as good as white.
"""
_FEWEST_KNOWN = 3
"""Patches that must not be burnt out in a channel for the others to tell it."""
_EVERYWHERE = np.stack(np.meshgrid([0.0, 0.5, 1.0], [0.0, 0.5, 1.0]), axis=-1).reshape(-1, 2)
_STRAY = 0.02
"""Light that lenses scatter over everything."""

_RESPONSES = tuple(
    Response(exponent, contrast) for exponent in (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4) for contrast in (0.0, 0.25, 0.5)
)
_DOUBTS = np.array([6.0 * (math.log(each.exponent) / 0.25) ** 2 + 6.0 * each.contrast for each in _RESPONSES])
"""How much better (Lab squared) than an ordinary one each of them must be to be believed."""


class _Fits(NamedTuple):
    """Corrections under every response: fall-offs (responses, 6), matrices (responses, 3, 4), errors (responses,), and
    the most light (responses, 3) that pictures too bright for their sensor tell.
    """

    fall_offs: Floats
    matrices: Floats
    errors: Floats
    ceilings: Floats | None = None


def fit_colours(image: Image, board: Board, pose: BoardPose) -> ColourCorrection:
    """The correction for one picture; without printed patches only the light's fall-off and level are corrected.

    Of all responses that is taken under which the patches, which tell tones as well as colours, come out best. Where
    white paper is burnt out each channel goes by those patches in which it is not.
    """
    paper, patches = paper_of(image, board, pose), patches_of(image, board, pose)
    burnt = fit_beneath_ceiling(board, paper, patches) if is_burnt(paper, patches) else None
    if burnt is not None:
        return burnt
    paper = paper.where(paper.usable)
    printed, surface = _printed(board), surface_of(patches.places, board.size)
    around = surface_of(paper.places, board.size)
    fall_offs, rough = _by_paper(around, _lights_of(paper.levels))
    seen = _lights_of(patches.levels) / np.exp(fall_offs @ surface.T)[..., None]

    def fit(chosen: Flags) -> _Fits:
        return _Fits(fall_offs, *_matrices(seen[:, chosen], printed[chosen], rough))

    found = _best_response(board, fit, patches.usable)
    if found is None:
        usual = _RESPONSES.index(Response())
        found = ColourCorrection(board.size, fall_offs[usual], rough[usual], 0.0)
    return found


def ceiling_of(image: Image, board: Board, pose: BoardPose) -> Ceiling | None:
    """The most light of each channel that tells anything in a picture whose white paper is burnt out, else None."""
    paper, patches = paper_of(image, board, pose), patches_of(image, board, pose)
    found = fit_beneath_ceiling(board, paper, patches) if is_burnt(paper, patches) else None
    return None if found is None else found.ceiling


def fit_in_uneven_light(image: Image, board: Board, pose: BoardPose) -> ColourCorrection:
    """The correction for a picture with shadows: each patch is compared with the white paper beside it, and the light
    is everywhere taken for that on the brightest paper.
    """
    paper, patches = paper_of(image, board, pose), patches_of(image, board, pose)
    paper = paper.where(paper.usable)
    reach = np.array([(board.patches[0].side if board.patches else 1.0) / 2 + _BESIDE, 0.0])
    left, right = (swatches_of(image, pose, patches.places + way * reach, _BESIDE / 2) for way in (-1, 1))
    usable = patches.usable & left.usable & right.usable & (np.abs(left.levels - right.levels).max(axis=1) < _EDGE)
    beside = np.asarray((left.levels + right.levels) / 2, np.float32)
    usable &= beside.min(axis=1, initial=255) > _DIM

    printed, level = _printed(board), np.zeros((len(_RESPONSES), 6), np.float32)
    seen = _lights_of(patches.levels) / np.maximum(_lights_of(beside), 1e-4)
    bright = np.maximum(_lights_of(paper.levels), 1e-4)
    white = np.quantile(bright, _BRIGHT, axis=1) if bright.shape[1] else np.ones((len(_RESPONSES), 3))
    under_white = np.column_stack([white, np.ones(len(white))])[:, None]

    def fit(chosen: Flags) -> _Fits:
        # Each patch's own white is as well known as the patch.
        samples, known = seen[:, chosen], printed[chosen]
        both = np.concatenate([samples, np.ones_like(samples)], axis=1)
        matrices, errors = _matrices(both, np.vstack([known, np.ones_like(known)]), _NEUTRAL)
        return _Fits(level, (matrices / under_white).astype(np.float32), errors)

    found = _best_response(board, fit, usable)
    if found is None:
        usual = _RESPONSES.index(Response())
        found = ColourCorrection(board.size, level[usual], (_NEUTRAL / under_white[usual]).astype(np.float32), 0.0)
    return found


def is_burnt(paper: Swatches, patches: Swatches) -> bool:
    """Whether so much white paper, or so many patches, are burnt out in some channel that the rest tells too little."""
    if patches.within.sum() < FEWEST_PATCHES:
        return False
    lost = patches.clipped[patches.within].any(axis=1).any() and patches.usable.sum() < FEWEST_PATCHES
    return bool(lost or paper.usable.sum() < _LEAST_PAPER * paper.within.sum())


def fit_beneath_ceiling(board: Board, paper: Swatches, patches: Swatches) -> ColourCorrection | None:
    """The correction, channel by channel, by patches that are not burnt out in it; None where they are too few."""
    printed, surface, known = _printed(board), surface_of(patches.places, board.size), ~patches.clipped
    everywhere = surface_of(np.array(board.size) * _EVERYWHERE, board.size)
    told = paper.clipped[paper.within].mean(axis=0) < _LEAST_PAPER
    paper = paper.where(paper.within & ~paper.clipped[:, told].any(axis=1))
    around, shining = surface_of(paper.places, board.size), _lights_of(paper.levels)[..., told]
    fall_offs = _fall_offs(around, shining) if told.any() else np.zeros((len(_RESPONSES), 6), np.float32)
    seen = _lights_of(patches.levels) / np.exp(fall_offs @ surface.T)[..., None]
    brightest = np.exp(-(fall_offs @ everywhere.T).max(axis=1))[:, None]

    def fit(chosen: Flags) -> _Fits:
        gain = np.where(known & chosen[:, None], (printed + _STRAY) / (seen + _STRAY), np.nan)
        matrices, _ = _matrices(seen[:, chosen], printed[chosen], _scaling(np.nanmedian(gain, axis=1)), known[chosen])
        most = np.clip(matrices[..., :3].sum(axis=2) * brightest + matrices[..., 3], 0.01, 1.0).astype(np.float32)
        light = seen[:, chosen] @ matrices[..., :3].transpose(0, 2, 1) + matrices[:, None, :, 3]
        errors = _errors(np.minimum(light, most[:, None]), np.minimum(printed[chosen], most[:, None]))
        return _Fits(fall_offs, matrices, errors, most)

    if known[patches.within].sum(axis=0).min() < _FEWEST_KNOWN:
        return None
    found = _best_response(board, fit, patches.within)
    if found is None or found.ceiling is None:
        return None
    if min(found.ceiling) > _WHITE:
        return replace(found, ceiling=None)
    blue, green, red = (math.exp(_CEILINGS * math.floor(math.log(each) / _CEILINGS)) for each in found.ceiling)
    return replace(found, ceiling=(blue, green, red))


def _best_response(board: Board, fit: Callable[[Flags], _Fits], usable: Flags) -> ColourCorrection | None:
    """The correction under the response that makes patches agree best; None where too few of the usable ones do."""
    if usable.sum() < FEWEST_PATCHES:
        return None

    def best(chosen: Flags) -> ColourCorrection:
        fits = fit(chosen)
        cost, sound = fits.errors**2 + _DOUBTS, _are_of_light(fits.matrices)
        k = int((np.where(sound, cost, np.inf) if sound.any() else cost).argmin())
        ceiling = None if fits.ceilings is None else tuple(fits.ceilings[k].tolist())
        return ColourCorrection(
            board.size, fits.fall_offs[k], fits.matrices[k], float(fits.errors[k]), _RESPONSES[k], ceiling=ceiling
        )

    found = best(usable)
    while found.error > _HIDDEN and usable.sum() > FEWEST_PATCHES:
        # Something lies on a patch: the one without which the others agree.
        others = []
        for k in np.flatnonzero(usable):
            without = usable.copy()
            without[k] = False
            others.append((best(without), without))
        found, usable = min(others, key=lambda each: each[0].error)
    return found if found.error <= _HIDDEN and _are_of_light(found.matrix) else None


def _are_of_light(matrices: Floats) -> Flags:
    """Which corrections (..., 3, 4) leave each channel mostly what it is, as any light and any camera do."""
    own = matrices.diagonal(axis1=-2, axis2=-1)
    mixed = np.abs(matrices[..., :3]).sum(axis=-1) - np.abs(own)
    return np.asarray((own > _OWN * mixed).all(axis=-1) & (own.min(axis=-1) > 0))


def _printed(board: Board) -> Floats:
    """The linear light (n, 3) of the patches as printed."""
    return np.asarray(LINEAR[np.array([patch.rgb[::-1] for patch in board.patches])], np.float32)


def _lights_of(levels: Floats) -> Floats:
    """The linear light (responses, n, 3) of levels (n, 3)."""
    return np.stack([response.light_of(levels) for response in _RESPONSES])


def _scaling(gains: npt.NDArray[np.floating]) -> Floats:
    """The matrices (responses, 3, 4) that multiply each channel by its gain (responses, 3)."""
    return np.asarray(gains[..., None] * np.eye(3, 4), np.float32)


def _by_paper(surface: Floats, paper: Floats) -> tuple[Floats, Floats]:
    """The fall-offs and matrices by the paper alone, of such light (responses, n, 3), at places of such a `surface`
    (n, 6).
    """
    light = np.maximum(paper, 1e-4)
    fall_offs = _fall_offs(surface, light)
    some = light.shape[1] > 0
    white = (light / np.exp(fall_offs @ surface.T)[..., None]).mean(axis=1) if some else np.ones((len(light), 3))
    return fall_offs, _scaling(1.0 / np.maximum(white, 1e-3))


def _fall_offs(surface: Floats, light: Floats) -> Floats:
    """The coefficients (responses, 6) of the fall-off that paper of such light (responses, n, channels) shows at places
    of such a surface (n, 6).
    """
    level = np.log(np.maximum(light.mean(axis=2), 1e-4))
    return np.asarray(_ridge(surface, level.T, _SURFACE_RIDGE * max(1, len(surface))).T, np.float32)


def _matrices(seen: Floats, printed: Floats, rough: Floats, known: Flags | None = None) -> tuple[Floats, Floats]:
    """The matrices (responses, 3, 4), near rough ones, that make light seen (responses, n, 3) the printed (n, 3), and
    their errors in Lab.

    Each channel goes by those colours in which it is `known` (n, 3), if told.
    """
    seen = np.concatenate([seen, np.ones_like(seen[..., :1])], axis=2)
    # Relative errors matter: a dark patch counts as much as a light one.
    weight = (1.0 / (0.05 + printed.mean(axis=1)))[:, None]
    turned = np.swapaxes(rough, -1, -2)
    off = (printed - seen @ turned) * weight
    if known is None:
        change = _ridge(seen * weight, off, _MATRIX_RIDGE)
    else:
        change = np.concatenate([
            _ridge((seen * weight)[:, tells], off[:, tells, c : c + 1], _FEW_KNOWN_RIDGE[c])
            for c, tells in enumerate(known.T)
        ], axis=2)  # fmt: skip
    matrices = np.swapaxes(turned + change, -1, -2).astype(np.float32)
    return matrices, _errors(seen @ np.swapaxes(matrices, -1, -2), printed)


def _errors(light: Floats, printed: Floats) -> Floats:
    """How far in Lab (responses,) light (responses, n, 3) is from what was printed (n, 3), root mean square."""
    printed = np.broadcast_to(printed, light.shape)
    off = (linear_to_lab(light.reshape(-1, 3)) - linear_to_lab(printed.reshape(-1, 3))).reshape(light.shape)
    return np.asarray(np.sqrt((off**2).sum(axis=2).mean(axis=1)), np.float32)


def _ridge(
    inputs: npt.NDArray[np.floating], outputs: npt.NDArray[np.floating], penalty: npt.NDArray[np.floating]
) -> npt.NDArray[np.float64]:
    """Least squares (..., inputs, outputs) with a penalty on each squared coefficient."""
    turned = np.swapaxes(inputs, -1, -2)
    return np.asarray(np.linalg.solve(turned @ inputs + np.diag(penalty), turned @ outputs), np.float64)


def paper_of(image: Image, board: Board, pose: BoardPose) -> Swatches:
    """Swatches in the white margins around the markers."""
    reach = board.markers.side / 2 + board.markers.quiet_zone / 2
    ways = reach * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    places = (np.array(list(board.markers.centres.values()))[:, None] + ways).reshape(-1, 2)
    found = swatches_of(image, pose, places, 0.25 * board.markers.quiet_zone)
    brightness = Response().light_of(found.levels).mean(axis=1)
    # A finger or a shadow on a marker's margin is no paper: keep what is near the brightest.
    return found.where(brightness > max(0.4 * brightness[found.usable].max(initial=0.0), _LEAST_LIGHT))


def patches_of(image: Image, board: Board, pose: BoardPose) -> Swatches:
    """The printed patches, as the board has them."""
    centres = np.array([patch.centre for patch in board.patches]).reshape(-1, 2)
    return swatches_of(image, pose, centres, 0.3 * board.patches[0].side if board.patches else 1.0)
