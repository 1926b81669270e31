"""Boxes at a table: real boxes in software on real wires, a real session, no screen."""

import itertools
import json
import queue
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from firmware_bridge.boxes import Search
from firmware_bridge.errors import BrokerUnavailable
from firmware_bridge.mqtt import broker as broker_module
from firmware_bridge.mqtt.broker import start_broker
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.table_identity import TABLE_FILE
from firmware_bridge.presses import interpreter
from firmware_bridge.presses.bindings import load_bindings
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.serving import discovery
from firmware_bridge.serving.discovery import UsbPort
from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator
from firmware_bridge.simulators.serial_box import SerialBoxSimulator
from firmware_bridge.transports.transport import Dropped
from tests.tables import sight, table_of
from ui.hardware.boxes import BINDINGS_FILE, ON_ITS_WAY, TableBoxes, open_boxes
from ui.hardware.lamps import DISPUTED_LED, LAST_ROUND_LED, LATE_SECONDS, TURN_LED
from ui.table.presenter import Presenter
from ui.table.table_questions import TableQuestion

HANG = 20.0
UNO = (0x2341, 0x0043)


class Table:
    """A table with boxes, ticked until something is so."""

    def __init__(self, stack: ExitStack) -> None:
        self.offset = 0.0
        self.stack = stack
        self.presenter = Presenter(Session.create(None, table_of("city_of_marble", 2)))
        self.boxes: TableBoxes | None = None

    def open(self, *addresses: str, **options: Any) -> TableBoxes:
        parsed = [BoxAddress.parse(address) for address in addresses]
        clock = lambda: time.monotonic() + self.offset  # noqa: E731
        self.boxes = TableBoxes(parsed, clock=clock, **options)
        self.stack.callback(self.boxes.close)
        return self.boxes

    def tick(self) -> None:
        self.boxes.drain(self.presenter, lambda: None)
        self.presenter.on_tick()
        self.boxes.show(self.presenter)

    def until(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + HANG
        while not condition():
            assert time.monotonic() < deadline, "it never came true"
            self.tick()
            time.sleep(0.002)

    @property
    def actions(self) -> list[str]:
        return [entry.summary for entry in self.presenter.session.entries]

    @property
    def devices(self) -> dict[str, str]:
        return {device.name: device.state for device in self.presenter.view().devices}

    def acting(self) -> int:
        return next(player.seat for player in self.presenter.view().players if player.acts)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def table(stack: ExitStack) -> Table:
    return Table(stack)


@pytest.fixture
def box(stack: ExitStack) -> SerialBoxSimulator:
    return stack.enter_context(SerialBoxSimulator())


def on_bus(box: SerialBoxSimulator, monkeypatch: pytest.MonkeyPatch) -> Search:
    monkeypatch.setattr(discovery, "SCAN_SECONDS", 0.02)
    return Search(serial=True, ports=lambda: [UsbPort(box.path, *UNO)])


def act(table: Table) -> None:
    """The seat to move draws by touch, so that something can be undone."""
    table.presenter.act(table.presenter.session.game.parse_action("draw red blue", table.presenter.session.state))


def test_the_lamp_tells_whose_turn_it_is_and_a_press_is_followed(
    table: Table, box: SerialBoxSimulator, stack: ExitStack
) -> None:
    other = stack.enter_context(SerialBoxSimulator())
    table.open(f"serial:{box.path}@1", f"serial:{other.path}@2")
    table.until(lambda: (box.lit(), other.lit()) == ({TURN_LED}, frozenset()))
    act(table)
    box.tap(2)  # no: undo
    table.until(lambda: 2 in box.lit())  # the lamp of the button: it was followed
    assert len(table.actions) == 2
    assert table.presenter.session.can_undo() is None
    other.tap(1)
    table.until(lambda: len(other.buzzes()) == 1)  # not its turn
    assert other.lit() == frozenset()
    assert table.devices["box 1"] == "ready"


def test_a_box_answers_what_the_table_is_asked_about_its_own_seat_alone(
    table: Table, box: SerialBoxSimulator, stack: ExitStack
) -> None:
    other = stack.enter_context(SerialBoxSimulator())
    table.open(f"serial:{box.path}@1", f"serial:{other.path}@2")
    table.until(lambda: box.lit() == {TURN_LED})
    answers: list[str] = []
    asked = TableQuestion("May it sit there?", (("yes", "Yes"), ("no", "No")), answers.append, seat=2)
    table.presenter.ask("join 1", asked)
    box.tap(2)
    table.until(box.buzzes)  # nothing to undo, and not its question
    assert answers == []
    table.presenter.ask("join 2", replace(asked, seat=1))
    box.tap(1)  # it is this seat's turn: that is what its *done* is about
    table.until(lambda: len(box.buzzes()) == 2)
    assert answers == []
    table.presenter.stop_asking_for("join 2")
    other.tap(1)
    table.until(lambda: answers)
    assert answers == ["yes"]
    assert not table.presenter.questions
    table.presenter.ask("join 1", asked)
    other.tap(2)
    table.until(lambda: len(answers) == 2)
    assert answers == ["yes", "no"]
    assert table.actions == []


def test_a_refusal_sounds_and_lights_the_lamp_of_dispute(table: Table, box: SerialBoxSimulator) -> None:
    table.open(f"serial:{box.path}@1")
    table.until(lambda: box.lit() == {TURN_LED})
    game, state = table.presenter.session.game, table.presenter.session.state
    table.presenter.act(game.parse_action("ward G7-H7 blue", state))
    table.until(lambda: DISPUTED_LED in box.lit())
    box.tap(1)
    table.until(box.buzzes)
    box.tap(2)
    table.until(lambda: box.lit() == {TURN_LED})


def test_who_is_late_is_reminded_by_a_blinking_lamp(table: Table, box: SerialBoxSimulator) -> None:
    table.open(f"serial:{box.path}@1")
    table.until(lambda: box.lit() == {TURN_LED})
    table.offset = LATE_SECONDS + 1
    table.until(lambda: box.lit() == frozenset())
    table.until(lambda: box.lit() == {TURN_LED})


def test_the_last_round_is_told_once_by_a_tone_and_then_by_a_lamp(table: Table, box: SerialBoxSimulator) -> None:
    table.open(f"serial:{box.path}@1")
    table.until(lambda: box.lit() == {TURN_LED})
    table.presenter.session.correct({"final_turns": 2}, "the stack is empty")
    table.presenter.on_choice("put back")  # the record changed elsewhere: the view is made anew
    table.until(lambda: box.lit() == {TURN_LED, LAST_ROUND_LED})
    table.until(lambda: len(box.buzzes()) == 1)


def test_one_box_for_all_lights_the_number_of_the_seat(table: Table, box: SerialBoxSimulator) -> None:
    table.open(f"serial:{box.path}")
    table.until(lambda: box.lit() == {1})
    act(table)
    box.tap(2)
    table.until(lambda: len(table.actions) == 2)


def row_of(table: Table, seat: str) -> list[int]:
    """The presses that a choice shows."""
    text = next(choice.text for choice in table.presenter.view().choices if seat in choice.text)
    return [int(number) for number in text.rpartition("(")[2].rstrip(")").split()]


def test_a_new_box_asks_for_its_seat_and_takes_the_one_whose_row_is_pressed(
    table: Table, box: SerialBoxSimulator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "boxes.toml"
    table.open(remembered=file, search=on_bus(box, monkeypatch))
    table.until(lambda: table.presenter.view().choices[:1] and "which seat" in table.presenter.view().choices[0].group)
    name = f"usb:{box.uid().hex()}"
    assert [choice.text.partition(" (")[0] for choice in table.presenter.view().choices[:3]] == [
        "1. Player 1", "2. Player 2", "For all together",
    ]  # fmt: skip
    rows = [row_of(table, seat) for seat in ("1. Player 1", "2. Player 2", "For all")]
    assert len({tuple(row) for row in rows}) == 3
    wrong = next(row for row in itertools.product((1, 2, 3, 4), repeat=4) if not holds_a_row(row, rows))
    for button in (*wrong, *rows[1]):
        box.tap(button)
    table.until(lambda: table.devices == {"box 2": "ready"})
    assert "which seat" not in str(table.presenter.view().choices)
    assert load_bindings(file).seats == {name: 2}
    assert table.actions == []
    table.boxes.close()
    table.open(remembered=file, search=on_bus(box, monkeypatch))
    table.until(lambda: table.devices.get("box 2") == "ready")
    assert "which seat" not in str(table.presenter.view().choices)


def holds_a_row(pressed: tuple[int, ...], rows: list[list[int]]) -> bool:
    return any(list(pressed[at : at + 3]) in rows for at in range(len(pressed))) or any(
        [*pressed[-left:], *row[:-left]] in rows for left in (1, 2) for row in rows
    )


def test_presses_alone_pair_no_box_on_a_broker(table: Table, stack: ExitStack, tmp_path: Path) -> None:
    broker = start_broker("own")
    stack.callback(broker.stop)
    file = tmp_path / "boxes.toml"
    wireless = stack.enter_context(MqttBoxSimulator(broker.address, "blue"))
    table.open(broker=broker.address, remembered=file, search=Search(wireless=True))
    table.until(lambda: "which seat" in str(table.presenter.view().choices))
    assert "(" not in table.presenter.view().choices[0].text  # nothing to be pressed: anybody may speak as the box
    for button in (1, 1, 2, 3):
        wireless.tap(button)
    table.until(lambda: "touch on the screen" in str(table.devices))
    assert not file.exists()
    assert table.actions == []
    table.presenter.on_choice(table.presenter.view().choices[0].key)
    table.until(lambda: table.devices == {"box 1": "ready"})
    assert load_bindings(file).seats == {"mqtt:blue": 1}


def test_a_box_of_a_seat_that_does_not_play_asks_anew(
    table: Table, box: SerialBoxSimulator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "boxes.toml"
    name = f"usb:{box.uid().hex()}"
    file.write_text(f'format = 1\n[[box]]\nbox = "{name}"\nseat = 4\n', encoding="utf-8")
    table.open(remembered=file, search=on_bus(box, monkeypatch))
    table.until(lambda: "of seat 4, which does not play: which seat" in str(table.presenter.view().choices))
    box.tap(1)
    table.until(lambda: "touch on the screen" in str(table.devices))
    assert table.actions == []
    table.presenter.on_choice(table.presenter.view().choices[1].key)
    table.until(lambda: table.devices == {"box 2": "ready"})
    assert load_bindings(file).seats == {name: 2}


@pytest.mark.parametrize("button", [1, 2, 3])
def test_a_press_that_was_long_on_its_way_is_not_acted_on_in_the_next_turn(
    table: Table, stack: ExitStack, button: int
) -> None:
    broker = start_broker("own")
    stack.callback(broker.stop)
    shared = stack.enter_context(MqttBoxSimulator(broker.address, "shared"))
    table.open("mqtt:shared", broker=broker.address)
    table.until(lambda: shared.lit() == {1})
    shared.unplug()
    table.until(lambda: table.devices["mqtt:shared"].startswith("lost"))
    shared.tap(button)
    session = table.presenter.session
    while table.acting() == 1:
        legal = session.legal_actions()
        table.presenter.act(next((action for action in legal if type(action).__name__ == "EndTurn"), legal[0]))
    time.sleep(ON_ITS_WAY)
    entries = len(session.entries)
    table.tick()
    shared.plug()
    table.until(shared.buzzes)
    assert len(session.entries) == entries
    assert "before this turn" in table.devices["mqtt:shared"]
    told = table.presenter.view().verdict
    assert told is not None
    assert told.headline.endswith("a press from before this turn was not acted on. Press again if it is still meant.")


def test_an_old_press_is_told_on_the_screen_and_on_the_box(
    table: Table, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interpreter, "STALE_AFTER", -1.0)
    broker = start_broker("own")
    stack.callback(broker.stop)
    shared = stack.enter_context(MqttBoxSimulator(broker.address, "shared"))
    table.open("mqtt:shared", broker=broker.address)
    table.until(lambda: shared.lit() == {1})
    shared.tap(1)
    table.until(shared.buzzes)
    told = table.presenter.view().verdict
    assert told is not None
    assert told.headline.endswith("an old press was not acted on. Press again if it is still meant.")
    assert table.presenter.session.entries == ()


def test_a_button_means_something_else_from_now_on(table: Table, box: SerialBoxSimulator, tmp_path: Path) -> None:
    file = tmp_path / "boxes.toml"
    boxes = table.open(f"serial:{box.path}@1", remembered=file)
    table.until(lambda: box.lit() == {TURN_LED})
    act(table)
    (name,) = boxes.states
    boxes.rebind(boxes.bindings.with_intent(name, 4, Gesture.SINGLE, Intent(IntentKind.UNDO)))
    box.tap(4)
    table.until(lambda: len(table.actions) == 2)
    assert load_bindings(file) == boxes.bindings
    assert {state.seat for state in boxes.states.values()} == {1}


def test_two_boxes_of_one_seat_are_told_apart(table: Table, stack: ExitStack) -> None:
    broker = start_broker("own")
    stack.callback(broker.stop)
    for name in ("blue", "green"):
        stack.enter_context(MqttBoxSimulator(broker.address, name))
    table.open("mqtt:blue@2", "mqtt:green@2", broker=broker.address)
    table.until(lambda: list(table.devices.values()).count("ready") == 2)
    assert "box 2" in table.devices
    assert set(table.devices) - {"box 2"} <= {"box 2 (mqtt:blue)", "box 2 (mqtt:green)"}
    assert len(table.devices) == 2


def test_a_new_box_is_seated_by_touch(table: Table, box: SerialBoxSimulator, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open(search=on_bus(box, monkeypatch))
    table.until(lambda: "which seat" in str(table.presenter.view().choices))
    table.presenter.on_choice(table.presenter.view().choices[1].key)
    table.until(lambda: table.devices == {"box 2": "ready"})


def test_the_seats_are_published_for_other_lamps(table: Table, stack: ExitStack) -> None:
    broker = start_broker("own")
    stack.callback(broker.stop)
    heard: queue.Queue[tuple[str, bytes, bool]] = queue.Queue()
    connection = MqttConnection(
        "lamp", broker.address, ["companion/+/seat/+"], Dropped(), lambda *said: heard.put(said)
    )
    connection.open()
    stack.callback(connection.close)
    wireless = stack.enter_context(MqttBoxSimulator(broker.address, "blue"))
    table.open("mqtt:blue@1", broker=broker.address)
    table.until(lambda: wireless.lit() == {TURN_LED})
    told = dict(heard.get(timeout=HANG)[:2] for _ in range(2))
    first, second = (json.loads(told[f"companion/table/seat/{seat}"]) for seat in (1, 2))
    colours = [player.colour for player in table.presenter.view().players]
    assert first == {"to_move": True, "done": False, "disputed": False, "colour": colours[0]}
    assert second == {"to_move": False, "done": False, "disputed": False, "colour": colours[1]}


def test_a_battery_that_runs_low_is_told(table: Table, stack: ExitStack) -> None:
    broker = start_broker("own")
    stack.callback(broker.stop)
    device = MqttConnection("device", broker.address, (), Dropped(), lambda *_said: None)
    device.open()
    stack.callback(device.close)
    table.open("button:zigbee2mqtt/kitchen@1", broker=broker.address)
    table.until(lambda: table.devices.get("box 1") == "ready")
    for battery in (85, 12):
        payload = json.dumps({"action": "4_single", "battery": battery}).encode()
        device.publish(Publication("zigbee2mqtt/kitchen", payload))
    table.until(lambda: table.devices["box 1"] != "ready")
    assert table.devices["box 1"] == "ready · battery 12 %"


def test_a_press_under_a_hand_is_accepted_and_waits(table: Table, box: SerialBoxSimulator) -> None:
    table.open(f"serial:{box.path}@1")
    table.until(lambda: box.lit() == {TURN_LED})
    board, look = table.presenter.board, table.presenter.session.game.appearance(table.presenter.session.state)
    table.presenter.on_observation(sight(board, look, time=time.monotonic(), quiet=False))
    box.tap(1)
    table.until(lambda: table.presenter.view().verdict is not None)
    assert "A hand is over the board" in table.presenter.view().verdict.headline
    assert box.buzzes() == ()


def test_a_remembered_box_whose_broker_cannot_be_had_does_not_stop_the_evening(
    table: Table, stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / BINDINGS_FILE
    file.write_text('format = 1\n[[box]]\nbox = "mqtt:blue"\nseat = 2\n', encoding="utf-8")
    monkeypatch.setattr(broker_module, "LOCAL", BrokerAddress("127.0.0.1", 1))
    monkeypatch.setattr(broker_module, "_SYSTEM_PROGRAMS", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "iotcore", None)
    table.boxes = open_boxes([], None, file, stack)
    stack.callback(table.boxes.close)
    table.until(lambda: "mosquitto is not installed" in table.devices.get("broker", ""))
    with pytest.raises(BrokerUnavailable):
        open_boxes(["mqtt:blue"], None, file, stack)


def test_boxes_of_a_command_line_are_opened_with_those_remembered(
    stack: ExitStack, box: SerialBoxSimulator, tmp_path: Path
) -> None:
    file = tmp_path / BINDINGS_FILE
    file.write_text('format = 1\n[[box]]\nbox = "mqtt:blue"\nseat = 2\n', encoding="utf-8")
    boxes = open_boxes([f"serial:{box.path}@1"], None, file, stack)
    stack.callback(boxes.close)
    assert {state.box: state.seat for state in boxes._boxes.states.values()} == {
        f"serial:{box.path}": 1, "mqtt:blue": 2,
    }  # fmt: skip
    name = (tmp_path / TABLE_FILE).read_text(encoding="utf-8")
    boxes.close()
    open_boxes([f"serial:{box.path}@1"], None, file, stack).close()
    assert (tmp_path / TABLE_FILE).read_text(encoding="utf-8") == name


def test_a_name_of_the_table_that_does_not_hold_is_said_and_the_evening_goes_on(
    table: Table, stack: ExitStack, tmp_path: Path
) -> None:
    (tmp_path / TABLE_FILE).write_text("format = 7", encoding="utf-8")
    table.boxes = open_boxes([], None, tmp_path / BINDINGS_FILE, stack)
    stack.callback(table.boxes.close)
    table.until(lambda: "cannot be read" in table.devices.get("name of the table", ""))


def test_boxes_whose_ports_may_have_been_exchanged_are_asked_about(
    table: Table, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SerialBoxSimulator, "uid", lambda _self, _box=1: bytes(8))
    boxes = [stack.enter_context(SerialBoxSimulator()) for _ in range(2)]
    table.open(*(f"serial:{box.path}@{seat}" for seat, box in enumerate(boxes, 1)))
    table.until(lambda: table.devices == {"box 1": "ready", "box 2": "ready"})
    for box in boxes:
        box.unplug()
    table.until(lambda: all(state.startswith("lost") for state in table.devices.values()))
    for box in boxes:
        box.plug()

    def asked() -> set[str]:
        return {choice.group for choice in table.presenter.view().choices if "may have been exchanged" in choice.group}

    table.until(lambda: len(asked()) == 2)
    boxes[0].tap(1)
    table.until(lambda: "touch on the screen" in str(table.devices))
    assert table.actions == []
    first = f"serial:{boxes[0].path}"
    key = next(c.key for c in table.presenter.view().choices if c.key.endswith(first) and c.text.startswith("2."))
    table.presenter.on_choice(key)
    table.until(lambda: table.boxes.states[first].seat == 2)
    table.until(lambda: len(asked()) == 1)


def test_a_slow_press_of_help_is_help_where_nobody_can_be_called(table: Table, box: SerialBoxSimulator) -> None:
    table.open(f"serial:{box.path}@1")
    table.until(lambda: box.lit() == {TURN_LED})
    assert not table.presenter.shows_all
    box.press(4)
    table.until(lambda: table.presenter.shows_all)
    box.release(4)
