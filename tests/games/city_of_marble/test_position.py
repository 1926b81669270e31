"""Positions that contradict the rules are refused with the entry that does."""

import json

import pytest

from companion.engine import legal_actions
from companion.errors import InvalidDocument, InvalidNotation
from companion.games.city_of_marble.game import GAME
from companion.games.city_of_marble.geometry import geometry
from companion.games.city_of_marble.state import BUILDINGS, UNTOLD, WARDS_IN_BOX
from companion.position import parse_position
from companion.registry import print_and_play_board

CLOSED = 'wards = ["F7-G7 green 2", "G7-H6 blue 1", "G7-G8 green"]'
SENDING = f'{CLOSED}\nbuildings = ["G7 theatre 1"]\nsending = {{{{ site = "G7", space = "{{}}", seats = [{{}}] }}}}'
GREY = 'aqueducts = { grey = ["I1-I2"] }'
STRICT, OPTIONAL = 'rulings = { supply = "strict" }', 'rulings = { collecting = "optional" }'
VERTICES = list(geometry(print_and_play_board("city_of_marble")).around)


@pytest.mark.parametrize(
    ("entries", "entry", "reason"),
    [
        ('wards = ["G7-H7 red", "G7-G8 red"]', "wards[2]", "covers G7-G8-H7, where ward G7-H7 lies"),
        ('wards = ["E7-F7 red"]', "wards[1]", "where a hill lies"),
        ('wards = ["H1-I1 red"]', "wards[1]", "is no ward inside the grid"),
        ('wards = ["G7-H7 pink"]', "wards[1]", "must be like"),
        ('wards = ["G7-H7 red 3"]', "wards[1]", "is no seat"),
        ('wards = ["G7-H7 red 1"]\nplayer.1.magistrates = 3', "player.1.magistrates", "on the board: 1, at home: 3"),
        ("envoys = { temple = [1, 1, 1, 1] }", "player.1.magistrates", "on the board: 4"),
        ("envoys = { forum = [1] }", "envoys.forum", "is not known"),
        ('buildings = ["I1 temple 1"]', "buildings[1]", "six triangles"),
        ('buildings = ["G7 temple 1"]\nfountains = ["G7"]', "fountains[1]", "holds something already"),
        ('aqueducts = { grey = ["I2-I3"] }', "aqueducts.grey[1]", "does not go on from I1"),
        ('aqueducts = { grey = ["I1-I2", "H2-I2", "H2-I1"] }', "aqueducts.grey[3]", "closes a loop at I1"),
        ('aqueducts = { grey = ["I1-K3"] }', "aqueducts.grey[1]", "is no edge"),
        ("stacks = { red = 13 }", "stacks.red", "from 0 to 12"),
        ('closing = ["G7"]', "closing[1]", "is not closed"),
        (f'{CLOSED}\nclosing = ["G7", "G7"]', "closing[2]", "names G7 again"),
        (f'{CLOSED}\nbuildings = ["G7 temple 1"]\nclosing = ["G7"]', "closing[1]", "is completed: it holds something"),
        ('fountains = ["G7"]\nwatered = ["G7", "G7"]', "watered[2]", "names G7 again"),
        ('watered = ["G7"]', "watered[1]", "holds no fountain"),
        ('buildings = ["G7 temple 1"]\nwatered = ["G7"]', "watered[1]", "holds no fountain"),
        ("final_turns = 0", "final_turns", "the stage is not 'play'"),
        ("player.1.bridges = 1\nplayer.1.values = [1, 2]", "player.1.values", "values 2 bridge tiles"),
        ('sending = { site = "G7", space = "temple", seats = [1, 1] }', "sending.seats", "once"),
        ('stage = "reveal"', "stage", "something follows at once: The game is over"),
        ('stage = "over"\nplayer.2.bridges = 1', "stage", "of player 2 are still to be told: it is 'reveal'"),
        ("laying = { left = 1 }", "laying", "something follows at once"),
        ('laying = { left = 1, ward = "E8-F8" }', "laying.ward", "'E8-F8' is no ward on the board"),
        ("laying = { left = 4 }", "laying.left", "from 1 to 3"),
        ("laying = { left = 0 }", "laying.left", "from 1 to 3"),
        ('starting = [{ colour = "grey", left = 3 }]', "starting", "something follows at once"),
        (f'{CLOSED}\nsending = {{ site = "G7", space = "temple", seats = [1] }}', "sending.site", "holds neither"),
        (SENDING.format("baths", "1"), "sending.space", "the theatre at G7 opens theatre"),
        (SENDING.format("theatre", "1, 2, 3"), "sending.seats[3]", "from 1 to 2"),
        (SENDING.format("theatre", "2, 1"), "sending.seats", "must go clockwise from player 1"),
        (f'{SENDING.format("theatre", "1")}\nstage = "over"', "sending", "belongs to the stage 'play', not to 'over'"),
        (f'{SENDING.format("theatre", "1")}\nlaying = {{ left = 1 }}', "sending", "cannot be unfinished together"),
        ('buildings = ["G7 temple 1"]\nsending = { site = "G7", space = "temple", seats = [1] }', "sending.seats",
         "names seat 1, which has no magistrate at G7"),
        ('laying = { left = 1, colour = "grey" }', "laying.colour", "without any piece yet"),
        (f'{GREY}\nstarting = [{{ colour = "grey", left = 3 }}]', "starting[1].colour", "started already"),
        ('wards = ["G7-H7 red"]\nstarting = [{ colour = "grey", left = 3, ward = "G7-H7" }]', "starting[1].ward",
         "does not touch the grey source"),
        ("collecting = true\nactions = 0", "collecting", "by the ruling 'collecting'"),
        (f"collecting = true\n{OPTIONAL}", "collecting", "is true with 2 actions left"),
        (f"{SENDING.format('theatre', '1')}\ncollecting = true\nactions = 0\n{OPTIONAL}", "collecting",
         "but sending is unfinished"),
        ("stacks = { red = 11 }", "stacks", "with the rest there are 13 red wards; the box holds 12"),
        ("player.1.domus.red = 12", "player", "with the rest there are 14 red wards; the box holds 12"),
        ("player.1.bridges = 4\nplayer.2.bridges = 4", "player", "the players hold 8 bridge tiles; the board has 7"),
        (f"player.1.coins = 17\n{STRICT}", "player", "there are 17 coins; the box holds 16"),
        (f"player.1.imperium.arena = 13\n{STRICT}", "player", "there are 13 Imperium tiles"),
        (f"buildings = {json.dumps([f'{vertex} baths 1' for vertex in VERTICES[:13]])}\n{STRICT}", "buildings",
         "there are 13 baths buildings; the box holds 12"),
        (f"buildings = {json.dumps([f'{vertex} {BUILDINGS[n % 4]} 1' for n, vertex in enumerate(VERTICES[:17])])}\n"
         f"{STRICT}", "buildings", "there are 17 cubes of player 1; the box holds 16"),
        (f"fountains = {json.dumps(VERTICES[:11])}\n{STRICT}", "fountains", "there are 11 fountains; the box holds 10"),
        ('fountains = ["Z9"]', "fountains[1]", "'Z9' is no vertex with six triangles"),
        ('fountains = ["A1"]', "fountains[1]", "'A1' is no vertex with six triangles"),
        ('sending = { site = "Z9", space = "temple", seats = [1] }', "sending.site", "is no vertex with six triangles"),
        ('sending = { site = "A1", space = "temple", seats = [1] }', "sending.site", "is no vertex with six triangles"),
        ('sending = { site = "G7", space = "temple", seats = [] }', "sending.seats", "must name each seat"),
        ("player.1.magistrates = -1", "player.1.magistrates", "from 0 to"),
        ("player.1.values = [5]", "player.1.values[1]", "from 1 to 4"),
        ("to_move = 3", "to_move", "from 1 to 2"),
        ('hills = ["Capitoline", "Palatine"]', "hills", "must name 3 different ones"),
        ('hills = ["Palatine", "Viminal", "palatine"]', "hills", "names Palatine again; it must name 3 different ones"),
        ('hills = ["Capitoline", "Palatine", "Vatican"]', "hills", "'Vatican' is none of"),
        ('rulings = { supply = "sample_answers" }', "rulings", "cannot be 'sample_answers'"),
        ("ward = 1", "ward", "is not known"),
        ('players = [{ name = "A", colour = "white" }, { name = "B", colour = "white" }]', "players[2].colour",
         "is white, which somebody else plays already"),
    ],
)  # fmt: skip
def test_a_contradiction_is_refused(entries: str, entry: str, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason.replace("[", r"\[")) as refusal:
        parse_position(f'game = "city_of_marble"\n{entries}\n', "position")
    assert refusal.value.entry == entry
    assert "\n" not in str(refusal.value)


