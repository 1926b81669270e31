"""How a broker of our own is set up, started again and ended, by given clocks and programs in its place."""

import base64
import errno
import hashlib
import re
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_bridge.errors import BrokerUnavailable, TransportUnavailable
from firmware_bridge.mqtt import broker as module
from firmware_bridge.mqtt.broker import ExternalBroker, KeptBroker, OwnIotcore, OwnMosquitto, start_broker
from firmware_bridge.protocol.addresses import BrokerAddress
from tests.firmware_bridge.scripted import Clock, without_threads


class Process:
    """A broker in its place: runs until one of the seconds in `crashes`; `refusals` are its next starts that fail."""

    name, warning, address = "a broker", "", BrokerAddress("127.0.0.1", 7)

    def __init__(self, clock: Clock, crashes: list[float], refusals: int = 0) -> None:
        self.started: list[float] = []
        self.stopped = 0
        self._clock, self._crashes, self._refusals = clock, crashes, refusals

    @property
    def is_running(self) -> bool:
        crashed = [second for second in self._crashes if second <= self._clock.passed]
        return not any(second > self.started[-1] for second in crashed)

    def start(self) -> None:
        if self.started and self._refusals:
            self._refusals -= 1
            raise BrokerUnavailable("mosquitto does not listen")
        self.started.append(self._clock.passed)

    def stop(self) -> None:
        self.stopped += 1


def test_a_broker_that_crashed_is_started_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = without_threads(monkeypatch, module, until=12.0)
    process = Process(clock, [1.0, 8.0], refusals=4)
    kept = KeptBroker(process)
    kept.start()
    assert process.started == [
        0.0,
        pytest.approx(1.0 + 0.25 + 0.5 + 1.0 + 2.0 + 0.4, abs=0.11),
        pytest.approx(8.0, abs=0.1),
    ]
    assert kept.restarts == 2
    assert [wait for wait in clock.waits if wait != 0.1] == [0.25, 0.5, 1.0, 2.0]
    assert (kept.name, kept.address, kept.warning) == ("a broker", process.address, "")
    kept.stop()
    kept.stop()
    assert process.stopped == 2


