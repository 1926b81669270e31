"""What can go wrong in the kernel.

CompanionError
├── InvalidDocument        a file or message from outside does not hold (also a ValueError)
├── NotationError          text that names no action (also a ValueError)
│   ├── InvalidNotation        it does not parse
│   └── AmbiguousNotation      it fits more than one action
├── IllegalAction          an action was applied that breaks a rule (also a ValueError)
├── SessionError           a request the session cannot follow
│   └── StaleState             it was meant for an older state
└── StoreError             the database cannot be used
    ├── DamagedDatabase        parts of it cannot be read
    │   └── UnreadableGame         too little of a game can be read
    └── NotRecorded            it did not take an entry in
"""

from __future__ import annotations

from companion.wording.characters import without_controls
from companion.wording.sentences import Sentence, sentence


def _bounded(text: str, limit: int) -> str:
    """A text that quotes untrusted keys or values, short enough for one line."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


class CompanionError(Exception):
    """Root of the kernel's errors; its text is one line for people."""


class InvalidDocument(CompanionError, ValueError):
    """A document from outside is unusable; names the file, the entry in it and the reason."""

    def __init__(self, source: str, entry: str, reason: str) -> None:
        self.source, self.entry, self.reason = source, _bounded(without_controls(entry), 120), _bounded(reason, 400)
        place = f"{source}: {self.entry}" if entry else source
        super().__init__(f"{place}: {self.reason}")


class NotationError(CompanionError, ValueError):
    """Text that names no single action."""


class InvalidNotation(NotationError):
    """The text does not parse as an action of this game."""


class AmbiguousNotation(NotationError):
    """The text fits more than one action."""


class IllegalAction(CompanionError, ValueError):
    """An action that breaks a rule was applied; `verdict` says which."""

    def __init__(self, message: str, verdict: object) -> None:
        self.verdict = verdict
        super().__init__(message)


class SessionError(CompanionError):
    """The session cannot do what was asked; nothing was changed."""


class StaleState(SessionError):
    """The request was made for a state that is no longer the current one."""


class StoreError(CompanionError):
    """The database of games is unusable: not ours, damaged, of another version, or not writable.

    `place` is the file, where it is not named in the reason.
    """

    def __init__(self, reason: str, place: str = "") -> None:
        self.reason, self.place = reason, place
        super().__init__(f"{place}: {reason}" if place else reason)

    @property
    def sentence(self) -> str:
        """The text as a sentence that the screen can translate."""
        return sentence("{source}: {reason}", source=self.place, reason=self.reason) if self.place else self.reason


class DamagedDatabase(StoreError):
    """Parts of the database cannot be read; `companion.session.salvage` brings back the others."""


class NoSuchGame(StoreError):
    """The database has no game of an id."""

    def __init__(self, game_id: str, place: str) -> None:
        super().__init__(f"there is no game {game_id}", place)


class UnreadableGame(DamagedDatabase):
    """A game of which too little can be read; it is kept only in a copy of the database, as `notice` says."""

    def __init__(self, reason: str, notice: Sentence) -> None:
        super().__init__(reason)
        self.notice = notice


class NotRecorded(StoreError):
    """The database did not take an entry in; says first that it is not recorded, then why and what to do."""

    def __init__(self, error: StoreError) -> None:
        super().__init__(error.reason, error.place)
        self.args = (str(self.sentence),)

    @property
    def sentence(self) -> str:
        """That it is not recorded, why, and in which file."""
        if not self.place:
            return sentence("Not recorded: {reason}", reason=self.reason)
        return sentence("Not recorded: {reason} ({source})", source=self.place, reason=self.reason)
