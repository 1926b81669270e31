"""Where the user is: a stack of places, the first one home. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """A screen of `ui.screens.registry`, by its name, and what it was opened with. Two visits are two places."""

    screen: str
    arguments: Mapping[str, Any]


class Navigation:
    """The places from home to where the user is now. No screen is on the way twice."""

    def __init__(self, screen: str, **arguments: Any) -> None:
        self._stack = [Visit(screen, arguments)]

    @property
    def current(self) -> Visit:
        """Where the user is."""
        return self._stack[-1]

    @property
    def stack(self) -> tuple[Visit, ...]:
        """All places on the way, home first."""
        return tuple(self._stack)

    @property
    def can_go_back(self) -> bool:
        """Whether there is a place before the current one."""
        return len(self._stack) > 1

    def open(self, screen: str, **arguments: Any) -> None:
        """Go to a screen; one that is on the way already is gone back to, and opened with other arguments anew."""
        for index, place in enumerate(self._stack):
            if place.screen == screen:
                kept = place if not arguments or place.arguments == arguments else Visit(screen, arguments)
                self._stack[index:] = [kept]
                return
        self._stack.append(Visit(screen, arguments))

    def back(self) -> None:
        """Go to the place before, if there is one."""
        if self.can_go_back:
            self._stack.pop()

    def home(self) -> None:
        """Go to the first place."""
        del self._stack[1:]
