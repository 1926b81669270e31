"""Button boxes: `boxes list`, `test` and `learn`."""

from __future__ import annotations

import argparse
import queue
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError
from companion.session.intents import Intent, IntentKind
from ui.commands.progress import progress
from ui.commands.simulated_box import simulate
from ui.commands.terminal import (
    FAILED,
    FINE,
    Parser,
    WrongUse,
    complain,
    emit_json,
    file_name,
    parser,
    say,
    whole_number,
)

if TYPE_CHECKING:
    from firmware_bridge.boxes import Boxes, Search
    from firmware_bridge.presses.bindings import Bindings
    from firmware_bridge.presses.events import BoxEvent, ButtonPress

DEFAULT_INTENTS = (IntentKind.DONE, IntentKind.NO, IntentKind.NEXT, IntentKind.HELP)


def boxes(words: Sequence[str]) -> int:
    """`companion boxes`."""
    commands = {"list": list_boxes, "test": test, "learn": learn, "simulate": simulate}
    options = parser("boxes", "Button boxes at serial ports and on an MQTT broker.")
    options.add_argument(
        "command", choices=commands,
        help="list: what is there; test: press every button once; learn: press the button you want; "
        "simulate: a box in software",
    )  # fmt: skip
    if not words or words[0] not in commands:
        options.parse_args(words)
    return commands[words[0]](words[1:])


def list_boxes(words: Sequence[str]) -> int:
    """`companion boxes list`: what answers within a few seconds, and the devices that could be learnt."""
    options = _parser("list", "List the boxes that are there and the buttons that could be learnt.")
    options.add_argument("--json", action="store_true", help="print a JSON document")
    options.add_argument("--wait", type=_seconds, default=6.0, metavar="S", help="seconds to listen (6)")
    chosen = options.parse_args(words)
    with progress("listening for boxes"), _opened(chosen, buttons=True) as found:
        events = list(_events(found, chosen.wait))
        document = listing(found, events)
    if chosen.json:
        emit_json(document)
        return FINE
    for box in document["boxes"]:
        seat = f"seat {box['seat']}" if box["seat"] else "shared" if box["paired"] else "belongs to no seat yet"
        state = f"{box['state']}: {box['reason']}" if box["reason"] else box["state"]
        battery = "" if box["battery"] is None else f"  battery {box['battery']} %"
        say(f"{box['box']}  {seat}  {box['buttons'] or '?'} buttons  {state}{battery}")
    for device in document["devices"]:
        say(f"{device}  can be learnt (companion boxes learn)")
    for notice in document["notices"]:
        say(f"{notice['source']}: {notice['text']}")
    if not document["boxes"] and not document["devices"]:
        say("no box is there")
    return FINE


def listing(found: Boxes, events: Sequence[BoxEvent]) -> dict[str, Any]:
    """What is there, as a document (docs/formats.md)."""
    from firmware_bridge.presses.events import Notice

    return {
        "boxes": [
            {
                "box": state.box, "seat": state.seat, "paired": state.is_paired, "state": state.state.value,
                "reason": str(state.reason), "buttons": state.buttons, "battery": state.battery,
                "heard_seconds": None if state.heard_at is None else round(time.monotonic() - state.heard_at, 1),
            }
            for state in found.states.values()
        ],
        "devices": [name for name in found.announced if name not in found.states],
        "notices": [
            {"source": event.source, "text": str(event.text)} for event in events if isinstance(event, Notice)
        ],
    }  # fmt: skip


def test(words: Sequence[str]) -> int:
    """`companion boxes test`: exit code 3 where a box is missing or a button was not heard."""
    options = _parser("test", "Press every button once; the lamp next to it flashes when it was heard.")
    options.add_argument("--wait", type=_seconds, default=60.0, metavar="S", help="seconds at most (60)")
    chosen = options.parse_args(words)
    from firmware_bridge.rehearsal import rehearse

    say("looking for boxes")
    with _opened(chosen) as found:
        checks = rehearse(found, chosen.wait, asking_report())
    if not checks:
        complain("no box is there")
        return FAILED
    for check in checks:
        say(f"{check.box}: {'fine' if check.is_fine else 'NOT FINE'}: {check.reason}")
    return FINE if all(check.is_fine for check in checks) else FAILED


