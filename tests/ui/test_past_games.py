"""Past games, their review and the start screen's offers, without a screen."""

import json
import sqlite3
import time

import numpy as np
import pytest

from companion.engine import scores
from companion.errors import StoreError
from companion.session.cutouts import cut_outs_beside, cut_outs_of
from companion.session.record import read_record
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import eventful_session, new_session, play_at_random
from ui.menus.home import home_offers
from ui.results.past_games import PastGames
from ui.results.review import Review
from ui.services.speech import Speaker
from ui.setup.wizard import Wizard
from ui.shell.shell import Shell
from ui.view_models.play_view import PieceState
from vision.cutouts import cut_out, encoded
from vision.location.flat_pose import FlatPose
from vision.spots.spot_light import SpotLight


@pytest.fixture
def shell(tmp_path):
    with Store(tmp_path / "games.sqlite3") as store:
        yield Shell(store, tmp_path, speaker=Speaker(None))


@pytest.fixture
def games(shell):
    for number in range(3):
        play_at_random(new_session(shell.store, 2 + number, f"game-{number}"), 10 * number, seed=number)
    return PastGames(shell, page_size=2)


def ids(games):
    return [game.id for game in games.view().games]


def test_games_are_listed_page_by_page(games):
    assert ids(games) == ["game-0", "game-1"]
    assert (games.view().page, games.view().can_turn_back, games.view().can_turn_on) == ("Page 1 of 2", False, True)
    games.turn(1)
    assert ids(games) == ["game-2"]
    games.turn(1)
    assert ids(games) == ["game-2"]
    assert "20 entries" in games.view().games[0].detail
    assert games.view().games[0].state == "not finished"
    games.turn(-9)
    assert ids(games) == ["game-0", "game-1"]


def test_games_are_searched_by_names_titles_and_days(games, shell):
    assert games.view().can_search
    games.turn(1)
    games.choose("game-2")
    with sqlite3.connect(shell.store.path) as connection:
        connection.execute("UPDATE games SET header = replace(header, 'Player 2', 'Giulia') WHERE id != 'game-0'")
        connection.execute("UPDATE games SET header = replace(header, 'Player 1', 'Tiberio') WHERE id = 'game-2'")
    games.search("GIULIA")
    assert ids(games) == ["game-1", "game-2"]
    assert (games.view().page, games.chosen) == ("", "")
    games.search("marble tiberio giulia")
    assert ids(games) == ["game-2"]
    games.search("27/11/2026")
    assert games.view().page == "Page 1 of 2"
    games.search("capitol")
    assert (ids(games), games.view().empty) == ([], "No game has all these words.")
    games.search("  ")
    assert ids(games) == ["game-0", "game-1"]


def test_a_game_whose_first_line_is_damaged_is_found_by_its_title_and_hides_no_other(games, shell):
    with sqlite3.connect(shell.store.path) as connection:
        connection.execute("UPDATE games SET header = '{' WHERE id = 'game-1'")
    games.search("player")
    assert ids(games) == ["game-0", "game-2"]
    games.search("marble")
    assert ids(games) == ["game-0", "game-1"]


def read_all(games):
    while games.look_up():
        time.sleep(0.01)
    return {game.id: game for game in games.view().games}


def test_a_page_tells_who_has_how_many_points_and_shows_the_boards(games, shell):
    Session.open(shell.store, "game-1").end_early("late")
    assert all(game.card is None for game in games.view().games)
    rows = read_all(games)
    assert sorted(rows) == ["game-0", "game-1"]
    assert [rows[key].state for key in sorted(rows)] == ["not finished", "Ended early"]
    session = Session.open(shell.store, "game-1")
    for (name, _colour, points), told in zip(
        rows["game-1"].card.players, rows["game-1"].points.split(" · "), strict=True
    ):
        assert told == f"{name}: {points}"
        assert points in session.scores().totals
    assert rows["game-1"].card.look == dict(session.game.appearance(session.state))
    assert rows["game-1"].card.players[0][0] not in rows["game-1"].detail
    games.turn(1)
    assert sorted(read_all(games)) == ["game-2"]
    play_at_random(Session.open(shell.store, "game-2"), 1, seed=2)
    assert games.view().games[0].card is None
    assert read_all(games)["game-2"].card is not None


def test_a_finished_game_says_who_has_won(shell):
    session = new_session(shell.store, 2, "whole")
    play_at_random(session, 1000, seed=3)
    assert session.is_over
    (row,) = read_all(PastGames(shell)).values()
    names = [player.name for player in session.table.players]
    winners = ", ".join(names[seat - 1] for seat in session.scores().winners)
    assert (", ".join(row.card.winners), row.state) == (winners, f"{winners} won")


