"""Light and camera colour taken out of a picture, frame by frame, by the printed patches and the paper's white.

Colours are compared in CIE Lab (L 0 to 100) as the sheet was printed; light is linear, 1.0 is full white.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.sentences import sentence
from vision.colour_space import LINEAR, LUMINANCE, linear_of, linear_to_lab
from vision.colour_trim import ColourTrim
from vision.light_map import LightMap
from vision.location.board_pose import BoardPose
from vision.pictures import Image
from vision.swatches import CLIPPED, Swatches, all_clipped, any_clipped, swatches_of

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Ceiling = tuple[float, float, float]
"""Linear BGR light, 1 of white at the most."""

_SURFACE_RIDGE = np.array([1e-6, 0.02, 0.02, 0.2, 0.2, 0.2])
"""How firmly the fall-off of light is held to be level, and more firmly still to be a plane."""
_FEWEST_PATCHES = 4
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

COLOURLESS = sentence("the picture is grey; pieces are told by their colours: take it in colour, or in more light")
BURNT_OUT = sentence("the picture is too bright: printed colours and white paper are burnt out; expose it less")
SWAPPED = sentence("red and blue are exchanged in the picture; mend that in the camera or the program that sends it")
ALIKE = sentence(
    "the printed patches of colour all look alike; uncover them, or take the picture in colour and in more light"
)
COLOUR_FLAWS = frozenset({COLOURLESS, BURNT_OUT, SWAPPED, ALIKE})
_LEAST_COLOUR = 0.15
"""Patches that differ in colour by less than this part of what they were printed with show none."""
_LEAST_TONE = 0.3
"""Patches that differ in lightness by less than this part of what they were printed with are not what is seen."""
_EXCHANGED = 0.7
"""The part of the patches' misfit that an exchange of red and blue must leave, at most, to be believed."""

_LEAST_PAPER = 0.3
"""The part of the white paper that must not be burnt out for light and colours to go by it."""
_CEILINGS, _LOWEST, _WHITE = 0.1, 0.5, 0.9
"""Steps of the logarithm in which ceilings are told, the one (mean of channels) beneath which too much is burnt out to
tell pieces, and the one from which on what is burnt out is as good as white.
"""
_FEWEST_KNOWN = 3
"""Patches that must not be burnt out in a channel for the others to tell it."""
_EVERYWHERE = np.stack(np.meshgrid([0.0, 0.5, 1.0], [0.0, 0.5, 1.0]), axis=-1).reshape(-1, 2)
_STRAY = 0.02
"""Light that lenses scatter over everything."""
_OUTSHONE = 1.25
"""The light, beside 1 of white, from which a sample is lit by more than what paper and patches tell."""
_AT_THE_CEILING = 0.05
"""How near to white, in light, the sensor's ceiling must be for samples there to be taken for white."""


@dataclass(frozen=True, slots=True)
class Response:
    """How a camera turns light into levels, beside what sRGB does: light to the power of 1 / `exponent`, then mid-tones
    spread by `contrast` (0 to 1) at the cost of the lightest and darkest.
    """

    exponent: float = 1.0
    contrast: float = 0.0

    def light_of(self, levels: npt.NDArray[np.floating]) -> Floats:
        """The linear light of levels between the whole ones, too."""
        return np.asarray(np.interp(levels, np.arange(256), self.light()), np.float32)

    def light(self) -> Floats:
        """The linear light of each level (256,), to read only."""
        return _light(self.exponent, self.contrast)


@lru_cache
def _light(exponent: float, contrast: float) -> Floats:
    if not contrast:
        return np.asarray(LINEAR**exponent, np.float32)
    levels = np.arange(256) / 255.0
    spread = levels + contrast * (levels**2 * (3 - 2 * levels) - levels)
    return np.asarray(linear_of(np.interp(levels, spread, levels)) ** exponent, np.float32)


