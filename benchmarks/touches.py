"""Touches a turn and a game: whole games of simulated players, told to the app as a table tells them that knows it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from random import Random
from typing import Any

from benchmarks.engine import sure_observation
from benchmarks.figures import Figure, median, percentile
from companion.detail import EVERYTHING, ON_THE_TABLE
from companion.engine import apply_unchecked
from companion.registry import GAMES, load_game, usual_table
from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from companion.session.tracking import explain
from ui.screens.play_primary import held_card, held_place, primary_of
from ui.simulated_table.players import seated
from ui.simulated_table.told_less import told_less
from ui.table.choice_faces import faces_of_action
from ui.table.legal_choices import END_TOO, IN_SERIES, concerned_sites
from ui.table.picking import CardView, Picking
from ui.table.played_cards import by_card
from ui.table.presenter import Presenter
from ui.table.swatches import SWITCH
from ui.table.turned_up import actions_of, turned_up_after
from ui.view_models.play_view import PlayView

PLAYED = int(os.environ.get("COMPANION_TOUCHED", "200"))
"""games of each kind"""
SEATS = 3
ROW, SHELF = 9, 60
"""cards that stand in the tray's row at 1280x800, and that are shown one by one at all"""
SLIPS = 0.02
"""how often something else is entered first, and undone"""
SET_UP = {"aqua_romana": 12}
"""actions with which a game begins that belong to nobody's turn"""
GOALS = {
    EVERYTHING: {"city_of_marble": 4, "capitol": 2, "aqua_romana": 2, "thurn_and_taxis": 4},
    ON_THE_TABLE: {"city_of_marble": 2, "capitol": 1.5, "thurn_and_taxis": 2},
}
"""level of detail -> touches of the median turn"""
WATCHED = {"city_of_marble": 0.5, "capitol": 0.5, "aqua_romana": 0.2, "thurn_and_taxis": 1}
"""touches of the median turn where a camera sees the table and only what lies there is told"""
LEVEL_NAMES = {EVERYTHING: "everything told", ON_THE_TABLE: "what lies on the table"}


@dataclass(frozen=True, slots=True)
class Told:
    """An action of a seat: the touches it took, and whether a camera sees it or a box's button records it."""

    seat: int
    touches: int
    is_seen: bool = False
    is_pressed: bool = False
    alone: int = 0
    """touches where the action before was told without a touch, so that none of its touches could do this, too"""


@dataclass
class Way:
    """How an action is told: a place of the board, if it begins with one, then so many touches, the last a choice."""

    touches: int
    site: str = ""
    is_button: bool = False
    ends_too: bool = False
    """whether its last touch can end the turn as well"""
    rests_to_end: bool = False
    """whether it does so by resting on a card"""
    series: str = ""
    """the key of the series in which its piece is put"""
    is_card: bool = False
    """whether its last touch is of a card, from which the finger may slide to what is turned up right after it"""
    is_held: bool = False
    """whether the finger rests on the place until what is done there is shown, and does it by letting go"""