def test_a_game_is_deleted_only_after_asking(games, shell):
    games.choose("game-1")
    games.answer(delete=True)
    assert len(shell.store.games()) == 3
    games.ask_to_delete()
    assert "for good?" in games.view().question
    games.answer(delete=False)
    assert (len(shell.store.games()), games.view().question) == (3, "")
    games.ask_to_delete()
    games.answer(delete=True)
    assert ids(games) == ["game-0", "game-2"]
    with pytest.raises(StoreError, match="there is no game game-1"):
        shell.store.read("game-1")
    with pytest.raises(StoreError, match="there is no game game-1"):
        shell.store.delete("game-1")
    with pytest.raises(StoreError, match="there is no game game-1"):
        shell.store.header("game-1")


def test_touching_another_game_takes_the_question_back(games, shell):
    games.choose("game-1")
    games.ask_to_delete()
    games.choose("game-2")
    games.answer(delete=True)
    assert len(shell.store.games()) == 3


def test_the_open_table_is_left_before_its_game_is_deleted(games, shell):
    shell.resume("game-2")
    games.choose("game-2")
    games.ask_to_delete()
    games.answer(delete=True)
    assert shell.table_loop is None
    shell.tick()


def test_an_exported_game_can_be_read_again(games, shell):
    games.choose("game-2")
    folder = games.export()
    assert str(folder) in games.view().note
    assert read_record((folder / "record.jsonl").read_text(), "record").header.id == "game-2"
    assert json.loads((folder / "score.json").read_text())["game"] == "city_of_marble"
    assert (folder / "score.html").stat().st_size > 1000


def test_what_the_camera_saw_is_exported_and_deleted_with_its_game(games, shell, tmp_path):
    kept = cut_outs_of(tmp_path, "game-1")
    kept.keep(3, b"seen")
    games.choose("game-1")
    assert cut_outs_beside(games.export() / "record.jsonl").read(3) == b"seen"
    games.ask_to_delete()
    games.answer(delete=True)
    assert kept.read(3) is None


def test_an_empty_store_says_so(shell):
    games = PastGames(shell)
    assert games.view().empty == "No game has been played yet."
    assert [offer.key for offer in home_offers(shell)] == ["new"]


def test_unfinished_games_come_first_and_the_latest_can_be_played_again(games, shell):
    Session.open(shell.store, "game-0").end_early("late")
    offers = home_offers(shell)
    assert [offer.key for offer in offers] == ["continue game-1", "continue game-2", "again game-0", "new"]
    assert offers[0].title == "Go on: Rome: City of Marble"
    assert offers[2].detail == ", ".join(player.name for player in shell.store.header("game-0").table.players)


def test_a_game_that_is_under_way_is_never_offered_once_more(games, shell):
    assert offered(shell) == ["continue game-0", "continue game-1", "more", "new"]
    assert next(offer.title for offer in home_offers(shell) if offer.key == "more") == "1 more under way"


def test_games_in_which_nothing_was_played_are_deleted_together_but_not_the_one_on_the_table(games, shell):
    new_session(shell.store, 2, "game-3")
    shell.resume("game-3")
    assert games.view().unplayed == 1
    games.choose("game-2")
    games.ask_to_clear()
    assert games.view().question == "Delete 1 game in which nothing was played?"
    games.answer(delete=True)
    assert {game.id for game in shell.store.games()} == {"game-1", "game-2", "game-3"}
    assert games.view().unplayed == 0


def offered(shell):
    return [offer.key for offer in home_offers(shell)]


def test_the_game_on_the_table_is_the_first_to_go_on_with_though_nothing_was_played(games, shell):
    new_session(shell.store, 2, "game-3")
    shell.resume("game-3")
    assert offered(shell)[:2] == ["continue game-3", "continue game-0"]


def test_the_latest_game_is_the_first_to_go_on_with_though_nothing_was_played(games, shell, tmp_path):
    new_session(shell.store, 2, "game-3")
    with sqlite3.connect(tmp_path / "games.sqlite3") as connection:
        connection.execute("UPDATE games SET created = '2099-01-01T20:00:00+00:00' WHERE id = 'game-3'")
    connection.close()
    assert offered(shell)[:2] == ["continue game-3", "continue game-1"]


def test_an_earlier_game_in_which_nothing_was_played_is_offered_last(games, shell):
    new_session(shell.store, 2, "game-3")
    for ended in ("game-0", "game-1"):
        Session.open(shell.store, ended).end_early("late")
    assert offered(shell) == ["continue game-2", "again game-0", "new", "continue game-3"]


