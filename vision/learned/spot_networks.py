"""The networks of a board: for each kind of piece that has one, the probabilities of the labels of its spots."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from companion.board.layout import EMPTY, Board
from vision.colour import ColourCorrection
from vision.learned.crops import CropPlan, Flags, PrintedSheet
from vision.learned.network import COVERED, Network
from vision.location.board_pose import BoardPose
from vision.pictures import Image

Shares = Mapping[str, float]
"""Label -> probability; `EMPTY` for nothing, `COVERED` for what hides the spot."""


class SpotNetworks:
    """Reads spots by themselves, each from its crop. Without networks nothing is read."""

    def __init__(self, board: Board, networks: Mapping[str, Network]) -> None:
        self._networks = dict(networks)
        self._plans = {name: CropPlan(board, board.pieces[name]) for name in networks}

    def read(
        self,
        image: Image,
        pose: BoardPose,
        colours: ColourCorrection,
        printed: PrintedSheet,
        looked: Mapping[str, Flags],
    ) -> dict[str, Shares]:
        """Spot -> label -> probability. `looked` are the spots (spots,) to look at of each kind of piece that stands on
        others; of other kinds all are.
        """
        found: dict[str, Shares] = {}
        for name, network in self._networks.items():
            plan = self._plans[name]
            which = looked.get(name, np.ones(len(plan.spots), bool))
            crops = plan.crops(image, pose, colours, printed, which)
            labels = (EMPTY, *network.labels, COVERED)
            rows = network.read(crops).tolist()
            found |= {
                spot.name: dict(zip(labels, row, strict=True)) for spot, row in zip(crops.spots, rows, strict=True)
            }
        return found