@dataclass
class Game:
    """A game that is told touch by touch."""

    game_id: str
    random: Random
    detail: str = EVERYTHING
    told: list[Told] = field(default_factory=list)
    slips: int = 0
    hidden: int = 0
    """actions to which no touch leads"""
    held: int = 0
    """touches that rest on a place of the board"""
    ends_too: bool = False
    """whether the last touch could have ended the turn, too"""
    rests_to_end: bool = False
    """whether by resting on a card"""
    turned_up: frozenset[str] = frozenset()
    """the actions to which the finger may have slid at the last touch"""
    before_end: Any = None
    """the position in which the action told last ended a turn; None where it did not"""

    def play(self) -> None:
        """Play it to its end."""
        self.session = Session.create(None, usual_table(self.game_id, SEATS))
        self.presenter = Presenter(self.session, clock=lambda: 0.0)
        players = self._set_up(seated(self.session.game, self.session.state, self.random))
        if self.detail != EVERYTHING:
            self._play_told_less(players)
            return
        while self.session.actors:
            before = self.session.state
            action = players.choose(before, self.random)
            self._take_down(action)
            players = players.after(before, action, self.session.state)

    def _play_told_less(self, players: Any) -> None:
        """Play on with everything known to the players, and tell what lies on the table."""
        game, state = self.session.game, self.session.state
        self.presenter.on_change(lambda changes: changes.choose_detail(self.detail))
        while game.decide(state) is not None:
            action = players.choose(state, self.random)
            step = apply_unchecked(game, state, action)
            for each in told_less(self.game_id, state, action, step.events):
                self._take_down(each)
            players = players.after(state, action, step.state)
            state = step.state

    def _take_down(self, action: Any) -> None:
        """Tell an action; where a camera that sees it also sees that the turn before is over, note that, too."""
        before_end, self.before_end = self.before_end, None
        if before_end is not None and self._shows_the_end(before_end, action):
            self.told[-1] = replace(self.told[-1], is_seen=True)
        before = self.session.state
        self.told.append(self._tell(action))
        if isinstance(action, self.session.game.info.turn_end or ()):
            self.before_end = before

    def _shows_the_end(self, before_end: Any, action: Any) -> bool:
        """Whether what an action changes on the board is clearly that, after the end of the turn before."""
        game = self.session.game
        if isinstance(action, game.info.unseen):
            return False
        after = apply_unchecked(game, self.session.state, action).state
        seen = sure_observation(self.session.table.board, dict(game.appearance(after)))
        found = explain(game, before_end, seen)
        return found.is_clear and found.candidates[0].state == after

    def _set_up(self, players: Any) -> Any:
        """Put what is put in series, one sort after the other: on the screen it lies as at the table in the end."""
        scratch, put = Session.create(None, self.session.table), list[Any]()
        while (step := scratch.game.decide(scratch.state)) and step.step in scratch.game.info.series_steps:
            before, action = scratch.state, players.choose(scratch.state, self.random)
            scratch.submit(action)
            players = players.after(before, action, scratch.state)
            put.append(action)
        while put:
            action = next((each for each in put if self._series_of(each) == self.presenter.view().series), put[0])
            self.told.append(self._tell(action))
            put.remove(action)
        return players

    def _series_of(self, action: Any) -> str:
        """The key of the series to which an action belongs; "" for none."""
        faces = faces_of_action(self.game_id, action.text, "")
        view = self.presenter.view()
        found = (
            each
            for each in view.on_board
            if view.series and [face.kind for face in each.faces] == [face.kind for face in faces[:1]]
        )
        return next((each.key for each in found), "")

    def _tell(self, action: Any) -> Told:
        game, seat = self.session.game, getattr(action, "seat", 0) or self.session.actors[0]
        is_seen = not isinstance(action, game.info.unseen)
        legal = [each for each in self.presenter.legal if each != action]
        slipped = 0
        if legal and self.random.random() < SLIPS:
            slipped = self._slip(self.random.choice(legal))
        if self.ends_too and not slipped and isinstance(action, game.info.turn_end or ()):
            self.ends_too = False
            self.held += self.rests_to_end
            self.presenter.act(action)
            return Told(seat, 0, is_seen, is_pressed=True, alone=1)
        turned_up, self.turned_up = self.turned_up, frozenset()
        if action.text in turned_up and not slipped:
            self.held += 1
            self.presenter.act(action)
            return Told(seat, 0, is_seen, alone=1)
        way = self._way(action)
        if way is not None and way.is_card:
            both = turned_up_after(self.session, self.presenter.legal, action.text, self.presenter.texts)
            self.turned_up = frozenset(actions_of(each.key)[1] for each in both)
        self.ends_too = way is not None and way.ends_too
        self.rests_to_end = way is not None and way.rests_to_end
        if way is None:
            self.hidden += 1
            self.presenter.act(action)
            return Told(seat, 2 + slipped, is_seen)
        self.held += way.is_held
        self._go(way, action)
        return Told(seat, way.touches + slipped, is_seen, way.is_button)

    def _slip(self, action: Any) -> int:
        """Enter something else and take it back; gives the touches."""
        way, number = self._way(action), len(self.session.moves)
        if way is None:
            return 0
        self._go(way, action)
        touches = way.touches
        while len(self.session.moves) > number:
            self.presenter.on_intent(Intent(IntentKind.UNDO))
            touches += 1
        self.slips += 1
        return touches

    def _go(self, way: Way, action: Any) -> None:
        number = len(self.session.moves)
        if way.series:
            self.presenter.on_choice(way.series)
            self.presenter.on_choice(f"{IN_SERIES}{action.sites[0]}")
            return
        if way.site:
            self.presenter.on_site(way.site)
        if way.is_button:
            self.presenter.on_intent(Intent(IntentKind.DONE))
        else:
            self.presenter.on_choice(action.text)
        if len(self.session.moves) != number + 1 or self.session.moves[-1].entry.action != action.text:
            raise RuntimeError(f"{self.game_id}: {action.text} was not recorded")

    def _way(self, action: Any) -> Way | None:
        """The way with the fewest touches: by a button, the tray, the board, or all that may be done."""
        view, key = self.presenter.view(), action.text
        if series := self._series_of(action):
            return Way(1 + (series != view.series), series=series)
        if any(button.does == key and button.enabled for button in view.buttons):
            return Way(1, is_button=True)
        best = _by_card(view, key)
        if best is not None and best.touches == 1:
            return best
        for site in self._sites(action):
            self.presenter.on_site(site)
            here = self.presenter.view()
            touches, picking = _in_tray(here, key), Picking()
            picking.take(here.choices)
            is_held = _is_done_at(site, here, picking, key)
            touches = touches and (1 if is_held else touches + 1)
            is_last, rests = _is_last_ghost(here, key), not is_held and _can_end(here, key)
            is_held = is_held or _is_rested_on(here, key)
            found = Way(touches, site, False, is_last or rests, rests and not is_last, is_held=is_held)
            if touches and (best is None or (touches, not found.ends_too) < (best.touches, not best.ends_too)):
                best = found
            self.presenter.on_site(site)
        if best is None:
            self.presenter.on_intent(Intent(IntentKind.HELP))
            best = _by_card(self.presenter.view(), key, before=1)
            if best is None:
                self.presenter.on_intent(Intent(IntentKind.HELP))
        return best

    def _sites(self, action: Any) -> Sequence[str]:
        look = frozenset(self.session.game.appearance(self.session.state).items())
        return action.sites or sorted(concerned_sites(self.session, action, look))


