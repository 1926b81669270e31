"""Tracing a board of one's own on a photograph, page by page. No Kivy."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path

from companion.board.layout import load_board
from companion.errors import InvalidDocument
from companion.registry import GAMES, known_games, load_game
from ui.drawing.shapes import stroke
from ui.forms.tracing import GRAPH, GRID, Tracing, likely_size, straightened
from ui.printed.edition import keep_photograph
from ui.services.background import Background
from ui.services.file_list import FileList
from ui.services.text import _, error_text, translated_texts
from ui.view_models.form_view import (
    Field,
    FormModel,
    Note,
    Picks,
    PictureMark,
    Point,
    Row,
    SectionHeading,
    ShownPicture,
    Stepper,
    Tone,
    pick,
    way_on,
)
from vision.errors import VisionError
from vision.pictures import Image, read_picture

KEPT_SIDE = 2400
"""pixels along the longer side of the photograph that is kept as the board's sheet"""
REACH = 30.0
"""Distance (pixels of the straightened photograph) within which a touch means a site."""
STEP = 10
"""millimetres by which the size is changed"""
WIDE = 600.0


class TracingPage(StrEnum):
    """Where the form is."""

    START = "start"
    FILES = "files"
    CORNERS = "corners"
    SIZE = "size"
    PLACES = "places"
    SAVED = "saved"


ORDER = (TracingPage.START, TracingPage.CORNERS, TracingPage.SIZE, TracingPage.PLACES, TracingPage.SAVED)


