"""A hub at work: connection, intake, pages, and a broker of its own where it is asked for."""

from __future__ import annotations

import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from companion.errors import CompanionError
from companion.registry import known_games
from firmware_bridge.errors import BrokerUnavailable
from firmware_bridge.mqtt.broker import KeptBroker, OwnMosquitto
from firmware_bridge.mqtt.connection import REFUSALS
from firmware_bridge.protocol.addresses import BrokerAddress
from ui.hub.boards import Boards
from ui.hub.cards import HubCards, with_minutes
from ui.hub.connection import HubConnection, HubInbox
from ui.hub.context import Context
from ui.hub.database import Database, Listener, Lost
from ui.hub.entrance_page import setting_of
from ui.hub.event_store import EventStore
from ui.hub.events import Events
from ui.hub.histories import Histories
from ui.hub.intake import Intake
from ui.hub.overview import Overview
from ui.hub.passwords import SECRET, Passes, Role, kept_form, new_secret
from ui.hub.precedence import Precedence
from ui.hub.site import HubSite
from ui.hub.storing import Storing
from ui.hub.untold_ends import UntoldEnds
from ui.web.addresses import is_local, local_addresses, usual_form
from ui.web.readable import drawn_code
from ui.web.serving import PageServer

PAGES_PORT, BROKER_PORT = 8324, 1883
TICK = 1.0
"""seconds between two looks for tables that have fallen silent"""
MINUTE = 60.0
COALESCED = 0.05
"""seconds in which changes are told to open pages together"""
ANSWER = 4.0
STOPPING = 15.0
USER = "table"


class HubUnavailable(CompanionError):
    """A hub cannot be run as it was asked for."""


@dataclass(frozen=True, slots=True)
class WantedService:
    """How a hub is to be run. Without a `broker` it starts mosquitto; `port` 0 is a free one, None the usual one.

    `new_passwords` are drawn although there are some.
    """

    address: str = ""
    port: int | None = None
    broker: BrokerAddress | None = None
    broker_port: int = BROKER_PORT
    draws: bool = True
    new_passwords: bool = False


