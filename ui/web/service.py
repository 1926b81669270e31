"""Phones at the table, switched on and off: the server, the code to scan, and their part of the table's thread.

Until they are switched on nothing listens, and no server is imported.
"""

from __future__ import annotations

import errno
import queue
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.wording.sentences import Sentence, sentence, translated
from ui.services.text import _
from ui.shell.phones import host_of, port_of
from ui.shell.table_loop import TableLoop
from ui.view_models.play_view import ChoiceView
from ui.web.addresses import is_local, local_addresses, usual_form
from ui.web.board_art import BoardArts
from ui.web.kept import FILE, KeptPhones
from ui.web.phones import Phones
from ui.web.presence import PhonePresence

if TYPE_CHECKING:
    from ui.web.server import Job, PhoneServer

USUAL_PORT = 8323
HELD_UP = 2.0
"""seconds to wait for the port that phones know, which a program that was killed holds until it is gone"""
TRIED_AGAIN = 0.1
"""seconds between two looks whether it is free"""
MOST_JOBS = 100
"""that are carried out in one turn of the table's thread"""


class PhonesUnavailable(CompanionError):
    """Phones cannot be served; `sentence` says why."""

    def __init__(self, told: Sentence) -> None:
        super().__init__(str(told))
        self.sentence = told


class PhoneService:
    """The phones of this machine; `folder` is the user's data folder, `clock` gives seconds by which a phone counts as
    gone, `arts` the boards' pictures. One thread, the table's, calls it.
    """

    def __init__(
        self,
        folder: Path,
        nonce: Callable[[], str] | None = None,
        run: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        arts: BoardArts | None = None,
    ) -> None:
        self._folder, self._nonce, self._run, self._clock = folder, nonce, run, clock
        self._arts = arts or BoardArts()
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._server: PhoneServer | None = None
        self._phones: Phones | None = None
        self._kept: KeptPhones | None = None
        self.moved = ""
        """what people must know where phones are served at another address than before the program was killed"""
        self.address = ""
        """where the pages are, such as "192.168.1.20:8323"; "" while phones are off"""

    @property
    def is_on(self) -> bool:
        """Whether phones can come to the table."""
        return self._server is not None

    @property
    def unkept(self) -> str:
        """The name of the file that cannot be kept, so that phones are not known again after the end; "" for none."""
        return "" if self._kept is None or self._kept.remembers else FILE

    @property
    def url(self) -> str:
        """What the code to scan holds; "" while phones are off."""
        return f"http://{self.address}/join/{self._phones.roster.token}" if self._phones is not None else ""

    def addresses(self) -> tuple[str, ...]:
        """This machine's local addresses to choose from, likeliest first."""
        return local_addresses()

    def open(self, address: str = "", port: int | None = None) -> str:
        """Serve phones on a local address of this machine, the likeliest for ""; gives where.

        Raises PhonesUnavailable.
        """
        if self._server is not None:
            return self.address
        address = usual_form(address) or local_addresses()[0]
        if not is_local(address):
            raise PhonesUnavailable(
                sentence("{address} is no address of a local network; phones are served on no other", address=address)
            )
        try:
            from ui.web.server import PhoneServer
        except ImportError as error:
            raise PhonesUnavailable(
                sentence("phones need {package}, which is not installed; run make setup", package=error.name or "")
            ) from error
        kept, run = KeptPhones(self._folder / FILE), self._run or secrets.token_hex(4)
        before = kept.serving()
        phones = Phones(kept, _("Phones at the table"), run, PhonePresence(self._clock), self._arts)
        server = PhoneServer(phones, self._jobs, self._nonce)
        try:
            found = self._started(server, address, port, port_of(before) if host_of(before) == address else 0)
        except OSError as error:
            phones.close()
            why = error.strerror or str(error)
            raise PhonesUnavailable(
                sentence("phones cannot be served at {address}: {why}", address=address, why=why)
            ) from error
        phones.roster.changed = server.wake
        self._server, self._phones, self._kept = server, phones, kept
        self.address = f"[{address}]:{found}" if ":" in address else f"{address}:{found}"
        self.moved = ""
        if port_of(before) and before != self.address:
            self.moved = _("Phones are at another address now ({address}): each scans the code once more.").format(
                address=self.address
            )
        kept.serve(self.address)
        return self.address

    def resume(self) -> str:
        """Serve phones again where the program was killed while it did; says why it cannot, "" where all is well."""
        path = self._folder / FILE
        if not path.is_file():
            return ""
        kept = KeptPhones(path)
        address = host_of(kept.serving())
        kept.close()
        try:
            if address:
                self.open(address)
        except PhonesUnavailable as error:
            return _("Phones are not served any more: {why}").format(why=translated(error.sentence, _))
        return self.moved

    @staticmethod
    def _started(server: PhoneServer, address: str, port: int | None, known: int) -> int:
        """The port on which a server listens: that asked for, else the one that phones know from a program that
        was killed, for which it is waited, else the usual one, or any where that is taken.
        """
        if port is not None:
            return server.start(address, port)
        until = time.monotonic() + (HELD_UP if known else 0.0)
        while True:
            try:
                return server.start(address, known or USUAL_PORT)
            except OSError as error:
                if error.errno != errno.EADDRINUSE or time.monotonic() >= until:
                    return server.start(address, 0)
            time.sleep(TRIED_AGAIN)

    def tick(self, loop: TableLoop | None) -> None:
        """Carry out what phones have asked for, and show them the open table."""
        if self._phones is None:
            return
        for _turn in range(MOST_JOBS):
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            job()
        self._phones.tick(loop)

    def renew_code(self) -> None:
        """Let the code be another one: who has only the one before comes in no more."""
        if self._phones is not None:
            self._phones.roster.renew_token()

    def seated(self) -> tuple[tuple[str, int, int], ...]:
        """The phones that have a seat: (phone, the number it is called by, seat)."""
        return self._phones.seated() if self._phones is not None else ()

    def questions(self) -> tuple[ChoiceView, ...]:
        """The answers to what phones have the open table asked, each with its question as `group`."""
        return self._phones.questions() if self._phones is not None else ()

    def answer(self, key: str) -> None:
        """One of these answers was touched."""
        if self._phones is not None:
            self._phones.answer(key)

    def revoke(self, phone: str) -> None:
        """Take a phone's seat and key away."""
        if self._phones is not None:
            self._phones.revoke(phone)

    def close(self) -> None:
        """Serve phones no more; their seats are kept."""
        server, phones = self._server, self._phones
        if self._kept is not None:
            self._kept.serve("")
        self._server, self._phones, self._kept, self.address = None, None, None, ""
        if server is not None:
            server.stop(_("The table has closed its phones' page."))
        if phones is not None:
            phones.close()
