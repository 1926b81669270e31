"""The walk every game must pass: at each position of seeded random games the promises of the kernel are checked.

A game's own part is `components.py` in the folder of its tests: `components(state)` counts what never changes in
number; `zeal(action)`, if any, makes random games shorter by liking some actions more, and `boldness(action)`, if any,
brings them to every step.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from math import isfinite, prod
from random import Random
from types import MappingProxyType
from typing import Any

from companion.engine import GameRules, Step, fold, judge, legal_actions, points_of, random_game, scores
from companion.errors import NotationError
from companion.events import event_from, event_json
from companion.files.documents import DocumentTable, parse_json
from companion.legality import Status
from companion.position import parse_position, position_document, position_text, read_position
from companion.registry import load_game
from companion.scoring import ScoreSheet
from companion.wording.texts import game_texts
from tests.every_game import module_of_tests

MOST_COMBINATIONS = 8_000
NEAR_MISSES = 12


def few_outcomes(game_id: str) -> list[dict[str, list[str]]]:
    """All set-ups of a game that differ in what can be chosen in few ways (the modules played); else one, all open."""
    bare = read_position(DocumentTable({"game": game_id}, "set-up", "")).state.table
    options = [option for option in load_game(game_id).options(bare) if option.count == 1 and len(option.names) <= 4]
    names = product(*(option.names for option in options))
    return [{option.name: [name] for option, name in zip(options, chosen, strict=True)} for chosen in names]


def starting_state(
    game_id: str, seats: int, random: Random, outcomes: Mapping[str, list[str]] = MappingProxyType({})
) -> Any:
    """A set-up with rulings drawn at random, and outcomes too where they are not given."""
    game = load_game(game_id)
    rulings = {name: random.choice(list(ruling.readings)) for name, ruling in game.rulebook.rulings.items()}
    document = {"game": game_id, "players": seats, "rulings": rulings}
    bare = read_position(DocumentTable(document, "set-up", "")).state.table
    for option in game.options(bare):
        document[option.name] = outcomes.get(option.name) or random.sample(option.names, option.count)
    return read_position(DocumentTable(document, "set-up", "")).state


def zeal_of(game_id: str) -> Callable[[Any], float]:
    """How much the random players of a game like an action, so that games come to an end."""
    zeal: Callable[[Any], float] = getattr(module_of_tests(game_id, "components"), "zeal", lambda action: 1.0)
    return zeal


@dataclass(frozen=True)
class Walk:
    """One random game from a set-up to its end, played before it is looked at."""

    game: GameRules[Any]
    start: Any
    seed: int

    @cached_property
    def steps(self) -> list[tuple[Any, Any, Step]]:
        """(state, action, outcome) from the first action to the last; each walk likes some kinds of action more."""
        random = Random(self.seed)
        liking = {kind: 10 ** random.uniform(-2, 0) for kind in self.game.info.kinds}
        zeal = zeal_of(self.game.info.id)
        return list(random_game(self.game, self.start, random, lambda action: liking[type(action)] * zeal(action)))

    @property
    def end(self) -> Any:
        """The last position."""
        return self.steps[-1][2].state

    @cached_property
    def sites(self) -> frozenset[str]:
        """All sites of the table's sheets."""
        sheets = self.start.table.board.sheets
        spots = (spot.site for sheet in sheets for spot in sheet.spots.values())
        return frozenset(spots).union(*(group.sites for sheet in sheets for group in sheet.groups.values()))

    @cached_property
    def values(self) -> Mapping[tuple[type, str], list[Any]]:
        """For each field of an action kind, what it could hold anywhere in this game and a little beyond."""
        board = self.start.table.board
        sites = {spot.site for spot in board.spots.values()}
        found: dict[tuple[type, str], dict[Any, None]] = {}
        for state, _, _ in self.steps:
            for kind in self.game.info.kinds:
                for names, values in self.game.rules.domain(state, kind).items():
                    columns = [values] if isinstance(names, str) else list(zip(*values, strict=True))
                    fields_of = dict(zip([names] if isinstance(names, str) else names, columns, strict=False))
                    for name, own in fields_of.items():
                        found.setdefault((kind, name), {}).update(dict.fromkeys(own))
        for values in found.values():
            if not (sites - set(board.slots)).isdisjoint(values):
                values.update(dict.fromkeys(sorted(sites)))
            elements = list(dict.fromkeys(part for value in values if isinstance(value, tuple) for part in value))
            for value in list(values):
                if isinstance(value, tuple):
                    values.update(dict.fromkeys(_tuples_near(value, elements)))
        return {key: list(values) for key, values in found.items()}


def _tuples_near(value: tuple[Any, ...], elements: list[Any]) -> Iterator[tuple[Any, ...]]:
    for place in range(len(value)):
        yield value[:place] + value[place + 1 :]
        for other in elements:
            yield (*value[:place], other, *value[place + 1 :])
    yield from ((*value, other) for other in elements)


def check_walk(walk: Walk) -> None:
    """Play through a walk; the dearer checks look at fewer positions."""
    game, random = walk.game, Random(walk.seed)
    components = module_of_tests(game.info.id, "components").components
    counted = components(walk.start)
    assert legal_actions(game, walk.end) == []
    assert game.decide(walk.end) is None
    assert scores(game, walk.end).final
    for number, (state, action, step) in enumerate(walk.steps):
        legal = legal_actions(game, state)
        check_list(game, state, legal, walk.sites)
        check_actor(game, state, action)
        check_values(game, state)
        check_near_misses(walk, state, legal, random)
        check_step(game, state, step)
        assert components(step.state) == counted
        if number % 9 == walk.seed % 9:
            check_position_round_trip(game, state, legal)
            check_scores(game, state)
        if number % 60 == walk.seed % 60:
            check_list_is_complete(walk, state, legal)
    check_position_round_trip(game, walk.end, [])
    check_scores(game, walk.end)


