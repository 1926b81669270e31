"""Numbers of Capitol that can be derived on paper."""

from collections import Counter
from itertools import permutations, product
from math import perm

import pytest

from companion.engine import apply_unchecked, legal_actions
from companion.games.capitol.actions import TurnSenator
from companion.games.capitol.game import GAME
from companion.games.capitol.state import State, step_of
from companion.registry import print_and_play_board
from tests.games.capitol.tables import position

BOARD = print_and_play_board("capitol")


@pytest.mark.parametrize(
    ("players", "roofs", "floor_cards", "permits", "floors"),
    [(2, 10, 20, 16, 78), (3, 8, 18, 12, 72), (4, 6, 16, 8, 66)],
)
def test_what_is_left_after_set_up(players: int, roofs: int, floor_cards: int, permits: int, floors: int) -> None:
    """Each player is dealt 2 of 14 roofs, 2 of 24 floors and 4 of 24 permits, and builds with 6 of 90 floors."""
    state = position(players=players)
    assert {name: len(deck.pile) for name, deck in state.decks.items()} == {
        "roof": roofs, "floor": floor_cards, "permit": permits
    }  # fmt: skip
    assert state.floors == floors
    for holding in state.holdings:
        assert Counter(holding.hand) == {"roof": 2, "floor": 2, "permit": 4}
        assert holding.roofs == {"round": 3, "triangular": 3}
        assert holding.completed == ("1-round", "1-triangular", "2-round", "2-triangular")


@pytest.mark.parametrize("cards", range(5))
def test_bids_are_sequences_of_cards(cards: int) -> None:
    """Of n different cards k are laid before the senator in n! / (n - k)! ways."""
    hand = [f"floor-{number}" for number in range(1, cards + 1)]
    start = position(phase="improvement", auction={"ready": [1, 2]}, player={"1": {"hand": hand}})

    def bids(state: State) -> int:
        found = 0
        for action in legal_actions(GAME, state):
            after = apply_unchecked(GAME, state, action).state
            found += 1 if isinstance(action, TurnSenator) else bids(after)
        return found

    assert step_of(start) == "open"
    assert bids(start) == sum(perm(cards, count) for count in range(cards + 1))


def test_the_tiles_of_the_box_are_all_auctioned() -> None:
    """Two fountains a round are 8; the third tile is an amphitheatre in rounds 1 and 2, a temple in rounds 3 and 4."""
    begun: list[str] = []
    for number in range(1, 5):
        state = position(round=number, to_move=2, passed=[1], player={"1": {"hand": []}, "2": {"hand": ["roof"]}})
        for text in ("pass", "ready 2", "senator", "tile Palatine/1", "ready 2", "senator", "tile Palatine/2"):
            step = apply_unchecked(GAME, state, GAME.parse_action(text, state))
            begun += [event.prize for event in step.events if type(event).__name__ == "AuctionBegan"]
            state = step.state
    assert Counter(begun) == {"fountain": 8, "amphitheatre": 2, "temple": 2}


def test_the_board() -> None:
    """Nine areas of seven small squares and a large one; four printed fountains; each colour once a row and column."""
    board = position().board
    assert len(board.areas) == 9
    assert sum(map(len, board.small.values())) == 63
    assert sum(map(len, board.buildable.values())) == 59
    assert {board.area_of[square] for square in board.fountains} == {
        "Field of Mars", "Tiber Island", "Viminal", "Caelian"
    }  # fmt: skip
    colours = [board.colour[area] for area in board.areas]
    for row in range(3):
        assert {colours[3 * row + column] for column in range(3)} == {"white", "black", "red"}
        assert {colours[3 * column + row] for column in range(3)} == {"white", "black", "red"}
    assert [*BOARD.markers.centres] == list(range(16, 24))


def test_every_area_lies_in_its_ninth_of_the_sheet_and_its_squares_apart() -> None:
    board = position().board
    places = {site: place for group in BOARD.groups.values() for site, place in group.sites.items()}
    for number, area in enumerate(board.areas):
        left, top = 36 + 174 * (number % 3), 36 + 116 * (number // 3)
        squares = [(places[square], 15.0) for square in board.small[area]] + [(places[board.large[area]], 22.0)]
        for (x, y), half in squares:
            assert left <= x - half < x + half <= left + 174
            assert top <= y - half < y + half <= top + 116
        for ((x, y), half), ((u, v), other) in permutations(squares, 2):
            assert max(abs(x - u), abs(y - v)) >= half + other + 4


def test_every_height_that_an_area_can_reach_has_a_label() -> None:
    """Heights begin with one floor and grow by at most one with each of seven buildings."""
    assert BOARD.pieces["floor"].labels == tuple(map(str, range(1, 8)))


def test_spots_of_the_board() -> None:
    """Floors, domes, gables and fountains on 63 small squares, a tile on 9 large ones."""
    kinds = Counter(spot.piece for spot in BOARD.spots.values())
    assert kinds == {"floor": 63, "dome": 63, "gable": 63, "fountain": 63, "monument": 9}
    assert all(
        f"{piece} {area}/{number}" in BOARD.spots
        for piece, area, number in product(("floor", "dome", "gable", "fountain"), position().board.areas, range(1, 8))
    )
