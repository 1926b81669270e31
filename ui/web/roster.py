"""The phones that may come in, and what each is shown: between the table's thread and that of the pages.

A key is 256 random bits in the phone's cookie; here and in the file only its hash is kept.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.board.layout import Board
from companion.table import Table
from ui.view_models.phone_view import PhoneView
from ui.web.art_files import BoardArt
from ui.web.readable import as_drawn, drawn_code

MOST_PHONES = 96
"""that may have a key at the same time"""


@dataclass(frozen=True, slots=True)
class ShownPage:
    """What a phone is shown, and the number of that page, which each post from it brings back."""

    view: PhoneView
    number: str = "0"
    deeds: int = 0
    """how often the phone has done something: what was looked at before that is done with"""


@dataclass(slots=True)
class Roster:
    """The keys, the token of the code to scan, and the pages. Every method may be called from any thread."""

    nobody: ShownPage
    """what a phone is shown before the table has seen it"""
    token: str = field(default_factory=drawn_code)
    """what the code to scan holds, or is typed; whoever has it may come in"""
    changed: Callable[[], None] = lambda: None
    """called whenever something else is shown"""
    seated: frozenset[str] = frozenset()
    """the phones that have a seat"""
    table: Table | None = None
    """who plays what at the open table"""
    art: BoardArt | None = None
    """the pictures of its board, once they are there"""
    _numbers: dict[str, int] = field(default_factory=dict)
    _shown: Mapping[str, ShownPage] = field(default_factory=dict)
    _fresh: list[str] = field(default_factory=list)
    _revoked: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_PHONES))
    """the phones whose keys were taken away, the latest"""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def renew_token(self) -> None:
        """Let the code that was scanned so far be worth nothing; phones that came in stay."""
        self.token = drawn_code()

    def admit(self, token: str) -> str | None:
        """A key for a phone that brings the token, None for another token.

        Where too many are there, the one without a seat that came first is a stranger from then on.
        """
        if not secrets.compare_digest(as_drawn(token).encode(), self.token.encode()):
            return None
        key = secrets.token_urlsafe(32)
        phone = hashed(key)
        with self._lock:
            if len(self._numbers) >= MOST_PHONES:
                oldest = next((each for each in self._numbers if each not in self.seated), None)
                if oldest is None:
                    return None
                del self._numbers[oldest]
            number = next(number for number in range(1, MOST_PHONES + 2) if number not in self._numbers.values())
            self._numbers[phone] = number
            self._fresh.append(phone)
        return key

    def remember(self, numbers: Mapping[str, int]) -> None:
        """Phones that had a key on another evening."""
        with self._lock:
            self._numbers |= dict(list(numbers.items())[-MOST_PHONES // 2 :])

    def revoke(self, phone: str) -> None:
        """The key of a phone is worth nothing any more."""
        with self._lock:
            if self._numbers.pop(phone, None) is not None:
                self._revoked.append(phone)
        self.changed()

    def phone_of(self, key: str) -> str | None:
        """The phone that has a key; None for any other text."""
        phone = hashed(key)
        return phone if phone in self._numbers else None

    def was_revoked(self, key: str) -> bool:
        """Whether a key is one that was taken away since the program was started."""
        phone = hashed(key)
        with self._lock:
            return phone in self._revoked

    def is_in(self, phone: str) -> bool:
        """Whether a phone's key still opens the door."""
        return phone in self._numbers

    def numbers(self) -> dict[str, int]:
        """All phones, with the numbers that people call them by."""
        with self._lock:
            return dict(self._numbers)

    def take_fresh(self) -> list[str]:
        """The phones that have come in since the last call."""
        with self._lock:
            fresh, self._fresh = self._fresh, []
        return fresh

    @property
    def board(self) -> Board | None:
        """The board in play at the open table."""
        return self.table.board if self.table is not None else None

    def publish(self, shown: Mapping[str, ShownPage], table: Table | None, art: BoardArt | None) -> None:
        """Show every phone this from now on, at this table, its board with these pictures."""
        self._shown, self.table, self.art = shown, table, art
        self.changed()

    def shown(self, phone: str) -> ShownPage:
        """What a phone is shown."""
        return self._shown.get(phone, self.nobody)


def hashed(key: str) -> str:
    """What stands for a key where it must not be readable."""
    return hashlib.sha256(key.encode()).hexdigest()
