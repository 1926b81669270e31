"""What the table may do now: the legal actions, those that are shown as choices, the one that is suggested. No Kivy.

Listing actions and the sites each concerns costs milliseconds, so both are kept until the state is another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from companion.amounts import listed
from companion.detail import EVERYTHING
from companion.engine import GameRules, apply_unchecked, legal_actions
from companion.errors import CompanionError
from companion.session.log import Point
from companion.table import Table
from companion.wording.texts import GameTexts
from ui.drawing.board_drawing import drawing_of, told_together
from ui.services.text import _, site_name
from ui.table.choice_faces import brief_of, faces_of_action
from ui.table.grouping import split_long_groups
from ui.table.laid_pieces import LaidPieces, SwatchFinder
from ui.table.played_cards import card_played, played_cards
from ui.table.swatches import with_swatches
from ui.view_models.play_view import ChipView, ChoiceView, PieceView

MOST_CHOICES = 400
ON_BOARD = "on the board: "
"""how the keys of what is done by touching the board begin; they are no choices"""
MOST_GHOSTS = 48
"""choices up to which each tells what it brings onto the board"""
END_TOO = "and end the turn: "
"""how the key of a choice begins with which the turn is ended as well"""
NOT_WORKED_OUT = (CompanionError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""what ends the working out of an illegal action: games need not be able to do that"""
IN_SERIES = "in series: "
"""how the key of a site begins at which the next piece of a series is put"""


