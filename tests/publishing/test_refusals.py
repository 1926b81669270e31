"""What a table says of answers that refuse it: the one that tells most, and that of a copy only where it is signed."""

from companion.publishing.envelope import Envelope, body_text
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import COPIED, GameNumber, HubMessage
from companion.publishing.published_table import COPY_TOLD, REGISTERING
from companion.publishing.signing import new_code
from companion.publishing.topics import TopicKind
from tests.publishing.talking_table import Talk
from tests.session.evenings import new_session


def test_what_a_registration_was_answered_stays_although_more_is_not_believed_later() -> None:
    for why in REGISTERING:
        talk = Talk(KeptPublishing(None))
        talk.table.register(new_code())
        for refused in (why, "unregistered", "signature"):
            said = Envelope(TopicKind.HUB, talk.name, 1, body_text(HubMessage(refused=refused).document()))
            talk.table.receive(said.topic, said.payload(), talk.now)
        assert talk.table.status.refused == why
        talk.registered()
        assert talk.table.status.refused == ""


def test_that_there_is_a_copy_is_told_for_a_while_and_only_where_a_hub_has_signed_it() -> None:
    talk = Talk(KeptPublishing(None)).registered()
    forged = Envelope(TopicKind.HUB, talk.name, 1, body_text(HubMessage(refused=COPIED).document()))
    talk.table.receive(forged.topic, forged.payload(), talk.now)
    assert talk.table.status.refused == ""
    talk.say(HubMessage(acknowledged=(GameNumber("game", 3),), refused=COPIED))
    talk.say(HubMessage(acknowledged=(GameNumber("game", 4),)))
    talk.exchange()
    assert (talk.table.status.registered, talk.table.status.refused) == (True, COPIED)
    talk.now += COPY_TOLD
    talk.exchange()
    assert talk.table.status.refused == ""


def test_what_somebody_else_of_the_same_name_was_answered_is_nothing_to_a_registered_table() -> None:
    for why in REGISTERING:
        talk = Talk(KeptPublishing(None)).registered()
        talk.show(new_session())
        talk.exchange(hub_hears=False)
        told = Envelope(TopicKind.HUB, talk.name, 1, body_text(HubMessage(refused=why).document()))
        talk.table.receive(told.topic, told.payload(), talk.now)
        assert talk.table.status.behind > 0
        assert talk.table.status.refused == ""
