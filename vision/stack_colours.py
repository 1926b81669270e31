"""How well a stack's surfaces explain the colours of pixels.

The riders' colours are taught, printed or painted; what a stack itself is made of differs from table to table (printed
paper, grey, white or plain wood), and is learned from the picture once the first stacks are found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.colour import to_lab
from vision.likelihood import OUTLIER, even_density
from vision.profile import Face, Profile
from vision.solids import Part
from vision.stack_forms import StackKind

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int32]
Bounds = tuple[Floats, Floats]

_SHADE = (0.42, 1.12)
"""How dark and how light a slope may look beside the piece's own colour."""
_HUE, _MOST_CHROMA = math.radians(14.0), 90.0
_DIM = -13.0, 16.0
"""Log density of a rider in a shadow so deep (Lab lightness) that its hue is lost."""
_PRINTED, _PAINTED = math.log(0.6), math.log(0.4)
"""How likely a rider is printed, or painted in its hue; how far that may turn (radians) and how strong it may be."""
_PLAIN: Bounds = (np.array([6.0, -7.0, -7.0], np.float32), np.array([100.0, 7.0, 9.0], np.float32))
"""Lab of grey, black and white wood and of bare card."""
_TAUGHT, _UNPAINTED = math.log(0.6), math.log(0.4)
"""How likely a stack is of the taught colour, or of none."""
_ANY = np.float32(-14.5)
"""Log density of a wall of a colour nobody knows."""
_LEARNED, _UNLEARNED = math.log(0.8), math.log(0.2)
_BINS, _WIDTHS = (34, 80, 80), np.array([3.0, 3.0, 3.0], np.float32)
_LEAST = np.array([0.0, -120.0, -120.0], np.float32)
"""Lab is divided into so many cells, so wide, from these values on: densities are looked up."""
_ODD = -10.5
"""Log density above which a pixel may well show the sheet, so that nothing is learned from it."""
_FEWEST = 150
"""Pixels from which a surface's colours are learned."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Log densities (rows, columns) of the reduced picture's pixels under each explanation; `roofs` (looks, ...).

    `cells` (rows, columns) are the pixels' cells of Lab, `tables` (looks + 2, cells) the densities there of wall, deck
    and roofs.
    """

    cells: Integers
    tables: Floats
    sheet: Floats
    wall: Floats
    deck: Floats
    roofs: Floats

    def of(self, part: Part, look: int) -> Floats:
        """The density under one part of a stack; look 0 is that nothing stands on it."""
        if part is Part.WALL:
            return self.wall
        return self.roofs[look - 1] if part is Part.ROOF and look else self.deck


class StackColours:
    """The taught colours of a kind of stack and of its riders' looks, given as (piece, label)."""

    def __init__(self, profile: Profile, kind: StackKind, looks: Sequence[tuple[str, str]]) -> None:
        decks = [profile.faces[kind.piece.name, label] for label in kind.piece.labels]
        axes = [low + width * (np.arange(n) + 0.5) for low, width, n in zip(_LEAST, _WIDTHS, _BINS, strict=True)]
        lab = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3).astype(np.float32)
        wall = np.maximum(_unknown(lab, _shaded(_mean(decks))), _ANY)
        roofs = [_rider(lab, _mean([profile.faces[look]])) for look in looks]
        self._tables = np.stack([wall, _unknown(lab, _bounds(decks)), *roofs])

    def evidence(self, lab: Floats, sheet: Floats, on_sheet: Flags) -> Evidence:
        """The evidence of a picture's Lab (rows, columns, 3), given the log density of pixels that show the sheet.

        Nobody knows what the table beyond the sheet looks like: there nothing explains a pixel better than it does.
        """
        places = np.clip((lab - _LEAST) * (1 / _WIDTHS), 0, np.array(_BINS, np.float32) - 1).astype(np.int32)
        cells = (places[..., 0] * _BINS[1] + places[..., 1]) * _BINS[2] + places[..., 2]
        wall, deck, *roofs = (table.take(cells) for table in self._tables)
        beyond = self._tables.max(axis=0).take(cells)
        return Evidence(cells, self._tables, np.where(on_sheet, sheet, beyond), wall, deck, np.stack(roofs))


def learned(evidence: Evidence, walls: Flags) -> Evidence:
    """The same evidence knowing the colour of stacks, whose walls are shown where `walls` (rows, columns) says.

    Nothing is learned from what looks rather like the sheet or like what stands on stacks.
    """
    wall, deck, *roofs = evidence.tables
    shown = evidence.cells[walls & (evidence.sheet < _ODD)]
    shown = shown[(wall > np.max(roofs, axis=0))[shown]]
    if len(shown) < _FEWEST:
        return evidence
    counts = np.bincount(shown, minlength=math.prod(_BINS)).reshape(_BINS).astype(np.float32)
    volume = len(shown) * float(np.prod(_WIDTHS))
    smooth = np.stack([cv2.GaussianBlur(plane, (5, 5), 1.3) for plane in counts])
    smooth = cv2.GaussianBlur(smooth.reshape(_BINS[0], -1), (1, 7), 1.6)
    level = np.broadcast_to(smooth.mean(axis=0), smooth.shape)  # decks are lit otherwise than walls, in the same hue
    found = []
    for density, prior in ((smooth, wall), (level, deck)):
        own = np.log(density.ravel() / np.float32(volume) + np.float32(math.exp(OUTLIER)))
        table = np.logaddexp(own + np.float32(_LEARNED), prior + np.float32(_UNLEARNED))
        found.append(table.take(evidence.cells))
    return replace(evidence, wall=found[0], deck=found[1])


def _unknown(lab: Floats, taught: Bounds) -> Floats:
    """Log density of the surface of a stack of unknown make."""
    known, bare = even_density(lab, *taught), even_density(lab, *_PLAIN)
    return np.asarray(np.logaddexp(known + np.float32(_TAUGHT), bare + np.float32(_UNPAINTED)), np.float32)


def _rider(lab: Floats, colour: npt.NDArray[np.float64]) -> Floats:
    """Log density of a rider whose face has this mean (BGR), printed or painted, in light or in shadow."""
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


def _mean(faces: Sequence[Face]) -> npt.NDArray[np.float64]:
    """The mean BGR of faces."""
    means = np.array([cv2.mean(face.image, face.mask)[:3] for face in faces], np.float64)
    return np.asarray(means.mean(axis=0))


def _shaded(colour: npt.NDArray[np.float64]) -> Bounds:
    """Least and most Lab (3,) of a body of this BGR colour, whichever way its surface slopes."""
    lab = to_lab(np.round(colour).astype(np.uint8)[None])[0]
    ends = np.stack([lab * _SHADE[0], lab * _SHADE[1]])
    return ends.min(axis=0), ends.max(axis=0)


def _bounds(faces: Sequence[Face]) -> Bounds:
    """Least and most Lab (3,) of what is printed on faces, in light or in shadow."""
    lab = np.concatenate([to_lab(face.image[face.mask > 127]) for face in faces])
    low, high = np.percentile(lab, (5, 95), axis=0)
    return np.minimum(low, low * 0.6).astype(np.float32), np.maximum(high, high * 0.6).astype(np.float32)
