"""Random plausible looks of the City of Marble table, not bound to any rule but those of space."""

from __future__ import annotations

import numpy as np

from companion.board.layout import Board

WARDS = ["red"] * 12 + ["yellow"] * 14 + ["green"] * 16 + ["blue"] * 18
CIVIC = {3: "temple", 4: "baths", 5: "theatre", 6: "arena"}


def random_look(board: Board, seed: int, wards: int = 30) -> dict[str, str]:
    """Spot -> label: three hills, a growing city, its buildings, cubes, magistrates, envoys and aqueducts."""
    dice = np.random.default_rng(seed)
    lattice = board.lattice
    look: dict[str, str] = {}
    covered: set[str] = set()
    for site in dice.permutation(list(board.features["hill"].values()))[:3]:
        look[f"hill {site}"] = "hill"
        covered.add(str(site))
    laid = _grow_city(board, dice, look, covered, wards)
    look |= {f"bridge {site}": "bridge" for site in board.features["bridge"].values() if site not in covered}
    players = list(board.palette[: int(dice.integers(2, 5))])
    owner = {triangle: ward for ward in laid for triangle in lattice.edge_triangles[ward]}
    for vertex, around in lattice.vertex_triangles.items():
        if len(around) == 6 and covered.issuperset(around):
            kind = CIVIC.get(len({owner[triangle] for triangle in around if triangle in owner}))
            look[f"building {vertex}"] = kind if kind and dice.random() < 0.75 else "fountain"
            if look[f"building {vertex}"] != "fountain":
                look[f"cube {vertex}"] = str(dice.choice(players))
    _place_people(board, dice, look, laid, players)
    _lay_aqueducts(board, dice, look, laid)
    return look


def _grow_city(
    board: Board, dice: np.random.Generator, look: dict[str, str], covered: set[str], wards: int
) -> list[str]:
    lattice = board.lattice
    colours = [str(colour) for colour in dice.permutation(WARDS)]
    laid: list[str] = []
    for _ in range(min(wards, len(colours))):
        touching = {
            edge: sum(t in covered for side in sides for t in lattice.edge_triangles[side])
            for edge, sides in lattice.rhombus_sides.items()
            if not covered.intersection(lattice.edge_triangles[edge])
        }
        open_edges = [edge for edge, touches in touching.items() if touches]
        if not open_edges:
            break
        chances = np.array([touching[edge] ** 2 for edge in open_edges], float)
        edge = open_edges[int(dice.choice(len(open_edges), p=chances / chances.sum()))]
        laid.append(edge)
        covered.update(lattice.edge_triangles[edge])
        look[f"ward {edge}"] = colours.pop()
    return laid


def _place_people(
    board: Board, dice: np.random.Generator, look: dict[str, str], laid: list[str], players: list[str]
) -> None:
    free = [str(ward) for ward in dice.permutation(laid)] if laid else []
    for player in players:
        for _ in range(3):
            if free and dice.random() < 0.6:
                look[f"magistrate {free.pop()}"] = player
            elif dice.random() < 0.6:
                spot = f"envoy {dice.choice(list(board.slots))} {player}"
                look[spot] = str(int(look.get(spot, "0")) + 1)


def _lay_aqueducts(board: Board, dice: np.random.Generator, look: dict[str, str], laid: list[str]) -> None:
    lattice = board.lattice
    sides = {side for ward in laid for side in lattice.rhombus_sides[ward]}
    visited: set[str] = set()
    for colour in board.pieces["aqueduct"].labels:
        starts = sorted({vertex for side in sides for vertex in lattice.edge_ends[side]} - visited)
        if not starts:
            return
        here = str(dice.choice(starts))
        for _ in range(int(dice.integers(3, 14))):
            visited.add(here)
            ways = [
                edge for edge in lattice.vertex_edges[here]
                if edge in sides and not visited.intersection(set(lattice.edge_ends[edge]) - {here})
            ]  # fmt: skip
            if not ways:
                break
            edge = str(dice.choice(ways))
            look[f"aqueduct {edge}"] = colour
            here = next(vertex for vertex in lattice.edge_ends[edge] if vertex != here)
