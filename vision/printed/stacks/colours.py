"""How well a stack's surfaces explain the colours of pixels.

The riders' colours are taught, as printed or painted; the stack's own material differs between tables (printed paper,
grey, white or plain wood) and is learnt from the picture once the first stacks are found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour.space import to_lab
from vision.printed.pieces.likelihood import OUTLIER, even_density
from vision.printed.pieces.profile import FacePicture, Profile
from vision.printed.pieces.solids import Part
from vision.printed.stacks.forms import StackKind

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int32]
LabBounds = tuple[Floats, Floats]

_SHADE = (0.42, 1.12)
"""Range of the lightness of a slope relative to the piece's own colour."""
_HUE = math.radians(14.0)
"""Angle (radians) by which the hue of painted riders may differ from the print."""
_MOST_CHROMA = 90.0
"""Largest chroma (Lab) of painted riders."""
_DIM = -13.0, 16.0
"""Log density of a rider in shadow so deep that its hue is lost, and the Lab lightness below which it may be."""
_PRINTED = math.log(0.6)
"""Log probability that a rider is printed."""
_PAINTED = math.log(0.4)
"""Log probability that it is painted in its hue."""
_PLAIN: LabBounds = (np.array([6.0, -7.0, -7.0], np.float32), np.array([100.0, 7.0, 9.0], np.float32))
"""Least and most Lab of grey, black and white wood and of bare card."""
_TAUGHT = math.log(0.6)
"""Log probability that a stack has the taught colour."""
_UNPAINTED = math.log(0.4)
"""Log probability that it is plain wood or card."""
_ANY = np.float32(-14.5)
"""Log density of a wall of unknown colour."""
_LEARNED = np.float32(0.8)
"""Weight of the learnt colours of a stack."""
_UNLEARNED = np.float32(0.2)
"""Weight of the colours assumed before learning."""
_BINS = (34, 80, 80)
"""Cells of Lab in which densities are tabulated."""
_WIDTHS = np.array([3.0, 3.0, 3.0], np.float32)
"""Widths of a cell in L, a and b."""
_LEAST = np.array([0.0, -120.0, -120.0], np.float32)
"""Lab of the first cell."""
_MAY_BE_SHEET = -10.5
"""Log density on the sheet above which nothing is learnt from a pixel, as it may show the sheet."""
_FEWEST = 150
"""Fewest pixels from which a surface's colours are learnt."""
_FLANK = 3
"""Cells by which the learnt colours extend beyond those seen."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The prior knowledge of colours for each cell of Lab.

    `tables` (looks + 2, cells) are log densities of wall, deck and roofs; `unlearned` (2, cells) are the densities of
    wall and deck of unknown material; `stacklike` (cells,) is where walls are likelier than roofs.
    """

    tables: Floats
    unlearned: Floats
    stacklike: Flags


@dataclass(frozen=True, slots=True)
class StackEvidence:
    """Log densities (rows, columns) of the reduced picture's pixels under each explanation: `sheet`, `body` (2, ...) of
    walls and decks, `roofs` (looks, ...).

    `cells` (rows, columns) are the pixels' cells of Lab. Outside the sheet (not `on_sheet`) the table may have any
    colour, so no part of a stack explains a pixel there better.
    """

    palette: Palette
    cells: Integers
    on_sheet: Flags
    sheet: Floats
    body: Floats
    roofs: Floats

    @property
    def lightness(self) -> Floats:
        """Lab lightness (rows, columns), to half a cell."""
        return np.asarray(self.cells // (_BINS[1] * _BINS[2]) * _WIDTHS[0] + (_LEAST[0] + _WIDTHS[0] / 2), np.float32)

    def of(self, part: Part, look: int) -> Floats:
        """The density under one part of a stack; look 0 means nothing on top."""
        if part is Part.WALL:
            return np.asarray(self.body[0])
        return np.asarray(self.roofs[look - 1] if part is Part.ROOF and look else self.body[1])


class StackColours:
    """The taught colours of a kind of stack and of its riders' looks, given as (piece, label)."""

    def __init__(self, profile: Profile, kind: StackKind, looks: Sequence[tuple[str, str]]) -> None:
        decks = [profile.faces[kind.piece.name, label] for label in kind.piece.labels]
        axes = [low + width * (np.arange(n) + 0.5) for low, width, n in zip(_LEAST, _WIDTHS, _BINS, strict=True)]
        lab = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3).astype(np.float32)
        wall = np.maximum(_unknown(lab, _shaded(_mean(decks))), _ANY)
        roofs = [_rider(lab, _mean([profile.faces[look]])) for look in looks]
        tables = np.stack([wall, _unknown(lab, _bounds(decks)), *roofs])
        unlearned = _UNLEARNED * np.exp(tables[:2]) + _LEARNED * np.float32(math.exp(OUTLIER))
        self._riders: Floats = np.max(roofs, axis=0)
        self._palette = Palette(tables, unlearned.astype(np.float32), tables[0] > self._riders)
        self._likeliest = tables.max(axis=0)

    def cells(self, lab: Floats) -> Integers:
        """The cells (...) of Lab (..., 3)."""
        places = np.clip((lab - _LEAST) * (1 / _WIDTHS), 0, np.array(_BINS, np.float32) - 1).astype(np.int32)
        return np.asarray((places[..., 0] * _BINS[1] + places[..., 1]) * _BINS[2] + places[..., 2], np.int32)

    def of_riders(self, lab: Floats) -> Floats:
        """The log density (...) of the most likely rider colour, given Lab (..., 3)."""
        return np.asarray(self._riders.take(self.cells(lab)))

    def evidence(self, cells: Integers, sheet: Floats, on_sheet: Flags) -> StackEvidence:
        """The evidence of a picture's cells (rows, columns), given the pixels' log densities on the sheet."""
        found = self._palette.tables.take(cells, axis=1)
        sheet = np.where(on_sheet, sheet, self._likeliest.take(cells))
        return StackEvidence(self._palette, cells, on_sheet, sheet, found[:2], found[2:])


