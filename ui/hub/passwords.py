"""Passwords of the pages: drawn at the first start, kept as scrypt makes of them; cookies that say which role came in.

Role *watch* sees, role *organise* may also answer calls, register tables and lead an event.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from enum import StrEnum

WORK, BLOCK, PARALLEL = 2**14, 8, 1
"""of scrypt (RFC 7914): 16 MB and some 50 ms"""
LONGEST_PASSWORD = 200
HOURS = 20
"""that a cookie holds: an evening, or a day of a convention"""
SECRET = "secret"
"""the setting that keeps what signs cookies, in hexadecimal digits"""


class Role(StrEnum):
    """What somebody may do on the pages."""

    WATCH = "watch"
    ORGANISE = "organise"


def new_secret() -> str:
    """A new secret to sign cookies with, as it is kept."""
    return secrets.token_hex(32)


def kept_form(password: str, salt: bytes | None = None) -> str:
    """What is kept of a password: "scrypt:salt:hash"."""
    salt = secrets.token_bytes(16) if salt is None else salt
    made = hashlib.scrypt(password.encode(), salt=salt, n=WORK, r=BLOCK, p=PARALLEL, dklen=32)
    return f"scrypt:{base64.b64encode(salt).decode()}:{base64.b64encode(made).decode()}"


def holds(password: str, kept: str) -> bool:
    """Whether a password is the one of which this was kept."""
    kind, _colon, rest = kept.partition(":")
    try:
        salt = base64.b64decode(rest.partition(":")[0], validate=True)
    except ValueError:
        return False
    if kind != "scrypt" or not salt or len(password) > LONGEST_PASSWORD:
        return False
    return hmac.compare_digest(kept_form(password, salt), kept)


class Passes:
    """The cookies of who has come in: role, until when, and a name for rates, signed by the hubs' common secret."""

    def __init__(self, secret: bytes, clock: Callable[[], float] = time.time) -> None:
        self._secret, self._clock = secret, clock

    def sign_with(self, secret: bytes) -> None:
        """Only passes signed with this secret hold from now on."""
        self._secret = secret

    def made(self, role: Role) -> str:
        """A new pass for a role."""
        said = f"{role.value}.{int(self._clock()) + HOURS * 3600}.{secrets.token_hex(6)}"
        return f"{said}.{self._signature(said)}"

    def role_of(self, text: str) -> Role | None:
        """The role that a pass gives; None where it is none, or has run out."""
        said, _dot, signature = text.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(said).encode()):
            return None
        role, until, _name = said.split(".")
        return Role(role) if int(until) > self._clock() else None

    def _signature(self, said: str) -> str:
        return hmac.new(self._secret, said.encode(), "sha256").hexdigest()
