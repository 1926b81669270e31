"""Positions that contradict the rules are refused with the entry that does."""

import pytest

from companion.engine import scores
from companion.errors import InvalidDocument
from companion.games.aqua_romana.game import GAME
from companion.games.aqua_romana.state import State
from companion.position import parse_position

DEAD_END = "builders = { 3 = 'curve' }\ntiles = ['C2 straight 0', 'C3 straight 90']"
"""an aqueduct of red runs against the flank of a tile"""
CLAIMING = "builders = { 3 = 'curve' }\nstep = 'claim'\naqueducts = { 'C1/S' = 'closed' }"
"""one aqueduct of red was counted"""
OUTLETS = ("C1/S", "D1/S", "C1/W", "H8/N", "I8/N", "I8/E", "H1/S", "I1/S", "I1/E", "C8/N", "D8/N", "C8/W")
ALL_CLOSED = "aqueducts = { " + ", ".join(f"'{outlet}' = 'closed'" for outlet in OUTLETS) + " }"


def position(entries: str) -> State:
    return parse_position(f'game = "aqua_romana"\n{entries}\n', "position").state


SQUARES = [f"{column}{row}" for column in "CDEFGHIJ" for row in (3, 4, 5)]


@pytest.mark.parametrize(
    ("entries", "entry", "reason"),
    [
        ('tiles = ["C4 curve 45"]', "tiles[1]", "is no tile"),
        ('tiles = ["C4"]', "tiles[1]", "is no tile"),
        ('tiles = [""]', "tiles[1]", "is no cell"),
        ('tiles = ["C1 curve 90"]', "tiles[1]", "does not lie on a square for tiles"),
        ('tiles = ["A1 curve 90"]', "tiles[1]", "does not lie on a square for tiles"),
        ('tiles = ["L4 curve 90"]', "tiles[1]", "does not lie on a square for tiles"),
        ('tiles = ["C4 curve 90", "c4 bridge 0"]', "tiles[2]", "C4 holds a tile already"),
        ('tiles = ["C4 curve 90"]\nstock = { curve = 21 }', "stock.curve", "from 0 to 20"),
        (f"curve_tiles = ['12']\ntiles = {[f'{cell} curve 0' for cell in SQUARES[:13]]}", "tiles",
         "there are 13 of the kind curve; the box holds 12"),
        ('curve_tiles = ["12"]\nstock = { curve = 13 }', "stock.curve", "from 0 to 12"),
        ('curve_tiles = ["many"]', "curve_tiles", "'many' is none of 12 to 30"),
        ("builders = { 39 = 'curve' }", "builders.39", "is no space of the path"),
        ("builders = { 3 = 'double' }", "builders.3", "must be one of curve"),
        ("builders = { 3 = 'joker', 4 = 'joker' }", "builders", "more than 1 of the kind joker"),
        ("builders = { 3 = 'joker' }\nreserve = ['joker']", "builders", "more than 1 of the kind joker"),
        ("reserve = ['curve', 'curve']", "reserve", "one kind twice"),
        ("held = { 3 = ['curve'] }", "held.3", "is not known"),
        ("held = { 1 = ['mason'] }", "held.1[1]", "'mason' is no builder"),
        ("builders = { 3 = 'curve' }\nheld = { 1 = ['joker'] }\nstep = 'build'", "step", "must be 'place'"),
        ("builders = { 3 = 'curve' }\nstep = 'place'", "step", "must be 'place' exactly if"),
        ("unplaced = { curve = 0, straight = 0, bridge = 0, 'double curve' = 0 }", "step", "no builder is left"),
        ("unplaced = { curve = 4 }", "unplaced.curve", "from 0 to 3"),
        ("aqueducts = { 'C2/S' = 'closed' }", "aqueducts.C2/S", "is not known"),
        ("aqueducts = { 'C1/S' = 'shut' }", "aqueducts.C1/S", "must be one of open"),
        ("podiums = { 21 = ['red'] }", "podiums.21", "is no podium"),
        ("podiums = { 8 = ['red'] }", "podiums.8[1]", "no more workers off the field"),
        (
            "podiums = { 8 = ['red', 'red'] }\naqueducts = { 'C1/S' = 'closed', 'D1/S' = 'closed' }",
            "podiums.8",
            "room for 1",
        ),
        ("podiums = { 7 = ['red', 'red', 'red'] }", "podiums.7", "room for 2"),
        ("builders = { 3 = 'curve' }\nclaims = [1]", "claims", "only there"),
        ("builders = { 3 = 'curve' }\nstep = 'claim'", "claims", "in step 'claim'"),
        ("builders = { 3 = 'curve' }\nfountain = 'curve'", "fountain", "only there"),
        ("step = 'fountain'", "fountain", "in step 'fountain'"),
        ("tiles = ['C2 curve 0']", "builders", "are missing"),
        (
            f"{CLAIMING}\nclaims = [1]\nreserve = []",
            "step",
            "something follows at once",
        ),
        (f"{CLAIMING}\nclaims = [1, 1]", "claims", "names seat 1 more often than it has closed aqueducts"),
        (f"{CLAIMING}\nclaims = [1]\nidle = 2", "idle", "after a round without a tile the game is 'over'"),
        ("builders = { 3 = 'curve' }\nidle = 2", "idle", "after a round without a tile the game is 'over'"),
        ("step = 'over'\naqueducts = { 'C1/S' = 'open' }", "aqueducts.C1/S", "is open, but the game is over"),
        ("step = 'over'\npodiums = { 8 = ['purple'] }", "podiums.8[1]", "'purple' is no colour here; they are red, "),
        (f"builders = {{ 3 = 'curve' }}\n{ALL_CLOSED}", "step", "every aqueduct is closed; then the game is 'over'"),
        ("step = 'setup'\ntiles = ['C2 curve 0']", "tiles", "belongs to play, but the step is 'setup'"),
        ("held = { 1 = ['joker'] }", "held", "belongs to play, but the step is 'setup'"),
        ("idle = 1", "idle", "belongs to play, but the step is 'setup'"),
        ("builders = { 3 = 'curve' }\naqueducts = { 'C1/S' = 'chosen' }", "aqueducts.C1/S", "one of open, blocked, cl"),
        ("builders = { 3 = 'curve' }\naqueducts = { 'C1/S' = 'blocked' }", "aqueducts.C1/S",
         "is blocked, which a tile"),
        ("builders = { 3 = 'curve' }\nstep = 'close'\naqueducts = { 'C1/S' = 'blocked' }", "aqueducts.C1/S",
         "is blocked, which a tile"),
        (f"{DEAD_END}\naqueducts = {{ 'C1/S' = 'open' }}", "aqueducts.C1/S", "is open, but it can go no further than"),
        ("held = { 1 = ['curve', 'curve'] }\nreserve = ['curve']", "unplaced", "there are 6 builders"),
        ("laid = true", "laid", "still to come in step 'setup'"),
        ("builders = { 3 = 'curve' }\nlaid = true", "laid", "still to come in step 'build'"),
        ("builders = { 3 = 'curve' }\nstep = 'fountain'\nfountain = 'curve'\nlaid = false", "laid", "is false"),
        ("builders = { 20 = 'curve' }\nto_move = 3", "to_move", "from 1 to 2"),
        ("rulings = { own_reservoir = 'maybe' }", "rulings", "cannot be 'maybe'"),
        ("wards = []", "wards", "is not known"),
    ],
)  # fmt: skip
def test_a_contradiction_is_refused(entries: str, entry: str, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason) as refusal:
        position(entries)
    assert refusal.value.entry == entry
    assert "\n" not in str(refusal.value)


