"""The question which seat a box belongs to, as choices to touch. No device and no screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ui.services.text import _
from ui.view_models.play_view import ChoiceView, PlayerView

SEAT = "seat"
SHARED = 0
"""in place of a seat: the box belongs to all"""


@dataclass(frozen=True, slots=True)
class UnseatedBox:
    """A box that the table is asked about: what people call it, and by seat (0 for all) the presses that answer."""

    label: str
    rows: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


def seat_choices(unseated: Iterable[tuple[str, UnseatedBox]], players: Sequence[PlayerView]) -> tuple[ChoiceView, ...]:
    """For each box that is asked about, by its name: a choice for every player, and one for all together."""
    choices = []
    for box, asked in unseated:
        group = _("{box}: which seat? Touch the answer here.").format(box=asked.label)
        if asked.rows:
            group = _("{box}: which seat? Touch the answer, or press its three numbers on the box.").format(
                box=asked.label
            )
        answers = [(player.seat, f"{player.seat}. {player.name}") for player in players]
        for seat, text in [*answers, (SHARED, _("For all together"))]:
            row = " ".join(map(str, asked.rows.get(seat, ())))
            choices.append(ChoiceView(f"{SEAT} {seat} {box}", f"{text} ({row})" if row else text, group))
    return tuple(choices)


def is_seat_choice(key: str) -> bool:
    """Whether a choice answers this question."""
    return key.startswith(f"{SEAT} ")


def chosen_seat(key: str) -> tuple[str, int | None]:
    """The box that a choice is about and its seat, None for all."""
    _word, seat, box = key.split(" ", 2)
    return box, int(seat) or None
