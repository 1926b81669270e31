"""Networks beside the reader of print and form: what they see, what they compute, and how both readings become one."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board.layout import EMPTY, Board
from companion.registry import GAMES, print_and_play_board
from scripts.reader_training.examples import chosen_kinds, learnt_from, written_whole
from tests.vision.conftest import random_light, random_view
from tests.vision.profiles import rewritten
from ui.simulated_table.lying import Sloppiness
from ui.simulated_table.scene import Scene
from vision.errors import InvalidProfile
from vision.learned.agreement import agreed, both_readings
from vision.learned.crops import CHANNELS, SIDE, VIEW, CropPlan, Crops
from vision.learned.network import COVERED, Network, network_of, shapes
from vision.printed.pieces.profile import Profile, has_profile, load_profile, save_profile, shipped_profile
from vision.printed.reading import BoardReader

LABELS = ("grey", "brown", "white")


def random_network(seed: int, labels: tuple[str, ...] = LABELS) -> Network:
    dice = np.random.default_rng(seed)
    size = sum(math.prod(shape) for shape in shapes(len(labels)).values())
    return network_of(labels, (0.1 * dice.standard_normal(size)).astype("<f2").tobytes())


def random_crops(board: Board, seed: int, count: int) -> Crops:
    dice = np.random.default_rng(seed)
    spots = tuple(spot for spot in board.spots.values() if spot.piece == "aqueduct")[:count]
    pictures = dice.integers(0, 256, (count, SIDE, SIDE, CHANNELS), np.uint8)
    return Crops(spots, pictures, dice.standard_normal((count, VIEW)).astype(np.float32))


def turned_around(crops: Crops) -> Crops:
    return Crops(crops.spots, crops.pictures[:, ::-1, ::-1], crops.views * np.array([-1, -1, 1], np.float32))


def by_definition(network: Network, crops: Crops) -> np.ndarray:
    """The same network value by value, as its docstring says, of crops and of the same turned around."""
    both = np.sqrt(told_by_definition(network, crops) * told_by_definition(network, turned_around(crops)))
    return np.asarray(both / both.sum(axis=1, keepdims=True))


def told_by_definition(network: Network, crops: Crops) -> np.ndarray:
    rows = []
    for picture, view in zip(crops.pictures, crops.views, strict=True):
        values = (picture.astype(float) - 128) / 64
        for number, stride in enumerate((2, 2, 2, 1)):
            kernel = network.arrays[f"kernel{number}"].reshape(3, 3, values.shape[2], -1)
            side = values.shape[0]
            padded = np.zeros((side + 2, side + 2, values.shape[2]))
            padded[1:-1, 1:-1] = values
            after = np.zeros((side // stride, side // stride, kernel.shape[-1]))
            for row in range(side // stride):
                for column in range(side // stride):
                    seen = padded[row * stride : row * stride + 3, column * stride : column * stride + 3]
                    after[row, column] = np.tensordot(seen, kernel, 3)
            values = np.maximum(after + network.arrays[f"shift{number}"], 0)
        hidden = np.concatenate([values.ravel(), view]) @ network.arrays["hidden"] + network.arrays["hidden_shift"]
        odds = np.exp(np.maximum(hidden, 0) @ network.arrays["output"] + network.arrays["output_shift"])
        rows.append(odds / odds.sum())
    return np.array(rows)


def test_a_network_computes_what_it_says(board: Board) -> None:
    network, crops = random_network(1), random_crops(board, 1, 3)
    assert network.read(crops) == pytest.approx(by_definition(network, crops), abs=1e-4)


def test_many_spots_are_read_as_each_by_itself(board: Board) -> None:
    network, crops = random_network(2), random_crops(board, 2, 300)
    alone = Crops(crops.spots[280:281], crops.pictures[280:281], crops.views[280:281])
    assert network.read(crops)[280:281] == pytest.approx(network.read(alone), abs=1e-5)


def test_no_spots_give_no_rows(board: Board) -> None:
    assert random_network(1).read(random_crops(board, 1, 0)).shape == (0, len(LABELS) + 2)


def test_a_spot_reads_the_same_turned_around(board: Board) -> None:
    network, crops = random_network(3), random_crops(board, 3, 5)
    assert network.read(turned_around(crops)) == pytest.approx(network.read(crops), abs=1e-5)


def test_a_network_is_written_and_read_again(board: Board, profile: Profile, tmp_path: Path) -> None:
    taught = replace(profile, networks={"aqueduct": random_network(3)})
    save_profile(taught, tmp_path / "profile.zip")
    again = load_profile(tmp_path / "profile.zip", board).networks["aqueduct"]
    assert again.data == taught.networks["aqueduct"].data
    assert again.labels == board.pieces["aqueduct"].labels


@pytest.mark.parametrize(
    ("networks", "reason"),
    [
        ([{"piece": "chariot", "file": "aqueduct.network"}], "is 'chariot', which the board does not have"),
        ([{"piece": "cube", "file": "aqueduct.network"}], "is no network for the cube: it has"),
        ([{"piece": "aqueduct", "file": "sheet.png"}], "is named a second time"),
        ([{"piece": "aqueduct", "file": "nowhere"}], "nowhere: is missing"),
        ([{"piece": "aqueduct"}], "networks[1].file"),
    ],
)
def test_a_profile_with_a_damaged_network_is_refused(
    networks: list[dict[str, str]], reason: str, board: Board, profile: Profile, tmp_path: Path
) -> None:
    save_profile(replace(profile, networks={"aqueduct": random_network(3)}), tmp_path / "whole.zip")
    path = rewritten(tmp_path / "whole.zip", tmp_path / "p.zip", lambda header: header.update(networks=networks))
    with pytest.raises(InvalidProfile) as refusal:
        load_profile(path, board)
    assert reason in str(refusal.value)


def test_numbers_that_are_none_are_refused() -> None:
    size = sum(math.prod(shape) for shape in shapes(3).values())
    with pytest.raises(ValueError, match="no numbers"):
        network_of(LABELS, np.full(size, np.nan, "<f2").tobytes())


def test_the_shipped_networks_are_small_and_read_kinds_of_their_board() -> None:
    sheets = [sheet for game in GAMES for sheet in print_and_play_board(game).sheets if has_profile(sheet)]
    networks = [
        (sheet.pieces[kind], network)
        for sheet in sheets
        for kind, network in load_profile(shipped_profile(sheet), sheet).networks.items()
    ]
    assert networks
    assert sum(len(network.data) for _, network in networks) < 5_000_000
    assert all(network.labels == piece.labels for piece, network in networks)


@pytest.mark.parametrize("game", ["city_of_marble", "aqua_romana"])
def test_a_bare_sheet_leaves_no_doubt(game: str) -> None:
    """Networks must have seen every place bare: few games leave some so."""
    sheet = print_and_play_board(game)
    scene = Scene(sheet, random_view(1203, width=1920), random_light(1203), Sloppiness(seed=1203))
    reading = BoardReader(sheet, load_profile(shipped_profile(sheet), sheet)).read(
        scene.frame({}), scene.view.pose(sheet)
    )
    assert not reading.covered
    assert [spot for spot, shares in reading.posteriors.items() if shares[EMPTY] < 0.9] == []


@pytest.mark.parametrize("exchanged", [False, True])
def test_networks_tell_no_labels_of_kinds_that_show_the_second_edition(
    exchanged: bool, board: Board, profile: Profile
) -> None:
    """They learnt from the first. With the editions exchanged the simulated table shows the second."""
    if exchanged:
        before = {key: profile.faces[key] for key in profile.second}
        profile = replace(profile, faces={**profile.faces, **profile.second}, second=before)
    spots = {kind: [spot for spot in board.spots.values() if spot.piece == kind] for kind in ("ward", "aqueduct")}
    laid = spots["ward"][100]
    beside = [spot for spot in spots["aqueduct"] if math.dist(spot.centre, laid.centre) < 20 and spot.site != laid.site]
    look = {laid.name: "red"} | {spot.name: "brown" for spot in beside}
    assert len(beside) == 4
    white = {EMPTY: 0.01, "grey": 0.01, "brown": 0.01, "white": 0.96, COVERED: 0.01}

    class Network:
        def read(self, image, pose, colours, printed, looked):
            return {spot.name: white for spot in beside}

    scene = Scene(board, random_view(1205, width=1280), random_light(1205), Sloppiness(seed=1205))
    reading = BoardReader(board, profile, Network()).read(scene.frame(look), scene.view.pose(board))
    told = [reading.posteriors[spot.name] for spot in beside]
    assert all((shares["brown"] > 0.9) == exchanged for shares in told)
    assert all((shares["white"] > 0.4) != exchanged for shares in told)


def test_where_a_network_sees_nothing_a_figure_is_not_surely_there() -> None:
    covered = {"b", "c"}
    found = {spot: {EMPTY: 0.01, "red": 0.98, "blue": 0.01} for spot in "abc"}
    nothing = {EMPTY: 0.98, "red": 0.005, "blue": 0.005, COVERED: 0.01}
    hidden = {EMPTY: 0.01, "red": 0.0, "blue": 0.98, COVERED: 0.01}
    told = both_readings({"a": nothing, "b": nothing, "c": hidden}, found, covered, unlike="abc")
    assert 0.4 < told["a"][EMPTY] < 0.6
    assert told["b"][EMPTY] > 0.9
    assert covered == {"c"}
    assert both_readings({"a": hidden}, found, covered, unlike="a")["a"]["red"] > 0.9


def test_a_crop_shows_its_piece_in_the_middle_of_what_is_printed(board: Board, profile: Profile) -> None:
    spot = next(spot for spot in board.spots.values() if spot.piece == "bridge")
    scene = Scene(board, random_view(1201, width=1920), random_light(1201), Sloppiness(seed=1201))
    plan = CropPlan(board, board.pieces["bridge"])
    seen: list[Crops] = []

    class Watcher:
        def read(self, image, pose, colours, printed, looked):
            seen.append(plan.crops(image, pose, colours, printed, np.array([each == spot for each in plan.spots])))
            return {}

    for look in ({}, {spot.name: "bridge"}):
        reader = BoardReader(board, profile, Watcher())
        reader.read(scene.frame(look), scene.view.pose(board))
    bare, taken = (crops.pictures[0].astype(int) for crops in seen)
    middle = np.s_[SIDE // 2 - 3 : SIDE // 2 + 3, SIDE // 2 - 3 : SIDE // 2 + 3]
    assert np.abs(bare[..., 3:6] - bare[..., 6:]).mean() < 6
    assert np.abs(taken[middle][..., 3:6] - taken[middle][..., 6:]).mean() > 12
    assert (taken[..., 6:] == bare[..., 6:]).all()


shares = st.lists(st.floats(0.01, 1.0), min_size=5, max_size=5).map(
    lambda values: dict(zip((EMPTY, *LABELS, COVERED), (value / sum(values) for value in values), strict=True))
)


@given(shares, shares)
def test_two_readings_make_one_that_is_sure_only_where_both_are(found, learned) -> None:
    found = {label: share / (1 - found[COVERED]) for label, share in found.items() if label != COVERED}
    joint = agreed(found, learned)
    seen = {label: share / (1 - learned[COVERED]) for label, share in learned.items() if label != COVERED}
    assert sum(joint.values()) == pytest.approx(1)
    best = max(joint, key=joint.__getitem__)
    if max(found, key=found.__getitem__) != max(seen, key=seen.__getitem__):
        assert joint[best] < 0.9
        assert min(found[best], seen[best]) <= joint[best] <= max(found[best], seen[best])
    else:
        assert best == max(found, key=found.__getitem__)


def test_a_network_that_contradicts_is_believed_where_it_is_sure_and_a_guess_is_not() -> None:
    found = {EMPTY: 0.995, "white": 0.005}
    sure = agreed(found, {EMPTY: 0.03, "white": 0.96, COVERED: 0.01})
    guess = agreed(found, {EMPTY: 0.42, "white": 0.56, COVERED: 0.02})
    assert 0.7 < sure["white"] < 0.9
    assert guess[EMPTY] > 0.6


def test_nothing_is_surely_there_only_where_the_network_is_sure_of_it_or_lines_tell() -> None:
    found = {spot: {EMPTY: 0.9999, "white": 0.00005, "grey": 0.00005} for spot in "abcd"}
    learned = {spot: {EMPTY: 0.84, "white": 0.15, "grey": 0.0, COVERED: 0.01} for spot in "ac"}
    learned["b"] = {EMPTY: 0.9, "white": 0.09, "grey": 0.0, COVERED: 0.01}
    learned["d"] = {EMPTY: 0.45, "white": 0.2, "grey": 0.35, COVERED: 0.0}
    told = both_readings(learned, found, set(), in_lines="cd")
    assert max(told["a"][EMPTY], told["d"][EMPTY]) < 0.9
    assert min(told["b"][EMPTY], told["c"][EMPTY]) > 0.95


def test_a_spot_that_a_network_surely_calls_covered_is_covered_whatever_the_other_reader_finds() -> None:
    covered: set[str] = set()
    learned = {
        "a": {EMPTY: 0.02, "red": 0.02, COVERED: 0.96},
        "b": {EMPTY: 0.05, "red": 0.10, COVERED: 0.85},
    }
    told = both_readings(learned, {spot: {EMPTY: 0.01, "red": 0.99} for spot in learned}, covered)
    assert covered == {"a"}
    assert set(told) == {"b"}


def test_a_covered_spot_is_told_only_by_a_network_that_is_sure() -> None:
    covered = {"a", "b", "c"}
    learned = {
        "a": {EMPTY: 0.98, "red": 0.01, COVERED: 0.01},
        "b": {EMPTY: 0.9, "red": 0.09, COVERED: 0.01},
        "c": {EMPTY: 0.01, "red": 0.01, COVERED: 0.98},
    }
    told = both_readings(learned, {}, covered)
    assert covered == {"b", "c"}
    assert set(told) == {"a"}
    assert COVERED not in told["a"]


def test_a_covered_piece_is_likely_where_its_network_is_sure_and_sure_where_it_is_surer() -> None:
    covered = {"a", "b"}
    learned = {
        "a": {EMPTY: 0.005, "red": 0.995, "blue": 0.0, COVERED: 0.0},
        "b": {EMPTY: 0.01, "red": 0.97, "blue": 0.0, COVERED: 0.02},
    }
    told = both_readings(learned, {}, covered)
    assert not covered
    assert told["a"]["red"] > 0.99
    assert 0.8 < told["b"]["red"] < 0.9
    assert all(sum(shares.values()) == pytest.approx(1.0) for shares in told.values())
    assert min(told["b"].values()) > 0.0


@pytest.mark.parametrize("game", ["city_of_marble", "aqua_romana"])
def test_the_kinds_that_are_trained_are_those_that_are_shipped(game: str) -> None:
    sheet = print_and_play_board(game)
    assert set(chosen_kinds(sheet)) == set(load_profile(shipped_profile(sheet), sheet).networks)


def test_a_held_scene_is_not_learnt_from_in_any_of_its_pictures(tmp_path: Path) -> None:
    for picture, scene in (("a", "a"), ("a_s", "a"), ("b", "b"), ("b_s", "b"), ("c", "c")):
        with written_whole(tmp_path / f"{picture}.npz") as file:
            np.savez(file, scene=np.array(scene))
    kept = learnt_from(sorted(tmp_path.glob("*.npz")), frozenset({"a_s", "b"}))
    assert [file.name for file in kept] == ["c.npz"]


def test_an_interrupted_archive_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), written_whole(tmp_path / "a.npz"):
        raise KeyboardInterrupt
    assert not (tmp_path / "a.npz").exists()


def test_a_network_that_sees_nothing_outvotes_no_face_that_explains_what_lies_there():
    found, learned = {EMPTY: 0.02, "red": 0.98}, {EMPTY: 0.97, "red": 0.03, COVERED: 0.0}
    joint = agreed(found, learned)
    assert max(joint, key=joint.__getitem__) == "red"
    assert joint["red"] < 0.9
    seen = agreed({EMPTY: 0.98, "red": 0.02}, {EMPTY: 0.03, "red": 0.97, COVERED: 0.0})
    assert max(seen, key=seen.__getitem__) == "red"
