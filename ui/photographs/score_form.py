"""The score from a photograph, page by page: picture, players, doubtful spots, further questions. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Any

from companion.engine import Option
from companion.errors import InvalidDocument
from companion.photographs.last_board import LastBoard
from companion.photographs.questions import Question
from companion.position import Position, bare_table
from companion.registry import GAMES, load_game, print_and_play_board
from companion.wording.sentences import translated
from ui.photographs.answers import AnswerSheet
from ui.photographs.photograph_form import PhotographForm
from ui.photographs.reading import PhotographReading, likely_colours, reading_problem, reason_of
from ui.photographs.scored_table import ScoredPhotograph
from ui.photographs.spots_page import SpotsPage
from ui.photographs.taking import NO_CAMERA, Photograph, PhotographSource
from ui.services.text import _, capitalised, players_text, translated_texts
from ui.view_models.form_view import (
    BoardShown,
    Field,
    Note,
    Picks,
    Row,
    SectionHeading,
    ShownPicture,
    Tone,
    pick,
    way_on,
)
from vision.pictures import read_picture


class ScorePage(StrEnum):
    """Where the form is."""

    PICTURE = "picture"
    FILES = "files"
    PLAYERS = "players"
    SPOTS = "spots"
    ANSWERS = "answers"


_PAGES = (ScorePage.PICTURE, ScorePage.PLAYERS, ScorePage.SPOTS, ScorePage.ANSWERS)


class ScoreForm(PhotographForm):
    """Leads from a picture to a score sheet, which `show_score` gets."""

    pages: tuple[ScorePage, ...] = _PAGES

    def __init__(
        self,
        show_score: Callable[[ScoredPhotograph], None],
        source: PhotographSource = NO_CAMERA,
        *,
        game: str = "",
    ) -> None:
        super().__init__(source)
        self._show_score = show_score
        self._colours: list[str] = []
        self._names: list[str] = []
        self._options: dict[str, str] = {}
        self._choose_game(game or next(iter(GAMES)))

    def heading(self) -> str:
        """The heading of the page."""
        if self.page is ScorePage.FILES:
            return _("Choose a photograph")
        place = self.pages.index(self.page) + 1
        return _("Score from a photograph") + f"  {place}/{len(self.pages)}"

    def rows(self) -> Sequence[Row]:
        """The page."""
        match self.page:
            case ScorePage.PICTURE:
                return self._picture_rows()
            case ScorePage.FILES:
                return self._pictures.rows()
            case ScorePage.PLAYERS:
                return self._player_rows()
            case ScorePage.SPOTS:
                return self._spot_rows()
            case ScorePage.ANSWERS:
                return self._answer_rows()

    def picture(self) -> ShownPicture | None:
        """The photograph, once there is one."""
        return None if self.page is ScorePage.FILES or self.board() is not None else self._taking.shown

    def board(self) -> BoardShown | None:
        """What was read, as a drawing."""
        if self._spots is None or not self._spots.shows_board or self.page is ScorePage.FILES:
            return None
        return self._spots.board()

    def touch(self, key: str, value: str) -> None:
        """Something was touched or written."""
        match key.partition(" ")[0]:
            case "game":
                self._choose_game(value)
            case "way":
                self._go(value)
            case "files":
                path = self._pictures.touch(value)
                if path is not None:
                    self.page = ScorePage.PICTURE
                    self._read(partial(read_picture, path))
            case "name":
                self._rename(int(key.split()[1]), value)
            case "colour":
                self._choose_colour(value)
            case "option":
                self._options[key.removeprefix("option ")] = value
            case _:
                super().touch(key, value)

    def tick(self) -> None:
        """Take the reading once it is there."""
        reading = self._taking.poll()
        if reading is None:
            return
        self._colours = list(likely_colours(self._game, self._board, reading.look))
        self._names = [""] * len(self._board.palette)
        self._look_at(reading)

    def _look_at(self, reading: PhotographReading) -> None:
        """Go on with what was read."""
        self._problem = ""
        self._spots = SpotsPage(self._board, self._texts, reading, self._reading_problem, last_board=self._last_board)
        self.page = self.pages[1]

    def back(self) -> bool:
        """One page back."""
        if self.page is ScorePage.PICTURE:
            return False
        before = ScorePage.PICTURE if self.page is ScorePage.FILES else self.pages[self.pages.index(self.page) - 1]
        self.page, self._problem = before, ""
        return True

    def _choose_game(self, game_id: str) -> None:
        self._game, self._board = load_game(game_id), print_and_play_board(game_id)
        self._texts = translated_texts(game_id)
        self._taking.forget()
        self.page = ScorePage.PICTURE
        self._spots = None
        self._colours = []
        self._names = []
        self._options = {}
        self._answers = AnswerSheet()
        self._problem = ""

    def _go(self, way: str) -> None:
        self._problem = ""
        if way == "files":
            self.page = ScorePage.FILES
        elif way == "camera" and self._photograph is not None:
            self._read(self._photograph)
        elif way == "next" and self.page is ScorePage.ANSWERS:
            self._finish()
        elif way == "picture":
            self.page = ScorePage.PICTURE
        elif way == "next" and (self.page is not ScorePage.SPOTS or self._may_be_scored()):
            self.page = self.pages[self.pages.index(self.page) + 1]

    def _read(self, take: Photograph) -> None:
        self._spots = None
        self._taking.start(take, self._board)

    def _finish(self) -> None:
        position = self._position_from_answers(self._seat_names())
        if position is not None:
            self._show_score(ScoredPhotograph(position, was_empty=not self._look()))

    def _open_spots(self) -> SpotsPage | None:
        return self._spots if self.page is ScorePage.SPOTS else None

    def _answered(self, texts: Mapping[str, str]) -> Position:
        return self._last_board(self._look()).position(texts)

    def _picture_rows(self) -> list[Row]:
        return self._game_rows() + self._way_rows()

    def _game_rows(self) -> list[Row]:
        games = tuple(
            pick(game, load_game(game).info.title, chosen=game == self._game.info.id) for game in GAMES
        )  # fmt: skip
        return [SectionHeading(_("Which game was it?")), Picks("game", games, 2)]

    def _way_rows(self) -> list[Row]:
        rows: list[Row] = [SectionHeading(_("A photograph of the whole board, with its markers"))]
        first, *others = self._ways()
        leads = self._spots is None
        picks = (pick(*first, leads=leads), *(pick(way, text) for way, text in others))
        rows.append(Picks("way", picks, 2))
        rows += self._taking.notes()
        if self._spots is not None:
            rows.append(way_on("next", _("Next")))
        return rows

    def _ways(self) -> list[tuple[str, str]]:
        """The ways to come to a board, by key, and what they are called."""
        camera = [("camera", _("Take one with the camera"))] if self._photograph is not None else []
        return [("files", _("Choose a picture file")), *camera]

    def _player_rows(self) -> list[Row]:
        rows: list[Row] = [
            SectionHeading(_("Who played, in turn order?")),
            Note(
                _("Colours that lie on the board are chosen already. Touch a colour to add it or leave it out.")
                if any(colour in self._look().values() for colour in self._board.palette)
                else _("No player's colour was seen on the board. Touch those that were played, in turn order.")
            ),
            Picks(
                "colour",
                tuple(
                    pick(colour, self._seat_of(colour) + capitalised(_(colour)), chosen=colour in self._colours)
                    for colour in self._board.palette
                ),
                2,
            ),
        ]
        for seat, colour in enumerate(self._colours, 1):
            rows.append(Field(f"name {seat}", _(colour), self._names[seat - 1], _("Player {seat}").format(seat=seat)))
        for option in self._asked_options():
            picks = tuple(
                pick(name, _(name), chosen=self._options.get(option.name, option.names[0]) == name)
                for name in option.names
            )
            rows += [SectionHeading(_(option.name).capitalize()), Picks(f"option {option.name}", picks, 2)]
        if not self._game.info.can_play(len(self._colours)):
            text = _("{players} can play.").format(players=players_text(self._game.info))
            return [*rows, Note(text, Tone.BAD)]
        return [*rows, way_on("next", _("Next"))]

    def _asked_options(self) -> list[Option]:
        """The set-up outcomes with one answer that the board does not show."""
        shown = self._game.photograph_scoring.set_up(self._board, self._look())
        options = self._game.options(bare_table(self._game.info.id, self._board))
        return [option for option in options if option.count == 1 and option.name not in shown]

    def _spot_rows(self) -> list[Row]:
        rows = self._spots.rows(tuple(self._colours), tuple(self._options.items())) if self._spots is not None else []
        if not self._look():
            rows.insert(0, Note(_("Nothing was found on the board."), Tone.BAD))
        if self._may_be_scored():
            return [*rows, way_on("next", _("Next"))]
        return [*rows, Picks("way", (pick("picture", _("Another photograph")),), 1)]

    def _may_be_scored(self) -> bool:
        """Whether no spot is covered any more and the pieces make a possible table."""
        if self._spots is None or self._spots.covered():
            return False
        try:
            self._questions()
        except InvalidDocument:
            return False
        return True

    def _reading_problem(self, look: Mapping[str, str]) -> str:
        return translated(reading_problem(self._last_board(look)), _)

    def _last_board(self, look: Mapping[str, str]) -> LastBoard:
        return LastBoard(self._game, self._board, self._entries(), look)

    def _answer_rows(self) -> list[Row]:
        try:
            rows = self._answers.rows(self._questions(), self._seat_names())
        except InvalidDocument as error:
            return [Note(reason_of(error), Tone.BAD)]
        if not rows:
            rows.append(Note(_("Nothing has to be asked."), Tone.GOOD))
        if self._problem:
            rows.append(Note(self._problem, Tone.BAD))
        return [*rows, way_on("next", _("Show the score"))]

    def _questions(self) -> tuple[Question, ...]:
        return self._last_board(self._look()).questions

    def _entries(self) -> dict[str, Any]:
        players = [{"name": self._name(seat), "colour": colour} for seat, colour in enumerate(self._colours, 1)]
        return {"players": players, "rulings": {}, **{name: [value] for name, value in self._options.items()}}

    def _seat_names(self) -> list[str]:
        return [self._name(seat) for seat in range(1, len(self._colours) + 1)]

    def _name(self, seat: int) -> str:
        return self._names[seat - 1] or _("Player {seat}").format(seat=seat)

    def _seat_of(self, colour: str) -> str:
        return f"{self._colours.index(colour) + 1}. " if colour in self._colours else ""

    def _rename(self, seat: int, name: str) -> None:
        self._names[seat - 1] = " ".join(name.split())[:60]

    def _choose_colour(self, colour: str) -> None:
        if colour in self._colours:
            place = self._colours.index(colour)
            del self._colours[place], self._names[place]
            self._names.append("")
        else:
            self._colours.append(colour)
