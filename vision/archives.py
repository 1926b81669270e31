"""ZIP archives of a JSON header, pictures and arrays (profiles, cut-outs), read as untrusted input."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

import cv2
import numpy as np

from companion.board.layout import Board
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, parse_json
from companion.wording.sentences import sentence
from vision.complaints import overheard
from vision.errors import InvalidProfile, VisionError
from vision.picture_sizes import declared_size
from vision.pictures import Gray, Image

HEADER = "profile.json"
MAXIMUM_BYTES = 16 * 1024 * 1024
"""Largest file of a profile, and largest member of one; the shipped ones have at most 0.4 and 0.3 MiB."""
_MOST_UNPACKED = 32 * 1024 * 1024
"""Most bytes that all members of a profile may unpack and its pictures decode to; the shipped ones need 5.3 MiB."""
_MOST_HEADER = 2 * 1024 * 1024
"""Largest header: JSON becomes Python objects of some thirty times its size."""
_MOST_DIRECTORY = 512 * 1024
"""Largest central directory: every entry becomes a Python object, whether it is read or not."""
_END, _END_SIZE, _LONGEST_COMMENT = b"PK\x05\x06", 22, 65_535
_LOCATOR, _LOCATOR_SIZE = b"PK\x06\x07", 20
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGES = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, zlib.error)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ArchiveKind:
    """A kind of archive: what people call it, the name of its header member, and the error to raise, made from the
    archive's source, the entry in it (or "") and the reason.

    `most_bytes` is the size of the largest member, `most_unpacked` that of all members together with the decoded
    pictures.
    """

    name: str
    header: str
    most_bytes: int
    most_unpacked: int
    refusal: Callable[[str, str, str], VisionError]


PROFILE = ArchiveKind("profile", HEADER, MAXIMUM_BYTES, _MOST_UNPACKED, InvalidProfile)


class Archive:
    """An open archive; `source` names it in refusals. Every member is read once at most."""

    def __init__(self, archive: zipfile.ZipFile, source: str, kind: ArchiveKind = PROFILE) -> None:
        self._archive, self._kind, self.source = archive, kind, source
        self._left = kind.most_unpacked
        self._read = set[str]()

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
        most = min(self._kind.most_bytes, _MOST_HEADER) if name == self._kind.header else self._kind.most_bytes
        if info.file_size > most:
            raise self._kind.refusal(self.source, name, f"unpacks to more than {most >> 10} KiB")
        if name in self._read:
            raise self._kind.refusal(self.source, name, "is named a second time")
        self._read.add(name)
        self._spend(name, info.file_size)
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
        self._spend(table.at(key), 3 * width * height)
        size = declared_size(data)
        if size is None or size.memory == inf:
            raise table.invalid(key, "is a PNG in which more is packed than its pixels")
        with overheard():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if image is None or image.shape[:2] != (height, width):
            raise table.invalid(key, "is a damaged picture")
        return cast(Image, image)

    def _spend(self, name: str, size: int) -> None:
        """Count bytes that are about to be unpacked or decoded.

        Raises the kind's refusal where they are too many in all.
        """
        self._left -= size
        if self._left < 0:
            reason = f"and what was read before unpack to more than {self._kind.most_unpacked >> 10} KiB in all"
            raise self._kind.refusal(self.source, name, reason)


def read_archive(path: Path, parse: Callable[[Archive], T]) -> T:
    """The result of `parse` on the archive in a file.

    Raises InvalidProfile, also for anything that `parse` finds malformed.
    """
    source = str(path)
    if "\0" in source:
        raise InvalidProfile(source, "", "holds a NUL and names no file")
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for a writer that may never come
            raise InvalidProfile(source, "", "is no file")
        if path.stat().st_size > MAXIMUM_BYTES:
            raise InvalidProfile(source, "", f"is larger than {MAXIMUM_BYTES >> 20} MiB, which no profile needs")
        with path.open("rb") as stream:
            return parse_archive(stream, source, PROFILE, parse)
    except OSError as error:
        raise InvalidProfile(source, "", f"cannot be read ({error.strerror or error})") from error


def parse_archive(file: BinaryIO, source: str, kind: ArchiveKind, parse: Callable[[Archive], T]) -> T:
    """The result of `parse` on an archive.

    Raises the kind's refusal, also for anything that `parse` finds malformed; OSError.
    """
    damaged = kind.refusal(source, "", f"is no {kind.name}, or is damaged")
    if _directory_size(file) > _MOST_DIRECTORY:
        raise damaged
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


def _directory_size(file: BinaryIO) -> int:
    """The size in bytes of an archive's central directory, 0 where no end of one is found (`zipfile` refuses that).

    Archives in the ZIP64 format count as too large: they are for gigabytes.
    """
    length = file.seek(0, io.SEEK_END)
    file.seek(max(0, length - _END_SIZE - _LONGEST_COMMENT - _LOCATOR_SIZE))
    tail = file.read()
    # As `zipfile` looks for it: at the very end, else the last occurrence of its signature.
    at = len(tail) - _END_SIZE
    if not (at >= 0 and tail.startswith(_END, at) and tail.endswith(b"\0\0")):
        at = tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_SIZE:
        return 0
    is_64 = tail.startswith(_LOCATOR, at - _LOCATOR_SIZE) if at >= _LOCATOR_SIZE else False
    return _MOST_DIRECTORY + 1 if is_64 else int.from_bytes(tail[at + 12 : at + 16], "little")


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