@dataclass(frozen=True, slots=True)
class ColourCorrection:
    """What makes a camera's colours the sheet's: the response undone, a fall-off of light over the board taken out, a
    3 x 4 matrix (linear BGR and 1), and what is then still to be trimmed; before these, edges of light where there are.

    `fall_off` holds the coefficients of the logarithm of the light over 1, x, y, x2, xy, y2, with x and y from -1 to 1
    over the sheet. `error` is the root mean square distance in Lab between the patches as corrected and as printed.
    """

    size: tuple[float, float]
    fall_off: Floats
    matrix: Floats
    error: float
    response: Response = Response()
    trim: ColourTrim | None = None
    edges: LightMap | None = None
    ceiling: Ceiling | None = None
    """what is lighter shows no more than this: the picture is too bright for its sensor"""

    def to_lab(self, samples: npt.NDArray[np.uint8], places: npt.NDArray[np.floating]) -> Floats:
        """Lab (..., 3) of BGR samples (..., 3) taken at board places (..., 2) in millimetres."""
        return self.lab_of(self.light(samples, places), places).reshape(samples.shape)

    def lab_of(self, light: Floats, places: npt.NDArray[np.floating]) -> Floats:
        """Lab (n, 3) of such light (n, 3) at board places, trimmed."""
        lab = linear_to_lab(light)
        if self.trim is not None:
            lab -= self.trim.off(lab, places.reshape(-1, 2))
        return lab

    def outshines(self, samples: npt.NDArray[np.uint8], light: Floats) -> Flags:
        """Which samples (..., 3), of such light (n, 3), are lighter than white would be: what lights them is none that
        was measured.

        So are those at the sensor's ceiling, unless that is white itself, as in a scan or a drawing, or less.
        """
        if self.ceiling is not None and max(self.ceiling) < 1.0:
            return np.zeros(samples.shape[:-1], bool)
        luminance = (light @ LUMINANCE).reshape(samples.shape[:-1])
        burnt = all_clipped(samples) & (np.abs(luminance - 1.0) > _AT_THE_CEILING)
        return np.asarray(burnt | (luminance > _OUTSHONE))

    def light(self, samples: npt.NDArray[np.uint8], places: npt.NDArray[np.floating]) -> Floats:
        """Linear BGR light (n, 3) of samples at places (n, 2) as under even light, untrimmed."""
        light = self.response.light()[samples.reshape(-1, 3)]
        if self.edges is not None:
            light = light / self.edges.at(places.reshape(-1, 2))
        planes = self.matrix[:, :3] @ light.T
        planes *= np.exp(-_surface(places.reshape(-1, 2), self.size) @ self.fall_off)
        planes += self.matrix[:, 3:]
        if self.ceiling is not None:
            return np.asarray(np.minimum(planes.T, np.array(self.ceiling, np.float32)), np.float32)
        flat = samples.reshape(-1, 3)
        partly = any_clipped(flat) & ~all_clipped(flat)
        if partly.any():
            planes[:, partly] = _restored(planes[:, partly], (flat[partly] >= CLIPPED).T)
        return np.asarray(planes.T, np.float32)


def _restored(planes: Floats, burnt: Flags) -> Floats:
    """Light (3, n) with burnt channels as strong as the others on average, white at the most: what burns is pale."""
    kept = np.minimum(np.where(burnt, np.float32(0), planes).sum(axis=0) / (~burnt).sum(axis=0), np.float32(1))
    return np.where(burnt, np.maximum(planes, kept), planes)


_RESPONSES = tuple(
    (Response(exponent, contrast), 6.0 * (math.log(exponent) / 0.25) ** 2 + 6.0 * contrast)
    for exponent in (0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4)
    for contrast in (0.0, 0.25, 0.5)
)
"""Responses, and how much better (Lab squared) than an ordinary one each must be to be believed."""


def fit_colours(image: Image, board: Board, pose: BoardPose) -> ColourCorrection:
    """The correction for one picture; without printed patches only the light's fall-off and level are corrected.

    Of all responses that is taken under which the patches, which tell tones as well as colours, come out best. Where
    white paper is burnt out each channel goes by those patches in which it is not.
    """
    paper, patches = _paper(image, board, pose), _patches(image, board, pose)
    burnt = _fit_beneath_ceiling(board, paper, patches) if _is_burnt(paper, patches) else None
    if burnt is not None:
        return burnt
    paper = paper.where(paper.usable)
    printed, surface, around = (
        _printed(board), _surface(patches.places, board.size), _surface(paper.places, board.size)
    )  # fmt: skip

    def fit(response: Response, chosen: Flags) -> ColourCorrection:
        rough = _level_colours(board, around, paper.levels, response)
        seen = response.light_of(patches.levels[chosen]) / np.exp(surface[chosen] @ rough.fall_off)[:, None]
        matrix, error = _matrix(seen, printed[chosen], rough.matrix)
        return replace(rough, matrix=matrix, error=error)

    return _best_response(fit, patches.usable) or _level_colours(board, around, paper.levels, Response())


