"""How open pages of an event follow it: made in a thread, and for big events at a pace that a browser likes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from companion.event.event import ClubEvent
from ui.hub.context import Context, Following, ShownPage
from ui.web.markup import Html

MANY, PAUSE = 200, 3.0
"""players from which on a page changes only every so many seconds"""


def following(
    context: Context, event_id: str, number_of: Callable[[ClubEvent], str], make: Callable[[ClubEvent], Html]
) -> Following:
    """What an open page of an event shows: `make` gives the element to exchange, `number_of` tells two states apart."""
    last, shown, made_at = "", "", 0.0

    async def current() -> ShownPage:
        nonlocal last, shown, made_at
        event = await context.from_database(lambda: context.events.store.event(event_id))
        if event is None:
            return None
        number = f"{context.run}-{number_of(event)}"
        is_soon = len(event.players) >= MANY and time.monotonic() - made_at < PAUSE
        if number != last and not is_soon:
            part = await asyncio.to_thread(make, event)
            last, shown, made_at = number, part.replace(" ", ' hx-swap-oob="true" ', 1), time.monotonic()
        return last, shown

    return current
