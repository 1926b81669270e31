"""The base class of games: whatever a simple game does not have, or has like every other, is here by default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from companion.amounts import Holding
from companion.board.layout import EMPTY
from companion.closed import ClosedPiece
from companion.detail import EVERYTHING, DetailedState
from companion.engine import GameRules, Option, S, apply_unchecked, follow, legal_actions, open_actions
from companion.events import Event
from companion.files.documents import DocumentTable, parse_toml, read_text, shown
from companion.frozen import FrozenDict
from companion.legality import Rulebook, read_rulebook
from companion.photographs.questions import (
    Answers,
    EndBoard,
    Look,
    MidGameJoining,
    PhotographScoring,
    Question,
    whose_turn,
)
from companion.plain_positions import plain_document, read_plain_state
from companion.rule_set import RuleCollector, RuleSet
from companion.table import Table
from companion.wording.texts import game_texts

D = TypeVar("D", bound=DetailedState)

PLAIN_KEYS: tuple[str, ...] = ("to_move", "pieces")
"""the entries of a position of a game whose state has only these two fields"""
SITES_OF_A_GESTURE = 4
"""so many sites a gesture changes at most: a piece leaves one, comes to another, and pieces are taken off two more"""


def no_questions(table: Table) -> tuple[Question, ...]:
    """Nothing: the picture shows the whole position."""
    return ()


def pieces_seen(table: Table, look: Look, answers: Answers | None = None) -> dict[str, Any]:
    """The entries of a position that a board shows, for a state that keeps them in `pieces`: spot -> label."""
    return {"pieces": dict(look)}


def seen_whole(*counted: str, also: Mapping[str, Any] = FrozenDict()) -> PhotographScoring:
    """Scoring from a picture that shows all pieces; those of the `counted` kinds change the score.

    `also` are entries of the position that no picture shows and that are so at the end of every game.
    """

    def end_board(table: Table, look: Look, answers: Answers) -> EndBoard:
        return EndBoard({**pieces_seen(table, look), **also})

    return PhotographScoring(no_questions, end_board, counted)


def _joined(table: Table, look: Look, answers: Answers) -> dict[str, Any]:
    return {**pieces_seen(table, look), "to_move": table.seat_of(answers["to_move"])}


JOINED_AS_SEEN = MidGameJoining(
    questions=lambda table, look: (whose_turn(table),),
    entries=_joined,
    lying=pieces_seen,
    relaxations=lambda table: tuple({"to_move": seat} for seat in table.seats),
)
"""Joining a game whose position is `pieces` and the seat `to_move`; where the board changes, so may the seat."""


@dataclass(frozen=True)
class BaseGame(GameRules[S]):
    """A game by its rules, which tests may replace by fewer, and their texts.

    A game sets `info`, `turn_rule` and `event_classes` and defines `setup`, `decide`, `direct_events`, `evolve` and
    `parse_action`. By default its state is a frozen dataclass of plain fields (see `companion.plain_positions`) with
    `to_move`, a seat, and `pieces`, a FrozenDict from spot to label.
    """

    rules: RuleSet
    rulebook: Rulebook

    position_keys = PLAIN_KEYS
    step_keys: ClassVar[tuple[str, ...]] = ()
    """the entries of a position that name the step the table is in"""
    photograph_scoring = seen_whole()
    mid_game_joining = JOINED_AS_SEEN

    @classmethod
    def load(cls, folder: Path, rules: RuleCollector) -> Self:
        """The game whose rulebook is in a folder.

        Raises InvalidDocument.
        """
        return cls(rules.collected(), read_rulebook(parse_toml(read_text(folder / "rulebook.toml"), "rulebook.toml")))

    def options(self, table: Table) -> tuple[Option, ...]:
        """Nothing is chosen or drawn at set-up."""
        return ()

    def check_board(self, table: Table) -> None:
        """Accept every board."""

    def closing_action(self, state: S, seat: int) -> Any | None:
        """End the turn where that is legal."""
        end = self.info.turn_end
        return next((action for action in legal_actions(self, state) if end is not None and type(action) is end), None)

    def holdings(self, state: S, seat: int) -> tuple[Holding, ...]:
        """Nothing lies before a seat."""
        return ()

    def open_supply(self, state: S) -> tuple[Holding, ...]:
        """There is no common supply."""
        return ()

    def detail(self, state: S) -> str:
        """All of it is told."""
        return EVERYTHING

    def passed_seats(self, state: S) -> tuple[int, ...]:
        """Nobody passes."""
        return ()

    def secrets(self, state: S, seat: int) -> tuple[Holding, ...]:
        """Nothing that the record knows is hidden from anybody."""
        return ()

    def closed_pieces(self, state: S, seat: int) -> tuple[ClosedPiece, ...]:
        """No piece is hidden from anybody."""
        return ()

    def with_closed_pieces(self, state: S, seat: int, names: tuple[str, ...]) -> S:
        """The same position, where nothing is told."""
        if names:
            raise ValueError("no piece is hidden from anybody in this game")
        return state

    def public_action(self, action: Any) -> Any:
        """Everything is seen."""
        return action

    def pieces_named(self, action: Any) -> tuple[str, ...]:
        """No piece is hidden from anybody."""
        return ()

    def own_actions(self, state: S) -> tuple[Any, ...]:
        """The legal actions that reveal no secret."""
        return open_actions(self, state)

    def events_without(self, state: S, seat: int) -> tuple[Event, ...]:
        """The others act for a seat that left."""
        return ()

    def last_round_begun(self, state: S) -> bool:
        """No last round is announced."""
        return False

    def read_state(self, document: DocumentTable, table: Table) -> S:
        """The position of a document; where it names no step, the one after what happens by itself.

        Raises InvalidDocument, also where it names a step in which something happens by itself.
        """
        state = self.written_state(document, table)
        following = self.rules.follows(state)
        if following is None:
            return state
        for key in self.step_keys:
            if key in document:
                follows = game_texts(self.info.id).event(following[0], table)
                what = shown(document.values[key]) if isinstance(document.values[key], str) else "so"
                raise document.invalid(key, f"cannot be {what} here, for something follows at once: {follows}")
        settled: S = follow(self, state, ()).state
        return settled

    def written_state(self, document: DocumentTable, table: Table) -> S:
        """The position as a document has it, in which something may still happen by itself: the state after set-up with
        the fields that it names.

        Raises InvalidDocument, also where `contradiction` finds one.
        """
        state = read_plain_state(document, self.setup(table))
        found = self.contradiction(state)
        if found is not None:
            raise document.invalid(*found)
        return state

    def contradiction(self, state: S) -> tuple[str, str] | None:
        """Why a state that was read cannot be: the entry at fault and the reason, as in ("to_move", "is 3")."""
        return None

    def state_document(self, state: S) -> dict[str, Any]:
        """The fields of the state as JSON values."""
        return plain_document(state)

    def left_out(self, state: S) -> Mapping[str, str]:
        """A record begins at any position: what is left out is as at set-up."""
        return {}

    def appearance(self, state: S) -> Mapping[str, str]:
        """The pieces of a state that keeps them as spot -> label."""
        pieces: Mapping[str, str] = getattr(state, "pieces")  # noqa: B009  # S need not have it
        return pieces

    def seen_actions(self, state: S, spots: Mapping[str, str]) -> Iterator[Any]:
        """The legal actions after which one of the spots looks as it was seen, then the other gestures there.

        Where more sites changed than one gesture changes, only the legal actions.
        """
        before, legal = self.appearance(state), legal_actions(self, state)
        for action in legal:
            after = self.appearance(apply_unchecked(self, state, action).state)
            if any(after.get(spot, EMPTY) == label != before.get(spot, EMPTY) for spot, label in spots.items()):
                yield action
        board_spots = state.table.board.all_spots
        sites = dict.fromkeys(board_spots[spot].site for spot in spots)
        for site in sites if len(sites) <= SITES_OF_A_GESTURE else ():
            yield from (action for action in self.gestures_at(state, site) if action not in legal)

    def gestures_at(self, state: S, site: str) -> Iterator[Any]:
        """All actions that name the site, with any values from their domains."""
        for kind in self.info.kinds:
            domain = self.rules.domain(state, kind)
            names = [field.name for field in fields(kind)]
            joint = domain.get(tuple(names))
            for values in joint if joint is not None else product(*(domain[name] for name in names)):
                action = kind(*values)
                if site in action.sites:
                    yield action


@dataclass(frozen=True)
class DetailedGame(BaseGame[D]):
    """A game whose table may tell less than everything (`GameInfo.details`); each of its states says how much."""

    def detail(self, state: D) -> str:
        """How much of the game is told."""
        return state.detail
