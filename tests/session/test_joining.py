"""Every game is joined from its board and a few answers, and goes on, is undone, kept, verified and scored."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.engine import apply_unchecked
from companion.errors import InvalidDocument, SessionError
from companion.exports.report import check_document, score_document
from companion.frozen import FrozenDict
from companion.games.city_of_marble.events import BridgeTaken
from companion.photographs.joining import joined_position, seated
from companion.photographs.questions import answer_keys
from companion.position import Position, parse_position, position_text
from companion.registry import load_game
from companion.session.record import read_record, record_text
from companion.session.rejudging import verify
from companion.session.session import Session
from tests.every_game import EVERY_GAME, at_most, named, own, some_seats
from tests.session.evenings import clock, play_at_random
from tests.tables import table_of


def begins_turn(game: str, state: Any) -> bool:
    """Whether a game can be joined in a position."""
    begins: Callable[[Any], bool] = own(game, "answers", "begins_turn", lambda state: True)
    return begins(state)


def answers(game: str, state: Any) -> dict[str, str]:
    """What people at the table would answer."""
    told: Callable[[Any], Iterable[tuple[str, str]]] = own(game, "answers", "joining", whose_turn_it_is)
    return dict(told(state))


def whose_turn_it_is(state: Any) -> Iterator[tuple[str, str]]:
    """The answer to the only question of a game whose position lies on the board."""
    yield "to_move", state.table.colour(state.to_move)


def under_way(game: str, actions: int, seed: int, seats: int = 0) -> Session:
    """A game that nobody records, at the beginning of a turn."""
    session = Session.create(None, table_of(game, seats or some_seats(game, 1)), clock=clock())
    random = Random(seed)
    while len(session.entries) < at_most(game, actions) or not begins_turn(game, session.state):
        session.submit(random.choice(session.legal_actions()))
    return session


def join(session: Session) -> Position:
    rules, state = session.game, session.state
    look, told = rules.appearance(state), answers(rules.info.id, state)
    questions = rules.mid_game_joining.questions(state.table, look)
    asked = {key for question, _seat, key in answer_keys(questions, state.table.seats) if not question.usual}
    missing = sorted(asked - told.keys())
    assert not missing, f"{named(rules.info.id, 'answers', 'joining')} leaves {', '.join(missing)} without an answer"
    return joined_position(rules, state.table, look, told)


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize(("actions", "seed"), [(0, 1), (15, 2), (40, 3)])
def test_a_game_is_joined_as_it_lies_and_goes_on(game: str, actions: int, seed: int) -> None:
    real = under_way(game, actions, seed)
    rules = real.game
    state = join(real).state
    assert rules.appearance(state) == rules.appearance(real.state)
    joinable = f"a game cannot be joined here; {named(game, 'answers', 'begins_turn')} tells where it can"
    assert rules.decide(state) == rules.decide(real.state), joinable
    for seat in state.table.seats:
        assert rules.holdings(state, seat) == rules.holdings(real.state, seat)
    session = Session.create(None, state.table, rules.state_document(state), clock=clock(), game_id="joined")
    assert session.state == state
    assert session.scores().totals == real.scores().totals
    play_at_random(session, 25, seed)
    again = read_record(record_text(session.log), "record")
    assert verify(again) == []
    assert again.state == session.state
    assert again.record_status.joined
    assert check_document(again, [])["joined"]
    while session.can_undo() is not None:
        session.undo()
    with pytest.raises(SessionError, match="nothing to undo"):
        session.undo()
    assert session.state == state
    words = score_document(rules, session.state, session.record_status)["words"]
    assert words[0] == "Joined in progress: what was played before is not in the record."


@pytest.mark.parametrize(
    ("game", "answer", "value", "expected"),
    [
        ("city_of_marble", "final_turns", "2", lambda state: state.final == 2),
        ("city_of_marble", "final_turns", "0", lambda state: state.final is None),
        ("capitol", "round", "2", lambda state: state.round == 2),
        ("capitol", "points.2", "7", lambda state: state.holding(2).points == 7),
    ],
)
def test_an_answer_is_found_again_in_the_position(
    game: str, answer: str, value: str, expected: Callable[[Any], bool]
) -> None:
    rules, table = load_game(game), table_of(game, 3)
    look = rules.appearance(rules.setup(table))
    assert expected(joined_position(rules, table, look, {answer: value}).state)


def test_turns_without_a_tile_go_on_being_counted() -> None:
    session = under_way("aqua_romana", 40, 3)
    look, told = session.game.appearance(session.state), answers("aqua_romana", session.state)
    assert joined_position(session.game, session.table, look, told | {"idle": "1"}).state.idle == 1


def test_the_first_buildings_of_capitol_that_stand_are_before_nobody() -> None:
    rules, table = load_game("capitol"), table_of("capitol", 3)
    start = rules.setup(table)
    look = dict(rules.appearance(start)) | {"floor Palatine/1": "2", "dome Palatine/1": table.colour(2)}
    usual = {each.name: each.usual for each in rules.mid_game_joining.questions(table, look)}
    assert usual["completed_round"] == ("1 2", "1", "1 2")
    assert usual["completed_triangular"] == ("1 2", "1 2", "1 2")


def test_an_auction_of_capitol_is_joined() -> None:
    session = under_way("capitol", 0, 1)
    table = session.state.table
    look = session.game.appearance(session.state)
    texts = {"phase": "improvement", "auction": "2", "first": table.colour(2)}
    decision = session.game.decide(joined_position(session.game, table, look, texts).state)
    assert (decision.step, decision.actors[0]) == ("bid", 2)
    drawing = joined_position(session.game, table, look, {"phase": "drawing", "to_move": table.colour(3)}).state
    assert session.game.decide(drawing).step == "draw"


def test_the_hills_are_those_that_lie_there_not_those_that_were_told() -> None:
    session = under_way("city_of_marble", 0, 1)
    hills = dict(list(session.table.board.features["hill"].items())[-3:])
    look = {spot: label for spot, label in session.game.appearance(session.state).items() if label != "hill"}
    look |= {f"hill {site}": "hill" for site in hills.values()}
    position = joined_position(session.game, session.table, look, {})
    assert set(position.state.table.options["hills"]) == set(hills)


@pytest.mark.parametrize(
    ("game", "look", "texts", "message"),
    [
        ("city_of_marble", {"building H7": "temple"}, {}, "is a temple of nobody: no cube is on it"),
        ("city_of_marble", {}, {"coins.1": "many"}, "it must be a number from 0 to 99"),
        ("city_of_marble", {}, {"atrium.1": "red 13"}, "red"),
        ("aqua_romana", {}, {"held.1": "joker, joker"}, "joker"),
        ("capitol", {}, {"hand.1": "roof 20"}, "roof"),
        ("thurn_and_taxis", {}, {"hand.1": "9", "route.1": "Basel, Innsbruck"}, "does not go on from Basel"),
        ("thurn_and_taxis", {}, {"coins.1": "3"}, "is not asked"),
    ],
)
def test_what_cannot_be_is_refused_by_the_position(
    game: str, look: dict[str, str], texts: dict[str, str], message: str
) -> None:
    rules, table = load_game(game), table_of(game, 3)
    lying = dict(rules.appearance(rules.setup(table))) | look
    with pytest.raises(InvalidDocument, match=message):
        joined_position(rules, table, lying, texts)


@pytest.mark.parametrize(
    ("game", "stray", "message"),
    [
        ("city_of_marble", {"magistrate I5-I6": "purple"}, "magistrate I5-I6: shows purple, .* nothing lies there$"),
        ("city_of_marble", {"cube I4": "white"}, "cube I4: shows white"),
        ("aqua_romana", {"worker G4/E": "green", "worker G5/E": "blue"}, "worker G4/E.* nor do worker G5/E$"),
        ("thurn_and_taxis", {"house yellow/Ulm": "yellow"}, "house yellow/Ulm: shows yellow"),
        ("thurn_and_taxis", {"house blue/Ulm": "green"}, "house blue/Ulm: shows green"),
    ],
)
def test_nothing_that_lies_on_the_board_is_dropped_unsaid(game: str, stray: dict[str, str], message: str) -> None:
    rules, table = load_game(game), table_of(game, 3)
    look = dict(rules.appearance(rules.setup(table))) | stray
    with pytest.raises(InvalidDocument, match=message):
        joined_position(rules, table, look, {})


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_joined_board_shows_all_that_lay_there_or_is_refused_by_name(game: str) -> None:
    real, random = under_way(game, 40, 3), Random(5)
    rules, texts = real.game, answers(game, real.state)
    spots = [spot for sheet in real.table.board.sheets for spot in sheet.spots.values()]
    refused = []
    for _ in range(40):
        spot = random.choice(spots)
        look = dict(rules.appearance(real.state)) | {spot.name: random.choice(spot.labels)}
        try:
            state = joined_position(rules, real.table, look, texts).state
        except InvalidDocument as error:
            refused.append(error.entry)
        else:
            assert look.items() <= rules.appearance(state).items()
    assert all(refused)


def test_a_position_of_a_file_is_taken_by_the_people_who_sit_there() -> None:
    real = under_way("city_of_marble", 20, 4)
    position = parse_position(position_text(real.game, real.state), "position.toml")
    taken = seated(position, table_of("city_of_marble", 3, hill_contact="corner"))
    assert taken.state.table.rulings["hill_contact"] == "corner"
    assert real.game.appearance(taken.state) == real.game.appearance(real.state)
    for other, message in (
        (table_of("city_of_marble", 2), "are 3 in that position, and 2 sit here"),
        (table_of("capitol", 3), "is Rome: City of Marble"),
    ):
        with pytest.raises(InvalidDocument, match=message):
            seated(position, other)


def test_carriages_that_are_not_on_the_map_have_arrived_and_their_tiles_are_asked_for() -> None:
    rules, plain = load_game("thurn_and_taxis"), table_of("thurn_and_taxis", 2)
    table = replace(plain, options=FrozenDict(modules=("both",)))
    look = {spot: label for spot, label in rules.appearance(rules.setup(table)).items() if label != "Baden"}
    look |= {f"audience {table.colour(1)}/bishop": table.colour(1)}
    asked = [question.name for question in rules.mid_game_joining.questions(table, look)]
    assert asked[-3:] == ["chips", "offices", "told_Baden"]
    with pytest.raises(InvalidDocument, match="rank"):
        joined_position(rules, table, look, {})
    state = joined_position(rules, table, look, {"told_Baden.1": "bishop", "told_Baden.2": "deacon"}).state
    assert state.audience.told["Baden"] == ("bishop", "deacon")
    assert rules.appearance(state) == look | {"carriage Baden/Rom": "Baden"}


def test_a_joined_game_of_capitol_has_as_many_tiles_as_were_auctioned_off() -> None:
    session = under_way("capitol", 0, 1)
    rules, table = session.game, session.table
    squares = [square for small in session.state.board.small.values() for square in small]
    free = [square for square in squares if square not in session.state.board.fountains]
    look = {f"fountain {square}": "fountain" for square in free[:5]}
    usual = {question.name: question.usual for question in rules.mid_game_joining.questions(table, look)}
    assert (usual["round"], usual["phase"]) == (("4",), ("construction",))
    assert joined_position(rules, table, look, {}).state.round == 4
    with pytest.raises(InvalidDocument, match="by then 4 fountain tiles can be on the board, not 5"):
        joined_position(rules, table, look, {"round": "3"})
    assert joined_position(rules, table, look, {"round": "3", "phase": "improvement", "auction": "2"})
    large = list(session.state.board.large.values())
    monuments = {f"monument {square}": "amphitheatre" for square in large[:2]}
    with pytest.raises(InvalidDocument, match="1 amphitheatre tiles can be on the board, not 2"):
        joined_position(rules, table, monuments, {"round": "2"})


def test_a_joined_game_has_no_bridge_tile_twice() -> None:
    session = under_way("city_of_marble", 0, 1)
    look = session.game.appearance(session.state)
    with pytest.raises(InvalidDocument, match="there are 7, but 7 lie on the board and players hold 2"):
        joined_position(session.game, session.table, look, {"bridges.1": "2"})


def test_nothing_is_recorded_that_its_record_could_not_be_read_with() -> None:
    real = under_way("city_of_marble", 0, 1)
    document = real.game.state_document(real.state)
    document["player"]["1"]["bridges"] = len(real.state.board.bridges)
    session = Session.create(None, real.table, document, clock=clock())
    while not (taking := [action for action in session.legal_actions() if takes_a_bridge(session, action)]):
        play_at_random(session, 1, len(session.entries))
    entries = len(session.entries)
    with pytest.raises(SessionError, match="hold 8 bridge tiles"):
        session.submit(taking[0])
    assert len(session.entries) == entries
    assert verify(read_record(record_text(session.log), "record")) == []
    session.correct({"player": {"1": {"bridges": 0}}}, "counted again")
    assert session.submit(taking[0]).entry is not None


def takes_a_bridge(session: Session, action: Any) -> bool:
    consequences = apply_unchecked(session.game, session.state, action).consequences
    return any(isinstance(consequence.event, BridgeTaken) for consequence in consequences)