def test_what_is_left_out_is_as_at_set_up() -> None:
    bare, full = (parse_position(text, "position").state for text in ('game = "city_of_marble"', SET_UP))
    assert bare == full


def test_collecting_in_an_own_step_is_kept_in_the_document() -> None:
    state = parse_position(f'game = "city_of_marble"\ncollecting = true\nactions = 0\n{OPTIONAL}', "position").state
    assert GAME.state_document(state)["collecting"] is True


def test_wards_without_colour_count_among_those_that_are_held() -> None:
    text = """
        game = "city_of_marble"
        detail = "table"
        player.1.atrium = { red = 1, untold = 2 }
        player.1.domus = { red = 1, untold = 3 }
        player.2.atrium = { red = 1, blue = 1, yellow = 1 }
    """
    state = parse_position(text, "position").state
    assert [holding.domus[UNTOLD] for holding in state.holdings] == [3, 0]
    held = sum(sum(holding.atrium.values()) + sum(holding.domus.values()) for holding in state.holdings)
    assert sum(state.stacks.values()) == sum(WARDS_IN_BOX.values()) - held


def test_an_aqueduct_without_pieces_is_not_started_and_its_source_is_free_to_others() -> None:
    to_brown = json.dumps(["I1-J1", "J1-K1", "K1-L1", "L1-M1", "M1-M2", "M2-M3", "M3-M4", "M4-M5"])
    text = f'game = "city_of_marble"\naqueducts = {{ grey = {to_brown}, brown = [], white = [] }}'
    assert parse_position(text, "position").state.lines == {
        "grey": ("I1", "J1", "K1", "L1", "M1", "M2", "M3", "M4", "M5")
    }


