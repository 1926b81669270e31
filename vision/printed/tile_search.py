"""What lies on the sheet itself, and by sheet and tiles the rest of the picture's colour error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.colour import ColourCorrection
from vision.colour_trim import Known, learn_trim
from vision.pictures import Image, interpolated
from vision.printed.canvas import Laid
from vision.printed.classify import Kind, Tables, TileLayer
from vision.printed.evidence import Evidence
from vision.printed.glare import Glare
from vision.printed.standpoint import Standpoint

Floats = npt.NDArray[np.float32]

_SURE_TILE, _EVERY = 0.95, 3
"""Of tiles read so surely every third sample helps to trim colours."""
_TRIMMED = 0.7
"""Tiles are looked at again where they change colours by so much (Lab, each channel, on average)."""


class TileSight(NamedTuple):
    """What is seen of tiles: samples in Lab, their log densities if nothing lies there, evidence, probabilities, tiles
    that lie there in all likelihood.
    """

    lab: Mapping[str, Floats]
    sheet: Mapping[str, Floats]
    evidence: Evidence
    tables: Tables
    laid: dict[str, Laid]


@dataclass(frozen=True, slots=True)
class TileSearch:
    """Looks for the tiles of a board of so many millimetres."""

    size: tuple[float, float]
    kinds: tuple[Kind, ...]
    layer: TileLayer

    def look(
        self, image: Image, colours: ColourCorrection, stand: Standpoint, weights: Mapping[str, Floats]
    ) -> TileSight:
        """What lies on the sheet itself, as far as pieces do not hide it."""
        lab = {}
        for name in stand.sheet:
            lab[name] = colours.to_lab(interpolated(image, stand.views[name].pixels), stand.views[name].ground)
        sheet = {name: expected.log_density(lab[name]) for name, expected in stand.sheet.items()}
        evidence = Evidence({name: weights[name] for name in sheet})
        evidence.compare(self.kinds, lab, sheet)
        return TileSight(lab, sheet, evidence, *self.layer.read(evidence.gains, evidence.weights))

    def with_trimmed_colours(
        self, image: Image, plain: ColourCorrection, stand: Standpoint, weights: Mapping[str, Floats], glare: Glare
    ) -> tuple[ColourCorrection, TileSight]:
        """The tiles, and the colours that make sheet and tiles look as printed: learnt on the sheet, then on both."""
        lit = ~glare.at(stand.places)
        places, shown = stand.places[lit], interpolated(image, stand.grid[None, lit])[0]
        bare = Known(plain.to_lab(shown, places), places, stand.bare[lit])
        rough = learn_trim(bare, self.size)
        tiles = self.look(image, replace(plain, trim=rough), stand, weights)
        known = self._with_tiles(bare, image, plain, tiles, stand, weights)
        trim = learn_trim(known, self.size)
        change = trim.off(known.lab, known.places) - rough.off(known.lab, known.places)
        if np.abs(change).mean() < _TRIMMED:
            return replace(plain, trim=rough), tiles
        trimmed = replace(plain, trim=trim)
        return trimmed, self.look(image, trimmed, stand, weights)

    def _with_tiles(
        self,
        bare: Known,
        image: Image,
        plain: ColourCorrection,
        tiles: TileSight,
        stand: Standpoint,
        weights: Mapping[str, Floats],
    ) -> Known:
        """What is known of the sheet, and of the tiles that are sure to lie on it."""
        known = bare
        for kind in self.kinds:
            name = kind.piece.name
            for k, spot in enumerate(kind.plan.spots):
                tile = tiles.laid.get(spot.name)
                if tile is None or tiles.tables[name][k].max() < _SURE_TILE:
                    continue
                label, placement = kind.looks.labels.index(tile.label), kind.looks.placements.index(tile.placement)
                seen = (kind.looks.inside[placement] > 0) & (weights[name][k] > 0)
                seen[kind.plan.top_points :] = False
                at = np.flatnonzero(seen)[::_EVERY]
                view = stand.views[name]
                lab = plain.to_lab(interpolated(image, view.pixels[k : k + 1, at])[0], view.ground[k, at])
                known = known.with_more(Known(lab, view.ground[k, at], kind.looks.mean[label, placement, at]))
        return known
