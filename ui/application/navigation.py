"""The stack of visited screens, the first one home. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """A screen of `ui.screens.registry` by name, with the arguments it was opened with; compared by identity."""

    screen: str
    arguments: Mapping[str, Any]


class Navigation:
    """The visits from home to the current screen. No screen is on the stack twice."""

    def __init__(self, screen: str, **arguments: Any) -> None:
        self._stack = [Visit(screen, arguments)]

    @property
    def current(self) -> Visit:
        """The visit to the current screen."""
        return self._stack[-1]

    @property
    def stack(self) -> tuple[Visit, ...]:
        """All visits, home first."""
        return tuple(self._stack)

    @property
    def can_go_back(self) -> bool:
        """Whether there is a screen to go back to."""
        return len(self._stack) > 1

    def open(self, screen: str, **arguments: Any) -> None:
        """Go to a screen. If it is on the stack, go back to it, and replace the visit if the arguments differ."""
        for index, place in enumerate(self._stack):
            if place.screen == screen:
                kept = place if not arguments or place.arguments == arguments else Visit(screen, arguments)
                self._stack[index:] = [kept]
                return
        self._stack.append(Visit(screen, arguments))

    def back(self) -> None:
        """Go to the screen before, if there is one."""
        if self.can_go_back:
            self._stack.pop()

    def home(self) -> None:
        """Go to the first screen."""
        del self._stack[1:]
