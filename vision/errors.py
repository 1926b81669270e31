"""What can go wrong between a camera and an observation.

VisionError
├── SourceError            pictures cannot be had
│   ├── SourceUnavailable      the source cannot be opened (also an OSError)
│   └── SourceLost             it stopped giving pictures (also an OSError)
├── InvalidPicture         a file that is no usable picture (also a ValueError)
└── InvalidProfile         a profile that is damaged, of another version or for another board (also a ValueError)

That no board is in the picture is an answer, not an error: `vision.location.registration.BoardNotFound`.
"""

from __future__ import annotations

from companion.wording.sentences import sentence


class VisionError(Exception):
    """Root of the vision package's errors; its text is one line for people."""

    @property
    def sentence(self) -> str:
        """The text as a sentence that the screen can translate."""
        return str(self)


class SourceError(VisionError):
    """Pictures cannot be had; `source` names the camera, file or address."""

    def __init__(self, source: str, reason: str) -> None:
        self.source, self.reason = source, reason
        super().__init__(f"{source}: {reason}")

    @property
    def sentence(self) -> str:
        """The source and the reason."""
        return sentence("{source}: {reason}", source=self.source, reason=self.reason)


class SourceUnavailable(SourceError, OSError):
    """The source cannot be opened."""


class SourceLost(SourceError, OSError):
    """The source stopped giving pictures."""


class InvalidPicture(VisionError, ValueError):
    """A file is not a picture that can be read."""

    def __init__(self, source: str, reason: str) -> None:
        self.source, self.reason = source, reason
        super().__init__(f"{source}: {reason}")

    @property
    def sentence(self) -> str:
        """The source and the reason."""
        return sentence("{source}: {reason}", source=self.source, reason=self.reason)


class InvalidProfile(VisionError, ValueError):
    """A profile of pieces is unusable; names the file, the entry in it and the reason."""

    def __init__(self, source: str, entry: str, reason: str) -> None:
        self.source, self.entry, self.reason = source, entry, reason
        super().__init__(f"{source}: {entry}: {reason}" if entry else f"{source}: {reason}")

    @property
    def sentence(self) -> str:
        """The file, the entry where there is one, and the reason."""
        place = f"{self.source}: {self.entry}" if self.entry else self.source
        return sentence("{source}: {reason}", source=place, reason=self.reason)
