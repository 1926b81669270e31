"""The MQTT broker that the boxes use: a configured one, the machine's own, or one that this program starts for itself.

A broker that we start listens on loopback only, on a free port, for one user with a password drawn at its start; it
keeps nothing on disk, for its configuration is removed when it has read it, is started again when it crashes, and
ends when this program ends, however that happens.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
import threading
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Protocol

from companion.wording.sentences import sentence
from firmware_bridge.errors import BrokerUnavailable, TransportUnavailable
from firmware_bridge.mqtt.transport import check_broker
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.scratch import ScratchFolder
from firmware_bridge.transports.reconnect import BackOff

LOOPBACK = "127.0.0.1"
LOCAL = BrokerAddress(LOOPBACK)
USERNAME = "table"
START_TIMEOUT = 5.0
STOP_TIMEOUT = 3.0
_DOCUMENTATION_HOST = "192.0.2.1"
"""An address that no machine has (RFC 5737): the way to it shows which own address leads outside."""
_AT_ONCE = 0.3
"""Seconds in which a broker of the same network accepts a connection."""
PORT_ATTEMPTS = 3
"""Between choosing a free port and listening on it, another program may take it."""

MAXIMUM_MESSAGE = 5 * 1024 * 1024
"""Bytes of a message: a bridge's list of devices has several hundred thousand."""

MOST_QUEUED = 50_000
"""messages that wait for one client; mosquitto drops what goes beyond"""

_SYSTEM_PROGRAMS = os.pathsep.join(("/usr/local/sbin", "/usr/sbin", "/sbin"))
"""Where Debian keeps mosquitto, which is not on the PATH of ordinary users."""

_UNTIL_OUR_END = 'exec 3<&0; (read -r _ <&3; kill "$$") & exec "$@" 3<&- </dev/null'
"""Runs a program in place of the shell and ends it when our end of its standard input closes, be it by SIGKILL."""


WATCH_SECONDS = 0.1


