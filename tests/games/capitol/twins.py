"""A second, slow and obvious reading of two things in the rulebook: the points of an area, and who wins an auction."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Area:
    """What counts in an area: the heights of each seat's buildings, the fountains, the tile on the large square."""

    heights: dict[int, list[int]]
    fountains: int
    tile: str = ""

    def ahead(self, one: int, other: int, *, by_height: bool = True) -> bool:
        """Whether one seat is ahead of another: by more floors, or by a taller building."""
        floors, others = sum(self.heights[one]), sum(self.heights[other])
        if floors != others:
            return floors > others
        return by_height and max(self.heights[one]) > max(self.heights[other])

    def best(self, seats: list[int], *, by_height: bool = True) -> list[int]:
        """The seats that nobody is ahead of."""
        return [seat for seat in seats if not any(self.ahead(o, seat, by_height=by_height) for o in seats)]

    def places(self, *, second_by_height: bool) -> tuple[list[int], list[int]]:
        """First and second: where several share the first place, or nobody else is there, nobody is second."""
        present = [seat for seat, heights in self.heights.items() if heights]
        first = self.best(present)
        if len(first) > 1:
            return first, []
        return first, self.best([seat for seat in present if seat not in first], by_height=second_by_height)

    def points(self, seat: int, *, second_by_height: bool) -> int:
        """What a seat scores in this area."""
        first, second = self.places(second_by_height=second_by_height)
        points = 2 + self.fountains if seat in first else self.fountains if seat in second else 0
        return 2 * points if self.tile == "temple" else points

    def cards(self, seat: int, *, second_by_height: bool, by_place: bool) -> int:
        """The extra cards a seat draws for this area."""
        if self.tile != "amphitheatre":
            return 0
        first, second = self.places(second_by_height=second_by_height)
        if seat in first:
            return 2
        return int(seat in second and (by_place or self.points(seat, second_by_height=second_by_height) > 0))


def winner(bids: dict[int, list[int]], first: int) -> int:
    """The seat whose bid wins when it is the first player's turn order that counts last; somebody bids."""
    seats = sorted(bids)
    order = [seat for seat in seats if seat >= first] + [seat for seat in seats if seat < first]
    return max(order, key=lambda seat: (sum(bids[seat]), max(bids[seat], default=0), -order.index(seat)))
