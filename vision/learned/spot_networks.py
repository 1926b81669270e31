"""The networks of a board: for each kind of piece that has one, the probabilities of the labels of its spots."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from companion.board.layout import EMPTY, Board
from vision.colour.correction import ColourCorrection
from vision.learned.crops import CropPlan, Crops, Flags, PrintedSheet
from vision.learned.network import COVERED, Network, Shares
from vision.location.board_pose import BoardPose
from vision.pictures import Image


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
        for name, plan in self._plans.items():
            which = self._chosen(plan, looked.get(name, np.ones(len(plan.spots), bool)))
            found |= self._told(name, plan.crops(image, pose, colours, printed, which))
        return found

    def _chosen(self, plan: CropPlan, looked: Flags) -> Flags:
        """Which spots (spots,) of a plan are cut out, where `looked` are those to look at."""
        return looked

    def _told(self, name: str, crops: Crops) -> dict[str, Shares]:
        """Spot -> label -> probability, from the crops of one kind of piece."""
        network = self._networks[name]
        labels = (EMPTY, *network.labels, COVERED)
        rows = network.read(crops).tolist()
        return {spot.name: dict(zip(labels, row, strict=True)) for spot, row in zip(crops.spots, rows, strict=True)}
