"""The file of a measured camera: TOML with `format` 1, `width`, `height`, `focal`, `centre`, `radial` and `rms`.

All in pixels of pictures of that size, but `radial`, which is OpenCV's k1 and k2.
"""

from __future__ import annotations

from pathlib import Path

from companion.files.documents import DocumentTable, parse_toml, read_text
from companion.files.whole_files import write_whole
from vision.location.board_pose import CameraModel

FORMAT = 1


def save_camera(camera: CameraModel, path: Path, rms: float) -> None:
    """Write a camera with the residual of its measurement (pixels), atomically. Raises OSError."""
    x, y = camera.centre or ((camera.width - 1) / 2, (camera.height - 1) / 2)
    text = (
        f"# A camera's lens, by `companion calibrate`.\nformat = {FORMAT}\nwidth = {camera.width}\n"
        f"height = {camera.height}\nfocal = {camera.focal:.3f}\ncentre = [{x:.3f}, {y:.3f}]\n"
        f"radial = [{camera.radial:.6f}, {camera.radial2:.6f}]\nrms = {rms:.4f}\n"
    )
    write_whole(path, text.encode())


def load_camera(path: Path) -> CameraModel:
    """The camera of a file.

    Raises InvalidDocument.
    """
    table = parse_toml(read_text(path), str(path))
    table.only("format", "width", "height", "focal", "centre", "radial", "rms")
    if table.integer("format") != FORMAT:
        raise table.invalid("format", f"is {table.integer('format')}; this program reads format {FORMAT}")
    width, height = table.integer("width", 64, 20_000), table.integer("height", 64, 20_000)
    x, y = _pair(table, "centre", float(max(width, height)))
    first, second = _pair(table, "radial", 5.0)
    return CameraModel(width, height, table.number("focal", 0.2 * width, 10.0 * width), first, second, (x, y))


def _pair(table: DocumentTable, key: str, largest: float) -> tuple[float, float]:
    values = table.sequence(key, longest=2)
    numbers = [value for value in values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) != 2 or len(values) != 2 or not all(abs(number) <= largest for number in numbers):
        raise table.invalid(key, f"must be two numbers of at most {largest:g}")
    return float(numbers[0]), float(numbers[1])