def ceiling_of(image: Image, board: Board, pose: BoardPose) -> Ceiling | None:
    """The most light of each channel that tells anything in a picture whose white paper is burnt out, else None."""
    paper, patches = _paper(image, board, pose), _patches(image, board, pose)
    found = _fit_beneath_ceiling(board, paper, patches) if _is_burnt(paper, patches) else None
    return None if found is None else found.ceiling


def fit_in_uneven_light(image: Image, board: Board, pose: BoardPose) -> ColourCorrection:
    """The correction for a picture with shadows: each patch is compared with the white paper beside it, and the light
    is everywhere taken for that on the brightest paper.
    """
    paper, patches = _paper(image, board, pose), _patches(image, board, pose)
    paper = paper.where(paper.usable)
    reach = np.array([(board.patches[0].side if board.patches else 1.0) / 2 + _BESIDE, 0.0])
    left, right = (swatches_of(image, pose, patches.places + way * reach, _BESIDE / 2) for way in (-1, 1))
    usable = patches.usable & left.usable & right.usable & (np.abs(left.levels - right.levels).max(axis=1) < _EDGE)
    beside = (left.levels + right.levels) / 2
    usable &= beside.min(axis=1, initial=255) > _DIM

    printed = _printed(board)

    def fit(response: Response, chosen: Flags) -> ColourCorrection:
        seen = response.light_of(patches.levels[chosen]) / np.maximum(response.light_of(beside[chosen]), 1e-4)
        # Each patch's own white is as well known as the patch.
        white = np.ones_like(seen)
        return under(response, *_matrix(np.vstack([seen, white]), np.vstack([printed[chosen], white]), _NEUTRAL))

    def under(response: Response, matrix: Floats, error: float) -> ColourCorrection:
        light = np.maximum(response.light_of(paper.levels), 1e-4)
        white = np.quantile(light, _BRIGHT, axis=0) if len(light) else np.ones(3)
        matrix = (matrix / np.append(white, 1.0)).astype(np.float32)
        return ColourCorrection(board.size, np.zeros(6, np.float32), matrix, error, response)

    return _best_response(fit, usable) or under(Response(), _NEUTRAL, 0.0)


def colour_flaw(image: Image, board: Board, pose: BoardPose) -> str:
    """Why colours cannot be told, "" where they can: the printed patches differ in nothing but lightness, as in a grey,
    tinted grey or night-sight picture, or not even in that, as under a cloth, or have red and blue exchanged, or most
    white paper is burnt out and so is what is much darker.
    """
    if not board.patches:
        return ""
    paper, patches = _paper(image, board, pose), _patches(image, board, pose)
    burnt = _is_burnt(paper, patches)
    usable = patches.within if burnt and patches.usable.sum() < _FEWEST_PATCHES else patches.usable
    if usable.sum() < _FEWEST_PATCHES:
        return ""
    levels, printed = patches.levels[usable], np.array([patch.rgb[::-1] for patch in board.patches], np.float32)[usable]
    if _variety(levels) < _LEAST_COLOUR * _variety(printed):
        return COLOURLESS if burnt or _tones(levels) > _LEAST_TONE * _tones(printed) else ALIKE
    if _misfit(levels[:, ::-1], printed) < _EXCHANGED * _misfit(levels, printed):
        return SWAPPED
    if burnt:
        found = _fit_beneath_ceiling(board, paper, patches)
        if found is None or sum(found.ceiling or (3.0,)) < 3 * _LOWEST:
            return BURNT_OUT
    return ""


def _is_burnt(paper: Swatches, patches: Swatches) -> bool:
    """Whether so much white paper, or so many patches, are burnt out in some channel that the rest tells too little."""
    if patches.within.sum() < _FEWEST_PATCHES:
        return False
    lost = patches.clipped[patches.within].any(axis=1).any() and patches.usable.sum() < _FEWEST_PATCHES
    return bool(lost or paper.usable.sum() < _LEAST_PAPER * paper.within.sum())


