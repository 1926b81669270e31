"""From what a camera sees to what the table did: explain a change as legal actions, never act on it.

The camera only proposes. What the rules say must lie on the board but does not yet (a building still to be placed) is
*owed*; whatever else differs from the record must be explained by actions, a correction of the last one, a take-back,
or is reported as unexplained with the rule it seems to break.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from companion.absence import NOBODY, apply_with_absent
from companion.board.layout import EMPTY
from companion.engine import GameRules, judge, legal_actions
from companion.legality import Verdict
from companion.session.observation import Observation
from companion.session.stories import is_only_story

SURE = 0.5
"""a label counts as seen from this probability on; below it the spot is unsure"""
SMALLEST_PROBABILITY = 1e-6
OWED_PENALTY = 3.0
"""nats a proposal loses for each piece it expects and the camera does not see"""
ACTION_PENALTY = 3.0
"""nats a proposal loses for each action after its first: of two stories the shorter is likelier"""
CLEAR_MARGIN = 2.0
"""nats between the first and the second candidate from which the first may be taken without asking"""
BELIEVED = 3.0
"""nats of evidence that a spot must give to be believed where it differs from the record: a move changes few spots"""
BEAM, DEEPEST = 24, 12
MOST_JUDGED = 1000
"""actions that are judged in a search before it goes no deeper; those of the shipped games judged 58 at most in their
tests, while a game whose pieces move anywhere would judge 30,000
"""


class Finding(StrEnum):
    """What a reading of the board means, compared with the record."""

    NO_CHANGE = "no_change"
    ACTION = "action"
    CORRECTION = "correction"
    TAKE_BACK = "take_back"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Legal actions that lead to what is seen; `evidence` is how much likelier they are than no change (nats)."""

    actions: tuple[Any, ...]
    state: Any
    evidence: float
    owed: frozenset[str]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the camera saw, in terms of the game.

    `spots` are those that differ from the record, `owed` those where the table has yet to do what the record says.
    `back` counts the recorded actions that the table no longer shows (for TAKE_BACK and CORRECTION). For UNEXPLAINED,
    `near_miss` is the illegal action it looks most like, with its verdict, and `unfinished` says that a legal action
    would change these spots so and others as well: somebody may be in the middle of it. `unrelated` are spots that
    differ, too, but are not explained with the others; `doubtful` are those that the first candidate changes though the
    camera is not sure of them. `is_only_story` is False where other actions, or the same in another order, would look
    the same and lead to another position. `is_faint` says that the camera is sure of none of the spots.
    """

    finding: Finding
    spots: frozenset[str] = frozenset()
    owed: frozenset[str] = frozenset()
    candidates: tuple[Candidate, ...] = ()
    back: int = 0
    near_miss: tuple[Any, Verdict] | None = None
    unfinished: bool = False
    unrelated: frozenset[str] = frozenset()
    doubtful: frozenset[str] = frozenset()
    is_only_story: bool = True
    is_faint: bool = False

    @property
    def margin(self) -> float:
        """How much likelier the first candidate is than the second (nats); infinite for an only one."""
        if not self.candidates:
            return 0.0
        if len(self.candidates) == 1:
            return math.inf
        return self.candidates[0].evidence - self.candidates[1].evidence

    @property
    def is_clear(self) -> bool:
        """Whether the first candidate may be taken without asking: never where it changes what is recorded already."""
        is_action = self.finding is Finding.ACTION
        return is_action and self.is_only_story and self.margin >= CLEAR_MARGIN and not self.doubtful


def seen_labels(observation: Observation) -> dict[str, str]:
    """Spot -> label for the spots the camera is sure of, "" where it is sure that nothing lies there."""
    posteriors = observation.posteriors
    return {spot: label for spot, label in observation.labels.items() if posteriors[spot][label] >= SURE}


def differences(expected: Mapping[str, str], seen: Mapping[str, str]) -> dict[str, str]:
    """Spot -> seen label, where the table differs from what the record expects."""
    return {spot: label for spot, label in seen.items() if expected.get(spot, EMPTY) != label}


def only_takes_off(game: GameRules[Any], before: Any, after: Any) -> bool:
    """Whether one state shows pieces less than the one before, and none that it did not show."""
    return game.appearance(after).items() < game.appearance(before).items()


def explain(
    game: GameRules[Any],
    state: Any,
    observation: Observation,
    *,
    owed: frozenset[str] = frozenset(),
    history: Iterable[Any] = (),
    left: frozenset[int] = NOBODY,
    unexplainable: frozenset[str] = frozenset(),
) -> Explanation:
    """What an observation means at `state`; `history` holds earlier states, the latest first.

    `owed` are spots known to lag behind the record, `left` the seats that left the table. `unexplainable` are spots
    that no action of now is expected to have changed: they differed before, or no hand was near them. They become
    `unrelated` where the other spots alone are explained by fewer actions.
    """
    expected = game.appearance(state)
    differing = differences(expected, seen_labels(observation))
    earlier = tuple(history)
    found = _explained(game, state, observation, differing, owed, earlier, left)
    unrelated = unexplainable & found.spots
    if not unrelated or unrelated == found.spots:
        return found
    rest = {spot: label for spot, label in differing.items() if spot not in unrelated}
    other = _explained(game, state, observation, rest, owed, earlier, left)
    if found.finding is Finding.UNEXPLAINED:
        is_simpler = bool(other.candidates) or other.finding is Finding.TAKE_BACK
    else:
        is_simpler = 0 < _length(other) < _length(found)
    return replace(other, unrelated=unrelated) if is_simpler else found


def _length(found: Explanation) -> int:
    """How many actions the first candidate is."""
    return len(found.candidates[0].actions) if found.candidates else 0


def _explained(
    game: GameRules[Any],
    state: Any,
    observation: Observation,
    differing: Mapping[str, str],
    owed: frozenset[str],
    history: Sequence[Any],
    left: frozenset[int],
) -> Explanation:
    """What it means that these spots differ from the record, where all other spots are taken to be as recorded."""
    expected = game.appearance(state)
    lagging = frozenset(differing.keys() & owed)
    changed = {spot: label for spot, label in differing.items() if spot not in lagging}
    if not changed:
        return Explanation(Finding.NO_CHANGE, owed=lagging)
    ignored = differences(expected, seen_labels(observation)).keys() - differing.keys()
    seen = {spot: label for spot, label in seen_labels(observation).items() if spot not in ignored}
    doubtful = {
        spot for spot, label in changed.items() if _gain(observation, spot, label, expected.get(spot, EMPTY)) < BELIEVED
    }
    believed = {spot: label for spot, label in changed.items() if spot not in doubtful}
    context = _SearchContext(game, observation, seen, left)
    # Pieces that move can be brought back by further moves, too: of two stories the shorter is likelier.
    longest = _entries_back(context, history, owed) or DEEPEST
    candidates = _search(context, state, changed, longest)
    if doubtful and believed:  # a spot that is only half seen neither stands in the way of the others nor is left out
        context = replace(context, seen={spot: label for spot, label in seen.items() if spot not in doubtful})
        others = _search(context, state, believed, longest)
        candidates = _ranked({each.actions: each for each in (*others, *candidates)}.values())
    spots = frozenset(changed)
    if candidates:
        look = game.appearance(candidates[0].state)
        unsure = frozenset(
            spot
            for spot, label in changed.items()
            if look.get(spot, EMPTY) != (expected.get(spot, EMPTY) if spot in doubtful else label)
        )
        return Explanation(
            Finding.ACTION, spots, candidates[0].owed | lagging, candidates, doubtful=unsure,
            is_only_story=is_only_story(game, state, candidates, left), is_faint=not believed,
        )  # fmt: skip
    past = _taken_back(context, history, owed)
    if past is not None:
        unsure = frozenset(doubtful) if past.candidates else frozenset()
        return replace(past, spots=spots, doubtful=unsure, is_faint=not believed)
    if not believed:
        return Explanation(Finding.NO_CHANGE, owed=lagging)
    return Explanation(
        Finding.UNEXPLAINED, spots, lagging, near_miss=_near_miss(game, state, changed),
        unfinished=_is_begun(game, state, changed, left),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _SearchContext:
    """A table as it is looked at: `seen` are the labels that have to be explained, `left` the seats that left."""

    game: GameRules[Any]
    observation: Observation
    seen: Mapping[str, str]
    left: frozenset[int]


def _entries_back(context: _SearchContext, history: Sequence[Any], owed: frozenset[str]) -> int:
    """How many entries ago the table was as it is now; 0 where it never was."""
    for back, earlier in enumerate(history, 1):
        if not differences(context.game.appearance(earlier), context.seen).keys() - owed:
            return back
    return 0


def _taken_back(context: _SearchContext, history: Sequence[Any], owed: frozenset[str]) -> Explanation | None:
    """The earlier state that the table is in again, or what was done instead of the last action; None for neither."""
    back = _entries_back(context, history, owed)
    if back != 1 and history:
        differing = differences(context.game.appearance(history[0]), context.seen)
        candidates = _search(context, history[0], differing, DEEPEST)
        if candidates:
            return Explanation(Finding.CORRECTION, owed=candidates[0].owed, candidates=candidates, back=1)
    return Explanation(Finding.TAKE_BACK, back=back) if back else None


def _gain(observation: Observation, spot: str, label: str, before: str) -> float:
    """How much likelier a label is than the one before (nats)."""
    posterior = observation.posteriors[spot]
    return _log(posterior.get(label, 0.0)) - _log(posterior.get(before, 0.0))


def _search(context: _SearchContext, state: Any, changed: Mapping[str, str], longest: int) -> tuple[Candidate, ...]:
    """Sequences of so many legal actions at most after which these spots may look as they do, likeliest first."""
    game, seen = context.game, context.seen
    start = game.appearance(state)
    frontier = [Candidate((), state, 0.0, frozenset())]
    found: list[Candidate] = []
    visited = {state}
    judged = 0
    for _ in range(longest):
        following = []
        for node in frontier:
            look = game.appearance(node.state)
            open_spots = {
                spot: seen[spot] for spot in (*changed, *sorted(node.owed)) if look.get(spot, EMPTY) != seen[spot]
            }
            for action in dict.fromkeys(game.seen_actions(node.state, open_spots)):
                judged += 1
                if not judge(game, node.state, action).is_legal:
                    continue
                after = apply_with_absent(game, node.state, action, context.left).state
                if after in visited:
                    continue
                visited.add(after)
                candidate = _candidate(context, (*node.actions, action), after, start)
                if candidate is None:
                    continue
                look_after = game.appearance(after)
                if all(
                    _may_be(context.observation, spot, look_after.get(spot, EMPTY), label, start.get(spot, EMPTY))
                    for spot, label in changed.items()
                ):
                    found.append(candidate)
                else:
                    following.append(candidate)
        frontier = sorted(following, key=lambda candidate: -candidate.evidence)[:BEAM]
        if not frontier or len(found) >= BEAM or judged > MOST_JUDGED:
            break
    return _ranked(found)


def _may_be(observation: Observation, spot: str, label: str, seen: str, before: str) -> bool:
    """Whether a spot may show `label` though `seen` is read there, for that is not much likelier."""
    return label == seen or (label != before and _gain(observation, spot, seen, label) < BELIEVED)


def _ranked(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(candidates, key=lambda candidate: (-candidate.evidence, len(candidate.actions))))


def _candidate(
    context: _SearchContext, actions: tuple[Any, ...], state: Any, start: Mapping[str, str]
) -> Candidate | None:
    """How likely it is that these actions led from one look to the state; None where that cannot be."""
    look = context.game.appearance(state)
    evidence, owed = ACTION_PENALTY * (1 - len(actions)), set()
    for spot in {spot for spot, _ in look.items() ^ start.items()}:
        before, after = start.get(spot, EMPTY), look.get(spot, EMPTY)
        posterior = context.observation.posteriors.get(spot)
        if posterior is None:
            continue
        label = context.seen.get(spot)
        if label == before:
            owed.add(spot)
            evidence -= OWED_PENALTY
        elif label is not None and not _may_be(context.observation, spot, after, label, before):
            return None
        else:
            evidence += _log(posterior.get(after, 0.0)) - _log(posterior.get(before, 0.0))
    return Candidate(actions, state, evidence, frozenset(owed))


def _log(probability: float) -> float:
    return math.log(max(probability, SMALLEST_PROBABILITY))


def _near_miss(game: GameRules[Any], state: Any, changed: Mapping[str, str]) -> tuple[Any, Verdict] | None:
    for action in game.seen_actions(state, changed):
        verdict = judge(game, state, action)
        if not verdict.is_legal:
            return action, verdict
    return None


def _is_begun(game: GameRules[Any], state: Any, changed: Mapping[str, str], left: frozenset[int]) -> bool:
    """Whether a legal action changes all of this, and more."""
    looks = (
        game.appearance(apply_with_absent(game, state, action, left).state) for action in legal_actions(game, state)
    )
    return any(all(look.get(spot, EMPTY) == label for spot, label in changed.items()) for look in looks)
