"""Locates a board in a photograph: by its markers, corners named by a person, another photograph or the lines of its
grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.location.board_pose import BoardNotFound, BoardPose
from vision.location.flat_pose import FlatPose, Floats, corner_places, pose_from_corners, rectangle
from vision.location.grid_lines import LineFit, fit_lines, line_views, weigh_lines
from vision.location.grid_search import LEAST_SUPPORT, find_grid
from vision.location.marker_poses import MIRRORED, find_by_markers
from vision.location.reference import (
    GLANCE,
    PLENTY,
    WORKING_SIDE,
    Found,
    Reference,
    agreement,
    board_view,
    features_of,
)
from vision.pictures import Gray, Image, gray_of

Corners = Sequence[tuple[float, float]]


def whole_picture(image: Image) -> Corners:
    """The corners of a picture that shows the board and nothing else."""
    right, low = image.shape[1] - 0.5, image.shape[0] - 0.5
    return (-0.5, -0.5), (right, -0.5), (right, low), (-0.5, low)


_NOWHERE = sentence("no board was found; name its four corners, or give a photograph of it as reference")
_CLEARER = 0.1
"""Another interpretation of named corners must exceed the plain one's standing by this."""
_TURNED = 0.2
"""Another orientation, or the mirror image, must exceed the upright one's correlation with the taught sheet by this."""
_FAR_MORE = 1.5
"""The mirror image must match this many times as many features to be reported."""
_WORSE = 0.8
"""A refinement with less than this share of the support before it is discarded."""


@dataclass(frozen=True, slots=True)
class TaughtSheet:
    """The look of a board: its picture from above, `scale` pixels per millimetre, and a mask (255) of where pieces hid
    it. `light` are the natural logarithms of the gains (BGR) that bring it to the light in which pieces were taught.
    """

    image: Image
    scale: float
    hidden: Gray
    light: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def pose(self) -> FlatPose:
        """The pose of the board in the sheet's picture."""
        size = (self.image.shape[1], self.image.shape[0])
        return FlatPose(size, np.array([[self.scale, 0, -0.5], [0, self.scale, -0.5], [0, 0, 1.0]]))