def _in_tray(view: PlayView, key: str) -> int:
    """The touches from a view to a choice by its cards, groups and numbered places; 0 where there is no way."""
    choices = by_card(view.choices, view)
    choice = next((each for each in choices if each.key == key and not each.forbidden), None)
    if choice is None:
        return 0
    has_own_card = bool(view.played and view.is_hint and choice.card)
    done = {button.does for button in view.buttons if button.enabled} - {key}
    for opened in (choice.group,) if has_own_card else ("", choice.group):
        for place in range(len(choices)):
            picking = Picking()
            picking.take(choices)
            if opened:
                picking.open(opened)
            if place > 0 and (not picking.looks_at_places or place >= picking.place[1]):
                break
            picking.go_to(place + 1)
            before = 1 + bool(opened) + bool(place)
            if picking.chosen is choice or _is_on_a_card(picking, done, key):
                return before
            if picking.has_swatches:  # the colour stays while the switch is turned
                picking.look_at(SWITCH)
                if _is_on_a_card(picking, done, key):
                    return before + 1
    return 0


def _is_on_a_card(picking: Picking, done: Collection[str], key: str) -> bool:
    """Whether a touch of a card does this choice, or a finger that rests on it, where a touch only looks at it."""
    return any(picking.meant_by(card.key) == key and not card.opens for card in _laid_out(picking, done))


def _laid_out(picking: Picking, done: Collection[str]) -> Sequence[CardView]:
    """The cards as they lie in the tray, without those that a button stands for."""

    def fits(cards: Sequence[CardView]) -> bool:
        return sum(card.key not in done for card in cards) <= ROW

    single, folded = picking.cards(SHELF), picking.cards_with_reasons_folded()
    return single if fits(single) else folded if fits(folded) else picking.cards_within(fits)


