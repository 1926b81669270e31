"""What can go wrong between a board definition and a printed, calibrated, taught table.

CalibrationError
└── PrintError             sheets cannot be printed or written
"""

from __future__ import annotations


class CalibrationError(Exception):
    """Root of the calibration package's errors; its text is one line for people."""


class PrintError(CalibrationError):
    """Sheets cannot be laid out or written; names the sheet or folder, the reason and what to do."""
