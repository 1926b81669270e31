"""Photographs from phones at the open table: read one after the other, and proposed until answered. Table's thread."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ui.services.text import _
from ui.shell.table_loop import TableLoop
from ui.web.known_phone import KnownPhone
from ui.web.snapshots import Read, Snapshots

PATIENCE = 60.0
"""seconds in which a photograph must be answered where a camera waits meanwhile"""


class ProposedPhotographs:
    """What a photograph shows is proposed at the table until that is answered or the table has gone on."""

    def __init__(self, now: Callable[[], float]) -> None:
        """`now` gives seconds."""
        self._now = now
        self._snapshots = Snapshots()
        self._proposed_at: tuple[int, float] | None = None
        """the state for which a photograph is shown, until it is answered, and since when"""
        self._told: dict[str, str] = {}
        """phone -> what it was told of its latest photograph, until another one is read"""

    @property
    def is_reading(self) -> bool:
        """Whether a photograph is being read."""
        return self._snapshots.is_reading

    def begin(self, phone: str, known: KnownPhone, data: bytes, loop: TableLoop) -> None:
        """Begin to read a picture that a phone sent, and tell it so, or why that cannot be."""
        problem = self._snapshots.begin(phone, data, loop.presenter.board)
        if problem:
            self._told[phone] = problem
            known.say(problem, loop.presenter.session.state_id)
        else:
            known.say(_("The photograph is being read."))

    def follow(self, loop: TableLoop, phones: Mapping[str, KnownPhone]) -> None:
        """Propose what was read, and put away what is answered or late; `phones` are those that have a key now."""
        presenter, read = loop.presenter, self._snapshots.poll()
        if read is not None:
            self._take_in(read, loop, phones)
        if self._proposed_at is not None:
            state, since = self._proposed_at
            is_late = loop.camera is not None and self._now() - since >= PATIENCE
            if is_late or presenter.session.state_id != state or presenter.has_answered_photograph:
                self._proposed_at = None
                presenter.put_photograph_away()

    def leave_table(self) -> None:
        """Another table is open, or none: nothing is proposed there, and what is being read is of no use."""
        self._proposed_at = None
        self._told.clear()
        self._snapshots.drop()

    def close(self) -> None:
        """Read no more."""
        self._snapshots.close()

    def _take_in(self, read: Read, loop: TableLoop, phones: Mapping[str, KnownPhone]) -> None:
        """Propose what a photograph shows and tell the phone that sent it how it went, if that has its seat still."""
        presenter, told = loop.presenter, read.problem
        for phone, note in self._told.items():
            if phone in phones:
                phones[phone].unsay(note)
        self._told.clear()
        known = phones.get(read.phone)
        if known is None or not known.state.seat:
            return
        if read.observation is not None:
            presenter.on_photograph(read.observation)
            self._proposed_at = presenter.session.state_id, self._now()
            if presenter.has_answered_photograph:
                told = _("The board is as the record says.")
        self._told[read.phone] = told
        known.say(told, presenter.session.state_id)
