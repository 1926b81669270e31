"""Still pictures by http: an address that gives one picture at a time is asked again and again."""

from __future__ import annotations

import http.client
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.error import URLError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import Request, urlopen

from companion.wording.sentences import sentence
from vision.errors import InvalidPicture, SourceLost
from vision.pictures import Image, decode_picture

_PERIOD = 0.5
"""Seconds from one question to the next: cameras make a new still picture some two times a second."""
_TIMEOUT = 8.0
"""Seconds in which a camera must answer."""
_ATTEMPTS = 3
_LARGEST = 16 * 1024 * 1024
"""Bytes of a picture."""


class StillPicture:
    """An http address of a still picture; `name` is what people see of it. A name and password are sent as asked for by
    Basic authentication.
    """

    def __init__(self, address: str, name: str) -> None:
        parts = urlsplit(address)
        place = parts.netloc.rpartition("@")[2]
        self._name = name
        self._request = Request(urlunsplit((parts.scheme, place, parts.path, parts.query, "")))
        if parts.username is not None:
            secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
            self._request.add_header("Authorization", f"Basic {b64encode(secret).decode()}")
        self._due = 0.0

    def is_there(self) -> bool:
        """Whether the address answers with a picture."""
        try:
            with self._answer() as answer:
                return answer.headers.get_content_maintype() == "image"
        except SourceLost:
            return False

    def next(self) -> Image:
        """The picture as it is now, when it is time to ask again; a failure is only reported if it persists.

        Raises SourceLost.
        """
        for _attempt in range(_ATTEMPTS - 1):
            with suppress(SourceLost):
                return self._asked()
        return self._asked()

    def _asked(self) -> Image:
        time.sleep(max(0.0, self._due - time.monotonic()))
        self._due = time.monotonic() + _PERIOD
        with self._answer() as answer:
            data = answer.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise SourceLost(self._name, sentence("is larger than {size} MiB", size=_LARGEST >> 20))
        try:
            return decode_picture(data, self._name)
        except InvalidPicture as error:
            raise SourceLost(self._name, error.reason) from error

    @contextmanager
    def _answer(self) -> Iterator[http.client.HTTPResponse]:
        """What the camera answers.

        Raises SourceLost.
        """
        try:
            with urlopen(self._request, timeout=_TIMEOUT) as answer:
                yield answer
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise SourceLost(self._name, sentence("gives no picture ({why})", why=str(reason)[:120])) from error
