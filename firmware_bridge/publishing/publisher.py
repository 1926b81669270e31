"""Publishes tables on a broker for hubs (docs/formats/hub.md), on a thread of its own: no table ever waits for it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

from companion.errors import CompanionError, InvalidDocument
from companion.publishing.envelope import Envelope
from companion.publishing.published_table import PublishedTable
from companion.publishing.topics import RETAINED, TopicKind, topic
from companion.wording.sentences import sentence
from firmware_bridge.errors import NotAuthorised, TransportError
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.transports.reconnect import BackOff
from firmware_bridge.transports.transport import Dropped

WAIT = 0.05
"""seconds between two looks at what the tables show"""
ASKED_AFTER = 0.5
"""seconds after which a table without news is asked what is due, such as its beat"""
STOP_TIMEOUT = 5.0
LEAVE_TIMEOUT = 2.0
"""seconds that the broker has to take the last that tables say"""
MOST_WAITING = 100
"""publications of one table that the broker may not have acknowledged yet"""
_MOST_AT_ONCE = 500
"""messages of hubs that are taken in between two looks"""

_LOG = logging.getLogger("companion.publishing")

Heard = tuple[str, bytes]
"""topic and payload"""


class TablePublisher:
    """Keeps tables published; a broker that is away gets what has changed when it is back.

    Several tables share one connection, which has a last will only where it is for one.
    """

    def __init__(self, address: BrokerAddress, tables: Sequence[PublishedTable]) -> None:
        self._address, self._tables = address, {table.name: table for table in tables}
        self.dropped = Dropped()
        """what hubs said that did not hold, and what was too large to be told"""
        self.connected = False
        self.problem = ""
        """why there is no connection, as a sentence; "" while there is one"""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Say that the tables leave, and leave the broker."""
        self._stopping.set()
        self._thread.join(STOP_TIMEOUT)

    def _run(self) -> None:
        back_off = BackOff()
        while not self._stopping.is_set():
            wait: float | None = None
            connection: MqttConnection[Heard] | None = None
            try:
                connection = self._new_connection()
                connection.open()
                back_off.reset()
                self.connected, self.problem = True, ""
                self._serve(connection)
            except NotAuthorised as error:  # trying again with the same password is no use
                self.problem = error.reason
            except TransportError as error:
                self.problem, wait = error.reason, back_off.next_wait()
            except CompanionError as error:
                self.problem, wait = str(error), back_off.next_wait()
            except Exception:  # noqa: BLE001  # nobody else would begin again
                _LOG.exception("publishing begins again")
                self.problem, wait = sentence("the program failed; its log says how"), back_off.next_wait()
            finally:
                self.connected = False
                if connection is not None:
                    connection.close()
            self._stopping.wait(wait)

    def _new_connection(self) -> MqttConnection[Heard]:
        wills = [_publication(table.connect()) for table in self._tables.values()]
        return MqttConnection(
            f"broker {self._address}",
            self._address,
            [topic(TopicKind.HUB, name) for name in self._tables],
            self.dropped,
            _heard,
            wills[0] if len(wills) == 1 else None,
            most_queued=2 * MOST_WAITING * len(wills),
        )

    def _serve(self, connection: MqttConnection[Heard]) -> None:
        most, asked_at = MOST_WAITING * len(self._tables), dict.fromkeys(self._tables, float("-inf"))
        while not self._stopping.is_set():
            now = time.monotonic()
            for name, table in self._tables.items():
                if table.has_news or now >= asked_at[name] + ASKED_AFTER:
                    asked_at[name] = now
                    self._tell(connection, table, most)
            wait = WAIT
            for _turn in range(_MOST_AT_ONCE):
                heard = connection.receive(wait)
                if heard is None:
                    break
                self._take_in(*heard)
                wait = 0.0
        for table in self._tables.values():
            for envelope in table.goodbye():
                connection.publish(_publication(envelope))
        until = time.monotonic() + LEAVE_TIMEOUT
        while connection.waiting and time.monotonic() < until:
            connection.receive(WAIT)

    def _tell(self, connection: MqttConnection[Heard], table: PublishedTable, most: int) -> None:
        """Publish what a table has to say, as far as the broker keeps up."""
        if connection.waiting >= most:
            table.has_news = True
            return
        for envelope in table.due(time.monotonic()):
            try:
                told = _publication(envelope)
            except InvalidDocument as error:  # larger than any may be
                self.dropped.add(str(error))
                continue
            connection.publish(told)
            if connection.waiting >= most:
                table.has_news = True
                return

    def _take_in(self, where: str, payload: bytes) -> None:
        table = self._tables.get(where.rpartition("/")[2])
        if table is None:
            return
        try:
            table.receive(where, payload, time.monotonic())
        except InvalidDocument as error:
            self.dropped.add(str(error))


def _publication(envelope: Envelope) -> Publication:
    return Publication(envelope.topic, envelope.payload(), retain=envelope.kind in RETAINED)


def _heard(where: str, payload: bytes, retained: bool) -> Heard | None:
    return None if retained else (where, payload)
