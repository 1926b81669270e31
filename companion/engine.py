"""The rules kernel: what a game must provide, and what every game gets from it.

A game is a value: `decide` says what the table waits for, checks judge an action, `direct_events` and the effects say
what follows, `evolve` is the only function that makes a new state. Nothing here depends on a game, a clock or chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple, Protocol, TypeVar

from companion.amounts import Holding
from companion.closed import ClosedPiece
from companion.detail import EVERYTHING
from companion.errors import IllegalAction
from companion.events import Event
from companion.facts import NO_FACTS, Fact
from companion.files.documents import DocumentTable
from companion.frozen import FrozenDict
from companion.legality import (
    LEGAL,
    Group,
    Rulebook,
    Status,
    Verdict,
    Violation,
    further_violations,
    violations,
)
from companion.photographs.questions import MidGameJoining, PhotographScoring
from companion.rule_set import RuleSet
from companion.scoring import ScoreSheet, TieBreak, score_sheet
from companion.table import Table


class State(Protocol):
    """A position of a game; its table never changes."""

    @property
    def table(self) -> Table:
        """Who plays what."""
        ...


S = TypeVar("S", bound=State)

MAXIMUM_CASCADE = 500


class Action(Protocol):
    """One physical gesture of a player, an immutable value; `text` is its notation."""

    @property
    def text(self) -> str:
        """The action in the game's notation; parsing it gives the same action."""
        ...

    @property
    def kind(self) -> str:
        """The name of its class, by which texts and JSON documents call the kind of action."""
        ...

    @property
    def sites(self) -> tuple[str, ...]:
        """The ids of the board sites that the action names; none where it only concerns cards, tiles or turns."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """What the table waits for: the seats that must act and the step, by its rulebook name.

    Several actors act at the same time, without seeing what the others do.
    """

    actors: tuple[int, ...]
    step: str
    facts: Mapping[str, Fact] = NO_FACTS
    """what the prompt names"""


class Consequence(NamedTuple):
    """An event and the id of the rule it follows from ("" for the action itself)."""

    event: Event
    rule: str


@dataclass(frozen=True, slots=True)
class Option:
    """A choice or chance result of the set-up that the table reports: `count` of the `names`."""

    name: str
    count: int
    names: tuple[str, ...]
    is_of_box: bool = False
    """whether it is what a box holds, the first name in a complete one: people are not asked unless they wish"""

    @property
    def choices(self) -> str:
        """The names as a text; consecutive numbers as `12 to 30`."""
        numbers = sorted(int(name) for name in self.names if name.isdecimal())
        if len(numbers) == len(self.names) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
            return f"{numbers[0]} to {numbers[-1]}"
        return ", ".join(self.names)

    @property
    def example(self) -> str:
        """As many names as the set-up turns up, as they are given on a command line."""
        return ",".join(self.names[: self.count])


@dataclass(frozen=True, slots=True)
class GameInfo:
    """Facts about a game that need no state. `version` rises when behaviour changes, never for a refactoring."""

    id: str
    title: str
    version: int
    seats: tuple[int, int]
    kinds: tuple[type, ...]
    """the action classes, in the order in which legal actions are listed"""
    board: str
    """file name of the print-and-play board in the game's folder"""
    unseen: tuple[type, ...] = ()
    """the action classes that change nothing on the board, so that they are recorded by touch or button, not by camera
    """
    turn_end: type | None = None
    """the action class that ends a turn"""
    reveals: tuple[type, ...] = ()
    """the action classes that show everybody a secret of one player; taking one back does not hide it again"""
    seldom_before_end: tuple[type, ...] = ()
    """the action classes that are legal while a turn may end, and seldom done then"""
    series_steps: tuple[str, ...] = ()
    """the steps in which many like pieces are put on the board one after the other, each where it is touched"""
    asked_steps: tuple[str, ...] = ()
    """the steps in which what is done on the board is asked, too, because there are few answers"""
    turned_up_steps: tuple[str, ...] = ()
    """the steps in which the table says which card was turned up, so that it can be said with the action before"""
    details: tuple[str, ...] = (EVERYTHING,)
    """how much of the game a record can be told, as `companion.detail` names it"""

    @property
    def seat_range(self) -> str:
        """How many can play, for people: "2 to 4", or "2"."""
        fewest, most = self.seats
        return str(fewest) if fewest == most else f"{fewest} to {most}"

    def can_play(self, count: int) -> bool:
        """Whether this many can play."""
        fewest, most = self.seats
        return fewest <= count <= most


