"""Estimates the colour correction of one picture from the printed patches and the white paper.

Every common camera response is fitted at once; arrays over all of them have the responses as their first axis.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.correction import Ceiling, ColourCorrection, Response, surface_of
from vision.colour.sheen import Sheen, blacks_of
from vision.colour.space import LINEAR, linear_to_lab
from vision.colour.swatches import Swatches, swatches_of
from vision.location.board_pose import BoardPose
from vision.pictures import Image

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_SURFACE_RIDGE = np.array([1e-6, 0.02, 0.02, 0.2, 0.2, 0.2])
"""Ridge penalties on the six coefficients of the light's fall-off: weak on the level, stronger on the slopes, strongest
on the curvature.
"""
FEWEST_PATCHES = 4
"""Fewest usable patches from which colours are fitted."""
_BESIDE = 2.0
"""Distance (mm) from a patch's rim at which the white paper next to it is sampled."""
_EDGE = 12
"""Largest difference (levels) of the paper on two sides of a patch; more means a shadow's edge crosses it."""
_DIM = 60
"""Level (0 to 255) below which the paper is too dark to give the colour of the light."""
_BRIGHT = 0.9
"""Quantile of the paper's brightness that is taken for full light."""
_OWN = 0.75
"""Smallest ratio of what a corrected channel takes from itself to what it takes from all three."""
_NEUTRAL = np.eye(3, 4, dtype=np.float32)
"""The matrix that changes nothing."""
_SHADED = 0.4
"""Part of the brightest paper's light below which paper is not in full light."""
_MUCH_SHADE = 0.3
"""Share of the paper, unsaturated and in shadow, from which a picture counts as shaded rather than overexposed."""
_LEAST_LIGHT = 0.002
"""Linear light below which a swatch is not taken for paper."""
_HIDDEN = 8.0
"""Error (Lab, root mean square) above which one of the patches is assumed to be covered."""
_MATRIX_RIDGE = np.array([0.02, 0.02, 0.02, 0.02])
"""Ridge penalties that pull each row of the matrix towards the white balance of the paper and a zero offset."""
_FEW_KNOWN_RIDGE = np.where(np.eye(3, 4) > 0, 0.02, [1.0, 1.0, 1.0, 0.1])
"""The same per channel where saturated patches leave too few to estimate how channels mix."""

_DARKENED = 0.05
"""Light (1 is white) by which a correction must miss black for this."""
_LEAST_PAPER = 0.3
"""Smallest share of the white paper that must be unsaturated for paper to be used at all."""
_CEILINGS = 0.1
"""Step, in natural logarithms of light, in which the saturation level is estimated."""
_WHITE = 0.9
"""Saturation level (linear light) from which saturation counts as white."""
_FEWEST_KNOWN = 3
"""Fewest patches that must be unsaturated in a channel for that channel to be fitted."""
_EVERYWHERE = np.stack(np.meshgrid([0.0, 0.5, 1.0], [0.0, 0.5, 1.0]), axis=-1).reshape(-1, 2)
"""A 3 x 3 grid (9, 2) over the sheet, in parts of its size, at which corrections are checked for plausibility."""
_STRAY = 0.02
"""Linear light that the lens scatters over the whole picture."""

_RESPONSES = tuple(
    Response(exponent, contrast) for exponent in (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4) for contrast in (0.0, 0.25, 0.5)
)
"""The camera responses that are tried."""
_DOUBTS = np.array([6.0 * (math.log(each.exponent) / 0.25) ** 2 + 6.0 * each.contrast for each in _RESPONSES])
"""Squared Lab error by which each response must beat the plain one to be preferred."""


class _Fits(NamedTuple):
    """Corrections under every response: fall-offs (responses, 6), matrices (responses, 3, 4), errors (responses,) in
    Lab, and, for overexposed pictures, the light (responses, 3) at which channels saturate.
    """

    fall_offs: Floats
    matrices: Floats
    errors: Floats
    ceilings: Floats | None = None


