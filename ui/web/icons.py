"""The few signs of the pages, drawn as lines on a grid of 24."""

from __future__ import annotations

from ui.web.markup import Html, element

_QUESTION = "M9.2 9.2a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.2M12 17.2v.1"
_LINES = {
    "help": f"{_QUESTION}M12 2.8a9.2 9.2 0 1 1 0 18.4a9.2 9.2 0 1 1 0-18.4",
    "more": "M4 6.5h16M4 12h16M4 17.5h16",
    "larger": "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
    "photo": "M3.5 8h4l1.6-2.6h5.8L16.5 8h4v11h-17zM12 9.8a3.6 3.6 0 1 1 0 7.2a3.6 3.6 0 1 1 0-7.2",
    "lock": "M6 10.5h12v9.5H6zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5",
    "undo": "M8.5 5L4 9.5L8.5 14M4 9.5h9.5a5.5 5.5 0 0 1 0 11H10",
    "check": "M5 12.5l4.6 4.6L19 7.5",
    "cross": "M6.5 6.5l11 11M17.5 6.5l-11 11",
    "asks": _QUESTION,
    "unsure": "M5 13.5c2-4 4.5-4 7-1.5s5 2.5 7-1.5",
    "note": "M12 11v6M12 7.2v.1",
}


def icon(name: str) -> Html:
    """A sign; what stands beside it says the same in words."""
    return element(
        "svg", element("path", d=_LINES[name]), class_="icon", viewBox="0 0 24 24", aria_hidden="true"
    )  # fmt: skip
