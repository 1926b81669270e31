"""A broker that others can reach, set up by the very files of docs/hardware.md: openssl, passwords, access."""

import os
import queue
import re
import shutil
import signal
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from companion.session.intents import Intent, IntentKind
from firmware_bridge.boxes import Boxes
from firmware_bridge.errors import BrokerUnavailable, NotAuthorised, TransportUnavailable
from firmware_bridge.firmware.unix_board import MicroPythonBoxSimulator
from firmware_bridge.mqtt.broker import start_broker
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.transport import check_broker
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress
from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator
from firmware_bridge.transports.transport import Dropped
from tests.firmware_bridge.waiting import Listener, eventually

PAGE = Path(__file__).parents[2] / "docs" / "hardware.md"
PROGRAMS = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin"))


@dataclass(frozen=True)
class Secured:
    host: str
    port: int
    folder: Path

    def address(self, user: str, password: str) -> BrokerAddress:
        return BrokerAddress(self.host, self.port, user, password, tls=True, authority=self.folder / "authority.pem")

    @property
    def table(self) -> BrokerAddress:
        return self.address("table", "a long password")

    @property
    def blue(self) -> BrokerAddress:
        return self.address("blue", "the box’s password")


def block(name: str) -> str:
    match = re.search(rf"^```\w+ {name}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secured]:
    for program in ("mosquitto", "mosquitto_passwd", "openssl"):
        if shutil.which(program, path=PROGRAMS) is None:
            pytest.skip(f"{program} is not installed")
    folder = tmp_path_factory.mktemp("mosquitto")
    (folder / "access").write_text(block("access"), encoding="utf-8")
    run = subprocess.run(
        ["sh", "-ec", block("certificates")],
        cwd=folder, env={**os.environ, "PATH": PROGRAMS}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    configuration = block("mosquitto.conf").replace("/etc/mosquitto", str(folder))
    configuration = configuration.replace("listener 8883", f"listener {port} 127.0.0.1") + "user root\n"
    (folder / "mosquitto.conf").write_text(configuration, encoding="utf-8")
    program = shutil.which("mosquitto", path=PROGRAMS)
    with (folder / "log").open("wb") as log:
        broker = subprocess.Popen([program, "-c", str(folder / "mosquitto.conf")], stdout=log, stderr=log)
    secured = Secured("localhost", port, folder)
    try:
        eventually(lambda: broker.poll() is not None or answers(secured.table))
        assert broker.poll() is None, (folder / "log").read_text(encoding="utf-8")
        yield secured
    finally:
        broker.send_signal(signal.SIGTERM)
        broker.wait()


def answers(address: BrokerAddress) -> bool:
    try:
        check_broker(address)
    except NotAuthorised:
        raise
    except TransportUnavailable:
        return False
    return True


class Ear:
    """A client that hears topics and publishes."""

    def __init__(self, address: BrokerAddress, *topics: str) -> None:
        self.heard: queue.Queue[tuple[str, bytes]] = queue.Queue()
        self._connection = MqttConnection("ear", address, topics, Dropped(), self._read)
        self._connection.open()

    def _read(self, topic: str, payload: bytes, retained: bool) -> None:
        if not retained:
            self.heard.put((topic, payload))

    def publish(self, topic: str, payload: bytes) -> None:
        self._connection.publish(Publication(topic, payload))

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.mark.hardware
def test_the_program_of_a_board_plays_over_an_encrypted_connection(
    secured: Secured, micropython: str, stack: ExitStack
) -> None:
    with MicroPythonBoxSimulator(replace(secured.blue, authority=secured.folder / "broker.pem")):
        eventually(lambda: b"unknown ca" in (secured.folder / "log").read_bytes())
    listener = Listener(stack.enter_context(Boxes([BoxAddress.parse("mqtt:blue@1")], broker=secured.table)))
    box = stack.enter_context(MicroPythonBoxSimulator(secured.blue))
    listener.ready()
    for led in (1, 2, 3, 4):
        box.tap(1)
        assert listener.press().intent == Intent(IntentKind.DONE, seat=1)
        listener.boxes.set_led("mqtt:blue", led, True)
        eventually(lambda led=led: box.lit() == frozenset(range(1, led + 1)))


def test_a_box_plays_over_an_encrypted_connection(secured: Secured, stack: ExitStack) -> None:
    box = stack.enter_context(MqttBoxSimulator(secured.blue, "blue"))
    broker = start_broker(configured=secured.table)
    listener = Listener(stack.enter_context(Boxes([BoxAddress.parse("mqtt:blue@1")], broker=broker.address)))
    listener.ready()
    box.tap(1)
    assert listener.press().intent == Intent(IntentKind.DONE, seat=1)
    listener.boxes.set_led("mqtt:blue", 1, True)
    eventually(lambda: box.lit() == {1})


def test_the_certificate_must_be_of_our_authority_and_for_that_host(secured: Secured) -> None:
    with pytest.raises(TransportUnavailable, match="certificate does not hold"):
        check_broker(replace(secured.table, authority=None))
    with pytest.raises(TransportUnavailable, match="certificate does not hold"):
        check_broker(replace(secured.table, host="127.1"))
    with pytest.raises(TransportUnavailable, match=r"certificate authority .*none\.pem cannot be read"):
        check_broker(replace(secured.table, authority=secured.folder / "none.pem"))
    with pytest.raises(TransportUnavailable):
        check_broker(replace(secured.table, tls=False))


def test_the_certificate_holds_for_the_strict_checks_of_later_pythons(secured: Secured) -> None:
    context = ssl.create_default_context(cafile=str(secured.folder / "authority.pem"))
    context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
    with (
        socket.create_connection(("127.0.0.1", secured.port)) as wire,
        context.wrap_socket(wire, server_hostname=secured.host) as encrypted,
    ):
        assert encrypted.version() == "TLSv1.3"


def test_a_wrong_password_is_final(secured: Secured) -> None:
    with pytest.raises(NotAuthorised):
        check_broker(secured.address("table", "guess"))


def test_the_password_may_stand_in_a_file(secured: Secured, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("a long password\n", encoding="utf-8")
    ca = secured.folder / "authority.pem"
    address = BrokerAddress.parse(f"mqtts://table@localhost:{secured.port}?ca={ca}&password_file={file}")
    assert address == secured.table
    check_broker(address)


def test_a_box_speaks_for_itself_only_and_hears_nothing_of_others(secured: Secured, stack: ExitStack) -> None:
    table, blue = Ear(secured.table, "tabletop/#"), Ear(secured.blue, "#")
    for ear in (table, blue):
        stack.callback(ear.close)
    blue.publish("tabletop/red/event/button_1", b"spoofed")
    blue.publish("tabletop/blue/cmd/led/1", b"commanded")
    blue.publish("companion/table/seat/1", b"spoofed")
    blue.publish("tabletop/blue/event/button_1", b"own")
    assert table.heard.get(timeout=20) == ("tabletop/blue/event/button_1", b"own")
    table.publish("tabletop/red/ack", b"for red")
    table.publish("tabletop/blue/ack", b"for blue")
    assert blue.heard.get(timeout=20) == ("tabletop/blue/ack", b"for blue")


def test_lamps_may_look_and_not_touch(secured: Secured, stack: ExitStack) -> None:
    lamps = Ear(secured.address("lamps", "the lamps’ password"), "#")
    table = Ear(secured.table, "#")
    for ear in (lamps, table):
        stack.callback(ear.close)
    lamps.publish("companion/table/seat/1", b"spoofed")
    lamps.publish("tabletop/blue/event/button_1", b"spoofed")
    table.publish("tabletop/blue/ack", b"private")
    table.publish("companion/table/seat/1", b"to move")
    assert lamps.heard.get(timeout=20) == ("companion/table/seat/1", b"to move")
    assert table.heard.get(timeout=20) == ("tabletop/blue/ack", b"private")


def test_a_broker_elsewhere_needs_a_password() -> None:
    with pytest.raises(BrokerUnavailable, match=r"write user:password@broker\.invalid"):
        start_broker(configured=BrokerAddress("broker.invalid"))
    assert start_broker(configured=BrokerAddress("localhost")).address.is_loopback
