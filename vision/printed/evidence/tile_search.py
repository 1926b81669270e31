"""Finds the tiles on the sheet, and estimates from sheet and tiles the remaining colour error of the picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Spot
from vision.colour.correction import ColourCorrection
from vision.colour.fit import darkens_black, fit_colours, fit_in_uneven_light
from vision.colour.trim import ColourTrim, Known, learn_trim
from vision.colour.veils import veils_over
from vision.pictures import Image, interpolated
from vision.printed.evidence.classify import SpotKind, Tables, TileLayer
from vision.printed.evidence.pose_cache import PoseCache
from vision.printed.evidence.sample_evidence import Evidence
from vision.printed.pieces.likelihood import CORRELATION, gains_of
from vision.printed.pieces.patches import TALL
from vision.printed.sheet.canvas import Canvas, Laid
from vision.printed.sheet.glare import Glare
from vision.printed.sheet.local_light import Oddness

Floats = npt.NDArray[np.float32]

_SURE_TILE = 0.95
"""Probability from which a tile's samples are used to trim colours."""
_EVERY = 3
"""Every this many of its samples is used."""
_FEWEST_ODD = 0.012
"""Share of odd-looking sheet from which shadows are looked for."""
_STILL = 1.25
"""Factor by which that share may grow before the light counts as changed."""
_EXPLAINED = 0.7
"""Share of the odd-looking part that may remain after shadows are accounted for."""
_MIRRORED = 0.8
"""Share of it, or of it and glare, that may remain with sheen taken off for sheen to be believed."""
_ROUNDS = 3
"""Most searches for shadows; tiles in shadow are only recognised after the first."""
_GAIN = 0.9
"""Share of the odd-looking part that may remain after each search for the next to be made."""
_ROUGHLY = 0.4
"""Share of the light that the sheet mirrors which may be off."""
_STRANGE = 0.5
"""Probability of a foreign object from which a veil is looked for on a tile."""
_BESIDE = 1.5
"""Distance from the middle of a veiled tile, in sides of a tile, within which others may be veiled."""
_VEILS = [
    np.array([amount * (1 - warmth), amount, amount * (1 + warmth)], np.float32)
    for warmth in (0.0, 0.5, -0.3)
    for amount in (0.03, 0.06, 0.10, 0.15, 0.21)
]
"""Light (BGR, 1 is white) of the veils that are tried: as white as the paper, of a warmer lamp, of a window."""
_CLEARLY = 1.0
"""Nats for each `CORRELATION` square millimetres by which a face beneath a veil must beat a foreign object and every
other face: an arm was like one by up to 0.8, tiles in a lamp's mirror image were by more than 1.6.
"""
_TINTED = 1.0
"""Change of the tiles' colours (the same) from which the pieces are taken to be of another print than the sheet."""
_TRIMMED = 0.7
"""Change of colours (Lab, mean over channels) by the trim from which tiles are searched again."""


class FoundTiles(NamedTuple):
    """The tiles of a picture: samples in Lab, those of standing pieces also as if they mirrored nothing (`matte`),
    their log densities on the bare sheet, evidence, probabilities, the tiles that probably lie there (`laid`); the
    colour correction used, and the glare. `tint` is by how much the pieces' print differs from the sheet's; it is taken
    off the samples.
    """

    colours: ColourCorrection
    glare: Glare
    lab: Mapping[str, Floats]
    matte: Mapping[str, Floats]
    sheet: Mapping[str, Floats]
    evidence: Evidence
    tables: Tables
    laid: dict[str, Laid]
    tint: ColourTrim | None = None


