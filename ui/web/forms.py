"""What posts hold, read with bounds on size and time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request

LARGEST_FORM = 8 * 1024
"""bytes of a form"""
FORM_SECONDS = 5.0
"""in which it must have come in whole"""


async def form_of(request: Request) -> Mapping[str, list[str]] | None:
    """The fields of a post; None where it is none, too large or too slow."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/x-www-form-urlencoded":
        return None
    data = await body_of(request, LARGEST_FORM, FORM_SECONDS)
    try:
        return None if data is None else parse_qs(data.decode("ascii"), max_num_fields=60, errors="strict")
    except ValueError:
        return None


async def body_of(request: Request, largest: int, seconds: float) -> bytes | None:
    """What a post holds; None where it is larger, does not say how large it is, or comes too slowly."""
    length = request.headers.get("content-length", "")
    if not length.isdecimal() or len(length) > 9 or int(length) > largest:
        return None
    data = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                data += part
                if len(data) > largest:
                    return None
    except (ClientDisconnect, TimeoutError):
        return None
    return bytes(data)
