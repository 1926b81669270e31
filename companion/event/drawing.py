"""The next round of an event, drawn from its log."""

from __future__ import annotations

from companion.event.entries import EventRefused, Replanned, RoundDrawn
from companion.event.event import ClubEvent
from companion.event.pairing import Task, draw_round
from companion.event.standings import standings
from companion.wording.sentences import sentence


def next_round(event: ClubEvent) -> RoundDrawn:
    """The next round: by lot as long as the settings say, then by table points. The same log is always drawn alike.

    A round that was taken back is drawn otherwise than before. Raises EventRefused where none can be drawn now.
    """
    number, settings = len(event.rounds) + 1, event.settings
    if event.open_tables:
        raise EventRefused(
            sentence("table {table} of round {round} has no result yet", table=event.open_tables[0], round=number - 1)
        )
    by_lot = number <= settings.by_lot
    draw = draw_round(
        Task(
            event.playing, event.seats, settings.seats, settings.preferred, settings.tables,
            f"{settings.seed} {number} {len(event.entries)}",
            None if by_lot else {row.player: row.table_points for row in standings(event)},
            max(0, settings.rounds - number),
            event.rounds[-1].plan if event.rounds else (),
        )
    )  # fmt: skip
    if not draw.tables:
        few, _most = settings.seats
        raise EventRefused(
            sentence(
                "round {round}: too few players are there ({players}); a table needs {few}",
                round=number,
                players=len(event.playing),
                few=few,
            )
        )
    return RoundDrawn(number, draw.tables, draw.byes, draw.repeats, draw.at_least, draw.plan)


def plan_anew(event: ClubEvent, wanted: Replanned) -> Replanned:
    """What is wanted, where it has all the rounds that were drawn already. Raises EventRefused."""
    drawn = len(event.rounds)
    if wanted.rounds < drawn:
        raise EventRefused(
            sentence("rounds drawn already: {count}; plan at least as many, or take one back", count=drawn)
        )
    return wanted
