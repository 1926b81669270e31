"""What was not believed: how many messages, why, and which table they claimed to come from."""

from __future__ import annotations

from datetime import datetime

from starlette.requests import Request
from starlette.responses import Response

from ui.hub.batches import Reason
from ui.hub.context import Context, HubPage, html
from ui.hub.frame import whole_page
from ui.hub.passwords import Role
from ui.services.text import _
from ui.web.markup import Html, element


def reasons() -> dict[str, str]:
    """Why a message was not believed, in words."""
    return {
        Reason.UNREGISTERED: _("the table is not registered here"),
        Reason.SIGNATURE: _("the signature is not that of the table’s key"),
        Reason.TOO_LARGE: _("larger than a message may be"),
        Reason.MALFORMED: _("not in the form that messages have"),
        Reason.SCHEMA: _("of a newer program: update this one"),
        Reason.REPLAYED: _("not newer than what was believed before"),
        Reason.CODE: _("registers with no code that holds now"),
        Reason.TAKEN: _("registers as a table that has another key here"),
        Reason.OVERRUN: _("more at once than the hub could take in; entries come again"),
        Reason.COPIED: _("another device tells other entries as this table; one of two copies must register anew"),
    }


async def show(context: Context, request: Request) -> Response:
    """The list: registered tables first, then the latest first."""
    rows = await context.from_database(context.storing.refusals)
    left = await context.from_database(context.storing.refusal_rows) - len(rows)
    words = reasons()
    heads = (_("claimed table"), _("why not"), _("messages"), _("latest"))
    table = element(
        "table",
        element("thead", element("tr", *(element("th", each) for each in heads))),
        element("tbody", *(
            element(
                "tr", element("td", _claimed(context, row.claimed)), element("td", words.get(row.reason, row.reason)),
                element("td", str(row.count), class_="number"),
                element("td", f"{datetime.fromisoformat(row.latest_at).astimezone():%Y-%m-%d %H:%M:%S}"),
            )
            for row in rows
        )),
    )  # fmt: skip
    none = element("p", _("Nothing was refused."))
    intro = element("p", _("These messages changed nothing, and are shown as no table."), class_="quiet")
    more = element("p", _("and {count} more").format(count=left), class_="quiet") if left > 0 else Html("")
    panel = element("section", intro, table if rows else none, more, class_="paper scrolled")
    return html(whole_page(context, request, panel, title=_("Not believed"), kind="plain"))


def _claimed(context: Context, name: str) -> str:
    """A table as people call it, with the name it has on brokers; that alone where it is not registered."""
    table = context.overview.table(name)
    return name or "–" if table is None else f"{table.place} · {table.name} ({name})"


PAGES = (HubPage("/refused", show, Role.ORGANISE),)