class TracingForm(FormModel):
    """Leads from a photograph to a board file in `folder`. `photograph` takes a picture, None without a camera."""

    def __init__(
        self, folder: Path, photograph: Callable[[], Image] | None = None, *, pictures: Path | None = None
    ) -> None:
        self._folder, self._photograph = folder, photograph
        self._files = FileList(folder=pictures)
        self._work: Background[Image] = Background()
        self.page = TracingPage.START
        self._start = next(iter(GAMES))
        self._name = ""
        self._image: Image | None = None
        self._corners: list[Point] = []
        self._size: Point = (WIDE, WIDE)
        self._flat: Image | None = None
        self._scale = 1.0
        self._tracing: Tracing | None = None
        self._place, self._mode = "", "move"
        self._problem, self._saved = "", ""
        self._drawn: list[PictureMark] | None = None
        self._number = 0

    def heading(self) -> str:
        """The heading of the page."""
        if self.page is TracingPage.FILES:
            return _("Choose a photograph")
        return _("Trace a board") + f"  {ORDER.index(self.page) + 1}/{len(ORDER)}"

    def rows(self) -> Sequence[Row]:
        """The page."""
        rows = {
            TracingPage.START: self._start_rows,
            TracingPage.FILES: self._files.rows,
            TracingPage.CORNERS: self._corner_rows,
            TracingPage.SIZE: self._size_rows,
            TracingPage.PLACES: self._place_rows,
            TracingPage.SAVED: self._saved_rows,
        }[self.page]()
        if self._problem:
            rows.insert(min(2, len(rows)), Note(self._problem, Tone.BAD))
        return rows

    def picture(self) -> ShownPicture | None:
        """The photograph, straightened once its corners are known."""
        if self.page in (TracingPage.START, TracingPage.FILES):
            return None
        image = self._image if self.page is TracingPage.CORNERS else self._flat
        return ShownPicture(image, self._number) if image is not None else None

    def marks(self) -> Sequence[PictureMark]:
        """The corners, or later the sites: placed ones, waiting ones and the current one."""
        if self.page is TracingPage.CORNERS:
            return [
                PictureMark(corner, str(number), tone=Tone.ASKING) for number, corner in enumerate(self._corners, 1)
            ]
        tracing = self._tracing
        if self.page not in (TracingPage.PLACES, TracingPage.SAVED) or tracing is None:
            return ()
        return [
            PictureMark(
                (x * self._scale, y * self._scale),
                self._spoken(name) if name == self._place else "",
                tone=Tone.GOOD if name in tracing.moved else Tone.ASKING,
                chosen=name == self._place,
            )
            for name, (x, y) in tracing.places().items()
        ] + self._outlines(tracing)

    def touch(self, key: str, value: str) -> None:
        """Something was touched or written."""
        self._problem, self._drawn = "", None
        match key:
            case "start":
                self._start = value
            case "way":
                self._go(value)
            case "files":
                path = self._files.touch(value)
                if path is not None:
                    self.page = TracingPage.START
                    self._work.start(partial(read_picture, path))
            case "name":
                self._name = value
            case "width" | "height":
                self._resize(key, int(value) * STEP)
            case "columns" | "rows" if self._tracing is not None:
                self._problem = self._tracing.count(key, int(value))
            case "mode":
                self._mode = value
            case "place":
                self._place = value
            case "remove" if self._tracing is not None:
                self._tracing.remove(self._place)
                self._place = ""

    def tap(self, place: Point) -> None:
        """React to a touch on the photograph: a corner, a site, or the new position of a site."""
        self._problem, self._drawn = "", None
        if self.page is TracingPage.CORNERS:
            self._tap_corner(place)
        elif self.page is TracingPage.PLACES and self._tracing is not None:
            self._tap_place(self._tracing, place)

    def tick(self) -> None:
        """Take the photograph once it is there."""
        try:
            image = self._work.poll()
        except VisionError as error:
            self._problem = error_text(error)
            return
        if image is not None:
            self._image, self._corners, self._number = image, [], self._number + 1
            self.page = TracingPage.CORNERS

    def back(self) -> bool:
        """One page back."""
        self._problem = ""
        if self.page is TracingPage.START:
            return False
        self.page = TracingPage.START if self.page is TracingPage.FILES else ORDER[ORDER.index(self.page) - 1]
        self._number += 1
        return True

    def close(self) -> None:
        """Discard a picture that is still being read."""
        self._work.forget()

    def _go(self, way: str) -> None:
        match way:
            case "files":
                self.page = TracingPage.FILES
            case "camera" if self._photograph is not None:
                self._work.start(self._photograph)
            case "again":
                self._corners = []
            case "straighten":
                self._straighten()
            case "place":
                self._begin()
            case "save":
                self._save()

    def _straighten(self) -> None:
        self._size = likely_size(self._corners, WIDE)
        self._flatten()
        if self._flat is not None:
            self.page = TracingPage.SIZE

    def _flatten(self) -> None:
        if self._image is None:
            return
        try:
            self._flat, self._scale = straightened(self._image, self._corners, self._size)
        except ValueError as error:
            self._problem, self._corners = error_text(error), []
        self._number += 1

    def _resize(self, side: str, change: int) -> None:
        width, height = self._size
        self._size = (max(20.0, width + change), height) if side == "width" else (width, max(20.0, height + change))
        self._flatten()

    def _begin(self) -> None:
        try:
            self._tracing = Tracing(self._start, self._name or _("Own board"), self._size)
        except InvalidDocument as error:
            self._problem = error_text(error)
            return
        self._place, self._mode = next(iter(self._tracing.places())), "move"
        self.page = TracingPage.PLACES

    def _save(self) -> None:
        if self._tracing is None:
            return
        try:
            path = self._tracing.save(self._folder)
            if self._image is not None:
                sheet, _scale = straightened(self._image, self._corners, self._size, KEPT_SIDE)
                keep_photograph(load_board(path), sheet, self._folder)
            self._saved = str(path)
        except (InvalidDocument, OSError, ValueError) as error:
            self._problem = error_text(error)
            return
        self._place = ""
        self.page = TracingPage.SAVED

    def _tap_corner(self, place: Point) -> None:
        if len(self._corners) == 4:
            nearest = min(range(4), key=lambda index: math.dist(self._corners[index], place))
            self._corners[nearest] = place
        else:
            self._corners.append(place)

    def _tap_place(self, tracing: Tracing, place: Point) -> None:
        at = (place[0] / self._scale, place[1] / self._scale)
        places = tracing.places()
        near = [name for name in places if math.dist(places[name], at) * self._scale < REACH]
        nearest = min(near, key=lambda name: math.dist(places[name], at), default="")
        if self._mode == "add":
            try:
                self._place = tracing.add(at)
                tracing.moved.add(self._place)
            except InvalidDocument as error:
                self._problem = error.reason
        elif self._mode == "join":
            if self._place and nearest and nearest != self._place:
                tracing.join(self._place, nearest)
            self._place = nearest or self._place
        elif self._mode == "choose":
            self._place, self._mode = nearest or self._place, "move"
        elif self._place:
            self._problem = tracing.move(self._place, at)
            if not self._problem:
                self._place = next((name for name in places if name not in tracing.moved), self._place)

    def _start_rows(self) -> list[Row]:
        starts = [pick(game, load_game(game).info.title, chosen=game == self._start) for game in GAMES]
        starts += [
            pick(GRID, _("A grid of cells"), chosen=self._start == GRID),
            pick(GRAPH, _("Places and ways"), chosen=self._start == GRAPH),
        ]
        ways = [pick("files", _("Choose a picture file"), leads=True)]
        if self._photograph is not None:
            ways.append(pick("camera", _("Take one with the camera")))
        rows: list[Row] = [SectionHeading(_("What is played on it?")), Picks("start", tuple(starts), 2)]
        rows += [SectionHeading(_("A photograph of the empty board")), Picks("way", tuple(ways), 2)]
        if self._work.busy:
            rows.append(Note(_("Reading the photograph…"), Tone.ASKING))
        return rows

    def _corner_rows(self) -> list[Row]:
        count = len(self._corners)
        rows: list[Row] = [
            SectionHeading(_("Touch the four corners of the board")),
            Note(_("{count} of 4").format(count=count), Tone.GOOD if count == 4 else Tone.ASKING),
            Note(_("Draw the picture nearer with the button below it; a fifth touch moves the nearest corner.")),
        ]
        ways = [pick("again", _("Begin anew"))] if count else []
        if count == 4:
            ways.append(pick("straighten", _("Next"), leads=True))
        return [*rows, Picks("way", tuple(ways), 2)]

    def _size_rows(self) -> list[Row]:
        width, height = self._size
        return [
            SectionHeading(_("How large is the board?")),
            Stepper("width", _("Width in millimetres"), round(width), 20, 5000),
            Stepper("height", _("Height in millimetres"), round(height), 20, 5000),
            Field("name", _("What is it called?"), self._name, _("Own board")),
            way_on("place", _("Next")),
        ]

    def _place_rows(self) -> list[Row]:
        tracing = self._tracing
        if tracing is None:
            return []
        places = tracing.places()
        done = sum(name in tracing.moved for name in places)
        rows: list[Row] = []
        if self._start == GRAPH:
            rows += self._graph_rows()
        else:
            if self._place:
                text = _("Touch where this is: {place}").format(place=self._spoken(self._place))
                rows.append(SectionHeading(text))
            modes = (
                pick("move", _("Put in turn"), chosen=self._mode == "move"),
                pick("choose", _("Choose another"), chosen=self._mode == "choose"),
            )
            rows.append(Picks("mode", modes, 2))
        if self._start == GRID:
            grid = tracing.definition["grid"]
            rows += [
                Stepper("columns", _("Columns"), grid["columns"], 1, 26),
                Stepper("rows", _("Rows"), grid["rows"], 1, 99),
            ]
        rows.append(Note(_("{done} of {all} put in place").format(done=done, all=len(places))))
        waiting = [name for name in places if name not in tracing.moved][:6]
        if self._start != GRAPH and waiting:
            rows.append(
                Picks("place", tuple(pick(n, self._spoken(n), chosen=n == self._place) for n in waiting), 2)
            )  # fmt: skip
        rows.append(Note(_("The board holds as it is."), Tone.GOOD))
        return [*rows, way_on("save", _("Save the board"))]

    def _graph_rows(self) -> list[Row]:
        modes = (
            pick("add", _("Add places"), chosen=self._mode == "add"),
            pick("move", _("Move it"), chosen=self._mode == "move"),
            pick("choose", _("Choose another"), chosen=self._mode == "choose"),
            pick("join", _("Join by a way"), chosen=self._mode == "join"),
        )
        rows: list[Row] = [SectionHeading(_("Touch the places, then join them")), Picks("mode", modes, 2)]
        if self._place:
            taken = _("Take {place} away").format(place=self._spoken(self._place))
            rows.append(Picks("remove", (pick("it", taken),), 1))
        return rows

    def _saved_rows(self) -> list[Row]:
        return [
            SectionHeading(_("The board is saved")),
            Note(self._saved, Tone.GOOD),
            Note(_("It can be chosen when a game is set up. Teach its pieces to let the camera read it.")),
        ]

    def _spoken(self, place: str) -> str:
        anchors = {
            "grid first": _("the outer corner of the first cell"), "grid last": _("the outer corner of the last cell"),
            "lattice centre": _("the middle of the lattice"),
            "lattice side": _("the next crossing to the right of the middle"),
        }  # fmt: skip
        if place in anchors:
            return anchors[place]
        if place.startswith("slot ") and self._start in known_games():
            return translated_texts(self._start).label(place.removeprefix("slot "))
        return place.replace("/", " ") if self._start in known_games() else place.partition("/")[2]

    def _outlines(self, tracing: Tracing) -> list[PictureMark]:
        """The cells of a grid, the triangles of a lattice or the ways of a graph, as they lie now."""
        if self._drawn is None:
            self._drawn = self._outlined(tracing)
        return self._drawn

    def _outlined(self, tracing: Tracing) -> list[PictureMark]:
        board, scale = tracing.board(), self._scale
        if board.grid is not None:
            shapes = [board.grid.outline(cell) for cell in board.grid.cells]
        elif board.lattice.places:
            shapes = [
                tuple(board.lattice.places[corner] for corner in corners)
                for corners in board.lattice.triangle_corners.values()
            ]
        else:
            places = tracing.places()
            ways = [pair for pairs in board.links.values() for pair in pairs if pair[0] in places]
            shapes = [tuple(stroke(places[one], places[other], 2.0 / scale)) for one, other in ways]
        return [
            PictureMark(
                (shape[0][0] * scale, shape[0][1] * scale),
                outline=tuple((x * scale, y * scale) for x, y in shape),
                tone=Tone.PLAIN,
            )
            for shape in shapes
        ]
