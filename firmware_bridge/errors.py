"""What can go wrong between a button box and an intent.

BridgeError
├── InvalidBoxAddress          text that names no box (also a ValueError)
├── InvalidBrokerAddress       text that names no MQTT broker (also a ValueError)
├── TransportError             a port or broker connection; `source` names it
│   ├── TransportUnavailable       it cannot be opened (also a ConnectionError)
│   │   └── NotAuthorised              and trying again is no use (also a PermissionError)
│   └── TransportLost              it was open and is gone, or stalls (also a ConnectionError)
├── BrokerUnavailable          no MQTT broker answers and none can be started (also a ConnectionError)
└── FirmwareUnavailable        a box's own program cannot be compiled or run here

What a box sends wrongly is no exception: it is counted and dropped. A bindings file that does not hold raises the
kernel's InvalidDocument.
"""

from __future__ import annotations


class BridgeError(Exception):
    """Root of the bridge's errors; its text is one line for people, and `reason` is the part that can be translated."""

    reason: str


class InvalidBoxAddress(BridgeError, ValueError):
    """The text names no box."""

    def __init__(self, text: str, reason: str) -> None:
        self.text, self.reason = text, reason
        super().__init__(f"box {text!r}: {reason}")


class InvalidBrokerAddress(BridgeError, ValueError):
    """The text names no MQTT broker; it may hold a password and is not repeated."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the broker's address does not hold: {reason}")


class TransportError(BridgeError):
    """A port or a connection to a broker fails; `source` names it."""

    def __init__(self, source: str, reason: str) -> None:
        self.source, self.reason = source, reason
        super().__init__(f"{source}: {reason}")


class TransportUnavailable(TransportError, ConnectionError):
    """It cannot be opened now; a later attempt may succeed."""


class NotAuthorised(TransportUnavailable, PermissionError):
    """It refuses us for good: trying again with the same password is no use."""


class TransportLost(TransportError, ConnectionError):
    """It was open and is gone, or takes no more bytes."""


class BrokerUnavailable(BridgeError, ConnectionError):
    """No MQTT broker answers where one should, or none can be started."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class FirmwareUnavailable(BridgeError):
    """The program of a box cannot be compiled, or the board in software that runs it does not start."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"firmware: {reason}")
