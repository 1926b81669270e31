"""The size of an encoded picture as its own header declares it, read before anything is decoded.

A small file may declare a huge picture; what a decoder would need in memory is known from a few bytes of each format.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG: markers that begin a frame (ITU-T T.81, table B.1)"""
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""JPEG: markers without a length"""
_SCAN, _END = 0xDA, 0xD9
_AFTER_SCAN = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
"""JPEG: the marker that ends the data of a scan"""
_PNG_CHANNELS = {2: 3, 4: 2, 6: 4}
"""PNG: kind of colours -> values for each pixel, where these are several"""
_UNPACKED_PIXELS = 1 << 26
"""PNG: a picture of more pixels is too large anyway, so that it is not unpacked to see how long it is"""
_SPARE = 1 << 20
"""PNG: bytes that may be packed beyond the rows, and that are unpacked at once"""
_PIECE = 1 << 16
_TIFF_TYPES = {1: "B", 3: "H", 4: "I"}
_MOST_TAGS = 512
_HDR_SIZE = re.compile(rb"\n[-+]([YX]) +(\d{1,9}) +[-+]([YX]) +(\d{1,9})\n")
_LONGEST_HEADER = 1 << 16
"""Bytes of a textual header (HDR, PNM) or of boxes (AVIF, JPEG 2000) in which the size must be found."""


@dataclass(frozen=True, slots=True)
class DeclaredSize:
    """Width and height in pixels, the bytes of memory for each pixel while decoding, and the passes over the data."""

    width: int
    height: int
    bytes_per_pixel: float = 3.0
    passes: int = 1

    @property
    def memory(self) -> float:
        """Bytes of memory that decoding needs."""
        return self.width * self.height * self.bytes_per_pixel


def declared_size(data: bytes) -> DeclaredSize | None:
    """The size that an encoded picture declares; None where this is no kind of picture whose size is known here."""
    for is_kind, size_of in _KINDS:
        if is_kind(data):
            try:
                return size_of(data)
            except (struct.error, IndexError, ValueError):
                return None
    return None


def _png(data: bytes) -> DeclaredSize:
    """Where more is packed than the rows take a decoder unpacks it all, to throw it away: that takes too much."""
    width, height, depth, colour, _packing, _filter, interlaced = struct.unpack_from(">IIBBBBB", data, 16)
    if width * height > _UNPACKED_PIXELS:
        return DeclaredSize(width, height)
    row = 1 + (width * depth * _PNG_CHANNELS.get(colour, 1) + 7) // 8
    is_bounded = _unpacks_to_at_most(_png_pieces(data), row * height * (2 if interlaced else 1) + _SPARE)
    return DeclaredSize(width, height, 3.0 if is_bounded else inf)


def _png_pieces(data: bytes) -> Iterator[bytes]:
    """The packed rows of a PNG, in pieces."""
    at = 8
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IDAT":
            for start in range(at + 8, min(at + 8 + length, len(data)), _PIECE):
                yield data[start : min(start + _PIECE, at + 8 + length)]
        at += 12 + length


def _unpacks_to_at_most(pieces: Iterator[bytes], most: int) -> bool:
    """Whether packed data gives no more bytes than that; damaged data gives those before the damage."""
    unpacking, size = zlib.decompressobj(), 0
    try:
        for piece in pieces:
            packed = piece
            while packed and not unpacking.eof:
                size += len(unpacking.decompress(packed, _SPARE))
                if size > most:
                    return False
                packed = unpacking.unconsumed_tail
    except zlib.error:
        pass
    return True


def _jpeg(data: bytes) -> DeclaredSize | None:
    """Where a JPEG has several scans all coefficients are kept, two bytes each, and every scan passes over them."""
    at, scans, frame = 2, 0, -1
    while at + 4 <= len(data) and data[at] == 0xFF and data[at + 1] != _END:
        marker = data[at + 1]
        if marker == 0xFF or marker in _ALONE:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _FRAMES and frame < 0:
            frame = at
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == _SCAN:
            scans += 1
            ended = _AFTER_SCAN.search(data, at)
            at = ended.start() if ended is not None else len(data)
    if frame < 0:
        return None
    height, width, count = struct.unpack_from(">HHB", data, frame + 5)
    factors = [data[frame + 11 + 3 * k] for k in range(count)]
    area = sum((each >> 4) * (each & 15) for each in factors)
    whole = max((each >> 4 for each in factors), default=1) * max((each & 15 for each in factors), default=1)
    coefficients = 2.0 * area / max(whole, 1) if scans > 1 else 0.0
    return DeclaredSize(width, height, 3.0 + coefficients, max(scans, 1))


def _gif(data: bytes) -> DeclaredSize:
    width, height = struct.unpack_from("<HH", data, 6)
    return DeclaredSize(width, height, 8.0)


def _bmp(data: bytes) -> DeclaredSize:
    if int.from_bytes(data[14:18], "little") == 12:
        return DeclaredSize(*struct.unpack_from("<HH", data, 18))
    width, height = struct.unpack_from("<ii", data, 18)
    return DeclaredSize(abs(width), abs(height))


def _webp(data: bytes) -> DeclaredSize | None:
    kind = data[12:16]
    if kind == b"VP8X":
        width, height = (int.from_bytes(data[k : k + 3], "little") + 1 for k in (24, 27))
    elif kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    elif kind == b"VP8 ":
        width, height = (each & 0x3FFF for each in struct.unpack_from("<HH", data, 26))
    else:
        return None
    return DeclaredSize(width, height, 8.0)


def _tiff(data: bytes) -> DeclaredSize | None:
    order = "<" if data[:2] == b"II" else ">"
    (start,) = struct.unpack_from(f"{order}I", data, 4)
    (count,) = struct.unpack_from(f"{order}H", data, start)
    tags = {256: 0, 257: 0, 258: 8, 277: 1, 322: 0, 323: 0}
    for k in range(min(count, _MOST_TAGS)):
        tag, kind, values = struct.unpack_from(f"{order}HHI", data, start + 2 + 12 * k)
        if tag in tags and kind in _TIFF_TYPES:
            letter = _TIFF_TYPES[kind]
            at = start + 10 + 12 * k
            if values * struct.calcsize(letter) > 4:
                (at,) = struct.unpack_from(f"{order}I", data, at)
            (tags[tag],) = struct.unpack_from(f"{order}{letter}", data, at)
    width, height = max(tags[256], tags[322]), max(tags[257], tags[323])
    return DeclaredSize(width, height, 2.0 * max(3, tags[277]) * max(1.0, tags[258] / 8))


def _hdr(data: bytes) -> DeclaredSize | None:
    """Radiance pictures are decoded to three floats a pixel, then to levels."""
    found = _HDR_SIZE.search(data, 0, _LONGEST_HEADER)
    if found is None:
        return None
    sides = {found[1]: int(found[2]), found[3]: int(found[4])}
    return DeclaredSize(sides[b"X"], sides[b"Y"], 28.0) if len(sides) == 2 else None


def _pnm(data: bytes) -> DeclaredSize:
    words = _pnm_words(data)
    return DeclaredSize(int(next(words)), int(next(words)), 12.0)


def _pnm_words(data: bytes) -> Iterator[bytes]:
    header = re.sub(rb"#[^\n]*", b"", data[2:_LONGEST_HEADER])
    yield from (word[0] for word in re.finditer(rb"\S+", header))
    raise ValueError("a portable map without a size")


def _boxes(data: bytes) -> DeclaredSize | None:
    """AVIF (`ispe`, one for each picture in it) and JPEG 2000 (`ihdr`); decoders keep several bytes a channel."""
    head = data[:_LONGEST_HEADER]
    spans = [struct.unpack_from(">II", data, found.start() + 8) for found in re.finditer(rb"ispe", head)]
    spans += [struct.unpack_from(">II", data, found.start() + 4)[::-1] for found in re.finditer(rb"ihdr", head)]
    if not spans:
        return None
    width, height = max(spans, key=lambda span: span[0] * span[1])
    return DeclaredSize(width, height, 24.0)


def _codestream(data: bytes) -> DeclaredSize:
    width, height, left, top = struct.unpack_from(">IIII", data, 8)
    return DeclaredSize(max(0, width - left), max(0, height - top), 24.0)


def _begins(*starts: bytes) -> Callable[[bytes], bool]:
    return lambda data: data.startswith(starts)


_KINDS: tuple[tuple[Callable[[bytes], bool], Callable[[bytes], DeclaredSize | None]], ...] = (
    (_begins(b"\x89PNG\r\n\x1a\n"), _png),
    (_begins(b"\xff\xd8"), _jpeg),
    (_begins(b"GIF87a", b"GIF89a"), _gif),
    (_begins(b"BM"), _bmp),
    (lambda data: data.startswith(b"RIFF") and data[8:12] == b"WEBP", _webp),
    (_begins(b"II*\0", b"MM\0*"), _tiff),
    (_begins(b"#?RADIANCE\n", b"#?RGBE\n"), _hdr),
    (_begins(*(b"P" + bytes([digit]) for digit in b"123456")), _pnm),
    (lambda data: data[4:8] == b"ftyp" and data[8:12] in (b"avif", b"avis"), _boxes),
    (_begins(b"\0\0\0\x0cjP  \r\n\x87\n"), _boxes),
    (_begins(b"\xff\x4f\xff\x51"), _codestream),
)
