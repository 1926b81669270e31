"""Reads board definitions: one file describes a board to the rules, the camera, the printer and the screen alike."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from companion.board.definition import EMPTY, Board, Markers, Outline, Patch, Piece, PlaceGroup, Spot
from companion.board.grid import LINES, SquareGrid, square_grid
from companion.board.lattice import Point, TriangularLattice, triangular_lattice
from companion.board.spots import LATTICE_PLACES, Places, face_outline, face_turn, spots_of
from companion.files.documents import DocumentTable, parse_toml, read_text

__all__ = [
    "EMPTY", "Board", "Markers", "Outline", "Patch", "Piece", "PlaceGroup", "Spot", "face_outline", "face_turn",
    "load_board", "parse_board",
]  # fmt: skip

KEYS = (
    "format", "id", "game", "name", "size", "lattice", "grid", "group", "link", "markers", "patches", "feature",
    "slots", "palette", "piece", "beside",
)  # fmt: skip
SHAPES = ("rhombus", "triangle", "hexagon", "square", "rectangle", "bar", "disc")
TOPS = ("flat", "dome", "ridge")
DICTIONARIES = {"DICT_4X4_50": 50, "DICT_4X4_250": 250}
"""ArUco dictionaries whose markers a sheet may have -> how many there are; the first 50 of both are the same"""
NO_MARKERS = Markers("DICT_4X4_50", 0.0, 0.0, MappingProxyType({}))
NO_LATTICE = triangular_lattice(0, 0, 0, 0, 1.0, (0.0, 0.0), frozenset())


def load_board(path: Path) -> Board:
    """The board that a TOML file defines; further sheets are files of the same folder.

    Raises InvalidDocument.
    """
    document = parse_toml(read_text(path), str(path))
    files = document.table("beside", optional=True)
    if not files.values:
        return parse_board(document)
    sheets = {}
    for name in files:
        file = files.text(name, longest=100)
        if Path(file).name != file:
            raise files.invalid(name, f"is {file!r}; it must be the name of a file beside {path.name}")
        sheets[name] = dict(parse_toml(read_text(path.with_name(file)), str(path.with_name(file))).values)
    return parse_board(DocumentTable({**document.values, "beside": sheets}, document.source, document.entry))


def parse_board(document: DocumentTable) -> Board:
    """The board of a definition document.

    Raises InvalidDocument.
    """
    document.only(*KEYS)
    if document.integer("format") != 1:
        raise document.invalid("format", f"is {document.integer('format')}; this program reads format 1")
    width, height = _point(document, "size", 10_000)
    lattice = _lattice(document.table("lattice"), (width, height)) if "lattice" in document else NO_LATTICE
    grid = _grid(document.table("grid"), (width, height)) if "grid" in document else None
    groups = _groups(document.tables("group", optional=True, longest=100), (width, height))
    sites = {site for group in groups.values() for site in group.sites}
    features = {
        kind: MappingProxyType(_features(document.table("feature").table(kind), lattice, grid, sites))
        for kind in document.table("feature", optional=True)
    }
    slots_table = document.table("slots", optional=True)
    slots = _slots(slots_table, (width, height))
    palette = document.texts("palette", optional=True, longest=8)
    if (not palette and "palette" in document) or EMPTY in palette or len(set(palette)) != len(palette):
        raise document.invalid("palette", "must name each player colour once")
    pieces, spots = _pieces(document, palette, Places(lattice, grid, groups, features, slots))
    board = Board(
        id=document.text("id", longest=100),
        game=document.text("game", longest=100),
        name=document.text("name", longest=100),
        size=(width, height),
        lattice=lattice,
        grid=grid,
        groups=MappingProxyType(groups),
        links=MappingProxyType(_links(document.table("link", optional=True), sites)),
        markers=_markers(document.table("markers"), (width, height)) if "markers" in document else NO_MARKERS,
        patches=_patches(document.table("patches", optional=True)),
        features=MappingProxyType(features),
        slots=MappingProxyType(slots),
        slot_diameter=slots_table.number("diameter", 1, 500, 40),
        palette=palette,
        pieces=MappingProxyType(pieces),
        spots=MappingProxyType(spots),
        definition=MappingProxyType(dict(document.values)),
        beside=MappingProxyType(_beside(document.table("beside", optional=True))),
    )
    _check_sheets(document, board)
    return board


def _slots(table: DocumentTable, size: Point) -> dict[str, Point]:
    places = table.table("place", optional=True)
    slots = {name: _point(places, name, 10_000) for name in places}
    for name, (x, y) in slots.items():
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            raise places.invalid(name, "lies outside the sheet")
    return slots


def _pieces(
    document: DocumentTable, palette: tuple[str, ...], places: Places
) -> tuple[dict[str, Piece], dict[str, Spot]]:
    """The kinds of pieces and all spots they may lie on, by their names."""
    sites = {site for group in places.groups.values() for site in group.sites}
    sites.update(places.grid.cells if places.grid is not None else ())
    pieces: dict[str, Piece] = {}
    spots: dict[str, Spot] = {}
    for table in document.tables("piece", longest=40):
        piece = _piece(table, palette, pieces)
        pieces[piece.name] = piece
        for site in sorted(piece.without - sites):
            raise table.invalid("without", f"names {site!r}, which is no cell or place of this board")
        if piece.lies_on in places.features:
            named = document.table("feature").table(piece.lies_on)
            _check_places(named, places.features[piece.lies_on], piece, places.lattice)
        if piece.lies_on in LATTICE_PLACES and piece.shape in ("rhombus", "triangle") and piece.lies_on != piece.shape:
            raise table.invalid("lies_on", f"is {piece.lies_on!r}, where no {piece.shape} lies")
        own = spots_of(piece, places, pieces)
        if not own:
            raise table.invalid("lies_on", f"is {piece.lies_on!r}, of which this board has none for the {piece.name}")
        spots.update((spot.name, spot) for spot in own)
    return pieces, spots


def _beside(table: DocumentTable) -> dict[str, Board]:
    boards = {}
    for name in table:
        sheet = table.table(name)
        if "beside" in sheet:
            raise sheet.invalid("beside", "names a third sheet; sheets lie beside the first one only")
        boards[name] = parse_board(sheet)
    return boards


def _check_sheets(document: DocumentTable, board: Board) -> None:
    """Refuse sheets with markers or spots of the same name, which a camera could not distinguish."""
    spots, markers = dict.fromkeys(board.spots, board.id), dict.fromkeys(board.markers.centres, board.id)
    for name, sheet in board.beside.items():
        if sheet.game != board.game or sheet.palette != board.palette:
            raise document.table("beside").invalid(name, f"is of another game or palette than {board.id}")
        for marker in sheet.markers.centres:
            if marker in markers:
                raise document.table("beside").invalid(name, f"uses marker {marker}, as {markers[marker]} does")
        for spot in sheet.spots:
            if spot in spots:
                raise document.table("beside").invalid(name, f"has a spot {spot!r}, as {spots[spot]} has")
        spots.update(dict.fromkeys(sheet.spots, sheet.id))
        markers.update(dict.fromkeys(sheet.markers.centres, sheet.id))


def _check_places(table: DocumentTable, places: Mapping[str, str], piece: Piece, lattice: TriangularLattice) -> None:
    """Refuse a feature on a site that a piece of this shape cannot cover."""
    fitting: Mapping[str, object] = {**lattice.places, **lattice.edge_ends, **lattice.triangle_corners}
    if piece.shape in ("triangle", "rhombus"):
        fitting = lattice.triangle_corners if piece.shape == "triangle" else lattice.rhombus_corners
    for name, site in places.items():
        if site not in fitting:
            raise table.invalid(name, f"is {site}, where a {piece.shape} such as the {piece.name} cannot lie")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _point(table: DocumentTable, key: str, largest: float) -> Point:
    values = table.sequence(key, longest=2)
    if len(values) != 2 or not all(_is_number(v) and abs(v) <= largest for v in values):
        raise table.invalid(key, f"must be two numbers [x, y] in millimetres, at most {largest:g}")
    return float(values[0]), float(values[1])


def _place(table: DocumentTable, key: str) -> tuple[Point, float]:
    """A place [x, y] or [x, y, degrees] of a group, and how far it is turned, 0 up to 360."""
    values = table.sequence(key, longest=3)
    if len(values) == 3 and (not _is_number(values[2]) or abs(values[2]) > 360):
        raise table.invalid(key, "has a third number that is no turn in degrees, -360 to 360")
    if len(values) != 3:
        return _point(table, key, 10_000), 0.0
    at = DocumentTable({key: list(values[:2])}, table.source, table.entry)
    return _point(at, key, 10_000), float(values[2]) % 360


def _lattice(table: DocumentTable, size: Point) -> TriangularLattice:
    table.only("kind", "columns", "rows", "sum", "side", "centre", "without")
    table.choice("kind", ("triangular",))
    sums = table.integers("sum", 0, 60, longest=2)
    if len(sums) != 2:
        raise table.invalid("sum", "must be two numbers, the smallest and the largest q + r")
    smallest, largest = sums
    columns, rows = table.integer("columns", 2, 26), table.integer("rows", 2, 30)
    without = frozenset(table.texts("without", optional=True))
    lattice = triangular_lattice(
        columns, rows, smallest, largest, table.number("side", 1, 500), _point(table, "centre", 10_000), frozenset()
    )
    for name in without:
        if name not in lattice.triangle_corners:
            raise table.invalid("without", f"names {name!r}, which is no triangle of the grid")
    if without:
        lattice = triangular_lattice(
            columns, rows, smallest, largest, lattice.side, _point(table, "centre", 10_000), without
        )
    if not lattice.triangle_corners:
        raise table.invalid("sum", "leaves no triangle in the grid")
    for vertex, (x, y) in lattice.places.items():
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            raise table.invalid("centre", f"puts vertex {vertex} outside the sheet")
    return lattice


def _grid(table: DocumentTable, size: Point) -> SquareGrid:
    table.only("columns", "rows", "side", "corner", "lines")
    columns, rows, side = table.integer("columns", 1, 26), table.integer("rows", 1, 99), table.number("side", 1, 500)
    x, y = _point(table, "corner", 10_000)
    if x < 0 or y < 0 or x + columns * side > size[0] or y + rows * side > size[1]:
        raise table.invalid("corner", "puts cells outside the sheet")
    return square_grid(columns, rows, side, (x, y), table.choice("lines", LINES, "between"))


def _groups(tables: tuple[DocumentTable, ...], size: Point) -> dict[str, PlaceGroup]:
    groups: dict[str, PlaceGroup] = {}
    sites: set[str] = set()
    for table in tables:
        table.only("name", "prefix", "kind", "shape", "size", "place")
        name = table.text("name", longest=40)
        if name in groups:
            raise table.invalid("name", f"{name!r} is described twice")
        place_table = table.table("place")
        places, turns = {}, {}
        for place in place_table:
            places[place], turn = _place(place_table, place)
            if turn:
                turns[place] = turn
        for place, (x, y) in places.items():
            if not (0 <= x <= size[0] and 0 <= y <= size[1]):
                raise place_table.invalid(place, "lies outside the sheet")
        shape = table.choice("shape", SHAPES)
        kind = table.text("kind", name, longest=40)
        prefix = table.text("prefix", name, longest=40)
        size_drawn = _lengths(table, "size")
        group = PlaceGroup(name, kind, shape, size_drawn, MappingProxyType(places), prefix, MappingProxyType(turns))
        for site in group.sites:
            if site in sites:
                raise table.invalid("place", f"makes a second site {site!r}")
            sites.add(site)
        groups[name] = group
    return groups


def _links(table: DocumentTable, sites: set[str]) -> dict[str, tuple[tuple[str, str], ...]]:
    links: dict[str, tuple[tuple[str, str], ...]] = {}
    for kind in table:
        pairs: list[tuple[str, str]] = []
        for index, text in enumerate(table.texts(kind), 1):
            first, _, second = text.partition(" - ")
            for end in (first, second):
                if end not in sites:
                    raise table.invalid(
                        f"{kind}[{index}]", f"{end!r} is no place of the board; the form is 'a/x - a/y'"
                    )
            if (first, second) in pairs or first == second:
                raise table.invalid(f"{kind}[{index}]", f"{text!r} stands twice or joins a place to itself")
            pairs.append((first, second))
        links[kind] = tuple(pairs)
    return links


def _lengths(table: DocumentTable, key: str) -> tuple[float, ...]:
    size = table.sequence(key, longest=2)
    if not size or not all(_is_number(v) and 0 < v <= 500 for v in size):
        raise table.invalid(key, "must be one or two lengths in millimetres")
    return tuple(float(v) for v in size)


def _features(
    table: DocumentTable, lattice: TriangularLattice, grid: SquareGrid | None, places: set[str]
) -> dict[str, str]:
    result: dict[str, str] = {}
    for name in table:
        text = table.text(name, longest=60)
        site = text if text in places else lattice.canonical(text) or (grid.canonical(text) if grid else None)
        if site is None:
            raise table.invalid(name, f"is {text!r}, which is no place of this board")
        if site in result.values():
            raise table.invalid(name, f"lies on {site}, where another of its kind lies already")
        result[name] = site
    return result


def _markers(table: DocumentTable, size: Point) -> Markers:
    table.only("dictionary", "side", "quiet_zone", "first_id", "centres")
    dictionary = table.choice("dictionary", tuple(DICTIONARIES))
    count = DICTIONARIES[dictionary]
    side, first = table.number("side", 5, 200), table.integer("first_id", 0, count - 1)
    centres: dict[int, Point] = {}
    for index, value in enumerate(table.sequence("centres", longest=count - first)):
        place = DocumentTable({"centre": value}, table.source, table.at(f"centres[{index + 1}]"))
        x, y = _point(place, "centre", 10_000)
        if not (side / 2 <= x <= size[0] - side / 2 and side / 2 <= y <= size[1] - side / 2):
            raise place.invalid("", "puts a marker over the sheet's edge")
        if any(max(abs(x - other[0]), abs(y - other[1])) < side for other in centres.values()):
            raise place.invalid("", "puts a marker over another one")
        centres[first + index] = (x, y)
    if len(centres) < 4:
        raise table.invalid("centres", "needs at least four markers, well spread")
    return Markers(dictionary, side, table.number("quiet_zone", 0, 50), MappingProxyType(centres))


def _patches(table: DocumentTable) -> tuple[Patch, ...]:
    if not table.values:
        return ()
    table.only("side", "patch")
    side = table.number("side", 1, 100)
    result = []
    for patch in table.tables("patch", longest=40):
        patch.only("name", "centre", "rgb")
        rgb = patch.integers("rgb", 0, 255, longest=3)
        if len(rgb) != 3:
            raise patch.invalid("rgb", "must be three numbers")
        result.append(
            Patch(patch.text("name", longest=40), _point(patch, "centre", 10_000), side, (rgb[0], rgb[1], rgb[2]))
        )
    return tuple(result)


def _piece(table: DocumentTable, palette: tuple[str, ...], known: Mapping[str, Piece]) -> Piece:
    table.only(
        "name", "shape", "size", "height", "labels", "lies_on", "raised_by", "without", "oriented", "stacked", "top",
        "bare",
    )  # fmt: skip
    name = table.text("name", longest=40)
    if name in known:
        raise table.invalid("name", f"{name!r} is described twice")
    size = _lengths(table, "size")
    raised_by = table.text("raised_by", "", longest=40)
    if raised_by and raised_by not in known:
        raise table.invalid("raised_by", f"names {raised_by!r}, which is not described above it")
    labels = palette if table.values.get("labels") == "palette" else table.texts("labels", longest=200)
    if not labels or EMPTY in labels or len(set(labels)) != len(labels):
        raise table.invalid("labels", "must name each look of the piece once")
    stacked = table.flag("stacked", False)
    if stacked and labels != tuple(map(str, range(1, len(labels) + 1))):
        raise table.invalid("labels", "must count 1, 2, 3, ... for pieces that stand on one another")
    bare = frozenset(table.texts("bare", optional=True))
    if not bare <= set(labels):
        raise table.invalid("bare", f"names {min(bare - set(labels))!r}, which is no label of this piece")
    return Piece(
        name,
        table.choice("shape", SHAPES),
        size,
        table.number("height", 0, 500),
        labels,
        table.text("lies_on", longest=40),
        raised_by,
        frozenset(table.texts("without", optional=True)),
        table.flag("oriented", False),
        stacked,
        table.choice("top", TOPS, "flat"),
        bare,
    )
