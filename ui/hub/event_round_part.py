"""The latest round on an event's page: a card for each table, what it is doing, and its result."""

from __future__ import annotations

import time

from companion.event.endings import tables_playing_on
from companion.event.event import ClubEvent
from companion.event.reseating import is_seated_by_hand, repeats_as_drawn
from companion.event.results import names_played_under, ranks_in_line
from companion.wording.spelling import plain
from ui.hub.cards import pill
from ui.hub.context import Context
from ui.hub.overview import ShownTable, Situation
from ui.hub.parts import names_in_line
from ui.services.text import _, error_text
from ui.web.markup import Html, element, joined, safe

MOST_CARDS = 60
"""tables that are shown; others are a link away"""


def round_part(context: Context, event: ClubEvent, *, organises: bool) -> Html:
    """The round with its tables, and what an organiser may do with it."""
    drawn = event.rounds[-1]
    numbers = sorted(
        range(1, len(drawn.tables) + 1),
        key=lambda each: (context.events.problem(event, each) is None, each not in event.open_tables, each),
    )
    shown = numbers if len(numbers) <= MOST_CARDS else numbers[:MOST_CARDS]
    playing_on = tables_playing_on(event)
    cards = [
        _table(context, event, number, organises=organises, plays_on=number in playing_on) for number in sorted(shown)
    ]
    others = [
        element(
            "a", f"{number} ✓" if (drawn.round, number) in event.results else str(number),
            href=f"/event/{event.id}/result/{drawn.round}/{number}",
        )
        for number in sorted(numbers[len(shown) :])
    ]  # fmt: skip
    heading = element("h2", _("Round {number}").format(number=drawn.round))
    notes = []
    if drawn.byes:
        notes.append(names_in_line(event.names(drawn.byes), _("Bye: {names}")))
    notes.append(safe(met_before(event)))
    back = Html("")
    if organises and event.open_tables:
        back = element("a", _("Change places"), href=f"/event/{event.id}/seats", class_="button")
    if organises and not any(number == drawn.round for number, _table in event.results):
        taken = element("a", _("Take this round back"), href=f"/event/{event.id}/back", class_="button")
        back = joined(back, taken)
    back = element("div", back, class_="deeds") if back else back
    links = [
        element("a", str(each.round), href=f"/event/{event.id}/rounds/{each.round}",
                aria_label=_("Round {number}").format(number=each.round))
        for each in event.rounds
    ]  # fmt: skip
    rounds = element("p", _("Rounds with all tables:"), *links, class_="numbers rounds")
    return element(
        "section", heading, element("p", Html(" · ".join(notes)), class_="quiet"), rounds,
        element("div", *cards, class_="seated"),
        element("p", *others, class_="numbers") if others and organises else "", back, class_="round",
    )  # fmt: skip


def met_before(event: ClubEvent) -> str:
    """How many pairs of the latest round met before: beside the fewest possible, or what it was before a hand."""
    drawn, before = event.rounds[-1], repeats_as_drawn(event)
    if is_seated_by_hand(event):
        return _("Met before: {count} ({before} as drawn)").format(count=drawn.repeats, before=before)
    if not drawn.repeats:
        return _("Nobody meets again")
    return _("Met before: {count} (no draw has fewer than {fewest})").format(count=drawn.repeats, fewest=drawn.at_least)


def _table(context: Context, event: ClubEvent, number: int, *, organises: bool, plays_on: bool) -> Html:
    drawn = event.rounds[-1]
    result = event.results.get((drawn.round, number))
    identity = event.tables.get(number, "")
    shown = context.overview.table(identity) if identity else None
    rows = []
    for at, name in enumerate(event.names(drawn.tables[number - 1])):
        points = element("b", str(result.points[at])) if result else Html("")
        begins = element("small", _("begins"), class_="begins") if at == 0 and result is None else Html("")
        won = result is not None and result.ranks[at] == 1
        rows.append(element("li", element("span", name, class_="who"), begins, points, class_="won" if won else None))
    head = [element("b", str(number), class_="place")]
    if shown is not None:
        head.append(element("h3", element("a", shown.name or identity, href=f"/table/{identity}")))
        head.append(_standing(event, number, shown, context.events.drawn(event)) if result is None else Html(""))
    problem = context.events.problem(event, number) if result is None else None
    foot = [element("p", problem_words(problem), class_="problem")] if problem else []
    if plays_on:
        told = _("Result taken back: the table plays on, and it counts when the game ends again.")
        foot.append(element("p", told, class_="problem"))
    if result is not None and (ranks := ranks_in_line(result)):
        foot.append(element("span", f"{_('ranks')} {ranks}", class_="quiet"))
    if result is not None and not result.record:
        foot.append(element("span", _("by hand"), class_="quiet"))
    if (other := context.events.other_result(event, number)) is not None:
        told = _("The table says {points}.").format(points=" : ".join(map(str, other.points)))
        foot.append(element("p", told, class_="problem"))
    if organises:
        words = _("Correct") if result else _("Enter the result")
        foot.append(element("a", words, href=f"/event/{event.id}/result/{drawn.round}/{number}", class_="button"))
    classes = f"table {'finished' if result else shown.situation if shown else 'free'}"
    return element(
        "article", element("header", *head), element("ol", *rows, class_="players"), element("footer", *foot),
        class_=classes, id=f"round-table-{number}",
    )  # fmt: skip


def problem_words(problem: object) -> str:
    """Why a finished game gives no result, in the language in use."""
    why = error_text(ValueError(problem))
    return _("A game has ended here, but {why}.").format(why=why)


def _standing(event: ClubEvent, number: int, shown: ShownTable, drawn: float) -> Html:
    """What a table is doing; of one whose game is not that of the round, that, beside a call or a dispute."""
    doing = pill(shown, time.time())
    if shown.situation is Situation.FREE or not shown.game or plays_round(event, number, shown, drawn):
        return doing
    words = _("plays something else") if shown.began >= drawn else _("in an earlier game")
    words = _("not begun yet") if shown.is_over else words
    game = element("span", words, class_=f"pill {Situation.FREE}")
    return game if shown.situation in (Situation.PLAYING, Situation.FINISHED) else joined(doing, game)


def plays_round(event: ClubEvent, number: int, shown: ShownTable, drawn: float) -> bool:
    """Whether the game that is open at a table may be that of the latest round: the game of the event, begun since it
    was `drawn`, with the people who sit there where the table says who plays.
    """
    if shown.rules != event.settings.game or shown.began < drawn:
        return False
    players = event.rounds[-1].tables[number - 1]
    named = {plain(player.name) for player in shown.players if player.name}
    names = event.names(players)
    return (
        not named
        or named == {plain(name) for name in names}
        or names_played_under(named, names, event.earlier_names(players)) is not None
    )
