"""What a QR code of a hub says, and what is not taken for one."""

import pytest

from companion.errors import InvalidDocument
from companion.publishing.invitation import Invitation, read_invitation

CODE = "ABCD-EFGH-IJKL-MNOP-QRST"


@pytest.mark.parametrize("broker", ["", "192.168.1.10:1883", "mqtts://table:p@ss:w/rd@[fe80::1]:8883"])
def test_what_a_hub_shows_is_read_as_it_was_meant(broker: str) -> None:
    invitation = Invitation(CODE, broker)
    assert read_invitation(invitation.text) == invitation


def test_a_code_alone_is_enough_however_it_is_written() -> None:
    assert read_invitation(f" Companion:{CODE.lower()} ") == Invitation(CODE)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://example.org",
        CODE,
        "companion:ABCD",
        f"companion:{CODE} host\nother",
        f"companion:{CODE} {'h' * 300}",
        f"companion:{CODE} host?password_file=/etc/passwd",
    ],
    ids=["empty", "an address", "no prefix", "short", "line break", "too long", "a file of the table's"],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidDocument):
        read_invitation(text)
