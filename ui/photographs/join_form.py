"""Joining a game under way: read the board, ask for what no picture shows, and let the user check it. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path

from companion.errors import InvalidDocument
from companion.photographs.joining import joined_position, refuse_what_is_left_out, seated, table_as_it_lies
from companion.photographs.questions import Question
from companion.position import Position
from companion.registry import load_game
from companion.table import Table
from ui.photographs.answers import AnswerSheet
from ui.photographs.photograph_form import PhotographForm
from ui.photographs.reading import PhotographReading, reason_of
from ui.photographs.spots_page import SpotsPage
from ui.photographs.taking import NO_CAMERA, PhotographSource
from ui.services.file_list import FileList
from ui.services.files import read_game
from ui.services.text import _, error_text, translated_texts
from ui.table.composing import holdings_of
from ui.view_models.form_view import (
    BoardShown,
    Note,
    Picks,
    Row,
    SectionHeading,
    ShownPicture,
    Tone,
    pick,
    way_on,
)
from ui.view_models.play_view import PieceState, PieceView
from vision.pictures import read_picture

POSITIONS = frozenset({".toml", ".json", ".jsonl"})


class JoinPage(StrEnum):
    """Where the form is."""

    WAY = "way"
    FILES = "files"
    SPOTS = "spots"
    ANSWERS = "answers"
    LOOK = "look"


BEFORE = {JoinPage.FILES: JoinPage.WAY, JoinPage.SPOTS: JoinPage.WAY, JoinPage.ANSWERS: JoinPage.SPOTS}


class JoinForm(PhotographForm):
    """Leads from a table to a position, which `begin` gets."""

    def __init__(self, table: Table, begin: Callable[[Position], None], source: PhotographSource = NO_CAMERA) -> None:
        super().__init__(source)
        self._table, self._begin = table, begin
        self._game, self._texts = load_game(table.game), translated_texts(table.game)
        self._positions = FileList(POSITIONS, source.folder, _("There is no position and no record here."))
        self._files = self._pictures
        self._position: Position | None = None
        self.page = JoinPage.WAY

    def heading(self) -> str:
        """The heading of the page."""
        match self.page:
            case JoinPage.WAY | JoinPage.FILES:
                return _("Join a game under way")
            case JoinPage.SPOTS:
                return _("The board as it lies")
            case JoinPage.ANSWERS:
                return _("What no camera sees")
            case JoinPage.LOOK:
                return _("Is it so?")

    def rows(self) -> Sequence[Row]:
        """The page."""
        match self.page:
            case JoinPage.WAY:
                return self._way_rows()
            case JoinPage.FILES:
                return self._files.rows() if not self._problem else [Note(self._problem, Tone.BAD), *self._files.rows()]
            case JoinPage.SPOTS:
                return self._spots_rows()
            case JoinPage.ANSWERS:
                return self._answer_rows()
            case JoinPage.LOOK:
                return self._look_rows()

    def picture(self) -> ShownPicture | None:
        """The photograph while its spots are looked at."""
        return self._taking.shown if self.page is JoinPage.SPOTS and self.board() is None else None

    def board(self) -> BoardShown | None:
        """The board with the pieces known so far."""
        if self.page is JoinPage.LOOK and self._position is not None:
            look = self._game.appearance(self._position.state)
            pieces = (PieceView(spot, label, PieceState.PLACED) for spot, label in look.items())
            return BoardShown(self._table.board, tuple(pieces))
        shown = self._spots is not None and (self.page is JoinPage.ANSWERS or self._spots.shows_board)
        if self._spots is None or not shown or self.page not in (JoinPage.SPOTS, JoinPage.ANSWERS):
            return None
        return self._spots.board()

    def touch(self, key: str, value: str) -> None:
        """Something was touched or written."""
        match key.partition(" ")[0]:
            case "way":
                self._go(value)
            case "files":
                path = self._files.touch(value)
                if path is not None and self._files is self._pictures:
                    self.page = JoinPage.WAY
                    self._taking.start(partial(read_picture, path), self._table.board)
                elif path is not None:
                    self._take(path)
            case _:
                super().touch(key, value)

    def tick(self) -> None:
        """Take the reading once it is there."""
        reading = self._taking.poll()
        if reading is not None:
            self._look_at(reading)

    def back(self) -> bool:
        """One page back."""
        if self.page is JoinPage.WAY:
            return False
        if self.page is JoinPage.LOOK:
            self.page = JoinPage.ANSWERS if self._spots is not None else JoinPage.WAY
        else:
            self.page = BEFORE[self.page]
        self._problem = ""
        return True

    def _go(self, way: str) -> None:
        self._problem = ""
        match way:
            case "pictures" | "positions":
                self._files = self._pictures if way == "pictures" else self._positions
                self.page = JoinPage.FILES
            case "camera" if self._photograph is not None:
                self._taking.start(self._photograph, self._table.board)
            case "touch":
                self._taking.leave()
                look = self._game.appearance(self._game.setup(self._table))
                self._look_at(PhotographReading(look, (), {}))
            case "answers":
                self._ask()
            case "look":
                self._find()
            case "begin" if self._position is not None:
                self._begin(self._position)

    def _look_at(self, reading: PhotographReading) -> None:
        sheets = self._game.photograph_scoring.sheets(self._table)
        self._spots = SpotsPage(self._table.board, self._texts, reading, self._board_problem, sheets=sheets)
        self._answers, self._problem, self.page = AnswerSheet(), "", JoinPage.SPOTS

    def _take(self, path: Path) -> None:
        """Go on from the position, or the end of the record, in a file."""
        try:
            found = read_game(str(path))
            refuse_what_is_left_out(found.position, str(path))
            position = seated(found.position, self._table)
        except InvalidDocument as error:
            self._problem = error_text(error)
            return
        if found.ended or self._game.decide(position.state) is None:
            self._problem = self._texts.prompts["over"]
            return
        self._position = position
        self._spots, self._problem, self.page = None, "", JoinPage.LOOK

    def _board_problem(self, look: Mapping[str, str]) -> str:
        try:
            joined_position(self._game, self._table, look, {})
        except InvalidDocument as error:
            return reason_of(error)
        return ""

    def _questions(self) -> tuple[Question, ...]:
        """The questions for this board.

        Raises InvalidDocument if the board breaks the rules.
        """
        look = self._look()
        return self._game.mid_game_joining.questions(table_as_it_lies(self._game, self._table, look), look)

    def _answered(self, texts: Mapping[str, str]) -> Position:
        return joined_position(self._game, self._table, self._look(), texts)

    def _open_spots(self) -> SpotsPage | None:
        return self._spots if self.page is JoinPage.SPOTS else None

    def _ask(self) -> None:
        try:
            self._questions()
        except InvalidDocument as error:
            self._problem = reason_of(error)
            return
        self.page = JoinPage.ANSWERS

    def _find(self) -> None:
        found = self._position_from_answers([player.name for player in self._table.players])
        if found is not None:
            self._position, self.page = found, JoinPage.LOOK

    def _way_rows(self) -> list[Row]:
        ways = [pick("touch", _("I show it by touch"))]
        if self._photograph is not None:
            ways.insert(0, pick("camera", _("The camera looks")))
        ways += [pick("pictures", _("From a photograph")), pick("positions", _("From a position or record file"))]
        rows: list[Row] = [
            Note(_("Finish the turn that is under way; the game goes on at the beginning of the next one.")),
            SectionHeading(_("How does the board lie?")),
            Picks("way", tuple(ways), 1),
        ]
        return [*rows, *self._taking.notes()]

    def _spots_rows(self) -> list[Row]:
        rows = self._spots.rows() if self._spots is not None else []
        if self._problem:
            rows.append(Note(self._problem, Tone.BAD))
        if self._spots is not None and self._spots.covered():
            return rows
        return [*rows, way_on("answers", _("Next"))]

    def _answer_rows(self) -> list[Row]:
        rows = self._answers.rows(self._questions(), [player.name for player in self._table.players])
        if self._problem:
            rows.append(Note(self._problem, Tone.BAD))
        return [*rows, way_on("look", _("Next"))]

    def _look_rows(self) -> list[Row]:
        if self._position is None:
            return []
        state = self._position.state
        rows: list[Row] = [Note(self._texts.prompt(self._game, state))]
        for seat, player in enumerate(state.table.players, 1):
            held = holdings_of(self._game.holdings(state, seat), self._texts)
            rows += [SectionHeading(player.name), Note("; ".join(f"{name}: {amount}" for name, amount in held))]
        gone = [state.table.players[seat - 1].name for seat in sorted(self._position.left)]
        rows += [Note(_("{name} has left. The others go on.").format(name=name)) for name in gone]
        rows.append(Note(_("What was played before is not in the record and cannot be undone.")))
        return [*rows, way_on("begin", _("Go on from here"))]
