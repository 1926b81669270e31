"""The end of a game in the order in which people want it: who has won, by what, and what each rule brought. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

from ui.services.text import _
from ui.table.choice_faces import faces_of_rule
from ui.view_models.play_view import ChipView, ScoreView


@dataclass(frozen=True, slots=True)
class PodiumStep:
    """A place: whose, with how many points; equal ones share a numeral. Where nobody has won, all have rank 0."""

    seat: int
    name: str
    points: int
    rank: int


@dataclass(frozen=True, slots=True)
class SheetRow:
    """What a rule brought each player, in the order of the ranking; `decides` is the column in which it decided."""

    title: str
    points: tuple[int, ...]
    decides: int = -1
    faces: tuple[ChipView, ...] = ()
    """what is counted, by the faces of the printed components"""


@dataclass(frozen=True, slots=True)
class EndView:
    """`heading` says who has won, `told` by how much and what decided it."""

    heading: str
    told: str
    steps: tuple[PodiumStep, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[int, ...]


def compose_end(score: ScoreView, game_id: str = "") -> EndView:
    """The end as the score sheet of a game has it."""
    ended = score.final and not score.decided
    steps = tuple(PodiumStep(seat, name, points, rank) for seat, name, points, rank in score.ranking if rank or ended)
    seats = [step.seat for step in steps]
    sums: dict[str, dict[int, int]] = {}
    for line in score.lines:
        by_seat = sums.setdefault(line.title, {})
        by_seat[line.seat] = by_seat.get(line.seat, 0) + line.points
    table = {title: tuple(by_seat.get(seat, 0) for seat in seats) for title, by_seat in sums.items()}
    winners = [step.name for step in steps if step.rank == 1] if score.decided else []
    deciding = _deciding(table) if len(winners) == 1 and len(steps) > 1 else ""
    rules = {line.title: line.rule for line in score.lines}
    rows = tuple(
        SheetRow(title, points, 0 if title == deciding else -1, faces_of_rule(game_id, rules[title]))
        for title, points in table.items()
    )
    if not winners:
        heading, told = score.heading, _("nobody has won")
    elif len(winners) > 1:
        heading, told = _("Shared victory"), ", ".join(winners)
    else:
        heading, told = _("{name} wins").format(name=winners[0]), ""
    if len(winners) == 1 and len(steps) > 1:
        margin = steps[0].points - steps[1].points
        by = _("by {points}").format(points=margin) if margin else _("with equal points")
        told = " · ".join(filter(None, (by, _told_of(deciding, table, margin))))
    return EndView(heading, told, steps, rows, tuple(step.points for step in steps))


def _told_of(deciding: str, table: dict[str, tuple[int, ...]], margin: int) -> str:
    """Whether the rule with the largest lead decided the game: without that lead the first had not won by points."""
    if not deciding:
        return ""
    first, second, *_others = table[deciding]
    told = _("{what} decided it") if first - second >= margin else _("largest lead: {what}")
    return told.format(what=deciding)


def _deciding(table: dict[str, tuple[int, ...]]) -> str:
    """The rule by which the first is farthest in front of the second; none where none is."""
    leads = {title: points[0] - points[1] for title, points in table.items()}
    best = max(leads, key=lambda title: leads[title], default="")
    return best if best and leads[best] > 0 else ""


def podium_order(count: int) -> tuple[int, ...]:
    """In which order the places stand from left to right: the first in the middle, the second left of it."""
    return (1, 0, *range(2, count)) if count > 1 else tuple(range(count))


def numeral(rank: int) -> str:
    """A place as it stands on a step; "" for no place."""
    return ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII")[rank] if 0 <= rank < 9 else str(rank)