def _is_done_at(site: str, view: PlayView, picking: Picking, key: str) -> bool:
    """Whether a finger that rests on a place does this choice by letting go: the primary button is the choice."""
    primary = primary_of(view, picking, picking.cards(SHELF))
    is_choice = isinstance(primary, CardView) and primary.key.removeprefix(END_TOO) == key
    return is_choice and held_place(site, primary, view, picking) is not None


def _is_rested_on(view: PlayView, key: str) -> bool:
    """Whether a finger rests on the card of a choice for it, as a touch alone only looks at it."""
    picking = Picking()
    picking.take(view.choices)
    return picking.only_looks_at(key) and (picking.chosen is None or picking.chosen.key != key)


def _by_card(view: PlayView, key: str, before: int = 0) -> Way | None:
    """The way by the card of a choice, after so many touches; None where it has none."""
    touches, rests = _in_tray(view, key), _can_end(view, key)
    return Way(touches + before, ends_too=rests, rests_to_end=rests, is_card=True) if touches else None


def _can_end(view: PlayView, key: str) -> bool:
    """Whether a finger that rests on the card of a choice ends the turn, too, when it lets go."""
    held = held_card(key, view)
    return held is not None and held.key.startswith(END_TOO)


def _is_last_ghost(view: PlayView, key: str) -> bool:
    """Whether a choice is what lies on the board as a ghost at once, so that the primary button ends the turn, too."""
    picking = Picking()
    picking.take(view.choices)
    if picking.chosen is None:
        may = [choice for choice in picking.shown if not choice.forbidden]
        return [choice.key for choice in may] == [key] and may[0].is_last
    return picking.chosen.key == key and picking.chosen.is_last


def measure() -> Iterator[Figure]:
    """Touches of each game at each level of detail: told by touch alone, with a camera, with boxes."""
    for game_id in GAMES:
        for detail in load_game(game_id).info.details:
            yield from _measured(game_id, detail)


def _measured(game_id: str, detail: str) -> Iterator[Figure]:
    """The touches of a game at a level of detail."""
    games = [Game(game_id, Random(seed), detail) for seed in range(PLAYED)]
    for game in games:
        game.play()
    slips, hidden = sum(game.slips for game in games), sum(game.hidden for game in games)
    held = sum(game.held for game in games)
    begun = SET_UP.get(game_id, 0)
    if begun:
        counts = [sum(told.touches for told in game.told[:begun]) for game in games]
        yield Figure(f"{game_id}: set-up by touch", median(counts), "touches", 12, count=len(counts))
    for how in ("by touch", "with a camera", "with boxes"):
        played = [_touches(game.told[begun:], how) for game in games]
        turns = [turn for turns in played for turn in turns]
        goal = GOALS[detail][game_id] if how == "by touch" else None
        if how == "with a camera" and detail == load_game(game_id).info.details[-1]:
            goal = WATCHED[game_id]
        note = f"mean {sum(turns) / len(turns):.2f}, 90 of 100 within {percentile(turns, 0.9):g}"
        note += f"; a game {median(map(sum, played)):g}; {slips} slips undone"
        note += f"; {held} of them held" if held and how == "by touch" else ""
        note += f"; {hidden} actions without a way" if hidden else ""
        yield Figure(
            f"{game_id}, {LEVEL_NAMES[detail]}: a turn, {how}",
            median(turns),
            "touches",
            goal,
            count=len(turns),
            note=note,
        )


def _touches(told: Sequence[Told], how: str) -> list[int]:
    """The touches of each turn: what a camera sees or a box presses takes none."""
    free = {"by touch": (), "with a camera": ("is_seen",), "with boxes": ("is_pressed",)}[how]
    counts = []
    for _seat, turn in groupby(told, key=lambda each: each.seat):
        counts.append(0)
        latest = 1
        for each in turn:
            is_free = any(getattr(each, name) for name in free)
            latest = 0 if is_free else each.touches or (0 if latest else each.alone)
            counts[-1] += latest
    return counts
