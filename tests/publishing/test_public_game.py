"""What is published of a game: its record line by line, and its state, without names or secrets."""

import json
from dataclasses import replace
from typing import Any

import pytest

from companion.files.documents import parse_json
from companion.publishing.envelope import body_text
from companion.publishing.kept import KeptPublishing
from companion.publishing.public_game import public_entries, public_entry, public_state
from companion.publishing.published_table import PublishedNow, PublishedTable
from companion.publishing.table_state import read_state
from companion.publishing.topics import TopicKind
from companion.session.log import Log
from companion.session.record import read_record, record_text
from companion.session.session import Session
from companion.session.viewing import ClosedPieces, Viewer, ViewerKind
from companion.table import Player
from tests.every_game import EVERY_GAME
from tests.session.evenings import clock, eventful_session, play, play_at_random, rewritten_session
from tests.tables import table_of

NAMES = ("Zenobia", "Quintilian", "Xanthippe", "Yolanda")


def named_session(game: str, actions: int = 30) -> Session:
    table = table_of(game, 2)
    players = tuple(Player(name, each.colour) for name, each in zip(NAMES, table.players, strict=False))
    session = Session.create(None, replace(table, players=players), clock=clock(), game_id="named")
    play_at_random(session, actions, seed=4)
    return session


def lines(log: Log, *, shows_names: bool = True) -> list[dict[str, Any]]:
    return [dict(each.line) for each in public_entries(log, -1, shows_names=shows_names)]


@pytest.mark.parametrize("make", [eventful_session, rewritten_session])
def test_the_published_lines_of_a_game_are_its_record(make: Any) -> None:
    log = make().log
    header, *entries = lines(log)
    text = "\n".join(json.dumps(line) for line in (header | {"entries": len(entries)}, *entries)) + "\n"
    assert record_text(read_record(text, "published")) == record_text(log)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_published_state_reads_back_and_says_what_the_screen_says(game: str) -> None:
    session = named_session(game)
    state = public_state(session.log, shows_names=True)
    assert read_state(parse_json(body_text(state.document()), "topic", "body")) == state
    assert [player.name for player in state.players] == list(NAMES[:2])
    assert [player.points for player in state.players] == list(session.scores().won.totals)
    assert {each.seat for each in state.players if each.acts} == set(session.actors)
    assert state.pieces == dict(session.game.appearance(session.state))
    assert state.entries == len(session.log.entries)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_no_name_stands_anywhere_unless_names_may_be_shown(game: str) -> None:
    session = named_session(game)
    published = json.dumps(
        [public_state(session.log, shows_names=False).document(), *lines(session.log, shows_names=False)]
    )
    assert not [name for name in NAMES if name in published]
    hidden = read_record(
        "\n".join(json.dumps(each) for each in _whole(lines(session.log, shows_names=False))) + "\n", "published"
    )
    assert public_state(hidden, shows_names=False) == public_state(session.log, shows_names=False)


def _whole(published: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [published[0] | {"entries": len(published) - 1}, *published[1:]]


def test_what_people_wrote_themselves_is_not_published_without_names() -> None:
    session = eventful_session()
    session_text = json.dumps(lines(session.log, shows_names=False))
    assert "agreed" in json.dumps(lines(session.log))
    assert "miscounted" in json.dumps(lines(session.log))
    for written in ("agreed", "miscounted", '"late"'):
        assert written not in session_text
    read_record("\n".join(json.dumps(each) for each in _whole(lines(session.log, shows_names=False))) + "\n", "hidden")


def test_two_tables_whose_closed_hands_differ_publish_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.publishing.kept.new_key", lambda: b"k" * 32)
    one, other = named_session("capitol", 6), named_session("capitol", 6)
    seat = next(seat for seat in (1, 2) if one.game.closed_pieces(one.state, seat))
    pieces = one.game.closed_pieces(one.state, seat)
    unknown = next(at for at, piece in enumerate(pieces) if len(set(piece.may_be)) > 1)
    known = []
    for session, name in zip((one, other), pieces[unknown].may_be[:2], strict=True):
        hand = [piece.name for piece in session.game.closed_pieces(session.state, seat)]
        closed = ClosedPieces(session)
        closed.tell(seat, [*hand[:unknown], name, *hand[unknown + 1 :]])
        known.append(closed.known_to(Viewer(ViewerKind.SEAT, seat)).state)
    assert known[0] != known[1]
    assert said(one) == said(other)


def said(session: Session) -> list[bytes]:
    """All that a registered table tells of a game, byte by byte."""
    kept = KeptPublishing(None)
    kept.identity("table-1")
    kept.register("table-1")
    table = PublishedTable("table-1", kept, {}.get, shows_names=True)
    messages = [table.connect()]
    table.show(PublishedNow(session.log))
    messages += [*table.due(0.0), *table.due(20.0), *table.goodbye()]
    kept.close()
    assert {each.kind for each in messages} == {TopicKind.PRESENCE, TopicKind.STATE, TopicKind.ENTRY}
    return [each.payload() for each in messages]


def test_a_refused_action_is_published_with_its_rule_in_colours() -> None:
    session = named_session("city_of_marble", 0)
    action = session.game.parse_action("end", session.state)
    state = public_state(session.log, shows_names=False, refused=action)
    assert state.disputed
    assert state.verdict is not None
    assert state.verdict.action == "end"
    assert state.verdict.broken[0].rule.startswith("COM-")
    assert state.verdict.broken[0].sentence
    assert read_state(parse_json(body_text(state.document()), "topic", "body")) == state


def test_an_entry_that_no_message_can_hold_is_published_as_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    session = named_session("city_of_marble", 0)
    play(session, "draw red blue")
    monkeypatch.setattr("companion.publishing.public_game.LONGEST_LINE", 100)
    line = public_entry(session.log, 1, shows_names=True).line
    assert (line["kind"], line["number"]) == ("lost", 1)
    read_record("\n".join(json.dumps(each) for each in _whole(lines(session.log))) + "\n", "published")
