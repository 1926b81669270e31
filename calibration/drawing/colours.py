"""The colours of the printed edition, sRGB: of any two on one kind of piece, one is clearly lighter than the other."""

from __future__ import annotations

Rgb = tuple[int, int, int]
"""red, green and blue, 0 to 255"""

PAPER: Rgb = (255, 255, 255)
TRAVERTINE: Rgb = (237, 228, 209)
MARBLE: Rgb = (252, 249, 242)
MARBLE_SHADE: Rgb = (245, 239, 227)
SAND: Rgb = (233, 220, 194)
IVORY: Rgb = (252, 247, 234)
INK: Rgb = (46, 36, 32)
SEPIA: Rgb = (120, 100, 82)
FAINT: Rgb = (196, 184, 164)
RUBRIC: Rgb = (150, 44, 34)
RIVER: Rgb = (205, 221, 226)
RIVER_EDGE: Rgb = (160, 186, 198)
WATER: Rgb = (70, 140, 190)
GOLD: Rgb = (222, 178, 72)

WARDS: dict[str, Rgb] = {
    "red": (174, 52, 40),
    "yellow": (238, 192, 76),
    "green": (118, 174, 104),
    "blue": (58, 98, 164),
}
BUILDINGS: dict[str, Rgb] = {
    "temple": (34, 126, 80),
    "baths": (26, 62, 140),
    "theatre": (244, 184, 20),
    "arena": (158, 18, 34),
    "fountain": (150, 214, 238),
}
TRIANGLES: dict[str, Rgb] = {"hill": (199, 182, 150), "bridge": (112, 150, 170)}
AQUEDUCTS: dict[str, Rgb] = {"grey": (150, 152, 156), "brown": (128, 78, 42), "white": (250, 249, 245)}
AREAS: dict[str, Rgb] = {"white": (243, 239, 228), "black": (78, 76, 84), "red": (176, 74, 58)}
"""The areas of Capitol and their permits."""
FLOOR: Rgb = (204, 160, 108)
TILES: dict[str, Rgb] = {"fountain": (62, 154, 186), "amphitheatre": (150, 92, 46), "temple": (92, 44, 114)}
"""What is auctioned in Capitol."""
BUILDERS: dict[str, Rgb] = {
    "curve": (220, 166, 78),
    "straight": (206, 220, 164),
    "bridge": (140, 136, 176),
    "double curve": (170, 78, 62),
    "joker": (24, 22, 28),
}
"""The kinds of tile in Aqua Romana and the builders who lay them."""
PROVINCES: dict[str, Rgb] = {
    "Baden": (153, 112, 180),
    "Wuerttemberg": (168, 203, 104),
    "Hohenzollern": (78, 136, 98),
    "Schweiz": (140, 208, 218),
    "Tyrol": (28, 62, 126),
    "Baiern": (216, 199, 164),
    "Boehmen": (208, 120, 40),
    "Salzburg": (166, 50, 48),
    "Polen": (87, 86, 94),
}
"""The provinces of Thurn and Taxis."""
CARRIAGES: dict[str, Rgb] = {
    "Baden": (150, 108, 184),
    "Wuerttemberg": (84, 162, 98),
    "Schweiz": (30, 64, 138),
    "Baiern": (240, 226, 192),
    "Boehmen": (236, 130, 36),
}
"""The carriages to Rome, by the first province each stands for."""
OFFICIALS: dict[str, Rgb] = {
    "postmaster": (46, 86, 140),
    "carrier": (212, 156, 60),
    "administrator": (84, 26, 42),
    "cartwright": (148, 172, 132),
}
"""The officials of Thurn and Taxis, on the tiles of their offices."""
PLAYERS: dict[str, Rgb] = {
    "black": (34, 32, 36),
    "white": (251, 250, 247),
    "purple": (112, 54, 140),
    "orange": (236, 122, 28),
    "red": (178, 28, 40),
    "yellow": (248, 210, 56),
    "green": (104, 192, 100),
    "blue": (32, 76, 168),
    "grey": (140, 142, 146),
    "brown": (120, 74, 42),
    "pink": (236, 148, 178),
    "turquoise": (40, 160, 164),
}
UNKNOWN: Rgb = (176, 170, 158)
"""The colour of labels that name none."""
PLAIN: tuple[Rgb, ...] = (
    UNKNOWN, (58, 104, 64), (247, 214, 112), (104, 40, 44), (88, 148, 206), (24, 22, 28), (255, 252, 244),
    (186, 98, 44),
)  # fmt: skip
"""The colours of plain tiles whose labels name none, one after the other."""


def named(label: str) -> Rgb:
    """The colour named by a label, in English; a neutral one where it names none."""
    return PLAYERS.get(label, UNKNOWN)


def lightness(colour: Rgb) -> float:
    """Roughly how light a colour looks, 0 to 1."""
    red, green, blue = colour
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255


def on(colour: Rgb) -> Rgb:
    """The ink with the best contrast on a colour: dark or ivory."""
    return INK if lightness(colour) > 0.6 else IVORY


def mixed(colour: Rgb, other: Rgb, share: float) -> Rgb:
    """A colour with a share (0 to 1) of another one in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))
    return red, green, blue
