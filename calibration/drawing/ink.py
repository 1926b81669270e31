"""Drawing in millimetres: vector pages that become one PDF, from which every picture is made.

Origin at the page's top-left corner, x right, y down, angles in degrees clockwise as seen. Colours are sRGB, 0 to 255.
The bytes of a document depend only on what is drawn.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from reportlab import rl_config
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from calibration.drawing.colours import Rgb
from companion.board.lattice import Point

rl_config.useA85 = 0
"""pages as bytes: as text they are a sixth larger, 64 against 56 kB of the sheets of City of Marble"""

PathStep = tuple[str, *tuple[float, ...]]
"""A step of a path: ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y) or ("Z",), as in SVG."""

FONT = "MarbleSerif"
CAP_HEIGHT = 0.6885
"""Height of the font's capitals over its size."""


class Ink:
    """A pen on the pages of a PDF document."""

    def __init__(self, title: str) -> None:
        self._stream = io.BytesIO()
        self._canvas = Canvas(self._stream, pageCompression=1, invariant=1)
        _font()
        self._canvas.setTitle(title)
        self._canvas.setCreator("companion print")
        self._open = False

    def page(self, width: float, height: float) -> None:
        """Begin a page of this size."""
        self._close_page()
        self._canvas.setPageSize((width * mm, height * mm))
        self._canvas.translate(0, height * mm)
        self._canvas.scale(mm, -mm)
        self._canvas.setLineJoin(1)
        self._open = True

    def pdf(self) -> bytes:
        """The finished document; nothing can be drawn afterwards."""
        self._close_page()
        self._canvas.save()
        return self._stream.getvalue()

    def _close_page(self) -> None:
        if self._open:
            self._canvas.showPage()
            self._open = False

    @contextmanager
    def placed(self, x: float, y: float, angle: float = 0.0, scale: float = 1.0) -> Iterator[None]:
        """Draw in a frame with its origin here, turned and scaled."""
        self._canvas.saveState()
        self._canvas.translate(x, y)
        self._canvas.rotate(angle)
        self._canvas.scale(scale, scale)
        try:
            yield
        finally:
            self._canvas.restoreState()

    @contextmanager
    def clipped(self, points: Sequence[Point]) -> Iterator[None]:
        """Draw only inside a polygon."""
        self._canvas.saveState()
        self._canvas.clipPath(self._polyline(points, closed=True), stroke=0, fill=0)
        try:
            yield
        finally:
            self._canvas.restoreState()

    @contextmanager
    def group(self, name: str, width: float, height: float) -> Iterator[None]:
        """Record drawing commands as a form that can be stamped any number of times with `stamp`; not inside a page."""
        self._canvas.beginForm(name, 0, 0, width * mm, height * mm)
        self._canvas.translate(0, height * mm)
        self._canvas.scale(mm, -mm)
        self._canvas.setLineJoin(1)
        try:
            yield
        finally:
            self._canvas.endForm()

    def stamp(self, name: str, height: float) -> None:
        """Draw a recorded group of this height with its top-left corner at the origin."""
        self._canvas.saveState()
        self._canvas.translate(0, height)
        self._canvas.scale(1 / mm, -1 / mm)
        self._canvas.doForm(name)
        self._canvas.restoreState()

    def polygon(
        self, points: Sequence[Point], fill: Rgb | None = None, stroke: Rgb | None = None, width: float = 0.2,
        dash: Sequence[float] = (),
    ) -> None:  # fmt: skip
        """A closed polygon."""
        self._draw(self._polyline(points, closed=True), fill, stroke, width, dash)

    def line(self, points: Sequence[Point], stroke: Rgb, width: float = 0.2, dash: Sequence[float] = ()) -> None:
        """A polyline with round ends."""
        self._canvas.setLineCap(0 if dash else 1)
        self._draw(self._polyline(points, closed=False), None, stroke, width, dash)

    def path(
        self, commands: Sequence[PathStep], fill: Rgb | None = None, stroke: Rgb | None = None, width: float = 0.2
    ) -> None:
        """A path of straight lines and Bézier curves."""
        path = self._canvas.beginPath()
        for command, *numbers in commands:
            match command:
                case "M":
                    path.moveTo(*numbers)
                case "L":
                    path.lineTo(*numbers)
                case "C":
                    path.curveTo(*numbers)
                case _:
                    path.close()
        self._draw(path, fill, stroke, width, ())

    def disc(
        self, x: float, y: float, radius: float, fill: Rgb | None = None, stroke: Rgb | None = None, width: float = 0.2,
        dash: Sequence[float] = (),
    ) -> None:  # fmt: skip
        """A circle."""
        path = self._canvas.beginPath()
        path.circle(x, y, radius)
        self._draw(path, fill, stroke, width, dash)

    def rectangle(
        self, x: float, y: float, width: float, height: float, fill: Rgb | None = None, stroke: Rgb | None = None,
        line: float = 0.2,
    ) -> None:  # fmt: skip
        """A rectangle with its top-left corner at (x, y)."""
        self.polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill, stroke, line)

    def text(
        self, x: float, y: float, text: str, height: float, colour: Rgb, *, anchor: str = "middle", bold: bool = False,
        spacing: float = 0.0, angle: float = 0.0, widest: float | None = None,
    ) -> None:  # fmt: skip
        """One line whose capitals, `height` mm high, are centred on y; x is its "start", "middle" or "end".

        `spacing` widens the gaps by that share of the height; a line wider than `widest` mm is set smaller.
        """
        length = text_width(text, height, spacing)
        if widest is not None and length > widest:
            height, length = height * widest / length, widest
        shift = {"start": 0.0, "middle": -length / 2, "end": -length}[anchor]
        self._canvas.saveState()
        self._canvas.translate(x, y)
        self._canvas.rotate(angle)
        self._canvas.translate(shift, height / 2)
        self._canvas.scale(1, -1)
        self._canvas.setFillColorRGB(*_shares(colour))
        writing = self._canvas.beginText(0, 0)
        writing.setFont(FONT, height / CAP_HEIGHT)
        writing.setCharSpace(spacing * height)
        if bold:
            self._canvas.setStrokeColorRGB(*_shares(colour))
            self._canvas.setLineWidth(0.09 * height)
            writing.setTextRenderMode(2)
        writing.textOut(text)
        self._canvas.drawText(writing)
        self._canvas.restoreState()

    def _polyline(self, points: Sequence[Point], *, closed: bool) -> PDFPathObject:
        path = self._canvas.beginPath()
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        if closed and len(points) == 4:
            # PDFium snaps the sides of plain rectangles to whole pixels; making one side a curve prevents that.
            (x0, y0), (x1, y1) = points[-1], points[0]
            path.curveTo(x0 + (x1 - x0) / 3, y0 + (y1 - y0) / 3, x1 - (x1 - x0) / 3, y1 - (y1 - y0) / 3, x1, y1)
        if closed:
            path.close()
        return path

    def _draw(
        self, path: PDFPathObject, fill: Rgb | None, stroke: Rgb | None, width: float, dash: Sequence[float]
    ) -> None:
        if fill is not None:
            self._canvas.setFillColorRGB(*_shares(fill))
        if stroke is not None:
            self._canvas.setStrokeColorRGB(*_shares(stroke))
            self._canvas.setLineWidth(width)
            self._canvas.setDash(list(dash))
        self._canvas.drawPath(path, stroke=int(stroke is not None), fill=int(fill is not None))


def text_width(text: str, height: float, spacing: float = 0.0) -> float:
    """The length (mm) of a line whose capitals are `height` mm high."""
    _font()
    return pdfmetrics.stringWidth(text, FONT, height / CAP_HEIGHT) + spacing * height * max(0, len(text) - 1)


def _shares(colour: Rgb) -> tuple[float, float, float]:
    red, green, blue = colour
    return red / 255, green / 255, blue / 255


@cache
def _font() -> str:
    """Register the font with reportlab, once."""
    path = Path(__file__).parent / "fonts" / "MarbleSerif-Regular.ttf"
    pdfmetrics.registerFont(TTFont(FONT, str(path)))
    return FONT
