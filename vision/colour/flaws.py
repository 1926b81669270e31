"""Reasons why a picture's colours cannot be used to read pieces."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.colour.correction import Response
from vision.colour.fit import FEWEST_PATCHES, fit_beneath_ceiling, is_burnt, margins_of, patches_of
from vision.colour.space import LUMINANCE
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
"""Share of the printed colour variety that the patches must show; below it the picture is grey."""
_LEAST_TONE = 0.3
"""Share of the printed lightness variety that the patches must show; below it something else is seen in their place."""
_EXCHANGED = 0.7
"""Exchanging red and blue must reduce the patches' misfit to this share, or less, to be reported."""
_LOWEST = 0.5
"""Saturation level (mean linear light of the channels) below which too much is overexposed to tell pieces apart."""


def colour_flaw(image: Image, board: Board, pose: BoardPose) -> str:
    """The reason why colours cannot be used, or "".

    The reasons: the patches differ only in lightness (grey, tinted or night-vision picture); not even in that
    (covered); red and blue are exchanged; or white paper saturates so low that much darker colours do too.
    """
    if not board.patches:
        return ""
    margins, patches = margins_of(image, board, pose), patches_of(image, board, pose)
    burnt = is_burnt(margins, patches)
    usable = patches.within if burnt and patches.usable.sum() < FEWEST_PATCHES else patches.usable
    if usable.sum() < FEWEST_PATCHES:
        return ""
    levels, printed = patches.levels[usable], np.array([patch.rgb[::-1] for patch in board.patches], np.float32)[usable]
    if _variety(levels) < _LEAST_COLOUR * _variety(printed):
        return COLOURLESS if burnt or _tones(levels) > _LEAST_TONE * _tones(printed) else ALIKE
    if _misfit(levels[:, ::-1], printed) < _EXCHANGED * _misfit(levels, printed):
        return SWAPPED
    if burnt:
        found = fit_beneath_ceiling(board, margins, patches)
        if found is None or sum(found.ceiling or (3.0,)) < 3 * _LOWEST:
            return BURNT_OUT
    return ""


def _misfit(levels: Floats, printed: Floats) -> float:
    """Distance of colours (n, 3) from the printed ones under the best factor per channel."""
    seen, wanted = (np.sqrt(Response().light_of(colours)) for colours in (levels, printed))
    light = (seen * wanted).sum(axis=0) / np.maximum((seen**2).sum(axis=0), 1e-9)
    return float(np.linalg.norm(seen * light - wanted))


def _variety(levels: Floats) -> float:
    """How much colours (n, 3) vary other than in lightness: 0 for shades of one colour, at most 1."""
    sizes = np.linalg.svd(np.sqrt(Response().light_of(levels)), compute_uv=False)
    return float(sizes[1] / max(sizes[0], 1e-9))


def _tones(levels: Floats) -> float:
    """How much the lightness of colours (n, 3) varies: its standard deviation over its mean, perceptual."""
    lightness = np.sqrt(Response().light_of(levels) @ LUMINANCE)
    return float(lightness.std() / max(lightness.mean(), 1e-9))
