"""Visitors of a hub's overview, a process of their own: `python -m benchmarks.hub_visitors` with JSON on stdin.

Each follows the stream of events; when the process is told to stop (a line on stdin), it prints for each visitor when
(monotonic seconds, the same for all processes) it was first told of each `game:entries`.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

AT = re.compile(rb'data-at="([^"]+)"')
LONGEST_LINE = 1 << 26


class Visitor:
    """One open overview."""

    def __init__(self, address: str, cookie: str, follow: dict[str, str]) -> None:
        self.address, self.cookie, self.follow = address, cookie, follow
        self.told: dict[str, float] = {}
        self.bytes = 0

    async def read(self) -> None:
        """Follow, also over restarts of the hub."""
        while True:
            with suppress(OSError, asyncio.IncompleteReadError):
                await self._read_once()
            await asyncio.sleep(0.5)

    async def _read_once(self) -> None:
        host, _colon, port = self.address.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port), limit=LONGEST_LINE)
        lines = (f"GET /events?{urlencode(self.follow)} HTTP/1.1", f"Host: {self.address}", f"Cookie: {self.cookie}")
        writer.write("\r\n".join([*lines, "", ""]).encode())
        try:
            while line := await reader.readline():
                now = time.monotonic()
                self.bytes += len(line)
                for found in AT.findall(line):
                    self.told.setdefault(found.decode(), now)
        finally:
            writer.close()


async def follow(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Let visitors follow until a line comes."""
    visitors = [Visitor(given["address"], given["cookie"], given["follow"]) for _each in range(given["visitors"])]
    reading = [asyncio.create_task(each.read()) for each in visitors]
    await asyncio.to_thread(sys.stdin.readline)
    for task in reading:
        task.cancel()
    return [{"told": each.told, "bytes": each.bytes} for each in visitors]


if __name__ == "__main__":
    json.dump(asyncio.run(follow(json.loads(sys.stdin.readline()))), sys.stdout)
