"""A game's rules on paper: topics in two columns, each rule with its source in small print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import RUBRIC, SEPIA, Rgb
from calibration.drawing.ink import Ink, text_width
from calibration.sheets import MARGIN, PAPERS

_TITLE = 4.2
"""Letter height (mm) of the title."""
_TOPIC = 2.8
"""Letter height (mm) of a topic's heading."""
_TEXT = 2.0
"""Letter height (mm) of a rule."""
_SOURCE = 1.4
"""Letter height (mm) of a source."""
_LEADING = 1.9
"""Line spacing in letter heights."""
_GUTTER = 8.0
"""Distance (mm) between the columns."""
_HEADER = 12.0
"""Height (mm) of the title's space."""


@dataclass(frozen=True, slots=True)
class PrintedRule:
    """A rule's text, and its source or ""."""

    text: str
    source: str


@dataclass(frozen=True, slots=True)
class Topic:
    """A heading and its rules."""

    heading: str
    rules: tuple[PrintedRule, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    height: float
    colour: Rgb
    before: float


def rules_pdf(title: str, topics: Sequence[Topic]) -> bytes:
    """A4 pages of rules under a title."""
    width, height = PAPERS["A4"]
    column = (width - 2 * MARGIN - _GUTTER) / 2
    ink = Ink(title)
    top, low = MARGIN + _HEADER, height - MARGIN
    y, side, page = low + 1.0, 1, 0
    for topic in topics:
        for lines in _blocks(topic, column):
            tall = sum(line.before + line.height * _LEADING for line in lines)
            if y + tall > low:
                side = 1 - side
                y = top
                if side == 0:
                    page += 1
                    ink.page(width, height)
                    ink.text(MARGIN, MARGIN + 3, title, _TITLE, RUBRIC, anchor="start", widest=width - 4 * MARGIN)
                    ink.text(width - MARGIN, MARGIN + 3, str(page), _TEXT, SEPIA, anchor="end")
            for line in lines:
                y += line.before + line.height * _LEADING
                x = MARGIN + side * (column + _GUTTER)
                ink.text(x, y, line.text, line.height, line.colour, anchor="start", widest=column)
    return ink.pdf()


def _blocks(topic: Topic, column: float) -> Iterator[list[_Line]]:
    """Groups of lines that stay together: each rule with its source, the first also with the heading."""
    heading = [_Line(text, _TOPIC, RUBRIC, 3.0) for text in _wrapped(topic.heading, _TOPIC, column)]
    for rule in topic.rules:
        parts = [part for part in rule.text.split("\n") if part]
        block = [
            _Line(text, _TEXT, DARK, 1.6 if k == 0 else 0.0)
            for part in parts
            for k, text in enumerate(_wrapped(part, _TEXT, column))
        ]
        source = enumerate(_wrapped(rule.source, _SOURCE, column))
        block += [_Line(text, _SOURCE, SEPIA, 0.5 if k == 0 else 0.0) for k, text in source]
        yield heading + block
        heading = []


def _wrapped(text: str, height: float, width: float) -> Iterator[str]:
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, height) > width:
            yield line
            longer = word
        line = longer
    if line:
        yield line
