"""A published table says what a hub has not acknowledged, again where it must, and believes only who has its key."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import InvalidDocument, StoreError
from companion.publishing.backlog import STALLED, WINDOW
from companion.publishing.envelope import Envelope, body_text, signed
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import (
    AssignedSeat,
    Assignment,
    GameNumber,
    Gap,
    HubMessage,
    JudgeWord,
    read_presence,
)
from companion.publishing.published_table import REFUSED_TRIES, REGISTER_PAUSE, PublishedTable
from companion.publishing.signing import new_code, new_key
from companion.publishing.topics import TopicKind
from companion.session.record import read_record
from tests.publishing.talking_table import Talk, kinds, numbers
from tests.session.evenings import eventful_session, new_session, play, play_at_random, rewritten_session

ASSIGNED = Assignment("Club evening", 1, "capitol", (AssignedSeat(1, "Giulia"), AssignedSeat(2, "Tiberio")))


def test_a_table_that_no_hub_knows_says_only_that_it_is_there(kept: KeptPublishing) -> None:
    talk = Talk(kept)
    talk.show(eventful_session())
    assert kinds(talk.exchange()) == {TopicKind.PRESENCE}
    assert not talk.table.status.registered


def test_registered_by_the_code_it_tells_its_game_until_all_of_it_has_arrived(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), eventful_session()
    assert talk.hub.keys[talk.name] == kept.identity(talk.name).key
    talk.show(session)
    assert talk.table.status.registered
    talk.exchange()
    count = len(session.log.entries)
    assert talk.hub.unbroken(talk.name, session.id) == count
    assert talk.table.status.behind == 0
    assert talk.hub.states[talk.name].entries == count
    assert max(talk.hub.came.values()) == 1


@pytest.mark.parametrize("make", [eventful_session, rewritten_session])
def test_corrections_reach_the_hub_so_that_its_record_leads_to_the_same_position(kept, make) -> None:
    talk, session = Talk(kept).registered(), make()
    talk.show(session)
    talk.exchange()
    found = talk.hub.lines[talk.name, session.id]
    lines = [found[0] | {"entries": len(found) - 1}, *(found[number] for number in range(1, len(found)))]
    log = read_record("\n".join(map(body_text, lines)) + "\n", "hub")
    appearance = session.game.appearance
    assert appearance(log.state) == appearance(session.state)
    assert log.game.state_document(log.state) == session.game.state_document(session.state)


def test_a_wrong_code_registers_nothing_and_is_told(kept: KeptPublishing) -> None:
    talk = Talk(kept)
    talk.table.register(new_code())
    tries = 0
    for _ in range(5):
        tries += sum(each.kind is TopicKind.REGISTER for each in talk.exchange())
        talk.now += REGISTER_PAUSE
        assert talk.table.status.refused == "code"
    status = talk.table.status
    assert (status.registered, status.registering, tries) == (False, False, REFUSED_TRIES)
    assert not talk.hub.keys


def test_somebody_who_refuses_instead_of_the_hub_keeps_no_table_from_registering(kept: KeptPublishing) -> None:
    talk = Talk(kept)
    talk.table.register(talk.hub.code)
    talk.exchange(hub_hears=False)
    forged = Envelope(TopicKind.HUB, talk.name, 1, body_text(HubMessage(refused="code").document()))
    talk.table.receive(forged.topic, forged.payload(), talk.now)
    talk.now += REGISTER_PAUSE
    talk.exchange()
    assert talk.table.status.registered
    assert talk.table.status.refused == ""


def test_a_registered_table_heeds_a_refusal_only_where_nothing_is_acknowledged(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), new_session()
    talk.show(session)
    talk.exchange()
    forged = Envelope(TopicKind.HUB, talk.name, 1, body_text(HubMessage(refused="signature").document()))
    talk.table.receive(forged.topic, forged.payload(), talk.now)
    assert talk.table.status.refused == ""
    play(session, "draw red blue")
    talk.show(session)
    talk.hub.deaf = True
    talk.exchange()
    assert (talk.table.status.behind, talk.table.status.refused) == (1, "signature")


def test_a_file_of_an_earlier_day_that_was_put_back_counts_no_number_again(kept: KeptPublishing) -> None:
    numbers = [
        PublishedTable("table-1", KeptPublishing(None), {}.get, least_number=lambda: now).connect().number  # noqa: B023
        for now in (1_000_000, 2_000_000, 0)
    ]
    assert numbers == [1_000_000, 2_000_000, 1]


def test_what_a_hub_has_not_acknowledged_is_sent_again_after_a_while_and_in_a_new_connection(kept) -> None:
    talk, session = Talk(kept).registered(), new_session()
    play(session, "draw red blue", "draw yellow green")
    talk.show(session)
    talk.hub.deaf = True
    assert numbers(talk.exchange()) == [0, 1, 2]
    assert numbers(talk.exchange()) == []
    talk.now += STALLED
    assert numbers(talk.exchange()) == [0, 1, 2]
    talk.will = talk.table.connect()
    talk.hub.deaf = False
    assert numbers(talk.exchange()) == [0, 1, 2]
    talk.now += STALLED
    assert numbers(talk.exchange()) == []
    assert talk.table.status.behind == 0


def test_so_many_entries_are_on_their_way_and_no_more(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), new_session()
    play_at_random(session, WINDOW + 20, seed=3)
    count = len(session.log.entries)
    assert count > WINDOW
    talk.show(session)
    assert numbers(talk.exchange(hub_hears=False)) == list(range(WINDOW))
    talk.say(HubMessage(acknowledged=(GameNumber(session.id, 9),)))
    assert numbers(talk.exchange(hub_hears=False)) == list(range(WINDOW, min(count, 9 + WINDOW) + 1))


def test_a_gap_that_a_hub_asks_for_is_filled(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), eventful_session()
    talk.show(session)
    talk.exchange()
    talk.say(HubMessage(wanted=(Gap(session.id, 3, 5), Gap(session.id, 900, 5000), Gap("other", 0, 1))))
    assert numbers(talk.exchange()) == [3, 4, 5]


def test_what_was_acknowledged_is_kept_over_restarts_and_numbers_go_on(tmp_path: Path) -> None:
    file = tmp_path / "publishing.sqlite3"
    kept = KeptPublishing(file)
    assert file.stat().st_mode & 0o777 == 0o600
    session = new_session()
    play(session, "draw red blue")
    talk = Talk(kept).registered()
    talk.show(session)
    talk.exchange()
    latest, key = max(each.number for each in talk.sent), kept.identity(talk.name).key
    kept.close()
    talk.kept = KeptPublishing(file)
    talk.restart()
    play(session, "draw yellow green")
    talk.show(session)
    said = talk.exchange()
    assert numbers(said) == [2]
    assert min(each.number for each in said) > latest
    assert talk.kept.identity(talk.name).key == key
    talk.kept.close()


def test_nobody_but_a_hub_with_the_key_is_believed(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), eventful_session()
    talk.show(session)
    talk.exchange(hub_hears=False)
    told = HubMessage(acknowledged=(GameNumber(session.id, 3),), judge=JudgeWord("Go home"), assignment=ASSIGNED)
    forged = signed(new_key(), TopicKind.HUB, talk.name, 99, told.document())
    with pytest.raises(InvalidDocument, match="mac: is not the signature of a hub"):
        talk.table.receive(forged.topic, forged.payload(), talk.now)
    unsigned = Envelope(TopicKind.HUB, talk.name, 99, body_text(told.document()))
    talk.table.receive(unsigned.topic, unsigned.payload(), talk.now)
    other = signed(kept.identity(talk.name).key, TopicKind.HUB, "table-2", 99, told.document())
    with pytest.raises(InvalidDocument, match="is another table"):
        talk.table.receive(other.topic, other.payload(), talk.now)
    status = talk.table.status
    assert status.behind == len(session.log.entries) + 1
    assert (status.judge, status.assignment) == (None, None)


def test_a_hub_that_claims_more_than_there_is_is_believed_as_far_as_there_is(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), new_session()
    play(session, "draw red blue")
    talk.show(session)
    talk.exchange(hub_hears=False)
    talk.say(HubMessage(acknowledged=(GameNumber(session.id, 5000),)))
    play(session, "draw yellow green")
    talk.show(session)
    assert numbers(talk.exchange()) == [2]


def test_a_state_that_cannot_be_made_keeps_no_entry_back(kept, monkeypatch: pytest.MonkeyPatch) -> None:
    def impossible(*_: object, **__: object) -> None:
        raise KeyError("lost")

    talk, session = Talk(kept).registered(), eventful_session()
    monkeypatch.setattr("companion.publishing.published_table.public_state", impossible)
    talk.show(session)
    talk.exchange()
    assert talk.hub.unbroken(talk.name, session.id) == len(session.log.entries)


def test_help_is_called_until_taken_back_or_answered(kept: KeptPublishing) -> None:
    talk = Talk(kept).registered()
    talk.exchange()
    for ends in ("taken back", "answered"):
        talk.table.call_help(asked=True)
        talk.exchange()
        assert talk.hub.states[talk.name].help
        if ends == "taken back":
            talk.table.call_help(asked=False)
        else:
            talk.say(HubMessage(judge=JudgeWord("On my way", answered=True)))
            assert talk.table.status.judge == JudgeWord("On my way", answered=True)
        talk.exchange()
        assert not talk.hub.states[talk.name].help


def test_an_assignment_is_kept_and_neither_it_nor_a_judges_word_is_believed_again(kept: KeptPublishing) -> None:
    talk = Talk(kept).registered()
    first = talk.hub.say(talk.name, HubMessage(assignment=ASSIGNED, judge=JudgeWord("Welcome")))
    talk.table.receive(first.topic, first.payload(), talk.now)
    assert talk.table.status.assignment == ASSIGNED
    talk.restart()
    assert talk.table.status.assignment == ASSIGNED
    presence = read_presence(next(each for each in talk.exchange() if each.kind is TopicKind.PRESENCE).document())
    assert presence.event == first.number
    talk.say(HubMessage(assignment=Assignment("Club evening", 0, "", ()), judge=JudgeWord("")))
    assert talk.table.status.assignment is None
    talk.table.receive(first.topic, first.payload(), talk.now)
    assert (talk.table.status.assignment, talk.table.status.judge) == (None, None)


def test_the_moment_at_which_a_round_was_assigned_is_kept_and_is_that_of_its_first_word(kept: KeptPublishing) -> None:
    talk = Talk(kept)
    moments = [""]
    talk.table = PublishedTable(talk.name, kept, talk.logs.get, moment=lambda: moments[-1])
    talk.table.connect()
    talk.registered()
    for moment, assignment, expected in (
        ("10:00", ASSIGNED, "10:00"),
        ("10:10", replace(ASSIGNED, seats=ASSIGNED.seats[::-1]), "10:00"),
        ("10:20", replace(ASSIGNED, round=2), "10:20"),
    ):
        moments.append(moment)
        talk.say(HubMessage(assignment=assignment))
        assert talk.table.status.assigned_at == expected
    talk.restart()
    assert talk.table.status.assigned_at == "10:20"
    assert talk.table.status.assignment == replace(ASSIGNED, round=2)


def test_an_old_answer_that_comes_with_a_new_assignment_ends_no_new_call(kept: KeptPublishing) -> None:
    talk, answered = Talk(kept).registered(), JudgeWord("", answered=True)
    for expected in (False, False):  # two calls, each answered in the same words
        talk.table.call_help(asked=True)
        talk.say(HubMessage(judge=answered))
        assert talk.table.status.help is expected
    talk.restart()
    talk.table.call_help(asked=True)
    talk.say(HubMessage(assignment=ASSIGNED, judge=answered))
    assert talk.table.status.help
    assert talk.table.status.assignment == ASSIGNED
    talk.say(HubMessage(assignment=ASSIGNED, judge=answered))
    assert not talk.table.status.help


def test_the_will_says_that_this_connection_is_gone(kept: KeptPublishing) -> None:
    talk = Talk(kept).registered()
    first = next(each for each in talk.sent if each.kind is TopicKind.PRESENCE)
    gone, there = read_presence(talk.will.document()), read_presence(first.document())
    assert (gone.online, there.online) == (False, True)
    assert gone.connection == there.connection == talk.will.number < first.number
    assert read_presence(talk.table.goodbye()[-1].document()).connection == gone.connection


def test_the_last_state_is_told_before_a_table_leaves(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), new_session()
    talk.show(session)
    talk.exchange()
    play(session, "draw red blue")
    talk.show(session)
    assert [each.kind for each in talk.table.goodbye()] == [TopicKind.STATE, TopicKind.PRESENCE]


def test_the_highest_number_is_said_again_so_that_a_missing_last_entry_is_noticed(kept: KeptPublishing) -> None:
    talk, session = Talk(kept).registered(), eventful_session()
    talk.show(session)
    talk.exchange(hub_hears=False)
    talk.now += 10
    said = [read_presence(each.document()) for each in talk.exchange() if each.kind is TopicKind.PRESENCE]
    assert [each.games for each in said] == [(GameNumber(session.id, len(session.log.entries)),)]


def test_a_file_that_is_none_of_ours_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "publishing.sqlite3"
    file.write_bytes(b"no database" * 100)
    with pytest.raises(StoreError, match=r"publishing\.sqlite3: what is published cannot be kept"):
        KeptPublishing(file)


def test_a_file_whose_schema_is_no_text_is_told_as_damaged(tmp_path: Path) -> None:
    path = tmp_path / "publishing.sqlite3"
    KeptPublishing(path).close()
    path.write_bytes(path.read_bytes().replace(b"broker TEXT", b"broker\x9eTEXT"))
    with pytest.raises(StoreError, match="the file is damaged; move it elsewhere"):
        KeptPublishing(path)
