"""A table's key, the code that a hub shows, and how the one comes to the hub by the other without being read.

A table makes its key once. With it both sides sign (HMAC-SHA256). To register, the table sends its key hidden by a pad
that only who knows the code can make, signed by the code.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets

from companion.errors import InvalidDocument
from companion.publishing.topics import TopicKind

KEY_BYTES, NONCE_BYTES = 32, 16
CODE_BITS, CODE_LETTERS = 100, 20
CODE_PREFIX = "companion:"
"""what stands before a code in a QR code, so that whoever scans it sees what it is for"""

_CODE = re.compile(rf"[A-Z2-7]{{{CODE_LETTERS}}}")
_MISREAD = str.maketrans("018", "OIB")
"""digits that are in no code -> the letters they are taken for"""


def new_key() -> bytes:
    """A key for a table."""
    return secrets.token_bytes(KEY_BYTES)


def new_nonce() -> bytes:
    """What makes the pad of one registration another one each time."""
    return secrets.token_bytes(NONCE_BYTES)


def new_code() -> str:
    """A code for a hub to show: 100 random bits as `ABCD-EFGH-IJKL-MNOP-QRST`."""
    number = secrets.randbits(CODE_BITS) << 4  # 104 bits are 13 bytes; base32 writes the first 100 as 20 letters
    letters = base64.b32encode(number.to_bytes(13, "big")).decode()[:CODE_LETTERS]
    return "-".join(letters[start : start + 4] for start in range(0, CODE_LETTERS, 4))


def parse_code(text: str) -> str:
    """A code as people type it, or scan it, as it is shown.

    Raises InvalidDocument.
    """
    bare = text.strip()
    if bare[: len(CODE_PREFIX)].lower() == CODE_PREFIX:
        bare = bare[len(CODE_PREFIX) :]
    bare = re.sub(r"[\s-]", "", bare).upper().translate(_MISREAD)
    if _CODE.fullmatch(bare) is None:
        raise InvalidDocument("code", "", f"has {CODE_LETTERS} letters and digits, as ABCD-EFGH-IJKL-MNOP-QRST")
    return "-".join(bare[start : start + 4] for start in range(0, CODE_LETTERS, 4))


def code_key(code: str) -> bytes:
    """What a code signs with.

    Raises InvalidDocument for what is no code.
    """
    return parse_code(code).replace("-", "").encode()


def signature(key: bytes, kind: TopicKind, table: str, number: int, body: str) -> str:
    """The signature of a message, as hexadecimal digits."""
    return hmac.new(key, f"{kind}\n{table}\n{number}\n{body}".encode(), hashlib.sha256).hexdigest()


def is_signature(mac: str, key: bytes, kind: TopicKind, table: str, number: int, body: str) -> bool:
    """Whether a message was signed with this key; takes the same time for every wrong signature."""
    return hmac.compare_digest(mac.encode(), signature(key, kind, table, number, body).encode())


def hidden(key: bytes, code: str, table: str, nonce: bytes) -> bytes:
    """A table's key as it is sent to be registered; applied again it gives the key."""
    pad = hmac.new(code_key(code), b"pad\n" + table.encode() + b"\n" + nonce, hashlib.sha256).digest()
    return bytes(one ^ other for one, other in zip(key, pad, strict=True))
