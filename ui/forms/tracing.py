"""Tracing one's own board on a photograph: corners, size and sites by touch, checked after each step. No Kivy.

Board frame: millimetres, y down. The traced board is a definition (docs/boards.md), begun from a game's own one or from
an empty grid or graph.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tomlkit

from companion.board.layout import Board, parse_board
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.files.whole_files import write_whole
from companion.registry import print_and_play_board
from ui.services.editions import edition_slug
from vision.location.board_pose import BoardNotFound
from vision.location.flat_pose import FlatPose, pose_from_corners, rectangle
from vision.pictures import Image, interpolated

Point = tuple[float, float]

GRID, GRAPH = "grid", "graph"
"""starting points other than a game's board: an empty grid or graph"""
SIDE = 1000
"""pixels along the longer side of the straightened photograph"""
LARGEST = 5000
"""millimetres of a side"""
_OWN_PIECE = {"name": "piece", "shape": "disc", "size": [16], "height": 6, "labels": "palette"}
_ANCHORED = ("lattice", "grid")


class Tracing:
    """A board definition that is fitted to a photograph. `start` is a game's id, GRID or GRAPH."""

    def __init__(self, start: str, name: str, size: Point) -> None:
        """Places of a game's own board are spread over the new size in proportion. Raises InvalidDocument."""
        self.start = start
        own = _empty(start) if start in (GRID, GRAPH) else _of_game(start)
        self._side = next((own[kind]["side"] for kind in _ANCHORED if kind in own), 0.0)
        self.definition: dict[str, Any] = own
        self.rename(name)
        self.resize(size)
        self.moved: set[str] = set()

    @property
    def size(self) -> Point:
        """The sheet (mm)."""
        width, height = self.definition["size"]
        return float(width), float(height)

    def rename(self, name: str) -> None:
        """Set the board's name."""
        words = " ".join(name.split())[:60] or "Own board"
        self.definition["name"] = words
        self.definition["id"] = f"{self.definition['game']}/{edition_slug(words)}"

    def resize(self, size: Point) -> None:
        """Set the sheet's size (mm); sites move in proportion."""
        width, height = (round(min(max(float(side), 20.0), LARGEST), 1) for side in size)
        across, down = width / self.size[0], height / self.size[1]
        self.definition["size"] = [width, height]
        for table, key in self._points():
            x, y, *turn = table[key]
            table[key] = [*_rounded((x * across, y * down)), *turn]
        for kind in _ANCHORED:
            if kind in self.definition:
                self.definition[kind]["side"] = round(self.definition[kind]["side"] * min(across, down), 3)

    def places(self) -> dict[str, Point]:
        """The points that can be moved: sites of groups and slots, and two points of each grid or lattice."""
        found: dict[str, Point] = {}
        for group in self.definition.get("group", ()):
            for name, (x, y, *_turn) in group["place"].items():
                found[f"{group['name']}/{name}"] = (x, y)
        for name, (x, y) in self.definition.get("slots", {}).get("place", {}).items():
            found[f"slot {name}"] = (x, y)
        if "grid" in self.definition:
            grid = self.definition["grid"]
            (x, y), side = grid["corner"], grid["side"]
            found |= {"grid first": (x, y), "grid last": (x + grid["columns"] * side, y + grid["rows"] * side)}
        if "lattice" in self.definition:
            lattice = self.definition["lattice"]
            (x, y), side = lattice["centre"], lattice["side"]
            found |= {"lattice centre": (x, y), "lattice side": (x + side, y)}
        return found

    def move(self, place: str, to: Point) -> str:
        """Move a point; if the board would be invalid, leave it and return the reason."""
        before = copy.deepcopy(self.definition)
        self._put(place, _rounded(to))
        problem = self.problem()
        if problem:
            self.definition = before
        else:
            self.moved.add(place)
        return problem

    def add(self, at: Point) -> str:
        """A new place of a graph; gives its name.

        Raises InvalidDocument where it cannot be there.
        """
        places = self.definition["group"][0]["place"]
        number = next(n for n in range(1, 1000) if f"P{n}" not in places)
        before = copy.deepcopy(self.definition)
        places[f"P{number}"] = _rounded(at)
        problem = self.problem()
        if problem:
            self.definition = before
            raise InvalidDocument("tracing", f"P{number}", problem)
        return f"place/P{number}"

    def remove(self, place: str) -> None:
        """Remove a site of a graph and its edges; the last one stays."""
        places = self.definition["group"][0]["place"]
        if len(places) > 1:
            places.pop(place.partition("/")[2], None)
            ways = self.definition["link"]["way"]
            self.definition["link"]["way"] = [way for way in ways if place not in way.split(" - ")]

    def join(self, one: str, other: str) -> None:
        """Join two sites of a graph by an edge, or remove the edge."""
        ways = self.definition["link"]["way"]
        known = [way for way in ways if set(way.split(" - ")) == {one, other}]
        if known:
            ways.remove(known[0])
        elif one != other:
            ways.append(f"{one} - {other}")

    def count(self, what: str, change: int) -> str:
        """Add or remove a column or row of a grid; return the reason if that is not possible."""
        before = copy.deepcopy(self.definition)
        grid = self.definition["grid"]
        last = self.places()["grid last"]
        grid[what] = max(1, grid[what] + change)
        self._put("grid last", last)
        problem = self.problem()
        if problem:
            self.definition = before
        return problem

    def board(self) -> Board:
        """The board as traced so far.

        Raises InvalidDocument.
        """
        return parse_board(DocumentTable(self._complete(), "tracing", ""))

    def problem(self) -> str:
        """Why the board is invalid so far; "" if it is valid."""
        try:
            self.board()
        except InvalidDocument as error:
            return f"{error.entry}: {error.reason}" if error.entry else error.reason
        return ""

    def save(self, folder: Path) -> Path:
        """Write the board and its other sheets to files in a folder; return the board's file.

        Raises InvalidDocument, OSError.
        """
        self.board()
        folder.mkdir(parents=True, exist_ok=True)
        stem = self.definition["id"].replace("/", "-")
        written = self._complete()
        for name, sheet in dict(written.get("beside", {})).items():
            file = f"{stem}-{name}.part"
            _write(folder / file, sheet)
            written["beside"] = {**written["beside"], name: file}
        return _write(folder / f"{stem}.toml", written)

    def _complete(self) -> dict[str, Any]:
        """The definition without what is empty, its pieces as large as the cells or triangles they were made for."""
        sides = [self.definition[kind]["side"] for kind in _ANCHORED if kind in self.definition]
        growth = sides[0] / self._side if sides else 1.0
        link = {kind: ways for kind, ways in self.definition.get("link", {}).items() if ways}
        rest = {key: value for key, value in self.definition.items() if key != "link"}
        rest["piece"] = [
            {**piece, "size": [round(side * growth, 2) for side in piece["size"]]} for piece in rest["piece"]
        ]
        return {**rest, "link": link} if link else rest

    def _points(self) -> Iterator[tuple[dict[str, Any], str]]:
        """Every point of the definition, as the table that holds it and its key."""
        for group in self.definition.get("group", ()):
            yield from ((group["place"], name) for name in group["place"])
        slots = self.definition.get("slots", {}).get("place", {})
        yield from ((slots, name) for name in slots)
        for kind, key in (("grid", "corner"), ("lattice", "centre")):
            if kind in self.definition:
                yield self.definition[kind], key

    def _put(self, place: str, to: Sequence[float]) -> None:
        kind, _, name = place.partition(" ")
        match kind, name:
            case "slot", _:
                self.definition["slots"]["place"][name] = list(to)
            case "grid", "first":
                last = self.places()["grid last"]
                self.definition["grid"]["corner"] = list(to)
                self._fit_grid(last)
            case "grid", "last":
                self._fit_grid(to)
            case "lattice", "centre":
                self.definition["lattice"]["centre"] = list(to)
            case "lattice", "side":
                x, y = self.definition["lattice"]["centre"]
                self.definition["lattice"]["side"] = round(max(1.0, float(np.hypot(to[0] - x, to[1] - y))), 3)
            case _:
                group_name, _, spot = place.partition("/")
                group = next(group for group in self.definition["group"] if group["name"] == group_name)
                group["place"][spot] = [*to, *group["place"][spot][2:]]

    def _fit_grid(self, last: Sequence[float]) -> None:
        """The side with which the last cell ends nearest to a point."""
        grid = self.definition["grid"]
        x, y = grid["corner"]
        wide, high = (last[0] - x) / grid["columns"], (last[1] - y) / grid["rows"]
        grid["side"] = round(max(1.0, min(wide, high) if min(wide, high) > 0 else 1.0), 3)