class GameRules(Protocol[S]):
    """Everything a game provides. States and actions are frozen and hashable."""

    info: GameInfo
    rulebook: Rulebook
    rules: RuleSet
    turn_rule: str
    """id of the rule that names who may act"""
    event_classes: Mapping[str, type[Event]]
    position_keys: tuple[str, ...]
    """the entries of a position document that are the game's own"""
    photograph_scoring: PhotographScoring
    """how the game is scored from a picture of its last board"""
    mid_game_joining: MidGameJoining
    """how a record is begun in the middle of a game"""

    def options(self, table: Table) -> tuple[Option, ...]:
        """What the table chooses or draws at set-up and has to report."""
        ...

    def check_board(self, table: Table) -> None:
        """Refuse a board this game cannot be played on.

        Raises InvalidDocument.
        """
        ...

    def setup(self, table: Table) -> S:
        """The state before the first action."""
        ...

    def decide(self, state: S) -> Decision | None:
        """What the table waits for; None when the game is over."""
        ...

    def direct_events(self, state: S, action: Any) -> tuple[Event, ...]:
        """The events of a legal action itself, without those that follow by effects and automatic rules."""
        ...

    def evolve(self, state: S, event: Event) -> S:
        """The state after an event of this game; never fails for an event that can happen in the state."""
        ...

    def parse_action(self, text: str, state: S) -> Any:
        """The action meant by a text.

        Raises NotationError.
        """
        ...

    def closing_action(self, state: S, seat: int) -> Any | None:
        """The action that an actor's *done* button records when no other is proposed: it ends the step; None if none
        does.
        """
        ...

    def holdings(self, state: S, seat: int) -> tuple[Holding, ...]:
        """What lies openly before a seat."""
        ...

    def open_supply(self, state: S) -> tuple[Holding, ...]:
        """What lies openly before everybody, on no spot of the board."""
        ...

    def detail(self, state: S) -> str:
        """How much of the game is told in a position, as `companion.detail` names it."""
        ...

    def passed_seats(self, state: S) -> tuple[int, ...]:
        """The seats that have passed, so that they act no more in this phase."""
        ...

    def secrets(self, state: S, seat: int) -> tuple[Holding, ...]:
        """What the record knows and only that seat may see."""
        ...

    def closed_pieces(self, state: S, seat: int) -> tuple[ClosedPiece, ...]:
        """The pieces of a seat that only it may see, by what the record knows of each."""
        ...

    def with_closed_pieces(self, state: S, seat: int, names: tuple[str, ...]) -> S:
        """The position as one knows it to whom a seat has told the names of its closed pieces, in any order.

        Raises ValueError where they cannot be.
        """
        ...

    def public_action(self, action: Any) -> Any:
        """What everybody sees of an action: itself, or, where it names what only its player sees, that left out."""
        ...

    def pieces_named(self, action: Any) -> tuple[str, ...]:
        """The pieces, closed until then, that an action names, by whole or less whole names; others' are none."""
        ...

    def own_actions(self, state: S) -> tuple[Any, ...]:
        """The legal actions as an actor names them who sees the closed pieces of the position.

        All of them can be done openly: they name what the action shows to everybody, and nothing else.
        """
        ...

    def events_without(self, state: S, seat: int) -> tuple[Event, ...]:
        """The facts by which the table skips an actor who has left; none where the other players decide instead."""
        ...

    def last_round_begun(self, state: S) -> bool:
        """Whether the last round has begun, or one that will be the last if nothing changes."""
        ...

    def read_state(self, document: DocumentTable, table: Table) -> S:
        """The position of a document; what it leaves out is as at set-up.

        Raises InvalidDocument.
        """
        ...

    def state_document(self, state: S) -> dict[str, Any]:
        """The whole position as plain JSON values; reading it gives an equal state."""
        ...

    def left_out(self, state: S) -> Mapping[str, str]:
        """The entries that a position left out and a record cannot begin without -> how what nobody saw is written."""
        ...

    def appearance(self, state: S) -> Mapping[str, str]:
        """What lies on the board: spot -> label, for occupied spots."""
        ...

    def seen_actions(self, state: S, spots: Mapping[str, str]) -> Iterator[Any]:
        """Actions that could explain that these spots now show these labels: a superset, likeliest first."""
        ...

    def gestures_at(self, state: S, site: str) -> Iterator[Any]:
        """The actions that a touch of a board site may mean, legal or not, in any step: likeliest first.

        Empty where no action is ever possible.
        """
        ...


