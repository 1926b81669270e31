"""Speaks announcements with espeak-ng if it is installed. A new sentence interrupts the one before."""

from __future__ import annotations

import logging
import shutil
import subprocess

from ui.services.settings import Announcements
from ui.view_models.play_view import PlayView, VerdictKind

PROGRAM = "espeak-ng"

_log = logging.getLogger("companion.speech")


class Speaker:
    """A voice; silent if `program` (the path of espeak-ng) is None."""

    def __init__(self, program: str | None = shutil.which(PROGRAM)) -> None:
        self._program = program
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def is_available(self) -> bool:
        """Whether anything can be heard."""
        return self._program is not None

    def say(self, text: str, language: str) -> None:
        """Stop the current sentence and say this one; `language` is a code such as "it"."""
        self.close()
        if self._program is None:
            return
        try:
            running = subprocess.Popen(
                [self._program, "-v", language, "--stdin"],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            self._running = running
            if running.stdin is not None:
                running.stdin.write(text.encode())
                running.stdin.close()
        except OSError as error:
            _log.warning("%s cannot speak: %s", self._program, error)
            self._program = None

    def close(self) -> None:
        """Be quiet."""
        running, self._running = self._running, None
        if running is not None:
            running.terminate()
            running.wait()


def announcement(view: PlayView, wanted: str) -> str:
    """What to say about a view: a refusal with its first reason, else the prompt."""
    verdict = view.verdict
    if wanted == Announcements.OFF:
        return ""
    if verdict is not None and verdict.kind is VerdictKind.REFUSED:
        return ". ".join((verdict.headline, *(sentence for sentence, _source in verdict.sentences[:1])))
    return view.prompt if wanted == Announcements.ALL else ""
