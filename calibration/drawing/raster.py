"""Pictures of pages, rendered from the PDF that is printed."""

from __future__ import annotations

import struct
import zlib
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw

from calibration.errors import PrintError

Picture = npt.NDArray[np.uint8]
"""Rows, columns, BGR."""


MOST_PIXELS = 160_000_000


def page_picture(pdf: bytes, page: int, pixels_per_mm: float) -> Picture:
    """One page (from 0) as a picture, its size rounded to whole pixels.

    Raises PrintError where it would have more than MOST_PIXELS.
    """
    document = pypdfium2.PdfDocument(pdf)
    try:
        sheet = document[page]
        width, height = (max(1, round(points / 72 * 25.4 * pixels_per_mm)) for points in sheet.get_size())
        if width * height > MOST_PIXELS:
            raise PrintError(f"a picture of {width} x {height} pixels is too large; ask for a lower resolution")
        bitmap = pypdfium2.PdfBitmap.new_native(width, height, pypdfium2.raw.FPDFBitmap_BGR)
        bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
        pypdfium2.raw.FPDF_RenderPageBitmap(
            bitmap, sheet, 0, 0, width, height, 0, pypdfium2.raw.FPDF_ANNOT | pypdfium2.raw.FPDF_NO_NATIVETEXT
        )
        return cast(Picture, bitmap.to_numpy()[:, :, :3].copy())
    finally:
        document.close()


def png_bytes(picture: Picture, pixels_per_mm: float) -> bytes:
    """A picture, BGR or BGRA, as a PNG file that states its resolution."""
    data = cv2.imencode(".png", picture)[1].tobytes()
    per_metre = round(pixels_per_mm * 1000)
    chunk = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    header = len(b"\x89PNG\r\n\x1a\n") + 25
    return data[:header] + struct.pack(">I", 9) + chunk + struct.pack(">I", zlib.crc32(chunk)) + data[header:]