class Hub:
    """One hub on an open database, from `start` to `stop`."""

    def __init__(self, database: Database, wanted: WantedService, nonce: Callable[[], str] | None = None) -> None:
        self._database, self._wanted, self._nonce = database, wanted, nonce
        self.storing, self.overview = Storing(database), Overview()
        self._broker: KeptBroker | None = None
        self._connection: HubConnection | None = None
        self._listener: Listener | None = None
        self._server: PageServer | None = None
        self.intake: Intake | None = None
        self.events: Events | None = None
        self._passes: Passes | None = None
        self._boards: Boards | None = None
        self._stopping, self._news = threading.Event(), threading.Event()
        self._threads: list[threading.Thread] = []
        self.address = ""
        """where the pages are, such as "192.168.1.20:8324" """
        self.broker_address: BrokerAddress | None = None
        self._kept_passwords: dict[Role, str] = {}
        self.first_passwords: dict[Role, str] = {}
        """the passwords drawn at this start; none where there were some already"""

    def start(self) -> None:
        """Begin.

        Raises HubUnavailable, BrokerUnavailable; passwords that nobody has been shown are forgotten then.
        """
        try:
            self._start()
        except BaseException:
            with suppress(*Lost):
                for role, kept in self._kept_passwords.items():
                    self.storing.remove_setting(setting_of(role), kept)
            raise

    def _start(self) -> None:
        address = usual_form(self._wanted.address) or local_addresses()[0]
        if not is_local(address):
            raise HubUnavailable(
                f"--address {address}: is no address of a local network; pages are served on no other, so put a web "
                "server with encryption in front of a local one"
            )
        if not _is_ours(address):
            own = ", ".join(local_addresses())
            raise HubUnavailable(f"--address {address}: is no address of this machine, which has {own}")
        self.first_passwords = self._passwords()
        broker = self.broker_address = self._wanted.broker or self._own_broker(address)
        inbox = HubInbox()
        connection = self._connection = HubConnection(broker, inbox)
        boards = self._boards = Boards(draws=self._wanted.draws)
        boards.drawn = self._redraw
        histories = Histories(self.storing, boards)
        precedence = Precedence()
        self.intake = Intake(inbox, connection, self.storing, self.overview, self._news.set, _version(), precedence)
        passes = self._passes = Passes(bytes.fromhex(self.storing.setting(SECRET, new_secret())))
        told = f"{broker.username}:{broker.password}@{broker}" if self._broker is not None else str(broker)
        told = f"mqtts://{told}" if broker.tls else told
        ends = UntoldEnds(self.storing, self.overview)
        self.events = Events(EventStore(self._database), self._assign, self.overview.touch, ends)
        cards = HubCards(boards, is_taken=self.events.is_taken)
        context = Context(
            self.storing, self.overview, self.intake, boards, histories, cards, passes, self.events,
            secrets.token_hex(4), self._news.set, told, precedence,
        )  # fmt: skip
        self._server = PageServer(
            lambda hosts, _port, shut_out: HubSite(context, hosts, shut_out, self._nonce), "hub"
        )  # fmt: skip
        self.intake.start()
        if self._database.is_shared:
            self._listener = Listener(self._database, self.intake.look_again)
            self._listener.start()
        connection.open()
        answer = connection.first_answer(ANSWER)
        if answer:
            self.stop()
            advice = "; check the user name and the password" if answer in REFUSALS else ""
            raise BrokerUnavailable(f"the broker {broker} refuses us ({answer}){advice}")
        self.address = self._served(address)
        played = Counter(table.rules for table in self.overview.all())
        boards.draw_ahead(sorted(known_games(), key=lambda game: -played[game]))
        self._threads = [
            threading.Thread(target=self._tell_pages, name="hub news", daemon=True),
            threading.Thread(target=self._tick, name="hub clock", daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_connected(self) -> bool:
        """Whether the broker can be reached just now."""
        return self._connection is not None and self._connection.is_open

    def wait_no_more(self) -> None:
        """Let a start that waits for the broker go on without it; may be called by a signal's handler."""
        if self._connection is not None:
            self._connection.wait_no_more()

    def stop(self, patience: float = STOPPING) -> None:
        """Write what has come in, close the pages and the own broker. What takes longer than `patience` seconds, such
        as a database that does not answer, is left: nothing of it was acknowledged.
        """
        until = time.monotonic() + patience
        self._stopping.set()
        self._news.set()
        if self._boards is not None:
            self._boards.stop()
        ends = [part.stop for part in (self._listener, self._server) if part is not None]
        ends += [self._connection.close] if self._connection is not None else []
        ends += [self.intake.stop] if self.intake is not None and self.intake.is_running else []
        ending = [threading.Thread(target=end, name="hub end", daemon=True) for end in ends]
        for thread in ending:
            thread.start()
        for thread in (*self._threads, *ending):
            thread.join(max(0.0, until - time.monotonic()))
        if self._broker is not None:
            self._broker.stop()

    def _passwords(self) -> dict[Role, str]:
        """Draw the passwords at the first start of the database, or where new ones are wanted: nobody is in then."""
        drawn: dict[Role, str] = {}
        if self._wanted.new_passwords:
            self.storing.set_setting(SECRET, new_secret())
        for role in Role:
            password = drawn_code()
            kept = kept_form(password)
            if self._wanted.new_passwords:
                self.storing.set_setting(setting_of(role), kept)
            if self.storing.setting(setting_of(role), kept) == kept:
                drawn[role] = password
                self._kept_passwords[role] = kept
        return drawn

    def _own_broker(self, address: str) -> BrokerAddress:
        password = self.storing.setting("broker password", drawn_code())
        port = self._wanted.broker_port or _free_port(address)
        wanted = BrokerAddress(address, port, USER, password)
        if _is_taken(address, port):
            raise BrokerUnavailable(
                f"{wanted}: another program listens there; name it with --broker if it is an MQTT broker, or choose "
                "another port with --broker-port"
            )
        try:
            own = OwnMosquitto(wanted)
        except BrokerUnavailable as error:
            raise BrokerUnavailable(f"{error}: install it, or name an MQTT broker with --broker") from error
        broker = KeptBroker(own)
        broker.start()
        self._broker = broker
        return wanted

    def _served(self, address: str) -> str:
        server, port = self._server, self._wanted.port
        if server is None:
            return ""
        try:
            found = server.start(address, PAGES_PORT if port is None else port)
        except OSError as error:
            if port is not None:
                self.stop()
                raise HubUnavailable(f"{address}:{port}: pages cannot be served ({error.strerror or error})") from error
            found = server.start(address, 0)
        return f"[{address}]:{found}" if ":" in address else f"{address}:{found}"

    def _assign(self, table_id: str, assignment: str) -> None:
        """Tell a table who sits there."""
        table = self.storing.tables.next_word(table_id, assignment=assignment)
        if table is not None and self.intake is not None:
            self.intake.say(table)

    def _redraw(self, rules: str) -> None:
        """The pictures of a game are there now: show its tables with them."""
        self.overview.touch([table.table_id for table in self.overview.all() if table.rules == rules])
        self._news.set()

    def _tell_pages(self) -> None:
        while not self._stopping.is_set():
            self._news.wait()
            self._stopping.wait(COALESCED)
            self._news.clear()
            if self._server is not None:
                self._server.wake()

    def _tick(self) -> None:
        minute = time.monotonic()
        while True:
            self.overview.find_silent(time.time())
            if self.events is not None:
                with suppress(*Lost):  # looked at again in a second
                    self._database.compare_clocks()
                    self.events.look()
                    self.events.tell_again()
                    self._follow_secret()
            if time.monotonic() - minute >= MINUTE:
                minute = time.monotonic()
                self.overview.touch(table.table_id for table in with_minutes(self.overview.all()))
            self._news.set()
            if self._stopping.wait(TICK):
                return

    def _follow_secret(self) -> None:
        """Another hub may have logged everybody out."""
        if self._passes is not None and self._database.is_shared:
            kept = self.storing.known_setting(SECRET)
            if kept:
                self._passes.sign_with(bytes.fromhex(kept))


def _version() -> str:
    try:
        return version("roman-table-companion")
    except PackageNotFoundError:
        return ""


def _is_ours(address: str) -> bool:
    with suppress(OSError), socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
        probe.bind((address, 0))
        return True
    return False


def _is_taken(address: str, port: int) -> bool:
    with suppress(OSError), socket.create_connection((address, port), 0.3):
        return True
    return False


def _free_port(address: str) -> int:
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as listener:
        listener.bind((address, 0))
        return int(listener.getsockname()[1])
