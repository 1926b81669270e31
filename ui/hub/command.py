"""`companion hub`: many tables in one view."""

from __future__ import annotations

import signal
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from ui.commands.terminal import FINE, WrongUse, parser, say, whole_number
from ui.services.interruption import ended_by

if TYPE_CHECKING:
    from ui.hub.service import Hub

PACKAGES = ("sqlalchemy", "alembic", "psycopg")
HIGHEST_PORT = 65_535
SECONDS_TO_END = 1.5


class HubNotInstalled(CompanionError):
    """The packages of the extra `hub` are not there."""


def hub(words: Sequence[str]) -> int:
    """`companion hub`: runs until it is interrupted."""
    options = parser("hub", "Take in, store and show many tables (docs/many_tables.md).")
    options.add_argument(
        "--broker",
        metavar="BROKER",
        help="the MQTT broker of the tables, as [user:password@]host[:port]; without it the hub starts mosquitto",
    )
    options.add_argument(
        "--database", metavar="URL",
        help="postgresql://user@host/name or a SQLite file; without it one in the data folder",
    )  # fmt: skip
    options.add_argument("--address", default="", help="the local address for pages and own broker; the likeliest")
    options.add_argument("--port", type=_port, metavar="N", help="the port of the pages (8324)")
    options.add_argument("--broker-port", type=_port, metavar="N", help="the port of the own broker (1883)")
    options.add_argument("--new-passwords", action="store_true", help="draw new passwords of the pages, and show them")
    options.add_argument("--language", default="", metavar="CODE", help="en, it or de; the machine's without it")
    chosen = options.parse_args(words)

    from ui.services.text import LANGUAGES, use_language

    if chosen.language not in ("", *LANGUAGES):
        raise WrongUse(f"--language {chosen.language} is none of en, it and de")
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise HubNotInstalled(
            f"the hub needs {', '.join(missing)}, not installed here: pip install 'roman-table-companion[hub]'"
        )

    from sqlalchemy.exc import DatabaseError

    from firmware_bridge.errors import InvalidBrokerAddress
    from firmware_bridge.protocol.addresses import BrokerAddress
    from ui.hub.database import FILE, only_hub, open_database, unreadable
    from ui.hub.precedence import take_short_turns
    from ui.hub.service import BROKER_PORT, Hub, WantedService
    from ui.services.folders import data_folder
    from vision.free_memory import keep_little

    keep_little()
    take_short_turns()
    use_language(chosen.language)
    try:
        broker = BrokerAddress.parse(chosen.broker) if chosen.broker is not None else None
    except InvalidBrokerAddress as error:
        raise WrongUse(f"--broker: {error}") from error
    database = open_database(chosen.database or str(data_folder() / FILE))
    port = chosen.broker_port if chosen.broker_port is not None else BROKER_PORT
    wanted = WantedService(chosen.address, chosen.port, broker, port, new_passwords=chosen.new_passwords)
    try:
        with only_hub(database):
            _run(Hub(database, wanted), owns_broker=broker is None)
    except DatabaseError as error:
        raise unreadable(database, error) from error
    finally:
        database.close()
    return FINE


def _run(running: Hub, *, owns_broker: bool) -> None:
    """Run a hub until the program is interrupted, and say where it is."""
    stopping = threading.Event()

    def end() -> None:
        stopping.set()
        running.wait_no_more()

    with ended_by(end, signal.SIGTERM):
        try:
            running.start()
            _say_where(running, owns_broker=owns_broker)
            while not stopping.wait(0.5):
                pass
        except KeyboardInterrupt:
            pass  # Ctrl-C is how a hub is ended
        finally:
            running.stop(SECONDS_TO_END)


def _say_where(running: Hub, *, owns_broker: bool) -> None:
    say(f"pages:  http://{running.address}/")
    if owns_broker and running.broker_address is not None:
        own = running.broker_address
        say(f"broker: {own.username}:{own.password}@{own}  (mosquitto, ends with the hub)")
    for role, password in running.first_passwords.items():
        say(f"password to {role.value}: {password}  (shown this once)")
    if not running.is_connected:
        say("the broker does not answer yet; the hub goes on trying")


def _port(text: str) -> int:
    port = whole_number(text)
    if not 0 <= port <= HIGHEST_PORT:
        raise WrongUse(f"a port is from 0 to {HIGHEST_PORT}, not {port}")
    return port
