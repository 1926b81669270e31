"""A button box in software: what the firmware of a box does, without a wire and without a clock of its own.

`firmware_bridge.simulators.serial_box` and `firmware_bridge.simulators.mqtt_box` put it on real wires.
"""

from __future__ import annotations

import secrets
from collections import deque
from dataclasses import dataclass, replace

from firmware_bridge.protocol.messages import (
    ORDER_WINDOW,
    PROTOCOL_VERSIONS,
    UNACKNOWLEDGED_EDGES,
    Ack,
    Beat,
    Button,
    Buzz,
    Foreign,
    Hello,
    HostBeat,
    HostHello,
    Incoming,
    Led,
    Message,
    Nak,
    NakReason,
)

FIRMWARE = 0x0100
BEAT_INTERVAL = 1.0
HOST_SILENCE = 3.0
"""After so long without a host a box puts its lamps out and resends nothing until it is greeted."""

_REMEMBERED_COMMANDS = 16


@dataclass(slots=True)
class _Kept:
    edge: Button
    due: float


class SimulatedBox:
    """The device's side of the protocol; `now` is the box's own time in seconds, from anywhere and at any rate."""

    def __init__(
        self,
        now: float,
        *,
        buttons: int = 4,
        leds: int = 4,
        retry_after: float = 0.05,
        boot: int | None = None,
        first_seq: int = 0,
        uid: bytes = b"simulate",
    ) -> None:
        self.buzzes: list[Buzz] = []
        self.overruns = 0
        self._buttons, self._leds, self._uid, self._retry_after = buttons, leds, uid, retry_after
        self._boot = secrets.randbelow(2**16) if boot is None else boot
        self._started = now
        self._next_seq = first_seq
        self._kept: deque[_Kept] = deque()
        self._down: set[int] = set()
        self._lit: set[int] = set()
        self._host_heard = float("-inf")
        self._next_beat = now + BEAT_INTERVAL
        self._session: int | None = None
        self._obeyed: deque[int] = deque(maxlen=_REMEMBERED_COMMANDS)
        self._outgoing: list[Message] = []

    @property
    def lit(self) -> frozenset[int]:
        """The LEDs that are on."""
        return frozenset(self._lit)

    @property
    def pending(self) -> int:
        """How many edges no host has acknowledged."""
        return len(self._kept)

    def take_messages(self) -> list[Message]:
        """What is to be sent now; empties the list."""
        messages, self._outgoing = self._outgoing, []
        return messages

    def introduce(self, now: float) -> None:
        """Say who it is, as a box does when it starts and when a connection is made."""
        self._outgoing.append(
            Hello(
                *PROTOCOL_VERSIONS,
                firmware=FIRMWARE,
                buttons=self._buttons,
                leds=self._leds,
                capabilities=0,
                reset_cause=0,
                boot=self._boot,
                oldest=self._oldest,
                uptime_ms=self._milliseconds(now),
                uid=self._uid,
            )
        )

    def press(self, button: int, now: float) -> None:
        """A button goes down; a button that is down stays so."""
        self._move(button, True, now)

    def release(self, button: int, now: float) -> None:
        """A button comes up."""
        self._move(button, False, now)

    def receive(self, content: Incoming, now: float) -> None:
        """Take what the host sent."""
        self._host_heard = now
        match content:
            case HostHello(session=session):
                if session != self._session:
                    self._session = session
                    self._obeyed.clear()
                self.introduce(now)
                for kept in self._kept:
                    kept.due = now
            case Ack(seq=seq, boot=boot) | Nak(seq=seq, boot=boot) if boot == self._boot:
                self._kept = deque(kept for kept in self._kept if kept.edge.seq != seq)
            case Led() | Buzz():
                self._obey(content)
            case Foreign(seq=seq, problem=problem):
                self._outgoing.append(Nak(seq, self._boot, problem))
            case HostBeat():
                pass
        self.tick(now)

    def tick(self, now: float) -> None:
        """Do what is due at `now`: resend, beat, notice that the host is gone."""
        if now - self._host_heard > HOST_SILENCE:
            self._lit.clear()
        else:
            for kept in self._kept:
                if kept.due <= now:
                    self._outgoing.append(replace(kept.edge, oldest=self._oldest))
                    kept.due = now + self._retry_after
        if now >= self._next_beat:
            self._next_beat = max(self._next_beat + BEAT_INTERVAL, now)
            self._outgoing.append(
                Beat(
                    boot=self._boot,
                    uptime_ms=self._milliseconds(now),
                    pressed=_mask(self._down),
                    lit=_mask(self._lit),
                    oldest=self._oldest,
                    pending=len(self._kept),
                    overruns=self.overruns,
                )
            )

    @property
    def _oldest(self) -> int:
        return self._kept[0].edge.seq if self._kept else self._next_seq

    def _move(self, button: int, pressed: bool, now: float) -> None:
        if not 1 <= button <= self._buttons:
            raise ValueError(f"there is no button {button}; the box has {self._buttons}")
        if pressed == (button in self._down):
            return
        (self._down.add if pressed else self._down.discard)(button)
        is_far = (self._next_seq - self._oldest) % 2**16 >= ORDER_WINDOW - 1
        if len(self._kept) == UNACKNOWLEDGED_EDGES or is_far:
            self._kept.popleft()
            self.overruns += 1
        seq, self._next_seq = self._next_seq, (self._next_seq + 1) % 2**16
        edge = Button(seq, self._boot, seq, button, pressed, self._milliseconds(now))
        self._kept.append(_Kept(edge, now))
        self.tick(now)

    def _obey(self, command: Led | Buzz) -> None:
        if isinstance(command, Led) and command.led > self._leds:
            self._outgoing.append(Nak(command.seq, self._boot, NakReason.REFUSED))
            return
        self._outgoing.append(Ack(command.seq, self._boot))
        if command.seq in self._obeyed:
            return
        self._obeyed.append(command.seq)
        if isinstance(command, Buzz):
            self.buzzes.append(command)
        else:
            (self._lit.add if command.on else self._lit.discard)(command.led)

    def _milliseconds(self, now: float) -> int:
        return int((now - self._started) * 1000) % 2**32


def _mask(numbers: set[int]) -> int:
    return sum(1 << (number - 1) for number in numbers)
