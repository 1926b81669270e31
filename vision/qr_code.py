"""The text of a QR code in a picture."""

from __future__ import annotations

import cv2

from vision.pictures import Image, gray_of

_LARGEST, _FIRST = 1920, 960
"""pixels of the longer side: at most, and in the first, quicker look"""


def qr_text(image: Image) -> str:
    """What a QR code in the picture says; "" where none can be read."""
    gray = gray_of(image)
    longest = max(gray.shape[:2])
    for side in dict.fromkeys((min(longest, _FIRST), min(longest, _LARGEST))):
        factor = side / longest
        looked_at = (
            gray if side == longest else cv2.resize(gray, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        )
        try:
            text, _corners, _straight = cv2.QRCodeDetectorAruco().detectAndDecode(looked_at)
        except (cv2.error, UnicodeDecodeError):  # what looks like a code and is none
            continue
        if text:
            return str(text)
    return ""
