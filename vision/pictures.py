"""Pictures as arrays: reading files, grey levels, values between pixels."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar, cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.wording.sentences import sentence
from vision.complaints import overheard
from vision.errors import InvalidPicture
from vision.picture_sizes import declared_size

_Channel = TypeVar("_Channel", np.uint8, np.float32)

Image = npt.NDArray[np.uint8]
"""A picture: height x width x 3, BGR."""
Gray = npt.NDArray[np.uint8]
"""A picture in grey: height x width."""

MAXIMUM_BYTES = 64 * 1024 * 1024
MAXIMUM_PIXELS = 64_000_000
"""Also OpenCV's own limit (`vision/__init__.py` sets it), so that it refuses a larger picture before allocating memory.
"""
MAXIMUM_MEMORY = 3 * MAXIMUM_PIXELS
"""Bytes that decoding a picture may need: as many as a plain picture of the most pixels. HDR, TIFF and progressive JPEG
pictures need more for each pixel.
"""
_MOST_PASSES = 10
"""Passes over a picture of the most pixels that its decoder may make; some forty over a photograph of a telephone."""
SMALLEST_SIDE = 64
_KIND_UNKNOWN = sentence("is a HEIC picture, as some phones take them, which cannot be read; save or send it as JPEG")
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
"""ISO/IEC 23008-12: the major brand of the file type box"""


def read_picture(path: Path) -> Image:
    """A picture file as BGR.

    Raises InvalidPicture.
    """
    if "\0" in str(path):
        raise InvalidPicture(str(path), sentence("holds a NUL and names no file"))
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for a writer that may never come
            raise InvalidPicture(str(path), sentence("is no file"))
        with path.open("rb") as stream:
            data = stream.read(MAXIMUM_BYTES + 1)
    except OSError as error:
        raise InvalidPicture(str(path), sentence("cannot be read ({why})", why=error.strerror or error)) from error
    if len(data) > MAXIMUM_BYTES:
        raise InvalidPicture(str(path), sentence("is larger than {size} MiB", size=MAXIMUM_BYTES >> 20))
    return decode_picture(data, str(path))


def decode_picture(data: bytes, source: str) -> Image:
    """An encoded picture (PNG, JPEG, ...) as BGR. The size it declares is checked before it is decoded.

    Raises InvalidPicture.
    """
    _check_declared(data, source)
    try:
        with overheard() as complaints:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error as error:
        reason = error.err.strip()
        if "MAX_IMAGE" in reason:
            flaw = sentence("has more than {count} million pixels", count=MAXIMUM_PIXELS // 1_000_000)
        else:
            flaw = sentence("cannot be decoded ({why})", why=reason or sentence("damaged"))
        raise InvalidPicture(source, flaw) from error
    if image is None:
        flaw = _KIND_UNKNOWN if _is_heic(data) else sentence("is not a picture, or is damaged")
        raise InvalidPicture(source, flaw)
    if complaints.tell_of_damage:
        raise InvalidPicture(source, sentence("is damaged; parts of it are not what was photographed"))
    height, width = image.shape[:2]
    if min(height, width) < SMALLEST_SIDE or height * width > MAXIMUM_PIXELS:
        raise InvalidPicture(
            source,
            sentence(
                "is {width} x {height} pixels; at least {least} a side and at most 64 million are needed",
                width=width, height=height, least=SMALLEST_SIDE,
            ),
        )  # fmt: skip
    return cast(Image, image)


def _check_declared(data: bytes, source: str) -> None:
    """Refuse data of no known kind of picture, and pictures that would need too much memory or time.

    Raises InvalidPicture.
    """
    size = declared_size(data)
    if size is None:
        raise InvalidPicture(
            source, _KIND_UNKNOWN if _is_heic(data) else sentence("is not a picture, or is damaged")
        )  # fmt: skip
    pixels = size.width * size.height
    if pixels > MAXIMUM_PIXELS:
        raise InvalidPicture(
            source, sentence("has more than {count} million pixels", count=MAXIMUM_PIXELS // 1_000_000)
        )  # fmt: skip
    if size.memory > MAXIMUM_MEMORY or size.passes * pixels > _MOST_PASSES * MAXIMUM_PIXELS:
        raise InvalidPicture(
            source,
            sentence(
                "is {width} x {height} pixels in a form that takes too much memory or time to decode; make it smaller,"
                " or save it as a plain PNG or JPEG",
                width=size.width, height=size.height,
            ),
        )  # fmt: skip


def _is_heic(data: bytes) -> bool:
    return data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS


def gray_of(image: Image) -> Gray:
    """A BGR picture in grey."""
    return cast(Gray, cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def interpolated(image: npt.NDArray[_Channel], pixels: npt.NDArray[np.float32]) -> npt.NDArray[_Channel]:
    """Bilinear samples (n, m, channels) or (n, m) of a picture at pixels (n, m, 2); outside, the nearest rim pixel."""
    if not pixels.size:
        return np.empty((*pixels.shape[:-1], *image.shape[2:]), image.dtype)
    mode = cv2.BORDER_REPLICATE
    # OpenCV takes x and y in one array; its type stubs do not say so.
    return cv2.remap(image, pixels, None, cv2.INTER_LINEAR, borderMode=mode)  # type: ignore[call-overload, no-any-return]
