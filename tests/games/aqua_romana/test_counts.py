"""Numbers of Aqua Romana that can be derived on paper."""

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest

from companion.engine import apply_unchecked, legal_actions, legal_of_kind, perft
from companion.files.documents import DocumentTable
from companion.games.aqua_romana.actions import Build, Fountain, Move
from companion.games.aqua_romana.drawings import DRAWINGS_OF, JOINS
from companion.games.aqua_romana.events import AqueductGrown
from companion.games.aqua_romana.game import GAME
from companion.games.aqua_romana.state import State, podium_for
from companion.position import read_position
from companion.registry import print_and_play_board

BOARD = print_and_play_board("aqua_romana")
ROOM = {podium: 2 if podium in (3, 7) else 1 for podium in range(1, 21)}


def position(**entries: object) -> State:
    return read_position(DocumentTable({"game": "aqua_romana", **entries}, "position", "")).state


@pytest.mark.parametrize(("players", "free"), [(2, 76), (3, 78), (4, 76)])
def test_squares_workers_and_path(players: int, free: int) -> None:
    """88 squares less 4 printed curves and two for each reservoir; twelve workers with any number of players."""
    state = position(players=players)
    assert len(state.board.squares) == 8 * 11 - 4 - 2 * (3 if players == 3 else 4) == free
    assert len(state.aqueducts) == 12
    assert Counter(aqueduct.seat for aqueduct in state.aqueducts.values()) == dict.fromkeys(
        range(1, players + 1), 12 // players
    )
    assert list(state.board.spaces) == list(range(1, 2 * (8 + 11) + 1))
    assert sum(state.stock.values()) == 84
    assert sum(state.unplaced.values()) + len(state.reserve) == 17


def test_there_are_always_four_lines_of_sight() -> None:
    """A space above or below a column is seen from its eight squares, one beside a row from its eleven."""
    sight = position().board.sight
    assert len(sight) == 88
    assert all(len(set(spaces)) == 4 for spaces in sight.values())
    seen = Counter(space for spaces in sight.values() for space in spaces)
    long_sides = [*range(1, 12), *range(20, 31)]
    assert seen == {space: 8 if space in long_sides else 11 for space in range(1, 39)}


def test_fountains_stand_where_the_sides_of_the_path_meet() -> None:
    assert position().board.corners == {11, 11 + 8, 11 + 8 + 11, 11 + 8 + 11 + 8}


def test_drawings() -> None:
    """Of four rotations a curve has four looks, a straight and a double curve two, a bridge one."""
    assert {kind: len(drawings) for kind, drawings in DRAWINGS_OF.items()} == {
        "curve": 4, "straight": 2, "bridge": 1, "double curve": 2,
    }  # fmt: skip
    for joins in JOINS.values():
        assert all(joins[joins[side]] == side != joins[side] for side in joins)


@pytest.mark.parametrize(
    ("kind", "ways"), [("curve", 2), ("straight", 1), ("bridge", 1), ("double curve", 2), ("joker", 6)]
)
def test_a_worker_can_lay_a_kind_in_as_many_ways(kind: str, ways: int) -> None:
    """Only the worker at D1/S looks along column D."""
    state = position(players=4, builders={"4": kind})
    assert len(legal_of_kind(GAME, state, Build)) == ways


def test_the_first_builders() -> None:
    """Four kinds on 38 spaces, then on 37: no kind is used up by one."""
    assert [perft(GAME, position(), depth) for depth in (1, 2)] == [4 * 38, 4 * 38 * 4 * 37]


def test_a_kind_is_used_up_by_the_third() -> None:
    state = position()
    for text in ("place curve 1", "place curve 2", "place curve 3"):
        state = apply_unchecked(GAME, state, GAME.parse_action(text, state)).state
    assert len(legal_actions(GAME, state)) == 3 * 35


def test_turns_without_a_tile() -> None:
    """One builder in nobody's sight.

    It is moved (1). Red ends the turn or closes one of six outlets (7). After the end blue moves it, after a closing
    red takes one of five reserve builders (1 + 6 x 5). Then blue has as many choices as red had, or moves it (7 + 30).
    """
    state = position(players=2, builders={"20": "curve"})
    assert [perft(GAME, state, depth) for depth in (1, 2, 3, 4)] == [1, 7, 31, 37]


def test_any_of_the_builders_may_move_where_none_is_seen() -> None:
    state = position(players=4, builders={str(space): "straight" for space in (20, 21, 22, 24)})
    assert len(legal_of_kind(GAME, state, Move)) == 4


@pytest.mark.parametrize(("kind", "looks"), [("curve", 4), ("straight", 2), ("bridge", 1), ("double curve", 2)])
@pytest.mark.parametrize(("players", "free"), [(2, 76), (3, 78), (4, 76)])
def test_fountain_tiles_at_the_start(kind: str, looks: int, players: int, free: int) -> None:
    """Every look on every free square but those ahead of the twelve outlets, which are twelve different ones."""
    state = position(players=players, step="fountain", fountain=kind)
    assert len(legal_of_kind(GAME, state, Fountain)) == looks * (free - 12)


def test_a_tile_counts_once_for_each_channel_that_is_run_through() -> None:
    """C2, C3, C4, D4, D3 and C3 once more."""
    tiles = ["C3 bridge 0", "C4 curve 0", "D4 curve 270", "D3 curve 180"]
    state = position(players=4, builders={"3": "straight"}, tiles=tiles, aqueducts={"D1/S": "closed"})
    step = apply_unchecked(GAME, state, GAME.parse_action("build C2 straight 0 by 3", state))
    assert AqueductGrown("C1/S", "C3/W", 6) in step.events


def parked(lengths: tuple[int, ...], standing: dict[int, tuple[str, ...]]) -> dict[int, int]:
    standing = dict(standing)
    for length in lengths:
        podium = podium_for(standing, length)
        standing[podium] = (*standing.get(podium, ()), "red")
    return {podium: len(there) for podium, there in standing.items()}


def test_the_order_of_one_players_workers_does_not_matter() -> None:
    """Every order of up to four lengths fills the same podiums, whoever stands there already."""
    random = Random(7)
    for _ in range(60):
        taken = random.sample(list(ROOM), random.randint(0, 20))
        standing = {podium: ("blue",) * random.randint(1, ROOM[podium]) for podium in taken}
        lengths = tuple(random.randint(0, 24) for _ in range(4))
        assert len({tuple(sorted(parked(order, standing).items())) for order in permutations(lengths)}) == 1


def test_small_sets_of_lengths_in_every_order() -> None:
    for lengths in product(range(1, 9), repeat=3):
        assert len({tuple(sorted(parked(order, {}).items())) for order in permutations(lengths)}) == 1


def test_twenty_two_workers_fill_all_podiums() -> None:
    assert parked((20,) * 23, {}) == ROOM | {0: 1}
