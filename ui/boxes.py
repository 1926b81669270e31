"""The boxes of one table: presses become the presenter's intents, its state becomes lamps."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence

from firmware_bridge.addresses import BoxAddress, BrokerAddress
from firmware_bridge.boxes import Boxes
from firmware_bridge.events import BoxState, Notice, Press
from firmware_bridge.messages import LinkState
from ui.presenter import Presenter
from ui.text import _
from ui.viewmodels import VerdictKind

TURN_LED = 1
"""lights on the box of whoever must act"""
_MOST_PER_DRAIN = 50


class TableBoxes:
    """Boxes with seats. One thread drains and shows."""

    def __init__(self, addresses: Sequence[BoxAddress], broker: BrokerAddress | None = None) -> None:
        """Raises InvalidBoxAddress."""
        self._boxes = Boxes(addresses, broker=broker)
        self._seats = {address.name: address.seat for address in addresses}
        self._labels = {address.name: _label(address) for address in addresses}
        self._lit: frozenset[int] = frozenset()
        self.presses = 0
        self._boxes.start()

    def drain(self, presenter: Presenter, request_read: Callable[[], None]) -> None:
        """Hand all that the boxes have said to the presenter; a press asks the camera for a fresh read."""
        for _turn in range(_MOST_PER_DRAIN):
            try:
                event = self._boxes.events.get_nowait()
            except queue.Empty:
                return
            match event:
                case Press():
                    self._press(event, presenter, request_read)
                case BoxState(box, _seat, state, reason):
                    text = f"{state.value}: {reason}" if reason else str(state.value)
                    presenter.on_device(self._labels[box], text, ok=state is LinkState.READY)
                case Notice(source, text):
                    presenter.on_device(source, text, ok=False)

    def _press(self, press: Press, presenter: Presenter, request_read: Callable[[], None]) -> None:
        if press.is_stale or press.intent is None:
            presenter.on_device(self._labels[press.box], _("an old press was not acted on"), ok=True)
            return
        self.presses += 1
        request_read()
        presenter.on_intent(press.intent)
        verdict = presenter.view().verdict
        if verdict is not None and verdict.kind is VerdictKind.REFUSED:
            self._boxes.refuse(press)
        else:
            self._boxes.accept(press)

    def show(self, presenter: Presenter) -> None:
        """Light the lamp of whoever must act."""
        acting = frozenset(player.seat for player in presenter.view().players if player.acts)
        if acting != self._lit:
            for box, seat in self._seats.items():
                if seat is not None:
                    self._boxes.set_led(box, TURN_LED, seat in acting)
            self._lit = acting

    def close(self) -> None:
        """Leave the boxes."""
        self._boxes.close()


def _label(address: BoxAddress) -> str:
    """What people call a box: by its seat where it has one."""
    return _("box {seat}").format(seat=address.seat) if address.seat is not None else address.name