def fit_colours(image: Image, board: Board, pose: BoardPose, with_sheen: bool = False) -> ColourCorrection:
    """The colour correction of one picture; without printed patches only the fall-off and level of the light are
    corrected.

    Picks the camera response under which the patches, which differ in tone and in colour, fit best. Where white paper
    is saturated, each channel is fitted to the patches that are not saturated in it.
    """
    margins, patches = margins_of(image, board, pose), patches_of(image, board, pose)
    burnt = fit_beneath_ceiling(board, margins, patches) if is_burnt(margins, patches) else None
    if burnt is not None:
        return burnt
    paper = lit(margins)
    paper = paper.where(paper.usable)
    sheens = _sheens(image, board, pose) if with_sheen else None
    printed, surface = _printed(board), surface_of(patches.places, board.size)
    around = surface_of(paper.places, board.size)
    fall_offs, rough = _by_paper(around, _without(sheens, paper))
    seen = _without(sheens, patches) / np.exp(fall_offs @ surface.T)[..., None]

    def fit(chosen: Flags) -> _Fits:
        return _Fits(fall_offs, *_matrices(seen[:, chosen], printed[chosen], rough))

    found = _best_response(board, fit, patches.usable)
    if found is None:
        usual = _RESPONSES.index(Response())
        found = ColourCorrection(board.size, fall_offs[usual], rough[usual], _error_unknown(patches.usable))
    return found if sheens is None else replace(found, sheen=sheens[_RESPONSES.index(found.response)])


def ceiling_of(image: Image, board: Board, pose: BoardPose) -> Ceiling | None:
    """The light at which each channel saturates, where the white paper of a picture is saturated, else None."""
    margins, patches = margins_of(image, board, pose), patches_of(image, board, pose)
    found = fit_beneath_ceiling(board, margins, patches) if is_burnt(margins, patches) else None
    return None if found is None else found.ceiling


def fit_in_uneven_light(image: Image, board: Board, pose: BoardPose, with_sheen: bool = False) -> ColourCorrection:
    """The correction for a picture with shadows: each patch is compared with the white paper next to it, and all other
    places are corrected as if lit like the brightest paper.
    """
    margins, patches = margins_of(image, board, pose), patches_of(image, board, pose)
    paper = lit(margins)
    paper = paper.where(paper.usable)
    reach = np.array([(board.patches[0].side if board.patches else 1.0) / 2 + _BESIDE, 0.0])
    left, right = (swatches_of(image, pose, patches.places + way * reach, _BESIDE / 2) for way in (-1, 1))
    usable = patches.usable & left.usable & right.usable & (np.abs(left.levels - right.levels).max(axis=1) < _EDGE)
    sheens = _sheens(image, board, pose) if with_sheen else None
    beside = np.asarray((left.levels + right.levels) / 2, np.float32)
    usable &= beside.min(axis=1, initial=255) > _DIM

    printed, level = _printed(board), np.zeros((len(_RESPONSES), 6), np.float32)
    seen = _without(sheens, patches) / np.maximum(_without(sheens, replace(patches, levels=beside)), 1e-4)
    bright = np.maximum(_without(sheens, paper), 1e-4)
    white = np.quantile(bright, _BRIGHT, axis=1) if bright.shape[1] else np.ones((len(_RESPONSES), 3))
    under_white = np.column_stack([white, np.ones(len(white))])[:, None]

    def fit(chosen: Flags) -> _Fits:
        # The white next to a patch is measured as precisely as the patch itself.
        samples, known = seen[:, chosen], printed[chosen]
        both = np.concatenate([samples, np.ones_like(samples)], axis=1)
        matrices, errors = _matrices(both, np.vstack([known, np.ones_like(known)]), _NEUTRAL)
        return _Fits(level, (matrices / under_white).astype(np.float32), errors)

    found = _best_response(board, fit, usable)
    if found is None:
        usual = _RESPONSES.index(Response())
        matrix = (_NEUTRAL / under_white[usual]).astype(np.float32)
        found = ColourCorrection(board.size, level[usual], matrix, _error_unknown(usable))
    return found if sheens is None else replace(found, sheen=sheens[_RESPONSES.index(found.response)])


def darkens_black(image: Image, board: Board, pose: BoardPose, colours: ColourCorrection) -> bool:
    """Whether a correction makes most of what is printed black much darker than black: it takes off everywhere the
    sheen that the patches lie in.
    """
    black = blacks_of(image, board, pose).black
    seen = black.where(black.usable)
    if not seen.usable.any():
        return False
    light = colours.light(seen.levels.round().astype(np.uint8), seen.places)
    return bool(np.median(light.mean(axis=1)) < -_DARKENED)


