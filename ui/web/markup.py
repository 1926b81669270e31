"""HTML made of elements: whatever is text is escaped, so that a name is text everywhere. No template language."""

from __future__ import annotations

from html import escape

VOID = frozenset({"img", "input", "link", "meta"})
DRAWN = frozenset({"circle", "image", "path", "rect", "use"})
"""elements of a drawing that may end themselves where they hold nothing"""
UNENDED = frozenset({"li", "option"})
"""elements that the next of their kind, or the end of what holds them, ends"""


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = str | Html


def safe(content: Content) -> Html:
    """HTML of a text; HTML stays as it is."""
    return content if isinstance(content, Html) else Html(escape(content, quote=True))


def element(tag: str, /, *contents: Content, **attributes: str | bool | None) -> Html:
    """An element. Attributes are named as in Python: `class_`, `hx_post`; True has no value, None and False are left
    out.
    """
    given = "".join([_attribute(key, value) for key, value in attributes.items() if value not in {None, False}])
    if tag in VOID:
        return Html(f"<{tag}{given}>")
    if tag in DRAWN and not contents:
        return Html(f"<{tag}{given}/>")
    if tag in UNENDED:
        return Html(f"<{tag}{given}>{joined(*contents)}")
    return Html(f"<{tag}{given}>{joined(*contents)}</{tag}>")


def joined(*contents: Content) -> Html:
    """Contents one after the other."""
    return Html("".join(map(safe, contents)))


def _attribute(key: str, value: str | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(str(value), quote=True)}"'
