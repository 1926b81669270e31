"""The engine and its slow twin agree in random games over every set of modules, under random rulings."""

from functools import cache
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.engine import Step, legal_of_kind, random_game, scores
from companion.files.documents import DocumentTable
from companion.games.thurn_and_taxis import events as e
from companion.games.thurn_and_taxis.actions import Play, Return
from companion.games.thurn_and_taxis.game import GAME
from companion.games.thurn_and_taxis.state import BEGIN, CLOSE, PLAY, State, step_of
from companion.position import position_document, read_position
from tests.conformance import starting_state
from tests.games.thurn_and_taxis import twins
from tests.games.thurn_and_taxis.components import zeal

GAINS = (e.BonusTaken, e.CarriageTaken, e.OfficialUsed, e.OfficeGained, e.EndTriggered, e.CardsUnused)
PLAYED = 12


def liked(action: Any) -> float:
    """Players who collect the tiles of all officials before they return any."""
    return zeal(action) * (10.0 ** len(action.kinds) if isinstance(action, Return) else 1.0)


@cache
def played(seed: int) -> tuple[tuple[State, Any, Step], ...]:
    """A random game of 2 to 4 players with random modules under random rulings."""
    random = Random(seed)
    start = starting_state("thurn_and_taxis", random.randint(2, 4), random)
    return tuple(random_game(GAME, start, random, liked))


games = st.integers(0, PLAYED - 1).map(played)


def document(state: State) -> dict[str, Any]:
    return position_document(GAME, state)


def check_plays(state: State) -> None:
    """The first card of a turn; the second one is the Postal carrier's, who may have another official before him."""
    allowed = {(action.card, action.end) for action in legal_of_kind(GAME, state, Play)}
    if step_of(state) in (PLAY, BEGIN) or (step_of(state) == CLOSE and not state.official):
        assert allowed == twins.plays(document(state))
    else:
        assert allowed == set()


def check_closing(state: State, gained: list[Any]) -> None:
    """`state` is as the houses stand, `gained` what follows."""
    before = document(state)
    assert twins.housing_is_done(before)
    brought = twins.closing(before)
    assert [f"{event.stack} {event.value}" for event in gained if isinstance(event, e.BonusTaken)] == brought["tiles"]
    assert [event.carriage for event in gained if isinstance(event, e.CarriageTaken)] == [
        number for number in (brought["carriage"],) if number
    ]
    assert any(isinstance(event, e.OfficialUsed) for event in gained) == brought["cartwright"]
    assert any(isinstance(event, e.EndTriggered) for event in gained) == brought["ends"]
    assert [card for event in gained if isinstance(event, e.CardsUnused) for card in event.cards] == brought["unused"]


def check_step(state: State, step: Step) -> None:
    """What a step brings, each fact looked at in the position in which it happens."""
    events = step.events
    for number, event in enumerate(events):
        following = list(events[number + 1 :])
        end = next((place for place, each in enumerate(following) if not isinstance(each, GAINS)), len(following))
        before, state = state, GAME.evolve(state, event)
        if isinstance(event, e.HousingEnded):
            check_closing(before, following[:end])
        elif isinstance(event, e.HouseGranted):
            tiles = [f"{each.stack} {each.value}" for each in following[:end] if isinstance(each, e.BonusTaken)]
            assert tiles == twins.province_tiles(document(state), event.seat)
        elif isinstance(event, e.TileTold) and state.audience is not None and not state.audience.telling:
            then = document(before)["audience"]
            brought = [*then["told"].get(event.carriage, []), event.rank]
            after = document(step.state)["audience"]["rome"]
            assert after == twins.audience(then["rome"], brought)


def check_scores(state: State) -> None:
    sheet = scores(GAME, state)
    assert list(sheet.totals) == twins.points(document(state))
    assert list(sheet.ranks) == twins.ranks(document(state))


@settings(max_examples=PLAYED)
@given(games)
def test_random_games(game) -> None:
    for number, (state, _, step) in enumerate(game):
        if number % 7 == 0:
            check_plays(state)
        check_step(state, step)
    for state, _, _ in game[:: len(game) // 8]:
        check_scores(state)
    check_scores(game[-1][2].state)


@settings(max_examples=200)
@given(st.integers(0, 2**32).map(Random))
def test_plays_in_random_positions(random: Random) -> None:
    """Routes, hands and open cards that no game need have led to."""
    cities = [city for names in twins.PROVINCES.values() for city in names.split()]
    deck = random.sample(cities * 3, 66)
    route = [deck.pop()]
    for _ in range(random.randint(0, 8)):
        near = [city for city in cities if {city, route[-1]} in twins.roads() and city not in route]
        if near:
            route.append(random.choice(near))
            deck.remove(route[-1])
    hand = [deck.pop() for _ in range(random.randint(1, 5))] + ["?"] * random.randint(0, 2)
    entries = {
        "game": "thurn_and_taxis",
        "stage": "play",
        "display": [deck.pop() for _ in range(6)],
        "discards": [deck.pop() for _ in range(random.randint(0, len(deck) - 2))],
        "player": {"1": {"route": random.choice([route, []]), "hand": hand}},
    }
    check_plays(read_position(DocumentTable(entries, "random", "")).state)


def test_what_the_random_games_show() -> None:
    """The comparison would be worth little if nothing happened in these games."""
    events = {type(event).__name__ for seed in range(PLAYED) for _, _, step in played(seed) for event in step.events}
    assert {
        "BonusTaken", "CarriageTaken", "CardsUnused", "TilesAdmitted", "TilesDismissed", "HouseGranted", "ChipGained",
        "CardEarned", "RewardDeclined", "GameEnded",
    } <= events  # fmt: skip
    tables = {(len(game[0][0].holdings), game[0][0].table.options["modules"]) for game in map(played, range(PLAYED))}
    assert {seats for seats, _ in tables} == {2, 3, 4}
    assert {modules for _, modules in tables} == {("none",), ("audience",), ("offices",), ("both",)}
