"""The way in: a password gives the role that it belongs to."""

from __future__ import annotations

import asyncio
from functools import partial
from math import ceil

from starlette.requests import Request
from starlette.responses import Response

from ui.hub.context import NEVER, Context, HubPage, html, may_organise
from ui.hub.frame import bare_page, whole_page
from ui.hub.parts import form, laurel_sign
from ui.hub.passwords import HOURS, SECRET, Role, holds, new_secret
from ui.services.text import _, plural
from ui.web.forms import form_of
from ui.web.guard import Rate
from ui.web.markup import Html, element

COOKIE = "companion-hub"
TRIES_A_SECOND, TRIES_AT_ONCE = 0.2, 6.0
"""passwords that one address may try"""
_RATES: dict[str, Rate] = {}


def setting_of(role: Role) -> str:
    """The name of the setting that keeps a role's password."""
    return f"password {role.value}"


async def show(context: Context, request: Request) -> Response:
    """The question for the password."""
    return _asked(request)


def _asked(request: Request, note: str = "", status: int = 200) -> Response:
    problem = element("p", note, class_="problem", role="alert") if note else Html("")
    asked = form(
        "/enter", element("h1", laurel_sign(), _("Many tables")),
        element("label", _("Password"), for_="password"),
        element("input", id="password", name="password", type="password", maxlength="200", autofocus=True,
                autocomplete="current-password"),
        problem, element("button", _("Come in"), class_="button strong"), class_="paper narrow entrance",
    )  # fmt: skip
    return html(bare_page(request, asked, title=_("Many tables")), status)


async def enter(context: Context, request: Request) -> Response:
    """Let in who knows a password."""
    sender = request.client.host if request.client is not None else ""
    rate = _RATES.setdefault(context.run, Rate(TRIES_A_SECOND, TRIES_AT_ONCE))
    if not rate.allows(sender):
        seconds = ceil(rate.wait(sender))
        told = plural("Too many tries: wait {count} second.", "Too many tries: wait {count} seconds.", seconds)
        return _asked(request, told.format(count=seconds), 429)
    given = (await form_of(request) or {}).get("password", [""])[0]
    for role in (Role.ORGANISE, Role.WATCH):
        kept = await context.from_database(partial(context.storing.setting, setting_of(role), ""))
        is_right = await asyncio.to_thread(holds, given, kept)
        if is_right:
            response = Response(status_code=303, headers={**NEVER, "location": "/"})
            response.set_cookie(
                COOKIE, context.passes.made(role), max_age=HOURS * 3600, httponly=True, samesite="strict"
            )  # fmt: skip
            return response
    return _asked(request, _("That password is not right."), 403)


async def ask_to_leave(context: Context, request: Request) -> Response:
    """Who organises may log everybody out; who watches leaves at once."""
    if not may_organise(request):
        return await leave(context, request)
    here = form("/leave", element("button", _("Leave on this device"), class_="button strong"), class_="paper fields")
    told = _("For a device that was lost, or a password that too many know. New passwords: end the hub, and "
             "start it once with --new-passwords.")  # fmt: skip
    all_ = form(
        "/leave/everywhere", element("p", _("Everybody needs a password again then, you too.")),
        element("p", told, class_="quiet"), element("button", _("Log everybody out"), class_="button"),
        class_="paper fields",
    )  # fmt: skip
    return html(whole_page(context, request, here, all_, title=_("Leave"), kind="plain"))


async def leave_everywhere(context: Context, request: Request) -> Response:
    """Let no pass hold any more that was given until now, at no hub of this database."""
    secret = new_secret()
    await context.from_database(partial(context.storing.set_setting, SECRET, secret))
    context.passes.sign_with(bytes.fromhex(secret))
    context.tell_pages()
    return await leave(context, request)


async def leave(_context: Context, _request: Request) -> Response:
    """Forget who came in."""
    response = Response(status_code=303, headers={**NEVER, "location": "/enter"})
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return response


PAGES = (
    HubPage("/enter", show, None),
    HubPage("/enter", enter, None, "POST"),
    HubPage("/leave", ask_to_leave, None),
    HubPage("/leave", leave, None, "POST"),
    HubPage("/leave/everywhere", leave_everywhere, Role.ORGANISE, "POST"),
)
