"""A score sheet in words: lines, ranking, who has won and by what. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.engine import GameRules
from companion.record_status import PLAIN, RecordStatus
from companion.scoring import ScoreLine, ScoreSheet
from companion.wording.texts import GameTexts
from ui.services.text import _
from ui.view_models.play_view import ScoreLineView, ScoreView


def compose_score(
    game: GameRules[Any], state: Any, texts: GameTexts, status: RecordStatus = PLAIN, sheet: ScoreSheet | None = None
) -> ScoreView:
    """The score sheet as it stands; final also where the game was ended early. `sheet` is that of `state`, if known.

    Nobody has a place while all have as many points before the end.
    """
    sheet = status.scores(game, state) if sheet is None else sheet
    names = [player.name for player in state.table.players]
    order = sorted(state.table.seats, key=lambda seat: (seat in sheet.left, sheet.ranks[seat - 1], seat))
    staying = frozenset(state.table.seats) - sheet.left
    is_level = not sheet.final and len({sheet.totals[seat - 1] for seat in staying}) == 1
    placeless = frozenset(state.table.seats) if status.ended or is_level else sheet.left
    ranking = [
        (seat, names[seat - 1], sheet.totals[seat - 1], 0 if seat in placeless else sheet.ranks[seat - 1])
        for seat in order
    ]
    lines = tuple(
        ScoreLineView(
            line.seat,
            _(game.rulebook.rules[line.rule].title),
            _counted(game, state, texts, line),
            line.points,
            line.sites,
            line.rule,
        )
        for line in sheet.lines
    )
    notes = (
        *status_notes(status, names),
        *filter(None, (texts.not_yet_counted(game, state),)),
        *won_notes(sheet, names),
        *tie_break_notes(sheet, names),
    )
    is_final = sheet.final or status.ended
    return ScoreView(
        _heading(sheet, status), tuple(ranking), lines, notes, is_final, bool(sheet.winners), result_text(sheet, names),
        sheet.left,
    )  # fmt: skip


def _heading(sheet: ScoreSheet, status: RecordStatus) -> str:
    if sheet.final:
        return _("Final score")
    if status.ended:
        return _("Ended early")
    return _("If it ended now") if sheet.won.totals != sheet.totals else _("Score so far")


def _counted(game: GameRules[Any], state: Any, texts: GameTexts, line: ScoreLine) -> str:
    """What was counted for a line, and what the table has chosen where a ruling decided the points."""
    counted = texts.score_line(line)
    if not line.ruling:
        return counted
    chosen = _(game.rulebook.rulings[line.ruling].readings[state.table.rulings[line.ruling]])
    return _("{sentence} (This table's ruling: {reading})").format(sentence=counted, reading=chosen)


def result_text(sheet: ScoreSheet, names: Sequence[str]) -> str:
    """Who has won and by what, in one sentence; nothing where nobody has."""
    winners = [names[seat - 1] for seat in sheet.winners]
    if len(winners) > 1:
        return _("Shared victory: {names}.").format(names=", ".join(winners))
    if not winners:
        return ""
    staying = [seat for seat in range(1, len(names) + 1) if seat not in sheet.left]
    totals = sorted((sheet.totals[seat - 1] for seat in staying), reverse=True)
    level = [seat for seat in staying if sheet.totals[seat - 1] == totals[0]]
    decided_by = ""
    for tie_break in sheet.tie_breaks:
        if len(level) > 1:
            most = max(tie_break.values[seat - 1] for seat in level)
            level = [seat for seat in level if tie_break.values[seat - 1] == most]
            decided_by = tie_break.name
    if decided_by:
        return _("{name} wins: equal points, decided by {tie_break}.").format(name=winners[0], tie_break=_(decided_by))
    others = ", ".join(map(str, totals[1:]))
    return _("{name} wins: {points} to {others}.").format(name=winners[0], points=totals[0], others=others)


def status_notes(status: RecordStatus, names: Sequence[str]) -> Iterator[str]:
    """How a game went beside its rules."""
    if status.joined:
        yield _("Joined in progress: what was played before is not in the record.")
    for seat in sorted(status.left):
        yield _("{name} left before the end, keeps the points and has no place.").format(name=names[seat - 1])
    if status.ended:
        yield _("The points are those of the moment at which the game was ended; nobody has won.")


def won_notes(sheet: ScoreSheet, names: Sequence[str]) -> Iterator[str]:
    """What is won already, where the sheet of a running game takes off what would be left over at its end."""
    if sheet.won.totals != sheet.totals:
        told = ", ".join(f"{name} {points}" for name, points in zip(names, sheet.won.totals, strict=True))
        yield _("Won so far: {points}. What is left over is only taken off at the end.").format(points=told)


def tie_break_notes(sheet: ScoreSheet, names: Sequence[str]) -> Iterator[str]:
    """What decides between equal points; nothing before the end of the game."""
    places = [place for place in range(len(names)) if place + 1 not in sheet.left]
    if not sheet.final or len({sheet.totals[place] for place in places}) == len(places):
        return
    for tie_break in sheet.tie_breaks:
        told = [f"{names[place]} {tie_break.values[place]}" for place in places]
        if tie_break.is_order:
            told = [names[place] for place in sorted(places, key=lambda place: -tie_break.values[place])]
        yield _("Equal points are decided by {name}: {values}.").format(name=_(tie_break.name), values=", ".join(told))
    level = [place for place in places if sheet.totals.count(sheet.totals[place]) > 1]
    if len({sheet.ranks[place] for place in level}) > len({sheet.totals[place] for place in level}):
        told = [f"{rank}. {names[place]}" for rank, place in sorted((sheet.ranks[place], place) for place in level)]
        yield _("Places of those with equal points: {places}.").format(places=", ".join(told))
    if len(sheet.winners) > 1:
        yield _("All of that is equal: the victory is shared.")
