"""The server of the phones' pages, which hands what posts ask for to the table's thread."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import Callable
from typing import Any

from ui.web.phones import Phones
from ui.web.serving import Job, PageServer
from ui.web.site import Site
from ui.web.streams import Streams

__all__ = ["Job", "PhoneServer"]


class PhoneServer(PageServer):
    """Serves a site until `stop`. What posts ask for is put into `jobs`, which the table's thread carries out."""

    def __init__(self, phones: Phones, jobs: queue.SimpleQueue[Job], nonce: Callable[[], str] | None = None) -> None:
        super().__init__(self._site, "phones")
        self._phones, self._jobs, self._nonce = phones, jobs, nonce

    def _site(self, hosts: frozenset[str], port: int, shut_out: Callable[[str], None]) -> Site:
        streams = Streams(self._phones.presence)
        return Site(self._phones, self._call, streams, hosts=hosts, port=port, nonce=self._nonce, shut_out=shut_out)

    def _call(self, function: Callable[[], Any]) -> asyncio.Future[Any]:
        """Have a function carried out by the table's thread; on the server's thread."""
        loop = asyncio.get_running_loop()
        result: asyncio.Future[Any] = loop.create_future()

        def answer(value: Any, error: Exception | None) -> None:
            if not result.done():
                if error is None:
                    result.set_result(value)
                else:
                    result.set_exception(error)

        def job() -> None:
            value, problem = None, None
            try:
                value = function()
            except Exception as error:  # noqa: BLE001  # told to whoever waits, on the server's thread
                problem = error
            try:
                loop.call_soon_threadsafe(answer, value, problem)
            except RuntimeError:
                return  # the server has stopped meanwhile; the deed is done

        self._jobs.put(job)
        return result
