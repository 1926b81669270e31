"""What every page of the hub is made of and with: the tables, the database, boards, and who asks.

A module with pages has a tuple `PAGES` of `HubPage`s, which `site.py` lists; it may have `LIVE`, by which its open
pages follow what changes: a name -> what begins to follow (`Follow`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ui.hub.boards import Boards
from ui.hub.cards import HubCards
from ui.hub.database import Lost
from ui.hub.events import Events
from ui.hub.histories import Histories
from ui.hub.intake import Intake
from ui.hub.overview import Overview
from ui.hub.passwords import Passes, Role
from ui.hub.precedence import Precedence
from ui.hub.registrations import RegisteredTable
from ui.hub.storing import Storing
from ui.services.text import _

T = TypeVar("T")
SECONDS_UNTIL_SHOWN = 2.0
NEVER = {"cache-control": "no-store"}
Query = Mapping[str, str]
ShownPage = tuple[str, str] | None
"""the number of what a page shows, and HTML whose elements replace those of the same id (`hx-swap-oob`)"""
Following = Callable[[], ShownPage | Awaitable[ShownPage]]


@dataclass(slots=True)
class Context:
    """One hub, as its pages see it. `run` is drawn at its start: numbers of another run mean nothing."""

    storing: Storing
    overview: Overview
    intake: Intake
    boards: Boards
    histories: Histories
    cards: HubCards
    passes: Passes
    events: Events
    run: str
    tell_pages: Callable[[], None]
    """lets every open page look whether it shows something else"""
    broker: str = ""
    """where tables find the broker, as people write it, "" where everybody knows"""
    precedence: Precedence = field(default_factory=Precedence)
    follow_names: dict[str, Callable[[Context, Query], Following]] = field(default_factory=dict)

    async def from_database(self, function: Callable[[], T]) -> T:
        """What a function gives that reads or writes the database, in a thread of its own.

        Raises Unreachable while the database cannot be reached.
        """
        try:
            return await asyncio.to_thread(function)
        except Lost as error:
            raise Unreachable(str(error)) from error

    async def changed(self, table_id: str) -> None:
        """The organiser has changed something of a table in the database; pages have it after that."""
        done = self.intake.look_again(frozenset({table_id}))
        await asyncio.to_thread(done.wait, SECONDS_UNTIL_SHOWN)

    def say(self, table_id: str, **words: Any) -> RegisteredTable | None:
        """Keep words to a table (`assignment`, `judge`, as JSON text) and send them; reads and writes the database."""
        table = self.storing.tables.next_word(table_id, **words)
        if table is not None:
            self.intake.say(table)
        return table


class Unreachable(Exception):
    """The database cannot be reached just now."""


class HubPage(NamedTuple):
    """A page or a deed at a path; whoever has no such role is asked for a password."""

    path: str
    answer: Callable[[Context, Request], Awaitable[Response]]
    role: Role | None = Role.WATCH
    method: str = "GET"


def role_of(request: Request) -> Role | None:
    """The role of who asks; None for a stranger."""
    role: Role | None = request.scope["role"]
    return role


def may_organise(request: Request) -> bool:
    """Whether who asks may do more than watch."""
    return role_of(request) is Role.ORGANISE


def html(text: str, status: int = 200) -> Response:
    """A page."""
    return HTMLResponse(text, status, NEVER)


def back_to(address: str) -> Response:
    """The answer to a deed: the page that shows what came of it."""
    return RedirectResponse(address, 303, NEVER)


def not_there() -> str:
    """What is said of a page that does not exist."""
    return _("There is no such page.")