class Broker(Protocol):
    """A broker in use."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def address(self) -> BrokerAddress:
        """How to reach it; the same after `stop` and `start`."""

    @property
    def warning(self) -> str:
        """What people should know about it; "" for nothing."""

    def start(self) -> None:
        """Make it run, if it is ours to run.

        Raises BrokerUnavailable.
        """

    def stop(self) -> None:
        """Let it end, if it is ours to run; safe to call twice."""


def start_broker(prefer: Literal["auto", "own"] = "auto", configured: BrokerAddress | None = None) -> Broker:
    """A running broker: the configured one (which may be out of reach just now), else one that answers anonymously on
    this machine's port 1883 unless `own` is preferred, else one of our own: mosquitto, or iotcore without it.

    Raises BrokerUnavailable, also for a configured one elsewhere to which everybody in reach could speak.
    """
    if configured is not None:
        if not configured.password and not configured.is_loopback:
            raise BrokerUnavailable(
                sentence(
                    "the broker {address} can be reached from outside, so it needs a password; give it one and write "
                    "user:password@{host}",
                    address=configured, host=configured.host,
                )
            )  # fmt: skip
        return ExternalBroker(configured, _warning_about(configured))
    if prefer == "auto" and answers(LOCAL):
        return ExternalBroker(LOCAL, _warning_about(LOCAL))
    reasons: list[str] = []
    for own in (OwnMosquitto, OwnIotcore):
        reason = ""
        for _ in range(PORT_ATTEMPTS):
            try:
                broker = KeptBroker(own())
                broker.start()
            except BrokerUnavailable as error:
                reason = error.reason
            else:
                return broker
        reasons.append(reason)
    raise BrokerUnavailable(
        sentence(
            "no MQTT broker can be started: {first}; {second}; install mosquitto or name a broker",
            first=reasons[0], second=reasons[1],
        )
    )  # fmt: skip


class ExternalBroker:
    """A broker that somebody else runs; `warning` says if everybody in reach can speak to it, else it is ""."""

    def __init__(self, address: BrokerAddress, warning: str = "") -> None:
        self.name = f"broker {address}"
        self.address, self.warning = address, warning

    def start(self) -> None:
        """Not ours to start."""

    def stop(self) -> None:
        """Not ours to stop."""


class OwnBroker(Broker, Protocol):
    """A broker in a process of its own that we start."""

    @property
    def is_running(self) -> bool:
        """Whether its process is alive."""


class KeptBroker:
    """A broker of our own that is started again, at the same address, when it has crashed."""

    warning = ""
    """it listens on loopback only"""

    def __init__(self, broker: OwnBroker) -> None:
        self.broker = broker
        self.restarts = 0
        self._stopping = threading.Event()
        self._watch: threading.Thread | None = None

    @property
    def name(self) -> str:
        """What people call it."""
        return self.broker.name

    @property
    def address(self) -> BrokerAddress:
        """How to reach it; the same after a crash."""
        return self.broker.address

    def start(self) -> None:
        """Start it, wait until it listens, and watch over it."""
        self.broker.start()
        if self._watch is None:
            self._stopping = threading.Event()
            self._watch = threading.Thread(target=self._keep, args=(self._stopping,), name=self.name, daemon=True)
            self._watch.start()

    def stop(self) -> None:
        """End it."""
        watch, self._watch = self._watch, None
        if watch is not None:
            self._stopping.set()
            watch.join()
        self.broker.stop()

    def _keep(self, stopping: threading.Event) -> None:
        back_off = BackOff()
        while not stopping.wait(WATCH_SECONDS):
            if self.broker.is_running:
                continue
            try:
                self.broker.start()
            except BrokerUnavailable:
                stopping.wait(back_off.next_wait())
            else:
                self.restarts += 1
                back_off.reset()


class OwnMosquitto:
    """A mosquitto of our own, on loopback for one drawn password unless an address with user and password is given.

    Raises BrokerUnavailable where it is not installed.
    """

    warning = ""
    """it listens on loopback only, or asks for a password"""

    name = "own mosquitto"

    def __init__(self, address: BrokerAddress | None = None) -> None:
        program = shutil.which("mosquitto", path=os.pathsep.join((os.environ.get("PATH", ""), _SYSTEM_PROGRAMS)))
        if program is None:
            raise BrokerUnavailable(sentence("mosquitto is not installed"))
        self._program = program
        self.address = address or _fresh_address()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        """Whether its process is alive."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start it and wait until it listens."""
        if self.is_running:
            return
        self.stop()
        with ScratchFolder("broker") as folder:
            try:
                self._launch(folder.path)
            except BrokerUnavailable:
                self.stop()
                raise

    def stop(self) -> None:
        """End it."""
        process, self.process = self.process, None
        if process is not None:
            if process.stdin is not None:
                process.stdin.close()
            try:
                process.wait(STOP_TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _launch(self, folder: Path) -> None:
        configuration = folder / "mosquitto.conf"
        passwords, log = folder / "passwords", folder / "log"
        kept = _mosquitto_hash(self.address.password or "")
        passwords.write_text(f"{self.address.username}:{kept}\n", encoding="ascii")
        configuration.write_text(
            f"listener {self.address.port} {self.address.host}\n"
            "allow_anonymous false\n"
            f"password_file {passwords}\n"
            # Started by root it would become another user, who may not read our folder; for others this has no effect.
            "user root\n"
            "persistence false\n"
            "set_tcp_nodelay true\n"
            # Whoever subscribes to thousands of tables is sent all that is kept of them at once.
            f"max_queued_messages {MOST_QUEUED}\n"
            f"message_size_limit {MAXIMUM_MESSAGE}\n"
            "log_dest stderr\nlog_type error\nlog_type warning\n",
            encoding="utf-8",
        )
        with log.open("wb") as errors:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", _UNTIL_OUR_END, "sh", self._program, "-c", str(configuration)],
                stdin=subprocess.PIPE,
                stdout=errors,
                stderr=errors,
                cwd=folder,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_TIMEOUT
        while not answers(self.address):
            if self.process.poll() is not None:
                lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
                last = lines[-1] if lines else ""
                raise BrokerUnavailable(sentence("mosquitto ended at its start ({last_words})", last_words=last))
            if time.monotonic() > deadline:
                raise BrokerUnavailable(sentence("mosquitto does not listen"))
            time.sleep(0.01)


class OwnIotcore:
    """The broker in the iotcore package, in a child process; raises BrokerUnavailable where it is not installed."""

    warning = ""
    """it listens on loopback only"""

    name = "own iotcore broker"

    def __init__(self) -> None:
        if importlib.util.find_spec("iotcore") is None:
            raise BrokerUnavailable(sentence("iotcore is not installed"))
        self.address = _fresh_address()
        self._broker: Any = None

    @property
    def is_running(self) -> bool:
        """Whether its process is alive."""
        return self._broker is not None and bool(self._broker.is_running)

    def start(self) -> None:
        """Start it and wait until it listens."""
        if self.is_running:
            return
        self.stop()
        with ScratchFolder("broker") as folder:
            configuration = folder.path / "rumqttd.toml"
            configuration.write_text(
                "id = 0\n"
                "[router]\nid = 0\nmax_connections = 100\nmax_outgoing_packet_count = 200\n"
                "max_segment_size = 1048576\nmax_segment_count = 10\n"
                f'[v4.1]\nname = "table"\nlisten = "{LOOPBACK}:{self.address.port}"\nnext_connection_delay_ms = 1\n'
                "[v4.1.connections]\nconnection_timeout_ms = 5000\nmax_inflight_count = 100\n"
                f"max_payload_size = {MAXIMUM_MESSAGE}\n"
                f'[v4.1.connections.auth]\n{USERNAME} = "{self.address.password}"\n',
                encoding="utf-8",
            )
            broker = import_module("iotcore").Broker(config_path=str(configuration))
            try:
                broker.start(timeout=START_TIMEOUT)
                check_broker(self.address)
            except (OSError, RuntimeError) as error:
                broker.stop()
                raise BrokerUnavailable(sentence("iotcore does not start ({why})", why=error)) from error
        self._broker = broker

    def stop(self) -> None:
        """End it."""
        broker, self._broker = self._broker, None
        if broker is not None:
            broker.stop()


def _fresh_address() -> BrokerAddress:
    with socket.socket() as listener:
        listener.bind((LOOPBACK, 0))
        port: int = listener.getsockname()[1]
    return BrokerAddress(LOOPBACK, port, USERNAME, secrets.token_urlsafe(18))


def answers(address: BrokerAddress) -> bool:
    """Whether a broker is there and lets us in."""
    try:
        check_broker(address)
    except TransportUnavailable:
        return False
    return True


def _warning_about(address: BrokerAddress) -> str:
    """That a broker lets in everybody who can reach it from outside this machine; "" where it does not."""
    host = _outside_address() if address.is_loopback else address.host
    if host is None or not _is_listening(host, address.port):
        return ""
    anonymous = replace(address, host=host, username=None, password=None)
    if not answers(anonymous):
        return ""
    return sentence(
        "the broker {address} can be reached from outside and asks for no password: anybody in the network can press"
        " buttons in the players' names; give it a password",
        address=anonymous,
    )


def _outside_address() -> str | None:
    """The address under which other machines reach this one; None where there is no network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_DOCUMENTATION_HOST, 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") else address


def _is_listening(host: str, port: int) -> bool:
    """Whether anything accepts connections there at once."""
    try:
        socket.create_connection((host, port), _AT_ONCE).close()
    except OSError:
        return False
    return True


def _mosquitto_hash(password: str, iterations: int = 101) -> str:
    """The form in which mosquitto 2 keeps a password: PBKDF2-HMAC-SHA512."""
    salt = secrets.token_bytes(12)
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, iterations)
    return f"$7${iterations}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"
