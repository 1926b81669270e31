import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.errors import BrokerUnavailable, TransportUnavailable
from firmware_bridge.mqtt import broker as module
from firmware_bridge.mqtt.broker import ExternalBroker, KeptBroker, OwnIotcore, OwnMosquitto, start_broker
from firmware_bridge.mqtt.transport import check_broker
from firmware_bridge.protocol.addresses import BrokerAddress
from tests.firmware_bridge.waiting import eventually

OwnBroker = OwnMosquitto | OwnIotcore


def listens(address: BrokerAddress) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((address.host, address.port)) == 0


@pytest.fixture(params=[OwnMosquitto, OwnIotcore])
def own(request: pytest.FixtureRequest) -> Iterator[OwnBroker]:
    try:
        broker = request.param()
    except BrokerUnavailable as error:
        pytest.skip(str(error))
    broker.start()
    yield broker
    broker.stop()


def test_our_own_broker_wants_its_password(own: OwnBroker) -> None:
    check_broker(own.address)
    for guess in (BrokerAddress(own.address.host, own.address.port),
                  BrokerAddress(own.address.host, own.address.port, "table", "guess")):  # fmt: skip
        with pytest.raises(TransportUnavailable, match="password"):
            check_broker(guess)
    assert own.address.password not in repr(own.address)


def test_our_own_broker_is_for_this_machine_only(own: OwnBroker) -> None:
    listening = f":{own.address.port:04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
    assert [row[1] for row in rows if row[1].endswith(listening) and row[3] == "0A"] == ["0100007F" + listening]


def test_our_own_broker_keeps_its_address_and_leaves_nothing(
    own: OwnBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = own.address
    own.stop()
    own.stop()
    assert not listens(address)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own.start()
    own.start()
    assert own.address == address
    check_broker(address)
    assert list(tmp_path.iterdir()) == []


def test_our_own_broker_comes_back_by_itself_after_a_crash(own: OwnBroker) -> None:
    kept = KeptBroker(own)
    kept.start()
    for restarts in (1, 2):
        process = own.process if isinstance(own, OwnMosquitto) else own._broker._process
        process.kill()
        process.wait()
        eventually(lambda: kept.restarts == restarts)  # noqa: B023  # it is called at once
        check_broker(kept.address)
    kept.stop()
    assert not listens(kept.address)
    kept.start()
    check_broker(kept.address)
    kept.stop()


def test_our_own_broker_ends_with_us_even_if_we_are_killed(mosquitto: OwnMosquitto) -> None:
    code = "\n".join(
        [
            "from firmware_bridge.mqtt.broker import OwnMosquitto",
            "broker = OwnMosquitto()",
            "broker.start()",
            "print(broker.address.port, flush=True)",
            "input()",
        ]
    )
    program = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    address = BrokerAddress("127.0.0.1", int(program.stdout.readline()))
    assert listens(address)
    os.kill(program.pid, signal.SIGKILL)
    program.communicate()
    eventually(lambda: not listens(address))


def test_a_configured_broker_is_taken_though_it_may_be_away() -> None:
    address = BrokerAddress("broker.invalid", 1883, "user", "secret")
    broker = start_broker(configured=address)
    assert isinstance(broker, ExternalBroker)
    assert broker.address == address
    assert "secret" not in repr(broker.address)
    with pytest.raises(TransportUnavailable):
        check_broker(address)


def test_the_machines_own_broker_is_preferred_to_a_new_one(
    mosquitto: OwnMosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Without a configuration mosquitto 2 listens on loopback, for everybody there.
    with subprocess.Popen([mosquitto._program, "-p", str(port)], stderr=subprocess.DEVNULL) as local:
        address = BrokerAddress("127.0.0.1", port)
        monkeypatch.setattr(module, "LOCAL", address)
        eventually(lambda: listens(address))
        found, own = start_broker(), start_broker("own")
        assert (found.address, own.address == address) == (address, False)
        own.stop()
        local.terminate()


def test_a_local_broker_that_wants_a_password_is_not_taken(
    mosquitto: OwnMosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LOCAL", BrokerAddress("127.0.0.1", mosquitto.address.port))
    broker = start_broker()
    assert broker.address.port != mosquitto.address.port
    broker.stop()


def without_mosquitto(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(module, "_SYSTEM_PROGRAMS", "")
    monkeypatch.setenv("PATH", str(folder))


def test_without_mosquitto_iotcore_takes_its_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("iotcore")
    without_mosquitto(monkeypatch, tmp_path)
    broker = start_broker("own")
    assert isinstance(broker.broker, OwnIotcore)
    broker.stop()


def test_without_any_broker_it_is_said_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_mosquitto(monkeypatch, tmp_path)
    monkeypatch.setitem(sys.modules, "iotcore", None)
    with pytest.raises(BrokerUnavailable) as caught:
        start_broker("own")
    assert str(caught.value) == (
        "no MQTT broker can be started: mosquitto is not installed; iotcore is not installed; "
        "install mosquitto or name a broker"
    )


def test_a_mosquitto_that_ends_at_once_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_mosquitto(monkeypatch, tmp_path)
    fake = tmp_path / "mosquitto"
    fake.write_text("#!/bin/sh\necho Error: no more memory >&2\nexit 1\n", encoding="ascii")
    fake.chmod(0o755)
    with pytest.raises(BrokerUnavailable, match=r"mosquitto ended at its start \(Error: no more memory\)"):
        OwnMosquitto().start()


@pytest.mark.parametrize(("username", "password"), [(None, None), ("anna", None), ("anna", "")])
def test_a_broker_elsewhere_needs_a_password_and_not_only_a_name(username: str | None, password: str | None) -> None:
    with pytest.raises(BrokerUnavailable, match="so it needs a password"):
        start_broker(configured=BrokerAddress("192.0.2.7", 1883, username, password))


@pytest.mark.parametrize("is_open", [True, False])
def test_a_broker_that_is_open_to_the_network_is_said(
    is_open: bool, mosquitto: OwnMosquitto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    outside = "127.0.0.2"  # stands for the machine's address in the network
    settings = tmp_path / "mosquitto.conf"
    settings.write_text(f"listener {port} {'0.0.0.0' if is_open else '127.0.0.1'}\nallow_anonymous true\n")
    monkeypatch.setattr(module, "_outside_address", lambda: outside)
    with subprocess.Popen([mosquitto._program, "-c", settings], stderr=subprocess.DEVNULL) as local:
        address = BrokerAddress("127.0.0.1", port)
        monkeypatch.setattr(module, "LOCAL", address)
        eventually(lambda: listens(address))
        warnings = {start_broker().warning, start_broker(configured=address).warning}
        local.terminate()
    expected = f"the broker {outside}:{port} can be reached from outside and asks for no password" if is_open else ""
    assert all(str(warning).startswith(expected) and bool(warning) is is_open for warning in warnings), warnings


def test_a_broker_of_our_own_has_nothing_to_be_said_of(mosquitto: OwnMosquitto) -> None:
    assert mosquitto.warning == ""
    assert module._outside_address() != "127.0.0.1"
