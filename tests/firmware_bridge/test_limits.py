"""Bounds of messages, addresses, names and files, each at its last value that holds and the first that does not."""

import os
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.errors import InvalidDocument
from companion.session.intents import Intent, IntentKind
from firmware_bridge import scratch
from firmware_bridge.errors import InvalidBoxAddress, InvalidBrokerAddress
from firmware_bridge.mqtt.table_identity import TABLE_FILE, claim_table, drawn_name, written_name
from firmware_bridge.presses.bindings import default_bindings, load_bindings, save_bindings
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import Beat, Button, Buzz, Hello, Led, TextButton, TextHello
from firmware_bridge.scratch import remove_abandoned
from firmware_bridge.transports.rate_limit import RateLimit

HELLO = Hello(1, 1, 256, 4, 4, 0, 0, 7, 0, 0, bytes(8))
MESSAGES: dict[str, tuple[Any, str, int, int]] = {
    "buttons of a box": (HELLO, "buttons", 0, 16),
    "lamps of a box": (HELLO, "leds", 0, 16),
    "newest version": (HELLO, "protocol_max", 1, 255),
    "button": (Button(5, 7, 5, 1, True, 0), "button", 1, 16),
    "oldest edge": (Button(300, 7, 300, 1, True, 0), "oldest", 45, 300),
    "edges that wait": (Beat(7, 0, 0, 0, 0, 0, 0), "pending", 0, 16),
    "lamp": (Led(1, 1, True), "led", 1, 16),
    "tone": (Buzz(1, 440, 100), "hertz", 20, 20_000),
    "length of a tone": (Buzz(1, 440, 100), "duration_ms", 1, 5000),
    "button in plain text": (TextButton(1, True), "button", 1, 16),
    "buttons in plain text": (TextHello(1), "buttons", 1, 16),
}


@pytest.mark.parametrize(("message", "name", "lowest", "highest"), MESSAGES.values(), ids=MESSAGES)
def test_a_message_holds_within_its_bounds_alone(message: Any, name: str, lowest: int, highest: int) -> None:
    for value in (lowest, highest):
        assert getattr(replace(message, **{name: value}), name) == value
    for value in (lowest - 1, highest + 1):
        with pytest.raises(ValueError, match=r"-?\d+ is not from \d+ to \d+"):
            replace(message, **{name: value})


@pytest.mark.parametrize("size", [7, 9])
def test_a_uid_has_eight_bytes(size: int) -> None:
    with pytest.raises(ValueError, match="a uid has 8 bytes"):
        replace(HELLO, uid=bytes(size))


@pytest.mark.parametrize(
    ("longest", "reason"),
    [
        (f"serial:{'x' * 4096}", "a serial port is named by its path, such as /dev/ttyACM0"),
        (f"mqtt:{'x' * 32}", "a box on the broker is named by 1 to 32 of A-Z a-z 0-9 _ -"),
        (f"button:{'x' * 32}/a", "a button is named adapter/device, such as zigbee2mqtt/kitchen"),
        (f"button:a/{'x' * 128}", "a button is named adapter/device, such as zigbee2mqtt/kitchen"),
        (f"usb:{'a' * 16}", "a box on any port is named by the 16 digits of 0-9 a-f that it says of itself"),
        ("mqtt:a@12", ""), ("serial:/dev/a#254", ""),
    ],
)  # fmt: skip
def test_the_name_of_a_box_has_a_limit(longest: str, reason: str) -> None:
    assert str(BoxAddress.parse(longest)) == longest
    if reason:
        name, separator, rest = longest.partition("x" if "x" in longest else "a")
        with pytest.raises(InvalidBoxAddress) as caught:
            BoxAddress.parse(name + separator * 2 + rest)
        assert caught.value.reason == reason
        assert len(caught.value.text) <= 80


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mqtt:a@0", "the seat after @ is from 1 to 12"), ("mqtt:a@13", "the seat after @ is from 1 to 12"),
        ("serial:/dev/a#0", "the number after # is from 1 to 254"),
        ("serial:/dev/a#255", "the number after # is from 1 to 254"),
    ],
)  # fmt: skip
def test_seats_and_numbers_beyond_their_bounds_are_named(text: str, reason: str) -> None:
    with pytest.raises(InvalidBoxAddress) as caught:
        BoxAddress.parse(text)
    assert (caught.value.reason, str(caught.value)) == (reason, f"box {text!r}: {reason}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("broker:0", "the port after the colon is a number from 1 to 65535"),
        ("broker:65536", "the port after the colon is a number from 1 to 65535"),
        ("broker:x", "the port after the colon is a number from 1 to 65535"),
        ("http://broker", "it is written host, host:port or user:password@host:port"),
        ("a b", "it is written host, host:port or user:password@host:port"),
        ("broker?x=1", "after ? stands ca=FILE or password_file=FILE"),
        ("broker?x", "after ? stands ca=FILE or password_file=FILE"),
        ("broker?ca=x", "a certificate authority belongs to mqtts://"),
        ("u@broker?password_file=/nowhere", "the file with the password cannot be read"),
    ],
)
def test_what_is_wrong_with_the_address_of_a_broker_is_said(text: str, reason: str) -> None:
    with pytest.raises(InvalidBrokerAddress) as caught:
        BrokerAddress.parse(text)
    assert caught.value.reason == reason
    assert str(caught.value) == f"the broker's address does not hold: {reason}"


