"""Who has won, in one sentence: by points, by a tie-break, together, or nobody."""

from __future__ import annotations

import pytest

from companion.engine import scores
from companion.scoring import ScoreSheet, TieBreak
from companion.session.session import Session
from tests.every_game import EVERY_GAME, some_seats
from tests.session.evenings import clock, play_at_random
from tests.tables import table_of
from ui.services.text import translated_texts
from ui.table.score_sheet import compose_score, result_text

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
