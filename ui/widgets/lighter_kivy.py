"""What Kivy does for nothing, again and again: fonts opened twice, rules put into words or followed for what is gone,
left screens laid out.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.lang import Builder, builder
from kivy.uix.recycleview import RecycleView


def _font_id(label: Any) -> str:
    """What an open font is kept by. Kivy opens fonts in whole pixels, but keeps them by the size that was asked for: it
    would open the same one for every fraction of a pixel, and that takes ten times as long as to measure a word.
    """
    of = label.options
    style = f"{of['bold']}|{of['italic']}|{of['underline']}|{of['strikethrough']}"
    return f"{int(of['font_size'])}|{of['font_name_r']}|{style}"


def _follow_rule(args: Any, _instance: Any, _value: Any) -> None:
    """Set what a rule of a layout gives. Kivy's own words it for a log that nobody reads, each time, before it does.

    It refers to its widgets weakly: where one of these is collected while it is worked out, it sets nothing. Kivy's own
    raises then, which ends the telling of a new size halfway.
    """
    element, name, compiled, rule, names = args
    rule.count += 1
    try:
        setattr(element, name, eval(compiled, names))  # noqa: S307  of our own layouts, compiled by Kivy
    except ReferenceError:
        if not any(map(_is_gone, (element, *names.values()))):
            raise


def _is_gone(value: Any) -> bool:
    """Whether a widget that a rule refers to weakly is no more."""
    try:
        getattr(value, "uid", None)
    except ReferenceError:
        return True
    return False


def let_go(root: Any) -> None:
    """Take the layouts' rules off all widgets of a tree that is shown no more.

    Until it is collected, which takes long and is prevented by any one reference, every new size would be worked out
    for it too. The rows of lists stay as they are: Kivy keeps them for the next list.
    """
    Builder.unbind_widget(root.uid)
    if not isinstance(root, RecycleView):
        for child in (*root.children, *getattr(root, "screens", ())):
            let_go(child)


def _replace(owner: Any, name: str, ours: Callable[..., Any], takes: tuple[str, ...]) -> None:
    """Put our function in the place of a private one of Kivy's, if that is still what it was in Kivy 2.3."""
    kivys = getattr(owner, name, None)
    if kivys is not None and tuple(signature(kivys).parameters) == takes:
        setattr(owner, name, ours)


_replace(CoreLabel, "_get_font_id", _font_id, ("self",))
_replace(builder, "call_fn", _follow_rule, ("args", "instance", "v"))
