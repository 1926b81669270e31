"""Trains the network of one kind of piece with JAX (the extra `training`), on one or two cores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
import optax

from scripts.reader_training.examples import UNKNOWN
from vision.learned.network import STRIDES, shapes

Arrays = dict[str, jax.Array]

BATCH = 256
RATE, WEIGHT_DECAY = 2e-3, 1e-4
RATE_FURTHER = 1e-3
"""of a network that was trained before"""
SMOOTHING = 0.01
"""Share of certainty spread over all labels, so that confidence stays within what examples can show."""
TAKEN, EMPTY_SPOTS, HIDDEN_SPOTS = 0.42, 0.42, 0.16
"""What share of a batch are taken spots, empty ones, and ones that something is laid over."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Crops (n, side, side, channels), views (n, numbers) and labels (n,) of one kind of piece."""

    pictures: npt.NDArray[np.uint8]
    views: npt.NDArray[np.float32]
    labels: npt.NDArray[np.int8]


def examples_of(kind: str, files: Iterable[Path]) -> Examples:
    """The examples of one kind of piece whose label is known, from archives that `write_examples` made."""
    parts = []
    for file in files:
        with np.load(file) as archive:
            if f"{kind}/labels" not in archive:
                continue
            known = archive[f"{kind}/labels"] != UNKNOWN
            parts.append([archive[f"{kind}/{part}"][known] for part in ("pictures", "views", "labels")])
    return Examples(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def train(
    examples: Examples, labels: int, steps: int, seed: int, before: Mapping[str, npt.NDArray[np.float32]] | None = None
) -> dict[str, npt.NDArray[np.float32]]:
    """The trained arrays of a network that tells `labels` labels apart, those of `before` trained further."""
    dice = np.random.default_rng(seed)
    first = _first(labels, dice) if before is None else before
    weights = {name: jnp.asarray(value) for name, value in first.items()}
    schedule = optax.cosine_decay_schedule(RATE if before is None else RATE_FURTHER, steps)
    optimiser = optax.adamw(schedule, weight_decay=WEIGHT_DECAY)
    state = optimiser.init(weights)
    mean = weights

    @jax.jit
    def step(weights: Arrays, state: Any, mean: Arrays, batch: tuple[Any, ...], key: jax.Array) -> tuple[Any, ...]:
        loss, slope = jax.value_and_grad(_loss)(weights, *batch, key, labels)
        change, state = optimiser.update(slope, state, weights)
        weights = optax.apply_updates(weights, change)
        mean = jax.tree.map(lambda a, b: 0.995 * a + 0.005 * b, mean, weights)
        return weights, state, mean, loss

    key, total = jax.random.key(seed, impl="unsafe_rbg"), 0.0
    for number, batch in enumerate(_batches(examples, labels, steps, dice)):
        key, own = jax.random.split(key)
        weights, state, mean, loss = step(weights, state, mean, batch, own)
        total += float(loss)
        if (number + 1) % 250 == 0:
            print(f"step {number + 1} of {steps}: loss {total / 250:.4f}", flush=True)
            total = 0.0
    return {name: np.asarray(value) for name, value in mean.items()}


def _first(labels: int, dice: np.random.Generator) -> dict[str, npt.NDArray[np.float32]]:
    result = {}
    for name, shape in shapes(labels).items():
        spread = np.sqrt(2 / shape[0]) if len(shape) == 2 else 0.0
        result[name] = (spread * dice.standard_normal(shape)).astype(np.float32)
    return result


def _batches(examples: Examples, labels: int, steps: int, dice: np.random.Generator) -> Iterator[tuple[Any, ...]]:
    """Crops, views, labels, and 1 for those that something shall be laid over; every label of taken spots as often."""
    found = [np.flatnonzero(examples.labels == label) for label in range(labels + 2)]
    taken = [rows for rows in found[1:-1] if rows.size]
    for _ in range(steps):
        parts = [dice.choice(found[0], round(BATCH * EMPTY_SPOTS))]
        parts += [dice.choice(rows, round(BATCH * TAKEN / len(taken))) for rows in taken]
        rows = np.concatenate(parts)
        truly = (BATCH - len(rows)) // 2 if found[-1].size else 0
        over = dice.choice(rows, BATCH - len(rows) - truly)
        hide = np.concatenate([np.zeros(len(rows)), np.ones(len(over)), np.zeros(truly)]).astype(np.float32)
        rows = np.concatenate([rows, over, dice.choice(found[-1], truly) if truly else found[-1]])
        pictures, views = _moved(examples.pictures[rows], examples.views[rows], dice)
        yield pictures, views, examples.labels[rows].astype(np.int32), hide


def _loss(
    weights: Arrays,
    pictures: jax.Array,
    views: jax.Array,
    labels: jax.Array,
    hide: jax.Array,
    key: jax.Array,
    count: int,
) -> jax.Array:
    values, share = _disturbed((pictures.astype(jnp.float32) - 128) / 64, hide, key)
    covered = count + 1
    labels = jnp.where(share > 0.6, covered, labels)
    counts = jnp.where((share > 0.2) & (share <= 0.6), 0.0, 1.0)
    log_shares = jax.nn.log_softmax(log_odds(weights, values, views))
    aim = jax.nn.one_hot(labels, count + 2) * (1 - SMOOTHING) + SMOOTHING / (count + 2)
    return -(aim * log_shares).sum(-1).dot(counts) / counts.sum()


def log_odds(weights: Arrays, values: jax.Array, views: jax.Array) -> jax.Array:
    """What `vision.learned.network` computes, of normalised crops."""
    for number, stride in enumerate(STRIDES):
        kernel = weights[f"kernel{number}"]
        kernel = kernel.reshape(3, 3, kernel.shape[0] // 9, kernel.shape[1])
        values = jax.lax.conv_general_dilated(
            values, kernel, (stride, stride), ((1, 1), (1, 1)), dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        values = jax.nn.relu(values + weights[f"shift{number}"])
    flat = jnp.concatenate([values.reshape(len(values), -1), views], axis=1)
    hidden = jax.nn.relu(flat @ weights["hidden"] + weights["hidden_shift"])
    return hidden @ weights["output"] + weights["output_shift"]


def _disturbed(values: jax.Array, hide: jax.Array, key: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Crops under other light, other paint and noise, some of them with something laid over; and which share of the
    middle that hides.
    """
    count, side = values.shape[0], values.shape[1]
    keys = iter(jax.random.split(key, 40))

    def normal(*shape: int) -> jax.Array:
        return jax.random.normal(next(keys), shape)

    def even(*shape: int) -> jax.Array:
        return jax.random.uniform(next(keys), shape)

    seen, printed = values[..., :6], values[..., 6:]
    zero = jnp.array([-2.0, 0.0, 0.0] * 2)  # black: L is stored as (2.55 L - 128) / 64, a and b around 0
    light = 1 + 0.12 * normal(count, 1) * (even(count, 1) < 0.7)
    saturation = 1 + 0.15 * normal(count, 1)
    factor = jnp.concatenate([light, saturation, saturation] * 2, axis=1)[:, None, None]
    off = jnp.tile(normal(count, 3) * jnp.array([0.1, 0.06, 0.06]), 2)[:, None, None]
    axis = (jnp.arange(side) + 0.5) / side * 2 - 1
    angle = even(count, 1, 1) * 2 * jnp.pi
    slope = jnp.cos(angle) * axis[None, :, None] + jnp.sin(angle) * axis[None, None, :]
    sharp = (slope - 0.8 * normal(count, 1, 1)) * jnp.exp(2.5 * even(count, 1, 1))
    edge = jnp.clip(0.5 + sharp, 0, 1)
    dim = 1 - edge * 0.65 * even(count, 1, 1) * (even(count, 1, 1) < 0.4)
    noise = 0.10 * even(count, 1, 1, 1) * (even(count, 1, 1, 1) < 0.6)
    # Even noise is as good as normal, and its numbers are drawn faster.
    grain = 3.4 * (even(count, side, side, 6) - 0.5)
    seen = (seen - zero) * (factor * dim[..., None]) + (zero + off) + noise * grain
    # Light thrown back: what stands among coloured print takes on a part of its colour.
    thrown = 0.4 * even(count, 1, 1, 1) * (even(count, 1, 1, 1) < 0.4)
    around = printed[:, side // 4 : -side // 4, side // 4 : -side // 4].mean((1, 2))
    seen += thrown * (jnp.tile(around, 2)[:, None, None] - seen)
    # Something laid over: what lies beyond a line, of one colour with a tone that changes.
    way = even(count, 1, 1) * 2 * jnp.pi
    reach = jnp.cos(way) * axis[None, :, None] + jnp.sin(way) * axis[None, None, :]
    over = (reach > (even(count, 1, 1) * 2.2 - 1.2)) & (hide[:, None, None] > 0)
    skin = jnp.array([0.3, 0.25, 0.30]) + normal(count, 3) * jnp.array([0.5, 0.12, 0.15])
    cloth = normal(count, 3) * jnp.array([0.8, 0.4, 0.4])
    colour = jnp.tile(jnp.where(even(count, 1) < 0.6, skin, cloth), 2)[:, None, None]
    tone = 1 + 0.3 * slope * even(count, 1, 1)
    seen = jnp.where(over[..., None], colour * tone[..., None] + 0.06 * grain, seen)
    middle = over[:, side // 4 : -side // 4, side // 4 : -side // 4].mean((1, 2))
    return jnp.clip(jnp.concatenate([seen, printed], axis=-1), -2, 2), middle


def _moved(
    pictures: npt.NDArray[np.uint8], views: npt.NDArray[np.float32], dice: np.random.Generator
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Half of the crops turned by half a turn, and what is seen shifted against what is printed by a pixel or so: poses
    are a little off.
    """
    pictures, views = pictures.copy(), views.copy()
    half = dice.random(len(pictures)) < 0.5
    pictures[half], views[half, :2] = pictures[half, ::-1, ::-1], -views[half, :2]
    for part in np.array_split(dice.permutation(len(pictures)), 8):
        shift = dice.normal(0, 0.7, 2).round().astype(int)
        pictures[part, ..., :6] = np.roll(pictures[part, ..., :6], shift, (1, 2))
    return pictures, views
