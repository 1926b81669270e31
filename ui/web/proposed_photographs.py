"""Photographs from phones at the open table: read one after the other, and proposed until answered. Table's thread."""

from __future__ import annotations

from collections.abc import Callable

from ui.services.text import _
from ui.shell.table_loop import TableLoop
from ui.web.snapshots import Snapshots

PATIENCE = 60.0
"""seconds in which a photograph must be answered where a camera waits meanwhile"""


class ProposedPhotographs:
    """What a photograph shows is proposed at the table until that is answered or the table has gone on."""

    def __init__(self, now: Callable[[], float], say: Callable[[str, str], None]) -> None:
        """`now` gives seconds; `say(phone, sentence)` tells the phone that sent the photograph how it went."""
        self._now, self._say = now, say
        self._snapshots = Snapshots()
        self._proposed_at: tuple[int, float] | None = None
        """the state for which a photograph is shown, until it is answered, and since when"""

    @property
    def is_reading(self) -> bool:
        """Whether a photograph is being read."""
        return self._snapshots.is_reading

    def begin(self, phone: str, data: bytes, loop: TableLoop) -> None:
        """Begin to read a picture that a phone sent."""
        problem = self._snapshots.begin(phone, data, loop.presenter.board)
        self._say(phone, problem or _("The photograph is being read."))

    def follow(self, loop: TableLoop) -> None:
        """Propose what was read, and put away what is answered or late."""
        presenter, read = loop.presenter, self._snapshots.poll()
        if read is not None:
            self._say(read.phone, read.problem)
            if read.observation is not None:
                presenter.on_photograph(read.observation)
                self._proposed_at = presenter.session.state_id, self._now()
                if presenter.has_answered_photograph:
                    self._say(read.phone, _("The board is as the record says."))
        if self._proposed_at is not None:
            state, since = self._proposed_at
            is_late = loop.camera is not None and self._now() - since >= PATIENCE
            if is_late or presenter.session.state_id != state or presenter.has_answered_photograph:
                self._proposed_at = None
                presenter.put_photograph_away()

    def leave_table(self) -> None:
        """Another table is open, or none: nothing is proposed there."""
        self._proposed_at = None

    def close(self) -> None:
        """Read no more."""
        self._snapshots.close()
