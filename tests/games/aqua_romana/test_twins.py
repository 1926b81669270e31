"""The engine and its slow twin agree, in positions of random games and in positions no game need have led to."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Step, apply_unchecked, legal_of_kind, scores
from companion.games.aqua_romana import events as e
from companion.games.aqua_romana.actions import Build, Fountain
from companion.games.aqua_romana.game import GAME
from companion.games.aqua_romana.sight import seen_from
from companion.games.aqua_romana.state import State, podium_for
from tests.games.aqua_romana import twins
from tests.games.aqua_romana.tables import played, scattered

games = st.integers(0, 11).map(played)
positions = st.integers(0, 2**32).map(lambda seed: scattered(Random(seed)))
podiums = st.lists(st.integers(0, 25), max_size=22)


def check_sight(state: State) -> None:
    for outlet in twins.outlets(len(state.table.players)):
        place = twins.Picture(state).course(outlet).place
        looked_at = [space for space in twins.looked_at(place) if space in state.builders]
        assert seen_from(state, state.aqueducts[outlet.name].end) == looked_at


def check_courses(state: State) -> None:
    """Every aqueduct is as long and ends where following its channels on the picture says."""
    picture = twins.Picture(state)
    assert [outlet.name for outlet in picture.outlets if outlet.name not in state.aqueducts] == []
    for outlet in picture.outlets:
        course = picture.course(outlet)
        aqueduct = state.aqueducts[outlet.name]
        assert (aqueduct.length, aqueduct.end) == (course.length, twins.end_text(course))
        assert (outlet.colour, outlet.seat) == (aqueduct.colour, aqueduct.seat)


def check_laying(state: State) -> None:
    if state.step == "build":
        assert {action.text for action in legal_of_kind(GAME, state, Build)} == twins.builds(state)
    if state.step == "fountain":
        assert {action.text for action in legal_of_kind(GAME, state, Fountain)} == twins.fountain_tiles(state)


def check_step(state: State, step: Step) -> None:
    """The facts of a step move builder and workers and close aqueducts as the twin does."""
    for event in step.events:
        if isinstance(event, e.BuilderMoved):
            space, corner = twins.walk_on(state, event.start)
            assert event.space == space
            passed = any(isinstance(other, e.FountainPassed) for other in step.events)
            assert passed == (corner and bool(event.laid))
        state = GAME.evolve(state, event)
    check_courses(state)
    if state.step == "close":
        picture = twins.Picture(state)
        for outlet in picture.outlets:
            goes_on = picture.can_go_on(picture.course(outlet))
            assert goes_on or state.aqueducts[outlet.name].status != "open"
            assert not goes_on or state.aqueducts[outlet.name].status != "blocked"


@settings(max_examples=12)
@given(games)
def test_random_games(game) -> None:
    for number, (state, _, step) in enumerate(game):
        check_step(state, step)
        if number % 4 == 0:
            check_sight(state)
            check_laying(state)
    assert list(scores(GAME, game[-1][2].state).totals) == twins.totals(game[-1][2].state)


@settings(max_examples=100)
@given(positions)
def test_random_positions(state) -> None:
    check_courses(state)
    check_sight(state)
    check_laying(state)


@settings(max_examples=60)
@given(positions, st.randoms(use_true_random=False))
def test_closing_in_random_positions(state, random) -> None:
    actions = legal_of_kind(GAME, state, Build if state.step == "build" else Fountain)
    for action in random.sample(actions, min(4, len(actions))):
        check_step(state, apply_unchecked(GAME, state, action))


@given(podiums)
def test_podiums(lengths) -> None:
    standing: dict[int, tuple[str, ...]] = {}
    for length in lengths:
        taken = {podium: len(there) for podium, there in standing.items()}
        podium = podium_for(standing, length)
        assert podium == twins.podium(taken, length)
        standing[podium] = (*standing.get(podium, ()), "red")


def test_what_the_random_tables_show() -> None:
    """The comparison would be worth little if nothing happened in these games and positions."""
    events = [event for seed in range(12) for _, _, step in played(seed) for event in step.events]
    names = {type(event).__name__ for event in events}
    assert {"FountainPassed", "PodiumMissed", "BuilderTaken", "AqueductClosed", "GameEnded"} <= names
    grown = [event for event in events if isinstance(event, e.AqueductGrown)]
    assert max(event.length for event in grown) > 12
    tables = [scattered(Random(seed)) for seed in range(40)]
    assert {state.step for state in tables} == {"build", "fountain"}
    assert max(aqueduct.length for state in tables for aqueduct in state.aqueducts.values()) > 3
    assert any(twins.Picture(state).joined() for seed in range(12) for state, _, _ in played(seed))