def test_a_colour_left_out_is_one_that_nobody_names() -> None:
    players = '[{ name = "A" }, { name = "B", colour = "black" }, { name = "C" }]'
    state = parse_position(f'game = "city_of_marble"\nplayers = {players}', "position").state
    assert [player.colour for player in state.table.players] == ["white", "black", "purple"]


def wards_apart(red: int) -> str:
    """So many red wards that share no triangle, as an entry of a position."""
    apart, taken = list[str](), {"E7-E8-F7", "E9-F8-F9", "C11-D10-D11"}
    for ward, triangles in geometry(print_and_play_board("city_of_marble")).triangles.items():
        if len(apart) < red and taken.isdisjoint(triangles):
            apart.append(ward)
            taken.update(triangles)
    return f"wards = {json.dumps([f'{ward} red' for ward in apart])}"


def test_no_more_wards_lie_than_the_box_holds() -> None:
    with pytest.raises(InvalidDocument, match=r"wards\[13\]: is one more red ward than the box holds \(12\)"):
        parse_position(f'game = "city_of_marble"\n{wards_apart(13)}', "position")


@pytest.mark.parametrize(("red", "atrium"), [(10, 1), (11, 0), (12, 0)])
def test_the_atriums_left_out_hold_no_ward_that_lies_on_the_board(red: int, atrium: int) -> None:
    state = parse_position(f'game = "city_of_marble"\n{wards_apart(red)}', "position").state
    assert [holding.atrium["red"] for holding in state.holdings] == [atrium, atrium]
    assert state.stacks["red"] == 12 - red - 2 * atrium


def test_the_order_of_a_list_does_not_matter() -> None:
    wards = ["G7-H7 red 1", "C9-D9 blue 1", "J4-K4 red 1"]
    one, other = (
        parse_position(f'game = "city_of_marble"\nwards = {json.dumps(listed)}', "position").state
        for listed in (wards, wards[::-1])
    )
    assert one == other
    assert hash(one) == hash(other)
    assert legal_actions(GAME, one) == legal_actions(GAME, other)


SET_UP = """
game = "city_of_marble"
board = "city_of_marble/print_and_play"
players = [{ name = "Player 1", colour = "black" }, { name = "Player 2", colour = "white" }]
hills = ["Capitoline", "Palatine", "Aventine"]
to_move = 1
actions = 2
stage = "play"
wards = []
buildings = []
fountains = []
aqueducts = {}
envoys = {}
stacks = { red = 10, yellow = 12, green = 14, blue = 16 }

[player.1]
atrium = { red = 1, yellow = 1, green = 1, blue = 1 }
domus = { red = 0, yellow = 0, green = 0, blue = 0 }
magistrates = 3
imperium = { temple = 0, baths = 0, theatre = 0, arena = 0 }
coins = 0
bridges = 0
values = []
"""


@pytest.mark.parametrize("text", ["bridges a", "bridges 1 b2", "bridges 1000", "bridges", "bridges " + "1 " * 21])
def test_values_of_bridge_tiles_are_small_numbers(text: str) -> None:
    with pytest.raises(InvalidNotation):
        GAME.parse_action(text, parse_position('game = "city_of_marble"', "position").state)
