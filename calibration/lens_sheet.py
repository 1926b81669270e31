"""The printed sheet for measuring a lens: a chessboard with a marker in every white square, A4 landscape."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.drawing.colours import SEPIA
from calibration.drawing.ink import Ink
from calibration.lens import COLUMNS, MARKER, ROWS, SQUARE, charuco
from calibration.markers import draw_modules
from calibration.sheets import PAPERS, draw_ruler

_BLACK = (0, 0, 0)


def lens_sheet_pdf() -> bytes:
    """The sheet as PDF, to be printed at 100 %."""
    ink = Ink("Camera calibration sheet")
    height, width = PAPERS["A4"]
    ink.page(width, height)
    left, top = (width - COLUMNS * SQUARE) / 2, (height - ROWS * SQUARE) / 2
    board = charuco()
    dictionary, numbers = board.getDictionary(), iter(np.asarray(board.getIds()).ravel())
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = left + column * SQUARE, top + row * SQUARE
            if (row + column) % 2 == 0:
                ink.rectangle(x, y, SQUARE, SQUARE, _BLACK)
            else:
                margin = (SQUARE - MARKER) / 2
                picture = cv2.aruco.generateImageMarker(dictionary, int(next(numbers)), dictionary.markerSize + 2)
                draw_modules(ink, np.asarray(picture) < 128, x + margin, y + margin, MARKER)
    draw_ruler(ink, left, height - 8.0)
    ink.text(left + COLUMNS * SQUARE, height - 6.0, "Glue it on something flat", 1.8, SEPIA, anchor="end")
    return ink.pdf()
