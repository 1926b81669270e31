"""The few signs of the pages, drawn as lines on a grid of 24."""

from __future__ import annotations

from functools import cache

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
    "hand": "M8 12.5V6.2a1.5 1.5 0 0 1 3 0V11m0-.6V4.4a1.5 1.5 0 0 1 3 0V11m0-.4V6a1.5 1.5 0 0 1 3 0v8.6"
    "a6.4 6.4 0 0 1-11.6 3.7L3.6 13.6a1.5 1.5 0 0 1 2.5-1.6L8 14.2",
    "exclaim": "M12 4.5v10M12 19v.2",
    "eye-off": "M3 12c2.4-4 5.4-6 9-6s6.6 2 9 6c-2.4 4-5.4 6-9 6s-6.6-2-9-6"
    "M12 9a3 3 0 1 1 0 6a3 3 0 1 1 0-6M4.5 20L19.5 4",
    "arrow": "M4 12h16M13.5 5.5L20 12l-6.5 6.5",
    "clock": "M12 3a9 9 0 1 1 0 18a9 9 0 1 1 0-18M12 6.5V12l3.8 2.2",
    "search": "M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 1 1 0-13M15.3 15.3L20.5 20.5",
    "expand": "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
    "plus": "M12 5v14M5 12h14",
    "people": "M8.5 5a3 3 0 1 1 0 6a3 3 0 1 1 0-6M3 19c0-3.3 2.2-5.5 5.5-5.5s5.5 2.2 5.5 5.5"
    "M16 5.8a2.7 2.7 0 1 1 0 5.2M17 13.7c2.400.4 4 2.400 4 5.3",
    "home": "M3 9l9-5l9 5zM6 9.5V17M10 9.5V17M14 9.5V17M18 9.5V17M3.5 17.5h17M2.5 20.5h19",
    "left": "M15 5l-7 7l7 7",
    "right": "M9 5l7 7l-7 7",
    "rest": "M6 12h12",
}


@cache
def icon(name: str) -> Html:
    """A sign; what stands beside it says the same in words."""
    return element(
        "svg", element("path", d=_LINES[name]), class_="icon", viewBox="0 0 24 24", aria_hidden="true"
    )  # fmt: skip
