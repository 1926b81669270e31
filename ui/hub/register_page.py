"""How a table registers: the code to type or to scan, and where the broker is."""

from __future__ import annotations

import segno
from starlette.requests import Request
from starlette.responses import Response

from companion.publishing.invitation import Invitation
from companion.publishing.signing import new_code
from firmware_bridge.protocol.addresses import BrokerAddress
from ui.hub.context import Context, HubPage, back_to, html
from ui.hub.frame import whole_page
from ui.hub.parts import form
from ui.hub.passwords import Role
from ui.hub.registrations import CODE_HOURS
from ui.services.text import _, plural
from ui.web.markup import Html, element

QUIET = 4
"""modules of white around a QR code, as ISO/IEC 18004 asks for"""


async def show(context: Context, request: Request) -> Response:
    """The code that holds now; the first is made when somebody looks."""

    def holding() -> str:
        codes = context.storing.tables.codes()
        if not codes:
            context.storing.tables.add_code(new_code())
            codes = context.storing.tables.codes()
        return codes[0]

    code = await context.from_database(holding)
    steps = element(
        "ol",
        element("li", _("At the table: Settings, One view of many tables for an organiser.")),
        element("li", _("Broker: {address}").format(address=context.broker)) if context.broker else "",
        element("li", _("Scan this code there, or type it.")),
    )
    shown = element("p", code, class_="code")
    note = element("p", _(
        "Show it only to those who look after the tables. It holds for {hours} hours, or until there is another."
    ).format(hours=CODE_HOURS), class_="quiet")  # fmt: skip
    renew = form("/register/renew", element("button", _("Another code"), class_="button"))
    count = len(context.overview)
    told = plural("{count} table is registered", "{count} tables are registered", count).format(count=count)
    beside = element("div", steps, shown, note, renew, element("p", told, class_="quiet"))
    panel = element(
        "section", qr_code(Invitation(code, _reachable(context.broker, request)).text), beside, class_="paper register"
    )
    return html(whole_page(context, request, panel, title=_("New table"), kind="plain"))


def _reachable(broker: str, request: Request) -> str:
    """The broker as tables may be told of it; "" where only this machine can reach it."""
    is_here = bool(broker) and BrokerAddress.parse(broker).is_loopback
    return "" if is_here and not BrokerAddress(request.url.hostname or "").is_loopback else broker


async def renew(context: Context, _request: Request) -> Response:
    """Let the code be another one."""
    await context.from_database(lambda: context.storing.tables.add_code(new_code()))
    return back_to("/register")


def qr_code(text: str) -> Html:
    """A QR code, drawn."""
    rows = [list(row) for row in segno.make_qr(text, error="m").matrix_iter(border=QUIET)]
    dark = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, bit in enumerate(row) if bit)
    side = str(len(rows))
    ground = element("rect", width=side, height=side, fill="#fff")
    return element(
        "svg", ground, element("path", d=dark, fill="#000"), viewBox=f"0 0 {side} {side}", class_="qr", role="img",
        aria_label=_("The code to scan"), shape_rendering="crispEdges",
    )  # fmt: skip


PAGES = (
    HubPage("/register", show, Role.ORGANISE),
    HubPage("/register/renew", renew, Role.ORGANISE, "POST"),
)
