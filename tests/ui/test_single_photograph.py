"""A single photograph of the board, at a table with a camera and at one without."""

from dataclasses import replace

import pytest

from companion.engine import apply_unchecked
from companion.session.intents import IntentKind, IntentResult
from companion.session.observation import Observation
from tests.tables import sight
from tests.ui.test_presenter import WatchedTable
from tests.ui.test_proposals import built_up
from ui.view_models.play_view import VerdictKind

WARD = {"ward E8-F8": "red"}


def photograph(table: WatchedTable, pieces: dict[str, str], number: int = 7) -> Observation:
    return replace(sight(table.session.table.board, table.look | pieces, time=table.now), frame=number)


@pytest.fixture(params=["watched", "unwatched"])
def table(request: pytest.FixtureRequest) -> WatchedTable:
    table = WatchedTable()
    if request.param == "watched":
        table.see()
        table.see()
    return table


def test_it_is_proposed_and_recorded_by_a_press_alone(table: WatchedTable) -> None:
    table.presenter.on_photograph(photograph(table, WARD))
    for _look in range(3):
        assert table.view.verdict.kind is VerdictKind.PROPOSED
        table.wait(1.0)
    assert table.actions == []
    assert table.press(IntentKind.DONE, seat=1) is not IntentResult.REFUSED
    assert table.actions == ["ward E8-F8 red"]
    table.presenter.put_photograph_away()
    assert table.presenter.observation is None


def test_a_camera_waits_until_it_is_answered() -> None:
    table = WatchedTable()
    table.see()
    table.presenter.on_photograph(photograph(table, WARD))
    for _look in range(4):
        table.see()
    assert table.view.verdict.kind is VerdictKind.PROPOSED
    table.press(IntentKind.NO)
    assert table.presenter.has_answered_photograph
    table.presenter.put_photograph_away()
    table.lay({"ward F8-G8": "blue"})
    table.see()
    table.see()
    assert table.actions == ["ward F8-G8 blue"]


@pytest.mark.parametrize("is_watched", [True, False])
def test_after_it_a_press_waits_for_the_camera_only_where_there_is_one(is_watched: bool) -> None:
    table = WatchedTable()
    if is_watched:
        table.see()
    table.presenter.on_photograph(photograph(table, WARD))
    table.press(IntentKind.NO)
    table.presenter.put_photograph_away()
    assert (table.press(IntentKind.DONE, seat=1) is IntentResult.WAITING) is is_watched


def test_a_camera_that_is_lost_meanwhile_takes_nothing_away_and_is_not_waited_for() -> None:
    table = WatchedTable()
    table.see()
    table.presenter.on_photograph(photograph(table, WARD))
    table.presenter.on_camera_blinded("too dark")
    table.presenter.on_camera_lost("unplugged")
    assert table.view.verdict.kind is VerdictKind.PROPOSED
    table.press(IntentKind.NO)
    table.presenter.put_photograph_away()
    assert table.press(IntentKind.DONE, seat=1) is not IntentResult.WAITING


def test_one_of_a_board_that_cannot_be_says_so_at_once(table: WatchedTable) -> None:
    table.presenter.on_photograph(photograph(table, {"ward A1-A2": "red", "ward K8-K9": "red"}))
    assert table.view.verdict is not None
    assert table.view.verdict.kind is VerdictKind.REFUSED
    assert table.actions == []
    table.press(IntentKind.NO)
    assert table.presenter.has_answered_photograph


def test_a_paused_camera_stays_paused() -> None:
    table = WatchedTable()
    table.see()
    table.press(IntentKind.PAUSE)
    table.presenter.on_photograph(photograph(table, WARD))
    assert table.view.verdict.kind is VerdictKind.PROPOSED
    table.press(IntentKind.DONE, seat=1)
    assert table.actions == ["ward E8-F8 red"]
    table.presenter.put_photograph_away()
    assert table.presenter.is_camera_held


def test_what_one_hardly_shows_is_proposed_and_never_recorded_unasked() -> None:
    table = built_up()
    game, state = table.session.game, table.session.state
    sent = game.appearance(apply_unchecked(game, state, game.parse_action("send F9-G8", state)).state)
    changed = {spot for spot, _label in table.look.items() ^ sent.items()}
    faint = {spot: {sent.get(spot, ""): 0.6, table.look.get(spot, ""): 0.4} for spot in changed}
    recorded = list(table.actions)
    seen = sight(table.session.table.board, table.look, time=table.now, doubts=faint)
    table.presenter.on_photograph(seen)
    assert table.view.eyes == "proposed"
    assert table.actions == recorded
    table.press(IntentKind.DONE, seat=1)
    assert table.actions[: len(recorded)] == recorded
    assert len(table.actions) == len(recorded) + 1


def test_what_it_shows_is_told_though_something_was_said_before(table: WatchedTable) -> None:
    table.presenter.on_choice("ward E8-F8 red")
    assert table.view.verdict.kind is VerdictKind.ACCEPTED
    table.look |= WARD
    table.presenter.on_photograph(photograph(table, {"ward F8-G8": "blue"}))
    assert table.view.verdict.kind is VerdictKind.PROPOSED
    assert not table.presenter.is_watched
    table.press(IntentKind.DONE, seat=1)
    assert table.actions[:2] == ["ward E8-F8 red", "ward F8-G8 blue"]


def test_what_was_entered_by_touch_and_lies_there_no_more_is_asked_about(table: WatchedTable) -> None:
    table.presenter.on_choice("ward E8-F8 red")
    table.presenter.on_photograph(photograph(table, {}))
    assert not table.presenter.has_answered_photograph
    assert table.presenter.tracker.proposal.takes_back


def test_what_is_taken_off_after_it_was_entered_by_touch_is_proposed() -> None:
    table = WatchedTable()
    entered = ("ward E8-F8 red magistrate", "draw red blue", "end", "ward F8-G8 blue", "draw red blue", "end")
    for text in entered:
        table.presenter.on_choice(text)
    assert table.actions == list(entered)
    table.look = dict(table.session.game.appearance(table.session.state))
    del table.look["magistrate E8-F8"]
    table.presenter.on_photograph(photograph(table, {}))
    assert table.view.verdict.kind is VerdictKind.PROPOSED
    table.press(IntentKind.DONE, seat=1)
    assert table.actions == [*entered, "recall E8-F8"]