def _fit_beneath_ceiling(board: Board, paper: Swatches, patches: Swatches) -> ColourCorrection | None:
    """The correction, channel by channel, by patches that are not burnt out in it; None where they are too few."""
    printed, surface, known = _printed(board), _surface(patches.places, board.size), ~patches.clipped
    everywhere = _surface(np.array(board.size) * _EVERYWHERE, board.size)
    told = paper.clipped[paper.within].mean(axis=0) < _LEAST_PAPER
    paper = paper.where(paper.within & ~paper.clipped[:, told].any(axis=1))
    around = _surface(paper.places, board.size)

    def fit(response: Response, chosen: Flags) -> ColourCorrection:
        fall_off = (
            _fall_off(around, response.light_of(paper.levels[:, told])) if told.any() else np.zeros(6, np.float32)
        )
        seen = response.light_of(patches.levels) / np.exp(surface @ fall_off)[:, None]
        gain = np.where(known & chosen[:, None], (printed + _STRAY) / (seen + _STRAY), np.nan)
        rough = np.column_stack([np.diag(np.nanmedian(gain, axis=0)), np.zeros(3)]).astype(np.float32)
        matrix = _matrix(seen[chosen], printed[chosen], rough, known[chosen])[0]
        most = matrix[:, :3].sum(axis=1) * math.exp(-float((everywhere @ fall_off).max())) + matrix[:, 3]
        top = np.clip(most, 0.01, 1.0).astype(np.float32)
        light = seen[chosen] @ matrix[:, :3].T + matrix[:, 3]
        off = linear_to_lab(np.minimum(light, top)) - linear_to_lab(np.minimum(printed[chosen], top))
        error = float(np.sqrt((off**2).sum(axis=1).mean()))
        blue, green, red = top.tolist()
        return ColourCorrection(board.size, fall_off, matrix, error, response, ceiling=(blue, green, red))

    if known[patches.within].sum(axis=0).min() < _FEWEST_KNOWN:
        return None
    found = _best_response(fit, patches.within)
    if found is None or found.ceiling is None:
        return None
    if min(found.ceiling) > _WHITE:
        return replace(found, ceiling=None)
    blue, green, red = (math.exp(_CEILINGS * math.floor(math.log(each) / _CEILINGS)) for each in found.ceiling)
    return replace(found, ceiling=(blue, green, red))


def _misfit(levels: Floats, printed: Floats) -> float:
    """How far colours (n, 3) are from printed ones in the light, a factor a channel, that brings them nearest."""
    seen, wanted = (np.sqrt(Response().light_of(colours)) for colours in (levels, printed))
    light = (seen * wanted).sum(axis=0) / np.maximum((seen**2).sum(axis=0), 1e-9)
    return float(np.linalg.norm(seen * light - wanted))


def _variety(levels: Floats) -> float:
    """How far colours (n, 3) are from shades of one: 0 where they are, at most 1."""
    sizes = np.linalg.svd(np.sqrt(Response().light_of(levels)), compute_uv=False)
    return float(sizes[1] / max(sizes[0], 1e-9))


def _tones(levels: Floats) -> float:
    """How far colours (n, 3) are from one lightness: the deviation beside the mean, as the eye sees light."""
    lightness = np.sqrt(Response().light_of(levels) @ LUMINANCE)
    return float(lightness.std() / max(lightness.mean(), 1e-9))


def _best_response(fit: Callable[[Response, Flags], ColourCorrection], usable: Flags) -> ColourCorrection | None:
    """The correction under the response that makes patches agree best; None where too few of the usable ones do."""
    if usable.sum() < _FEWEST_PATCHES:
        return None

    def best(chosen: Flags) -> ColourCorrection:
        tried = [(fit(response, chosen), doubt) for response, doubt in _RESPONSES]
        tried = [each for each in tried if _is_of_light(each[0].matrix)] or tried
        return min(tried, key=lambda each: each[0].error ** 2 + each[1])[0]

    found = best(usable)
    while found.error > _HIDDEN and usable.sum() > _FEWEST_PATCHES:
        # Something lies on a patch: the one without which the others agree.
        others = []
        for k in np.flatnonzero(usable):
            without = usable.copy()
            without[k] = False
            others.append((best(without), without))
        found, usable = min(others, key=lambda each: each[0].error)
    return found if found.error <= _HIDDEN and _is_of_light(found.matrix) else None


