"""A small convolutional network: from crops of spots to the probabilities of their labels.

Four layers of 3 x 3 convolutions (the first three halve the picture), a layer of all values that also takes how the
camera sees the spot, and one value a label. Trained by `scripts/reader_training`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.learned.crops import CHANNELS, SIDE, VIEW, Bytes, Crops, Floats

Doubles = npt.NDArray[np.float64]

WIDTHS = (24, 32, 48, 48)
"""Values a pixel after each convolution."""
STRIDES = (2, 2, 2, 1)
HIDDEN = 64
STORED = np.dtype("<f2")
"""How the arrays are written in a file."""
COVERED = "covered"
"""The last output: something that is no piece hides the spot."""
Shares = Mapping[str, float]
"""Label -> probability of one spot; `EMPTY` for nothing, of a network `COVERED` for what hides the spot."""
_TURNED_AROUND = np.array([-1.0, -1.0, 1.0], np.float32)
"""How a view changes when its crop is turned by half a turn."""
_BATCH = 32
"""So many crops are computed at a time: what is being computed stays in the processor's caches."""


def shapes(labels: int) -> dict[str, tuple[int, ...]]:
    """The arrays of a network that tells `labels` labels, nothing and *covered* apart."""
    result: dict[str, tuple[int, ...]] = {}
    before = CHANNELS
    for number, width in enumerate(WIDTHS):
        result[f"kernel{number}"], result[f"shift{number}"] = (9 * before, width), (width,)
        before = width
    side = SIDE // int(np.prod(STRIDES))
    result["hidden"], result["hidden_shift"] = (side * side * before + VIEW, HIDDEN), (HIDDEN,)
    result["output"], result["output_shift"] = (HIDDEN, labels + 2), (labels + 2,)
    return result


def network_of(labels: tuple[str, ...], data: bytes) -> Network:
    """The network whose arrays are written one after another in `data`, as `Network.data` gives them.

    Raises ValueError.
    """
    parts = shapes(len(labels))
    sizes = [math.prod(shape) for shape in parts.values()]
    if len(data) != STORED.itemsize * sum(sizes):
        raise ValueError(f"has {len(data)} bytes where {STORED.itemsize * sum(sizes)} are needed")
    values = np.frombuffer(data, STORED).astype(np.float32)
    if not np.isfinite(values).all():
        raise ValueError("holds values that are no numbers")
    arrays = np.split(values, np.cumsum(sizes)[:-1])
    return Network(
        labels, {name: array.reshape(shape) for (name, shape), array in zip(parts.items(), arrays, strict=True)}
    )


@dataclass(frozen=True, slots=True)
class Network:
    """The trained arrays of one kind of piece, named and shaped as `shapes` says; `labels` in the order of outputs
    after nothing and before *covered*.
    """

    labels: tuple[str, ...]
    arrays: Mapping[str, Floats]

    @property
    def data(self) -> bytes:
        """The arrays one after another, as numbers of 16 bits."""
        arrays = (self.arrays[name] for name in shapes(len(self.labels)))
        return b"".join(np.ascontiguousarray(array, STORED).tobytes() for array in arrays)

    def read(self, crops: Crops) -> Doubles:
        """The probabilities (spots, 1 + labels + 1) of nothing, each label, and *covered*.

        They are the geometric mean of those of the crops and of the same turned around, for which it is trained, too.
        """
        parts = []
        for start in range(0, len(crops.spots), _BATCH):
            pictures, views = crops.pictures[start : start + _BATCH], crops.views[start : start + _BATCH]
            around = self._log_odds(pictures[:, ::-1, ::-1], views * _TURNED_AROUND)
            parts.append((self._log_odds(pictures, views) + around) / 2)
        log_odds = np.concatenate([np.zeros((0, len(self.labels) + 2), np.float32), *parts]).astype(np.float64)
        shares = np.exp(log_odds - log_odds.max(axis=1, keepdims=True, initial=-np.inf))
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def _log_odds(self, pictures: Bytes, views: Floats) -> Floats:
        values = normalised(pictures)
        for number, stride in enumerate(STRIDES):
            values = _convolved(values, self.arrays[f"kernel{number}"], self.arrays[f"shift{number}"], stride)
        flat = np.concatenate([values.reshape(len(values), -1), views], axis=1)
        hidden = np.maximum(flat @ self.arrays["hidden"] + self.arrays["hidden_shift"], 0)
        return np.asarray(hidden @ self.arrays["output"] + self.arrays["output_shift"], np.float32)


def normalised(pictures: Bytes) -> Floats:
    """Crops as numbers of the size of 1."""
    return (pictures.astype(np.float32) - np.float32(128)) * np.float32(1 / 64)


def _convolved(values: Floats, kernel: Floats, shift: Floats, stride: int) -> Floats:
    """A 3 x 3 convolution of (spots, rows, columns, values), a border of zeros around, and what is below 0 cut off."""
    count, rows, columns, channels = values.shape
    padded = np.zeros((count, rows + 2, columns + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = values
    crop, row, column, value = padded.strides
    around = np.lib.stride_tricks.as_strided(
        padded, (count, rows // stride, columns // stride, 3, 3 * channels),
        (crop, row * stride, column * stride, row, value), writeable=False,
    )  # fmt: skip
    result = around.reshape(-1, 9 * channels) @ kernel
    result += shift
    np.maximum(result, 0, out=result)
    return np.asarray(result.reshape(count, rows // stride, columns // stride, -1), np.float32)
