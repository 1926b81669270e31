"""Small parts that many pages have."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from ui.drawing.laurel import laurel
from ui.web.markup import Html, element, joined, safe


@cache
def laurel_sign() -> Html:
    """The wreath that stands for the best, and for the club."""
    leaves = "".join(
        "M" + "L".join(f"{x:.1f} {-y:.1f}" for x, y in leaf) + "Z" for leaf in laurel((0.0, 0.0), 15.0)
    )  # fmt: skip
    return element("svg", element("path", d=leaves), class_="laurel", viewBox="-22 -22 44 44", aria_hidden="true")


def form(address: str, *contents: Html, class_: str = "", enctype: str = "") -> Html:
    """A form that is posted; the answer is a page."""
    return element("form", *contents, method="post", action=address, class_=class_ or None, enctype=enctype or None)


def element_id(table_id: str) -> str:
    """The id of a table's part of a page; names of tables are letters, digits, `_` and `-` by the contract."""
    return "t-" + re.sub(r"[^A-Za-z0-9_-]", "", table_id)


def names_in_line(names: Iterable[str], words: str = "{names}") -> Html:
    """Names beside one another within words; each keeps its place, whichever way it is written."""
    listed = ", ".join(element("bdi", name) for name in names)
    return Html(safe(words).format(names=listed))


def several(*contents: Html) -> str:
    """Parts that replace those of the same id."""
    return joined(*contents)
