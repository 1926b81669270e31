"""Why simulated tables are not heard by a hub, each reason once, with what to do; and that a broker is back."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.publishing.kept import FILE
from companion.publishing.messages import COPIED
from companion.publishing.published_table import PublishedTable
from firmware_bridge.mqtt.table_identity import TABLE_FILE
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.publishing.publisher import TablePublisher
from ui.commands.terminal import complain

LOOK = 0.5
"""seconds between two looks"""
DOUBTED_LOOKS = 8
"""looks for which a signature is refused before it is told: anybody on the broker may say so, and a hub that takes in
entries meanwhile does not"""
ANEW = "; for new names delete {files} and start again with --code"


class Unheard:
    """Complains in a thread of its own about tables in a folder, and about their broker, until `stop`."""

    def __init__(
        self,
        broker: BrokerAddress,
        folder: Path,
        tables: Sequence[PublishedTable],
        publishers: Sequence[TablePublisher],
    ) -> None:
        self._broker, self._tables, self._publishers = broker, tables, publishers
        self._files = f"{folder / TABLE_FILE} and {folder / FILE}"
        self._doubted = [0] * len(tables)
        """looks for which the signature of each table was refused"""
        self._told, self._told_of_broker = set[str](), set[str]()
        self.has_connected = False
        """whether all tables had the broker at a look"""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="unheard", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Look once more, and end."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(LOOK):
            self._look()
        self._look()

    def _look(self) -> None:
        for line in self._reasons():
            if line not in self._told:
                self._told.add(line)
                complain(line)
        self._look_for_broker()

    def _look_for_broker(self) -> None:
        """Tell what is wrong with the broker, each reason once until it is back, and that it is."""
        problems = {publisher.problem for publisher in self._publishers if publisher.problem}
        for problem in sorted(problems - self._told_of_broker):
            hint = "the tables go on trying" if self.has_connected else "--broker user:password@host"
            complain(f"the broker {self._broker}: {problem} ({hint})")
        self._told_of_broker |= problems
        is_connected = all(publisher.connected for publisher in self._publishers)
        if is_connected and self._told_of_broker:
            complain(f"the broker {self._broker} is back")
            self._told_of_broker.clear()
        self.has_connected |= is_connected

    def _reasons(self) -> Iterator[str]:
        for at, table in enumerate(self._tables):
            status = table.status
            self._doubted[at] = self._doubted[at] + 1 if status.refused == "signature" else 0
            if 0 < self._doubted[at] < DOUBTED_LOOKS and not self._stopping.is_set():
                continue
            if status.refused and not (status.registering and status.refused in ("unregistered", "signature")):
                yield self._refusal(status.refused)

    def _refusal(self, why: str) -> str:
        known = {
            "code": "the code does not hold: start again with the one that the hub shows, --code ABCD-…",
            "taken": "the hub has tables of these names with other keys: take those away there" + ANEW,
            "signature": "the hub has tables of these names with other keys: take those away there" + ANEW,
            "unregistered": "the hub does not know these tables: start again with the code it shows, --code ABCD-…",
            "schema": "the hub is of another version: bring both up to date",
            COPIED: "another device tells other entries as these tables, which are copied" + ANEW,
        }
        return known.get(why, f"the hub refuses these tables ({why}): start again").format(files=self._files)
