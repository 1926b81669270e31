"""The routes of the hub's pages, behind the same guard as the phones' pages.

**Where pages of an event go**: a module `event_NAME.py` beside this one with a tuple `PAGES` (`ui.hub.context.HubPage`:
path, function of context and request, role, method) and maybe `LIVE` (a name -> what begins to follow changes), listed
in `MODULES`; its ways from other pages into `ui.hub.frame.NAVIGATION`. A page is `frame.whole_page(context, request,
parts..., title=...)` of `ui.web.markup.element`s, a deed ends with `context.back_to(address)`. What blocks (the
database) goes through `await context.from_database(function)`, words to a table through `context.say`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ui.hub import (
    entrance_page,
    event_archive_page,
    event_judge_page,
    event_list_page,
    event_page,
    event_print_page,
    event_result_page,
    event_rounds_page,
    event_seats_page,
    event_take_back_page,
    one_table_page,
    overview_page,
    refused_page,
    register_page,
    screen_page,
)
from ui.hub.context import NEVER, Context, HubPage, Unreachable, html, not_there
from ui.hub.database import is_full
from ui.hub.entrance_page import COOKIE
from ui.hub.frame import look, said_page
from ui.hub.passwords import Role
from ui.services.text import _
from ui.web.guard import App, Guard, Scope
from ui.web.static_files import FOREVER
from ui.web.streams import EventStream, Stream, Streams

MODULES: tuple[ModuleType, ...] = (
    entrance_page,
    overview_page,
    one_table_page,
    screen_page,
    register_page,
    refused_page,
    event_list_page,
    event_page,
    event_result_page,
    event_rounds_page,
    event_seats_page,
    event_take_back_page,
    event_archive_page,
    event_print_page,
    event_judge_page,
)
STREAMS_OF_A_VISITOR = 64
"""open pages of everybody who came in with one cookie"""
RANK = {None: 0, Role.WATCH: 1, Role.ORGANISE: 2}


class _Uncounted:
    """Nobody needs to know which pages are open."""

    def open_page(self, _phone: str) -> None:
        """A page has been opened."""

    def close_page(self, _phone: str) -> None:
        """It is closed."""


class HubSite:
    """The pages of one hub."""

    def __init__(
        self,
        context: Context,
        hosts: frozenset[str],
        shut_out: Callable[[str], None],
        nonce: Callable[[], str] | None = None,
    ) -> None:
        self._context = context
        look()  # read now, so that the first page need not wait for it
        self.streams = Streams(_Uncounted(), STREAMS_OF_A_VISITOR)
        routes = [self._route(page) for module in MODULES for page in module.PAGES]
        routes += [
            Route("/events", self._events),
            Route("/art/{name}", self._art),
            Route("/static/{name}", self._static),
            Route("/favicon.ico", self._no_icon),
        ]
        for module in MODULES:
            context.follow_names.update(getattr(module, "LIVE", {}))
        handlers = {HTTPException: self._failed, Unreachable: self._unreachable, Exception: self._broken}
        inside = Starlette(routes=routes, exception_handlers=handlers)
        elsewhere = _("This page has another address: look at what the hub has printed.")
        self.app: App = Guard(inside, hosts, self._visitor_of, self._refusal, nonce, shut_out, elsewhere=elsewhere)

    def _route(self, page: HubPage) -> Route:
        async def answer(request: Request) -> Response:
            role = request.scope["role"]
            if RANK[role] >= RANK[page.role]:
                if page.method != "GET":  # what is posted may come slowly
                    return await page.answer(self._context, request)
                with self._context.precedence.page():
                    return await page.answer(self._context, request)
            if role is None and page.method == "GET":
                return RedirectResponse("/enter", 303, NEVER)
            return html(said_page(request, _("Only who organises may do that.")), 403)

        return Route(page.path, answer, methods=[page.method])

    def _visitor_of(self, scope: Scope) -> str | None:
        kept = Request(dict(scope)).cookies.get(COOKIE, "")[:200]
        role = self._context.passes.role_of(kept) if kept else None
        scope["role"] = role
        return kept if role is not None else None

    def _refusal(self, status: int, sentence: str, nonce: str) -> App:
        async def answer(scope: Scope, receive: object, send: object) -> None:
            page = said_page(Request(dict(scope) | {"nonce": nonce}), sentence)
            response: App = HTMLResponse(page, status, {**NEVER, "connection": "close"})
            await response(scope, receive, send)  # type: ignore[arg-type]

        return answer

    async def _failed(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        return html(
            said_page(request, _("That cannot be done with this page.") if status == 405 else not_there()), status
        )

    async def _unreachable(self, request: Request, error: Exception) -> Response:
        told = _("The database cannot be reached just now; nothing is lost. Look again in a moment.")
        if is_full(error.__cause__):
            told = _("The disk of the database is full: nothing was changed. Make room on it, and try again.")
        return html(said_page(request, told), 503)

    async def _broken(self, request: Request, _error: Exception) -> Response:
        return html(said_page(request, _("Something went wrong here; the tables go on.")), 500)

    async def _events(self, request: Request) -> Response | EventStream:
        begin = self._context.follow_names.get(request.query_params.get("follow", ""))
        visitor = request.scope["visitor"]
        if visitor is None or begin is None:
            return html(said_page(request, not_there()), 404)
        query = dict(request.query_params)
        if request.scope["role"] is not Role.ORGANISE:
            query["organises"] = ""
        stream: Stream | None = self.streams.opened(visitor)
        if stream is None:
            return html(said_page(request, _("Too many pages are open at this hub: close some.")), 503)
        last = request.headers.get("last-event-id", "")[:80]
        if last:
            query["have"] = last.partition(".")[0]
        current, role_of = begin(self._context, query), self._context.passes.role_of
        return EventStream(self.streams, stream, lambda: None if role_of(visitor) is None else current(), last)

    async def _art(self, request: Request) -> Response:
        data = self._context.boards.file(request.path_params["name"]) if request.scope["visitor"] is not None else None
        if data is None:
            return html(said_page(request, not_there()), 404)
        return Response(
            data, headers={"cache-control": "private, max-age=31536000, immutable"}, media_type="image/webp"
        )

    async def _static(self, request: Request) -> Response:
        found = look().files.answer(request, request.path_params["name"])
        return found or html(said_page(request, not_there()), 404)

    async def _no_icon(self, _request: Request) -> Response:
        return Response(status_code=204, headers=FOREVER)
