"""Setting up the camera: choose one, check its picture, light and sharpness, and see what was read. No Kivy."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.board.layout import EMPTY, Board
from companion.errors import CompanionError, InvalidDocument
from companion.registry import GAMES
from companion.session.observation import CameraStatus, Observation
from companion.session.tracking import seen_labels
from companion.wording.sentences import translated
from ui.forms.rehearsal import flaw_text
from ui.hardware.camera import CameraClient
from ui.hardware.likely_cameras import likely_cameras
from ui.services.background import Background
from ui.services.editions import editions_of
from ui.services.file_list import PICTURES, FileList
from ui.services.text import _, capitalised, error_text
from ui.shell.shell import Shell
from ui.table.composing import CAMERA
from ui.view_models.form_view import (
    BoardShown,
    Field,
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
)
from ui.view_models.play_view import PieceState, PieceView
from ui.view_models.setup_view import PickView
from vision.camera.picture_quality import PictureQuality, picture_quality
from vision.errors import VisionError
from vision.location.board_pose import BoardPose
from vision.location.flat_pose import corner_places
from vision.pictures import Image
from vision.reader import FrameReading
from vision.reader_process import CameraReport

VIDEOS = frozenset({".avi", ".mkv", ".mov", ".mp4", ".webm"})
SURE = 0.9
LAID_OVER_EVERY = 0.7
"""seconds between pictures in full size with what was read drawn onto them"""
CAMERA_VIEW, LAID_OVER, BOARD_VIEW = "camera", "laid over", "board"
_QUALITY_EVERY = 15
"""previews between two looks at light and sharpness"""
_MOST_REPORTS = 50


class CameraForm(FormModel):
    """The app's camera: the open table's, or without a table one that looks for the chosen board."""

    def __init__(self, shell: Shell, teach: Callable[[Board], None], measure: Callable[[], None]) -> None:
        """`teach` opens the screen that teaches a board's pieces, `measure` the one that measures the lens."""
        self._shell, self._devices = shell, shell.devices
        self._teach, self._measure = teach, measure
        self._files: FileList | None = None
        self._wants_lens = False
        self._own: CameraClient | None = None
        self._view = CAMERA_VIEW
        self._problem = ""
        self._report: CameraReport | None = None
        self._observation: Observation | None = None
        self._quality: PictureQuality | None = None
        self._shown: ShownPicture | None = None
        self._preview_number = self._number = 0
        self._asked_at = float("-inf")
        self._laid_over: Background[Image | None] = Background()
        self._boards = tuple(self._known_boards())
        self._cameras = likely_cameras()
        self._board = self._boards[0]
        if self._devices.camera:
            self._look()

    def heading(self) -> str:
        """What the screen is about."""
        return _("Camera")

    def rows(self) -> Sequence[Row]:
        """The camera's address, its state, and what can be seen of it."""
        if self._files is not None:
            return self._files.rows()
        rows: list[Row] = [SectionHeading(_("Which camera?")), self._camera_picks()]
        hint = "0 · http://… · rtsp://…"
        rows.append(Field("address", _("Number, address, file or folder"), self._devices.camera, hint))
        if self._problem:
            rows.append(Note(self._problem, Tone.BAD))
        if self._eye is not None:
            rows += self._state_rows()
            rows.append(
                Picks(
                    "view",
                    (
                        pick(CAMERA_VIEW, _("Camera"), chosen=self._view == CAMERA_VIEW),
                        pick(LAID_OVER, _("What it sees"), chosen=self._view == LAID_OVER),
                        pick(BOARD_VIEW, _("On the board"), chosen=self._view == BOARD_VIEW),
                    ),
                    3,
                )
            )
        if self._shell.table_loop is None:
            boards = tuple(
                pick(board.id, board.name, chosen=board.id == self._board.id) for board in self._boards
            )  # fmt: skip
            rows += [SectionHeading(_("Which board lies on the table?")), Picks("board", boards, 1)]
        lens_problem = self._devices.lens_problem()
        if lens_problem:
            rows.append(Note(lens_problem, Tone.BAD))
        rows += [SectionHeading(_("More")), Picks("more", tuple(self._more_picks()), 2)]
        return rows

    def picture(self) -> ShownPicture | None:
        """The newest picture."""
        return self._shown if self._files is None and self._view != BOARD_VIEW and self._eye is not None else None

    def marks(self) -> Sequence[PictureMark]:
        """The markers on the picture; those expected but not seen have another colour."""
        sight = self._sight
        if sight is None or sight.pose is None or self._view != CAMERA_VIEW or self._shown is None:
            return ()
        factor = self._shown.image.shape[1] / sight.pose.size[0]
        is_lost = sight.state is CameraStatus.PAUSED
        centres = self._board.markers.centres
        if not isinstance(sight.pose, BoardPose):
            corners = sight.pose.project([(x, y, 0.0) for x, y in corner_places(self._board)]) * factor
            tone = Tone.BAD if is_lost else Tone.GOOD
            return [PictureMark((round(float(x), 1), round(float(y), 1)), tone=tone) for x, y in corners]
        places = sight.pose.project([(x, y, 0.0) for x, y in centres.values()]) * factor
        return [
            PictureMark(
                (round(float(x), 1), round(float(y), 1)),
                tone=Tone.GOOD if marker in sight.pose.markers and not is_lost else Tone.BAD,
            )
            for marker, (x, y) in zip(centres, places, strict=True)
        ]

    def board(self) -> BoardShown | None:
        """What was read, as a drawing."""
        if self._view != BOARD_VIEW or self._eye is None or self._files is not None:
            return None
        observation = self._observation
        if observation is None:
            return BoardShown(self._board, ())
        pieces = []
        for spot, label in seen_labels(observation).items():
            if label != EMPTY and spot in self._board.spots:
                sure = observation.posteriors[spot].get(label, 0.0) >= SURE
                pieces.append(PieceView(spot, label, PieceState.PLACED if sure else PieceState.PROPOSED))
        return BoardShown(self._board, tuple(pieces))

    def touch(self, key: str, value: str) -> None:
        """Something was touched or written."""
        match key:
            case "camera":
                if value == "file":
                    self._files, self._wants_lens = FileList(PICTURES | VIDEOS), False
                else:
                    self._use(value.removeprefix("="))
            case "address":
                if value.strip() != self._devices.camera:
                    self._use(value.strip())
            case "files":
                self._choose_file(value)
            case "view":
                self._view = value
            case "board":
                self._board = next(board for board in self._boards if board.id == value)
                self._look()
            case "more":
                self._do_more(value)

    def tick(self) -> None:
        """Take the newest picture and the newest report of the camera's process."""
        eye = self._eye
        loop = self._shell.table_loop
        if eye is None:
            return
        if loop is not None and eye is loop.camera:
            self._hear(loop.report)
        elif self._own is not None:
            for _attempt in range(_MOST_REPORTS):
                try:
                    self._hear(self._own.reports.get_nowait())
                except queue.Empty:
                    break
        if self._view == LAID_OVER:
            image = self._laid_over.poll()
            if image is not None:
                self._show(image)
            now = time.monotonic()
            if now - self._asked_at > LAID_OVER_EVERY and self._laid_over.start(eye.picture):
                self._asked_at = now
        else:
            preview = eye.preview(self._preview_number)
            if preview is not None:
                self._preview_number = preview.number
                self._show(preview.image)
                if self._quality is None or preview.number % _QUALITY_EVERY == 0:
                    self._quality = picture_quality(preview.image)

    def back(self) -> bool:
        """Close the list of files; False if it is not open."""
        is_open, self._files = self._files is not None, None
        return is_open

    def close(self) -> None:
        """Close this form's own camera; an open table keeps its camera."""
        own, self._own = self._own, None
        self._laid_over.forget()
        if own is not None:
            threading.Thread(target=own.close, name=f"leave {own.name}").start()

    @property
    def _eye(self) -> CameraClient | None:
        loop = self._shell.table_loop
        return loop.camera if loop is not None else self._own

    @property
    def _sight(self) -> FrameReading | None:
        return self._report.reading if self._report is not None else None

    def _known_boards(self) -> Iterator[Board]:
        """The board of the open table, or all that are known."""
        if self._shell.table_loop is not None:
            yield self._shell.table_loop.presenter.board
            return
        for game in GAMES:
            yield from editions_of(game, self._shell.boards_folder).boards

    def _use(self, address: str) -> None:
        self._problem = ""
        try:
            self._devices.use_camera(address)
        except InvalidDocument as error:
            self._problem = error_text(error)
            return
        except OSError as error:
            self._problem = error_text(error)
        loop = self._shell.table_loop
        if loop is not None and loop.camera is None:
            states = [device.state for device in loop.presenter.view().devices if device.name == CAMERA]
            self._problem = "".join(states) or self._problem
        self._look()

    def _look(self) -> None:
        """Start the chosen camera for the chosen board."""
        self.close()
        self._report = self._observation = self._quality = self._shown = None
        self._preview_number = 0
        if not self._devices.camera or self._shell.table_loop is not None:
            return
        try:
            self._own = self._devices.eye(self._devices.camera, self._board)
        except VisionError as error:
            self._problem = error_text(error)
            return
        self._own.start()

    def _hear(self, report: CameraReport | None) -> None:
        self._report = report
        if report is not None and report.reading is not None:
            observation = report.reading.observation
            if observation is not None and observation.quiet:
                self._observation = observation

    def _show(self, image: Image) -> None:
        self._number += 1
        self._shown = ShownPicture(image, self._number)

    def _camera_picks(self) -> Picks:
        chosen = self._devices.camera
        picks = [
            pick(f"={address}", name or _("Camera {number}").format(number=address), chosen=address == chosen)
            for address, name in self._cameras
        ]
        picks += [pick("file", _("File or folder…")), pick("=", _("No camera"), chosen=not chosen)]
        return Picks("camera", tuple(picks), 2)

    def _state_rows(self) -> Iterator[Row]:
        report, sight = self._report, self._sight
        if report is None:
            yield Note(_("The camera is starting…"), Tone.ASKING)
            return
        if sight is None:
            yield Note(translated(report.lost, _), Tone.BAD)
        elif sight.state is CameraStatus.PAUSED:
            yield Note(f"{_('paused')}: {translated(sight.reason, _)}", Tone.BAD)
        else:
            yield Note(capitalised(_(sight.state.value)), Tone.GOOD)
            if isinstance(sight.pose, BoardPose):
                yield self._marker_note(sight.pose)
            else:
                yield Note(_("the board was found"), Tone.GOOD)
        for flaw in self._quality.flaws if self._quality is not None else ():
            yield Note(flaw_text(flaw), Tone.BAD)
        if self._quality is not None and not self._quality.flaws:
            yield Note(_("Light and sharpness are fine."), Tone.GOOD)

    def _marker_note(self, pose: BoardPose) -> Note:
        centres, found = self._board.markers.centres, pose.markers
        text = _("{found} of {all} markers found").format(found=len(found), all=len(centres))
        missing = [_place(self._board, centre) for marker, centre in centres.items() if marker not in found]
        if missing:
            text += " · " + _("not seen: {places}").format(places=", ".join(dict.fromkeys(missing)))
        return Note(text, Tone.ASKING if missing else Tone.GOOD)

    def _more_picks(self) -> Iterator[PickView]:
        lens = self._shell.settings.lens
        yield pick("lens", _("Lens file…"), chosen=bool(lens), detail=Path(lens).name if lens else _("none"))
        if lens:
            yield pick("no lens", _("Without lens file"))
        if self._devices.camera:
            yield pick("measure", _("Measure the lens…"), detail=_("with a printed sheet"))
        yield pick("teach", _("No markers, or other pieces…"), detail=_("four corners, teach"))

    def _do_more(self, what: str) -> None:
        self._problem = ""
        if what == "lens":
            self._files, self._wants_lens = FileList(frozenset({".toml"}), Path.home()), True
        elif what == "no lens":
            self._devices.use_lens("")
            self._use(self._devices.camera)
        elif what == "measure":
            self._measure()
        else:
            self._teach(self._board)

    def _choose_file(self, value: str) -> None:
        if self._files is None:
            return
        path = self._files.touch(value)
        if path is None:
            return
        self._files = None
        if not self._wants_lens:
            self._use(str(path.parent if path.suffix.lower() in PICTURES else path))
            return
        try:
            self._devices.use_lens(str(path))
        except (CompanionError, OSError) as error:
            self._problem = error_text(error)
        else:
            self._use(self._devices.camera)


def _place(board: Board, centre: Point) -> str:
    """Where on the sheet something is, in words."""
    column = min(2, int(3 * centre[0] / board.size[0]))
    row = min(2, int(3 * centre[1] / board.size[1]))
    names = (
        (_("top left"), _("top"), _("top right")),
        (_("left"), _("middle"), _("right")),
        (_("bottom left"), _("bottom"), _("bottom right")),
    )
    return names[row][column]
