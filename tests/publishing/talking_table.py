"""A published table and a hub that hear one another, without a broker."""

from companion.publishing.envelope import Envelope
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import (
    HubMessage,
    read_entry,
)
from companion.publishing.published_table import PublishedNow, PublishedTable
from companion.publishing.topics import TopicKind
from companion.session.log import Log
from companion.session.session import Session
from tests.publishing.listening_hub import ListeningHub


class Talk:
    """A table and a hub that hear one another; `now` goes on by a second with each exchange."""

    def __init__(self, kept: KeptPublishing, logs: dict[str, Log] | None = None, name: str = "table-1") -> None:
        self.hub, self.now, self.logs = ListeningHub(), 100.0, logs or {}
        self.kept, self.name = kept, name
        self.sent: list[Envelope] = []
        self.restart()

    def restart(self) -> None:
        self.table = PublishedTable(self.name, self.kept, self.logs.get, called="Window", version="1")
        self.will = self.table.connect()

    def registered(self) -> "Talk":
        self.table.register(self.hub.code)
        self.exchange()
        return self

    def show(self, session: Session) -> None:
        self.logs[session.id] = session.log
        self.table.show(PublishedNow(session.log))

    def exchange(self, *, hub_hears: bool = True) -> list[Envelope]:
        """What the table says now, until it has nothing more to say; the hub answers at once."""
        said: list[Envelope] = []
        while batch := list(self.table.due(self.now)):
            said += batch
            for envelope in batch if hub_hears else ():
                answer = self.hub.hear(envelope.topic, envelope.payload())
                if answer is not None:
                    self.table.receive(answer.topic, answer.payload(), self.now)
        self.now += 1
        self.sent += said
        return said

    def say(self, message: HubMessage) -> None:
        said = self.hub.say(self.name, message)
        self.table.receive(said.topic, said.payload(), self.now)


def numbers(said: list[Envelope]) -> list[int]:
    return [read_entry(each.document()).number for each in said if each.kind is TopicKind.ENTRY]


def kinds(said: list[Envelope]) -> set[TopicKind]:
    return {each.kind for each in said}