def _sheens(image: Image, board: Board, pose: BoardPose) -> list[Sheen] | None:
    """The sheen of a picture under every response; None without any."""
    blacks = blacks_of(image, board, pose)
    found = list[Sheen]()
    for black, paper in zip(_lights_of(blacks.black.levels), _lights_of(blacks.paper.levels), strict=True):
        sheen = blacks.sheen(black, paper)
        if sheen is None:
            return None
        found.append(sheen)
    return found


def _without(sheens: list[Sheen] | None, seen: Swatches) -> Floats:
    """The light (responses, n, 3) of swatches under every response, without sheen."""
    lights = _lights_of(seen.levels)
    if sheens is None:
        return lights
    places = seen.places.reshape(-1, 2)
    return np.maximum(lights - np.stack([sheen.at(places) for sheen in sheens]), np.float32(0))


def is_burnt(margins: Swatches, patches: Swatches) -> bool:
    """Whether so much white paper in full light, or so many patches, are saturated in some channel that the rest is not
    enough for a fit; not where much of the paper lies in a shadow instead, in which all can be read.
    """
    if patches.within.sum() < FEWEST_PATCHES:
        return False
    lost = patches.clipped[patches.within].any(axis=1).any() and patches.usable.sum() < FEWEST_PATCHES
    paper = lit(margins)
    if not lost and paper.usable.sum() >= _LEAST_PAPER * paper.within.sum():
        return False
    brightness = _brightness(margins)
    shaded = margins.usable & (brightness < _SHADED * brightness[margins.within].max(initial=0.0))
    return bool(shaded.sum() < _MUCH_SHADE * margins.within.sum())


def fit_beneath_ceiling(board: Board, margins: Swatches, patches: Swatches) -> ColourCorrection | None:
    """The correction fitted per channel to the patches not saturated in it; None where these are too few."""
    paper = lit(margins)
    printed, surface, known = _printed(board), surface_of(patches.places, board.size), ~patches.clipped
    everywhere = surface_of(np.array(board.size) * _EVERYWHERE, board.size)
    usable = paper.clipped[paper.within].mean(axis=0) < _LEAST_PAPER
    paper = paper.where(paper.within & ~paper.clipped[:, usable].any(axis=1))
    around, shining = surface_of(paper.places, board.size), _lights_of(paper.levels)[..., usable]
    fall_offs = _fall_offs(around, shining) if usable.any() else np.zeros((len(_RESPONSES), 6), np.float32)
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
    """The correction under the response for which the patches agree best; None where too few usable patches agree."""
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
        # One patch is covered: leave out the one without which the others agree best.
        others = []
        for k in np.flatnonzero(usable):
            without = usable.copy()
            without[k] = False
            others.append((best(without), without))
        found, usable = min(others, key=lambda each: each[0].error)
    return found if found.error <= _HIDDEN and _are_of_light(found.matrix) else None


def _error_unknown(usable: Flags) -> float:
    """The error of a correction by paper alone: none is known, or at least that up to which patches count as seen where
    those that are seen do not agree.
    """
    return _HIDDEN if usable.sum() >= FEWEST_PATCHES else 0.0


def _are_of_light(matrices: Floats) -> Flags:
    """Which corrections (..., 3, 4) are plausible: every channel keeps most of its own signal."""
    own = matrices.diagonal(axis1=-2, axis2=-1)
    mixed = np.abs(matrices[..., :3]).sum(axis=-1) - np.abs(own)
    return np.asarray((own > _OWN * mixed).all(axis=-1) & (own.min(axis=-1) > 0))


def _printed(board: Board) -> Floats:
    """The linear light (n, 3) of the patches as printed."""
    colours = np.array([patch.rgb[::-1] for patch in board.patches], np.uint8).reshape(-1, 3)
    return np.asarray(LINEAR[colours], np.float32)


def _lights_of(levels: Floats) -> Floats:
    """The linear light (responses, n, 3) of levels (n, 3) under every response."""
    return np.stack([response.light_of(levels) for response in _RESPONSES])


def _scaling(gains: npt.NDArray[np.floating]) -> Floats:
    """The matrices (responses, 3, 4) that multiply each channel by its gain (responses, 3)."""
    return np.asarray(gains[..., None] * np.eye(3, 4), np.float32)


def _by_paper(surface: Floats, paper: Floats) -> tuple[Floats, Floats]:
    """The fall-offs and matrices fitted to the paper alone: its light (responses, n, 3) at places with `surface` terms
    (n, 6).
    """
    light = np.maximum(paper, 1e-4)
    fall_offs = _fall_offs(surface, light)
    some = light.shape[1] > 0
    white = (light / np.exp(fall_offs @ surface.T)[..., None]).mean(axis=1) if some else np.ones((len(light), 3))
    return fall_offs, _scaling(1.0 / np.maximum(white, 1e-3))


