"""ZIP archives of a JSON header, pictures and arrays (profiles, cut-outs), read as untrusted input."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import cv2
import numpy as np

from companion.board.layout import Board
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, parse_json
from companion.wording.sentences import sentence
from vision.complaints import overheard
from vision.errors import InvalidProfile, VisionError
from vision.pictures import Gray, Image

HEADER = "profile.json"
MAXIMUM_BYTES = 32 * 1024 * 1024
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGES = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ArchiveKind:
    """A kind of archive: what people call it, the name of its header member, the largest member in bytes, and the error
    to raise, made from the archive's source, the entry in it (or "") and the reason.
    """

    name: str
    header: str
    most_bytes: int
    refusal: Callable[[str, str, str], VisionError]


PROFILE = ArchiveKind("profile", HEADER, MAXIMUM_BYTES, InvalidProfile)


class Archive:
    """An open archive; `source` names it in refusals."""

    def __init__(self, archive: zipfile.ZipFile, source: str, kind: ArchiveKind = PROFILE) -> None:
        self._archive, self._kind, self.source = archive, kind, source

    def header(self) -> DocumentTable:
        """The JSON document that names the other files.

        Raises the kind's refusal, InvalidDocument.
        """
        name = self._kind.header
        try:
            return parse_json(self.member(name).decode(), self.source)
        except UnicodeDecodeError as error:
            raise self._kind.refusal(self.source, name, "is not UTF-8 text") from error

    def member(self, name: str) -> bytes:
        """The bytes of one file in the archive.

        Raises the kind's refusal.
        """
        try:
            info = self._archive.getinfo(name)
        except KeyError as error:
            raise self._kind.refusal(self.source, name, "is missing") from error
        if info.file_size > self._kind.most_bytes:
            reason = f"unpacks to more than {self._kind.most_bytes >> 10} KiB"
            raise self._kind.refusal(self.source, name, reason)
        if info.compress_type not in _COMPRESSIONS:
            raise self._kind.refusal(self.source, name, "is packed in a way that is not read here")
        try:
            return self._archive.read(info)
        except ValueError as error:  # an offset before the file's beginning
            raise self._kind.refusal(self.source, name, "is damaged") from error

    def picture(self, table: DocumentTable, key: str, longest: int) -> Image:
        """The PNG picture named by an entry of the header, at most `longest` pixels a side.

        Raises InvalidProfile, InvalidDocument.
        """
        data = self.member(table.text(key, longest=100))
        # The size in the PNG header is checked before decoding: a small file could declare gigabytes.
        width, height = (int.from_bytes(data[k : k + 4], "big") for k in (16, 20))
        if not data.startswith(b"\x89PNG\r\n\x1a\n") or not (0 < width <= longest and 0 < height <= longest):
            raise table.invalid(key, f"is no PNG of at most {longest} x {longest} pixels")
        with overheard():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if image is None or image.shape[:2] != (height, width):
            raise table.invalid(key, "is a damaged picture")
        return cast(Image, image)


def read_archive(path: Path, parse: Callable[[Archive], T]) -> T:
    """The result of `parse` on the archive in a file.

    Raises InvalidProfile, also for anything that `parse` finds malformed.
    """
    source = str(path)
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for a writer that may never come
            raise InvalidProfile(source, "", "is no file")
        if path.stat().st_size > MAXIMUM_BYTES:
            raise InvalidProfile(source, "", f"is larger than {MAXIMUM_BYTES >> 20} MiB, which no profile needs")
        return parse_archive(path, source, PROFILE, parse)
    except OSError as error:
        raise InvalidProfile(source, "", f"cannot be read ({error.strerror or error})") from error


def parse_archive(file: Path | io.BytesIO, source: str, kind: ArchiveKind, parse: Callable[[Archive], T]) -> T:
    """The result of `parse` on an archive.

    Raises the kind's refusal, also for anything that `parse` finds malformed; OSError.
    """
    damaged = kind.refusal(source, "", f"is no {kind.name}, or is damaged")
    try:
        archive = zipfile.ZipFile(file)
    except (*_DAMAGES, ValueError) as error:
        raise damaged from error
    try:
        with archive:
            return parse(Archive(archive, source, kind))
    except _DAMAGES as error:
        raise damaged from error
    except InvalidDocument as error:
        raise kind.refusal(source, error.entry, error.reason) from error


def check_board(name: str, digest: str, board: Board, source: str) -> None:
    """Check that a profile taught on the board with this id and digest fits `board`.

    Raises InvalidProfile.
    """
    if name != board.id:
        reason = sentence("is for {own}, not for {other}", own=repr(name), other=repr(board.id))
        raise InvalidProfile(source, "board", reason)
    if digest != board.digest:
        reason = sentence("was taught on another version of this board; teach it again")
        raise InvalidProfile(source, "digest", reason)


def archive_bytes(header: Mapping[str, Any], files: Mapping[str, bytes], *, indent: int | None = None) -> bytes:
    """The bytes of an archive file; equal content gives equal bytes."""
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
