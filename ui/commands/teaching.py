"""Teaching another edition or another game: `teach`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.registry import GAMES
from ui.commands.progress import counted, progress
from ui.commands.terminal import DOES_NOT_HOLD, FAILED, FINE, complain, file_name, parser, quiet_libraries, say
from ui.commands.whereabouts import photographed_board

if TYPE_CHECKING:
    from calibration.teaching import Lesson


def teach(words: Sequence[str]) -> int:
    """`companion teach LABELS --board B --out PROFILE.zip`: exit code 1 if the profile misreads its own pictures."""
    options = parser("teach", "Learn what pieces look like from photographs whose labels a file tells.")
    options.add_argument("labels", type=file_name, metavar="LABELS", help="a label file (docs/formats/photographs.md)")
    options.add_argument("--board", required=True, metavar="B", help=f"a board file, or {', '.join(GAMES)}")
    options.add_argument("--out", required=True, type=file_name, metavar="PROFILE.zip", help="the profile to write")
    chosen = options.parse_args(words)
    from calibration.errors import CalibrationError, UnreadLessons
    from calibration.lessons import load_labels, read_lessons
    from calibration.teaching import teach_from_pictures, teaching_summary
    from ui.services.files import check_target, write_bytes
    from vision.errors import VisionError
    from vision.spots.spot_profile import spot_profile_bytes

    board = photographed_board(chosen.board)
    pictures = load_labels(chosen.labels, board)
    check_target(chosen.out)
    try:
        with progress("finding the board") as report:
            taught = teach_from_pictures(board, _quietly(read_lessons(board, pictures)), counted(report))
        write_bytes(chosen.out, spot_profile_bytes(taught.profile))
    except UnreadLessons as error:
        complain(str(error))
        return DOES_NOT_HOLD
    except (VisionError, CalibrationError) as error:
        complain(str(error))
        return FAILED
    for line in teaching_summary(taught):
        say(line)
    say(str(chosen.out))
    return FINE


def _quietly(lessons: Iterator[Lesson]) -> Iterator[Lesson]:
    """The lessons, read with the messages of C libraries kept off the terminal."""
    while True:
        with quiet_libraries():
            lesson = next(lessons, None)
        if lesson is None:
            return
        yield lesson
