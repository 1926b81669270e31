"""Small files that ask for much memory or time are refused in one line, before they get either."""

from __future__ import annotations

import io
import json
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import InvalidDocument
from companion.files.documents import read_text
from companion.registry import print_and_play_board
from tests.vision.grids import grid_board
from vision.errors import InvalidPicture, InvalidProfile
from vision.picture_sizes import declared_size
from vision.pictures import decode_picture, read_picture
from vision.printed.pieces.profile import shipped_profile
from vision.spots.spot_features import LENGTH
from vision.spots.spot_profile import FORMAT
from vision.taught import load_taught

BOARD = print_and_play_board("city_of_marble")
MEGABYTES = 1 << 20
MOST_MEMORY, MOST_MORE, MOST_SECONDS = 400 * MEGABYTES, 100 * MEGABYTES, 10.0

MEASURE = """
import resource, sys
from pathlib import Path
from companion.board.layout import load_board
from companion.registry import print_and_play_board
from vision.errors import InvalidProfile
from vision.spots.spot_profile import SpotProfile
from vision.spots.spot_reader import SpotReader
from vision.taught import load_taught
from vision.printed.reading import BoardReader
board = print_and_play_board("city_of_marble") if sys.argv[2] == "city" else load_board(Path(sys.argv[2]))
try:
    taught = load_taught(Path(sys.argv[1]), board)
    SpotReader(board, taught) if isinstance(taught, SpotProfile) else BoardReader(board, taught)
    said = "read"
except InvalidProfile as error:
    said = str(error)
usage = resource.getrusage(resource.RUSAGE_SELF)
status = Path("/proc/self/status").read_text().splitlines()
most = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
print(most, usage.ru_utime + usage.ru_stime, said)
"""


def read_elsewhere(profile: Path, board: str = "city") -> tuple[int, float, str]:
    """Most memory (bytes), processor seconds and the answer of a process that reads a profile."""
    words = [sys.executable, "-c", MEASURE, str(profile), board]
    done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
    memory, seconds, said = done.stdout.strip().split(" ", 2)
    return int(memory), float(seconds), said


