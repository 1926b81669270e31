"""`python -m scripts.reader_training GAME`: draws pictures, cuts crops out of them, trains the networks of the game's
board and puts them into its shipped profile. Each step goes on where an earlier run ended: a picture, the crops of a
picture or a trained network that is there already is not made again.

Needs the extra `training`. With `--pictures FOLDER` pictures of another renderer with truth are learnt from, too:
`NAME.jpg`, `NAME.json` with `sheet` and `look`, perhaps `visible_px` (how many pixels of each taken spot's piece are
seen), `NAME_ids.png` (the number of the object that each pixel shows) where hands lie on it. Scenes in the file
`--held` are not learnt from, in none of their pictures; a picture's name holds back its scene. The kinds in
`chosen.toml` are trained unless others are named; `--further` goes on from the networks that are shipped.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from companion.board.layout import Board
from companion.registry import print_and_play_board
from scripts.reader_training.examples import chosen_kinds, learnt_from, write_examples, written_whole
from scripts.reader_training.simulated_pictures import simulate_pictures
from scripts.reader_training.traced_pictures import draw_pictures
from scripts.reader_training.training import examples_of, train
from vision.learned.network import Network, network_of
from vision.printed.pieces.profile import load_profile, save_profile, shipped_profile

FIRST_SEED = 1000
"""of drawn pictures; those of benchmarks are above 800,000"""


def main() -> None:
    """Run all steps."""
    parser = argparse.ArgumentParser(prog="python -m scripts.reader_training", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--traced", type=int, default=300, help="pictures by the ray tracer")
    parser.add_argument("--simulated", type=int, default=40, help="pictures of the simulated table")
    parser.add_argument("--pictures", type=Path, help="a folder of further pictures with truth")
    parser.add_argument("--held", type=Path, help="a file of names of scenes that are not learnt from")
    parser.add_argument("--steps", type=int, default=3000, help="batches for each kind of piece")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--further", action="store_true", help="train the shipped networks further")
    parser.add_argument("--kinds", nargs="+", help="the kinds of pieces to train")
    parser.add_argument("--folder", type=Path, default=Path("build/reader_training"))
    chosen = parser.parse_args()
    board = print_and_play_board(chosen.game)
    pictures, crops = chosen.folder / "pictures", chosen.folder / "crops" / chosen.game
    draw_pictures(chosen.game, range(FIRST_SEED, FIRST_SEED + chosen.traced), pictures / "traced")
    simulate_pictures(chosen.game, board, range(FIRST_SEED, FIRST_SEED + chosen.simulated), pictures / "simulated")
    folders = [pictures / "traced", pictures / "simulated", *([chosen.pictures] if chosen.pictures else [])]
    for folder in folders:
        write_examples(board, list(pictures_of(board, folder)), crops / folder.name)
    held = frozenset(chosen.held.read_text().split()) if chosen.held else frozenset()
    files = learnt_from(sorted(crops.glob("*/*.npz")), held)
    networks = chosen.folder / "networks" / chosen.game
    shipped = load_profile(shipped_profile(board), board).networks
    train_kinds(
        board, files, networks, chosen.kinds or chosen_kinds(board), chosen.steps, chosen.seed,
        shipped if chosen.further else {},
    )  # fmt: skip


def pictures_of(board: Board, folder: Path) -> Iterable[Path]:
    """The pictures of a board in a folder, by their truths."""
    for truth in sorted(folder.glob("*.json")):
        picture = truth.with_suffix(".jpg")
        if picture.exists() and json.loads(truth.read_text()).get("sheet") in (board.id, board.game):
            yield picture


def train_kinds(
    board: Board,
    archives: Collection[Path],
    folder: Path,
    kinds: Iterable[str],
    steps: int,
    seed: int,
    before: Mapping[str, Network],
) -> None:
    """Train the networks of some kinds of pieces from archives of crops, keep each in `folder`, and put all of them
    into the board's shipped profile. Those in `before` are trained further, others from nothing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    trained: dict[str, Network] = {}
    for kind in kinds:
        labels = board.pieces[kind].labels
        file = folder / f"{kind}-{len(archives)}-{steps}-{seed}{'-further' if kind in before else ''}.network"
        if file.exists():
            trained[kind] = network_of(labels, file.read_bytes())
            continue
        examples = examples_of(kind, archives)
        counts = np.bincount(examples.labels, minlength=len(labels) + 2)
        print(f"{kind}, seed {seed}: {counts[0]} empty spots, {dict(zip(labels, counts[1:].tolist(), strict=False))}, "
              f"{counts[-1]} covered", flush=True)  # fmt: skip
        arrays = before[kind].arrays if kind in before else None
        trained[kind] = Network(labels, train(examples, len(labels), steps, seed, arrays))
        with written_whole(file) as part:
            part.write(trained[kind].data)
    path = shipped_profile(board)
    profile = load_profile(path, board)
    save_profile(replace(profile, networks={**profile.networks, **trained}), path)


if __name__ == "__main__":
    main()