def test_after_a_success_the_first_wait_is_the_shortest_again(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = without_threads(monkeypatch, module, until=9.0)
    process = Process(clock, [1.0, 5.0])
    kept = KeptBroker(process)

    def failing_at_first(start: Callable[[], None] = process.start, tries: list[float] = []) -> None:  # noqa: B006
        tries.append(clock.passed)
        if len(tries) in (2, 4):
            raise BrokerUnavailable("no")
        start()

    process.start = failing_at_first
    kept.start()
    assert [wait for wait in clock.waits if wait != 0.1] == [0.25, 0.25]


def test_a_broker_is_given_three_attempts_for_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[str] = []

    def maker(kind: str, fails: int) -> Callable[[], Any]:
        class Failing:
            name, warning, address, is_running = kind, "", BrokerAddress("127.0.0.1", 7), True

            def start(self) -> None:
                attempts.append(kind)
                if attempts.count(kind) <= fails:
                    raise BrokerUnavailable(f"{kind} {attempts.count(kind)}")

            def stop(self) -> None:
                pass

        return Failing

    monkeypatch.setattr(module, "OwnMosquitto", maker("mosquitto", 2))
    broker = start_broker("own")
    broker.stop()
    assert attempts == ["mosquitto"] * 3
    attempts.clear()
    monkeypatch.setattr(module, "OwnMosquitto", maker("mosquitto", 3))
    monkeypatch.setattr(module, "OwnIotcore", maker("iotcore", 3))
    with pytest.raises(BrokerUnavailable, match="can be started: mosquitto 3; iotcore 3; install mosquitto"):
        start_broker("own")
    assert attempts == ["mosquitto"] * 3 + ["iotcore"] * 3


def program(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> OwnMosquitto:
    """A mosquitto that is this script."""
    monkeypatch.setattr(module, "_SYSTEM_PROGRAMS", str(folder))
    monkeypatch.setenv("PATH", "/bin:/usr/bin")
    file = folder / "mosquitto"
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    file.chmod(0o755)
    return OwnMosquitto()


def test_our_own_mosquitto_is_told_all_that_keeps_others_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broker = program(tmp_path, monkeypatch, f'[ "$1" = -c ] && cp "$2" passwords {tmp_path}')
    with pytest.raises(BrokerUnavailable, match=r"mosquitto ended at its start \(\)"):
        broker.start()
    assert broker.process is None
    lines = (tmp_path / "mosquitto.conf").read_text(encoding="utf-8").splitlines()
    folder = Path(next(line for line in lines if line.startswith("password_file ")).split()[1]).parent
    assert lines == [
        f"listener {broker.address.port} 127.0.0.1", "allow_anonymous false", f"password_file {folder}/passwords",
        "user root", "persistence false", "set_tcp_nodelay true", "max_queued_messages 50000",
        "message_size_limit 5242880", "log_dest stderr", "log_type error", "log_type warning",
    ]  # fmt: skip
    assert not folder.exists()
    user, _, kept = (tmp_path / "passwords").read_text(encoding="ascii").strip().partition(":")
    _, kind, rounds, salt, key = kept.split("$")
    wanted = hashlib.pbkdf2_hmac(
        "sha512", broker.address.password.encode(), base64.b64decode(salt), int(rounds)
    )  # fmt: skip
    assert (user, kind, rounds, base64.b64decode(key)) == ("table", "7", "101", wanted)
    assert len(base64.b64decode(salt)) == 12


def test_mosquitto_is_looked_for_where_debian_keeps_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[str, str]] = []
    monkeypatch.setenv("PATH", "/bin")
    monkeypatch.setattr(module.shutil, "which", lambda name, path: looked.append((name, path)))
    with pytest.raises(BrokerUnavailable, match=r"^mosquitto is not installed$"):
        OwnMosquitto()
    monkeypatch.delenv("PATH")
    with pytest.raises(BrokerUnavailable):
        OwnMosquitto()
    elsewhere = "/usr/local/sbin:/usr/sbin:/sbin"
    assert looked == [("mosquitto", f"/bin:{elsewhere}"), ("mosquitto", f":{elsewhere}")]
    assert BrokerAddress("127.0.0.1", 1883) == module.LOCAL


def test_the_last_words_of_a_mosquitto_that_ends_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broker = program(tmp_path, monkeypatch, "echo one; echo two >&2; exit 3")
    with pytest.raises(BrokerUnavailable, match=r"mosquitto ended at its start \(two\)"):
        broker.start()


def test_a_mosquitto_that_never_listens_is_given_up_after_five_seconds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broker = program(tmp_path, monkeypatch, "exec sleep 60")
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(module, "answers", lambda _address: False)
    with pytest.raises(BrokerUnavailable, match=r"^mosquitto does not listen$"):
        broker.start()
    assert clock.passed == pytest.approx(5.01, abs=0.011)
    assert broker.process is None


def test_a_broker_with_a_user_and_no_password_is_for_an_empty_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program(tmp_path, monkeypatch, f"cp passwords {tmp_path}")
    with pytest.raises(BrokerUnavailable):
        OwnMosquitto(BrokerAddress("127.0.0.1", 7, "anna")).start()
    user, _, kept = (tmp_path / "passwords").read_text(encoding="ascii").strip().partition(":")
    _, _, rounds, salt, key = kept.split("$")
    assert user == "anna"
    assert base64.b64decode(key) == hashlib.pbkdf2_hmac("sha512", b"", base64.b64decode(salt), int(rounds))


@pytest.mark.parametrize("ends", [True, False])
def test_a_broker_that_does_not_end_is_killed_after_three_seconds(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ends: bool
) -> None:
    broker, done = program(tmp_path, monkeypatch, ""), []

    def wait(timeout: float | None = None) -> None:
        done.append(("wait", timeout))
        if timeout is not None and not ends:
            raise subprocess.TimeoutExpired("mosquitto", timeout)

    stdin = SimpleNamespace(close=lambda: done.append("closed"))
    broker.process = SimpleNamespace(stdin=stdin, wait=wait, kill=lambda: done.append("killed"))
    broker.stop()
    assert done == ["closed", ("wait", 3.0), *([] if ends else ["killed", ("wait", None)])]
    assert not broker.is_running


class Iotcore:
    """The broker of the iotcore package in its place."""

    def __init__(self, config_path: str) -> None:
        self.configuration = Path(config_path).read_text(encoding="utf-8")
        self.did: list[object] = []
        self.is_running = True
        made.append(self)

    def start(self, timeout: float) -> None:
        self.did.append(timeout)
        if failures:
            raise failures.pop()

    def stop(self) -> None:
        self.did.append("stop")


made: list[Iotcore] = []
failures: list[Exception] = []


@pytest.fixture
def iotcore(monkeypatch: pytest.MonkeyPatch) -> OwnIotcore:
    made.clear()
    failures.clear()
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(module, "import_module", lambda name: {"iotcore": SimpleNamespace(Broker=Iotcore)}[name])
    monkeypatch.setattr(module, "check_broker", lambda _address: None)
    return OwnIotcore()


def test_the_broker_that_the_program_brings_is_told_who_may_come_in(iotcore: OwnIotcore) -> None:
    assert not iotcore.is_running
    iotcore.start()
    iotcore.start()
    (own,) = made
    assert iotcore.is_running
    assert own.did == [5.0]
    settings = own.configuration
    assert f'listen = "127.0.0.1:{iotcore.address.port}"' in settings
    assert f'[v4.1.connections.auth]\ntable = "{iotcore.address.password}"\n' in settings
    numbers = dict(re.findall(r"^(\w+) = (\d+)$", settings, re.MULTILINE))
    assert numbers == {
        "id": "0", "max_connections": "100", "max_outgoing_packet_count": "200", "max_segment_size": "1048576",
        "max_segment_count": "10", "next_connection_delay_ms": "1", "connection_timeout_ms": "5000",
        "max_inflight_count": "100", "max_payload_size": "5242880",
    }  # fmt: skip
    own.is_running = False
    assert not iotcore.is_running
    iotcore.start()
    assert own.did == [5.0, "stop"]
    assert len(made) == 2
    iotcore.stop()
    iotcore.stop()
    assert made[1].did == [5.0, "stop"]


@pytest.mark.parametrize("error", [OSError(errno.EADDRINUSE, "Address in use"), RuntimeError("no thread")])
def test_a_broker_of_the_program_that_does_not_start_is_said(iotcore: OwnIotcore, error: Exception) -> None:
    failures.append(error)
    with pytest.raises(BrokerUnavailable) as caught:
        iotcore.start()
    assert str(caught.value) == f"iotcore does not start ({error})"
    assert made[0].did == [5.0, "stop"]
    assert not iotcore.is_running


class Probe:
    """A socket that leads nowhere: what the system answers about its own address."""

    def __init__(self, answer: str | OSError) -> None:
        self.answer, self.asked = answer, []

    def __call__(self, *kind: object) -> "Probe":
        self.asked.append(kind)
        return self

    def __enter__(self) -> "Probe":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def connect(self, where: tuple[str, int]) -> None:
        self.asked.append(where)
        if isinstance(self.answer, OSError):
            raise self.answer

    def getsockname(self) -> tuple[str, int]:
        return self.answer, 5000


@pytest.mark.parametrize(
    ("answer", "address"),
    [("192.168.1.7", "192.168.1.7"), ("127.0.0.1", None), ("127.3.2.1", None), ("12.7.0.1", "12.7.0.1"),
     (OSError(errno.ENETUNREACH, "Network is unreachable"), None)],
)  # fmt: skip
def test_under_which_address_others_reach_this_machine(
    monkeypatch: pytest.MonkeyPatch, answer: str | OSError, address: str | None
) -> None:
    probe = Probe(answer)
    monkeypatch.setattr(module.socket, "socket", probe)
    assert module._outside_address() == address
    assert probe.asked == [(socket.AF_INET, socket.SOCK_DGRAM), ("192.0.2.1", 9)]


def test_who_accepts_a_connection_must_do_it_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    wire = SimpleNamespace(close=lambda: asked.append("closed"))
    monkeypatch.setattr(module.socket, "create_connection", lambda *what: asked.append(what) or wire)
    assert module._is_listening("house", 7)
    assert asked == [(("house", 7), 0.3), "closed"]

    def refuse(*_: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(module.socket, "create_connection", refuse)
    assert not module._is_listening("house", 7)


@pytest.mark.parametrize(
    ("address", "outside", "listens", "lets_in", "warned_of"),
    [
        (BrokerAddress("127.0.0.1", 7, "u", "p"), "10.0.0.2", True, True, "10.0.0.2:7"),
        (BrokerAddress("localhost", 7), "10.0.0.2", True, True, "10.0.0.2:7"),
        (BrokerAddress("127.0.0.1", 7), None, True, True, None),
        (BrokerAddress("127.0.0.1", 7), "10.0.0.2", False, True, None),
        (BrokerAddress("127.0.0.1", 7), "10.0.0.2", True, False, None),
        (BrokerAddress("house", 7, "u", "p"), None, True, True, "house:7"),
    ],
)
def test_a_broker_that_lets_everybody_in_is_warned_of(
    monkeypatch: pytest.MonkeyPatch,
    address: BrokerAddress,
    outside: str | None,
    listens: bool,
    lets_in: bool,
    warned_of: str | None,
) -> None:
    asked: list[BrokerAddress] = []
    monkeypatch.setattr(module, "_outside_address", lambda: outside)
    monkeypatch.setattr(module, "_is_listening", lambda _host, _port: listens)
    monkeypatch.setattr(module, "answers", lambda one: asked.append(one) or lets_in)
    warning = start_broker(configured=address).warning
    assert bool(warning) is (warned_of is not None)
    if warned_of is not None:
        assert warning.startswith(f"the broker {warned_of} can be reached from outside and asks for no password: ")
        assert asked == [BrokerAddress(warned_of.partition(":")[0], 7)]


def test_a_broker_of_somebody_else_is_neither_started_nor_stopped() -> None:
    broker = ExternalBroker(BrokerAddress("house"))
    broker.start()
    broker.stop()
    assert (broker.name, broker.warning) == ("broker house:1883", "")


def test_a_broker_answers_only_if_it_lets_us_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_address: BrokerAddress) -> None:
        raise TransportUnavailable("broker", "no")

    monkeypatch.setattr(module, "check_broker", refuse)
    assert module.answers(BrokerAddress("house")) is False
    monkeypatch.setattr(module, "check_broker", lambda _address: None)
    assert module.answers(BrokerAddress("house")) is True


def test_an_address_of_our_own_is_drawn_for_this_machine() -> None:
    one, other = module._fresh_address(), module._fresh_address()
    assert (one.host, one.username, one.tls) == ("127.0.0.1", "table", False)
    assert one.password != other.password
    assert len(one.password) == 24
