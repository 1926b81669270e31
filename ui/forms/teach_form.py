"""Teaching a board without markers, or other pieces: the user touches its four corners on a picture. No Kivy.

What lies on the board while it is taught is what the open table's record says, nothing, or what the user says spot by
spot: proposals of what was learnt already are confirmed in groups (`ui.forms.labelling`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from calibration.errors import CalibrationError
from calibration.teaching import Lesson, TeachingResult, teach_from_pictures
from calibration.touched_corners import pose_at_corners
from companion.board.layout import EMPTY, Board
from companion.registry import known_games
from companion.wording.sentences import translated
from ui.forms.labelling import Labelling
from ui.hardware.taught_profiles import profile_file
from ui.photographs.reading import UNSURE
from ui.services.background import Background, stop_if_program_ends
from ui.services.file_list import FileList
from ui.services.text import _, capitalised, error_text, translated_texts
from ui.shell.shell import Shell
from ui.view_models.form_view import (
    BoardShown,
    FormModel,
    Note,
    Picks,
    PictureMark,
    Point,
    Row,
    SectionHeading,
    ShownPicture,
    Tone,
    pick,
    way_on,
)
from ui.view_models.play_view import PieceState, PieceView
from vision.errors import VisionError
from vision.location.board_pose import BoardNotFound
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator
from vision.pictures import Image, read_picture
from vision.spots.spot_profile import SpotProfile, load_spot_profile, save_spot_profile
from vision.spots.spot_reader import SpotReader, SpotReading

MOST_LESSONS = 4
MOST_MARKS = 1000
"""most outlines drawn on a picture"""


@dataclass(frozen=True, slots=True, eq=False)
class _Still:
    image: Image
    number: int
    by_camera: bool


class TeachForm(FormModel):
    """Takes pictures of one board, has its corners touched, reads them and learns from them."""

    def __init__(self, shell: Shell, board: Board, *, pictures: Path | None = None) -> None:
        self._shell, self._board = shell, board
        self._files = FileList(folder=pictures)
        self._is_choosing = self._is_by_camera = False
        self._work: Background[Image | TeachingResult] = Background()
        self._is_proposing = False
        self._labelling: Labelling | None = None
        self._still: _Still | None = None
        self._corners: list[Point] = []
        self._lessons: list[Lesson] = []
        self._reading: SpotReading | None = None
        self._pose: FlatPose | None = None
        self._shows_board = False
        self._problem = self._message = ""
        self._notes: tuple[str, ...] = ()
        self.profile: SpotProfile | None = None
        if self.profile_file.exists():
            try:
                self.profile = load_spot_profile(self.profile_file, board)
            except VisionError as error:
                self._problem = error_text(error)

    @property
    def profile_file(self) -> Path:
        """The profile file of this board."""
        return profile_file(self._shell.folder, self._board)

    def heading(self) -> str:
        """What the screen is about."""
        return _("Four corners, and teaching")

    def rows(self) -> Sequence[Row]:
        """What to do next."""
        if self._is_choosing:
            return self._files.rows()
        ways = [pick("file", _("Choose a picture file"), leads=self._still is None and not self._lessons)]
        if self._shell.devices.camera:
            ways.append(pick("camera", _("Take one with the camera")))
        rows: list[Row] = [SectionHeading(self._board.name), Picks("way", tuple(ways), 2)]
        if self._problem:
            rows.append(Note(self._problem, Tone.BAD))
        if self._message:
            rows.append(Note(self._message, Tone.GOOD))
        rows += [Note(note, Tone.ASKING) for note in self._notes]
        if self._work.busy:
            rows.append(Note(_("One moment…"), Tone.ASKING))
        elif self._still is not None:
            rows += self._corner_rows()
        elif not self._lessons:
            rows.append(Note(self._about()))
        if self._lessons:
            taken = _("{count} of {most} pictures to learn from").format(count=len(self._lessons), most=MOST_LESSONS)
            rows.append(Note(taken))
            if not self._work.busy:
                rows.append(way_on("learn", _("Learn from them")))
        elif self.profile is not None and not self._work.busy:
            rows.append(Picks("way", (pick("forget", _("Forget what was learnt of this board")),), 1))
        return rows

    def picture(self) -> ShownPicture | None:
        """The picture that was taken."""
        if self._still is None or self._is_choosing or self._shows_board:
            return None
        return ShownPicture(self._still.image, self._still.number)

    def board(self) -> BoardShown | None:
        """What was read, as a drawing."""
        reading = self._reading
        if reading is None or not self._shows_board or self._is_choosing:
            return None
        pieces = []
        for spot in reading.posteriors:
            label, chance = reading.likeliest(spot)
            if label != EMPTY:
                pieces.append(PieceView(spot, label, PieceState.PLACED if chance >= UNSURE else PieceState.PROPOSED))
        return BoardShown(self._board, tuple(pieces))

    def marks(self) -> Sequence[PictureMark]:
        """The corners, and the spots once the board is found."""
        marks = [PictureMark(corner, str(number), tone=Tone.ASKING) for number, corner in enumerate(self._corners, 1)]
        if self._labelling is None:
            return marks
        return [*marks, *self._labelling.marks()][:MOST_MARKS]

    def touch(self, key: str, value: str) -> None:
        """Something was touched."""
        self._problem, self._message, self._notes = "", "", ()
        match key, value:
            case "files", _choice:
                path = self._files.touch(value)
                if path is not None:
                    self._is_choosing = self._is_by_camera = False
                    self._work.start(partial(read_picture, path))
            case "way", "file":
                self._is_choosing = True
            case "way", "camera":
                self._is_by_camera = True
                self._work.start(self._shell.devices.photograph)
            case "way", "again":
                self._corners, self._pose, self._reading, self._labelling = [], None, None, None
            case "way", "here":
                self._shell.devices.place_corners(self._board, self._corners)
                self._message = _("The camera looks for the board there.")
            case "way", "forget":
                self._forget()
            case "way", "learn":
                self._learn(list(self._lessons))
            case "way", "propose":
                self._learn([*self._lessons, *self._said()], is_proposing=True)
            case (("confirm" | "brush"), _choice) if self._labelling is not None:
                self._labelling.touch(key, value)
            case "view", _choice:
                self._shows_board = value == "board"
            case "lesson", _choice:
                self._take_lesson(value)

    def tap(self, place: Point) -> None:
        """A corner was touched, or then a spot."""
        if self._still is None:
            return
        if len(self._corners) == 4:
            if self._labelling is not None:
                self._labelling.tap(place)
            return
        self._corners.append(place)
        if len(self._corners) == 4:
            self._locate(self._still.image)

    def tick(self) -> None:
        """Take the picture or the finished profile once it is ready."""
        try:
            done = self._work.poll()
            if isinstance(done, TeachingResult) and self._is_proposing:
                self._propose(done.profile)
            elif isinstance(done, TeachingResult):
                self._keep(done)
            elif done is not None:
                number = self._still.number + 1 if self._still is not None else 1
                self._still = _Still(done, number, self._is_by_camera)
                self._corners, self._pose, self._reading, self._shows_board = [], None, None, False
                self._labelling = None
        except (VisionError, CalibrationError, OSError) as error:
            self._problem = error_text(error)

    def back(self) -> bool:
        """Out of the list of files."""
        is_choosing, self._is_choosing = self._is_choosing, False
        return is_choosing

    def close(self) -> None:
        """Discard the running work and release everything."""
        self._work.forget()

    def _corner_rows(self) -> list[Row]:
        if self._pose is None:
            text = _("{count} of 4").format(count=len(self._corners))
            asked: list[Row] = [
                SectionHeading(_("Touch the four corners of the board")),
                Note(self._which_corners()),
                Note(text, Tone.ASKING),
            ]
            if self._corners:
                asked.append(Picks("way", (pick("again", _("Other corners")),), 1))
            return asked
        rows: list[Row] = [Note(capitalised(_("the board was found")), Tone.GOOD)]
        ways = [pick("again", _("Other corners"))]
        if self._still is not None and self._still.by_camera and not self._board.markers.centres:
            ways.append(pick("here", _("The camera stands like this")))
        if self._reading is not None:
            views = (
                pick("picture", _("The photograph"), chosen=not self._shows_board),
                pick("board", _("As it was read"), chosen=self._shows_board),
            )
            rows.append(Picks("view", views, 2))
        rows.append(Picks("way", tuple(ways), 2))
        if len(self._lessons) < MOST_LESSONS:
            lies = [pick("empty", _("Nothing: the board is empty"))]
            if self._record_look() is not None:
                lies.append(pick("record", _("What the record says")))
            rows += [SectionHeading(_("To learn from it: what lies on the board?")), Picks("lesson", tuple(lies), 2)]
            rows += self._labelling_rows()
        return rows

    def _labelling_rows(self) -> list[Row]:
        """What the user says spot by spot, and what follows from it."""
        labelling = self._labelling
        if labelling is None:
            return []
        rows = labelling.rows()
        if labelling.can_teach and labelling.waiting:
            rows.append(Picks("way", (pick("propose", _("Propose the others from these")),), 1))
        if labelling.labels:
            rows.append(Picks("lesson", (pick("said", _("Learn from what was said"), leads=True),), 1))
        return rows

    def _about(self) -> str:
        """The explanation of the page."""
        if self.profile is not None:
            return _("This board was taught: a picture of it, and its four corners, show how it is read.")
        return _(
            "Up to four pictures teach what the pieces look like. What lies there is what the open game's record says,"
            " nothing, or what you say by touch; all kinds of pieces should be seen."
        )

    def _which_corners(self) -> str:
        """The names of this board's `corner_places`, for people."""
        if self._board.grid is None:
            return _("Those of the whole sheet, in any order.")
        return _("The outermost ones of the grid's printed lines, in any order, and not those of the sheet.")

    def _locate(self, image: Image) -> None:
        profile = self.profile
        locator = BoardLocator(self._board, profile.sheet if profile is not None else None)
        found = pose_at_corners(locator, image, self._corners)
        if isinstance(found, BoardNotFound):
            self._problem, self._corners = translated(found.reason, _), []
            return
        self._pose = found
        self._labelling = Labelling(self._board, found, self._spoken)
        if profile is not None:
            self._read(profile, image, found)

    def _read(self, profile: SpotProfile, image: Image, pose: FlatPose) -> None:
        """Read the picture, and propose what was read."""
        reader = SpotReader(self._board, profile)
        flaw = reader.colour_flaw(image, pose)
        if flaw:
            self._problem = translated(flaw, _)
            return
        self._reading = reader.read(image, pose)
        if self._labelling is not None:
            self._labelling.propose(self._reading)

    def _spoken(self, label: str) -> str:
        """A piece's label in words."""
        return translated_texts(self._board.game).label(label) if self._board.game in known_games() else label

    def _learn(self, lessons: list[Lesson], *, is_proposing: bool = False) -> None:
        self._is_proposing = is_proposing
        self._work.start(lambda: teach_from_pictures(self._board, lessons, stop_if_program_ends))

    def _propose(self, profile: SpotProfile) -> None:
        if self._still is not None and self._pose is not None:
            self._read(profile, self._still.image, self._pose)

    def _said(self) -> list[Lesson]:
        """The picture with what the user said of it, if anything."""
        still, pose, labelling = self._still, self._pose, self._labelling
        if still is None or pose is None or labelling is None or not labelling.labels:
            return []
        name = _("picture {number}").format(number=len(self._lessons) + 1)
        return [Lesson(name, still.image, pose, dict(labelling.labels))]

    def _record_look(self) -> dict[str, str] | None:
        loop = self._shell.table_loop
        if loop is None or loop.presenter.board.id != self._board.id:
            return None
        session = loop.presenter.session
        return dict(session.game.appearance(session.state))

    def _take_lesson(self, lies: str) -> None:
        """Keep the picture to learn from: "empty", what the "record" says, or what was "said" spot by spot."""
        still, pose = self._still, self._pose
        if lies == "said":
            self._lessons += self._said()
        else:
            look = {} if lies == "empty" else self._record_look()
            if still is None or pose is None or look is None:
                return
            labels = {spot: look.get(spot, EMPTY) for spot in self._board.spots}
            name = _("picture {number}").format(number=len(self._lessons) + 1)
            self._lessons.append(Lesson(name, still.image, pose, labels))
        self._still, self._corners, self._pose, self._reading, self._labelling = None, [], None, None, None
        self._shows_board = False

    def _keep(self, taught: TeachingResult) -> None:
        self.profile = taught.profile
        self.profile_file.parent.mkdir(parents=True, exist_ok=True)
        save_spot_profile(taught.profile, self.profile_file)
        self._lessons = []
        self._shell.devices.look_anew()
        self._message = _("Learnt: {pieces}. Kept in {file}").format(
            pieces=", ".join(taught.profile.pieces), file=self.profile_file
        )
        self._notes = tuple(note.translated(_) for note in taught.notes)

    def _forget(self) -> None:
        try:
            self.profile_file.unlink(missing_ok=True)
        except OSError as error:
            self._problem = error_text(error)
            return
        self.profile = self._reading = None
        self._shell.devices.look_anew()
        self._message = _("Forgotten.")
