"""Sentences, allowances, scratch folders, simulated boxes, lists of bridges and what is wrong with a broker."""

import errno
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from companion.errors import InvalidDocument
from companion.wording.sentences import Sentence, sentence, translated
from firmware_bridge.adapters.bridge_lists import MOST_LISTED, MOST_SIGNS, bridge_devices
from firmware_bridge.errors import (
    BrokerUnavailable,
    FirmwareUnavailable,
    InvalidBoxAddress,
    InvalidBrokerAddress,
    TransportLost,
    TransportUnavailable,
)
from firmware_bridge.mqtt.transport import check_broker
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.protocol.messages import Ack, Foreign, Led, Nak, NakReason
from firmware_bridge.pseudo_terminal import open_pseudo_terminal
from firmware_bridge.scratch import ScratchFolder, remove_abandoned
from firmware_bridge.simulators.box import SimulatedBox
from firmware_bridge.transports.rate_limit import MOST_SENDERS, RateLimit

ITALIAN = {
    "{source}: {reason}": "{source}: {reason}",
    "is not there": "non c'è",
    "box {box}": "scatola {box}",
}


def test_a_sentence_is_english_and_can_be_said_in_another_language() -> None:
    inner = sentence("is not there")
    outer = sentence("{source}: {reason}", source="serial:/dev/x", reason=inner)
    assert outer == "serial:/dev/x: is not there"
    assert translated(outer, ITALIAN.__getitem__) == "serial:/dev/x: non c'è"
    assert translated(sentence("box {box}", box=3), ITALIAN.__getitem__) == "scatola 3"
    assert translated("No such file", ITALIAN.__getitem__) == "No such file"
    assert isinstance(outer, Sentence)


def test_every_error_is_one_line_for_people_and_keeps_its_reason() -> None:
    texts = {
        InvalidBoxAddress("a b", "is odd"): "box 'a b': is odd",
        InvalidBrokerAddress("is odd"): "the broker's address does not hold: is odd",
        TransportLost("serial:/dev/a", "is odd"): "serial:/dev/a: is odd",
        BrokerUnavailable("is odd"): "is odd",
        FirmwareUnavailable("is odd"): "firmware: is odd",
    }
    assert {str(error): error.reason for error in texts} == dict.fromkeys(texts.values(), "is odd")


def test_a_sender_has_what_it_saved_and_no_more() -> None:
    allowance = RateLimit(rate=10, burst=3)
    assert [allowance.take("a", 0.0) for _ in range(5)] == [True, True, True, False, False]
    assert allowance.take("b", 0.0)
    assert [allowance.take("a", 0.1), allowance.take("a", 0.1)] == [True, False]
    assert [allowance.take("a", 60.0) for _ in range(4)] == [True, True, True, False]


def test_senders_that_are_invented_take_no_memory() -> None:
    allowance = RateLimit(rate=1, burst=1)
    for number in range(10 * MOST_SENDERS):
        allowance.take(f"sender {number}", 0.0)
    assert len(allowance._left) == MOST_SENDERS


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_scratch_folder_is_gone_when_closed(temporary: Path) -> None:
    with ScratchFolder("box") as folder:
        (folder.path / "file").write_text("x", encoding="ascii")
        assert folder.path.parent == temporary
    folder.close()
    assert list(temporary.iterdir()) == []


def test_what_a_killed_program_left_is_removed_and_what_is_in_use_is_not(temporary: Path) -> None:
    code = "import time; from firmware_bridge.scratch import ScratchFolder; f = ScratchFolder('box'); print(f.path)"
    program = subprocess.Popen(
        [sys.executable, "-uc", f"{code}; time.sleep(60)"],
        stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2], env={**os.environ, "TMPDIR": str(temporary)},
    )  # fmt: skip
    left = Path(program.stdout.readline().strip())
    with ScratchFolder("box") as own:
        assert left.is_dir()
        program.kill()
        program.communicate()
        with ScratchFolder("box"):
            assert not left.exists()
            assert own.path.is_dir()


