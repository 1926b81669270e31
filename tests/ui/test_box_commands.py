"""`companion boxes` and `companion rehearse`, with boxes in software on real wires."""

import io
import itertools
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import jsonschema
import pytest

from companion.session.intents import Intent, IntentKind
from firmware_bridge import rehearsal
from firmware_bridge.mqtt import broker as broker_module
from firmware_bridge.mqtt.broker import Broker, start_broker
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.presses.bindings import load_bindings
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.simulators.serial_box import SerialBoxSimulator
from firmware_bridge.transports.transport import Dropped
from ui.command_line import main
from ui.commands import rehearsing

ROOT = Path(__file__).resolve().parents[2]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command in this process, with a data folder of its own and no broker on this machine."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(broker_module, "LOCAL", BrokerAddress("127.0.0.1", 1))

    def call(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def box(stack: ExitStack) -> SerialBoxSimulator:
    return stack.enter_context(SerialBoxSimulator())


@pytest.fixture
def broker(stack: ExitStack) -> Broker:
    broker = start_broker("own")
    stack.callback(broker.stop)
    return broker


def schema(name: str) -> jsonschema.Draft202012Validator:
    document = json.loads((ROOT / "docs" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(document)
    return jsonschema.Draft202012Validator(document)


def written(address: BrokerAddress) -> str:
    return f"{address.username}:{address.password}@{address.host}:{address.port}"


def keep(stack: ExitStack, action: Callable[[], None]) -> None:
    """Do something again and again in the background, as a person does who waits for an answer."""
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(0.05):
            action()

    thread = threading.Thread(target=work)
    thread.start()
    stack.callback(thread.join)
    stack.callback(ended.set)


def test_boxes_are_listed(run: Run, box: SerialBoxSimulator) -> None:
    words = ("boxes", "list", "--wait", "0.6", "--box", f"serial:{box.path}@2", "--box", "serial:/dev/nothing")
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"serial:{box.path}  seat 2  4 buttons  ready", "serial:/dev/nothing  shared  ? buttons  lost: is not there",
    ]  # fmt: skip
    code, out, _ = run(*words, "--json")
    assert code == 0
    schema("boxes").validate(json.loads(out))
    assert json.loads(out) == {
        "boxes": [
            {"box": f"serial:{box.path}", "seat": 2, "paired": True, "state": "ready", "reason": "", "buttons": 4,
             "battery": None, "heard_seconds": None},
            {"box": "serial:/dev/nothing", "seat": None, "paired": True, "state": "lost", "reason": "is not there",
             "buttons": 0, "battery": None, "heard_seconds": None},
        ],
        "devices": [],
        "notices": [],
    }  # fmt: skip


def test_devices_that_could_be_learnt_are_listed(run: Run, broker: Broker, stack: ExitStack) -> None:
    connection = MqttConnection("z2m", broker.address, (), Dropped(), lambda *_: None)
    connection.open()
    stack.callback(connection.close)
    trigger = {"type": "action", "subtype": "single", "topic": "z/a", "device": {"identifiers": ["0x15"]}}
    topic = "homeassistant/device_automation/0x15/action_single/config"
    connection.publish(Publication(topic, json.dumps(trigger).encode(), retain=True))
    code, out, _ = run("boxes", "list", "--wait", "1", "--broker", written(broker.address))
    assert (code, out) == (0, "button:homeassistant/0x15  can be learnt (companion boxes learn)\n")


def test_every_button_is_tested(
    run: Run, box: SerialBoxSimulator, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsal, "SETTLE_SECONDS", 0.1)
    keep(stack, lambda: [box.tap(button) for button in (1, 2, 3, 4)])
    code, out, err = run("boxes", "test", "--box", f"serial:{box.path}")
    assert (code, err) == (0, "")
    assert f"serial:{box.path} button 3 single: heard" in out
    assert out.endswith(f"serial:{box.path}: fine: every button was heard\n")


def test_a_button_that_is_not_heard_is_no_success(run: Run, box: SerialBoxSimulator) -> None:
    code, out, _ = run("boxes", "test", "--wait", "0.5", "--box", f"serial:{box.path}")
    assert code == 3
    assert out.endswith("NOT FINE: not heard: button 1, 2, 3, 4\n")
    found, _ready, asked = out.partition(f"serial:{box.path}: ready\n")
    assert "press" not in found
    assert asked.startswith(f"serial:{box.path}: press every button once; the lamp beside it flashes")
    code, out, _ = run("boxes", "test", "--wait", "0.1")
    assert (code, out) == (3, "looking for boxes\n")


def test_buttons_are_learnt_by_pressing_them(
    run: Run, box: SerialBoxSimulator, stack: ExitStack, tmp_path: Path
) -> None:
    file = tmp_path / "boxes.toml"
    buttons = itertools.cycle((3, 1))
    keep(stack, lambda: box.tap(next(buttons)))
    code, out, err = run(
        "boxes", "learn", "done", "choose=2", "--seat", "1", "--out", file, "--box", f"serial:{box.path}"
    )
    assert (code, err) == (0, "")
    assert out.endswith(f"wrote {file}\n")
    bindings, name = load_bindings(file), f"serial:{box.path}"
    assert bindings.seats == {name: 1}
    learnt = {intent for place, intent in bindings.intents.items() if place[0] == name}
    assert learnt == {Intent(IntentKind.DONE), Intent(IntentKind.CHOOSE, choice=2)}


def test_a_device_of_somebody_else_is_learnt_by_its_word(
    run: Run, broker: Broker, stack: ExitStack, tmp_path: Path
) -> None:
    connection = MqttConnection("z2m", broker.address, (), Dropped(), lambda *_: None)
    connection.open()
    stack.callback(connection.close)
    keep(stack, lambda: connection.publish(Publication("zigbee2mqtt/kitchen", b'{"action":"brightness_move_up"}')))
    file = tmp_path / "boxes.toml"
    code, out, _ = run("boxes", "learn", "next", "--out", file, "--broker", written(broker.address))
    assert (code, "button:zigbee2mqtt/kitchen says 'brightness_move_up'" in out) == (0, True)
    bindings = load_bindings(file)
    assert bindings.intent_of_word("button:zigbee2mqtt/kitchen", "brightness_move_up", None) == Intent(IntentKind.NEXT)
    assert bindings.intent("mqtt:blue", 1, Gesture.SINGLE, 1) == Intent(IntentKind.DONE, 1)


def test_nothing_pressed_is_nothing_written(run: Run, tmp_path: Path) -> None:
    code, _, err = run("boxes", "learn", "done", "--wait", "0.1", "--out", tmp_path / "boxes.toml")
    assert (code, err) == (3, "companion: no button was pressed for done; nothing was written\n")
    assert not (tmp_path / "boxes.toml").exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ((), "command"),
        (("dance",), "invalid choice"),
        (("learn", "win"), "'win' is no intent"),
        (("learn", "choose"), "is no intent"),
        (("learn", "done=2"), "is no intent"),
        (("learn", "--seat", "99"), "it is from 1 to 12"),
        (("list", "--wait", "x"), "is no number of seconds"),
        (("list", "--box", "usb:1"), "16 digits"),
        (("list", "--broker", "a b"), "address does not hold"),
        (("simulate", "--name", "a/b", "--broker", "localhost"), "1 to 32 of"),
    ],
)
def test_wrong_use_is_one_line(run: Run, words: tuple[str, ...], reason: str) -> None:
    code, out, err = run("boxes", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_a_bindings_file_that_does_not_hold_is_named(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "data" / "roman-table-companion" / "boxes.toml"
    file.parent.mkdir(parents=True)
    file.write_text('format = 1\n[[box]]\nbox = "x"\n', encoding="utf-8")
    code, _, err = run("boxes", "list")
    assert (code, err.count("\n")) == (3, 1)
    assert f"{file}: box[1].box: an address begins with" in err


def test_a_broker_that_is_not_there_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code, _, err = run("boxes", "simulate", "--broker", "u:p@127.0.0.1:1")
    assert (code, err) == (3, "companion: broker 127.0.0.1:1: Connection refused\n")


def test_a_simulated_box_is_played_with_the_keyboard(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "SETTLE_SECONDS", 0.1)
    with subprocess.Popen(
        [sys.executable, "-m", "ui.command_line", "boxes", "simulate"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=None,
    ) as program:  # fmt: skip
        address = program.stdout.readline().split()[-1]
        assert address.startswith("serial:/")
        tested = threading.Thread(target=lambda: results.append(run("boxes", "test", "--box", address, "--wait", "20")))
        results: list[tuple[int, str, str]] = []
        tested.start()
        while tested.is_alive():
            program.stdin.write("1\n2 long\n3 down\n3 up\n4 double\nx\n5\n2 kick\n")
            time.sleep(0.5)
        program.stdin.close()
        said = program.stdout.read()
    assert results[0][0] == 0
    assert "LED 1 on" in said
    assert "buzzer 660 Hz, 150 ms" in said
    assert "there is no '5'" in said
    assert "there is no 'kick'" in said


def test_an_evening_is_rehearsed(
    run: Run, box: SerialBoxSimulator, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsal, "SETTLE_SECONDS", 0.1)
    keep(stack, lambda: [box.tap(button) for button in (1, 2, 3, 4)])
    code, out, _ = run("rehearse", "--box", f"serial:{box.path}@1")
    assert code == 0
    assert "boxes: fine\n" in out
    assert "record and export: fine\n" in out
    assert out.endswith("verdict: ready to play\n")
    code, out, _ = run("rehearse", "--no-boxes", "--game", "capitol", "--json")
    document = json.loads(out)
    schema("rehearse").validate(document)
    assert (code, document["fine"], document["sections"][0]["result"]) == (0, True, "left out")


def test_a_rehearsal_that_fails_says_where(run: Run, box: SerialBoxSimulator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsing, "BOX_SECONDS", 0.5)
    code, out, _ = run("rehearse", "--box", f"serial:{box.path}@1")
    assert code == 3
    assert "boxes: NOT FINE\n  serial:" in out
    assert out.endswith("verdict: not ready, see above\n")


def test_a_broker_that_does_not_answer_is_no_rehearsal_that_went_well(run: Run) -> None:
    code, out, _ = run("rehearse", "--broker", "127.0.0.1:1")
    assert code == 3
    assert "boxes: NOT FINE\n  broker 127.0.0.1:1: " in out
