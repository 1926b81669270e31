"""Who has won, in one sentence: by points, by a tie-break, together, or nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.engine import scores
from companion.record_status import PLAIN, RecordStatus
from companion.scoring import ScoreSheet, TieBreak
from companion.session.session import Session
from tests.every_game import EVERY_GAME, some_seats
from tests.session.evenings import clock, play_at_random
from tests.tables import table_of
from ui.services.text import translated_texts
from ui.table.score_sheet import compose_score, result_text, status_notes, tie_break_notes
from ui.view_models.play_view import ScoreView

NAMES = ("Anna", "Bruno", "Clelia")
COINS, ORDER = TieBreak("T-1", "coins", (4, 4, 2)), TieBreak("T-2", "turn order", (1, 2, 3), is_order=True)


@pytest.mark.parametrize(
    ("totals", "tie_breaks", "left", "expected"),
    [
        ((9, 30, 12), (COINS,), (), "Bruno wins: 30 to 12, 9."),
        ((30, 9, 30), (COINS, ORDER), (), "Anna wins: equal points, decided by coins."),
        ((30, 30, 30), (COINS, ORDER), (), "Bruno wins: equal points, decided by turn order."),
        ((30, 30, 30), (COINS,), (), "Shared victory: Anna, Bruno."),
        ((30, 30, 9), (COINS,), (1,), "Bruno wins: 30 to 9."),
    ],
)
def test_the_winner_is_named_with_what_decided(
    totals: tuple[int, ...], tie_breaks: tuple[TieBreak, ...], left: tuple[int, ...], expected: str
) -> None:
    sheet = ScoreSheet((), totals, tie_breaks, final=True, left=frozenset(left))
    assert result_text(sheet, NAMES) == expected


def test_nobody_has_won_before_the_end() -> None:
    assert result_text(ScoreSheet((), (9, 30, 12), (COINS,), final=False), NAMES) == ""


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_game_ends_with_a_result_that_names_its_winners(game: str) -> None:
    session = Session.create(None, table_of(game, some_seats(game, 1)), clock=clock())
    texts = translated_texts(game)
    assert compose_score(session.game, session.state, texts).result == ""
    play_at_random(session, 5000, 3)
    result = compose_score(session.game, session.state, texts).result
    winners = scores(session.game, session.state).winners
    assert winners
    assert all(session.table.players[seat - 1].name in result for seat in winners)


@pytest.mark.parametrize(
    ("totals", "tie_breaks", "left", "expected"),
    [
        ((9, 30, 12), (COINS,), (), []),
        (
            (30, 9, 30),
            (COINS, ORDER),
            (),
            [
                "Equal points are decided by coins: Anna 4, Bruno 4, Clelia 2.",
                "Equal points are decided by turn order: Clelia, Bruno, Anna.",
                "Places of those with equal points: 1. Anna, 2. Clelia.",
            ],
        ),
        (
            (30, 30, 9),
            (COINS,),
            (),
            [
                "Equal points are decided by coins: Anna 4, Bruno 4, Clelia 2.",
                "All of that is equal: the victory is shared.",
            ],
        ),
        ((30, 9, 30), (COINS,), (1,), []),
        (
            (30, 30, 30),
            (COINS,),
            (3,),
            ["Equal points are decided by coins: Anna 4, Bruno 4.", "All of that is equal: the victory is shared."],
        ),
    ],
)
def test_what_decides_between_equal_points_is_noted(
    totals: tuple[int, ...], tie_breaks: tuple[TieBreak, ...], left: tuple[int, ...], expected: list[str]
) -> None:
    sheet = ScoreSheet((), totals, tie_breaks, final=True, left=frozenset(left))
    assert list(tie_break_notes(sheet, NAMES)) == expected
    assert not list(tie_break_notes(replace(sheet, final=False), NAMES))


def test_how_a_game_went_beside_its_rules_is_noted() -> None:
    assert not list(status_notes(RecordStatus(), NAMES))
    assert list(status_notes(RecordStatus(joined=True, ended=True, left=frozenset({3, 1})), NAMES)) == [
        "Joined in progress: what was played before is not in the record.",
        "Anna left before the end, keeps the points and has no place.",
        "Clelia left before the end, keeps the points and has no place.",
        "The points are those of the moment at which the game was ended; nobody has won.",
    ]


def test_a_sheet_is_headed_by_how_far_the_game_is_and_ranks_who_left_last() -> None:
    session = Session.create(None, table_of("capitol", 3), clock=clock())
    texts = translated_texts("capitol")
    sheet = ScoreSheet((), (5, 9, 7), (), final=False, left=frozenset({2}))

    def composed(status: RecordStatus = PLAIN, *, final: bool = False) -> ScoreView:
        return compose_score(session.game, session.state, texts, status, replace(sheet, final=final))

    found = [composed(), composed(RecordStatus(ended=True)), composed(final=True)]
    assert [(each.heading, each.final) for each in found] == [
        ("Score so far", False),
        ("Ended early", True),
        ("Final score", True),
    ]
    assert [(row[0], row[2], row[3]) for row in found[0].ranking] == [(3, 7, 1), (1, 5, 2), (2, 9, 0)]


@pytest.mark.parametrize(("totals", "left", "places"), [((0, 0, 0), (), [0, 0, 0]), ((0, 4, 0), (2,), [0, 0, 0])])
def test_while_all_are_level_nobody_has_a_place_before_the_end(
    totals: tuple[int, ...], left: tuple[int, ...], places: list[int]
) -> None:
    session = Session.create(None, table_of("capitol", 3), clock=clock())
    sheet = ScoreSheet((), totals, (), final=False, left=frozenset(left))
    texts = translated_texts("capitol")
    running = compose_score(session.game, session.state, texts, sheet=sheet)
    assert [row[3] for row in running.ranking] == places
    over = compose_score(session.game, session.state, texts, sheet=replace(sheet, final=True))
    assert [row[3] for row in over.ranking if row[0] not in left] == [1] * (3 - len(left))
