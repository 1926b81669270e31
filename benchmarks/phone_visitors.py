"""Visitors of the phones' pages, a process of their own: `python -m benchmarks.phone_visitors` with JSON on stdin."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

from benchmarks.painted_page import PaintedPage, painted_page

PATIENCE = 20.0


class Visitor:
    """One phone with its cookie, and its open stream of events."""

    def __init__(self, address: str, cookie: str) -> None:
        self.host, self.port = address.rpartition(":")[0], int(address.rpartition(":")[2])
        self.address, self.cookie = address, cookie
        self.told = asyncio.Event()
        self.at, self.pages = 0.0, 0
        self._writers: list[asyncio.StreamWriter] = []

    async def _send(self, head: str, body: str = "") -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection(self.host, self.port, limit=1 << 20)
        self._writers.append(writer)  # one that is forgotten closes its connection
        lines = [head, f"Host: {self.address}", f"Cookie: {self.cookie}"]
        if body:
            lines += [f"Origin: http://{self.address}", f"Content-Length: {len(body)}", "HX-Request: true"]
            lines += ["Content-Type: application/x-www-form-urlencoded"]
        writer.write("\r\n".join([*lines, "Connection: close", "", body]).encode())
        await writer.drain()
        return reader

    async def page(self) -> str:
        reader = await self._send("GET / HTTP/1.1")
        return (await asyncio.wait_for(reader.read(), PATIENCE)).decode()

    async def post(self, fields: dict[str, str]) -> None:
        reader = await self._send("POST /do HTTP/1.1", urlencode(fields))
        answer = (await asyncio.wait_for(reader.read(), PATIENCE)).decode()
        if not answer.startswith("HTTP/1.1 200"):
            raise RuntimeError(f"a tap was answered by {answer[:12]}")

    async def follow(self) -> None:
        """Read the stream for ever; each whole event sets `told`."""
        reader = await self._send("GET /events HTTP/1.1")
        while line := await reader.readline():
            if line.startswith(b"id: "):
                self.at = time.perf_counter()
                self.pages += 1
                self.told.set()


async def rounds(given: dict[str, Any]) -> dict[str, Any]:
    """Seconds from a tap to the last of all phones being told, tap by tap; and, where there is a Chromium, to its page
    being painted, with what was painted otherwise than told.
    """
    async with painted_page(given["address"], given["painted"]) as chromium:
        return await _rounds(given, chromium)


async def _rounds(given: dict[str, Any], chromium: PaintedPage | None) -> dict[str, Any]:
    phones = [Visitor(given["address"], cookie) for cookie in given["phones"]]
    watching = [Visitor(given["address"], cookie) for cookie in given["spectators"]]
    streams = [asyncio.create_task(each.follow()) for each in (*phones, *watching)]
    await asyncio.wait_for(asyncio.gather(*(each.told.wait() for each in phones)), PATIENCE)
    taken, everybody, differences = [], [], []
    taps: dict[int, float] = {}
    for seat, action in given["actions"]:
        phone = phones[seat - 1]
        page = await phone.page()
        if 'class="mine"' not in page:
            raise RuntimeError(f"the phone of seat {seat} is not told that {action} is awaited of it")
        fields = {name: re.search(rf'name="{name}" value="([^"]*)"', page)[1] for name in ("number", "at")}
        for each in (*phones, *watching):
            each.told.clear()
        began, taps[int(fields["at"])] = time.perf_counter(), time.time()
        post = asyncio.create_task(phone.post(fields | {"choose": action}))
        await asyncio.wait_for(asyncio.gather(*(each.told.wait() for each in phones)), PATIENCE)
        taken.append(max(each.at for each in phones) - began)
        await asyncio.wait_for(asyncio.gather(*(each.told.wait() for each in watching)), PATIENCE)
        everybody.append(max(each.at for each in watching) - began)
        await post
        await asyncio.sleep(0.05)
        if chromium is not None and (difference := await chromium.difference(await watching[0].page())):
            differences.append(difference)
    painted: dict[str, Any] = {}
    if chromium is not None:
        times = await chromium.times()
        after = {state: min((time for at, time in times.items() if at > state), default=None) for state in taps}
        painted = {
            "painted": [time - taps[state] for state, time in after.items() if time is not None],
            "differences": differences, "other_pixels": await chromium.other_pixels(),
        }  # fmt: skip
    for stream in streams:
        stream.cancel()
    return {"phones": taken, "spectators": everybody, **painted}


async def watch(given: dict[str, Any]) -> dict[str, Any]:
    """Follow the table for a while: how many pages each was told, and how many are told no more at the end."""
    watching = [Visitor(given["address"], cookie) for cookie in given["phones"]]
    streams = [asyncio.create_task(each.follow()) for each in watching]
    await asyncio.gather(*(asyncio.wait_for(each.told.wait(), PATIENCE) for each in watching))
    await asyncio.sleep(given["seconds"])
    ended = sum(stream.done() for stream in streams)
    for stream in streams:
        stream.cancel()
    return {"pages": [each.pages for each in watching], "ended": ended}


async def flood(given: dict[str, Any]) -> dict[str, Any]:
    """As many requests as this process sends in a while, half of them with a key that is none."""
    until, sent, statuses = time.perf_counter() + given["seconds"], 0, {}
    host, port = given["address"].rpartition(":")[0], int(given["address"].rpartition(":")[2])

    async def send() -> None:
        nonlocal sent
        while time.perf_counter() < until:
            try:
                reader, writer = await asyncio.open_connection(host, port, local_addr=(given["source"], 0))
                head = f"GET /?site=x HTTP/1.1\r\nHost: {given['address']}\r\nCookie: x={'y' * 40}\r\n\r\n"
                writer.write(head.encode())
                status = (await asyncio.wait_for(reader.readline(), PATIENCE)).decode()[9:12]
                writer.close()
            except (OSError, TimeoutError):
                status = "closed"
            sent += 1
            statuses[status] = statuses.get(status, 0) + 1

    await asyncio.gather(*(send() for _sender in range(16)))
    return {"sent": sent, "statuses": statuses}


async def crowd(given: dict[str, Any]) -> dict[str, Any]:
    """So many streams asked for at once from several addresses, with these keys in turn, held open for a while: how
    they were answered, and how many were still open at the end.
    """
    host, port = given["address"].rpartition(":")[0], int(given["address"].rpartition(":")[2])
    statuses, is_enough = {}, asyncio.Event()
    answered, still_open = 0, 0

    async def hold(number: int) -> None:
        nonlocal answered, still_open
        cookie, source = (given[name][number % len(given[name])] for name in ("phones", "sources"))
        status, writer = "closed", None
        try:
            reader, writer = await asyncio.open_connection(host, port, local_addr=(source, 0), limit=1 << 20)
            writer.write(f"GET /events HTTP/1.1\r\nHost: {given['address']}\r\nCookie: {cookie}\r\n\r\n".encode())
            status = (await asyncio.wait_for(reader.readline(), PATIENCE)).decode()[9:12] or "closed"
        except (OSError, TimeoutError):
            pass
        statuses[status] = statuses.get(status, 0) + 1
        answered += 1
        if answered == given["streams"]:
            is_enough.set()
        if status == "200" and writer is not None:
            listening = asyncio.create_task(_listen(reader))
            await is_enough.wait()
            await asyncio.sleep(given["seconds"])
            still_open += not listening.done()
            listening.cancel()
        if writer is not None:
            writer.close()

    await asyncio.gather(*(hold(number) for number in range(given["streams"])))
    return {"statuses": statuses, "open": still_open}


async def _listen(reader: asyncio.StreamReader) -> None:
    """Take in what comes until the stream ends."""
    with suppress(OSError):
        while await reader.read(1 << 16):
            pass


def main() -> None:
    """Do what stands on stdin, and print what came of it."""
    given = json.load(sys.stdin)
    work = {"rounds": rounds, "watch": watch, "flood": flood, "crowd": crowd}[given["do"]]
    print(json.dumps(asyncio.run(work(given))))


if __name__ == "__main__":
    main()
