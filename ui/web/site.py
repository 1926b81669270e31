"""The routes of the phones' pages: reading shows what the table's thread has published, a post is handed to it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ui.menus.rules_help import RulesHelp
from ui.services.text import _
from ui.view_models.phone_view import PhoneChoice
from ui.web.board_svg import SvgBoard, Symbols
from ui.web.forms import body_of, form_of
from ui.web.guard import App, Guard, Scope
from ui.web.hyphens import with_soft_hyphens
from ui.web.markup import Html
from ui.web.pages import Focus, focus_of, plain_page, rules_page, touched_in, whole_page
from ui.web.phones import Phones
from ui.web.posts import Deed, Post
from ui.web.roster import ShownPage
from ui.web.static_files import FONT, FOREVER, OWN_FOREVER, SHARED, StaticFiles
from ui.web.streams import EventStream, Streams
from ui.web.table_page import HAND, asks_for_hand, main_part
from ui.web.verdict_part import SAID

SCRIPTS, STYLES, FORMS_STYLE = ("htmx.min.js", "sse.min.js", "phone.js"), ("tokens.css", "phone.css"), "forms.css"
LARGEST_PICTURE = 16 * 1024 * 1024
"""bytes of a post"""
UPLOADS_AT_ONCE = 2
PICTURE_SECONDS = 60.0
"""in which a post must have come in whole"""
TABLE_SECONDS = 3.0
"""that a post waits for the table's thread; it is carried out all the same if that takes longer"""
COOKIE, COOKIE_DAYS = "table-", 30
"""how the name of a cookie begins, before the port; how long it is kept"""
MOST_KEYS = 8
"""of one browser that are looked at"""
LONGEST_SEARCH = 80
PAGES_KEPT = 64
_NEVER = {"cache-control": "no-store"}


