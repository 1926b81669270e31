"""What posts about events hold: fields and a file, bounded; and the page that says what was wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from email.parser import BytesParser
from email.policy import HTTP

from starlette.requests import Request
from starlette.responses import Response

from companion.event.entrants import MAXIMUM_BYTES
from ui.hub.context import Context, html
from ui.hub.frame import whole_page
from ui.services.text import _
from ui.web.forms import body_of
from ui.web.markup import Html, element

LARGEST = 2 * MAXIMUM_BYTES
SECONDS = 30.0
MOST_FIELDS = 60


@dataclass(frozen=True, slots=True)
class Posted:
    """The fields of a form, and the content of its file with its name; b"" where none was chosen."""

    fields: Mapping[str, str] = field(default_factory=dict)
    file: bytes = b""
    file_name: str = ""

    def text(self, name: str) -> str:
        """A field; "" where it is missing."""
        return self.fields.get(name, "").strip()

    def number(self, name: str, low: int, high: int) -> int | None:
        """A field as a whole number in bounds; None where it is none."""
        text = self.text(name).replace("−", "-")
        if not text.removeprefix("-").isdecimal() or len(text) > 9:
            return None
        return int(text) if low <= int(text) <= high else None


async def posted_file(request: Request) -> Posted | None:
    """A form with a file (multipart/form-data); None where it is none, too large or too slow."""
    kind = request.headers.get("content-type", "")
    if not kind.startswith("multipart/form-data;") or len(kind) > 200:
        return None
    data = await body_of(request, LARGEST, SECONDS)
    if data is None:
        return None
    head = f"Content-Type: {kind}\r\n\r\n".encode("latin-1", "replace")
    message = BytesParser(policy=HTTP).parsebytes(head + data)
    fields, file, file_name = dict[str, str](), b"", ""
    parts = [part for part in message.walk() if part is not message]
    if len(parts) > MOST_FIELDS:
        return None
    for part in parts:
        name = str(part.get_param("name", "", "content-disposition"))
        content = part.get_payload(decode=True)
        if not isinstance(content, bytes):
            return None
        if part.get_param("filename", None, "content-disposition") is None:
            fields[name] = content.decode("utf-8", "replace")
        elif content or part.get_filename():
            file, file_name = content, str(part.get_filename() or "")[:80]
    return Posted(fields, file, file_name)


def problem_page(
    context: Context, request: Request, told: str, back: str, words: str = "", again: Html | None = None
) -> Response:
    """A page that says why nothing was done, with the way back, to the event unless `words` say where; `again` is a
    form with what was written, to be mended.
    """
    said = element(
        "section", element("p", told, class_="problem", role="alert"),
        element("p", element("a", words or _("Back to the event"), href=back, class_="button")), class_="paper narrow",
    )  # fmt: skip
    mended = [] if again is None else [element("section", again, class_="paper")]
    return html(whole_page(context, request, said, *mended, title=_("Nothing was changed"), kind="plain"), 409)


def note_page(context: Context, request: Request, title: str, told: Iterable[str], back: str) -> Response:
    """A page that says how something was done, with the way back to the event."""
    said = element(
        "section", *(element("p", sentence, role="status") for sentence in told),
        element("p", element("a", _("Back to the event"), href=back, class_="button strong")), class_="paper narrow",
    )  # fmt: skip
    return html(whole_page(context, request, said, title=title, kind="plain"))
