"""The tiles: four kinds of drawing and their rotations, as sides of a square that channels join."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.board.grid import SIDES

KINDS = ("curve", "straight", "bridge", "double curve")
JOKER = "joker"
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}

Joins = Mapping[str, str]
"""side -> the side its channel leads to"""

_CHANNELS = {"curve": ("NE",), "straight": ("NS",), "bridge": ("NS", "EW"), "double curve": ("NE", "SW")}
"""kind -> the pairs of sides its reference drawing joins"""


def _turned(kind: str, rotation: int) -> Joins:
    joins: dict[str, str] = {}
    for channel in _CHANNELS[kind]:
        first, second = (SIDES[(SIDES.index(side) + rotation // 90) % 4] for side in channel)
        joins |= {first: second, second: first}
    return MappingProxyType(joins)


def _drawings() -> tuple[dict[str, Joins], dict[str, str]]:
    joins: dict[str, Joins] = {}
    canonical: dict[str, str] = {}
    for kind in KINDS:
        for rotation in (0, 90, 180, 270):
            turned = _turned(kind, rotation)
            equal = [name for name in joins if name.startswith(f"{kind} ") and joins[name] == turned]
            name = equal[0] if equal else f"{kind} {rotation}"
            joins[name] = turned
            canonical[f"{kind} {rotation}"] = name
    return joins, canonical


_joins, _canonical = _drawings()
JOINS: Mapping[str, Joins] = MappingProxyType(_joins)
"""drawing, such as `curve 90` -> the sides it joins; of equal drawings only the one with the smallest rotation"""
CANONICAL: Mapping[str, str] = MappingProxyType(_canonical)
"""any kind and rotation -> the equal drawing with the smallest rotation"""
KIND_OF: Mapping[str, str] = MappingProxyType({drawing: drawing.rpartition(" ")[0] for drawing in JOINS})
DRAWINGS_OF: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {kind: tuple(drawing for drawing in JOINS if KIND_OF[drawing] == kind) for kind in KINDS}
)
