"""The engine and its slow twin agree, in positions of random games and in positions no game need have led to."""

from itertools import product
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Step, apply_unchecked, judge, legal_actions, legal_of_kind, scores
from companion.games.city_of_marble import events as e
from companion.games.city_of_marble.actions import Lay, PlayWard
from companion.games.city_of_marble.game import GAME
from companion.games.city_of_marble.state import State
from tests.games.city_of_marble import twins
from tests.games.city_of_marble.tables import played, scattered

games = st.integers(0, 11).map(played)
randoms = st.integers(0, 2**32).map(Random)


def check_sites(state: State, step: Step) -> None:
    """The facts of a step close and complete the sites that the twin finds, one by one."""
    events = step.events
    before = twins.complete_vertices(state)
    closed = {twins.vertex(event.vertex) for event in events if isinstance(event, e.SiteClosed)}
    for place, event in enumerate(events):
        state = GAME.evolve(state, event)
        if isinstance(event, e.SiteCompleted):
            check_completion(state, event, events[place + 1 :])
    assert closed == twins.complete_vertices(state) - before


def check_completion(state: State, event: e.SiteCompleted, following: tuple[object, ...]) -> None:
    twin = twins.completion(state, twins.vertex(event.vertex))
    assert (event.buildings, event.kind) == (twin.buildings, twin.kind)
    expected: list[object] = []
    if twin.left:
        expected.append(e.FountainPlaced(event.vertex))
        if twin.builder:
            expected = [e.BuildingBuilt(event.vertex, twin.kind, twin.builder)]
    if twin.senders:
        space = twin.kind if twin.builder else "treasury"
        expected.append(e.SendingBegun(event.vertex, space, tuple(twin.senders)))
    assert [other for other in following if getattr(other, "vertex", "") == event.vertex] == expected


def check_laying(state: State) -> None:
    listed = {(action.colour, action.edge) for action in legal_of_kind(GAME, state, Lay)}
    assert listed == twins.lay_actions(state)
    for colour in state.lines:
        assert twins.pipes(state).trace(colour) == [twins.vertex(place) for place in state.lines[colour]]


def check_scoring(state: State) -> None:
    sheet = scores(GAME, state)
    for seat, twin in zip(state.table.seats, twins.points(state), strict=True):
        by_rule: dict[str, int] = {}
        for line in sheet.of(seat):
            by_rule[line.rule] = by_rule.get(line.rule, 0) + line.points
        assert {rule: number for rule, number in by_rule.items() if number} == dict(twin)
    assert list(sheet.ranks) == twins.ranks(state)


@settings(max_examples=12)
@given(games)
def test_sites_of_random_games(game) -> None:
    for state, _, step in game:
        check_sites(state, step)


@settings(max_examples=100)
@given(randoms)
def test_sites_of_random_positions(random: Random) -> None:
    state, gone = scattered(random)
    for place, colour, magistrate in product(gone, ("red", "green"), (True, False)):
        action = PlayWard(place, colour, magistrate)
        if judge(GAME, state, action).is_legal:
            check_sites(state, apply_unchecked(GAME, state, action))


@settings(max_examples=12)
@given(games)
def test_aqueducts_of_random_games(game) -> None:
    for state, _, _ in game:
        if GAME.decide(state).step in ("act", "lay", "start", "effect"):
            check_laying(state)


@settings(max_examples=100)
@given(randoms)
def test_aqueducts_of_random_positions(random: Random) -> None:
    check_laying(scattered(random)[0])


@settings(max_examples=12)
@given(games)
def test_scoring_of_random_games(game) -> None:
    for state, _, _ in game[::10]:
        check_scoring(state)
    check_scoring(game[-1][2].state)


@settings(max_examples=100)
@given(randoms)
def test_scoring_of_random_positions(random: Random) -> None:
    check_scoring(scattered(random)[0])


def test_what_the_random_tables_show() -> None:
    """The comparison would be worth little if nothing happened in these games and positions."""
    events = {type(event).__name__ for seed in range(12) for _, _, step in played(seed) for event in step.events}
    assert {"BuildingBuilt", "FountainPlaced", "AqueductStarted", "LayingEnded", "CoinTaken", "ImperiumSpent"} <= events
    positions = [scattered(Random(seed))[0] for seed in range(80)]
    assert any(state.lines and state.laying for state in positions)
    assert any(state.starting for state in positions)
    assert max(len(state.sites) for state in positions) > 15
    assert any(legal_actions(GAME, state) for state in positions)
