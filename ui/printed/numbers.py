"""Where the numbers of places stand that are looked at one by one. No Kivy."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.board.lattice import Point
from ui.drawing.shapes import between, centre_of
from ui.view_models.play_view import PlaceView

ALONG = (0.45, 0.75, 0.2)
"""how far from the middle of a place towards a corner its number stands"""


def number_centres(places: Sequence[PlaceView], ghost: Point | None, radius: float) -> tuple[Point, ...]:
    """Where (mm) the numbers of places stand, each with a disc of that radius: in parts of them far from the ghost, and
    beside one another where the places leave that.
    """
    found: list[Point] = []
    for place in places:
        middle, corners = centre_of(place.outline), list(place.outline)
        if ghost is not None:
            corners.sort(key=lambda corner: -math.dist(corner, ghost))
        inside = [between(middle, corner, share) for share in ALONG for corner in corners]
        points = inside if ghost is not None else [middle, *inside]
        others = [*found, *([ghost] if ghost is not None else [])]
        room = [min((math.dist(point, each) for each in others), default=math.inf) for point in points]
        free = next((point for point, left in zip(points, room, strict=True) if left >= 2 * radius), None)
        found.append(points[room.index(max(room))] if free is None else free)
    return tuple(found)
