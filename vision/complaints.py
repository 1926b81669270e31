"""Messages of C image libraries, which they write to standard error even when they return a damaged picture."""

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
"""first words of the messages of libpng, libjpeg and OpenCV"""
_DAMAGE = re.compile(
    rb"^(libpng error|\[ ?ERROR:|Premature end of JPEG|Corrupt JPEG data(?!: \d{1,2} extraneous bytes))", re.MULTILINE
)
"""Messages that mean a damaged picture. A few extra bytes are normal for some cameras and harmless; libpng's warnings
are only about colour profiles.
"""
_lock = Lock()


@dataclass(slots=True)
class Complaints:
    """The messages written while a picture was decoded."""

    said: bytes = b""

    @property
    def tell_of_damage(self) -> bool:
        """Whether they mean that parts of the picture differ from what was photographed."""
        return _DAMAGE.search(self.said) is not None


@contextmanager
def overheard() -> Iterator[Complaints]:
    """Keep libraries' messages off the terminal and collect them; other output to standard error is passed on.

    Where standard error is closed or no temporary file can be made, nothing is collected.
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
