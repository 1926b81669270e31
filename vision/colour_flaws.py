"""Why the colours of a picture tell nothing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.colour import Response
from vision.colour_fit import FEWEST_PATCHES, fit_beneath_ceiling, is_burnt, paper_of, patches_of
from vision.colour_space import LUMINANCE
from vision.location.board_pose import BoardPose
from vision.pictures import Image

Floats = npt.NDArray[np.float32]

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
_LOWEST = 0.5
"""The ceiling (mean of channels) beneath which too much is burnt out to tell pieces."""


def colour_flaw(image: Image, board: Board, pose: BoardPose) -> str:
    """Why colours cannot be told, "" where they can: the printed patches differ in nothing but lightness, as in a grey,
    tinted grey or night-sight picture, or not even in that, as under a cloth, or have red and blue exchanged, or most
    white paper is burnt out and so is what is much darker.
    """
    if not board.patches:
        return ""
    paper, patches = paper_of(image, board, pose), patches_of(image, board, pose)
    burnt = is_burnt(paper, patches)
    usable = patches.within if burnt and patches.usable.sum() < FEWEST_PATCHES else patches.usable
    if usable.sum() < FEWEST_PATCHES:
        return ""
    levels, printed = patches.levels[usable], np.array([patch.rgb[::-1] for patch in board.patches], np.float32)[usable]
    if _variety(levels) < _LEAST_COLOUR * _variety(printed):
        return COLOURLESS if burnt or _tones(levels) > _LEAST_TONE * _tones(printed) else ALIKE
    if _misfit(levels[:, ::-1], printed) < _EXCHANGED * _misfit(levels, printed):
        return SWAPPED
    if burnt:
        found = fit_beneath_ceiling(board, paper, patches)
        if found is None or sum(found.ceiling or (3.0,)) < 3 * _LOWEST:
            return BURNT_OUT
    return ""


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
