"""Pages come first: the intake waits while one is made, but not for ever, and reads nothing twice."""

import shutil
import sys
import threading
import time
from dataclasses import replace

from companion.publishing.envelope import signed
from companion.publishing.public_game import public_state
from companion.publishing.topics import TopicKind
from tests.session.evenings import new_session
from ui.hub import intake
from ui.hub.connection import HubInbox, ReceivedMessage
from ui.hub.database import open_database
from ui.hub.intake import Intake
from ui.hub.overview import Overview
from ui.hub.precedence import SWITCHING, Precedence, take_short_turns
from ui.hub.storing import Storing

KEY = b"k" * 32


class _NoBroker:
    is_open = False

    def publish(self, *_message: object, **_how: object) -> None:
        """Nobody hears it."""


def test_the_background_waits_for_pages_until_its_patience_ends() -> None:
    precedence = Precedence()
    assert precedence.waited(0.5) == 0.5
    with precedence.page():
        began = time.monotonic()
        assert precedence.waited(0.05) <= 0
        assert time.monotonic() - began >= 0.04
        assert precedence.waited(-0.1) == -0.1
        with precedence.page():
            pass
        assert precedence.waited(0.02) <= 0
    assert precedence.waited(0.5) == 0.5


def test_threads_take_short_turns() -> None:
    before = sys.getswitchinterval()
    try:
        take_short_turns()
        assert abs(sys.getswitchinterval() - SWITCHING) < 1e-6
    finally:
        sys.setswitchinterval(before)


def _taking_in(new_database, opened, tmp_path, precedence: Precedence) -> tuple[Intake, HubInbox, Overview]:
    database = open_database(str(shutil.copy(new_database, tmp_path / "hub.sqlite")))
    opened.append(database)
    storing, inbox, overview = Storing(database), HubInbox(), Overview()
    storing.tables.register("blue", "Blue", KEY)
    taking = Intake(inbox, _NoBroker(), storing, overview, lambda: None, "", precedence)
    taking._load(None)
    return taking, inbox, overview


def _state(number: int) -> ReceivedMessage:
    state = replace(public_state(new_session().log, shows_names=True), game="blue-1")
    envelope = signed(KEY, TopicKind.STATE, "blue", number, state.document(), "1")
    return ReceivedMessage(envelope.topic, envelope.payload(), is_retained=True)


def test_a_state_that_the_broker_tells_once_more_is_not_read_again(new_database, opened, tmp_path, monkeypatch) -> None:
    taking, inbox, overview = _taking_in(new_database, opened, tmp_path, Precedence())
    read: list[int] = []
    document = intake.Envelope.document

    def noted(envelope):
        read.append(envelope.number)
        return document(envelope)

    monkeypatch.setattr(intake.Envelope, "document", noted)
    for number in (5, 5, 5, 6):
        inbox.put(_state(number))
    taking._turn()
    assert read == [5, 6]
    assert overview.table("blue").number == 6
    assert taking._batch.refusals == {}


def test_the_intake_lets_a_page_be_made_first(new_database, opened, tmp_path) -> None:
    precedence = Precedence()
    taking, inbox, overview = _taking_in(new_database, opened, tmp_path, precedence)
    inbox.put(_state(7))
    with precedence.page():
        working = threading.Thread(target=taking._turn)
        working.start()
        time.sleep(0.06)
        assert overview.table("blue").number == 0
    working.join()
    assert overview.table("blue").number == 7
