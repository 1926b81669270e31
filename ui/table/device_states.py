"""What cameras and boxes say of themselves to one table, and which boxes still need a seat. No Kivy, no device."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ui.table.seating import UnseatedBox, chosen_seat, seat_choices
from ui.view_models.play_view import ChoiceView, DeviceView, PlayerView


class DeviceStates:
    """The devices of a table by the names people call them; `changed` is called after each change."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._states: dict[str, DeviceView] = {}
        self._unseated: dict[str, UnseatedBox] = {}
        self._answers: list[tuple[str, int | None]] = []

    @property
    def views(self) -> tuple[DeviceView, ...]:
        """All of them, in the order in which they came."""
        return tuple(self._states.values())

    def tell(self, name: str, state: str, *, ok: bool) -> None:
        """A device is in this state from now on."""
        device = DeviceView(name, state, ok)
        if self._states.get(name) != device:
            self._states[name] = device
            self._changed()

    def forget(self, name: str) -> None:
        """A device is known by another name from now on, or is not ours."""
        if self._states.pop(name, None) is not None:
            self._changed()

    def ask_for_seat(self, box: str, asked: UnseatedBox) -> None:
        """Ask the table which seat a box belongs to that has none, or one that does not play."""
        if self._unseated.get(box) != asked:
            self._unseated[box] = asked
            self._changed()

    def seated(self, box: str) -> None:
        """A box has its seat, or is gone."""
        if self._unseated.pop(box, None) is not None:
            self._changed()

    def questions(self, players: Sequence[PlayerView]) -> tuple[ChoiceView, ...]:
        """Which seats the boxes without one belong to, as choices."""
        return seat_choices(self._unseated.items(), players)

    def answer(self, key: str) -> None:
        """The table chose one of them."""
        self._answers.append(chosen_seat(key))

    def take_answers(self) -> list[tuple[str, int | None]]:
        """The seats that the table gave to boxes, None for all together; empties the list."""
        answers, self._answers = self._answers, []
        return answers
