"""What a hub's QR code says: the code that registers a table and, where tables can reach it there, the broker."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import InvalidDocument
from companion.publishing.signing import CODE_PREFIX, parse_code
from companion.wording.characters import is_plain_text

LONGEST_BROKER = 200


@dataclass(frozen=True, slots=True)
class Invitation:
    """A code, and the broker's address as people write it, with its password; "" where the code alone was told."""

    code: str
    broker: str = ""

    @property
    def text(self) -> str:
        """As it stands in the QR code."""
        return " ".join(filter(None, (CODE_PREFIX + self.code, self.broker)))


def read_invitation(text: str) -> Invitation:
    """What was scanned.

    Raises InvalidDocument for what no hub shows.
    """
    code, _space, broker = text.strip().partition(" ")
    broker = broker.strip()
    if not code.lower().startswith(CODE_PREFIX):
        raise InvalidDocument("code", "", "is none that a hub shows")
    if len(broker) > LONGEST_BROKER or not is_plain_text(broker) or "?" in broker:  # a code names no files here
        raise InvalidDocument("code", "", "names a broker that is none")
    return Invitation(parse_code(code), broker)