@dataclass(frozen=True, slots=True)
class TileSearch:
    """Finds the tiles of a board and draws them on a canvas."""

    board: Board
    kinds: tuple[SpotKind, ...]
    layer: TileLayer
    canvas: Canvas

    def find(self, image: Image, cache: PoseCache, colours: ColourCorrection | None = None) -> FoundTiles:
        """The tiles on the sheet, as far as pieces do not hide them; the colour correction is estimated unless given.

        Shadows found earlier under the same pose are tried first; a search that found none is not repeated while the
        light stays.
        """
        return self._untinted(image, self._unveiled(image, self._found(image, cache, colours), cache), cache)

    def _untinted(self, image: Image, found: FoundTiles, cache: PoseCache) -> FoundTiles:
        """The tiles again where those that are certain show that another printer made the pieces than the sheet."""
        printed = [kind for kind in self.kinds if kind.looks.paint is None]
        known = self._known_tiles(image, found.colours, found, cache, printed)
        if known is None or found.colours.ceiling is not None:
            return found
        tint = learn_trim(known, self.board.size)
        if np.abs(tint.off(known.lab, known.places)).mean() < _TINTED:
            return found
        better = self._look(image, found.colours, cache, found.glare, tint)
        self.canvas.lay(better.laid)
        return better

    def _found(self, image: Image, cache: PoseCache, colours: ColourCorrection | None) -> FoundTiles:
        if colours is not None:
            return self._look(image, colours, cache, cache.glare.find(image, colours))
        light = cache.light
        if light.edges is not None:
            even = fit_in_uneven_light(image, self.board, cache.pose, light.sheen)
            found_tiles, odd = self._laid(image, replace(even, edges=light.edges), cache)
            if odd.share < _STILL * max(light.left, _FEWEST_ODD):
                return found_tiles
            light.edges, light.left = None, 0.0
        found_tiles, odd = self._without_shadows(image, cache)
        if found_tiles.colours.ceiling is not None:
            # Overexposed paper gives no information about the light next to it.
            return found_tiles
        if odd.share > _STILL * max(light.left, _FEWEST_ODD):
            light.sheen = found_tiles.colours.sheen is not None
            even = fit_in_uneven_light(image, self.board, cache.pose, light.sheen)
            found = self._in_shadow(image, even, cache, odd.share) if odd.may_be_shadow(even) else None
            if found is None:
                light.left = odd.share
                self.canvas.lay(found_tiles.laid)
            else:
                found_tiles, light.left = found
                light.edges = found_tiles.colours.edges
        return found_tiles

    def _unveiled(self, image: Image, found: FoundTiles, cache: PoseCache) -> FoundTiles:
        """The tiles with veils taken off those that otherwise look foreign, and then off those beside them; drawn on
        the canvas.
        """
        if found.colours.ceiling is not None:
            return found
        kinds = [kind for kind in self.kinds if kind.piece.height < TALL]
        veils: dict[Spot, Floats] = {}
        for kind in kinds:
            strange = found.tables[kind.piece.name][:, -1] > _STRANGE
            veils |= self._veiled(image, found, kind, np.flatnonzero(strange), cache)
        if not veils:
            return found
        veiled = np.array([spot.centre for spot in veils])
        for kind in kinds:
            away = np.array([spot.centre for spot in kind.plan.spots])[:, None] - veiled
            beside = np.linalg.norm(away, axis=2).min(axis=1) < _BESIDE * max(kind.piece.size)
            bare = beside & (found.tables[kind.piece.name][:, 0] > _STRANGE)
            veils |= self._veiled(image, found, kind, np.flatnonzero(bare), cache)
        colours = replace(found.colours, veils=veils_over(veils, self.board.size))
        better = self._look(image, colours, cache, found.glare)
        self.canvas.lay(better.laid)
        return better

    def _veiled(
        self, image: Image, found: FoundTiles, kind: SpotKind, rows: npt.NDArray[np.intp], cache: PoseCache
    ) -> dict[Spot, Floats]:
        """Those of some spots of a kind that show one of its faces clearly beneath a veil, more so than anything else
        with or without it: the veil's light.
        """
        name, evidence = kind.piece.name, found.evidence
        weight, background = evidence.weights[name][rows], evidence.background[name][rows]
        if not rows.size:
            return {}
        view, bare = cache.views[name], cache.sheet[name].of(rows)
        shown, ground = interpolated(image, view.pixels[rows]), view.ground[rows]
        light, flat = found.colours.light(shown, ground), ground.reshape(-1, 2)
        clearly = _CLEARLY * weight.sum(axis=1) / CORRELATION
        best = evidence.gains[name].of(rows).weighed(weight).max(axis=1).clip(0.0) + clearly
        chosen = np.zeros((len(rows), 3), np.float32)
        for veil in _VEILS:
            lab = found.colours.lab_of(light - veil, flat).reshape(shown.shape)
            ranked = np.sort(gains_of(lab, background, weight, kind.looks).weighed(weight)[:, :-1], axis=1)
            empty = ((bare.log_density(lab) - background) * weight).sum(axis=1) / CORRELATION
            other = np.maximum(empty, ranked[:, -2] if ranked.shape[1] > 1 else empty)
            better = (ranked[:, -1] > best) & (ranked[:, -1] > other + clearly)
            best, chosen = np.where(better, ranked[:, -1], best), np.where(better[:, None], veil, chosen)
        return {kind.plan.spots[rows[k]]: chosen[k] for k in np.flatnonzero(chosen.any(axis=1))}

    def _without_shadows(self, image: Image, cache: PoseCache) -> tuple[FoundTiles, Oddness]:
        """The tiles under a light without shadows, and without sheen unless sheen explains much of the sheet or the
        patches lie in it.
        """
        shining = fit_colours(image, self.board, cache.pose, with_sheen=True)
        if shining.sheen is None:
            return self._laid(image, shining, cache)
        plain = fit_colours(image, self.board, cache.pose)
        if darkens_black(image, self.board, cache.pose, plain):
            return self._laid(image, shining, cache)
        found_tiles, odd = self._laid(image, plain, cache)
        if odd.share > _FEWEST_ODD:
            better, left = self._laid(image, shining, cache)
            lost, lost_left = odd.share + found_tiles.glare.share, left.share + better.glare.share
            if left.share < _MIRRORED * odd.share or (left.share < odd.share and lost_left < _MIRRORED * lost):
                return better, left
            self.canvas.lay(found_tiles.laid)
        return found_tiles, odd

    def _laid(self, image: Image, plain: ColourCorrection, cache: PoseCache) -> tuple[FoundTiles, Oddness]:
        """The tiles, drawn on the canvas, and what still looks unlike it."""
        found_tiles = self._with_trimmed_colours(image, plain, cache)
        self.canvas.lay(found_tiles.laid)
        return found_tiles, cache.light.oddness(image, found_tiles.colours, self.canvas)

    def _in_shadow(
        self, image: Image, even: ColourCorrection, cache: PoseCache, odd: float
    ) -> tuple[FoundTiles, float] | None:
        """The tiles with shadows accounted for, and the share of the sheet that still looks odd; None where shadows do
        not explain enough.
        """
        edges, best, least = None, None, _EXPLAINED * odd
        for again in range(_ROUNDS):
            edges = cache.light.find(image, even, self.canvas, edges)
            found_tiles, left = self._laid(image, replace(even, edges=edges), cache)
            if left.share > _GAIN * (least if again else odd):
                break
            if left.share < least:
                best, least = found_tiles, left.share
        if best is None:
            return None
        self.canvas.lay(best.laid)
        edges = cache.light.borne_out(image, best.colours, self.canvas)
        if edges is not best.colours.edges:
            best, left = self._laid(image, replace(even, edges=edges), cache)
            return (best, left.share) if left.share < _EXPLAINED * odd else None
        return best, least

    def _look(
        self, image: Image, colours: ColourCorrection, cache: PoseCache, glare: Glare, tint: ColourTrim | None = None
    ) -> FoundTiles:
        lab, matte = {}, {}
        mirrorless = None if colours.sheen is None else replace(colours, sheen=None)
        for name in cache.sheet:
            seen = interpolated(image, cache.views[name].pixels)
            lab[name] = colours.to_lab(seen, cache.views[name].ground)
            if mirrorless is not None and self.board.pieces[name].height >= TALL:
                matte[name] = mirrorless.to_lab(seen, cache.views[name].ground)
        sheet = {
            name: expected.log_density(lab[name], _ROUGHLY * np.abs(matte[name] - lab[name]) if name in matte else 0.0)
            for name, expected in cache.sheet.items()
        }
        if tint is not None:
            lab, matte = (
                {name: tint.removed_from(seen, cache.views[name].ground) for name, seen in each.items()}
                for each in (lab, matte)
            )
        views = [(name, cache.views[name]) for name in sheet]
        evidence = Evidence({name: glare.spare(view.weight, view.ground, name in matte) for name, view in views})
        evidence.compare(self.kinds, lab, sheet, cache.bodies, matte=matte)
        tables = self.layer.read(evidence.gains, evidence.weights)
        return FoundTiles(colours, glare, lab, matte, sheet, evidence, *tables, tint)

    def _with_trimmed_colours(self, image: Image, plain: ColourCorrection, cache: PoseCache) -> FoundTiles:
        """The tiles with a colour trim learnt first from the sheet, then from sheet and tiles."""
        size, glare = self.board.size, cache.glare.find(image, plain)
        lit = ~glare.at(cache.places)
        places, shown = cache.places[lit], interpolated(image, cache.grid[None, lit])[0]
        bare = Known(plain.to_lab(shown, places), places, cache.bare[lit])
        rough = learn_trim(bare, size)
        tiles = self._look(image, replace(plain, trim=rough), cache, glare)
        tiles_known = self._known_tiles(image, plain, tiles, cache, self.kinds)
        known = bare if tiles_known is None else bare.with_more(tiles_known)
        trim = learn_trim(known, size)
        change = trim.off(known.lab, known.places) - rough.off(known.lab, known.places)
        if np.abs(change).mean() < _TRIMMED:
            return tiles
        return self._look(image, replace(plain, trim=trim), cache, glare)

    def _known_tiles(
        self, image: Image, colours: ColourCorrection, tiles: FoundTiles, cache: PoseCache, kinds: Iterable[SpotKind]
    ) -> Known | None:
        """The samples of surely recognised tiles of some kinds; None where there are none."""
        pixels, ground, printed = list[Floats](), list[Floats](), list[Floats]()
        for kind in kinds:
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
            return None
        places = np.concatenate(ground)
        shown = interpolated(image, np.concatenate(pixels)[None])[0]
        return Known(colours.to_lab(shown, places), places, np.concatenate(printed))
