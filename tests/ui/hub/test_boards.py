"""In which order boards are drawn: one at a time, what a page shows before what nobody looks at."""

import signal
import subprocess
import threading

import pytest

from tests.ui.hub.publishing import until
from ui.hub import boards as module
from ui.hub.boards import Boards

GAMES = ("capitol", "aqua_romana", "thurn_and_taxis")


@pytest.fixture
def drawing(monkeypatch):
    """The games whose boards were drawn; each is finished when the event is set, which it clears."""
    begun, go_on = [], threading.Event()

    def draw(_boards, board) -> None:
        begun.append(board.game)
        assert go_on.wait(10.0)
        go_on.clear()

    monkeypatch.setattr(module.Boards, "_draw", draw)
    yield begun, go_on
    go_on.set()


def test_boards_are_drawn_ahead_one_at_a_time_and_what_a_page_shows_comes_first(drawing) -> None:
    begun, go_on = drawing
    boards = Boards()
    boards.draw_ahead([*GAMES, "no such game"])
    until(lambda: begun == ["capitol"], "the first is begun")
    assert boards.art(boards.board("thurn_and_taxis")) is None
    boards.faces("thurn_and_taxis", "t-")
    for order in (["capitol", "thurn_and_taxis"], ["capitol", "thurn_and_taxis", "aqua_romana"]):
        go_on.set()
        until(lambda order=order: begun == order, "the next is begun")
    go_on.set()
    until(lambda: not boards._is_drawing, "all are drawn")
    boards.draw_ahead(GAMES)
    assert boards._waiting == {}
    boards.faces("city_of_marble", "t-")
    until(lambda: begun[-1] == "city_of_marble", "one that was not asked for ahead is drawn, too")


def test_a_board_whose_drawing_failed_is_drawn_again_after_a_while(monkeypatch, tmp_path) -> None:
    tried, now = [], [0.0]

    def draw(command, **_options):
        tried.append(command[-1])
        return subprocess.CompletedProcess(command, 0, f"{tmp_path / 'not there'}\n", "")

    monkeypatch.setattr(module.subprocess, "run", draw)
    boards, told = Boards(clock=lambda: now[0]), []
    boards.drawn = told.append
    boards.draw_ahead(["capitol"])
    until(lambda: not boards._is_drawing, "it has failed")
    board = boards.board("capitol")
    assert (tried, boards.art(board)) == (["capitol"], None)
    now[0] = module.DRAWN_AGAIN
    monkeypatch.setattr(module, "read_art", lambda _folder: "pictures")
    assert boards.art(board) is None
    until(lambda: told == ["capitol"], "it is drawn")
    assert boards.art(board) == "pictures"
    now[0] = 3 * module.DRAWN_AGAIN
    assert boards.art(board) == "pictures"
    assert tried == ["capitol", "capitol"]


def test_of_a_drawing_that_ends_with_the_hub_nothing_is_said(monkeypatch, caplog) -> None:
    tried, ended = [], threading.Event()

    def draw(command, **_options):
        tried.append(command[-1])
        ended.set()
        raise subprocess.CalledProcessError(-signal.SIGTERM, command)

    monkeypatch.setattr(module.subprocess, "run", draw)
    boards = Boards()
    boards.draw_ahead(GAMES)
    assert ended.wait(10.0)
    boards.stop()
    until(lambda: not boards._is_drawing, "it has ended")
    assert (tried, caplog.messages) == (["capitol"], [])
    monkeypatch.setattr(module, "ENDED_TOGETHER", 0.0)
    boards = Boards()
    boards.draw_ahead(["capitol"])
    until(lambda: not boards._is_drawing, "it has failed")
    assert "the board of capitol is shown in plain colours for now" in caplog.text


def test_a_hub_that_draws_nothing_asks_for_nothing(drawing) -> None:
    begun, _go_on = drawing
    boards = Boards(draws=False)
    boards.draw_ahead(GAMES)
    assert boards.art(boards.board("capitol")) is None
    assert (begun, boards._waiting) == ([], {})


def test_a_hub_draws_the_boards_of_its_tables_first(hub_on, tmp_path, monkeypatch, tables_at) -> None:
    asked = []
    monkeypatch.setattr(Boards, "draw_ahead", lambda _boards, games: asked.append(list(games)))
    first = hub_on(str(tmp_path / "hub.sqlite"))
    tables_at(first, "blue")
    until(lambda: len(first.overview) == 1 and first.overview.table("blue").rules, "it plays")
    until(lambda: first.storing.tables.registered()["blue"].state, "it is written")
    hub_on(str(tmp_path / "hub.sqlite"))
    assert asked[0][0] != asked[1][0] == first.overview.table("blue").rules
    assert sorted(asked[0]) == sorted(asked[1]) == sorted(module.known_games())