def learned(evidence: StackEvidence, walls: Flags) -> StackEvidence:
    """The same evidence with the stacks' material learnt from pixels that show walls (`walls`: rows, columns).

    Pixels that look more like the sheet or like a rider are not used.
    """
    palette = evidence.palette
    shown = evidence.cells[walls & (evidence.sheet < _MAY_BE_SHEET)]
    shown = shown[palette.stacklike[shown]]
    if len(shown) < _FEWEST:
        return evidence
    at = np.stack(np.unravel_index(shown, _BINS))
    low = np.maximum(at.min(axis=1) - _FLANK, 0)
    high = np.minimum(at.max(axis=1) + _FLANK + 1, _BINS)
    shape = tuple((high - low).tolist())
    counts = np.bincount(np.ravel_multi_index(tuple(at - low[:, None]), shape), minlength=math.prod(shape))
    smooth = np.stack([cv2.GaussianBlur(plane, (5, 5), 1.3) for plane in counts.astype(np.float32).reshape(shape)])
    smooth = cv2.GaussianBlur(smooth.reshape(shape[0], -1), (1, 7), 1.6).reshape(shape)
    smooth *= _LEARNED / np.float32(len(shown) * float(np.prod(_WIDTHS)))
    wall, deck = palette.unlearned.reshape(2, *_BINS).copy()
    light, green, blue = (slice(*ends) for ends in zip(low, high, strict=True))
    wall[light, green, blue] += smooth
    deck[:, green, blue] += smooth.sum(axis=0) / _BINS[0]  # decks are lit differently from walls, with the same hue
    body = np.stack([np.log(density.take(evidence.cells)) for density in (wall, deck)])
    sheet = np.where(evidence.on_sheet, evidence.sheet, np.maximum(evidence.sheet, body.max(axis=0)))
    return replace(evidence, sheet=sheet, body=body)


def _unknown(lab: Floats, taught: LabBounds) -> Floats:
    """Log density of the surface of a stack of unknown material."""
    known, bare = even_density(lab, *taught), even_density(lab, *_PLAIN)
    return np.asarray(np.logaddexp(known + np.float32(_TAUGHT), bare + np.float32(_UNPAINTED)), np.float32)


def _rider(lab: Floats, colour: npt.NDArray[np.float64]) -> Floats:
    """Log density of a rider whose face has this mean colour (BGR), printed or painted, in light or in shadow."""
    hue = float(np.arctan2(*to_lab(colour.round().astype(np.uint8)[None])[0, :0:-1]))
    printed = even_density(lab, *_shaded(colour)) + np.float32(_PRINTED)
    found = np.logaddexp(printed, _painted(lab, hue) + np.float32(_PAINTED))
    dim, darkest = _DIM
    return np.asarray(np.where(lab[:, 0] < darkest, np.maximum(found, np.float32(dim)), found), np.float32)


def _painted(lab: Floats, hue: float) -> Floats:
    """Log density of a body painted in a hue (radians), in light or in shadow."""
    chroma = np.hypot(lab[..., 1], lab[..., 2])
    off = np.arctan2(lab[..., 2], lab[..., 1]) - np.float32(hue)
    off = np.abs(np.mod(off + np.float32(math.pi), np.float32(math.tau)) - np.float32(math.pi))
    room = math.log(100.0 * _HUE * math.sqrt(math.tau) * _MOST_CHROMA**2 / 2)
    density = np.maximum(-0.5 * (off / np.float32(_HUE)) ** 2 - np.float32(room), np.float32(OUTLIER))
    return np.where(chroma > 5.0 + 0.2 * lab[..., 0], density, np.float32(OUTLIER))


def _mean(faces: Sequence[FacePicture]) -> npt.NDArray[np.float64]:
    """The mean BGR of faces."""
    means = np.array([cv2.mean(face.image, face.mask)[:3] for face in faces], np.float64)
    return np.asarray(means.mean(axis=0))


def _shaded(colour: npt.NDArray[np.float64]) -> LabBounds:
    """Least and most Lab (3,) of a body of this BGR colour over all slopes of its surface."""
    lab = to_lab(np.round(colour).astype(np.uint8)[None])[0]
    ends = np.stack([lab * _SHADE[0], lab * _SHADE[1]])
    return ends.min(axis=0), ends.max(axis=0)


def _bounds(faces: Sequence[FacePicture]) -> LabBounds:
    """Least and most Lab (3,) of the prints on faces, in light or in shadow."""
    lab = np.concatenate([to_lab(face.image[face.mask > 127]) for face in faces])
    low, high = np.percentile(lab, (5, 95), axis=0)
    return np.minimum(low, low * 0.6).astype(np.float32), np.maximum(high, high * 0.6).astype(np.float32)