def test_the_ports_of_brokers() -> None:
    for port in (1, 65_535):
        assert BrokerAddress.parse(f"broker:{port}").port == port
    assert [BrokerAddress.parse(text).port for text in ("broker", "mqtts://broker")] == [1883, 8883]


@pytest.mark.parametrize(
    ("host", "is_loopback"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("house", False),
        ("10.0.0.1", False),
    ],
)
def test_which_brokers_only_this_machine_reaches(host: str, is_loopback: bool) -> None:
    assert BrokerAddress(host).is_loopback is is_loopback


def test_a_password_in_a_file_is_its_first_line_up_to_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "password"
    for written, password in (("a b\nmore", "a b"), ("", ""), ("x" * 1024 + "y", "x" * 1024)):
        file.write_text(written, encoding="utf-8")
        address = BrokerAddress.parse(f"u:other@broker?password_file={file}")
        assert (address.username, address.password) == ("u", password)
    file.write_bytes(b"\xff")
    with pytest.raises(InvalidBrokerAddress, match="cannot be read"):
        BrokerAddress.parse(f"u@broker?password_file={file}")


def test_a_table_reads_the_name_that_it_wrote_in_this_format(tmp_path: Path) -> None:
    file = tmp_path / TABLE_FILE
    file.write_text(f'format = 1\nname = "{"x" * 32}"\n', encoding="utf-8")
    with ExitStack() as stack:
        names = [claim_table(tmp_path, stack) for _ in range(10)]
    assert names[:9] == ["x" * 32, *(f"{'x' * 29}-{number}" for number in range(2, 10))]
    assert names[9].startswith("table-")
    with ExitStack() as stack:
        assert [claim_table(tmp_path, stack, purpose) for purpose in ("table", "hub")] == ["x" * 32] * 2
    file.unlink()
    with ExitStack() as stack:
        name = claim_table(tmp_path, stack)
    assert file.read_text(encoding="utf-8") == f'format = 1\nname = "{name}"\n'
    assert len(name) == len(drawn_name()) == len("table-") + 8


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('format = 2\nname = "a"', "format: is 2; this program reads format 1"),
        (f'format = 1\nname = "{"x" * 33}"', "name: is longer than 32 characters"),
        ('format = 1\nname = "a b"', "name: is 1 to 32 of A-Z a-z 0-9 _ -"),
        ('format = 1\nname = "a"\nseat = 1', "seat: is not known here"),
    ],
)
def test_a_name_of_a_table_that_does_not_hold_is_said(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / TABLE_FILE
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidDocument) as caught:
        written_name(file)
    assert reason in str(caught.value)


@pytest.mark.parametrize(("age", "is_left"), [(60.0, True), (60.5, False)])
def test_a_folder_without_a_lock_is_left_for_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: float, is_left: bool
) -> None:
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "time", SimpleNamespace(time=lambda: 10_000.0))
    folder = tmp_path / "companion-box-a"
    folder.mkdir()
    os.utime(folder, (10_000.0 - age, 10_000.0 - age))
    remove_abandoned("companion-box-")
    assert folder.exists() is is_left


def test_a_folder_of_another_user_is_left_and_so_is_one_that_cannot_be_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scratch.tempfile, "tempdir", str(tmp_path))
    folders = [tmp_path / f"companion-box-{name}" for name in "abc"]
    for folder in folders:
        folder.mkdir()
        os.utime(folder, (1, 1))

    def is_ours(folder: Path) -> bool:
        if folder.name.endswith("b"):
            raise PermissionError
        return folder.name.endswith("c")

    monkeypatch.setattr(scratch, "_is_ours", is_ours)
    remove_abandoned("companion-box-")
    assert [folder.exists() for folder in folders] == [True, True, False]


