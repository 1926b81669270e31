"""Where people sit in the rounds that are played: what a search for a player finds beside tables that are published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.event.event import ClubEvent
from companion.wording.spelling import finding
from ui.hub.parts import names_in_line
from ui.services.text import _
from ui.web.markup import Html, element, joined

MOST_FOUND = 30
"""players that are named; who wants another one writes more of the name"""


def seated_part(events: Iterable[ClubEvent], words: str) -> Html:
    """The players of latest rounds in whose names these words are, each with event and table; nothing for none."""
    found = [each for event in events if event.rounds for each in _seated(event, words)]
    return element("ul", *found[:MOST_FOUND], class_="events paper seated-players") if found else Html("")


def _seated(event: ClubEvent, sought: str) -> Iterator[Html]:
    drawn, is_sought = event.rounds[-1], finding(sought)
    for table, players in enumerate((drawn.byes, *drawn.tables)):
        for name in event.names(players):
            if is_sought(name):
                words = _("round {round}, table {table}") if table else _("round {round}, bye")
                told = words.format(round=drawn.round, table=table)
                link = element("a", names_in_line([name]), href=f"/event/{event.id}/rounds/{drawn.round}")
                yield element("li", joined(element("b", link), element("span", f"{event.settings.name} · {told}")))
