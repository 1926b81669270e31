"""What is wrong with a layout: cut texts, small or overlapping targets, things outside the window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from kivy.core.window import Window
from kivy.metrics import dp
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput

from ui.widgets.controls import FittingText, PushButton
from ui.widgets.scale import TOUCH

SLACK = 1.5
"""pixels that rounding may cost"""

Box = tuple[float, float, float, float]


def faults(screen: Any) -> list[str]:
    """One line for each fault of a screen as it is laid out now."""
    seen = [widget for widget in screen.walk(restrict=True) if is_shown(widget)]
    without_room = [each for each in screen.walk(restrict=True) if isinstance(each, Label) and _has_no_room(each)]
    targets = [widget for widget in seen if isinstance(widget, PushButton | TextInput) and not widget.disabled]
    no_room = (f"cut: {label.text!r} has no room" for label in without_room)
    return [
        *_cut(seen), *no_room, *_small(targets), *_outside(targets), *_overlapping(targets), *_covered(screen, targets)
    ]  # fmt: skip


def is_shown(widget: Any) -> bool:
    """Whether a widget and all that it is in can be seen."""
    return widget.opacity > 0 and min(widget.size) > 0 and all(parent.opacity > 0 for parent in parents(widget))


def _has_no_room(label: Any) -> bool:
    """Whether a text is drawn where there is no place for it."""
    is_clear = label.opacity > 0 and all(parent.opacity > 0 and parent.height > 0 for parent in parents(label))
    return is_clear and bool(label.text.strip()) and label.height <= 0 < label.width


def parents(widget: Any) -> Iterator[Any]:
    """What a widget is in, from the inside out."""
    while widget.parent is not None and widget.parent is not widget:
        widget = widget.parent
        yield widget


def _cut(seen: list[Any]) -> Iterator[str]:
    for label in seen:
        if not isinstance(label, Label) or not label.text.strip():
            continue
        width, height = label.texture_size if label.text_size[1] is None or label.shorten else _needed(label)
        if width > label.width + SLACK or height > label.height + SLACK:
            yield f"cut: {label.text!r} needs {width} x {height} of {label.width:.0f} x {label.height:.0f}"
        elif label.is_shortened:
            yield f"shortened: {label.text!r}"


def _needed(label: Any) -> tuple[float, float]:
    """What a text would take were it not cut off below."""
    if isinstance(label, FittingText):  # it is shortened to one line at least, however little room there is
        width, height = label.texture_size
        return width, max(height, _whole(label, (None, None))[1])
    return _whole(label, (label.text_size[0], None))


def _whole(label: Any, text_size: tuple[float | None, float | None]) -> tuple[float, float]:
    whole = type(label._label)(**{**label._label.options, "text_size": text_size, "text": label.text})
    whole.refresh()
    return whole.texture.size


def _small(targets: list[Any]) -> Iterator[str]:
    for target in targets:
        if min(target.size) < dp(TOUCH) - SLACK:
            yield f"small: {name(target)!r} is {target.width:.0f} x {target.height:.0f}"


def _outside(targets: list[Any]) -> Iterator[str]:
    for target in targets:
        if not _can_be_slid_into(target, (0.0, 0.0, Window.width, Window.height)):
            yield f"outside: {name(target)!r}"


def _can_be_slid_into(target: Any, window: Box) -> bool:
    """Whether a widget lies in the window, or its scrolling parents can be slid until it does."""
    sides = box(target)
    seen = [(sides[0], sides[2]), (sides[1], sides[3])]
    for parent in parents(target):
        if not isinstance(parent, ScrollView):
            continue
        inside, view = box(parent.children[0]), box(parent)
        for axis, slides in enumerate((parent.do_scroll_x, parent.do_scroll_y)):
            if not slides:
                continue
            begin, end = seen[axis]
            if not _within(begin, end, inside[axis], inside[axis + 2]):
                return False
            shift = min(0.0, view[axis + 2] - end) or max(0.0, view[axis] - begin)
            seen[axis] = begin + shift, end + shift
    return all(_within(*seen[axis], window[axis], window[axis + 2]) for axis in range(2))


def _within(begin: float, end: float, least: float, most: float) -> bool:
    return begin >= least - SLACK and end <= most + SLACK


def _overlapping(targets: list[Any]) -> Iterator[str]:
    boxes = [(target, _visible(target)) for target in targets]
    for (one, (left, low, right, high)), (other, (others_left, others_low, others_right, others_high)) in combinations(
        boxes, 2
    ):
        across = min(right, others_right) - max(left, others_left)
        along = min(high, others_high) - max(low, others_low)
        if across > SLACK and along > SLACK:
            yield f"overlap: {name(one)!r} and {name(other)!r}"


def _covered(screen: Any, targets: list[Any]) -> Iterator[str]:
    """Kivy lets disabled widgets swallow touches, also those that cannot be seen."""
    hidden = [widget for widget in screen.walk(restrict=True) if _swallows(widget)]
    for target in targets:
        x, y = target.to_window(*target.center)
        for widget in hidden:
            left, low, right, high = _visible(widget)
            if left < x < right and low < y < high and _is_asked_first(widget, target):
                yield f"covered: {name(target)!r} by {name(widget)!r}, which is not shown"
                break


def _swallows(widget: Any) -> bool:
    """Whether it is hidden and takes touches: not where it, or what it is in, says itself that it takes none."""
    if not widget.disabled or is_shown(widget):
        return False
    hidden = (each for each in (widget, *parents(widget)) if not is_shown(each))
    return not any(type(each).on_touch_down.__module__.startswith("ui.") for each in hidden)


def _is_asked_first(one: Any, other: Any) -> bool:
    """Whether a touch comes to one widget before the other: within a parent the one added last is asked first."""
    ways = [[widget, *parents(widget)][::-1] for widget in (one, other)]
    for parent, (mine, others) in zip(ways[0], zip(ways[0][1:], ways[1][1:], strict=False), strict=False):
        if mine is not others:
            return bool(parent.children.index(mine) < parent.children.index(others))
    return False


def _visible(widget: Any) -> Box:
    """The part of a widget that its scrolling parents let through."""
    left, low, right, high = box(widget)
    for parent in parents(widget):
        if isinstance(parent, ScrollView):
            parents_left, parents_low, parents_right, parents_high = box(parent)
            left, low = max(left, parents_left), max(low, parents_low)
            right, high = min(right, parents_right), min(high, parents_high)
    return left, low, right, high


def box(widget: Any) -> Box:
    """Left, lower, right and upper edge in the window."""
    left, low = widget.to_window(*widget.pos)
    return left, low, left + widget.width, low + widget.height


def name(target: Any) -> str:
    """What a target is called."""
    told = (getattr(target, part, "") for part in ("heading", "name", "text"))
    return next(filter(None, told), type(target).__name__)