class Site:
    """The pages of one server. `call` has a function carried out on the table's thread and gives what it returns."""

    def __init__(
        self,
        phones: Phones,
        call: Callable[[Callable[[], Any]], asyncio.Future[Any]],
        streams: Streams,
        *,
        hosts: frozenset[str],
        port: int,
        nonce: Callable[[], str] | None = None,
        shut_out: Callable[[str], None] = lambda _address: None,
    ) -> None:
        self._phones, self._roster, self._call, self.streams = phones, phones.roster, call, streams
        self._cookie, self._uploading = f"{COOKIE}{port}", set[str]()
        self._files = StaticFiles(SHARED / name for name in (*SCRIPTS, FONT))
        self._scripts = tuple(map(self._files.name, SCRIPTS))
        style = "".join((SHARED / name).read_text(encoding="utf-8") for name in STYLES)
        self._style = style.replace(FONT, self._files.name(FONT)).replace("\n", "")
        self._forms_style = self._style + (SHARED / FORMS_STYLE).read_text(encoding="utf-8").replace("\n", "")
        self._made: OrderedDict[tuple[int, Focus, tuple[PhoneChoice, ...]], tuple[ShownPage, Html]] = OrderedDict()
        routes = [
            Route("/", self._page),
            Route("/join", self._join),
            Route("/join/{token}", self._join),
            Route("/events", self._events),
            Route("/do", self._do, methods=["POST"]),
            Route("/photograph", self._photograph, methods=["POST"]),
            Route("/art/{name}", self._art),
            Route("/static/{name}", self._static),
            Route("/rules", self._rules),
            Route("/favicon.ico", self._no_icon),
        ]
        handlers = {HTTPException: self._failed, Exception: self._broken}
        inside = Starlette(routes=routes, exception_handlers=handlers)
        inside.router.redirect_slashes = False
        self.app: App = Guard(inside, hosts, self._phone_of, self._refusal, nonce, shut_out)

    def _known(self, scope: Scope) -> tuple[str, str | None]:
        """The key that a request brings, of several one that is known here, and its phone; "" for what can be no key.

        A table that was killed may be at another port now: then the key came with that of before in the cookie's name.
        """
        cookies = Request(dict(scope)).cookies
        names = [self._cookie, *sorted(name for name in cookies if name.startswith(COOKIE) and name != self._cookie)]
        keys = [key for name in names[:MOST_KEYS] if 20 <= len(key := cookies.get(name, "")) <= 80]
        for key in keys:
            if (phone := self._roster.phone_of(key)) is not None:
                return key, phone
        return keys[0] if keys else "", None

    def _phone_of(self, scope: Scope) -> str | None:
        _key, phone = self._known(scope)
        if phone is not None:
            self._phones.presence.hear(phone)
        return phone

    def _refusal(self, status: int, sentence: str, nonce: str) -> App:
        page = plain_page(sentence, nonce=nonce, style=self._style)
        answer: App = HTMLResponse(page, status, {**_NEVER, "connection": "close"})
        return answer

    def _said(self, request: Request, status: int, sentence: str, *, is_entrance: bool = False) -> Response:
        is_known = request.scope["visitor"] is not None
        page = plain_page(
            sentence, nonce=request.scope["nonce"], style=self._forms_style, has_way_back=is_known,
            is_entrance=is_entrance,
        )  # fmt: skip
        return HTMLResponse(page, status, _NEVER)

    def _outside(self, request: Request) -> Response:
        """The entrance, for whoever has no key; one that had it is told where it went."""
        told = _("Scan the code on the tablet to come to the table.")
        if self._roster.was_revoked(self._known(request.scope)[0]):
            told = _("The seat of this phone was taken back on the tablet: to sit down again, scan the code there.")
        return self._said(request, 403, told, is_entrance=True)

    async def _failed(self, request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        sentence = _("That cannot be done with this page.") if status == 405 else _("There is no such page.")
        return self._said(request, status, sentence)

    async def _broken(self, request: Request, error: Exception) -> Response:
        return self._said(request, 500, _("Something went wrong here; the game at the table goes on."))

    async def _join(self, request: Request) -> Response:
        """The address in the code, or the code typed: a phone that has no key gets one."""
        if request.scope["visitor"] is not None:
            return RedirectResponse("/", 303, _NEVER)
        token = request.path_params.get("token") or request.query_params.get("code", "")
        key = self._roster.admit(token[:80])
        if key is None:
            told = _("This code is not valid any more: scan the one on the tablet.")
            return self._said(request, 403, told, is_entrance=True)
        response = RedirectResponse("/", 303, _NEVER)
        response.set_cookie(
            self._cookie, key, max_age=COOKIE_DAYS * 86400, path="/", httponly=True, samesite="strict"
        )  # fmt: skip
        return response

    async def _page(self, request: Request) -> Response:
        phone = request.scope["visitor"]
        if phone is None:
            return self._outside(request)
        focus = self._looked_at(request, phone)
        more: tuple[PhoneChoice, ...] = ()
        if focus.site or focus.piece:
            more = await self._waited_for(lambda: self._phones.forbidden_at(phone, focus.site, focus.piece), ())
        return HTMLResponse(self.whole(phone, focus, more, request.scope["nonce"]), headers=_NEVER)

    def whole(self, phone: str, focus: Focus, more: tuple[PhoneChoice, ...], nonce: str) -> str:
        """A phone's page; `more` are choices of what is looked at that are forbidden."""
        shown = self._roster.shown(phone)
        is_filled_in = bool(shown.view.choices) or asks_for_hand(shown.view, focus)
        return whole_page(
            self.main(phone, focus, more), shown, title=shown.view.title, nonce=nonce, style=self._style,
            scripts=self._scripts, focus=focus, is_filled_in=is_filled_in,
        )  # fmt: skip

    def _looked_at(self, request: Request, phone: str) -> Focus:
        """What an address asks to look at; a point of the board that was touched means the site there."""
        focus, touched = focus_of(request.query_params), touched_in(request.query_params)
        board, art = self._roster.board, self._roster.art
        if touched is None or board is None:
            return focus
        choices = self._roster.shown(phone).view.choices
        offered = [choice for choice in choices if not focus.piece or choice.piece == focus.piece]
        sites = dict.fromkeys(site for choice in offered for site in choice.sites)
        drawing = SvgBoard(board, art, Symbols(board, art))
        return replace(focus, site=drawing.site_at((touched.x, touched.y), touched.reach, sites))

    def main(self, phone: str, focus: Focus, more: tuple[PhoneChoice, ...] = ()) -> Html:
        """What may change of a phone's page; made once for all phones that are shown the same."""
        shown, board = self._roster.shown(phone), self._roster.board
        key = id(shown), focus, more
        made = self._made.get(key)
        if made is None or made[0] is not shown:
            main = with_soft_hyphens(main_part(shown, board, self._roster.art, focus, more))
            made = self._made[key] = shown, main
            if len(self._made) > PAGES_KEPT:
                self._made.popitem(last=False)
        return made[1]

    async def _events(self, request: Request) -> Response | EventStream:
        phone, focus = request.scope["visitor"], focus_of(request.query_params)
        deeds = request.query_params.get("deeds", "")
        if phone is None:
            return self._outside(request)
        stream = self.streams.opened(phone)
        if stream is None:
            return self._said(request, 503, _("Too many pages are open at this table: close some."))
        last = (request.headers.get("last-event-id") or request.query_params.get("have", ""))[:40]

        def current() -> tuple[str, str] | None:
            if not self._roster.is_in(phone):
                return None
            shown = self._roster.shown(phone)
            return shown.number, self.main(phone, focus if str(shown.deeds) == deeds else focus.after_deed)

        return EventStream(self.streams, stream, current, last)

    async def _do(self, request: Request) -> Response:
        phone = request.scope["visitor"]
        if phone is None:
            return self._outside(request)
        form = await form_of(request)
        post = None if form is None else _post(form)
        if post is None:
            return self._said(request, 400, _("The request is damaged: load the page once more."))
        done = await self._waited_for(lambda: self._phones.do_and_show(phone, post), None)
        if done is None:
            return self._said(request, 503, _("The table is busy: look again in a moment."))
        focus = _looked_at_from(request) if post.asks_for_help else Focus()
        if "hx-request" in request.headers:
            return HTMLResponse(self.main(phone, focus), headers=_NEVER)
        is_told = post.deed is Deed.HAND and not self._roster.shown(phone).view.note
        return RedirectResponse(f"/{focus.query}#{HAND if is_told else SAID}", 303, _NEVER)

    async def _photograph(self, request: Request) -> Response:
        phone = request.scope["visitor"]
        if phone is None:
            return self._outside(request)
        if phone not in self._roster.seated:
            return self._said(request, 403, _("Choose a seat first."))
        if phone in self._uploading or len(self._uploading) >= UPLOADS_AT_ONCE:
            return self._said(request, 503, _("Another photograph is being read: try again in a moment."))
        self._uploading.add(phone)
        try:
            picture = await _picture_of(request)
        finally:
            self._uploading.discard(phone)
        if not picture:
            length = request.headers.get("content-length", "")
            if length.isdecimal() and int(length) > LARGEST_PICTURE:
                told = _("The photograph is larger than 16 MiB, more than is read: take it with fewer pixels.")
                return self._said(request, 413, told)
            return self._said(request, 400, _("No photograph came with it: choose one, of at most 16 MiB."))
        await self._waited_for(lambda: self._phones.photograph(phone, picture), None)
        return RedirectResponse("/", 303, _NEVER)

    async def _waited_for(self, function: Callable[[], Any], otherwise: Any) -> Any:
        """What a function on the table's thread returns, or something else where that takes too long."""
        try:
            return await asyncio.wait_for(asyncio.shield(self._call(function)), TABLE_SECONDS)
        except TimeoutError:
            return otherwise

    async def _art(self, request: Request) -> Response:
        """A picture of the board in play, or of a card."""
        if request.scope["visitor"] is None:
            return self._outside(request)
        art = self._roster.art
        data = art.files.get(request.path_params["name"]) if art is not None else None
        if data is None:
            return self._said(request, 404, _("There is no such page."))
        return Response(data, headers=OWN_FOREVER, media_type="image/webp")

    async def _rules(self, request: Request) -> Response:
        """The rules as the open table plays them, by topic or by words."""
        if request.scope["visitor"] is None:
            return self._outside(request)
        table = self._roster.table
        if table is None:
            return self._said(request, 404, _("No game is open at the table yet."))
        help_ = RulesHelp(table=table)
        topic, words = request.query_params.get("topic", ""), request.query_params.get("words", "")[:LONGEST_SEARCH]
        if topic in {each.key for each in help_.view().topics}:
            help_.choose_topic(topic)
        if words.strip():
            help_.search(words)
        page = rules_page(help_.view(), words, nonce=request.scope["nonce"], style=self._forms_style)
        return HTMLResponse(page, headers=_NEVER)

    async def _no_icon(self, request: Request) -> Response:
        return Response(status_code=204, headers=FOREVER)

    async def _static(self, request: Request) -> Response:
        found = self._files.answer(request, request.path_params["name"])
        return found or self._said(request, 404, _("There is no such page."))


async def _picture_of(request: Request) -> bytes | None:
    """The file that a form sent (RFC 7578), whatever it holds; None where there is none."""
    kind, _semicolon, parameters = request.headers.get("content-type", "").partition(";")
    name, _equals, boundary = parameters.strip().partition("=")
    boundary = boundary.strip('"')
    if kind.strip() != "multipart/form-data" or name != "boundary" or not 0 < len(boundary) <= 70:
        return None
    data = await body_of(request, LARGEST_PICTURE, PICTURE_SECONDS)
    for part in (b"\r\n" + (data or b"")).split(b"\r\n--" + boundary.encode("latin-1"))[1:]:
        head, _blank, content = part.partition(b"\r\n\r\n")
        if b'name="picture"' in head:
            return content
    return None


def _looked_at_from(request: Request) -> Focus:
    """The piece that was chosen on the page from which a request comes; help with it keeps it chosen."""
    address = request.headers.get("hx-current-url") or request.headers.get("referer", "")
    return Focus(piece=focus_of(QueryParams(address.partition("#")[0].partition("?")[2])).piece)


def _post(form: Mapping[str, list[str]]) -> Post | None:
    """What a form asks for; None where it asks for nothing, or for several things."""
    deeds = [deed for deed in Deed if deed.value in form]
    number, at = form.get("number", [""]), form.get("at", [""])
    if len(deeds) != 1 or len(number) != 1 or len(at) != 1 or len(form[deeds[0]]) != 1:
        return None
    value, names = form[deeds[0]][0], tuple(form.get("piece", ()))
    if not 0 < len(number[0]) <= 40 or not at[0].isdecimal() or len(at[0]) > 7:
        return None
    if len(value) > 200 or any(len(name) > 40 for name in names):
        return None
    return Post(deeds[0], number[0], int(at[0]), value, names)
