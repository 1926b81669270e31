"""Phones at the table as screens and shell see them: switched on and off, with a code to scan."""

from __future__ import annotations

from typing import Protocol

from ui.shell.table_loop import TableLoop
from ui.view_models.play_view import ChoiceView


class PhoneSwitch(Protocol):
    """What serves phones on this machine. One thread, the table's, calls it."""

    address: str
    """where the pages are, with the port; "" while phones are off"""
    moved: str
    """what people must know where phones are served at another address than before the program was killed; else """

    @property
    def is_on(self) -> bool:
        """Whether phones can come to the table."""
        ...

    @property
    def unkept(self) -> str:
        """The name of the file that cannot be kept, so that phones are not known again after the end; "" for none."""
        ...

    @property
    def url(self) -> str:
        """What the code to scan holds; "" while phones are off."""
        ...

    def addresses(self) -> tuple[str, ...]:
        """This machine's local addresses to choose from, likeliest first."""
        ...

    def open(self, address: str = "", port: int | None = None) -> str:
        """Serve phones on a local address, the likeliest for ""; gives where.

        Raises CompanionError.
        """
        ...

    def tick(self, loop: TableLoop | None) -> None:
        """Carry out what phones have asked for, and show them the open table."""
        ...

    def renew_code(self) -> None:
        """Let the code be another one: who has only the one before comes in no more."""
        ...

    def seated(self) -> tuple[tuple[str, int, int], ...]:
        """The phones that have a seat: (phone, the number it is called by, seat)."""
        ...

    def questions(self) -> tuple[ChoiceView, ...]:
        """The answers to what phones have the open table asked, each with its question as `group`."""
        ...

    def answer(self, key: str) -> None:
        """One of these answers was touched: the same as on the table's screen."""
        ...

    def revoke(self, phone: str) -> None:
        """Take a phone's seat and key away."""
        ...

    def close(self) -> None:
        """Serve phones no more; their seats are kept."""
        ...


def host_of(address: str) -> str:
    """An address without its port: "fd00::2" of "[fd00::2]:8323"."""
    return address.rpartition(":")[0].strip("[]") or address


def port_of(address: str) -> int:
    """The port of an address; 0 where it says none."""
    port = address.rpartition(":")[2]
    return int(port) if port != address and port.isdecimal() else 0
