"""Finds the pieces on the tiles: over the sheet with its tiles drawn, and riders over their carriers."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Spot
from vision.colour.correction import ColourCorrection
from vision.colour.trim import ColourTrim
from vision.pictures import Image, interpolated
from vision.printed.evidence.carriers import Carrier, hidden_by, rider_spots
from vision.printed.evidence.classify import PieceLayer, SpotKind, Tables
from vision.printed.evidence.pose_cache import CELL, PoseCache
from vision.printed.evidence.sample_evidence import NO_LABEL, Evidence, gain_by_rider, gain_of_hidden
from vision.printed.evidence.side_uniformity import uneven_side_penalty
from vision.printed.pieces.appearance import off_paint
from vision.printed.pieces.likelihood import allowing_shadow, paint_density, weight_for_colour_error
from vision.printed.pieces.patches import AROUND, depth_inside
from vision.printed.sheet.canvas import Canvas, Laid

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]

_UNLIKE_SHEET = -9.2
"""Mean log density below which a cell looks unlike the bare sheet."""
_HIDDEN = 0.6
"""Probability of being hidden from which a sample does not count."""


@dataclass(frozen=True, slots=True)
class BareGround:
    """The samples of pieces over assumed tiles: which spots are looked at, their Lab, and log densities if nothing
    stands there.
    """

    active: Mapping[str, Flags]
    lab: Mapping[str, Floats]
    beneath: Mapping[str, Floats]
    slack: Floats
    """(3,): distance in Lab by which colours may be off"""
    worth: np.float32
    """the weight of the pieces' samples, lower where the colour correction is poor"""
    carrying: Mapping[str, Integers] = field(default_factory=dict)
    """the labels (spots,) of carriers that were drawn beneath possible riders; NO_LABEL elsewhere"""


