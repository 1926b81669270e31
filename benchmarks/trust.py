"""How far the way from the table to the record can be trusted: episodes at the level of observations.

An episode begins in a game of the simulated players that record and table agree on. Something happens on the table,
the camera reads it, and the record is compared with what was done.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import Any

from benchmarks.figures import Figure
from benchmarks.moments import Moment, first_of, is_on_board, moments_of, removals
from benchmarks.outcomes import Outcome, Outcomes, PlayedGames
from benchmarks.scenes import NORMAL, light_of, view_of, watched_games
from benchmarks.watched_tables import RenderedTable, WatchedTable
from companion.board.layout import EMPTY
from companion.engine import apply_unchecked, legal_of_kind
from companion.registry import load_game, print_and_play_board
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from vision.printed.pieces.profile import load_profiles
from vision.sheets import SheetsReader

EPISODES = int(os.environ.get("COMPANION_EPISODES", "400"))
"""of each game, at least"""
RENDERED = int(os.environ.get("COMPANION_RENDERED", "40"))
"""of each game that are drawn and read by the real reader, in addition"""
RESUME = os.environ.get("COMPANION_RESUME", "")
"""a file that keeps the outcomes of each game played, from which a later run of the same program goes on"""
FIRST_SEED, FIRST_RENDERED_SEED = 810_000, 820_000
MOMENTS = 12
"""of each game played at which one episode of every kind begins"""
GAMES_AT_ONCE = 2
LOOKS = 4
"""quiet readings after something happened"""
CLEARED = (2, 6)
"""pieces taken off between two looks where a table is cleared"""


Episode = Callable[[Moment, WatchedTable, Random], bool | None]
"""Plays an episode; gives whether the record ended as it should by itself, None where nothing should be recorded."""


def single_move(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """One action, seen in two quiet looks, with or without the hand that did it."""
    if random.random() < 0.5:
        table.hand(_changed(table, moment.states[0], moment.states[1]))
    table.lay(moment.states[1])
    for _look in range(LOOKS):
        table.see()
    table.agreed = table.session.state
    return bool(table.session.state == moment.states[1])


def nothing_happens(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """A quiet table, of which now and then a spot is half seen as something else."""
    for _look in range(LOOKS):
        table.see(table.doubt() if random.random() < 0.5 else None)
    return None


def moves_under_a_covered_lens(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """Two or three actions while the camera sees nothing."""
    changed = _changed(table, moment.states[0], moment.states[-1])
    table.hand(changed)
    table.lay(moment.states[-1])
    for _look in range(LOOKS):
        table.see()
    return bool(table.session.state == moment.states[-1])


def slide_of_the_latest(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """What was just recorded is moved to where another legal action would have put it."""
    single_move(moment, table, random)
    others = [
        after
        for other in legal_of_kind(table.session.game, moment.states[0], type(moment.actions[0]))
        if (after := apply_unchecked(table.session.game, moment.states[0], other).state) != moment.states[1]
    ]
    if not others:
        return None
    table.lay(random.choice(others))
    for _look in range(LOOKS):
        table.see()
    return None


def latest_taken_up(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """What was just recorded is taken up again."""
    single_move(moment, table, random)
    table.lay(moment.states[0])
    for _look in range(LOOKS):
        table.see()
    return None


def flickering_spot(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """The pieces that an action would change are seen now as they lie, now as they would lie after it."""
    after = dict(table.session.game.appearance(moment.states[1]))
    changed = _changed(table, moment.states[0], moment.states[1])
    seen = {spot: {after.get(spot, EMPTY): 0.95, table.look.get(spot, EMPTY): 0.05} for spot in changed}
    table.see(seen)
    table.see()
    for _look in range(3 * LOOKS):
        table.see(seen if random.random() < 0.5 else None)
    return None


def cleared_in_mid_game(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """The pieces are taken off, several between two looks."""
    pieces = sorted(table.look)
    random.shuffle(pieces)
    while pieces:
        count = min(len(pieces), random.randint(*CLEARED))
        table.hand(frozenset(pieces[:count]))
        for spot in pieces[:count]:
            del table.look[spot]
        del pieces[:count]
        table.see()
        if random.random() < 0.5:
            table.see()
    return None


def cleared_one_by_one(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """The pieces are taken off one after the other, those first that a legal action takes off, if there are any."""
    pieces = sorted(table.look)
    random.shuffle(pieces)
    first = [sorted(table.look.items() - look.items()) for look in removals(moment).values()]
    begun = {spot for spot, _label in random.choice(first)} if first else set()
    for spot in sorted(pieces, key=lambda spot: spot not in begun):
        table.hand(frozenset((spot,)))
        del table.look[spot]
        for _look in range(random.randint(1, 2)):
            table.see()
    return None


def taken_off_alone(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """A legal action that only takes something off, and nothing after it."""
    found = removals(moment)
    after = random.choice(list(found))
    table.hand(_changed(table, moment.states[0], after))
    table.lay(after)
    for _look in range(LOOKS):
        table.see()
    table.agreed = after
    return bool(table.session.state == after)


def press_while_blinded(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """A piece is moved and *done* pressed while the camera cannot see the board."""
    decision = table.session.game.decide(moment.states[0])
    seat = decision.actors[0] if decision is not None else None
    if random.random() < 0.5:
        table.blind()
    else:
        table.hand(_changed(table, moment.states[0], moment.states[1]))
    table.lay(moment.states[1])
    table.press(seat)
    for _wait in range(random.randint(0, 5)):
        table.now += 1.0
        table.presenter.on_tick()
    for _look in range(LOOKS):
        table.see()
    return bool(table.session.state in moment.states[1:])


def touched_before_it_is_laid(moment: Moment, table: WatchedTable, random: Random) -> bool | None:
    """An action is touched, and its pieces are laid some looks later, the last ones at last."""
    table.presenter.act(moment.actions[0])
    table.agreed = table.session.state
    for _look in range(2):
        table.see()
    changed = sorted(_changed(table, moment.states[0], moment.states[1]))
    random.shuffle(changed)
    after = dict(table.session.game.appearance(moment.states[1]))
    for spot in changed:
        table.look[spot] = after.get(spot, EMPTY)
        table.see()
    for _look in range(2):
        table.see()
    return None


KINDS: Mapping[str, Episode] = {
    "single moves": single_move,
    "nothing happens": nothing_happens,
    "moves under a covered lens": moves_under_a_covered_lens,
    "slides of the latest piece": slide_of_the_latest,
    "latest piece taken up": latest_taken_up,
    "flickering spots": flickering_spot,
    "table cleared in mid-game": cleared_in_mid_game,
    "table cleared piece by piece": cleared_one_by_one,
    "taken off alone": taken_off_alone,
    "presses while blinded": press_while_blinded,
    "touched before it is laid": touched_before_it_is_laid,
}
QUIET = ("nothing happens", "touched before it is laid")
"""kinds in which record and table agree throughout, but for pieces that are still to be laid"""


def measure() -> Iterator[Figure]:
    """The figures of all games."""
    context, played_games = multiprocessing.get_context("spawn"), PlayedGames.of(RESUME)
    for game_id in watched_games():
        with ProcessPoolExecutor(os.cpu_count(), context) as pool:
            yield from measure_game(game_id, played_games, pool)


def measure_game(game_id: str, played_games: PlayedGames, pool: ProcessPoolExecutor) -> Iterator[Figure]:
    """The figures of one game."""
    games = played_games.outcomes("observations", game_id, played, FIRST_SEED, pool, GAMES_AT_ONCE)
    total = _until(EPISODES, games)
    title = load_game(game_id).info.title
    episodes, wrong = sum(each.episodes for each in total.values()), sum(each.wrong for each in total.values())
    bound = f"with none, fewer than {300 / max(episodes, 1):.2g} % at 95 % confidence"
    by_kind = ", ".join(f"{kind} {each.wrong} of {each.episodes}" for kind, each in total.items() if each.wrong)
    yield Figure(f"recorded otherwise: {title}", wrong, "", 0, count=episodes, note=by_kind or bound)
    single = total["single moves"]
    yield Figure(
        f"single moves recorded unasked: {title}", 100 * single.right / single.episodes, "%", 99, at_least=True,
        count=single.episodes, note="; ".join(single.failures[:3]),
    )  # fmt: skip
    quiet = [total[kind] for kind in QUIET]
    count = sum(each.episodes for each in quiet)
    alarms = 100 * sum(each.alarms for each in quiet) / count
    failures = Counter(failure for each in quiet for failure in each.failures)
    note = "; ".join(failure for failure, _count in failures.most_common(3))
    yield Figure(f"false alarms in quiet episodes: {title}", alarms, "%", 1, count=count, note=note)
    if RENDERED:
        games = played_games.outcomes("rendered", game_id, played_rendered, FIRST_RENDERED_SEED, pool, GAMES_AT_ONCE)
        rendered = _until(RENDERED, games).values()
        count = sum(each.episodes for each in rendered)
        note = "; ".join(failure for each in rendered if each.wrong for failure in each.failures)
        wrong = sum(each.wrong for each in rendered)
        yield Figure(f"recorded otherwise, rendered: {title}", wrong, "", 0, count=count, note=note)
    alone = total["taken off alone"]
    if alone.episodes:
        yield Figure(
            f"pieces taken off alone recorded unasked: {title}", 100 * alone.right / alone.episodes, "%",
            count=alone.episodes, note="; ".join(alone.failures[:3]),
        )  # fmt: skip
    covered = total["moves under a covered lens"]
    yield Figure(
        f"moves under a covered lens recorded unasked: {title}", 100 * covered.right / max(covered.episodes, 1), "%",
        count=covered.episodes, note="the others are asked",
    )  # fmt: skip


def _until(episodes: int, games: Iterable[Outcomes]) -> dict[str, Outcome]:
    """The outcomes by kind of so many games that they have this many episodes, at least."""
    total = {kind: Outcome() for kind in KINDS}
    for found in games:
        for kind, outcome in found.items():
            total[kind].add(outcome)
        if sum(each.episodes for each in total.values()) >= episodes:
            break
    return total


def played(game_id: str, seed: int) -> dict[str, Outcome]:
    """Episodes of every kind at moments of one game."""
    outcomes = {kind: Outcome() for kind in KINDS}
    random = Random(seed)
    moments = list(enumerate(moments_of(game_id, seed)))
    for number, moment in sorted(random.sample(moments, min(MOMENTS, len(moments))), key=lambda each: each[0]):
        for kind in KINDS:
            _play(kind, f"{seed}:{number}", moment, WatchedTable, outcomes[kind])
    return outcomes


def played_rendered(game_id: str, seed: int) -> dict[str, Outcome]:
    """One episode of every kind at moments of one game, before a drawn table and the real reader."""
    outcomes = {kind: Outcome() for kind in KINDS}
    board, random = print_and_play_board(game_id), Random(seed)
    reader = SheetsReader(board, load_profiles(board))
    scene = Scene(board, view_of(board, NORMAL, random), light_of(NORMAL, random), Sloppiness(seed=seed))
    make = partial(RenderedTable, scene=scene, reader=reader)
    moments = [each for each in enumerate(moments_of(game_id, seed)) if is_on_board(each[1], board)]
    for kind, (number, moment) in zip(KINDS, random.sample(moments, min(len(KINDS), len(moments))), strict=False):
        _play(kind, f"{seed}:{number}", moment, make, outcomes[kind])
    return outcomes


def _play(
    kind: str, name: str, moment: Moment, make: Callable[[Moment, Random], WatchedTable], outcome: Outcome
) -> None:
    """Play an episode and count how it went; `name` tells the game's seed and the moment's number."""
    if kind == "moves under a covered lens" and len(moment.actions) < 2:
        return
    if kind == "taken off alone" and not removals(moment):
        return
    story = moment if kind in ("moves under a covered lens", "presses while blinded") else first_of(moment)
    chance = Random(f"{name}:{kind}")
    table = make(story, chance)
    if table.alarmed:
        return
    result = KINDS[kind](story, table, chance)
    outcome.episodes += 1
    is_ours = result is not None and kind != "taken off alone"
    allowed = {table.agreed} if not is_ours else {*story.states, *_after_turn_end(story.states[1])}
    wrong = table.session.state not in allowed
    outcome.wrong += wrong
    outcome.right += result is True
    outcome.alarms += table.alarmed
    if wrong or result is False or (kind in QUIET and table.alarmed):
        done = ", ".join(action.text for action in story.actions)
        recorded = ", ".join(entry.summary for entry in table.session.entries[len(moment.log.entries) :])
        outcome.failures.append(f"{name} {done} -> {recorded or table.presenter.view().eyes}")


def _after_turn_end(state: Any) -> Iterator[Any]:
    """The state after the turn was ended, as a press that records the last action does where it may be."""
    game = load_game(state.table.game)
    decision, turn_end = game.decide(state), game.info.turn_end
    for seat in decision.actors if decision is not None and turn_end is not None else ():
        closing = game.closing_action(state, seat)
        if turn_end is not None and isinstance(closing, turn_end):
            yield apply_unchecked(game, state, closing).state


def _changed(table: WatchedTable, before: Any, after: Any) -> frozenset[str]:
    appearance = table.session.game.appearance
    return frozenset(spot for spot, _label in appearance(before).items() ^ appearance(after).items())
