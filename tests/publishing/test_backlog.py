"""Games that gave way, wait or are told again: all of each arrives, whatever came between."""

import pytest

from companion.errors import StoreError
from companion.publishing.backlog import MOST_BACKLOG, STALLED
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import (
    GameNumber,
    HubMessage,
    read_entry,
)
from companion.publishing.published_table import PublishedNow
from companion.publishing.topics import TopicKind
from companion.session.log import Log
from companion.session.session import Session
from tests.publishing.listening_hub import ListeningHub
from tests.publishing.talking_table import Talk
from tests.session.evenings import eventful_session, new_session, play_at_random


class LockedLogs(dict[str, Log]):
    """Games in a database that another program has locked."""

    is_locked = True

    def get(self, game: str, default: Log | None = None) -> Log | None:
        if self.is_locked:
            raise StoreError("the database is locked")
        return super().get(game, default)


def test_an_earlier_game_that_did_not_all_arrive_is_told_after_the_table_has_gone_on(kept: KeptPublishing) -> None:
    talk, first, second = Talk(kept).registered(), eventful_session(), new_session()
    talk.show(first)
    talk.exchange(hub_hears=False)
    talk.restart()
    talk.show(second)
    talk.logs[first.id] = first.log
    assert talk.table.status.registered
    talk.exchange()
    assert talk.hub.unbroken(talk.name, first.id) == len(first.log.entries)
    assert kept.games(talk.name) == {second.id: 0}


@pytest.mark.parametrize("is_closed_between", [False, True])
def test_a_game_that_is_begun_and_left_while_no_broker_is_there_is_told_later(kept, is_closed_between: bool) -> None:
    talk, first, second = Talk(kept).registered(), eventful_session(), new_session()
    talk.show(first)
    if is_closed_between:
        talk.restart()
    talk.show(second)
    talk.exchange()
    for session in (first, second):
        assert talk.hub.unbroken(talk.name, session.id) == len(session.log.entries)
    assert kept.games(talk.name) == {second.id: 0}


def test_what_a_game_had_more_when_it_gave_way_without_a_broker_is_told_later(kept: KeptPublishing) -> None:
    talk, first = Talk(kept).registered(), new_session(game_id="gave-way")
    second = new_session()
    talk.show(first)
    talk.exchange()
    play_at_random(first, 5, seed=1)
    talk.show(first)
    talk.show(second)
    talk.exchange()
    assert talk.hub.unbroken(talk.name, first.id) == len(first.log.entries) > 0
    assert kept.games(talk.name) == {second.id: 0}


def test_a_game_that_cannot_be_read_just_now_is_told_when_it_can(kept: KeptPublishing) -> None:
    talk, first, second = Talk(kept).registered(), eventful_session(), new_session()
    talk.show(first)
    talk.exchange(hub_hears=False)
    talk.show(second)
    logs, talk.logs = talk.logs, LockedLogs(talk.logs)
    talk.restart()
    talk.table.show(PublishedNow(second.log))
    with pytest.raises(StoreError, match="locked"):
        talk.exchange()
    talk.logs.is_locked = False
    talk.exchange()
    assert talk.hub.unbroken(talk.name, first.id) == len(logs[first.id].entries)


def test_a_game_that_was_deleted_is_asked_for_no_more(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), eventful_session()
    talk.show(session)
    talk.exchange(hub_hears=False)
    talk.logs.clear()
    talk.restart()
    talk.exchange()
    assert kept.games(talk.name) == {}


def test_a_hub_that_lost_its_database_gets_everything_again(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), eventful_session()
    talk.show(session)
    talk.exchange()
    talk.hub.lines.clear()
    talk.say(HubMessage(acknowledged=(GameNumber(session.id, -1),)))
    talk.exchange()
    talk.now += STALLED
    talk.exchange()
    assert talk.hub.unbroken(talk.name, session.id) == len(session.log.entries)


def test_a_table_that_is_registered_anew_tells_its_finished_games_again(kept: KeptPublishing) -> None:
    talk, first, second = Talk(kept).registered(), eventful_session(), new_session()
    for session in (first, second):
        talk.show(session)
        talk.exchange()
    talk.exchange()
    assert kept.games(talk.name) == {second.id: 0}
    talk.restart()
    talk.hub = ListeningHub()  # one that has never heard of the table, or has taken it away
    talk.show(second)
    talk.registered()
    talk.say(HubMessage(acknowledged=(GameNumber(second.id, -1),)))
    talk.exchange()
    assert talk.hub.unbroken(talk.name, first.id) == len(first.log.entries)
    talk.exchange()
    assert kept.games(talk.name) == {second.id: 0}
    talk.restart()
    talk.exchange()
    assert set(talk.hub.came.values()) == {1}


def test_so_many_games_are_told_at_the_same_time_and_the_others_after_them(kept: KeptPublishing) -> None:
    talk = Talk(kept).registered()
    sessions = [new_session(game_id=f"evening-{number}") for number in range(MOST_BACKLOG + 5)]
    for session in sessions:
        talk.show(session)
        talk.exchange(hub_hears=False)
    talk.now += STALLED
    for _turn in range(4):
        talk.exchange()
        talk.now += STALLED
    assert [talk.hub.unbroken(talk.name, session.id) for session in sessions] == [0] * len(sessions)


def with_a_game_that_waits(kept: KeptPublishing) -> tuple[Talk, Session]:
    """A table of whose first game the hub has three entries, and after which so many were begun that it waits."""
    talk, first = Talk(kept).registered(), eventful_session()
    talk.show(first)
    talk.exchange(hub_hears=False)
    talk.say(HubMessage(acknowledged=(GameNumber(first.id, 3),)))
    for number in range(MOST_BACKLOG):
        talk.show(new_session(game_id=f"evening-{number}"))
        talk.exchange(hub_hears=False)
    return talk, first


def test_a_game_that_waits_for_its_turn_goes_on_where_it_was(kept: KeptPublishing) -> None:
    talk, first = with_a_game_that_waits(kept)
    talk.now += STALLED
    for _turn in range(3):
        talk.exchange()
    assert min(number for _table, game, number in talk.hub.came if game == first.id) == 4


def test_a_waiting_game_that_is_taken_up_again_goes_on_where_it_was(kept: KeptPublishing) -> None:
    talk, first = with_a_game_that_waits(kept)
    talk.show(first)
    talk.exchange(hub_hears=False)
    talk.now += STALLED
    told = [read_entry(each.document()) for each in talk.exchange() if each.kind is TopicKind.ENTRY]
    assert min(entry.number for entry in told if entry.game == first.id) == 4
