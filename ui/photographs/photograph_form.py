"""What the forms share that read a board from a photograph: checking its spots and asking questions. No Kivy."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

from companion.errors import InvalidDocument
from companion.photographs.questions import Question
from companion.position import Position
from ui.photographs.answers import AnswerSheet
from ui.photographs.spots_page import SpotsPage
from ui.photographs.taking import PhotographSource, PhotographTaking
from ui.services.file_list import FileList
from ui.view_models.form_view import FormModel, PictureMark, Point


class PhotographForm(FormModel):
    """A form that leads from a photograph over its spots and some questions to a position."""

    def __init__(self, source: PhotographSource) -> None:
        self._photograph = source.camera
        self._taking = PhotographTaking(source)
        self._pictures = FileList(folder=source.folder)
        self._spots: SpotsPage | None = None
        self._answers = AnswerSheet()
        self._problem = ""

    def marks(self) -> Sequence[PictureMark]:
        """The doubtful spots and the current one."""
        spots = self._open_spots()
        return spots.marks() if spots is not None else ()

    def tap(self, place: Point) -> None:
        """Choose the spot nearest to a touch; touched again, the next spot of its site."""
        spots = self._open_spots()
        if spots is not None:
            spots.tap(place)

    def tap_site(self, site: str) -> None:
        """Choose the occupied spot of a touched site; touched again, the next of its spots."""
        spots = self._open_spots()
        if spots is not None:
            spots.tap_site(site)

    def touch(self, key: str, value: str) -> None:
        """Take an answer, or pass a touch to the page of spots; subclasses react to their own keys first."""
        if key.startswith("answer "):
            self._answers.touch(key.removeprefix("answer "), value)
            self._problem = ""
        elif self._spots is not None:
            self._spots.touch(key, value)

    def close(self) -> None:
        """Discard a reading under way."""
        self._taking.forget()

    @abstractmethod
    def _open_spots(self) -> SpotsPage | None:
        """The page of spots if it is the current one."""

    @abstractmethod
    def _questions(self) -> tuple[Question, ...]:
        """The questions for the board as it lies.

        Raises InvalidDocument if the board breaks the rules.
        """

    @abstractmethod
    def _answered(self, texts: Mapping[str, str]) -> Position:
        """The position of the board with these answers.

        Raises InvalidDocument for an answer that is not possible.
        """

    def _look(self) -> dict[str, str]:
        """Spot -> label of the occupied spots, as read and corrected."""
        return self._spots.look() if self._spots is not None else {}

    def _position_from_answers(self, names: Sequence[str]) -> Position | None:
        """The position by board and answers; None after a wrong answer, which is shown then. `names` are by seat."""
        questions: tuple[Question, ...] = ()
        try:
            questions = self._questions()
            return self._answered(self._answers.texts(questions, len(names)))
        except InvalidDocument as error:
            self._problem = self._answers.problem(error, questions, names)
            return None
