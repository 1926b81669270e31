"""Boxes at work without a table: for whoever lists, tests or learns them, on the command line or on the screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import MappingProxyType

from companion.errors import CompanionError
from companion.session.intents import Intent, IntentKind
from firmware_bridge.adapters.record_files import adapters_with
from firmware_bridge.boxes import Boxes, Search
from firmware_bridge.errors import BridgeError, InvalidBoxAddress, InvalidBrokerAddress
from firmware_bridge.mqtt.broker import LOCAL, answers, start_broker
from firmware_bridge.presses.bindings import Bindings, default_bindings, load_bindings
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress, Wire
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import HIGHEST_NUMBER
from ui.hardware.boxes import ADAPTERS_FOLDER


def remembered_bindings(file: Path) -> Bindings:
    """Which boxes belong to the table and what their buttons mean; the usual where nothing is remembered.

    Raises InvalidDocument.
    """
    return load_bindings(file) if file.exists() else default_bindings()


def every_gesture(seats: Mapping[str, int | None] = MappingProxyType({})) -> Bindings:
    """Bindings with a meaning for every gesture of every button, so that single, double and long are distinguished."""
    meanings: Mapping[tuple[str | None, int, Gesture], Intent] = MappingProxyType(
        {
            (None, button, gesture): Intent(IntentKind.HELP)
            for button in range(1, HIGHEST_NUMBER + 1)
            for gesture in Gesture
        }
    )
    return Bindings(meanings, seats)


@contextmanager
def opened_boxes(
    texts: Sequence[str], broker: str | None, search: Search, bindings: Bindings, bindings_file: Path
) -> Iterator[Boxes]:
    """Boxes at work; without a broker this machine's own is used if it answers.

    Raises InvalidBoxAddress, InvalidBrokerAddress, or CompanionError where no broker can be had.
    """
    try:
        with ExitStack() as stack:
            addresses = [BoxAddress.parse(text) for text in texts]
            where = None if broker is None else BrokerAddress.parse(broker)
            needs_broker = any(address.wire in (Wire.MQTT, Wire.BUTTON) for address in addresses)
            if where is not None or needs_broker:
                running = start_broker("auto", where)
                stack.callback(running.stop)
                where = running.address
            elif answers(LOCAL):
                where = LOCAL
            adapters = adapters_with(bindings_file.with_name(ADAPTERS_FOLDER))
            yield stack.enter_context(Boxes(addresses, bindings, where, search, adapters))
    except (InvalidBoxAddress, InvalidBrokerAddress):
        raise
    except BridgeError as error:
        raise CompanionError(str(error)) from error
