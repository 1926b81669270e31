"""The question where a new box stands, as choices to touch. No device and no screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ui.services.text import _
from ui.view_models.play_view import ChoiceView, PlayerView

SEAT = "seat"
SHARED = 0
"""in place of a seat: the box stands before all"""


def seat_choices(unseated: Iterable[tuple[str, str]], players: Sequence[PlayerView]) -> tuple[ChoiceView, ...]:
    """For each new box, by its name and what people call it: a choice for every player, and one for all together."""
    choices = []
    for box, label in unseated:
        group = _("{box}: which seat? Touch it, or press the button with its number on the box.").format(box=label)
        choices += [
            ChoiceView(f"{SEAT} {player.seat} {box}", f"{player.seat}. {player.name}", group) for player in players
        ]
        choices.append(ChoiceView(f"{SEAT} {SHARED} {box}", _("For all together (hold any button)"), group))
    return tuple(choices)


def is_seat_choice(key: str) -> bool:
    """Whether a choice answers this question."""
    return key.startswith(f"{SEAT} ")


def chosen_seat(key: str) -> tuple[str, int | None]:
    """The box that a choice is about and its seat, None for all."""
    _word, seat, box = key.split(" ", 2)
    return box, int(seat) or None
