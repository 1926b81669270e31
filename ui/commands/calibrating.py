"""A camera's lens: `calibrate`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    from vision.pictures import Image

_EVERY = 0.5
"""seconds between the pictures that are taken of a live camera"""
_LONGEST = 300.0


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
        from ui.commands.files import write_bytes

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
    from ui.commands.files import check_target
    from vision.errors import VisionError
    from vision.location.camera_file import save_camera
    from vision.pictures import gray_of

    check_target(out)
    measurement = LensMeasurement()
    folder = Path(source)
    is_folder = bool(source.strip()) and folder.is_dir()
    try:
        with quiet_libraries():
            pictures = _of_folder(folder) if is_folder else _of_camera(source)
            said = ""
            for name, picture in pictures:
                reason = measurement.add(gray_of(picture))
                line = f"{name}: {reason or 'used'}"
                if is_folder or not reason:
                    say(line)
                if not is_folder:
                    advice = measurement.advice()
                    if not advice:
                        break
                    if advice != said:
                        say(f"-> {advice}")
                        said = advice
        with progress("measuring the lens"):
            lens = measurement.measure()
    except VisionError as error:
        complain(str(error))
        return FAILED
    except LensError as error:
        complain(str(error))
        return DOES_NOT_HOLD
    save_camera(lens.camera, out, lens.rms)
    worst = max(lens.residuals)
    left = f", {lens.left_out} left out" if lens.left_out else ""
    say(
        f"{len(lens.residuals)} pictures used{left}; residual {lens.rms:.2f} px, at worst {worst:.2f} px in one picture"
    )
    say(f"focal length {lens.camera.focal:.0f} px, corners seen in {measurement.coverage:.0%} of the picture -> {out}")
    return FINE


def _of_folder(folder: Path) -> Iterator[tuple[str, Image]]:
    from vision.camera.sources import PICTURES
    from vision.errors import InvalidPicture
    from vision.pictures import read_picture

    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not found:
        raise InvalidPicture(str(folder), "holds no pictures")
    for path in found:
        try:
            picture = read_picture(path)
        except InvalidPicture as error:
            say(f"{path.name}: {error.reason}")
        else:
            yield path.name, picture


def _of_camera(source: str) -> Iterator[tuple[str, Image]]:
    import time

    from vision.camera.frames import Grabber
    from vision.camera.sources import open_source
    from vision.errors import SourceUnavailable

    camera = open_source(source)
    grabber = Grabber(camera)
    grabber.start()
    begun, last, number = time.monotonic(), -1, 0
    try:
        while time.monotonic() - begun < _LONGEST:
            frame = grabber.newest(last, 2.0)
            if frame is None:
                if number == 0 or grabber.status().ended:
                    reason = grabber.status().reason.removeprefix(f"{camera.name}: ")
                    raise SourceUnavailable(camera.name, reason or "gives no picture")
                continue
            last, number = frame.id, number + 1
            yield f"picture {number}", frame.image
            time.sleep(_EVERY)
    finally:
        grabber.close()
