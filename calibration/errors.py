"""What can go wrong between a board definition and a printed, calibrated, taught table.

CalibrationError
├── PrintError             sheets cannot be printed or written
├── LensError              a camera's lens cannot be measured from these pictures
└── TeachingError          photographs and their labels teach nothing
    └── UnreadLessons          what they taught does not read themselves
"""

from __future__ import annotations


class CalibrationError(Exception):
    """Root of the calibration package's errors; its text is one line for people."""


class PrintError(CalibrationError):
    """Sheets cannot be laid out or written; names the sheet or folder, the reason and what to do."""


class LensError(CalibrationError):
    """A camera's lens cannot be measured; says what is missing or does not fit, and what to do."""

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence
        super().__init__(sentence)


class TeachingError(CalibrationError):
    """These photographs teach nothing; names the file, the reason and what to do."""


class UnreadLessons(TeachingError):
    """A taught profile misreads too many of the spots it was taught from; names their labels."""