def learn(words: Sequence[str]) -> int:
    """`companion boxes learn`: press the button you want for each intent; the bindings file is written."""
    options = _parser(
        "learn", "Say which button means what by pressing it: on any box, or on any device on the broker."
    )
    options.add_argument(
        "intents", nargs="*", metavar="INTENT", help=f"of {', '.join(IntentKind)}; choose=2 is the second choice"
    )
    options.add_argument(
        "--seat", type=whole_number, metavar="N", help="whose buttons they are; without it they are for all"
    )
    options.add_argument(
        "--out", type=file_name, metavar="FILE", help="the bindings file; without it the program's own"
    )
    options.add_argument("--wait", type=_seconds, default=60.0, metavar="S", help="seconds for each button (60)")
    chosen = options.parse_args(words)
    from firmware_bridge.presses.bindings import save_bindings
    from firmware_bridge.protocol.addresses import HIGHEST_SEAT
    from ui.hardware.box_search import every_gesture
    from ui.services.files import check_target

    intents = [_intent(text) for text in chosen.intents] or [Intent(kind) for kind in DEFAULT_INTENTS]
    if chosen.seat is not None and not 1 <= chosen.seat <= HIGHEST_SEAT:
        raise WrongUse(f"--seat {chosen.seat}: it is from 1 to {HIGHEST_SEAT}")
    path = chosen.out or _bindings_file()
    check_target(path)
    bindings = _bindings(path)
    with _opened(chosen, buttons=True, bindings=every_gesture()) as found:
        taken: set[tuple[str, int, str, str]] = set()
        for intent in intents:
            name = intent.kind.value if intent.choice is None else f"{intent.kind.value} {intent.choice}"
            say(f"press the button for: {name}")
            press = _next_press(found, chosen.wait, taken)
            if press is None:
                complain(f"no button was pressed for {name}; nothing was written")
                return FAILED
            found.assign_seat(press.box, chosen.seat)
            found.accept(press)
            say(f"  {press_name(press)}")
            if press.button:
                bindings = bindings.with_intent(press.box, press.button, press.gesture, intent)
            else:
                bindings = bindings.with_word(press.box, press.word, intent)
            bindings = bindings.with_seat(press.box, chosen.seat)
    save_bindings(path, bindings)
    say(f"wrote {path}")
    return FINE


def press_name(press: ButtonPress) -> str:
    """What was pressed, in words."""
    return f"{press.box} button {press.button} {press.gesture}" if press.button else f"{press.box} says {press.word!r}"


def _parser(name: str, description: str) -> Parser:
    options = parser(f"boxes {name}", description)
    add_box_options(options)
    return options


def add_box_options(options: argparse.ArgumentParser) -> None:
    """The options that say which boxes there are."""
    options.add_argument("--box", action="append", default=[], metavar="B", help="serial:/dev/ttyACM0@1, mqtt:blue@2")
    options.add_argument(
        "--broker", metavar="HOST[:PORT]", help="the MQTT broker; without it this machine's own, if there is one"
    )
    options.add_argument(
        "--all-ports", action="store_true",
        help="also try ports behind a mere USB-serial chip, which resets whatever is there",
    )  # fmt: skip


@contextmanager
def _opened(chosen: argparse.Namespace, *, buttons: bool = False, bindings: Bindings | None = None) -> Iterator[Boxes]:
    """The boxes that are named, remembered or found, at work.

    Raises WrongUse or CompanionError.
    """
    if chosen.broker is not None:
        require_broker(chosen.broker)
    with opened_boxes(chosen.box, chosen.broker, _search(chosen, buttons=buttons), bindings) as found:
        yield found


def require_broker(text: str) -> None:
    """Refuse a broker that does not answer; at the table it may come later, but here somebody waits for an answer.

    Raises WrongUse or CompanionError.
    """
    from firmware_bridge.errors import InvalidBrokerAddress, TransportUnavailable
    from firmware_bridge.mqtt.transport import check_broker
    from firmware_bridge.protocol.addresses import BrokerAddress

    try:
        check_broker(BrokerAddress.parse(text))
    except InvalidBrokerAddress as error:
        raise WrongUse(str(error)) from error
    except TransportUnavailable as error:
        raise CompanionError(str(error)) from error