class Step(NamedTuple):
    """The state after an action, the facts that led to it in order, and the rule that each of them follows from."""

    state: Any
    events: tuple[Event, ...]
    rules: tuple[str, ...]
    """for each event the id of its rule, "" for the action itself"""

    @property
    def consequences(self) -> tuple[Consequence, ...]:
        """The facts with their rules."""
        return tuple(map(Consequence, self.events, self.rules))

    def then(self, other: Step) -> Step:
        """This step and one from its state on as one."""
        return Step(other.state, self.events + other.events, self.rules + other.rules)


def actor_of(game: GameRules[S], state: S, action: Any, actors: Sequence[int]) -> int | None:
    """Whose action it is: of several who are waited for, the one whose part it ends; None where any may do it."""
    if len(actors) > 1:
        actors = [seat for seat in actors if game.closing_action(state, seat) == action]
    return actors[0] if len(actors) == 1 else None


def judge(game: GameRules[S], state: S, action: Any, seat: int | None = None) -> Verdict:
    """The verdict on an action by `seat` (None: whoever may act)."""
    checks = game.rules.step_rules(state).checks.get(type(action), ())
    decision = game.decide(state) if seat is not None else None
    if decision is not None and seat is not None and seat not in decision.actors:
        early = tuple(violations([check for check in checks if check.group == 0], state, action))
        if not early:
            facts = FrozenDict[str, Fact](seat=seat, actors=decision.actors)
            special = filter(None, (rule.function(state, seat) for rule in game.rules.out_of_turn))
            return Verdict(Status.ILLEGAL, (*special, Violation(game.turn_rule, facts=facts)))
    return _verdict(tuple(violations(checks, state, action)))


def _verdict(found: tuple[Violation, ...]) -> Verdict:
    if not found:
        return LEGAL
    found = tuple(dict.fromkeys(found))
    certain = tuple(violation for violation in found if violation.certain)
    return Verdict(Status.ILLEGAL, certain) if certain else Verdict(Status.NOT_CHECKABLE, found)


def explain(game: GameRules[S], state: S, action: Any, seat: int | None = None) -> Verdict:
    """The verdict of `judge`; a refusal with every reason that holds, those of the verdict first.

    An action of somebody who may not act is judged no further: what it needs is not theirs to be asked about.
    """
    verdict = judge(game, state, action, seat)
    decision = game.decide(state)
    if verdict.status is not Status.ILLEGAL or decision is None:
        return verdict
    checks, found = game.rules.by_kind.get(type(action), ()), verdict.violations
    if seat is not None and seat not in decision.actors:
        turn = Violation(game.turn_rule, facts=FrozenDict[str, Fact](seat=seat, actors=decision.actors))
        return verdict if turn in found else Verdict(Status.ILLEGAL, (*found, turn))
    has_time = all(check.group is not Group.TIME for check in checks if check.violation(state, action) in found)
    groups = tuple(Group) if has_time or len(decision.actors) == 1 else (Group.TIME, Group.ACTOR)
    further = further_violations(checks, state, action, found, groups)
    return Verdict(Status.ILLEGAL, tuple(dict.fromkeys((*found, *further))))


def legal_actions(game: GameRules[S], state: S) -> list[Any]:
    """All legal actions in a fixed order: all combinations of the fields' values that no check forbids."""
    actions: list[Any] = []
    for each_action in game.rules.step_rules(state).listers:
        actions += each_action(state)
    return actions


def open_actions(game: GameRules[S], state: S) -> tuple[Any, ...]:
    """The legal actions that name nothing that only their player sees: those that a shared screen offers."""
    return tuple([action for action in legal_actions(game, state) if game.public_action(action) == action])


def legal_of_kind(game: GameRules[S], state: S, kind: type) -> list[Any]:
    """The legal actions of one kind."""
    listing = game.rules.step_rules(state).listings.get(kind)
    return [] if listing is None else listing.actions(state)


