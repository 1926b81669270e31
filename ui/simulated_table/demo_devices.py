"""The devices of the demo: boxes on real wires with simulated people at them, and a camera over a simulated table."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace

from companion.board.layout import Board
from firmware_bridge.mqtt.broker import start_broker
from firmware_bridge.protocol.addresses import BoxAddress
from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator
from firmware_bridge.simulators.serial_box import SerialBoxSimulator
from ui.hardware.boxes import TableBoxes
from ui.hardware.camera import CameraClient
from ui.simulated_table.director import PressButton
from ui.simulated_table.table import SimulatedTable
from ui.simulated_table.view import CameraView
from vision.printed.pieces.profile import has_profile

WIRELESS = ("blue", "green", "white")
"""names of the wireless boxes of the second and later seats; the first seat's box is serial"""
NEAR = 1.08
"""how far the camera stands away, in lengths of the sheet's longer side"""
GAP = 20.0
"""millimetres between sheets that lie side by side"""
ASLANT = 45.0
"""degrees off the vertical from which a camera can count how many pieces stand on one another"""


@dataclass(frozen=True, slots=True)
class DemoBoxes:
    """The boxes as the companion sees them, the function that presses their buttons, and one line about them."""

    boxes: TableBoxes
    press: PressButton
    summary: str


@dataclass(frozen=True, slots=True)
class DemoCamera:
    """The simulated table and the camera over it."""

    table: SimulatedTable
    eye: CameraClient


def open_boxes(seats: int, seed: int, stack: ExitStack) -> DemoBoxes:
    """A serial box for the first seat and wireless ones for the others, at a broker of their own.

    Raises BridgeError.
    """
    broker = start_broker(prefer="own")
    stack.callback(broker.stop)
    serial = stack.enter_context(SerialBoxSimulator(seed=seed))
    wireless = [stack.enter_context(MqttBoxSimulator(broker.address, name)) for name in WIRELESS[: seats - 1]]
    addresses = [BoxAddress.parse(f"serial:{serial.path}@1")]
    addresses += [BoxAddress.parse(f"mqtt:{box.name}@{seat}") for seat, box in enumerate(wireless, 2)]

    def press(seat: int, button: int) -> None:
        (serial if seat == 1 else wireless[seat - 2]).tap(button)

    summary = f"broker: {broker.name}; boxes: {', '.join(map(str, addresses))}"
    return DemoBoxes(TableBoxes(addresses, broker.address), press, summary)


def open_camera(board: Board, look: Mapping[str, str], seed: int) -> DemoCamera | None:
    """A camera over a table with this look; None if no profile of the board is shipped.

    Raises VisionError.
    """
    if not has_profile(board):
        return None
    beside = _beside(board, look)
    view = _view(board, beside)
    table = SimulatedTable(board, look, seed=seed, view=view, beside=beside)
    return DemoCamera(table, CameraClient(table.source(), board))


def _beside(board: Board, look: Mapping[str, str]) -> dict[str, tuple[float, float]]:
    """The positions of the sheets with pieces on them: in a row to the right of the board."""
    places, right = {}, board.size[0]
    for name, sheet in board.beside.items():
        if not look.keys().isdisjoint(sheet.spots):
            places[name] = (right + GAP, 0.0)
            right += GAP + sheet.size[0]
    return places


def _view(board: Board, beside: Mapping[str, tuple[float, float]]) -> CameraView:
    """A camera with all sheets in view; it looks from the side if it must count stacked pieces."""
    right = max((x + board.beside[name].size[0] for name, (x, _) in beside.items()), default=board.size[0])
    view = CameraView(distance=NEAR * max(right, board.size[1]), aim=((right - board.size[0]) / 2, 0.0))
    if beside:
        view = replace(view, width=1920, height=1080)
    if any(piece.stacked for piece in board.pieces.values()):
        view = replace(view, tilt=ASLANT)
    return view