@contextmanager
def opened_boxes(
    texts: Sequence[str], broker: str | None, search: Search, bindings: Bindings | None = None
) -> Iterator[Boxes]:
    """Boxes at work; without a broker this machine's own is used if it answers.

    Raises WrongUse, InvalidDocument for the bindings file, or CompanionError where no broker can be had.
    """
    from firmware_bridge.errors import InvalidBoxAddress, InvalidBrokerAddress
    from ui.hardware import box_search

    file = _bindings_file()
    remembered = bindings or _bindings(file)
    try:
        with box_search.opened_boxes(texts, broker, search, remembered, file) as found:
            yield found
    except (InvalidBoxAddress, InvalidBrokerAddress) as error:
        raise WrongUse(str(error)) from error


def _search(chosen: argparse.Namespace, *, buttons: bool) -> Search:
    from firmware_bridge.boxes import Search

    return Search(serial=True, bare_chips=chosen.all_ports, wireless=True, buttons=buttons)


def _events(found: Boxes, seconds: float) -> Iterator[BoxEvent]:
    """What the boxes say within `seconds`."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        try:
            yield found.events.get(timeout=left)
        except queue.Empty:
            return


def _next_press(found: Boxes, seconds: float, taken: set[tuple[str, int, str, str]]) -> ButtonPress | None:
    """The next press of a button that is not taken yet, which takes it."""
    from firmware_bridge.presses.events import ButtonPress, Notice

    for event in _events(found, seconds):
        match event:
            case ButtonPress(is_stale=False):
                key = (event.box, event.button, event.gesture.value, "" if event.button else event.word)
                if key not in taken:
                    taken.add(key)
                    return event
                say(f"  {press_name(event)} has a meaning already; press another")
            case Notice(source, text):
                say(f"  {source}: {text}")
            case _:
                pass
    return None


def asking_report() -> Callable[[BoxEvent], None]:
    """Prints events, and asks for the presses of each box once it is there."""
    from firmware_bridge.presses.events import BoxState
    from firmware_bridge.protocol.messages import LinkState

    asked: set[str] = set()

    def told(event: BoxEvent) -> None:
        report(event)
        if isinstance(event, BoxState) and event.state is LinkState.READY and event.box not in asked:
            asked.add(event.box)
            say(f"{event.box}: press every button once; the lamp beside it flashes when it was heard")

    return told


def report(event: BoxEvent) -> None:
    """Print an event as a line."""
    from firmware_bridge.presses.events import BoxState, ButtonPress, Notice

    match event:
        case ButtonPress():
            say(f"{press_name(event)}: heard")
        case BoxState(box, state=state, reason=reason):
            say(f"{box}: {state.value}{f': {reason}' if reason else ''}")
        case Notice(source, text):
            say(f"{source}: {text}")


def _intent(text: str) -> Intent:
    word, _, number = text.partition("=")
    from firmware_bridge.presses.bindings import HIGHEST_CHOICE

    choice = int(number) if number.isascii() and number.isdecimal() and len(number) < 5 else None
    try:
        intent = Intent(IntentKind(word), choice=choice)
    except ValueError as error:
        known = ", ".join(kind for kind in IntentKind if kind is not IntentKind.CHOOSE)
        raise WrongUse(f"{text!r} is no intent; there are {known}, and choose=1") from error
    if choice is not None and not 1 <= choice <= HIGHEST_CHOICE:
        raise WrongUse(f"{text!r}: choices are numbered from 1 to {HIGHEST_CHOICE}")
    return intent


def _bindings_file() -> Path:
    from ui.hardware.boxes import BINDINGS_FILE
    from ui.services.folders import data_folder

    return data_folder() / BINDINGS_FILE


def _bindings(path: Path) -> Bindings:
    from ui.hardware.box_search import remembered_bindings

    return remembered_bindings(path)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number of seconds up to 3600")
    return seconds