class Playable(Protocol):
    """A game that is played: a session, or one as it was earlier."""

    @property
    def game(self) -> GameRules[Any]:
        """Its rules."""

    @property
    def table(self) -> Table:
        """Who plays, on which board."""

    @property
    def state(self) -> Any:
        """The position."""

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats that act."""

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""

    @property
    def point(self) -> Point:
        """The position in the line of what has been done."""

    def legal_actions(self) -> list[Any]:
        """All that may be done now."""


class LegalChoices:
    """The legal actions of a session's state, and what of them the table wants to see."""

    def __init__(self, session: Playable) -> None:
        self._session = session
        self._together = told_together(session.table.board)
        self._laid = LaidPieces(session.game, session.table.board)
        self._in_colour: SwatchFinder | None = None
        self._at: tuple[Any, bool] = (None, False)
        self._legal: tuple[Any, ...] | None = None
        self._sites: dict[Any, frozenset[str]] = {}
        self._ghosts: dict[Any, tuple[PieceView, ...]] = {}
        self._worded: dict[Any, ChoiceView] = {}
        self._texts: GameTexts | None = None
        """those in which the choices are worded"""
        self._look: frozenset[tuple[str, str]] | None = None
        self._places: frozenset[str] | None = None
        self._ends: dict[Any, Any | None] = {}
        self._is_last: dict[Any, bool] = {}
        self._series = ""
        """the key of what was last put in a series"""
        self._suggestion = -1
        self.are_shown = False
        """whether every legal action is shown, not only those that no camera sees"""
        self.marked: tuple[str, ...] = ()
        """the sites that were touched: only what concerns them is shown"""
        self.imagined: tuple[Any, ...] = ()
        """illegal actions at the touched site: chosen, it is said why, and they may be recorded against the rules"""

    def forget(self) -> None:
        """The record is another one: nothing is asked for any more."""
        self._suggestion, self.marked, self.are_shown, self.imagined = -1, (), False, ()

    @property
    def legal(self) -> tuple[Any, ...]:
        """All legal actions that tell no secret: everybody at the table sees the choices."""
        self._follow()
        if self._legal is None:
            public = self._session.game.public_action
            self._legal = tuple([action for action in self._session.legal_actions() if public(action) == action])
        return self._legal

    @property
    def unseen(self) -> tuple[Any, ...]:
        """The legal actions that no camera sees."""
        kinds = self._session.game.info.unseen
        return tuple(action for action in self.legal if isinstance(action, kinds))

    @property
    def suggested(self) -> Any | None:
        """The unseen action that *next* has come to."""
        return dict(enumerate(self.unseen)).get(self._suggestion) if self._suggestion >= 0 else None

    def suggest_next(self) -> None:
        """Suggest the next unseen action, if there is one."""
        count = len(self.unseen)
        self._suggestion = (self._suggestion + 1) % count if count else -1

    def stop_suggesting(self) -> None:
        """Suggest nothing."""
        self._suggestion = -1

    def mark(self, site: str) -> None:
        """Show what concerns a site; marked a second time, it is marked no more."""
        self.imagined = ()
        self.marked = () if self.marked == (site,) else (site,)
        self.are_shown = bool(self.marked) and bool(self.concerning(self.marked))

    def has_none_here(self) -> bool:
        """Whether nothing is legal at the site that was touched."""
        return bool(self.marked) and not self.concerning(self.marked)

    def sites(self, action: Any) -> frozenset[str]:
        """The board sites that one of the legal actions names, and those where it changes what lies there."""
        self._follow()
        if action not in self._sites:
            self._sites[action] = concerned_sites(self._session, action, self._lying)
        return self._sites[action]

    def ghost(self, action: Any) -> tuple[PieceView, ...]:
        """The pieces that a legal action would lay where it is done, from the sheet up; none of one off the board."""
        self._follow()
        if action not in self._ghosts:
            self._ghosts[action] = () if isinstance(action, self._session.game.info.unseen) else self._laid_by(action)
        return self._ghosts[action]

    def _would_lay(self, action: Any) -> tuple[PieceView, ...]:
        """The pieces that an illegal action would lay, if it can be told; none of one off the board."""
        if isinstance(action, self._session.game.info.unseen):
            return ()
        with suppress(*NOT_WORKED_OUT):
            return self._laid_by(action)
        return ()

    def _laid_by(self, action: Any) -> tuple[PieceView, ...]:
        game, state = self._session.game, self._session.state
        after = game.appearance(apply_unchecked(game, state, action).state)
        return self._laid.between(self._lying, after, action.sites)

    @property
    def _lying(self) -> frozenset[tuple[str, str]]:
        """(spot, label) of every occupied spot."""
        if self._look is None:
            self._look = frozenset(self._session.game.appearance(self._session.state).items())
        return self._look

    def possible_sites(self) -> frozenset[str]:
        """The sites to be marked: those touched, or all that legal actions concern while these are shown."""
        if self.marked or not self.are_shown:
            return frozenset(self.marked)
        return frozenset(site for action in self.legal for site in self.sites(action))

    def places_to_touch(self) -> frozenset[str]:
        """The board sites of the legal actions that are done on the board: those they name, else all they concern."""
        self._follow()
        if self._places is None:
            unseen = self._session.game.info.unseen
            done_there = [action for action in self.legal if not isinstance(action, unseen)]
            self._places = frozenset(site for action in done_there for site in action.sites or self.sites(action))
        return self._places

    def end_after(self, action: Any) -> Any | None:
        """The end of the turn, where a player who has done a legal action usually does nothing else; None otherwise."""
        self._follow()
        if action not in self._is_last:
            game, end = self._session.game, self.possible_end_after(action)
            after = apply_unchecked(game, self._session.state, action).state
            others = (each for each in legal_actions(game, after) if each != end) if end is not None else ()
            is_usual = game.detail(after) != EVERYTHING  # what else was done in the turn is likely not told
            self._is_last[action] = is_usual or all(isinstance(each, game.info.seldom_before_end) for each in others)
        return self.possible_end_after(action) if self._is_last[action] else None

    def possible_end_after(self, action: Any) -> Any | None:
        """The end of the turn, where a player who has done a legal action may end it; else None."""
        self._follow()
        if action not in self._ends:
            game, actors = self._session.game, self._session.actors
            closing, kind = None, game.info.turn_end
            if kind is not None and len(actors) == 1 and action in self.legal:
                after = apply_unchecked(game, self._session.state, action).state
                decision = game.decide(after)
                if decision is not None and decision.actors == actors:
                    closing = game.closing_action(after, actors[0])
            self._ends[action] = closing if kind is not None and isinstance(closing, kind) else None
        return self._ends[action]

    def on_board(self, texts: GameTexts) -> tuple[ChoiceView, ...]:
        """What is done by touching the board: of each kind all sites, with the pieces of its first action.

        Where pieces are put in series, each sort of them is a kind of its own, and each card whose face has a place.
        """
        unseen, kinds = self._session.game.info.unseen, dict[tuple[str, str, str], list[Any]]()
        for action in self.legal:
            if not isinstance(action, unseen):
                kinds.setdefault((texts.kind(action), self._sort(action), self._card(action)), []).append(action)
        return tuple(
            ChoiceView(
                _on_board_key(kind, sort or card), texts.amounts(listed([sort])) if sort else kind, "",
                tuple(sorted({site for each in alike for site in each.sites})),
                faces=self._faces(alike[0])[:1], ghost=() if sort else self.ghost(alike[0])[:1], kind=kind,
                card=card,
            )
            for (kind, sort, card), alike in kinds.items()
        )  # fmt: skip

    @property
    def is_series(self) -> bool:
        """Whether pieces are put on the board in series, each where it is touched."""
        decision = self._session.game.decide(self._session.state)
        return decision is not None and decision.step in self._session.game.info.series_steps

    def series(self, texts: GameTexts) -> str:
        """The key, one of `on_board`, of what is put at the next site that is touched; "" outside of series.

        It is the sort that was put or chosen last while there are more of it.
        """
        keys = [each.key for each in self.on_board(texts)] if self.is_series else []
        if self._series not in keys:
            self._series = next(iter(keys), "")
        return self._series

    def choose_series(self, key: str) -> None:
        """What is put at the sites that are touched next: a key of `on_board`."""
        self._series = key

    def in_series(self, site: str, texts: GameTexts) -> Any | None:
        """The action that puts the next piece of a series at a site; None where it cannot be put there."""
        key = self.series(texts)
        here = (action for action in self.legal if site in action.sites)
        return next((each for each in here if _on_board_key(texts.kind(each), self._sort(each)) == key), None)

    def _sort(self, action: Any) -> str:
        """What is put by an action of a series, by its name; "" outside of series."""
        faces = self._faces(action) if self.is_series else ()
        return faces[0].kind if faces else ""

    def choices(self, texts: GameTexts) -> tuple[ChoiceView, ...]:
        """The legal actions to choose from: those that concern what was touched, all, or those that no camera sees."""
        is_asked = not self.are_shown and not self.marked and self._is_asked
        everything = self.legal if self.are_shown or is_asked else self.unseen
        concerning = self.concerning(self.marked) if self.marked else ()
        shown = self._with_others_of_the_kind(concerning) or everything
        asked = _("Was it done all the same?")
        if self.marked and not self.has_none_here():  # named for the site, so that it is no longer open at the next one
            asked = _("{site}: why not?").format(site=site_name(texts, self.marked[0]))
        imagined = [
            ChoiceView(
                each.text, texts.action(each), asked, each.sites, forbidden=True, faces=self._faces(each),
                kind=texts.kind(each), brief=texts.kind(each), looks=self._would_lay(each),
            )
            for each in self.imagined
        ]  # fmt: skip
        worded = [
            replace(choice, is_meant=shown is not concerning and action in concerning)
            for choice, action in zip(self.worded(shown, texts, lies_there=not is_asked), shown, strict=False)
        ]
        if concerning:
            worded = list(with_swatches(worded, _("Lay it here")))
        return split_long_groups(worded) + tuple(imagined)

    def worded(self, actions: Sequence[Any], texts: GameTexts, *, lies_there: bool = True) -> tuple[ChoiceView, ...]:
        """Legal actions as choices; where they are few each tells what it brings onto the board."""
        worded = [self._choice(action, texts) for action in actions[:MOST_CHOICES]]
        if len(actions) > MOST_GHOSTS:
            return tuple(worded)
        pairs = zip(worded, actions, strict=False)
        looked_at = (self._looked_at(choice, action, lies_there=lies_there) for choice, action in pairs)
        return tuple(self._swatches.told(choice, texts) for choice in looked_at)

    @property
    def _swatches(self) -> SwatchFinder:
        """What choices in colour tell at this position."""
        self._follow()
        if self._in_colour is None:
            session = self._session
            has_some = bool(drawing_of(session.game.info.id).swatches)
            earlier = self._laid.by_moves(session.point, session.actors) if has_some else ()
            self._in_colour = SwatchFinder(session.game, session.table.board, session.state, session.actors, earlier)
        return self._in_colour

    def _with_others_of_the_kind(self, concerning: tuple[Any, ...]) -> tuple[Any, ...]:
        """What concerns a touched site; where all that can be done now are actions of one kind that are no part of the
        board, such as which card is turned over, the others beside it.
        """
        kinds = {type(action) for action in self.legal}
        is_choice_of_one = len(kinds) == 1 and kinds <= set(self._session.game.info.unseen)
        return self.legal if concerning and is_choice_of_one else concerning

    def _looked_at(self, choice: ChoiceView, action: Any, *, lies_there: bool) -> ChoiceView:
        """A choice with the pieces that lie on the board as a ghost, and whether the turn usually ends with it."""
        ghost = self.ghost(action) if lies_there else ()
        may_be_last = bool(ghost) or self._session.game.detail(self._session.state) != EVERYTHING
        return replace(
            choice, ghost=ghost, is_last=may_be_last and self.end_after(action) is not None,
            can_end=self.possible_end_after(action) is not None,
        )  # fmt: skip

    @property
    def _is_asked(self) -> bool:
        """Whether everything that may be done now lies in the tray, though it is done on the board."""
        decision = self._session.game.decide(self._session.state)
        return decision is not None and decision.step in self._session.game.info.asked_steps

    def _choice(self, action: Any, texts: GameTexts) -> ChoiceView:
        """A legal action as a choice, without its ghost; worded once for each state."""
        self._follow()
        if texts is not self._texts:
            self._texts, self._worded = texts, {}
        if action not in self._worded:
            faces, kind = self._faces(action), texts.kind(action)
            self._worded[action] = ChoiceView(
                action.text,
                texts.action(action),
                kind,
                action.sites,
                faces=faces,
                kind=kind,
                brief=brief_of(faces),
                sort=self._together.get(action.sites[0], "") if len(action.sites) == 1 else "",
                card=self._card(action),
            )
        return self._worded[action]

    def _card(self, action: Any) -> str:
        return card_played(action.text, self._session.table.game)

    def played(self, texts: GameTexts, choices: Sequence[ChoiceView]) -> tuple[ChoiceView, ...]:
        """The cards whose faces always lie in the tray, while one of the choices plays one."""
        table, actors = self._session.table, self._session.actors
        colour = table.players[(actors[0] if actors else 1) - 1].colour
        return played_cards(choices, table.game, texts, colour)

    def _faces(self, action: Any) -> tuple[ChipView, ...]:
        table, actors = self._session.table, self._session.actors
        colour = table.players[(getattr(action, "seat", 0) or (actors[0] if actors else 1)) - 1].colour
        return faces_of_action(table.game, action.text, colour)

    def concerning(self, marked: Sequence[str]) -> tuple[Any, ...]:
        """The legal actions at these sites; else those that `gestures_at` suggests; else those at adjoining sites."""
        exact = tuple(action for action in self.legal if self.sites(action) & set(marked))
        if exact:
            return exact
        game, state = self._session.game, self._session.state
        meant = {action for site in marked for action in game.gestures_at(state, site)}
        adjoining = state.table.board.are_adjoining
        return tuple(action for action in self.legal if action in meant) or tuple(
            action
            for action in self.legal
            if any(adjoining(site, mark) for site in self.sites(action) for mark in marked)
        )

    def _follow(self) -> None:
        """Forget what was listed if the state is another one by now."""
        state, is_over = self._session.state, self._session.is_over
        if state is not self._at[0] or is_over != self._at[1]:
            self._at = state, is_over
            self._legal, self._sites, self._ghosts, self._look, self._places = None, {}, {}, None, None
            self._worded, self._ends, self._is_last, self._in_colour = {}, {}, {}, None


def _on_board_key(kind: str, sort: str) -> str:
    return f"{ON_BOARD}{kind} {sort}".rstrip()


def concerned_sites(session: Playable, action: Any, look: frozenset[tuple[str, str]] | None = None) -> frozenset[str]:
    """The board sites that a legal action names, and those where other pieces lie after it.

    `look` is what lies on the board now: (spot, label) of every occupied spot.
    """
    game, state = session.game, session.state
    before = frozenset(game.appearance(state).items()) if look is None else look
    changed = {spot for spot, _label in before ^ game.appearance(apply_unchecked(game, state, action).state).items()}
    spots = session.table.board.all_spots
    return frozenset((*action.sites, *(spots[spot].site for spot in changed if spot in spots)))
