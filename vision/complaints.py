"""What C libraries say of a picture: they write it to standard error, and may return a damaged picture all the same."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from threading import Lock

_STANDARD_ERROR = 2
_KNOWN = re.compile(
    rb"^(libpng |Corrupt JPEG|Premature end of JPEG|Invalid SOS|Unsupported marker|\[ ?[A-Z]+:\d+@)", re.MULTILINE
)
"""how lines of libpng, libjpeg and OpenCV begin"""
_DAMAGE = re.compile(
    rb"^(libpng error|\[ ?ERROR:|Premature end of JPEG|Corrupt JPEG data(?!: \d{1,2} extraneous bytes))", re.MULTILINE
)
"""A few bytes too many are usual of some cameras and hurt nothing; libpng's warnings are about colour profiles."""
_lock = Lock()


@dataclass(slots=True)
class Complaints:
    """What was said while a picture was decoded."""

    said: bytes = b""

    @property
    def tell_of_damage(self) -> bool:
        """Whether parts of the picture are not what was photographed."""
        return _DAMAGE.search(self.said) is not None


@contextmanager
def overheard() -> Iterator[Complaints]:
    """Keep libraries' complaints off the terminal and tell them; what others write meanwhile is passed on.

    Where standard error is closed or no temporary file can be had, nothing is overheard.
    """
    complaints = Complaints()
    with _lock, ExitStack() as stack:
        try:
            file = stack.enter_context(tempfile.TemporaryFile())
            terminal = os.dup(_STANDARD_ERROR)
        except OSError:
            yield complaints
            return
        os.dup2(file.fileno(), _STANDARD_ERROR)
        try:
            yield complaints
        finally:
            os.dup2(terminal, _STANDARD_ERROR)
            os.close(terminal)
            file.seek(0)
            complaints.said = file.read()
            if complaints.said and not _KNOWN.search(complaints.said):
                with suppress(OSError):
                    os.write(_STANDARD_ERROR, complaints.said)
