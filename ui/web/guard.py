"""What stands before every request: only our address, only our own pages, bounded in size, number and rate.

A page of another site, a name that points here (DNS rebinding) and whoever sends too much are refused before a route is
asked. Everything refused is answered by a page of one sentence.
"""

from __future__ import annotations

import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

from ui.services.text import _

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LONGEST_PATH = 400
MOST_SENDERS = 512
"""addresses and visitors of which a rate is kept"""
READS_A_SECOND, READS_AT_ONCE = 20.0, 60.0
POSTS_A_SECOND, POSTS_AT_ONCE = 5.0, 20.0
STRANGERS_A_SECOND, STRANGERS_AT_ONCE = 10.0, 40.0
"""requests without a key, all from one address together"""
REFUSED_A_SECOND, REFUSED_AT_ONCE = 2.0, 20.0
"""refusals of strangers from one address; with more, its connections are not taken for a moment"""

HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
FOR_TRUSTED = ((b"cross-origin-opener-policy", b"same-origin"),)
"""only for who asks at an address that browsers trust without encryption: at any other they ignore it and complain"""
TRUSTED = re.compile(rb"(localhost|127\.\d+\.\d+\.\d+|\[::1\]):\d+")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'nonce-{nonce}'; img-src 'self'; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


class Rate:
    """How often each of many senders may come: `a_second` on the long run, `at_once` in a burst. Who comes too often
    loses nothing by it.
    """

    def __init__(self, a_second: float, at_once: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second, self._at_once, self._clock = a_second, at_once, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, sender: str) -> bool:
        """Whether a sender may come once more now."""
        now = self._clock()
        left = self._left_of(sender, now)
        is_allowed = left >= 1.0
        self._left[sender] = (left - 1.0 if is_allowed else left, now)
        self._left.move_to_end(sender)
        if len(self._left) > MOST_SENDERS:
            self._left.popitem(last=False)
        return is_allowed

    def wait(self, sender: str) -> float:
        """After how many seconds a sender may come once more; 0 for now."""
        return max(0.0, 1.0 - self._left_of(sender, self._clock())) / self._a_second

    def _left_of(self, sender: str, now: float) -> float:
        left, at = self._left.get(sender, (self._at_once, now))
        return min(self._at_once, left + (now - at) * self._a_second)


class Guard:
    """Passes on what may come in. `hosts` are the names and ports by which this server may be addressed.

    `visitor_of` says who a request comes from, such as a phone, None for a stranger; `refuse` makes the answer of a
    status, a sentence and a nonce. `shut_out` is told an address from which no connection shall be taken for a moment;
    `elsewhere` is said to who asks at another address.
    """

    def __init__(
        self,
        app: App,
        hosts: frozenset[str],
        visitor_of: Callable[[Scope], str | None],
        refuse: Callable[[int, str, str], App],
        nonce: Callable[[], str] | None = None,
        shut_out: Callable[[str], None] = lambda _address: None,
        clock: Callable[[], float] = time.monotonic,
        elsewhere: str = "",
    ) -> None:
        self._app, self._hosts, self._visitor_of, self._refuse = app, hosts, visitor_of, refuse
        self._shut_out, self._elsewhere = shut_out, elsewhere
        self._nonce = nonce or (lambda: secrets.token_urlsafe(16))
        self._reads = Rate(READS_A_SECOND, READS_AT_ONCE, clock)
        self._posts = Rate(POSTS_A_SECOND, POSTS_AT_ONCE, clock)
        self._strangers = Rate(STRANGERS_A_SECOND, STRANGERS_AT_ONCE, clock)
        self._refused = Rate(REFUSED_A_SECOND, REFUSED_AT_ONCE, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on one request."""
        if scope["type"] != "http":
            return
        nonce = self._nonce()
        scope["nonce"], scope["visitor"] = nonce, None
        is_trusted = any(name == b"host" and TRUSTED.fullmatch(value) for name, value in scope["headers"])

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                policy = POLICY.format(nonce=nonce).encode()
                more = (*HEADERS, *(FOR_TRUSTED if is_trusted else ()))
                message["headers"] = [*message["headers"], *more, (b"content-security-policy", policy)]
            await send(message)

        refused = self._refusal(scope)
        await (self._app if refused is None else self._refuse(*refused, nonce))(scope, receive, secured)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the sentence with which a request is refused; None where it may come in."""
        headers = _single(scope)
        if headers is None:
            return 400, _("The request is damaged: load the page once more.")
        if headers.get(b"host", b"").decode("latin-1") not in self._hosts:
            return 421, self._elsewhere or _("This page has another address: scan the code on the tablet.")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, _("That cannot be done with this page.")
        if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_PATH:
            return 414, _("There is no such page.")
        if not self._is_own(scope, headers):
            return 403, _("That came from another page, and nothing was done.")
        visitor = scope["visitor"] = self._visitor_of(scope)
        if visitor is None:
            client = scope.get("client")
            sender = client[0] if client else ""
            is_allowed = self._strangers.allows(sender)
            if not is_allowed and not self._refused.allows(sender):
                self._shut_out(sender)
        else:
            is_allowed = (self._posts if scope["method"] == "POST" else self._reads).allows(visitor)
        return None if is_allowed else (429, _("That was too much at once: wait a moment."))

    def _is_own(self, scope: Scope, headers: Mapping[bytes, bytes]) -> bool:
        """Whether a request does not come from a page of another site. Behind a web server with encryption the browser
        knows our pages by an address that we do not: there its own word decides, which no page can forge.
        """
        origin, site = headers.get(b"origin"), headers.get(b"sec-fetch-site")
        own = b"http://" + headers[b"host"]
        if origin is not None and origin.startswith(b"https://"):
            return site == b"same-origin"
        if scope["method"] == "POST":
            return origin == own and site in (None, b"same-origin")
        return origin in (None, own) and site in (None, b"same-origin", b"none")


def _single(scope: Scope) -> dict[bytes, bytes] | None:
    """The headers that decide, None where one of them is given twice."""
    found: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        if name in (b"host", b"origin", b"sec-fetch-site", b"content-length", b"content-type"):
            if name in found:
                return None
            found[name] = value
    return found