def straightened(image: Image, corners: Sequence[Point], size: Point, side: float = SIDE) -> tuple[Image, float]:
    """The board as seen from straight above, `side` pixels along its longer side, and its pixels a millimetre.

    Raises ValueError, a line for people, where the corners enclose no board.
    """
    width, height = size
    places = rectangle(0.0, 0.0, width, height)
    pose = pose_from_corners(_sheet(size), corners, (image.shape[1], image.shape[0]), places)
    if isinstance(pose, BoardNotFound):
        raise ValueError(pose.reason)
    scale = side / max(width, height)
    return _seen_from_above(image, pose, size, scale), scale


def likely_size(corners: Sequence[Point], width: float = 600.0) -> Point:
    """A size (mm) with the proportions that four corners have in the picture."""
    seen = np.asarray(corners, np.float64)
    seen = seen[np.argsort(np.arctan2(*(seen - seen.mean(axis=0)).T[::-1]))]
    sides = np.linalg.norm(np.roll(seen, -1, axis=0) - seen, axis=1)
    across, down = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    return width, round(width * float(down / across) / 10) * 10.0


def _seen_from_above(image: Image, pose: FlatPose, size: Point, scale: float) -> Image:
    columns, rows = round(size[0] * scale), round(size[1] * scale)
    x, y = np.meshgrid((np.arange(columns) + 0.5) / scale, (np.arange(rows) + 0.5) / scale)
    pixels = pose.project(np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3)).reshape(rows, columns, 2)
    return np.asarray(interpolated(image, pixels), np.uint8)