def bindings_of(tmp_path: Path, text: str) -> Any:
    file = tmp_path / "bindings.toml"
    file.write_text("format = 1\n" + text, encoding="utf-8")
    return load_bindings(file)


@pytest.mark.parametrize(
    ("text", "lowest", "highest", "entry"),
    [
        ('[[binding]]\nbutton = {}\nintent = "no"', 1, 16, "binding[1].button"),
        ('[[binding]]\nbutton = 1\nintent = "choose"\nchoice = {}', 1, 99, "binding[1].choice"),
        ('[[box]]\nbox = "mqtt:a"\nseat = {}', 1, 12, "box[1].seat"),
    ],
)
def test_the_numbers_of_bindings_have_limits(tmp_path: Path, text: str, lowest: int, highest: int, entry: str) -> None:
    for number in (lowest, highest):
        bindings_of(tmp_path, text.format(number))
    for number in (lowest - 1, highest + 1):
        with pytest.raises(InvalidDocument) as caught:
            bindings_of(tmp_path, text.format(number))
        assert caught.value.entry == entry


def test_the_lists_and_names_of_bindings_have_limits(tmp_path: Path) -> None:
    def boxes(count: int) -> str:
        return "".join(f'[[box]]\nbox = "mqtt:b{number}"\n' for number in range(count))

    def words(count: int) -> str:
        return "".join(
            f'[[binding]]\nbox = "mqtt:a"\nword = "w{number}"\nintent = "no"\n' for number in range(count)
        )  # fmt: skip

    def word(length: int) -> str:
        return f'[[binding]]\nbox = "mqtt:a"\nword = "{"w" * length}"\nintent = "no"\n'

    def box(length: int) -> str:
        return f'[[box]]\nbox = "serial:{"w" * (length - len("serial:"))}"\n'

    for make, most in ((boxes, 100), (words, 1000), (word, 64), (box, 200)):
        bindings_of(tmp_path, make(most))
        with pytest.raises(InvalidDocument, match=str(most)):
            bindings_of(tmp_path, make(most + 1))


@pytest.mark.parametrize(
    ("text", "entry", "reason"),
    [
        ('word = "x"\nbutton = 1', "button", "has no meaning beside a word"),
        ('word = "x"\ngesture = "single"', "gesture", "has no meaning beside a word"),
        ("button = 1\nchoice = 1", "choice", "belongs to the intent choose only"),
    ],
)
def test_what_does_not_belong_into_a_binding_is_said(tmp_path: Path, text: str, entry: str, reason: str) -> None:
    with pytest.raises(InvalidDocument) as caught:
        bindings_of(tmp_path, f'[[binding]]\nbox = "mqtt:a"\nintent = "no"\n{text}\n')
    assert (caught.value.entry, caught.value.reason) == (f"binding[1].{entry}", reason)


def test_a_word_that_means_two_things_is_refused(tmp_path: Path) -> None:
    word = '[[binding]]\nbox = "mqtt:a"\nword = "x"\nintent = "no"\n'
    bindings_of(tmp_path, word + word.replace('"x"', '"y"') + word.replace("mqtt:a", "mqtt:b"))
    with pytest.raises(InvalidDocument, match="has two meanings for the same box"):
        bindings_of(tmp_path, word + word)


def test_bindings_that_cannot_be_put_in_place_leave_the_old_ones_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bindings.toml"
    save_bindings(file, default_bindings())
    before = file.read_text(encoding="utf-8")

    def refused(_written: Path, _path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refused)
    changed = default_bindings().with_intent(None, 1, Gesture.SINGLE, Intent(IntentKind.NO))
    with pytest.raises(PermissionError):
        save_bindings(file, changed)
    assert [path.name for path in tmp_path.iterdir()] == ["bindings.toml"]
    assert file.read_text(encoding="utf-8") == before
    monkeypatch.setattr(Path, "replace", lambda written, _path: written.unlink() or refused(written, _path))
    with pytest.raises(PermissionError):
        save_bindings(file, changed)


def test_of_many_senders_the_first_is_forgotten() -> None:
    allowance = RateLimit(rate=1, burst=1)
    assert all(allowance.take(f"sender {number}", 0.0) for number in range(256))
    assert not any(allowance.take(f"sender {number}", 0.0) for number in range(256))
    assert allowance.take("one more", 0.0)
    assert not allowance.take("sender 1", 0.0)
    assert allowance.take("sender 0", 0.0)
    assert not allowance.take("sender 2", 0.5)
    assert allowance.take("sender 2", 1.0)