@dataclass(frozen=True, slots=True)
class PieceSearch:
    """Finds the pieces of a board in one picture, on a canvas that shows its tiles."""

    board: Board
    kinds: tuple[SpotKind, ...]
    layer: PieceLayer
    canvas: Canvas
    cache: PoseCache

    def odd_spots(self, sheet: Mapping[str, Floats]) -> dict[str, Flags]:
        """Which spots (spots,) of each kind of piece look unlike the bare sheet; pieces without a tile can only stand
        there.
        """
        density = np.concatenate([values.ravel() for values in sheet.values()])
        shape = tuple(math.ceil(side / CELL) for side in self.board.size)
        total = np.bincount(self.cache.cells, density, shape[0] * shape[1]).reshape(shape)
        count = np.bincount(self.cache.cells, minlength=shape[0] * shape[1]).reshape(shape)
        window = (3, 3)
        samples = cv2.blur(count.astype(np.float64), window)
        # Where no tile can lie nothing was compared: these places are always examined.
        mean = np.where(samples > 1e-6, cv2.blur(total, window) / np.maximum(samples, 1e-6), -np.inf)
        result = {}
        for kind in self.kinds:
            cells = (np.array([spot.centre for spot in kind.plan.spots]) / CELL).astype(int)
            result[kind.piece.name] = mean[cells[:, 0], cells[:, 1]] < _UNLIKE_SHEET
        return result

    def ground(
        self,
        image: Image,
        colours: ColourCorrection,
        tint: ColourTrim | None,
        laid: Mapping[str, Laid],
        active: Mapping[str, Flags],
    ) -> BareGround:
        """Draw the tiles on the canvas and sample the active spots over it."""
        self.canvas.lay(laid)
        lab, beneath, slack = {}, {}, off_paint(colours.error)
        for name, spots in active.items():
            view = self.cache.views[name]
            lab[name] = np.zeros((*view.weight.shape, 3), np.float32)
            beneath[name] = np.zeros_like(view.weight)
            if not spots.any():
                continue
            seen = colours.to_lab(interpolated(image, view.pixels[spots]), view.ground[spots])
            lab[name][spots] = seen if tint is None else tint.removed_from(seen, view.ground[spots])
            density = self.canvas.expect(self.cache.beneath[name][spots]).density(slack)
            expected = density.log_of(lab[name][spots])
            if tint is not None:
                expected = np.maximum(expected, density.log_of(seen))  # what lies beneath may be the sheet itself
            beneath[name][spots] = allowing_shadow(expected, lab[name][spots])
        return BareGround(active, lab, beneath, slack, weight_for_colour_error(colours.error))

    def read(
        self,
        ground: BareGround,
        weights: Mapping[str, Floats],
        tiles: Tables,
        known: tuple[Evidence, Evidence] | None = None,
        standing: Sequence[Spot] = (),
        afresh: Container[str] = (),
    ) -> tuple[Tables, tuple[Evidence, Evidence]]:
        """The pieces' probabilities, and the evidence of whole pieces and of carriers around their riders.

        `known` is the earlier evidence, but for kinds to be compared `afresh`, and `standing` its best explanation;
        without these, uneven sides do not count.
        """
        none = np.float32(0)
        seen = {
            name: np.where(spots[:, None], weights[name] * ground.worth, none) for name, spots in ground.active.items()
        }
        whole = Evidence(seen, known and known[0], afresh)
        whole.compare(self.kinds, ground.lab, ground.beneath, self.cache.bodies, ground.slack)
        around = self._around_riders(whole, seen)
        rims = Evidence(around, known and known[1], afresh)
        carriers = [kind for kind in self.kinds if kind.piece.name in around]
        rims.compare(carriers, ground.lab, ground.beneath, self.cache.bodies, ground.slack)
        beneath = {name: gain_of_hidden(name, labels, whole, rims) for name, labels in ground.carrying.items()}
        uneven = uneven_side_penalty(self.kinds, whole, ground.lab, self.cache.bodies, standing) if known else {}
        ridden: dict[str, Doubles] = {}
        if known is not None and beneath:
            for rider, carrier in self.layer.riders.items():
                at = rider_spots(self.cache.views[rider], self.cache.views[carrier])
                ridden[carrier] = gain_by_rider(rider, at, beneath[carrier], whole, known[0])
        tables = self.layer.read(whole.gains, whole.weights, rims.gains, rims.weights, tiles, beneath, uneven, ridden)
        return tables, (whole, rims)

    def _around_riders(self, whole: Evidence, seen: Mapping[str, Floats]) -> dict[str, Floats]:
        """The weights of carriers' samples under their most likely riders."""
        kinds = {kind.piece.name: kind for kind in self.kinds}
        result = {}
        for rider, carrier in self.layer.riders.items():
            kind, view = kinds[rider], self.cache.views[carrier]
            gains = whole.gains[rider]
            best = gains.weighed(whole.weights[rider])[:, :-1].argmax(axis=1)
            at = rider_spots(self.cache.views[rider], view)
            share = self.cache.beside_rider[carrier].copy()
            rows = np.flatnonzero((whole.weights[rider][at] > 0).any(axis=1))
            hidden = hidden_by(kind, gains, best, self.cache.views[rider], at[rows], view.plan.places[rows])
            share[rows] = np.where(hidden > _HIDDEN, 0.0, 1.0 - hidden)
            result[carrier] = seen[carrier] * share
        return result

    def on_carriers(self, ground: BareGround, laid: Mapping[str, Laid], carriers: Mapping[str, Carrier]) -> BareGround:
        """The same with possible riders compared with their carrier as background instead of the tiles."""
        if not carriers:
            return ground
        self.canvas.lay({**laid, **{name: carrier.laid for name, carrier in carriers.items()}})
        kinds = {kind.piece.name: kind for kind in self.kinds}
        beneath, carrying = dict(ground.beneath), {}
        for rider, carrier in self.layer.riders.items():
            support = kinds[carrier]
            by_site = {spot.site: k for k, spot in enumerate(support.plan.spots)}
            held = [carriers.get(spot.name) for spot in support.plan.spots]
            carrying[carrier] = np.array([NO_LABEL if each is None else each.label for each in held], np.intp)
            spots = kinds[rider].plan.spots
            rows = [k for k in np.flatnonzero(ground.active[rider]) if held[by_site[spots[k].site]] is not None]
            if not rows:
                continue
            lab = ground.lab[rider][rows]
            printed = self.canvas.expect(self.cache.beneath[rider][rows]).log_density(lab, ground.slack)
            below = [carriers[support.plan.spots[by_site[spots[k].site]].name] for k in rows]
            assert support.looks.paint is not None
            labels = [each.label for each in below]
            like, free = support.looks.paint
            turned = np.stack([like.turned(each, label) for each, label in zip(lab, labels, strict=True)])
            plain = paint_density(turned, like.upper(labels), free.upper(labels))
            beneath[rider] = ground.beneath[rider].copy()
            outlines = [support.plan.spots[by_site[spots[k].site]].outline for k in rows]
            depth = np.stack([
                depth_inside(places, np.array(outline))
                for places, outline in zip(self.cache.beneath[rider][rows], outlines, strict=True)
            ])  # fmt: skip
            inside = np.where(depth > AROUND, plain, np.maximum(plain, printed))
            beneath[rider][rows] = np.where([[each.painted] for each in below], inside, printed)
        return replace(ground, beneath=beneath, carrying=carrying)
