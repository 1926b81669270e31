"""What lies on the sheet itself, and by sheet and tiles the rest of the picture's colour error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour import ColourCorrection
from vision.colour_fit import fit_colours, fit_in_uneven_light
from vision.colour_trim import Known, learn_trim
from vision.pictures import Image, interpolated
from vision.printed.canvas import Canvas, Laid
from vision.printed.classify import Kind, Tables, TileLayer
from vision.printed.evidence import Evidence
from vision.printed.glare import Glare
from vision.printed.local_light import Oddness
from vision.printed.pose_cache import PoseCache

Floats = npt.NDArray[np.float32]

_SURE_TILE, _EVERY = 0.95, 3
"""Of tiles read so surely every third sample helps to trim colours."""
_FEWEST_ODD, _STILL = 0.012, 1.25
"""The part of a sheet that looks odd from which on shadows are looked for; and how many times as much may look odd as
did before, if the light is to be the same.
"""
_EXPLAINED = 0.7
"""Of what looked odd, shadows must leave less than this part."""
_ROUNDS, _GAIN = 3, 0.9
"""So often shadows are looked for, since tiles in them are seen only then; and what each time must leave of what was
odd before.
"""
_TRIMMED = 0.7
"""Tiles are looked at again where they change colours by so much (Lab, each channel, on average)."""


class TileSight(NamedTuple):
    """What is seen of tiles: samples in Lab, their log densities if nothing lies there, evidence, probabilities, tiles
    that lie there in all likelihood; under which colours, and where glare lies.
    """

    colours: ColourCorrection
    glare: Glare
    lab: Mapping[str, Floats]
    sheet: Mapping[str, Floats]
    evidence: Evidence
    tables: Tables
    laid: dict[str, Laid]


@dataclass(frozen=True, slots=True)
class TileSearch:
    """Looks for the tiles of a board; what it finds is laid on a canvas."""

    board: Board
    kinds: tuple[Kind, ...]
    layer: TileLayer
    canvas: Canvas

    def see(self, image: Image, cache: PoseCache, colours: ColourCorrection | None = None) -> TileSight:
        """What lies on the sheet itself, as far as pieces do not hide it, in the picture's own colours or as told.

        Shadows that were seen from the same place before are looked for first, and in vain only once.
        """
        if colours is not None:
            return self._look(image, colours, cache, cache.glare.find(image, colours))
        light = cache.light
        if light.edges is not None:
            even = fit_in_uneven_light(image, self.board, cache.pose)
            sight, odd = self._laid(image, replace(even, edges=light.edges), cache)
            if odd.share < _STILL * max(light.left, _FEWEST_ODD):
                return sight
            light.edges, light.left = None, 0.0
        plain = fit_colours(image, self.board, cache.pose)
        sight, odd = self._laid(image, plain, cache)
        if plain.ceiling is not None:
            # Paper that is burnt out tells nothing of the light beside it.
            return sight
        if odd.share > _STILL * max(light.left, _FEWEST_ODD):
            even = fit_in_uneven_light(image, self.board, cache.pose)
            found = self._in_shadow(image, even, cache, odd.share) if odd.may_be_shadow(even) else None
            if found is None:
                light.left = odd.share
                self.canvas.lay(sight.laid)
            else:
                sight, light.left = found
                light.edges = sight.colours.edges
        return sight

    def _laid(self, image: Image, plain: ColourCorrection, cache: PoseCache) -> tuple[TileSight, Oddness]:
        """The tiles as laid on the canvas, and what still looks odd beside it."""
        sight = self._with_trimmed_colours(image, plain, cache)
        self.canvas.lay(sight.laid)
        return sight, cache.light.oddness(image, sight.colours, self.canvas)

    def _in_shadow(
        self, image: Image, even: ColourCorrection, cache: PoseCache, odd: float
    ) -> tuple[TileSight, float] | None:
        """The tiles where shadows explain enough of the part of the sheet that looked odd, and what they leave of it;
        None where they do not.
        """
        edges, best, least = None, None, _EXPLAINED * odd
        for again in range(_ROUNDS):
            edges = cache.light.find(image, even, self.canvas, edges)
            sight, left = self._laid(image, replace(even, edges=edges), cache)
            if left.share > _GAIN * (least if again else odd):
                break
            if left.share < least:
                best, least = sight, left.share
        if best is None:
            return None
        self.canvas.lay(best.laid)
        edges = cache.light.borne_out(image, best.colours, self.canvas)
        if edges is not best.colours.edges:
            best, left = self._laid(image, replace(even, edges=edges), cache)
            return (best, left.share) if left.share < _EXPLAINED * odd else None
        return best, least

    def _look(self, image: Image, colours: ColourCorrection, cache: PoseCache, glare: Glare) -> TileSight:
        lab = {}
        for name in cache.sheet:
            lab[name] = colours.to_lab(interpolated(image, cache.views[name].pixels), cache.views[name].ground)
        sheet = {name: expected.log_density(lab[name]) for name, expected in cache.sheet.items()}
        evidence = Evidence({name: glare.spare(cache.views[name].weight, cache.views[name].ground) for name in sheet})
        evidence.compare(self.kinds, lab, sheet, cache.bodies)
        return TileSight(colours, glare, lab, sheet, evidence, *self.layer.read(evidence.gains, evidence.weights))

    def _with_trimmed_colours(self, image: Image, plain: ColourCorrection, cache: PoseCache) -> TileSight:
        """The tiles under colours that make sheet and tiles look as printed: learnt on the sheet, then on both."""
        size, glare = self.board.size, cache.glare.find(image, plain)
        lit = ~glare.at(cache.places)
        places, shown = cache.places[lit], interpolated(image, cache.grid[None, lit])[0]
        bare = Known(plain.to_lab(shown, places), places, cache.bare[lit])
        rough = learn_trim(bare, size)
        tiles = self._look(image, replace(plain, trim=rough), cache, glare)
        known = self._with_tiles(bare, image, plain, tiles, cache)
        trim = learn_trim(known, size)
        change = trim.off(known.lab, known.places) - rough.off(known.lab, known.places)
        if np.abs(change).mean() < _TRIMMED:
            return tiles
        return self._look(image, replace(plain, trim=trim), cache, glare)

    def _with_tiles(
        self,
        bare: Known,
        image: Image,
        plain: ColourCorrection,
        tiles: TileSight,
        cache: PoseCache,
    ) -> Known:
        """What is known of the sheet, and of the tiles that are sure to lie on it."""
        pixels, ground, printed = list[Floats](), list[Floats](), list[Floats]()
        for kind in self.kinds:
            name = kind.piece.name
            for k, spot in enumerate(kind.plan.spots):
                tile = tiles.laid.get(spot.name)
                if tile is None or tiles.tables[name][k].max() < _SURE_TILE:
                    continue
                label, placement = kind.looks.labels.index(tile.label), kind.looks.placements.index(tile.placement)
                seen = (kind.looks.inside[placement] > 0) & (tiles.evidence.weights[name][k] > 0)
                seen[kind.plan.top_points :] = False
                at = np.flatnonzero(seen)[::_EVERY]
                if not at.size:
                    continue
                view = cache.views[name]
                pixels.append(view.pixels[k, at])
                ground.append(view.ground[k, at])
                printed.append(kind.looks.mean(label, placement)[at])
        if not pixels:
            return bare
        places = np.concatenate(ground)
        shown = interpolated(image, np.concatenate(pixels)[None])[0]
        return bare.with_more(Known(plain.to_lab(shown, places), places, np.concatenate(printed)))
