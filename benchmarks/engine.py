"""How fast the rules are: verdicts, lists, explanations, replays, and lists compared with python-chess."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import chess

from benchmarks.figures import Figure, median, percentile
from companion.board.layout import EMPTY, Board
from companion.engine import GameRules, apply_unchecked, fold, judge, legal_actions, random_game
from companion.position import bare_table
from companion.registry import GAMES, load_game, print_and_play_board, usual_table
from companion.session.observation import Observation
from companion.session.tracking import explain

GAMES_PLAYED, SERIES, LONGEST_CHESS_GAME = 12, 4, 400


def measure() -> Iterator[Figure]:
    """The figures of every game."""
    for game_id in GAMES:
        yield from measure_game(game_id)


def measure_game(game_id: str) -> Iterator[Figure]:
    """The figures of one game, over random games of every player count."""
    game, board = load_game(game_id), print_and_play_board(game_id)
    seats = range(game.info.seats[0], game.info.seats[1] + 1)
    starts = [
        game.setup(usual_table(game_id, seats[seed % len(seats)], outcomes=modules(game, board, seed // len(seats))))
        for seed in range(GAMES_PLAYED)
    ]
    played = [list(random_game(game, start, Random(seed))) for seed, start in enumerate(starts)]
    steps = [step for steps in played for step in steps]
    verdicts = [timed(lambda s=state, a=action: judge(game, s, a)) for state, action, _ in steps]
    lists = [timed(lambda s=state: legal_actions(game, s)) for state, _, _ in steps]
    explanations = []
    for state, _, step in steps:
        look = game.appearance(step.state)
        if look != game.appearance(state):
            seen = sure_observation(board, look)
            explanations.append(timed(lambda s=state, o=seen: explain(game, s, o)))
    replays = [
        timed(lambda b=start, p=steps: fold(game, b, (event for *_, step in p for event in step.events)))
        for start, steps in zip(starts, played, strict=True)
    ]
    yield from spread(f"{game_id}: verdict on one action", verdicts, 1)
    yield from spread(f"{game_id}: full legal list", lists, 10)
    yield from spread(f"{game_id}: explanation of an observed change", explanations, 100)
    yield from spread(f"{game_id}: replay of a full game", replays, 250)
    yield from beside_chess(game_id, *rates(game, starts))


def beside_chess(game_id: str, ours: Rate, theirs: Rate) -> Iterator[Figure]:
    """Positions and actions a second in whole random games, moves included, and one list alone, next to chess."""
    yield Figure(
        f"{game_id}: positions listed and left in random games", ours.positions_a_second, "/s",
        theirs.positions_a_second, at_least=True, peer=f"python-chess {theirs.positions_a_second:,.0f} /s",
        count=ours.positions,
    )  # fmt: skip
    yield Figure(
        f"{game_id}: legal actions listed in random games", ours.actions_a_second, "/s", theirs.actions_a_second,
        at_least=True, peer=f"python-chess {theirs.actions_a_second:,.0f} /s", count=GAMES_PLAYED * SERIES,
        note=f"{ours.actions / ours.positions:.1f} a list, python-chess {theirs.actions / theirs.positions:.1f}",
    )  # fmt: skip
    yield Figure(
        f"{game_id}: one list of legal actions in random games", ours.microseconds_a_list, "us",
        theirs.microseconds_a_list, peer=f"python-chess {theirs.microseconds_a_list:.3g} us", count=ours.positions,
    )  # fmt: skip


@dataclass(slots=True)
class Rate:
    """What was listed in whole random games, moves made included, and in how many seconds of the processor.

    `list_seconds` is what listing the same positions once more took, without moves.
    """

    actions: int = 0
    positions: int = 0
    seconds: float = 0.0
    list_seconds: float = 0.0

    @property
    def actions_a_second(self) -> float:
        """Actions listed a second."""
        return self.actions / self.seconds

    @property
    def positions_a_second(self) -> float:
        """Positions listed a second, each left by one of its actions."""
        return self.positions / self.seconds

    @property
    def microseconds_a_list(self) -> float:
        """Microseconds that one list takes."""
        return self.list_seconds / self.positions * 1e6


def modules(game: GameRules[Any], board: Board, turn: int) -> dict[str, str]:
    """Set-up outcomes with few alternatives, such as the modules in play, each alternative in turn."""
    options = game.options(bare_table(game.info.id, board))
    few = [option for option in options if option.count == 1 and len(option.names) <= 4]
    return {option.name: option.names[turn % len(option.names)] for option in few}


def sure_observation(board: Board, look: Any) -> Observation:
    """The observation of a camera that reads everything correctly and with certainty."""
    posteriors = {}
    for spot in board.spots.values():
        label = look.get(spot.name, EMPTY)
        posteriors[spot.name] = {label: 0.99, (spot.labels[0] if label == EMPTY else EMPTY): 0.01}
    return Observation(board.id, 0, 0.0, posteriors)


def timed(call: Callable[[], object]) -> float:
    """Milliseconds of one call."""
    begin = time.perf_counter()
    call()
    return (time.perf_counter() - begin) * 1e3


def spread(name: str, values: list[float], goal: float) -> Iterator[Figure]:
    """The 99th percentile against the goal, with the median as a note."""
    yield Figure(
        f"{name} (p99)", percentile(values, 0.99), "ms", goal, count=len(values), note=f"median {median(values):.3g} ms"
    )


def rates(game: GameRules[Any], starts: list[Any]) -> tuple[Rate, Rate]:
    """The rates of this game and of chess by python-chess in whole random games, a series of each in turn.

    Game by game a short one would pay for the processor's caches that a long one of the other has just emptied. What is
    kept for the other figures is frozen, so that collecting garbage does not look through it.
    """
    ours, theirs = Rate(), Rate()
    gc.freeze()
    for series in range(SERIES):
        seeds = range(series * len(starts), (series + 1) * len(starts))
        _play(ours, game, dict(zip(seeds, starts, strict=True)))
        _play_chess(theirs, seeds)
    gc.unfreeze()
    return ours, theirs


def _play(rate: Rate, game: GameRules[Any], starts: Mapping[int, Any]) -> None:
    begin = time.process_time()
    for seed, start in starts.items():
        random, state = Random(seed), start
        while actions := legal_actions(game, state):
            rate.actions += len(actions)
            rate.positions += 1
            state = apply_unchecked(game, state, random.choice(actions)).state
    rate.seconds += time.process_time() - begin
    for seed, start in starts.items():
        states = [state for state, *_ in random_game(game, start, Random(seed))]
        begin = time.process_time()
        for state in states:
            legal_actions(game, state)
        rate.list_seconds += time.process_time() - begin


def _play_chess(rate: Rate, seeds: Iterable[int]) -> None:
    positions = []
    begin = time.process_time()
    for seed in seeds:
        random, position = Random(seed), chess.Board()
        while position.ply() <= LONGEST_CHESS_GAME and (moves := list(position.legal_moves)):
            rate.actions += len(moves)
            rate.positions += 1
            position.push(random.choice(moves))
        positions.append(position)
    rate.seconds += time.process_time() - begin
    for position in positions:
        before = []
        while position.move_stack:
            position.pop()
            before.append(position.copy(stack=False))
        begin = time.process_time()
        for each in before:
            list(each.legal_moves)
        rate.list_seconds += time.process_time() - begin
