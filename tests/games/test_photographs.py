"""A game scored from its last board and a few answers comes to what the record of the whole game comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from companion.board.layout import EMPTY
from companion.engine import random_game, scores
from companion.errors import InvalidDocument
from companion.photographs.last_board import LastBoard
from companion.photographs.questions import Answer, answer_keys
from companion.position import table_document
from companion.registry import load_game
from tests.conformance import starting_state, zeal_of
from tests.every_game import EVERY_GAME, fewest_seats, named, own, seat_counts


def told(game_id: str, state: Any) -> dict[str, str]:
    """What the players answer at the end of a game; nothing where the board shows all."""
    answers: Callable[[Any], Iterable[tuple[str, str]]] = own(game_id, "answers", "last_board", lambda state: ())
    found, questions = dict(answers(state)), load_game(game_id).photograph_scoring.questions(state.table)
    asked = [key for _question, _seat, key in answer_keys(questions, state.table.seats)]
    assert found.keys() == set(asked), f"{named(game_id, 'answers', 'last_board')} answers {list(found)}, not {asked}"
    return found


def end_of(game_id: str, seats: int, seed: int) -> tuple[Any, Mapping[str, str]]:
    """The last state of a random game, and what then lies on the board."""
    game, random = load_game(game_id), Random(seed)
    state = starting_state(game_id, seats, random)
    *_, (_, _, last) = random_game(game, state, random, zeal_of(game_id))
    return last.state, game.appearance(last.state)


@pytest.mark.parametrize(("game_id", "seats"), [(game, seats) for game in EVERY_GAME for seats in seat_counts(game)])
def test_the_last_board_and_the_answers_give_the_score_of_the_record(game_id: str, seats: int) -> None:
    game = load_game(game_id)
    for seed in range(3):
        state, look = end_of(game_id, seats, seed)
        assert game.decide(state) is None
        entries = {key: value for key, value in table_document(state.table).items() if key != "game"}
        found = LastBoard(game, state.table.board, entries, look).position(told(game_id, state))
        assert game.decide(found.state) is None
        assert scores(game, found.state).totals == scores(game, state).totals


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_podiums_and_open_aqueducts_give_the_score_of_aqua_romana(seats: int) -> None:
    game, random = load_game("aqua_romana"), Random(seats)
    state = starting_state("aqua_romana", seats, random)
    compared = 0
    for before, _, step in random_game(game, state, random):
        over = game.decide(step.state) is None
        if not over and (before.step != "build" or compared > 40):
            continue
        shown = step.state if over else before
        entries = {key: value for key, value in table_document(shown.table).items() if key != "game"}
        answers = told("aqua_romana", shown)
        found = LastBoard(game, shown.table.board, entries, game.appearance(shown)).position(answers)
        assert game.decide(found.state) is None
        if over:
            assert scores(game, found.state).totals == scores(game, shown).totals
        compared += 1
    assert over
    assert compared > 10


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_kinds_of_pieces_that_do_not_count_change_no_score(game_id: str) -> None:
    state, look = end_of(game_id, fewest_seats(game_id), 0)
    game, board, answers = load_game(game_id), state.table.board, told(game_id, state)
    entries = {key: value for key, value in table_document(state.table).items() if key != "game"}
    last = LastBoard(game, board, entries, look)
    before = scores(game, last.position(answers).state)
    spots = [spot for sheet in board.sheets for spot in sheet.spots.values()]
    assert {spot.piece for spot in spots} >= set(game.photograph_scoring.counted)
    for spot in spots[::5]:
        for label in (EMPTY, *spot.labels) if spot.piece not in game.photograph_scoring.counted else ():
            other = {name: each for name, each in {**look, spot.name: label}.items() if each != EMPTY}
            with suppress(InvalidDocument):
                assert scores(game, last.looking(other).position(answers).state) == before, spot.name


@pytest.mark.parametrize(
    ("game_id", "look", "answers", "reason"),
    [
        ("city_of_marble", {"building G7": "temple"}, {}, "no cube is on it"),
        ("city_of_marble", {"building G7": "temple", "cube G7": "green"}, {}, "which nobody plays"),
        ("city_of_marble", {"aqueduct G7-H7": "grey"}, {}, "no grey pieces lead to it"),
        ("city_of_marble", {}, {"coins.1": "many"}, "must be a number from 0 to 99"),
        ("city_of_marble", {}, {"coins.3": "1"}, "is not asked"),
        ("city_of_marble", {}, {"imperium.1": "forum 2"}, "must be one of temple"),
        ("city_of_marble", {}, {"imperium.1": "baths"}, "is 'baths'; it must be kinds with their numbers, as temple 2"),
        ("capitol", {"floor Palatine/3": "2"}, {}, "it has no roof"),
        ("capitol", {"dome Palatine/3": "red"}, {}, "a roof without floors"),
        ("thurn_and_taxis", {}, {"carriage.1": "2"}, "must be one of 0, 3"),
        ("aqua_romana", {"finisher podium/5": "red", "finisher podium/6": "red", "finisher podium/8": "red",
                         "finisher podium/9": "red"}, {}, "no more workers"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_with_its_place(
    game_id: str, look: dict[str, str], answers: dict[str, str], reason: str
) -> None:
    game = load_game(game_id)
    board = starting_state(game_id, 2, Random(1)).table.board
    with pytest.raises(InvalidDocument, match=reason):
        LastBoard(game, board, {"players": 2}, look).position(answers)


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_every_game_can_be_scored_from_a_picture_whose_questions_have_names_of_their_own(game_id: str) -> None:
    state, _look = end_of(game_id, fewest_seats(game_id), 3)
    questions = load_game(game_id).photograph_scoring.questions(state.table)
    assert len({question.name for question in questions}) == len(questions)
    asked = {key for _question, _seat, key in answer_keys(questions, state.table.seats)}
    assert told(game_id, state).keys() <= asked


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_a_number_that_is_not_told_is_none(game_id: str) -> None:
    state, look = end_of(game_id, fewest_seats(game_id), 0)
    game, entries = (
        load_game(game_id),
        {key: each for key, each in table_document(state.table).items() if key != "game"},
    )
    questions = game.photograph_scoring.questions(state.table)
    numbers = [question for question in questions if question.answer is Answer.NUMBER or "0" in question.choices]
    none = {key: "0" for _question, _seat, key in answer_keys(numbers, state.table.seats)}
    last = LastBoard(game, state.table.board, entries, look)
    others = {key: answer for key, answer in told(game_id, state).items() if key not in none}
    assert scored(last, others) == scored(last, others | none)
    assert scored(last, others | dict.fromkeys(none, "")) == scored(last, others | none)


def scored(last: LastBoard, answers: Mapping[str, str]) -> object:
    """The score with these answers, or why there is none."""
    try:
        found = last.position(answers)
    except InvalidDocument as error:
        return str(error)
    return scores(found.game, found.state)
