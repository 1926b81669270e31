"""Profiles as ZIP archives of a JSON header, pictures and arrays: always written the same, read with distrust."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

import cv2
import numpy as np

from companion.board.layout import Board
from companion.documents import Table, parse_json
from companion.errors import InvalidDocument
from companion.sentences import sentence
from vision.complaints import overheard
from vision.errors import InvalidProfile
from vision.pictures import Gray, Image

HEADER = "profile.json"
MAXIMUM_BYTES = 32 * 1024 * 1024
_DAMAGES = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error)

T = TypeVar("T")


class Archive:
    """An open archive; `source` names it in refusals."""

    def __init__(self, archive: zipfile.ZipFile, source: str) -> None:
        self._archive, self.source = archive, source

    def header(self) -> Table:
        """The JSON document that says what the other files are.

        Raises InvalidProfile, InvalidDocument.
        """
        try:
            return parse_json(self.member(HEADER).decode(), self.source)
        except UnicodeDecodeError as error:
            raise InvalidProfile(self.source, HEADER, "is not UTF-8 text") from error

    def member(self, name: str) -> bytes:
        """One of the files.

        Raises InvalidProfile.
        """
        try:
            info = self._archive.getinfo(name)
        except KeyError as error:
            raise InvalidProfile(self.source, name, "is missing") from error
        if info.file_size > MAXIMUM_BYTES:
            raise InvalidProfile(self.source, name, f"unpacks to more than {MAXIMUM_BYTES >> 20} MiB")
        return self._archive.read(info)

    def picture(self, table: Table, key: str, longest: int) -> Image:
        """The PNG picture, `longest` pixels a side at most, whose file an entry names.

        Raises InvalidProfile, InvalidDocument.
        """
        data = self.member(table.text(key, longest=100))
        # The PNG header is read before decoding, so that a small file cannot ask for gigabytes.
        width, height = (int.from_bytes(data[k : k + 4], "big") for k in (16, 20))
        if not data.startswith(b"\x89PNG\r\n\x1a\n") or not (0 < width <= longest and 0 < height <= longest):
            raise table.invalid(key, f"is no PNG of at most {longest} x {longest} pixels")
        with overheard():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if image is None or image.shape[:2] != (height, width):
            raise table.invalid(key, "is a damaged picture")
        return cast(Image, image)


def read_archive(path: Path, parse: Callable[[Archive], T]) -> T:
    """What `parse` makes of the archive in a file.

    Raises InvalidProfile, also for whatever `parse` finds malformed.
    """
    source = str(path)
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for a writer that may never come
            raise InvalidProfile(source, "", "is no file")
        if path.stat().st_size > MAXIMUM_BYTES:
            raise InvalidProfile(source, "", f"is larger than {MAXIMUM_BYTES >> 20} MiB, which no profile needs")
        with zipfile.ZipFile(path) as archive:
            return parse(Archive(archive, source))
    except OSError as error:
        raise InvalidProfile(source, "", f"cannot be read ({error.strerror or error})") from error
    except _DAMAGES as error:
        raise InvalidProfile(source, "", f"is no profile, or is damaged ({error})") from error
    except InvalidDocument as error:
        raise InvalidProfile(source, error.entry, error.reason) from error


def check_board(name: str, digest: str, board: Board, source: str) -> None:
    """Refuse a board other than the one of this id and digest, on which a profile was taught.

    Raises InvalidProfile.
    """
    if name != board.id:
        told = sentence("is for {own}, not for {other}", own=repr(name), other=repr(board.id))
        raise InvalidProfile(source, "board", told)
    if digest != board.digest:
        told = sentence("was taught on another version of this board; teach it again")
        raise InvalidProfile(source, "digest", told)


def archive_bytes(header: Mapping[str, Any], files: Mapping[str, bytes], *, indent: int | None = None) -> bytes:
    """An archive as the bytes of its file; the same content always gives the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        text = json.dumps(header, indent=indent, ensure_ascii=False, allow_nan=False).encode()
        for name, data in {HEADER: text, **files}.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def png_bytes(image: Image | Gray) -> bytes:
    """A picture as a small PNG file."""
    _, data = cv2.imencode(".png", image, [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return data.tobytes()