def open_kinds(game: GameRules[S], state: S) -> tuple[type, ...]:
    """The kinds with at least one legal action, in listing order."""
    return tuple(kind for kind, listing in game.rules.step_rules(state).listings.items() if listing.actions(state))


def apply(game: GameRules[S], state: S, action: Any, seat: int | None = None) -> Step:
    """Judge an action and apply it.

    Raises IllegalAction.
    """
    verdict = judge(game, state, action, seat)
    if not verdict.is_legal:
        raise IllegalAction(f"{action.text!r} is illegal: {refusal_text(game, state, verdict)}", verdict)
    return apply_unchecked(game, state, action)


def refusal_text(game: GameRules[S], state: S, verdict: Verdict) -> str:
    """The sentences of all rules that a verdict names, in English."""
    players = state.table.players
    return " ".join(game.rulebook.sentence(violation, players) for violation in verdict.violations)


def apply_unchecked(game: GameRules[S], state: S, action: Any) -> Step:
    """Apply an action without judging it: it was judged before, or the table overrides the rules."""
    return follow(game, state, game.direct_events(state, action))


def follow(game: GameRules[S], state: S, events: Iterable[Event]) -> Step:
    """The state after events that no action caused, and what follows from them."""
    happened: list[Event] = []
    rules: list[str] = []
    for event in events:
        state = _happen(game, state, event, "", happened, rules)
    while (following := game.rules.follows(state)) is not None:
        state = _happen(game, state, *following, happened, rules)
    return Step(state, tuple(happened), tuple(rules))


def _happen(game: GameRules[S], state: S, event: Event, rule: str, happened: list[Event], rules: list[str]) -> S:
    """Apply an event, then effect by effect the events that follow from it, each with all that follows from that.

    They are appended to `happened`, and the ids of the rules they follow from to `rules`.
    """
    if len(happened) >= MAXIMUM_CASCADE:
        raise RuntimeError(f"{game.info.id}: an action has no end of consequences")
    state = game.evolve(state, event)
    happened.append(event)
    rules.append(rule)
    for effect in game.rules.by_event.get(event.__class__, ()):
        for following in effect.function(state, event):
            state = _happen(game, state, following, effect.rule, happened, rules)
    return state


def fold(game: GameRules[S], state: S, events: Iterable[Event]) -> S:
    """The state after recorded events, without any consequences: how a log is replayed."""
    for event in events:
        state = game.evolve(state, event)
    return state


def scores(game: GameRules[S], state: S) -> ScoreSheet:
    """The score sheet at any time of the game; final once the game is over."""
    lines = (line for score in game.rules.scores for line in score.function(state))
    tie_breaks = tuple(
        TieBreak(rule.rule, rule.name, rule.function(state), rule.is_order) for rule in game.rules.tie_breaks
    )
    sheet = score_sheet(len(state.table.players), lines, tie_breaks, final=game.decide(state) is None)
    return sheet if sheet.final else replace(sheet, deducting_at_end=game.rules.deducting_at_end)


def points_of(game: GameRules[S], state: S, seat: int) -> int:
    """The points of one seat, without the rest of the score sheet."""
    return sum(line.points for score in game.rules.scores for line in score.function(state) if line.seat == seat)


def perft(game: GameRules[S], state: S, depth: int) -> int:
    """The number of sequences of `depth` legal actions."""
    if depth == 0:
        return 1
    actions = legal_actions(game, state)
    if depth == 1:
        return len(actions)
    return sum(perft(game, apply_unchecked(game, state, action).state, depth - 1) for action in actions)


def random_game(
    game: GameRules[S],
    state: S,
    random: Random,
    weight: Callable[[Any], float] | None = None,
    limit: int = 10_000,
) -> Iterator[tuple[S, Any, Step]]:
    """A seeded random legal game: yields (state, action, step) until it is over or `limit` actions are played.

    `weight` may prefer some actions.
    """
    for _ in range(limit):
        actions = legal_actions(game, state)
        if not actions:
            return
        weights = None if weight is None else [weight(action) for action in actions]
        action = random.choices(actions, weights)[0] if weights else random.choice(actions)
        step = apply_unchecked(game, state, action)
        yield state, action, step
        state = step.state
