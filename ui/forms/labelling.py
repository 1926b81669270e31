"""Saying what lies on the spots of one photograph, from which pieces are learnt: proposals confirmed in groups, single
spots by touch. No Kivy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from companion.board.layout import EMPTY, Board
from ui.photographs.reading import UNSURE
from ui.services.text import _, capitalised
from ui.view_models.form_view import Note, Picks, PictureMark, Point, Row, SectionHeading, Tone, outline_mark, pick
from vision.location.flat_pose import Projection
from vision.spots.spot_profile import can_be_taught
from vision.spots.spot_reader import SpotReading

NOTHING, REST = "nothing", "rest"
"""the brush for spots on which nothing lies; the group of all spots of which nothing is said yet"""
_NEAR = 1.0
"""A touch means a spot within this many of the piece's lengths."""


@dataclass(frozen=True, slots=True)
class LabelGroup:
    """Spots that are proposed to show the same; `is_sure` says whether they were all read surely."""

    piece: str
    label: str
    is_sure: bool
    spots: tuple[str, ...]

    @property
    def key(self) -> str:
        """The group's name in `Labelling.touch`."""
        return f"{self.piece}/{self.label}/{'sure' if self.is_sure else 'doubtful'}"


class Labelling:
    """The labels of one photograph's spots. `said` puts a piece's label into words."""

    def __init__(self, board: Board, pose: Projection, said: Callable[[str], str]) -> None:
        self._board, self._said = board, said
        self._spots = {spot.name: spot for spot in board.spots.values() if can_be_taught(board.pieces[spot.piece])}
        tops = [[*spot.centre, spot.base + spot.height] for spot in self._spots.values()]
        self._pixels = dict(zip(self._spots, pose.project(tops), strict=True)) if tops else {}
        self._outlines = {
            name: outline_mark(pose.project([(x, y, spot.base + spot.height) for x, y in spot.outline]))
            for name, spot in self._spots.items()
        }
        self.labels: dict[str, str] = {}
        """spot -> label of what the user said or confirmed"""
        self._proposed: dict[str, tuple[str, bool]] = {}
        self._brush: tuple[str, str] | None = None

    def propose(self, reading: SpotReading) -> None:
        """Propose what was read on the spots of which nothing is said yet."""
        likeliest = {spot: reading.likeliest(spot) for spot in self._spots if spot in reading.posteriors}
        self._proposed = {spot: (label, chance >= UNSURE) for spot, (label, chance) in likeliest.items()}

    def groups(self) -> tuple[LabelGroup, ...]:
        """The proposals that wait, the sure ones first."""
        found: dict[tuple[bool, str, str], list[str]] = {}
        for spot, (label, is_sure) in self._proposed.items():
            if spot not in self.labels:
                found.setdefault((not is_sure, self._spots[spot].piece, label), []).append(spot)
        return tuple(
            LabelGroup(piece, label, not doubtful, tuple(spots))
            for (doubtful, piece, label), spots in sorted(found.items())
        )

    @property
    def waiting(self) -> tuple[str, ...]:
        """The spots of which nothing is said yet."""
        return tuple(spot for spot in self._spots if spot not in self.labels)

    @property
    def can_teach(self) -> bool:
        """Whether the labels said so far show two looks of one kind of piece."""
        looks: dict[str, set[str]] = {}
        for spot, label in self.labels.items():
            looks.setdefault(self._spots[spot].piece, set()).add(label)
        return any(len(labels) > 1 for labels in looks.values())

    def touch(self, key: str, value: str) -> None:
        """A group was confirmed or a brush chosen."""
        if key == "confirm" and value == REST:
            self.labels |= dict.fromkeys(self.waiting, EMPTY)
        elif key == "confirm":
            for group in self.groups():
                if group.key == value:
                    self.labels |= dict.fromkeys(group.spots, group.label)
        elif key == "brush":
            piece, _slash, label = value.partition("/")
            brush = (piece, "" if label == NOTHING else label)
            self._brush = None if brush == self._brush else brush

    def tap(self, place: Point) -> None:
        """The brush's label is put on the spot touched, or taken off again."""
        if self._brush is None:
            return
        piece, label = self._brush
        near = [name for name, spot in self._spots.items() if spot.piece == piece]
        off = {name: float(np.linalg.norm(self._pixels[name] - np.array(place))) for name in near}
        nearest = min(off, key=off.__getitem__, default="")
        if not nearest or off[nearest] > _NEAR * self._length(nearest):
            return
        if self.labels.get(nearest) == label:
            del self.labels[nearest]
        else:
            self.labels[nearest] = label

    def rows(self) -> list[Row]:
        """The groups to confirm, and the brushes."""
        rows: list[Row] = []
        groups = self.groups()
        if groups:
            rows.append(SectionHeading(_("As it was read: one touch confirms a group")))
            rows.append(Picks("confirm", tuple(pick(group.key, self._group_text(group)) for group in groups), 2))
        rows.append(SectionHeading(_("Choose what lies there, then touch each of its spots")))
        brushes = [
            pick(f"{piece}/{label or NOTHING}", self._label_text(piece, label), chosen=self._brush == (piece, label))
            for piece in dict.fromkeys(spot.piece for spot in self._spots.values())
            for label in (*self._board.pieces[piece].labels, EMPTY)
        ]
        rows.append(Picks("brush", tuple(brushes), 3))
        count = _("{count} of {all} spots are labelled").format(count=len(self.labels), all=len(self._spots))
        rows.append(Note(count, Tone.GOOD if self.can_teach else Tone.ASKING))
        if self.labels and self.waiting:
            rows.append(Picks("confirm", (pick(REST, _("Nothing lies on all the others")),), 1))
        return rows

    def marks(self) -> Sequence[PictureMark]:
        """The spots: said ones, proposed ones, and the brush's own highlighted."""
        marks = []
        for name, spot in self._spots.items():
            proposal = self._proposed[name][0] if name in self._proposed else None
            label, outline = self.labels.get(name, proposal), self._outlines[name]
            tone = Tone.GOOD if name in self.labels else Tone.ASKING if proposal is not None else Tone.PLAIN
            chosen = self._brush == (spot.piece, label)
            marks.append(PictureMark(outline.place, "", outline.outline, tone, chosen))
        return marks

    def _length(self, name: str) -> float:
        return float(np.ptp(np.array(self._outlines[name].outline), axis=0).max())

    def _group_text(self, group: LabelGroup) -> str:
        text = f"{self._label_text(group.piece, group.label)} ({len(group.spots)})"
        return text if group.is_sure else _("{group}, in doubt").format(group=text)

    def _label_text(self, piece: str, label: str) -> str:
        said = capitalised(self._said(label)) if label else _("nothing")
        kinds = {spot.piece for spot in self._spots.values()}
        return f"{piece}: {said}" if len(kinds) > 1 else said
