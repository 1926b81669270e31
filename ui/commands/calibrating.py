"""A camera's lens: `calibrate`."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ui.commands.progress import progress
from ui.commands.terminal import (
    DOES_NOT_HOLD,
    FAILED,
    FINE,
    WrongUse,
    complain,
    file_name,
    parser,
    quiet_libraries,
    say,
)

if TYPE_CHECKING:
    from calibration.lens import LensMeasurement
    from vision.pictures import Image

_EVERY = 0.5
"""seconds between the pictures that are taken of a live camera"""
_LONGEST = 300.0
_PATIENCE = 2.0
"""seconds without a picture after which the camera is taken for lost"""
_PATIENCE_AT_FIRST = 30.0
"""seconds to the first picture: longer than the 23 s after which an address that says nothing is given up"""


def calibrate(words: Sequence[str]) -> int:
    """`companion calibrate`."""
    options = parser(
        "calibrate", "Measure a camera's lens from a printed sheet, so that tall pieces are read exactly. Optional."
    )
    options.add_argument(
        "source", nargs="?", metavar="SOURCE", help="a folder of pictures of the sheet, or a camera as for play"
    )
    options.add_argument("--sheet", type=file_name, metavar="FILE.pdf", help="write the sheet to print (A4, at 100 %%)")
    options.add_argument(
        "--out", type=file_name, metavar="FILE.toml", help="the file to write, for --lens of the others"
    )
    chosen = options.parse_args(words)
    if chosen.sheet is not None:
        from calibration.lens_sheet import lens_sheet_pdf
        from ui.services.files import write_bytes

        write_bytes(chosen.sheet, lens_sheet_pdf())
        say(str(chosen.sheet))
    if chosen.source is None:
        if chosen.sheet is None:
            raise WrongUse("calibrate needs a folder of pictures or a camera, or --sheet to print one first")
        return FINE
    if chosen.out is None:
        raise WrongUse("calibrate needs --out FILE.toml, where the result goes")
    return _measure(chosen.source, chosen.out)


def _measure(source: str, out: Path) -> int:
    from calibration.errors import LensError
    from calibration.lens import LensMeasurement
    from ui.services.files import check_target
    from vision.errors import VisionError
    from vision.location.camera_file import save_camera

    check_target(out)
    try:
        with quiet_libraries():
            files = _picture_files(source)
            measurement = LensMeasurement(_commonest_size(files) if files else None)
            if files:
                _take_files(measurement, files)
            else:
                _take_camera(measurement, source)
        with progress("measuring the lens"):
            lens = measurement.measure()
    except VisionError as error:
        complain(str(error))
        return FAILED
    except LensError as error:
        complain(f"{source}: {error}")
        return DOES_NOT_HOLD
    save_camera(lens.camera, out, lens.rms)
    worst = max(lens.residuals)
    left = f", {lens.left_out} left out" if lens.left_out else ""
    say(
        f"{len(lens.residuals)} pictures used{left}; residual {lens.rms:.2f} px, at worst {worst:.2f} px in one picture"
    )
    say(f"focal length {lens.camera.focal:.0f} px, corners seen in {measurement.coverage:.0%} of the picture -> {out}")
    return FINE


def _picture_files(source: str) -> list[Path]:
    """The pictures of a folder, or the one that is named; none where the source is a camera or a video."""
    from vision.camera.sources import PICTURES
    from vision.errors import InvalidPicture

    path = Path(source)
    if not source.strip() or not path.is_dir():
        return [path] if path.suffix.lower() in PICTURES and path.is_file() else []
    found = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURES)
    if not found:
        raise InvalidPicture(source, "holds no pictures")
    return found


def _commonest_size(files: Sequence[Path]) -> tuple[int, int] | None:
    """Width and height of most of the pictures: the others are of another camera."""
    from vision.errors import InvalidPicture
    from vision.pictures import read_picture

    sizes: Counter[tuple[int, int]] = Counter()
    for file in files:
        with suppress(InvalidPicture):
            height, width = read_picture(file).shape[:2]
            sizes[width, height] += 1
    return sizes.most_common(1)[0][0] if sizes else None


def _take_files(measurement: LensMeasurement, files: Sequence[Path]) -> None:
    from vision.errors import InvalidPicture
    from vision.pictures import gray_of, read_picture

    for file in files:
        try:
            reason = measurement.add(gray_of(read_picture(file)))
        except InvalidPicture as error:
            reason = error.reason
        say(f"{file.name}: {reason or 'used'}")


def _take_camera(measurement: LensMeasurement, source: str) -> None:
    """Look until the views suffice; each other piece of advice, and each other reason not to use a picture, is said."""
    from vision.pictures import gray_of

    said = advised = ""
    for number, picture in enumerate(_of_camera(source), 1):
        reason = measurement.add(gray_of(picture))
        if not reason:
            say(f"picture {number}: used")
        elif _without_numbers(reason) != said:
            say(f"picture {number}: {reason}")
        said = _without_numbers(reason)
        advice = measurement.advice()
        if not advice:
            return
        if advice != advised:
            say(f"-> {advice}")
            advised = advice


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "", text)


def _of_camera(source: str) -> Iterator[Image]:
    """Pictures of a camera or a video, until it ends or the time is over; says when the camera is lost.

    Raises SourceUnavailable where there is none at all, SourceLost where the camera did not come back in time.
    """
    from vision.camera.frames import Grabber
    from vision.camera.sources import open_source
    from vision.errors import SourceLost, SourceUnavailable

    camera = open_source(source)
    grabber = Grabber(camera)
    grabber.start()
    begun, last, lost = time.monotonic(), -1, ""
    try:
        while time.monotonic() - begun < _LONGEST:
            frame = grabber.newest(last, _PATIENCE if last >= 0 else _PATIENCE_AT_FIRST)
            if frame is None:
                status = grabber.status()
                if last < 0:
                    reason = status.reason.removeprefix(f"{camera.name}: ")
                    raise SourceUnavailable(camera.name, reason or "gives no picture")
                if status.ended:
                    return
                if not lost:
                    lost = status.reason
                    say(f"-> {lost}; it is waited for")
                continue
            last, lost = frame.id, ""
            yield frame.image
            time.sleep(_EVERY)
        if lost:
            raise SourceLost(camera.name, lost.removeprefix(f"{camera.name}: "))
    finally:
        grabber.close()