def test_an_end_needs_only_its_podiums() -> None:
    state = position("step = 'over'\npodiums = { 8 = ['red'], 7 = ['blue', 'red'] }")
    assert {aqueduct.status for aqueduct in state.aqueducts.values()} == {"closed"}
    assert state.podiums == {8: ("red",), 7: ("blue", "red")}


def test_two_players_cannot_have_the_colours_of_one() -> None:
    with pytest.raises(InvalidDocument, match="red and green: with two players one person plays both") as refusal:
        position('players = [{ name = "Anna", colour = "red" }, { name = "Bruno", colour = "green" }]')
    assert refusal.value.entry == "colour"


def test_two_players_may_have_any_other_colours() -> None:
    state = position('players = [{ name = "Anna", colour = "green" }, { name = "Bruno", colour = "yellow" }]')
    seats = {aqueduct.colour: aqueduct.seat for aqueduct in state.aqueducts.values()}
    assert seats == {"green": 1, "red": 1, "yellow": 2, "blue": 2}


def test_a_colour_without_a_place_takes_the_one_left_over() -> None:
    state = position('players = [{ name = "A", colour = "green" }, { name = "B" }, { name = "C", colour = "yellow" }]')
    assert [player.colour for player in state.table.players] == ["green", "red", "yellow"]
    assert state.board.reservoirs == {
        "green": "reservoir/H1-I1", "red": "reservoir/C1-D1", "yellow": "reservoir/E8-F8",
    }  # fmt: skip


def test_what_is_left_out_is_as_at_set_up() -> None:
    full = """
board = "aqua_romana/print_and_play"
players = [{ name = "Player 1", colour = "red" }, { name = "Player 2", colour = "blue" }]
curve_tiles = ["21"]
to_move = 1
step = "setup"
builders = {}
unplaced = { curve = 3, straight = 3, bridge = 3, "double curve" = 3 }
reserve = ["joker", "double curve", "bridge", "straight", "curve"]
held = { 1 = [], 2 = [] }
tiles = []
stock = { curve = 21, straight = 21, bridge = 21, "double curve" = 21 }
aqueducts = { "C1/S" = "open" }
podiums = { 8 = [] }
claims = []
laid = false
idle = 0
"""
    assert position("") == position(full)


def test_an_aqueduct_that_can_go_no_further_is_closed() -> None:
    tiles = 'tiles = ["C2 straight 0", "C3 straight 90"]'
    assert position(f"{tiles}\nbuilders = {{ 20 = 'curve' }}").aqueducts["C1/S"].status == "closed"
    assert position(f"{tiles}\nstep = 'close'").aqueducts["C1/S"].status == "blocked"
    assert position(f"{tiles}\nstep = 'fountain'\nfountain = 'curve'").aqueducts["C1/S"].status == "open"


def test_length_and_end_follow_from_the_tiles() -> None:
    state = position('tiles = ["B1 straight 90", "A2 straight 180", "A3 bridge 90"]\nbuilders = { 20 = "curve" }')
    aqueduct = state.aqueducts["C1/W"]
    assert (aqueduct.end, aqueduct.length) == ("A3/S", 4)
    assert state.tiles["A2"] == "straight 0"
    assert state.tiles["A3"] == "bridge 0"


def test_only_a_rank_behind_a_shared_podium_names_the_ruling_on_it() -> None:
    podiums = 'podiums = { 10 = ["red"], 7 = ["blue", "yellow"], 5 = ["green"] }'
    lines = scores(GAME, position(f"players = 4\nstep = 'over'\n{ALL_CLOSED}\n{podiums}")).lines
    bonus = sorted((-line.points, line.ruling) for line in lines if line.rule == "AR-SCORE-2")
    assert [ruling for _points, ruling in bonus] == ["", *3 * ["shared_podium_bonus"]]
