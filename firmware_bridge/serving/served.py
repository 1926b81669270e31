"""A box as a transport worker serves it: its link, and the presses that come of its edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from firmware_bridge.presses.bindings import Bindings
from firmware_bridge.presses.events import BoxEvent, BoxState
from firmware_bridge.presses.interpreter import PressInterpreter
from firmware_bridge.protocol.addresses import BoxAddress, Wire
from firmware_bridge.protocol.link import Edge, Link, Remark, StateChange
from firmware_bridge.protocol.messages import EVERY_BOX, LinkState


class ServedBox:
    """One box; belongs to the thread of the worker that serves it.

    `wire` is its address on the transport; for a box without a number it is known when the box first answers.
    """

    def __init__(
        self, address: BoxAddress, bindings: Callable[[], Bindings], retry_after: float, *, is_paired: bool = True
    ) -> None:
        self.address, self.name = address, address.name
        self.link = Link(retry_after, only_listens=not is_paired)
        self.presses = PressInterpreter(address.name, address.seat, is_paired, bindings)
        self.wire = ""
        self.taken_at = float("-inf")
        """the monotonic second since which we look after it, on this opening of the transport"""
        self.was_claimed = False
        """whether no other table answered when we claimed it"""
        self.rival_since = float("-inf")
        """the monotonic second since which another table is heard to look after it, too"""
        self.is_yielded = False
        """whether it is left to another table"""
        self.claimed_until = float("-inf")
        """the monotonic second until which it is only claimed: another table that has it would say so before"""
        self.answered_at = float("-inf")
        """the monotonic second at which another table was last told that we look after it"""
        self.forget_wire()

    @property
    def is_anyone(self) -> bool:
        """Whether the first box that answers is this one."""
        return self.wire == str(EVERY_BOX)

    @property
    def state(self) -> BoxState:
        """How it is connected now, and which seat it belongs to."""
        link, presses = self.link, self.presses
        buttons = link.hello.buttons if link.hello is not None else 0
        uid = link.hello.uid.hex() if link.hello is not None and any(link.hello.uid) else ""
        return BoxState(self.name, presses.seat, link.state, link.reason, presses.is_paired, buttons, uid=uid)

    def assign_seat(self, seat: int | None) -> None:
        """Belong to the table from now on, to a seat or to all seats with None."""
        self.presses.seat, self.presses.is_paired = seat, True
        self.link.take_charge()

    def forget_wire(self) -> None:
        """Forget which box answers on the transport: another one may have been plugged in."""
        if self.address.wire is Wire.SERIAL:
            self.wire = str(EVERY_BOX if self.address.number is None else self.address.number)
        else:
            self.wire = self.address.location

    def take_events(self, now: float, numbers: Iterator[int]) -> list[BoxEvent]:
        """What happened since the last call, as events for the program, each press with a number of its own."""
        events: list[BoxEvent] = []
        for event in self.link.take_events():
            match event:
                case StateChange(state):
                    if state is LinkState.LOST:
                        self.presses.reset()
                    events.append(self.state)
                case Remark(text):
                    events += self.presses.notice(text)
                case Edge(button, pressed, at):
                    events += self.presses.edge(button, pressed, at, now, numbers)
        return events + self.presses.tick(now, numbers)