def test_folders_without_a_lock_are_removed_when_they_are_old(temporary: Path) -> None:
    fresh, old, foreign = (temporary / name for name in ("companion-box-a", "companion-box-b", "other-box-c"))
    for folder in (fresh, old, foreign):
        folder.mkdir()
        os.utime(folder, (time.time() - 3600, time.time() - 3600))
    os.utime(fresh)
    (temporary / "companion-box-link").symlink_to(foreign)
    (temporary / "companion-box-file").write_text("", encoding="ascii")
    remove_abandoned("companion-box-")
    assert {path.name for path in temporary.iterdir()} == {
        "companion-box-a", "other-box-c", "companion-box-link", "companion-box-file",
    }  # fmt: skip


def test_a_simulated_box_has_the_buttons_it_says_and_no_others() -> None:
    box = SimulatedBox(0.0, boot=7, buttons=4)
    box.press(4, 0.1)
    for button in (0, 5):
        with pytest.raises(ValueError, match=f"there is no button {button}; the box has 4"):
            box.press(button, 0.2)


def test_a_simulated_box_refuses_what_it_does_not_understand_and_obeys_once() -> None:
    box = SimulatedBox(0.0, boot=7, leds=1)
    box.take_messages()
    box.receive(Foreign(3, NakReason.TYPE), 0.1)
    box.receive(Led(4, 2, on=True), 0.2)
    box.receive(Led(5, 1, on=True), 0.3)
    answers = [each for each in box.take_messages() if isinstance(each, Ack | Nak)]
    assert answers == [Nak(3, 7, NakReason.TYPE), Nak(4, 7, NakReason.REFUSED), Ack(5, 7)]
    assert box.lit == {1}


def test_a_device_of_a_bridge_without_a_model_gives_no_sign() -> None:
    devices = [{"friendly_name": "a", "model_id": ""}, {"ieee_address": "0x1", "definition": {"model": "X 1"}}, 7]
    found = list(bridge_devices("zigbee2mqtt/bridge/devices", json.dumps(devices).encode()))
    assert [device.signs for device in found] == [frozenset(), {"X 1"}]
    assert [sorted(device.names) for device in found] == [["a"], ["0x1", "zigbee2mqtt_0x1", "zigbee2mqtt_0x1/action"]]


def test_a_list_of_a_bridge_is_read_up_to_its_limits() -> None:
    topic = "zigbee2mqtt/bridge/devices"
    many = [{"friendly_name": str(number)} for number in range(MOST_LISTED + 1)]
    assert [device.names for device in bridge_devices(topic, json.dumps(many).encode())] == [
        frozenset({str(number)}) for number in range(2000)
    ]
    actions = [{"name": "action", "values": [f"word {number}" for number in range(MOST_SIGNS + 1)]}]
    (device,) = bridge_devices(topic, json.dumps([{"definition": {"exposes": actions}}]).encode())
    assert device.signs == {f"word {number}" for number in range(300)}
    assert list(bridge_devices(topic, b"[]".ljust(4 * 1024 * 1024))) == []
    with pytest.raises(InvalidDocument, match="has a payload of 4194305 bytes; 4194304 are read"):
        list(bridge_devices(topic, b"[]".ljust(4 * 1024 * 1024 + 1)))
    with pytest.raises(InvalidDocument, match="is not JSON"):
        list(bridge_devices(topic, b"["))
    assert list(bridge_devices(topic, b"{}")) == []
    odd = [
        {"model_id": "X 1", "definition": {"exposes": exposed}}
        for exposed in (7, [7], [{"name": "action", "values": 7}])
    ]
    assert [device.signs for device in bridge_devices(topic, json.dumps(odd).encode())] == [{"X 1"}] * 3


def test_a_broker_that_does_not_encrypt_is_said_to() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            wire, _ = server.accept()
            with wire, suppress(ConnectionError):
                wire.recv(1000)
                wire.sendall(b"\x20\x02\x00\x00 no encryption here")
                wire.recv(1000)

        threading.Thread(target=answer, daemon=True).start()
        address = BrokerAddress("127.0.0.1", server.getsockname()[1], tls=True)
        with pytest.raises(TransportUnavailable, match="no encrypted connection can be made"):
            check_broker(address)


def test_a_system_without_pseudo_terminals_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refused() -> tuple[int, int]:
        raise OSError(errno.ENODEV, "No such device")

    monkeypatch.setattr("os.openpty", refused)
    with pytest.raises(TransportUnavailable, match=r"/dev/pts: no pseudo-terminal can be opened .*No such device"):
        open_pseudo_terminal(tmp_path / "port")