def _sheet(size: Point) -> Board:
    return parse_board(DocumentTable({**_empty(GRAPH), "size": list(size)}, "tracing", ""))


def _empty(kind: str) -> dict[str, Any]:
    size = [400.0, 400.0]
    common: dict[str, Any] = {"format": 1, "id": "own/board", "game": "own", "name": "Own board", "size": size}
    common["palette"] = ["black", "white"]
    if kind == GRID:
        grid = {"columns": 8, "rows": 8, "side": 40.0, "corner": [40.0, 40.0]}
        return {**common, "grid": grid, "piece": [{**_OWN_PIECE, "lies_on": "cell"}]}
    group = {"name": "place", "kind": "place", "shape": "disc", "size": [16], "place": {"P1": [200.0, 200.0]}}
    return {**common, "group": [group], "link": {"way": []}, "piece": [{**_OWN_PIECE, "lies_on": "place"}]}


def _of_game(game: str) -> dict[str, Any]:
    """A game's own board without its markers and patches, which an edition of one's own does not have."""
    definition = copy.deepcopy(_plain(print_and_play_board(game).definition))
    definition.pop("markers", None)
    definition.pop("patches", None)
    return dict(definition)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value


def _rounded(point: Sequence[float]) -> list[float]:
    return [round(float(point[0]), 2), round(float(point[1]), 2)]


def _write(path: Path, definition: Mapping[str, Any]) -> Path:
    """Write a definition whole or not at all."""
    write_whole(path, tomlkit.dumps(dict(definition)).encode())
    return path