def test_a_damaged_or_unknown_game_hides_no_other(games, shell, tmp_path):
    with sqlite3.connect(tmp_path / "games.sqlite3") as connection:
        connection.execute("UPDATE games SET header = '{' WHERE id = 'game-0'")
        connection.execute("UPDATE games SET game = 'chess', created = 'today' WHERE id = 'game-2'")
    connection.close()
    rows = {game.id: game for page in range(2) for game in (games.turn(page), games.view())[1].games}
    assert "cannot be read" in rows["game-0"].detail
    for pages in (-9, 1):
        games.turn(pages)
        rows |= read_all(games)
    assert [rows[key].card is None for key in sorted(rows)] == [True, False, False]
    assert "chess" in rows["game-2"].title
    assert "today" in rows["game-2"].detail
    keys = [offer.key for offer in home_offers(shell)]
    assert keys[-1] == "new"
    assert "again game-0" not in keys
    assert len(Wizard(shell.store, tmp_path).draft.names) == 4
    with pytest.raises(StoreError, match="damaged"):
        shell.resume("game-0")


def test_a_game_is_resumed_once_and_its_table_kept(games, shell):
    presenter = shell.resume("game-1")
    assert shell.resume("game-1") is presenter
    other = shell.resume("game-2")
    assert other is not presenter
    shell.close()
    shell.close()
    assert shell.table_loop is None


def test_a_game_that_another_program_went_on_with_is_opened_anew(games, shell):
    presenter = shell.resume("game-1")
    with Store(shell.store.path) as elsewhere:
        play_at_random(Session.open(elsewhere, "game-1"), 1, seed=9)
    number = presenter.session.state_id
    again = shell.resume("game-1")
    assert again.session.state_id == number + 1
    play_at_random(again.session, 1, seed=9)
    assert shell.store.latest_number("game-1") == number + 2
    shell.close()


def test_the_review_goes_through_what_stands(shell):
    session = new_session(shell.store)
    play_at_random(session, 12, seed=4)
    session.undo()
    review = Review(session)
    assert review.view().steps == 11
    review.go(0)
    view = review.view()
    assert (view.step, view.text) == (0, "The set-up.")
    state = session.game.setup(session.table)
    for number, move in enumerate(session.moves, 1):
        review.move(1)
        action = session.game.parse_action(move.action, state)
        assert session.judge is not None
        state = next(point.state for point in _points(session) if point.move is move)
        view = review.view()
        assert view.step == number
        assert {piece.spot: piece.label for piece in view.pieces} == dict(session.game.appearance(state))
        assert tuple(line[number] for line in view.series) == scores(session.game, state).totals
        assert action.text == move.action
    assert state == session.state
    review.move(1)
    assert review.view().step == 11


def cut_of(board):
    """What a camera saw of something: a dark part before, a light one after."""
    before, after = (np.full((480, 640, 3), level, np.uint8) for level in (40, 200))
    pose = FlatPose((640, 480), np.diag([1.0, 1.0, 1.0]), 0.0)
    return encoded(cut_out(board, list(board.spots)[:1], before, after, pose, SpotLight(np.eye(3))))


def test_the_review_shows_what_the_camera_saw_of_a_step(shell):
    session = new_session(shell.store)
    play_at_random(session, 5, seed=4)
    cut_outs = cut_outs_of(shell.folder, session.id)
    cut_outs.keep(4, cut_of(session.table.board))
    cut_outs.keep(5, b"PK")
    review = Review(session, cut_outs)
    review.go(3)
    assert not review.view().was_seen
    review.move(1)
    assert (review.view().was_seen, review.view().seen) == (True, None)
    review.show_seen()
    image = review.view().seen.image
    middle = image.shape[0] // 2
    assert image[middle, 2, 0] < image[middle, -3, 0], "before is left of after"
    review.show_seen()
    assert review.view().seen is None
    review.move(1)
    review.show_seen()
    assert review.view().seen is None
    assert "is no cut-out, or is damaged" in review.view().text


def test_the_review_marks_what_a_step_changed(shell):
    session = new_session(shell.store)
    play_at_random(session, 40, seed=4)
    review = Review(session)
    for step in range(1, 41):
        review.go(step - 1)
        before = {piece.spot: piece.label for piece in review.view().pieces}
        review.go(step)
        for piece in review.view().pieces:
            changed = before.get(piece.spot) != piece.label
            assert (piece.state is PieceState.LATEST) == changed


def test_a_game_with_entries_of_every_kind_can_be_reviewed(shell):
    review = Review(eventful_session(shell.store))
    texts = []
    for step in range(review.view().steps + 1):
        review.go(step)
        texts.append(review.view().text)
    assert all(texts)


def _points(session):
    point = session.log.point
    while point is not None:
        yield point
        point = point.before