class BoardLocator:
    """Finds one board in photographs. `sheet` is its taught look, `reference` a photograph of it."""

    def __init__(self, board: Board, sheet: TaughtSheet | None = None, reference: Reference | None = None) -> None:
        self.board, self._reference = board, reference
        self._taught = Reference(board, sheet.image, sheet.pose, sheet.hidden) if sheet else None

    def beside(self, reference: Reference) -> BoardLocator:
        """The same with another reference photograph; the features of the taught look are kept."""
        other = BoardLocator(self.board, None, reference)
        other._taught = self._taught
        return other

    def locate(self, image: Image, quarters: int | None = None) -> BoardPose | FlatPose | BoardNotFound:
        """The board's pose in a picture, found without help; `quarters` as for `at_corners`."""
        if not self.board.markers.centres:
            return self.by_looks(image, quarters)
        pose = find_by_markers(self.board, gray_of(image))
        if isinstance(pose, BoardPose) or pose.reason == MIRRORED:
            return pose
        found = self.by_looks(image, quarters)
        return found if isinstance(found, FlatPose) or found.reason == MIRRORED else pose

    def by_looks(self, image: Image, quarters: int | None = None) -> FlatPose | BoardNotFound:
        """The pose by the reference photographs and the grid's lines."""
        gray, size = gray_of(image), (image.shape[1], image.shape[0])
        references = [reference for reference in (self._reference, self._taught) if reference is not None]
        seen = _seen_of(references, image, size)
        fits = [self._sharpened(gray, each.pose) if self._lined else LineFit(each.pose, 1.0, 1.0) for each in seen]
        is_recognised = bool(fits)
        grid = self.board.grid
        if grid is not None and self._lined and not any(map(_is_borne_out, fits)):
            found = find_grid(image, grid)[:1]
            fits += [LineFit(self._turned(image, fit.pose, quarters), fit.support, fit.standing) for fit in found]
        best = max(fits, key=lambda fit: fit.standing, default=None)
        if is_recognised:
            mirrored = self._is_better_mirrored(image, max(each.matches for each in seen))
        else:
            mirrored = self._is_mirrored(image, best.pose if best else None)
        if mirrored:
            return BoardNotFound(MIRRORED, frozenset())
        return best.pose if best else BoardNotFound(_NOWHERE, frozenset())

    def at_corners(self, image: Image, corners: Corners, quarters: int | None = None) -> FlatPose | BoardNotFound:
        """The pose with the board's corners near four pixels, in any order, refined on the lines of its grid.

        `quarters` is by how many quarters, clockwise, the board lies turned in the picture; without it the taught sheet
        decides, or the board is assumed upright.
        """
        size = (image.shape[1], image.shape[0])
        pose = pose_from_corners(self.board, corners, size)
        if isinstance(pose, BoardNotFound):
            return pose
        if self._lined:
            meant = [pose_from_corners(self.board, corners, size, places) for places in self._other_corners()]
            others = [other for other in meant if isinstance(other, FlatPose)]
            pose = self._best_meant(image, pose, others).pose
        return self._turned(image, pose, quarters)

    def _best_meant(self, image: Image, pose: FlatPose, others: Sequence[FlatPose]) -> LineFit:
        """The best interpretation of named corners, refined on the lines: `pose`, unless one of the others has a
        clearly higher standing. Uses the first view of the picture in which the lines support it.
        """
        fits: list[LineFit] = []
        for view in line_views(image):
            best = self._sharpened(view, pose)
            for rough in others:
                other = self._sharpened(view, rough)
                if other.support >= LEAST_SUPPORT and other.standing > best.standing + _CLEARER:
                    best = other
            fits.append(best)
            if _is_borne_out(best):
                break
        return max(fits, key=lambda fit: fit.standing)

    @property
    def _lined(self) -> bool:
        return self.board.grid is not None and self.board.grid.lines != "none"

    def _other_corners(self) -> list[Floats]:
        """Other corners that a person may mean than the lines' outermost crossings: those of the cells, or of the
        sheet.
        """
        grid = self.board.grid
        assert grid is not None
        x, y = grid.corner
        cells = rectangle(x, y, x + grid.columns * grid.side, y + grid.rows * grid.side)
        known = [corner_places(self.board)]
        for places in (cells, rectangle(0.0, 0.0, *self.board.size)):
            if all(np.abs(places - other).max() > 0.1 * grid.side for other in known):
                known.append(places)
        return known[1:]

    def _sharpened(self, gray: Gray, pose: FlatPose) -> LineFit:
        """The pose refined on the lines, unless that lowers its support."""
        assert self.board.grid is not None
        before = weigh_lines(gray, self.board.grid, pose)
        after = fit_lines(gray, self.board.grid, pose)
        return after if after.support >= _WORSE * before.support and after.support >= LEAST_SUPPORT else before

    @property
    def _known(self) -> Reference | None:
        return self._reference or self._taught

    def _is_better_mirrored(self, image: Image, matches: int) -> bool:
        """Whether the mirror image matches far more features than `matches`: symmetric boards match either way."""
        known = self._known
        if known is None or matches >= PLENTY:
            return False
        other = known.find(np.ascontiguousarray(image[:, ::-1]))
        return other is not None and other.matches > _FAR_MORE * matches

    def _is_mirrored(self, image: Image, pose: FlatPose | None) -> bool:
        """Whether a board that was not recognised is recognised in the mirror image."""
        known = self._known
        if known is None:
            return False
        if pose is not None:
            view, look = board_view(image, pose, self.board), known.view
            ways = (look, look[:, ::-1], look[::-1], look[::-1, ::-1])
            # Lines look alike in a mirror: no evidence.
            own = np.asarray(look - np.mean(ways, axis=0), np.float32)
            plain = agreement(own, view, known.shown)
            mirrored = (np.ascontiguousarray(view[:, ::-1]), np.ascontiguousarray(view[::-1]))
            if max(agreement(own, each, known.shown) for each in mirrored) < plain + _TURNED:
                return False
        return known.find(np.ascontiguousarray(image[:, ::-1])) is not None

    def _turned(self, image: Image, pose: FlatPose, quarters: int | None) -> FlatPose:
        """The upright pose turned by `quarters`, or else to the orientation that clearly matches the taught sheet
        best.
        """
        if quarters is not None:
            return pose.turned(self.board, quarters)
        if self._taught is None:
            return pose
        taught, hidden = self._taught.view, ~self._taught.shown
        quarter = taught.shape[0] == taught.shape[1]
        ways = {k: pose.turned(self.board, k) for k in ((0, 1, 2, 3) if quarter else (0, 2))}
        shown = np.all([np.rot90(~hidden, k) for k in ways], axis=0)
        # Lines look alike in every orientation: no evidence.
        own = np.asarray(taught - np.mean([np.rot90(taught, k) for k in ways], axis=0), np.float32)
        views = {k: board_view(image, way, self.board) for k, way in ways.items()}
        scores = {k: agreement(own, view, shown) for k, view in views.items()}
        best = max(scores, key=scores.__getitem__)
        return ways[best if scores[best] > scores[0] + _TURNED else 0]


def _seen_of(references: Sequence[Reference], image: Image, size: tuple[int, int]) -> list[Found]:
    """The poses found by the reference photographs: at low resolution if that gives plenty of matches, else at high."""
    found: list[Found] = []
    for side in (GLANCE, WORKING_SIDE) if references else ():
        features = features_of(image, side=side)
        found = [each for reference in references if (each := reference.find_among(features, size))]
        if any(each.matches >= PLENTY for each in found) or max(size) <= side:
            break
    return found


def _is_borne_out(fit: LineFit) -> bool:
    """Whether the lines rule out that a pose is off by a cell."""
    return fit.support >= LEAST_SUPPORT and fit.standing > fit.support