def check_list(game: GameRules[Any], state: Any, legal: list[Any], sites: frozenset[str]) -> None:
    """Something is legal, nothing twice, always in the same order; every action can be written, read and said."""
    assert legal
    assert len(set(legal)) == len(legal)
    assert legal_actions(game, state) == legal
    texts = game_texts(game.info.id)
    assert texts.prompt(game, state)
    for action in legal:
        assert sites.issuperset(action.sites), action.text
        assert judge(game, state, action).status is not Status.ILLEGAL, action.text
        assert game.parse_action(action.text, state) == action
        assert texts.action(action)


def check_actor(game: GameRules[Any], state: Any, action: Any) -> None:
    """Whoever may act may, nobody else."""
    decision = game.decide(state)
    assert decision is not None
    for seat in state.table.seats:
        verdict = judge(game, state, action, seat)
        if seat in decision.actors:
            assert verdict.is_legal
        else:
            assert verdict.violations[-1].rule == game.turn_rule


def check_values(game: GameRules[Any], state: Any) -> None:
    """Holdings name their owner; neither they nor the facts of a decision are lists in one text."""
    for seat in state.table.seats:
        own = (*game.holdings(state, seat), *game.secrets(state, seat))
        assert {holding.owner for holding in own} <= {seat}
    supply = game.open_supply(state)
    assert {holding.owner for holding in supply} <= {None}
    kinds = [amount.kind for holding in (*own, *supply) for amount in holding.amounts]
    decision = game.decide(state)
    assert decision is not None
    assert not [text for text in (*kinds, *decision.facts.values()) if isinstance(text, str) and "," in text]


def check_near_misses(walk: Walk, state: Any, legal: list[Any], random: Random) -> None:
    """A legal action with one field changed is refused unless it is in the list itself."""
    listed = frozenset(legal)
    for action in random.choices(legal, k=NEAR_MISSES):
        names = [field.name for field in fields(action)]
        if names:
            name = random.choice(names)
            changed = replace(action, **{name: random.choice(walk.values[type(action), name])})
            check_listed_or_refused(walk.game, state, changed, listed)


def check_list_is_complete(walk: Walk, state: Any, legal: list[Any]) -> None:
    """Every combination of values of every kind of action is in the list or refused."""
    game, listed = walk.game, frozenset(legal)
    for kind in game.info.kinds:
        names = [field.name for field in fields(kind)]
        pools = [walk.values.get((kind, name), []) for name in names]
        assert prod(map(len, pools)) <= MOST_COMBINATIONS, f"{kind.__name__} has too many combinations to try"
        for values in product(*pools):
            check_listed_or_refused(game, state, kind(*values), listed)


def check_listed_or_refused(game: GameRules[Any], state: Any, action: Any, listed: frozenset[Any]) -> None:
    """An action, as its notation means it, is legal exactly if it is listed; a refusal can be said in full."""
    try:
        action = game.parse_action(action.text, state)
    except NotationError:
        assert action not in listed
    verdict = judge(game, state, action)
    assert verdict.is_legal == (action in listed), f"{action.text!r}: {verdict}"
    for violation in verdict.violations:
        assert "?" not in game.rulebook.sentence(violation, state.table.players)


def check_step(game: GameRules[Any], state: Any, step: Step) -> None:
    """The facts alone, as they are kept in a record, lead to the same position."""
    texts = game_texts(game.info.id)
    kept = []
    for consequence in step.consequences:
        assert consequence.rule in game.rulebook.rules or not consequence.rule
        assert texts.event(consequence.event, state.table)
        document = parse_json(json.dumps(event_json(consequence.event)), "event")
        kept.append(event_from(document, game.event_classes, len(state.table.players)))
    assert tuple(kept) == step.events
    assert fold(game, state, kept) == step.state


def check_position_round_trip(game: GameRules[Any], state: Any, legal: list[Any]) -> None:
    """A position written as JSON or TOML is read as the same position, in which the same is legal."""
    for text in (json.dumps(position_document(game, state)), position_text(game, state)):
        read = parse_position(text, "position").state
        assert read == state
        assert hash(read) == hash(state)
        assert legal_actions(game, read) == legal
        assert game.appearance(read) == game.appearance(state)


def check_points_won(game: GameRules[Any], sheet: ScoreSheet) -> None:
    """Rules of the end take off only, and what is won lacks nothing but that; at the end it is the whole sheet."""
    deducting = game.rules.deducting_at_end
    assert all(line.points < 0 for line in sheet.lines if line.rule in deducting)
    kept = [line for line in sheet.lines if sheet.final or line.rule not in deducting]
    assert list(sheet.won.lines) == kept
    assert sum(sheet.won.totals) == sum(line.points for line in kept)


def check_scores(game: GameRules[Any], state: Any) -> None:
    """Totals are the sums of lines by known rules, ranks follow the totals."""
    sheet, seats = scores(game, state), state.table.seats
    assert len(sheet.totals) == len(sheet.ranks) == len(seats)
    assert all(isfinite(total) for total in sheet.totals)
    assert {line.rule for line in sheet.lines} <= set(game.rulebook.rules)
    assert sheet.totals == tuple(sum(line.points for line in sheet.of(seat)) for seat in seats)
    assert sheet.totals == tuple(points_of(game, state, seat) for seat in seats)
    check_points_won(game, sheet)
    assert min(sheet.ranks) == 1
    for one, other in product(seats, repeat=2):
        if sheet.totals[one - 1] > sheet.totals[other - 1]:
            assert sheet.ranks[one - 1] < sheet.ranks[other - 1]
