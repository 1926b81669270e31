"""While a game runs, points already won are shown; what its end would take off stands on the score sheet."""

from random import Random

import pytest

from companion.engine import scores
from companion.registry import GAMES, load_game
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import clock
from tests.tables import table_of
from ui.menus.home import stored_card
from ui.results.past_games import PastGames
from ui.results.review import Review
from ui.services.speech import Speaker
from ui.services.text import translated_texts, use_language
from ui.shell.shell import Shell
from ui.simulated_table.players import seated
from ui.table.latest_moves import LatestMoves
from ui.table.presenter import Presenter
from ui.table.score_sheet import compose_score

HOUSES = 20


def played(actions: int, store: Store | None = None) -> Session:
    """A game of Thurn and Taxis of two after so many actions of players who mean to win, or at its end."""
    session = Session.create(store, table_of("thurn_and_taxis", 2), clock=clock(), game_id="evening")
    players, number = seated(session.game, session.state, Random(1)), 0
    while session.game.decide(session.state) is not None and number < actions:
        before, number = session.state, number + 1
        action = players.choose(before, Random(number))
        session.submit(action)
        players = players.after(before, action, session.state)
    return session


@pytest.fixture(scope="module")
def running() -> Session:
    return played(120)


@pytest.fixture(scope="module")
def over() -> Session:
    return played(5000)


def won(session: Session) -> list[int]:
    """The points of carriages, tiles and the like, counted without the engine's notion of them."""
    sheet = session.scores()
    return [
        sum(line.points for line in sheet.of(seat) if line.rule != "TT-SCORE-4") for seat in session.state.table.seats
    ]


def test_only_one_game_takes_points_off_at_its_end() -> None:
    deducting = {game: load_game(game).rules.deducting_at_end for game in GAMES}
    assert {game: set(rules) for game, rules in deducting.items() if rules} == {"thurn_and_taxis": {"TT-SCORE-4"}}


def test_a_game_opens_at_nothing_and_its_sheet_says_what_the_end_would_take_off() -> None:
    view = Presenter(played(0)).view()
    assert [player.points for player in view.players] == [0, 0]
    assert view.score is not None
    assert view.score.heading == "If it ended now"
    assert [row[2] for row in view.score.ranking] == [-HOUSES, -HOUSES]
    assert view.score.notes == ("Won so far: Player 1 0, Player 2 0. What is left over is only taken off at the end.",)


def test_players_of_a_running_game_have_what_they_have_won(running: Session) -> None:
    assert max(won(running)) > 0
    view = Presenter(running).view()
    assert [player.points for player in view.players] == won(running)
    assert view.score is not None
    sums = {seat: points for seat, _name, points, _rank in view.score.ranking}
    assert sums == dict(enumerate(running.scores().totals, 1))
    assert sums[1] < won(running)[0]
    assert any(line.rule == "TT-SCORE-4" for line in view.score.lines)


def test_the_sheet_speaks_the_language_of_the_table(running: Session) -> None:
    texts = translated_texts("thurn_and_taxis")
    use_language("de")
    heading = compose_score(running.game, running.state, texts).heading
    use_language("en")
    assert heading == "Wenn jetzt Schluss wäre"


def test_the_end_counts_everything(over: Session) -> None:
    view, sheet = Presenter(over).view(), over.scores()
    assert sheet.final
    assert min(line.points for line in sheet.lines) < 0
    assert [player.points for player in view.players] == list(sheet.totals)
    assert sheet.won == sheet
    assert view.score is not None
    assert view.score.heading == "Final score"
    assert not any(note.startswith("Won so far") for note in view.score.notes)


def test_a_game_ended_early_counts_everything_until_that_is_undone() -> None:
    session = played(60)
    presenter, before = Presenter(session), won(session)
    presenter.on_end_early("Time is up")
    assert [player.points for player in presenter.view().players] == list(session.scores().totals)
    assert list(session.scores().totals) != before
    session.undo()
    assert [player.points for player in presenter.view().players] == before


def test_moves_bring_what_they_win_and_none_costs_the_houses_left(over: Session) -> None:
    texts = translated_texts("thurn_and_taxis").at(over.table)
    moves = LatestMoves(over).view(texts, 10_000)
    assert all(move.points >= 0 for move in moves)
    for seat in over.state.table.seats:
        assert sum(move.points for move in moves if move.seat == seat) == won(over)[seat - 1]


def test_the_plot_of_a_game_begins_at_nothing_and_ends_with_the_sheet(over: Session) -> None:
    review = Review(over)
    series = review.view().series
    assert [line[0] for line in series] == [0, 0]
    assert all(points >= 0 for line in series for points in line[:-1])
    assert tuple(line[-1] for line in series) == scores(over.game, over.state).totals
    review.go(0)
    assert [player.points for player in review.view().players] == [0, 0]


def test_the_start_screen_and_the_past_games_show_what_is_won(tmp_path) -> None:
    with Store(tmp_path / "games.sqlite3") as store:
        session = played(120, store)
        card = stored_card(store, "evening")
        assert card is not None
        points = [points for _name, _colour, points in card.players]
        assert points == sorted(won(session), reverse=True)
        games = PastGames(Shell(store, tmp_path, speaker=Speaker(None)))
        while games.look_up():
            pass
        row = games.view().games[0]
        assert (row.state, row.points) == (
            "not finished", " · ".join(f"{name}: {points}" for name, _colour, points in card.players),
        )  # fmt: skip
        session.end_early("Time is up")
        card = stored_card(store, "evening")
        assert card is not None
        assert sorted(points for _name, _colour, points in card.players) == sorted(session.scores().totals)


def test_the_plot_knows_where_each_turn_ended(over: Session) -> None:
    view = Review(over).view()
    ends = [number for number, move in enumerate(over.moves, 1) if move.action == "end"]
    assert list(view.turns) == ends
    assert ends
