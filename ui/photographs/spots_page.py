"""The page on which the user checks and corrects the pieces on a board, read from a picture or entered by touch. No
Kivy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from companion.board.layout import EMPTY, Board
from companion.photographs.last_board import LastBoard
from companion.photographs.spots_to_ask import judged
from companion.wording.texts import GameTexts
from ui.photographs.reading import (
    MOST_COVERED,
    PhotographReading,
    corrected_look,
    open_spots,
    possible_labels,
)
from ui.services.text import _
from ui.view_models.form_view import BoardShown, Note, Picks, PictureMark, Point, Row, SectionHeading, Tone, pick
from ui.view_models.play_view import PieceState, PieceView

REACH = 25.0
"""Distance (mm) within which a touch means a spot."""
MOST_LABELS = 12

SpotProblem = Callable[[Mapping[str, str]], str]
"""why this board is impossible, for people; "" if it is possible"""


@dataclass(frozen=True, slots=True)
class _Open:
    """The board with the `corrections` so far, and the covered and doubtful spots that matter."""

    corrections: object = None
    look: Mapping[str, str] = field(default_factory=dict)
    covered: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()


class SpotsPage:
    """A board as read, with the user's corrections; `problem` returns why a board is impossible.

    Covered spots of the `sheets` on which something may lie are the first to be looked at, then doubtful ones; where
    the board is a `last_board` only those that may change its score, on the sheets that its table has.
    Without a photograph (a reading without pose) the board is drawn, else picture and drawing can be changed.
    """

    def __init__(
        self,
        board: Board,
        texts: GameTexts,
        reading: PhotographReading,
        problem: SpotProblem,
        *,
        sheets: Sequence[Board] = (),
        last_board: Callable[[Mapping[str, str]], LastBoard] | None = None,
    ) -> None:
        self.reading = reading
        self.has_picture = reading.pose is not None
        self.shows_board = not self.has_picture
        self._board, self._texts, self._problem = board, texts, problem
        self._sheet = board
        self._sheets, self._last_board = sheets or board.sheets, last_board
        self._corrected: dict[str, str] = {}
        self._reasons: tuple[object, ...] = ()
        self._open = _Open()
        self._composed: tuple[object, list[Row]] | None = None
        self._spot = next(iter(self._open_spots()), "")

    def look(self) -> dict[str, str]:
        """Spot -> label of the occupied spots; at the end of a game the most likely board by its rules."""
        return dict(self._opened().look)

    def covered(self) -> tuple[str, ...]:
        """The covered spots that matter and were not entered yet."""
        return self._opened().covered

    def rows(self, *reasons: object) -> list[Row]:
        """The rows of the page, composed anew only after a touch or if `reasons` changed, because ranking labels takes
        time.
        """
        self._reasons = reasons
        touched = (self._spot, self.shows_board, self._sheet.id, tuple(self._corrected.items()), reasons)
        if self._composed is None or self._composed[0] != touched:
            self._composed = touched, self._composed_rows()
        return list(self._composed[1])

    def touch(self, key: str, value: str) -> bool:
        """React to a touch; False if the row is not one of this page."""
        match key:
            case "view":
                self.shows_board = value == "board"
            case "sheet":
                self._sheet, self._spot = next(sheet for sheet in self._board.sheets if sheet.id == value), ""
            case "spot":
                self._spot = value
            case "label":
                self._corrected[self._spot] = value.removeprefix("=")
                self._spot = next(iter(self._open_spots()), "")
            case _:
                return False
        return True

    def tap(self, place: Point) -> None:
        """Choose the spot nearest to a touch; touched again, the next spot of its site."""
        if self.reading.pose is None:
            return
        x, y = (float(value) for value in self.reading.pose.to_board([place])[0])
        near = sorted(
            (self._distance(name, (x, y)), -spot.base, name)
            for name, spot in self._board.spots.items()
            if self._distance(name, (x, y)) < REACH
        )
        if near:
            self.tap_site(self._board.spots[near[0][2]].site)

    def tap_site(self, site: str) -> None:
        """Choose the occupied spot of a touched site; touched again, the next of its spots."""
        there, look = self._at(site), self.look()
        there.sort(key=lambda name: name not in look)
        if there:
            place = there.index(self._spot) + 1 if self._spot in there else 0
            self._spot = there[place % len(there)]

    def board(self) -> BoardShown:
        """What lies there, as a drawing."""
        unsure = set(self._open_spots())
        pieces = tuple(
            PieceView(spot, label, PieceState.PROPOSED if spot in unsure else PieceState.PLACED)
            for spot, label in self.look().items()
            if spot in self._sheet.spots
        )
        site = self._board.all_spots[self._spot].site if self._spot else ""
        return BoardShown(self._sheet, pieces, (site,) if site else ())

    def marks(self) -> Sequence[PictureMark]:
        """The doubtful spots and the current one, on the photograph."""
        pose = self.reading.pose
        if pose is None:
            return ()
        spots: dict[str, None] = dict.fromkeys(self._open_spots())
        if self._spot:
            spots[self._spot] = None
        marks = []
        for name in spots:
            spot = self._board.spots.get(name)
            if spot is None:
                continue
            corners = [(x, y, spot.base + spot.height) for x, y in spot.outline]
            middle, *outline = pose.project([(*spot.centre, spot.base + spot.height), *corners])
            marks.append(
                PictureMark(
                    (float(middle[0]), float(middle[1])),
                    "?" if name != self._spot else "",
                    tuple((float(x), float(y)) for x, y in outline),
                    Tone.ASKING,
                    chosen=name == self._spot,
                )
            )
        return marks

    def _composed_rows(self) -> list[Row]:
        rows: list[Row] = [self._view_picks()] if self.has_picture else []
        if len(self._board.sheets) > 1 and self.shows_board:
            sheets = tuple(pick(each.id, each.name, chosen=each is self._sheet) for each in self._board.sheets)
            rows.append(Picks("sheet", sheets, 2))
        covered, asked = self.covered(), self._open_spots()
        problem = self._problem(self.look())
        if len(covered) > MOST_COVERED:
            text = _(
                "Spots of the board that cannot be made out: {count}. "
                "Take another picture in even light, with nothing before it."
            )
            rows.append(Note(text.format(count=len(covered)), Tone.BAD))
        elif covered:
            text = _("Spots of the board that cannot be seen: {count}. Say what lies there, or take another picture.")
            rows.append(Note(text.format(count=len(covered)), Tone.BAD))
        if self.reading.untaught:
            pieces = ", ".join(map(_, self.reading.untaught))
            rows.append(Note(_("Never taught, taken as nothing: {pieces}.").format(pieces=pieces), Tone.ASKING))
        if self._spot:
            rows += self._label_rows()
        if asked:
            rows.append(SectionHeading(_("{count} to look at").format(count=len(asked))))
            picks = tuple(pick(spot, self._texts.spot(spot), chosen=spot == self._spot) for spot in asked[:8])
            rows.append(Picks("spot", picks, 2))
        elif not self._spot and self.has_picture:
            is_certain = not self.reading.doubts and not self.reading.covered
            text = _("Every spot was read with certainty.") if is_certain else _("Nothing in doubt changes the score.")
            rows.append(Note(text, Tone.GOOD))
        if problem:
            rows.append(Note(problem, Tone.BAD))
        if not self._spot and self.has_picture:
            rows.append(Note(_("If something is wrong all the same, touch it on the picture.")))
        elif not self._spot:
            rows.append(Note(_("Touch where something lies on your table, or lies no more, and say what it is.")))
        return rows

    def _label_rows(self) -> list[Row]:
        chances = self.reading.chances.get(self._spot, {})
        labels = possible_labels(self._board, self.look(), self._spot, chances, self._problem)
        current = self.look().get(self._spot, EMPTY)
        picks = tuple(
            pick(
                f"={label}",
                _(label) if label else _("nothing"),
                chosen=label == current,
                detail=f"{chances[label]:.0%}" if chances.get(label, 0.0) >= 0.01 else "",
            )
            for label in labels[:MOST_LABELS]
        )
        asked = _("What lies here: {spot}?").format(spot=self._texts.spot(self._spot))
        rows: list[Row] = [SectionHeading(asked), Picks("label", picks, 3)]
        others = [name for name in self._at(self._board.all_spots[self._spot].site) if name != self._spot]
        if others:
            rows.append(Picks("spot", tuple(pick(name, self._texts.spot(name)) for name in others), 2))
        return rows

    def _view_picks(self) -> Picks:
        return Picks(
            "view",
            (
                pick("picture", _("The photograph"), chosen=not self.shows_board),
                pick("board", _("As it was read"), chosen=self.shows_board),
            ),
            2,
        )

    def _at(self, site: str) -> list[str]:
        return [name for name, spot in self._board.all_spots.items() if spot.site == site]

    def _open_spots(self) -> list[str]:
        """The spots to check: first the covered ones, unless there are too many, then the doubtful ones."""
        covered, doubtful = self._opened().covered, self._opened().doubtful
        return [*(covered if len(covered) <= MOST_COVERED else ()), *doubtful]

    def _opened(self) -> _Open:
        """The board and its open spots, computed anew only after a correction."""
        corrections = tuple(self._corrected.items()), self._reasons
        if self._open.corrections != corrections:
            reading = self.reading
            look: Mapping[str, str] = corrected_look(self._board, reading.look, self._corrected)
            last = self._last_board(look) if self._last_board is not None else None
            sheets = last.sheets if last is not None else self._sheets
            covered = open_spots(self._board, sheets, reading.covered, look, self._corrected)
            chances = {spot: shares for spot, shares in reading.chances.items() if spot not in self._corrected}
            doubtful = [doubt.spot for doubt in reading.doubts if doubt.spot in chances]
            count: Collection[str] = {*doubtful, *covered}
            if last is not None:
                board = judged(last, chances, doubtful, covered)
                look, count = board.last.look, board.asked
            unseen, unsure = (tuple(name for name in names if name in count) for names in (covered, chances))
            self._open = _Open(corrections, look, unseen, unsure)
        return self._open

    def _distance(self, name: str, place: Point) -> float:
        x, y = self._board.spots[name].centre
        return float(((x - place[0]) ** 2 + (y - place[1]) ** 2) ** 0.5)