def _fall_offs(surface: Floats, light: Floats) -> Floats:
    """The coefficients (responses, 6) of the fall-off fitted to the light of paper (responses, n, channels) at places
    with `surface` terms (n, 6).
    """
    level = np.log(np.maximum(light.mean(axis=2), 1e-4))
    return np.asarray(_ridge(surface, level.T, _SURFACE_RIDGE * max(1, len(surface))).T, np.float32)


def _matrices(seen: Floats, printed: Floats, rough: Floats, known: Flags | None = None) -> tuple[Floats, Floats]:
    """The matrices (responses, 3, 4), regularised towards `rough`, that map the light seen (responses, n, 3) to the
    printed (n, 3), and their errors in Lab.

    If `known` (n, 3) is given, each channel is fitted only to the colours that are known in it.
    """
    seen = np.concatenate([seen, np.ones_like(seen[..., :1])], axis=2)
    # Relative errors are minimised, so that a dark patch counts as much as a light one.
    weight = (1.0 / (0.05 + printed.mean(axis=1)))[:, None]
    turned = np.swapaxes(rough, -1, -2)
    off = (printed - seen @ turned) * weight
    if known is None:
        change = _ridge(seen * weight, off, _MATRIX_RIDGE)
    else:
        change = np.concatenate([
            _ridge((seen * weight)[:, rows], off[:, rows, c : c + 1], _FEW_KNOWN_RIDGE[c])
            for c, rows in enumerate(known.T)
        ], axis=2)  # fmt: skip
    matrices = np.swapaxes(turned + change, -1, -2).astype(np.float32)
    return matrices, _errors(seen @ np.swapaxes(matrices, -1, -2), printed)


def _errors(light: Floats, printed: Floats) -> Floats:
    """The root mean square Lab distance (responses,) of light (responses, n, 3) from what was printed (n, 3)."""
    printed = np.broadcast_to(printed, light.shape)
    off = (linear_to_lab(light.reshape(-1, 3)) - linear_to_lab(printed.reshape(-1, 3))).reshape(light.shape)
    return np.asarray(np.sqrt((off**2).sum(axis=2).mean(axis=1)), np.float32)


def _ridge(
    inputs: npt.NDArray[np.floating], outputs: npt.NDArray[np.floating], penalty: npt.NDArray[np.floating]
) -> npt.NDArray[np.float64]:
    """Ridge regression: coefficients (..., inputs, outputs) with a penalty on each squared coefficient."""
    turned = np.swapaxes(inputs, -1, -2)
    return np.asarray(np.linalg.solve(turned @ inputs + np.diag(penalty), turned @ outputs), np.float64)


def margins_of(image: Image, board: Board, pose: BoardPose) -> Swatches:
    """Swatches of white paper in the margins around the markers, whatever lies or falls on them."""
    reach = board.markers.side / 2 + board.markers.quiet_zone / 2
    ways = reach * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    places = (np.array(list(board.markers.centres.values()))[:, None] + ways).reshape(-1, 2)
    return swatches_of(image, pose, places, 0.25 * board.markers.quiet_zone)


def lit(margins: Swatches) -> Swatches:
    """The swatches of paper in full light, those near the brightest: a finger or a shadow is not white paper.

    Where a lamp or the sun brightens only a small part of it, full light is what most of the paper lies in.
    """
    brightness = _brightness(margins)
    full = brightness[margins.usable].max(initial=0.0)
    within = brightness > max(_SHADED * full, _LEAST_LIGHT)
    rest = brightness[margins.usable & ~within]
    if len(rest) > (1 - _LEAST_PAPER) * margins.usable.sum() and _SHADED * rest.max() > _LEAST_LIGHT:
        within = (brightness > _SHADED * rest.max()) & (brightness <= rest.max())
    return margins.where(within)


def _brightness(paper: Swatches) -> Floats:
    return np.asarray(Response().light_of(paper.levels).mean(axis=1), np.float32)


def patches_of(image: Image, board: Board, pose: BoardPose) -> Swatches:
    """Swatches of the board's printed patches."""
    centres = np.array([patch.centre for patch in board.patches]).reshape(-1, 2)
    return swatches_of(image, pose, centres, 0.3 * board.patches[0].side if board.patches else 1.0)
