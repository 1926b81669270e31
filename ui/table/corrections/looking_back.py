"""What an entry may have been instead, or what is missing before it: chosen on the board as it was then. No Kivy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from companion.board.layout import EMPTY
from companion.engine import GameRules, apply_unchecked, legal_actions
from companion.session.log import IMPOSSIBLE, Point
from companion.session.session import Session
from companion.table import Table
from companion.wording.texts import GameTexts
from ui.services.text import _
from ui.table.corrections.amending import (
    AMEND,
    INSERT,
    INSERT_BEFORE,
    KEEP,
    LIKELIEST,
    MOST_ALTERNATIVES,
    OTHERS,
    TAKE_OUT,
    Mending,
    action_of,
)
from ui.table.grouping import split_long_groups
from ui.table.legal_choices import LegalChoices
from ui.view_models.play_view import ChoiceView, PieceState, PieceView


@dataclass(frozen=True, slots=True)
class EarlierPosition:
    """A game as it was before an entry."""

    game: GameRules[Any]
    table: Table
    state: Any
    actors: tuple[int, ...]
    point: Point
    is_over: bool = False

    def legal_actions(self) -> list[Any]:
        """All that could be done then."""
        return legal_actions(self.game, self.state)


class LookingBack:
    """The choices before entries of a session; what costs is listed once for each position."""

    def __init__(self, session: Session, texts: GameTexts) -> None:
        self._session, self._texts = session, texts
        self._at: Point | None = None
        self._offers: LegalChoices | None = None

    def choices(self, mending: Mending, marked: Sequence[str]) -> tuple[ChoiceView, ...]:
        """What may be put in the place of an entry, or before it: at the sites that are marked, else what is likeliest;
        then what else can be done about the entry, at last what leaves all as it is. No card but the primary button
        changes anything.
        """
        offers, texts = self._before(mending.number), self._texts
        here = self.at(mending, marked)
        shown = here or (mending.offered[:MOST_ALTERNATIVES] if mending.shows_all else self._likeliest(mending))
        key, confirms = AMEND, _("Put this instead")
        if mending.inserts:
            key, confirms = INSERT, _("Put it in before")
        choices = [
            replace(each, key=key + each.key, confirms=confirms, waits=not here, is_last=False, can_end=False)
            for each in offers.worded(shown, texts, lies_there=bool(here) or not mending.shows_all)
        ]
        return (*split_long_groups(choices), *_others(mending, is_all=len(shown) == len(mending.offered)))

    def at(self, mending: Mending, marked: Sequence[str]) -> tuple[Any, ...]:
        """What may have been done at the sites that are marked, likeliest first."""
        there = frozenset(self._before(mending.number).concerning(marked)) if marked else frozenset()
        return tuple(each for each in mending.offered if each in there)

    def pieces(self, mending: Mending) -> tuple[PieceView, ...]:
        """The board as it was before an entry, with what the entry laid there, or took away, if it is asked about."""
        game, state = self._session.game, self._session.log.before(mending.number).state
        before = dict(game.appearance(state))
        after, sites = before, tuple[str, ...]()
        if not mending.inserts:
            with suppress(*IMPOSSIBLE):  # since an earlier entry was amended
                action = action_of(self._session, mending.number, state)
                after, sites = dict(game.appearance(apply_unchecked(game, state, action).state)), action.sites
        changed = {spot for spot in before.keys() | after.keys() if before.get(spot) != after.get(spot)}
        there = {spot for spot in changed if self._site_of(spot) in sites} or changed
        look = before | {spot: label for spot, label in after.items() if label != EMPTY and spot in there}
        return tuple(
            PieceView(spot, label, PieceState.CORRECTED if spot in there else PieceState.PLACED)
            for spot, label in look.items()
        )

    def _site_of(self, spot: str) -> str:
        spots = self._session.table.board.all_spots
        return spots[spot].site if spot in spots else ""

    def _before(self, number: int) -> LegalChoices:
        point = self._session.log.before(number)
        if self._offers is None or point is not self._at:
            decision = self._session.game.decide(point.state)
            actors = decision.actors if decision is not None else ()
            position = EarlierPosition(self._session.game, self._session.table, point.state, actors, point)
            self._at, self._offers = point, LegalChoices(position)
        return self._offers

    def _likeliest(self, mending: Mending) -> tuple[Any, ...]:
        """What is offered before the board is touched: what lies where the entry's piece does, where a camera saw it
        elsewhere what lies there; of what is not done on the board all of its kind.
        """
        offered = mending.offered
        if mending.inserts:
            unseen = tuple(each for each in offered if isinstance(each, self._session.game.info.unseen))
            return unseen or offered[:LIKELIEST]
        meant = action_of(self._session, mending.number, self._session.log.before(mending.number).state)
        meant = offered[0] if mending.is_seen and offered else meant
        is_there = not isinstance(meant, self._session.game.info.unseen)
        alike = tuple(
            each for each in offered if type(each) is type(meant) and (not is_there or each.sites == meant.sites)
        )
        return alike[:MOST_ALTERNATIVES] or offered[:LIKELIEST]


def _others(mending: Mending, *, is_all: bool) -> Iterator[ChoiceView]:
    """What else can be done about an entry."""
    group = _("Something else")
    if not mending.shows_all and not is_all:
        yield ChoiceView(OTHERS, _("Another action"), group, is_beside=True)
    if not mending.inserts:
        text = _("Something is missing before it")
        yield ChoiceView(INSERT_BEFORE, text, group, is_beside=True, brief=_("Missing before it"))
        text = _("It was not done at all: take it out")
        yield ChoiceView(TAKE_OUT, text, group, is_beside=True, brief=_("Not done"))
    yield ChoiceView(KEEP, _("Leave it as it is"), group, is_beside=True)