def flat_png(width: int, height: int) -> bytes:
    """A picture of one colour: a few kilobytes however large it is."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\xff" * (3 * width)) * height, 9)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def archive(path: Path, header: dict[str, Any] | bytes, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr("profile.json", header if isinstance(header, bytes) else json.dumps(header))
        for name, data in files.items():
            written.writestr(name, data)
    return path


def face_header(file: Callable[[int], str], mask: Callable[[int], str]) -> dict[str, Any]:
    kinds = [(piece.name, label) for piece in BOARD.pieces.values() for label in piece.labels]
    return {
        "format": 1, "board": BOARD.id, "digest": BOARD.digest, "sheet": {"file": "sheet.png", "scale": 2.0},
        "faces": [
            {"piece": piece, "label": label, "scale": 4.0, "file": file(k), "mask": mask(k)}
            for k, (piece, label) in enumerate(kinds)
        ],
    }  # fmt: skip


def one_member(path: Path) -> Path:
    header = face_header(lambda _k: "face.png", lambda _k: "face.png")
    return archive(path, header, {"face.png": flat_png(1024, 1024), "sheet.png": flat_png(1000, 1000)})


def many_large_members(path: Path) -> Path:
    count = len(face_header(str, str)["faces"])
    header = face_header(lambda k: f"f{k}.png", lambda k: f"m{k}.png")
    face = flat_png(1024, 1024)
    files = {f"{kind}{k}.png": face for kind in "fm" for k in range(count)}
    return archive(path, header, {**files, "sheet.png": flat_png(1000, 1000)})


def huge_sheet(path: Path) -> Path:
    header = face_header(lambda k: f"f{k}.png", lambda k: f"m{k}.png")
    white = cv2.imencode(".png", np.full((40, 40, 3), 255, np.uint8))[1].tobytes()
    files = {f"{kind}{k}.png": white for kind in "fm" for k in range(len(header["faces"]))}
    return archive(path, header, {**files, "sheet.png": flat_png(4096, 4096)})


def endless_face(path: Path) -> Path:
    """A face that a decoder unpacks 15 GB of, to throw them away; the file has some 30 kB."""
    header = face_header(lambda k: f"f{k}.png", lambda k: f"m{k}.png")
    white = cv2.imencode(".png", np.full((100, 100, 3), 255, np.uint8))[1].tobytes()
    files = {f"{kind}{k}.png": white for kind in "fm" for k in range(len(header["faces"]))}
    return archive(path, header, {**files, "sheet.png": white, "f0.png": png_of_too_much(1500)})


def nested_header(path: Path) -> Path:
    return archive(path, b'{"format":' + b"[" + b"[]," * 5_000_000 + b"[]]}", {})


def many_entries(path: Path) -> Path:
    """A central directory of a hundred thousand names, four bytes of data each."""
    with zipfile.ZipFile(path, "w") as written:
        for k in range(100_000):
            written.writestr(f"{k}", b"data")
    return path


@pytest.fixture(scope="module")
def usual() -> int:
    memory, seconds, said = read_elsewhere(shipped_profile(BOARD))
    assert said == "read"
    assert seconds < MOST_SECONDS
    return memory


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (one_member, "is named a second time"),
        (many_large_members, "unpack to more than 32768 KiB in all"),
        (huge_sheet, "unpack to more than 32768 KiB in all"),
        (endless_face, "is a PNG in which more is packed than its pixels"),
        (nested_header, "profile.json: unpacks to more than 2048 KiB"),
        (many_entries, "is no profile, or is damaged"),
    ],
)
def test_a_hostile_profile_is_refused_cheaply(
    make: Callable[[Path], Path], reason: str, usual: int, tmp_path: Path
) -> None:
    path = make(tmp_path / "profile.zip")
    memory, seconds, said = read_elsewhere(path)
    assert said.startswith(f"{path}: "), said
    assert reason in said
    assert memory < min(MOST_MEMORY, usual + MOST_MORE), f"{memory / MEGABYTES:.0f} MB, usual {usual / MEGABYTES:.0f}"
    assert seconds < MOST_SECONDS


def spot_header(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    board = grid_board()
    return {
        "format": FORMAT, "kind": "spots", "board": board.id, "digest": board.digest, "sheet": None, "pieces": pieces,
    }  # fmt: skip


def spot_piece(count: int, samples: str, coefficients: Callable[[int], str], members: int = 2) -> dict[str, Any]:
    (piece,) = grid_board().pieces.values()
    words = [sorted({label.split()[k] for label in piece.labels}) for k in range(len(piece.labels[0].split()))]
    return {
        "piece": piece.name, "turns": 4,
        "labels": [piece.labels[k % len(piece.labels)] for k in range(count)], "groups": [0] * count, "light": {},
        "levels": [
            {
                "blur": 0.5, "likeness": 0.5, "caution": 1.0, "samples": samples, "count": count,
                "aspects": [
                    {
                        "answers": answers, "sharpness": 2.0,
                        "members": [
                            {"weights": [1.0] * 4, "coefficients": coefficients(members * k + j)}
                            for j in range(members)
                        ],
                    }
                    for k, answers in enumerate(words)
                ],
            }
        ],
    }  # fmt: skip


def test_one_array_named_many_times_is_refused(tmp_path: Path) -> None:
    header = spot_header([spot_piece(4000, "a.f32", lambda _k: "a.f32")])
    path = archive(tmp_path / "p.zip", header, {"a.f32": bytes(4 * 4000 * LENGTH)})
    with pytest.raises(InvalidProfile, match=r"a\.f32: is named a second time"):
        load_taught(path, grid_board())


def test_the_board_and_the_names_come_before_anything_large(tmp_path: Path) -> None:
    header = face_header(lambda _k: "nowhere.png", lambda _k: "nowhere.png")
    for change, reason in (
        ({"board": "another/board"}, "board: is for 'another/board'"),
        ({"digest": "0"}, "digest: was taught on another version"),
        ({"faces": header["faces"][1:]}, "faces: lacks the"),
        ({"faces": [{**header["faces"][0], "label": "plaid"}, *header["faces"][1:]]}, "which the board does not have"),
    ):
        path = archive(tmp_path / "p.zip", {**header, **change}, {})
        with pytest.raises(InvalidProfile, match=reason):
            load_taught(path, BOARD)


def test_a_name_with_a_nul_names_no_file() -> None:
    for read in (lambda path: load_taught(path, BOARD), read_picture, read_text):
        with pytest.raises((InvalidProfile, InvalidPicture, InvalidDocument), match="holds a NUL and names no file"):
            read(Path("a\0b"))


SPECKLED = np.random.default_rng(3).integers(0, 256, (96, 128, 3), np.uint8)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tiff", ".webp", ".gif", ".bmp", ".ppm", ".hdr", ".jp2", ".avif"])
def test_the_size_is_known_before_a_picture_is_decoded(suffix: str) -> None:
    data = cv2.imencode(suffix, SPECKLED.astype(np.float32) / 255 if suffix == ".hdr" else SPECKLED)[1].tobytes()
    size = declared_size(data)
    assert size is not None
    assert (size.width, size.height) == (128, 96)
    assert decode_picture(data, "picture").shape == (96, 128, 3)


def test_scans_of_a_jpeg_are_counted_but_not_those_of_its_thumbnail() -> None:
    plain = cv2.imencode(".jpg", SPECKLED)[1].tobytes()
    progressive = cv2.imencode(".jpg", SPECKLED, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    with_thumbnail = plain[:2] + b"\xff\xe1" + struct.pack(">H", len(plain) + 2) + plain + plain[2:]
    sizes = [declared_size(data) for data in (plain, with_thumbnail, progressive)]
    assert [size.passes for size in sizes if size is not None][:2] == [1, 1]
    assert sizes[2] is not None
    assert sizes[2].passes > 3
    assert sizes[2].bytes_per_pixel > 5


def png_of_too_much(blocks: int) -> bytes:
    """A PNG of 100 x 100 pixels behind whose rows so many ten million zeros more are packed, 10 kB each."""
    packing = zlib.compressobj(9)
    rows = packing.compress(bytes(301 * 100)) + packing.flush(zlib.Z_FULL_FLUSH)
    block = packing.compress(bytes(10_000_000)) + packing.flush(zlib.Z_FULL_FLUSH)
    plain = flat_png(100, 100)
    data = rows + block * blocks
    chunk = b"IDAT" + data
    return plain[:33] + struct.pack(">I", len(data)) + chunk + struct.pack(">I", zlib.crc32(chunk)) + plain[-12:]


def hdr(width: int, height: int) -> bytes:
    return f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n".encode() + bytes(100)


def jpeg_of_many_scans() -> bytes:
    data = cv2.imencode(".jpg", np.zeros((5000, 6000, 3), np.uint8), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    last = data.rindex(b"\xff\xda")
    return data[:-2] + data[last:-2] * 100 + data[-2:]


def tiff(width: int, height: int) -> bytes:
    data = bytearray(cv2.imencode(".tiff", SPECKLED)[1].tobytes())
    (start,) = struct.unpack_from("<I", data, 4)
    for k in range(struct.unpack_from("<H", data, start)[0]):
        at = start + 2 + 12 * k
        tag = struct.unpack_from("<H", data, at)[0]
        if tag in (256, 257):
            struct.pack_into("<HII", data, at + 2, 4, 1, width if tag == 256 else height)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (hdr(8000, 7000), "takes too much memory"),
        (hdr(80_000, 70_000), "has more than 64 million pixels"),
        (lambda: flat_png(9000, 8000), "has more than 64 million pixels"),
        (tiff(60_000, 60_000), "has more than 64 million pixels"),
        (tiff(7000, 7000), "takes too much memory"),
        (b"BM" + bytes(12) + struct.pack("<Iii", 40, 20_000, -20_000) + bytes(100), "has more than 64 million pixels"),
        (b"P6\n# made by hand\n60000 60000\n255\n" + bytes(100), "has more than 64 million pixels"),
        (b"GIF89a" + struct.pack("<HH", 60_000, 60_000) + bytes(100), "has more than 64 million pixels"),
        (b"\xff\xd8\xff\xc0\0\x11\x08" + struct.pack(">HH", 60_000, 60_000) + bytes(100), "has more than 64"),
        (jpeg_of_many_scans, "takes too much memory or time"),
        (lambda: png_of_too_much(40), "takes too much memory or time"),
        (b"P6\nno numbers", "is not a picture, or is damaged"),
        (b"\x89PNG\r\n\x1a\n", "is not a picture, or is damaged"),
        (b"\xff\xd8\xff", "is not a picture, or is damaged"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_picture_that_needs_too_much_is_refused_before_it_is_decoded(
    data: bytes | Callable[[], bytes], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = data if isinstance(data, bytes) else data()  # each worker collects the test, one makes the picture

    def never(*_arguments: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr(cv2, "imdecode", never)
    with pytest.raises(InvalidPicture, match=reason):
        decode_picture(data, "picture")


def test_no_header_of_any_kind_upsets_the_reader_of_sizes() -> None:
    dice = np.random.default_rng(11)
    starts = [b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF89a", b"BM", b"RIFF\0\0\0\0WEBPVP8X", b"II*\0", b"MM\0*",
              b"#?RGBE\n", b"P5", b"\0\0\0\x18ftypavif", b"\0\0\0\x0cjP  \r\n\x87\n", b"\xff\x4f\xff\x51"]  # fmt: skip
    for start in starts:
        for length in (0, 3, 20, 60, 400):
            for _ in range(20):
                size = declared_size(start + dice.bytes(length))
                assert size is None or min(size.width, size.height) >= 0


def test_archives_of_the_large_format_are_no_profiles(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as written:
        for k in range(66_000):
            written.writestr(f"{k}", b"")
    path = tmp_path / "p.zip"
    path.write_bytes(stream.getvalue())
    with pytest.raises(InvalidProfile, match="is no profile, or is damaged"):
        load_taught(path, BOARD)