def _is_of_light(matrix: Floats) -> bool:
    """Whether a correction (3, 4) leaves each channel mostly what it is, as any light and any camera do."""
    own = matrix.diagonal()
    return bool((own > _OWN * (np.abs(matrix[:, :3]).sum(axis=1) - np.abs(own))).all() and own.min() > 0)


def _printed(board: Board) -> Floats:
    """The linear light (n, 3) of the patches as printed."""
    return np.asarray(LINEAR[np.array([patch.rgb[::-1] for patch in board.patches])], np.float32)


def _level_colours(board: Board, surface: Floats, paper: Floats, response: Response) -> ColourCorrection:
    """The correction by the paper alone: `paper` (n, 3) are the levels at places of such a `surface` (n, 6)."""
    light = np.maximum(response.light_of(paper), 1e-4)
    fall_off = _fall_off(surface, light)
    white = (light / np.exp(surface @ fall_off)[:, None]).mean(axis=0) if len(paper) else np.ones(3)
    matrix = np.column_stack([np.diag(1.0 / np.maximum(white, 1e-3)), np.zeros(3)])
    return ColourCorrection(board.size, fall_off, matrix.astype(np.float32), 0.0, response)


def _fall_off(surface: Floats, light: Floats) -> Floats:
    """The coefficients of the fall-off that paper of such light (n, channels) shows at places of such a surface."""
    level = np.log(np.maximum(light.mean(axis=1), 1e-4))
    return np.asarray(_ridge(surface, level, _SURFACE_RIDGE * max(1, len(light))), np.float32)


def _matrix(seen: Floats, printed: Floats, rough: Floats, known: Flags | None = None) -> tuple[Floats, float]:
    """The matrix (3, 4), near a rough one, that makes light seen (n, 3) the printed (n, 3), and its error in Lab.

    Each channel goes by those colours in which it is `known` (n, 3), if told.
    """
    seen = np.column_stack([seen, np.ones(len(seen), np.float32)])
    # Relative errors matter: a dark patch counts as much as a light one.
    weight = (1.0 / (0.05 + printed.mean(axis=1)))[:, None]
    off = (printed - seen @ rough.T) * weight
    if known is None:
        change = _ridge(seen * weight, off, _MATRIX_RIDGE).T
    else:
        change = np.stack([
            _ridge((seen * weight)[tells], off[tells, c], _FEW_KNOWN_RIDGE[c]) for c, tells in enumerate(known.T)
        ])  # fmt: skip
    matrix = (rough + change).astype(np.float32)
    off = linear_to_lab(seen @ matrix.T) - linear_to_lab(printed)
    return matrix, float(np.sqrt((off**2).sum(axis=1).mean()))


def _surface(places: npt.NDArray[np.floating], size: tuple[float, float]) -> Floats:
    """What the fall-off of light is linear in (n, 6) at board places (n, 2)."""
    x, y = (2.0 * places[:, axis] / size[axis] - 1.0 for axis in (0, 1))
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y]).astype(np.float32).T


def _ridge(
    inputs: npt.NDArray[np.floating], outputs: npt.NDArray[np.floating], penalty: npt.NDArray[np.floating]
) -> npt.NDArray[np.float64]:
    """Least squares with a penalty on each squared coefficient."""
    return np.asarray(np.linalg.solve(inputs.T @ inputs + np.diag(penalty), inputs.T @ outputs), np.float64)


def _paper(image: Image, board: Board, pose: BoardPose) -> Swatches:
    """Swatches in the white margins around the markers."""
    reach = board.markers.side / 2 + board.markers.quiet_zone / 2
    ways = reach * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    places = (np.array(list(board.markers.centres.values()))[:, None] + ways).reshape(-1, 2)
    found = swatches_of(image, pose, places, 0.25 * board.markers.quiet_zone)
    brightness = Response().light_of(found.levels).mean(axis=1)
    # A finger or a shadow on a marker's margin is no paper: keep what is near the brightest.
    return found.where(brightness > max(0.4 * brightness[found.usable].max(initial=0.0), _LEAST_LIGHT))


def _patches(image: Image, board: Board, pose: BoardPose) -> Swatches:
    """The printed patches, as the board has them."""
    centres = np.array([patch.centre for patch in board.patches]).reshape(-1, 2)
    return swatches_of(image, pose, centres, 0.3 * board.patches[0].side if board.patches else 1.0)
