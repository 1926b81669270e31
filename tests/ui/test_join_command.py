"""Joining by the command line, and what its commands say of such a record and of one that somebody left."""

import json

import pytest

from companion.position import position_text
from companion.session.record import read_record, record_text
from companion.session.rejudging import verify
from companion.session.session import Session
from tests.session.evenings import clock, new_session, play_at_random
from tests.session.test_joining import under_way
from ui.application.play import joined_game


@pytest.fixture
def position(tmp_path):
    real = under_way("thurn_and_taxis", 10, 3, seats=2)
    path = tmp_path / "position.toml"
    path.write_text(position_text(real.game, real.state), encoding="utf-8")
    return path, real


def test_the_game_of_a_position_is_joined_by_people_who_are_told(position):
    path, real = position
    joined = joined_game(str(path), "thurn_and_taxis", ["Zoë", "Max"])
    assert [player.name for player in joined.state.table.players] == ["Zoë", "Max"]
    assert joined.game.appearance(joined.state) == real.game.appearance(real.state)
    assert joined_game(str(path), None, None).state == real.state


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--game", "capitol"], "is a position of thurn_and_taxis, not of capitol"),
        (["--players", "A", "B", "C"], "is a position of 2 players, and --players names 3"),
        (["--players", "A", "A"], "the name of player 2"),
        (["--set-up", "modules=both"], "leave them out beside --from"),
    ],
)
def test_what_does_not_fit_the_position_is_wrong_use(run, position, words, reason):
    code, _, error = run("play", "--from", position[0], *words)
    assert (code, error.count("\n")) == (2, 1)
    assert reason in error


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('game = "capitol"\nround = 2\n', "roof, floor, permit for a card of which nobody has seen more"),
        ('game = "thurn_and_taxis"\nstage = "play"\nplayer = { 1 = { route = ["Ulm"] } }\n', "? for a card that"),
    ],
)
def test_a_game_does_not_go_on_with_hands_that_nobody_counted(run, tmp_path, text, written):
    path = tmp_path / "later.toml"
    path.write_text(text, encoding="utf-8")
    assert run("legal", path)[0] == 0
    code, _, error = run("play", "--from", path)
    assert (code, error.count("\n")) == (3, 1)
    assert f"{path}: player.1.hand: is left out" in error
    assert written in error


@pytest.mark.parametrize("names", [None, ["Zoë", "Max", "Ada"]])
def test_who_had_left_the_game_of_a_record_has_left_the_joined_one(tmp_path, names):
    real = under_way("capitol", 15, 2)
    real.leave(2)
    play_at_random(real, 5, 1)
    path = tmp_path / "left.jsonl"
    path.write_text(real.export(), encoding="utf-8")
    joined = joined_game(str(path), None, names)
    assert joined.left == {2}
    session = Session.join(None, joined, clock=clock())
    assert session.record_status.left == {2}
    assert session.state == joined.state
    assert 2 not in session.actors
    play_at_random(session, 20, 1)
    log = read_record(session.export(), "record")
    assert verify(log) == []
    assert (log.record_status.joined, log.record_status.left) == (True, {2})


def test_a_game_that_is_over_cannot_be_joined(run, tmp_path):
    session = new_session()
    session.end_early("late")
    path = tmp_path / "over.jsonl"
    path.write_text(record_text(session.log), encoding="utf-8")
    code, _, error = run("play", "--from", path)
    assert code == 2
    assert "is over" in error
    code, _, error = run("play", "--from", tmp_path / "none.toml")
    assert code == 3


def test_the_commands_say_how_a_game_went(run, tmp_path):
    real = under_way("city_of_marble", 20, 2)
    session = Session.create(None, real.table, real.game.state_document(real.state), clock=clock())
    play_at_random(session, 8, 1)
    session.leave(2)
    session.end_early("late")
    path = tmp_path / "joined.jsonl"
    path.write_text(record_text(session.log), encoding="utf-8")
    code, out, _ = run("check", path)
    assert code == 0
    assert "Joined in progress" in out
    assert "Left before the end, and without a rank: Player 2." in out
    code, out, _ = run("score", path)
    assert code == 0
    assert out.startswith("Rome: City of Marble: score when the game was ended early\n")
    assert "\nleft Player 2 (" in out
    assert "victory" not in out
    document = json.loads(run("score", path, "--json")[1])
    assert (document["final"], document["winners"], document["joined"]) == (True, [], True)
    page = run("score", path, "--html")[1]
    assert "Ended early" in page
    assert "Joined in progress" in page
    assert "total,left" in run("score", path, "--csv")[1]


def test_a_tie_is_told_only_at_the_end_and_the_seat_by_the_end_tile_in_words(run, tmp_path):
    path = tmp_path / "tie.toml"
    path.write_text('game = "thurn_and_taxis"\nstage = "over"\nending = 2\nhouses = {Augsburg = [1]}\n')
    out = run("score", path)[1]
    decided = "the seat nearest clockwise to the game-end tile decides: Player 2, then Player 1"
    assert f"{decided}; places: 1. Player 2, 2. Player 1." in out
    path.write_text('game = "thurn_and_taxis"\n')
    out = run("score", path)[1]
    assert out.endswith("Player 1 and Player 2 have -20 points each.\n")


@pytest.mark.parametrize(
    ("points", "told"), [(0, "0 points"), (1, "1 point"), (2, "2 points")], ids=["none", "one", "two"]
)
def test_points_that_are_equal_agree_with_their_number(points, told, run, tmp_path):
    path = tmp_path / "tie.toml"
    coins = "".join(f"[player.{seat}]\ncoins = {points}\n" for seat in (1, 2))
    path.write_text(f'game = "city_of_marble"\nplayers = 3\nstage = "over"\n{coins}[player.3]\ncoins = 5\n')
    assert f"Player 1 and Player 2 have {told} each;" in run("score", path)[1]
