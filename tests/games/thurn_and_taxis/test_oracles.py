"""Numbers that the rules and the print-and-play edition state, against the data; and maps that are refused."""

from collections import Counter
from copy import deepcopy
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from companion.board.layout import load_board, parse_board
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.games.thurn_and_taxis import game
from companion.games.thurn_and_taxis.geometry import PROVINCES, STARTS, STARTS_FOR_TWO, geometry, rome_map
from companion.games.thurn_and_taxis.state import OFFICE_TILES, TILE_VALUES
from companion.position import parse_position, read_table
from companion.registry import game_folder, print_and_play_board

BOARD = geometry(print_and_play_board("thurn_and_taxis"))
ROME = load_board(Path(game.__file__).parent / "rome.toml")
DEGREES = {7: 1, 6: 2, 5: 6, 4: 6, 3: 4, 2: 2, 1: 1}


def test_the_map_has_22_cities_45_roads_and_nine_provinces() -> None:
    assert len(BOARD.cities) == 22
    assert sum(map(len, BOARD.roads.values())) == 2 * 45
    assert Counter(len(near) for near in BOARD.roads.values()) == DEGREES
    assert [len(BOARD.cities_of[province]) for province in PROVINCES] == [3, 2, 1, 2, 1, 8, 2, 2, 1]


def test_the_boxes_hold_66_cards_30_bonus_tiles_and_26_office_tiles() -> None:
    state = parse_position('game = "thurn_and_taxis"', "set-up").state
    assert state.deck == sum(state.left.values()) == 66
    assert sum(map(len, TILE_VALUES.values())) + 1 == 30
    assert [sum(OFFICE_TILES[players]) for players in (2, 3, 4)] == [13, 20, 26]


def test_the_roads_to_rome() -> None:
    exits = rome_map(ROME).exits
    assert set(exits["Andechs"]) == {"Ettal", "Trient"}
    assert len(exits["Florenz"]) == 3
    assert [city for city, ways in exits.items() if not ways] == ["Rom"]


def test_every_carriage_has_a_place_of_its_own_wherever_it_can_come() -> None:
    rome = rome_map(ROME)
    for starts in (STARTS, STARTS_FOR_TWO):
        for carriage, start in starts.items():
            coming, reached = [start], set()
            while coming:
                city = coming.pop()
                reached.add(city)
                coming.extend(rome.exits[city])
            assert all(f"carriage {carriage}/{city}" in ROME.spots for city in reached)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda d: d["link"]["road"].append("city/Rom - city/Pisa"), "from Rom to Pisa does not lead south"),
        (lambda d: d["link"]["road"].remove("city/Siena - city/Viterbo"), "no road leads from Siena to Rome"),
        (lambda d: _rename(d, "Udine", "Uden"), "lacks Udine"),
        (lambda d: _rename(d, "Rom", "Roma"), "lacks Rom"),
    ],
)
def test_a_map_on_which_carriages_would_be_lost_is_refused(change: Any, reason: str) -> None:
    document = deepcopy(dict(ROME.definition))
    change(document)
    with pytest.raises(InvalidDocument, match=reason):
        rome_map(parse_board(DocumentTable(document, "rome.toml", "")))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"city/Perugia - city/Spoleto"', '"city/Spoleto - city/Perugia"', "Spoleto to Perugia does not lead south"),
        ('"city/Siena - city/Viterbo",', "", "no road leads from Siena to Rome"),
        ("Udine", "Uden", "lacks Udine"),
    ],
)
def test_a_damaged_map_file_is_refused_with_the_city(old: str, new: str, reason: str, tmp_path: Path) -> None:
    folder = game_folder("thurn_and_taxis")
    copyfile(folder / "layout.toml", tmp_path / "layout.toml")
    text = (folder / "rome.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "rome.toml").write_text(text.replace(old, new), encoding="utf-8")
    board = load_board(tmp_path / "layout.toml")
    with pytest.raises(InvalidDocument, match=reason) as refusal:
        read_table(DocumentTable({"game": "thurn_and_taxis"}, "set-up", ""), board)
    assert refusal.value.source == f"set-up, board {board.id}"


def _rename(document: dict[str, Any], old: str, new: str) -> None:
    places = next(group["place"] for group in document["group"] if group["name"] == "city")
    places[new] = places.pop(old)
    roads = [" - ".join(f"city/{new}" if end == f"city/{old}" else end for end in road.split(" - ")) for road in
             document["link"]["road"]]  # fmt: skip
    document["link"]["road"] = roads


OFFICES = """modules = ["offices"]
player.1.offices = { cartwright = 1 }"""
EVERY_HOUSE = ", ".join(f"{city} = [2]" for city in list(BOARD.cities)[:20])
EVERY_CARD = [city for city in BOARD.cities for _ in range(3)]
CARDLESS = """modules = ["offices"]
stage = "play"
display = []
discards = {discards}
player.1 = {{ hand = {hand}, offices = {{ cartwright = 1 }} }}
player.2.hand = []
offices = {{ owed = "card", returning = [1] }}"""
CLOSING = """modules = ["audience"]
stage = "move"
houses = { Ulm = [1] }
player.1.route = ["Ulm", "Augsburg", "Muenchen"]"""

PLACING = CLOSING.replace("move", "house")


@pytest.mark.parametrize(
    ("entries", "entry", "reason"),
    [
        ('display = ["Ulm", "Ulm", "Ulm"]\nplayer.1.hand = ["Ulm"]', "player", "name 4 cards Ulm; there are 3"),
        ('player.1.route = ["Ulm", "Basel"]', "player.1.route[2]", "does not go on from Ulm"),
        ('player.1.route = ["Ulm", "Augsburg", "Ulm"]', "player.1.route[3]", "Ulm does not go on from Augsburg"),
        ('player.1.route = ["Rom"]', "player.1.route[1]", "is no city"),
        ("houses = { Ulm = [1, 1] }", "houses.Ulm", "a seat twice"),
        ("player.1.houses = 19", "player.1.houses", "there are 20"),
        ("player.2.carriage = 7\nending = 0", "ending", "player 2 has the last carriage: somebody has the game-end"),
        ("player.1.carriage = 2", "player.1.carriage", "there are"),
        ('player.1.tiles = ["Baden 2"]', "player", "from the top"),
        ('player.1.tiles = ["Baden 3", "Baden 2"]', "player.1.tiles[2]", "second tile"),
        ("display = []\ndiscards = []\ndeck = 65\nplayer.1.hand = []\nplayer.2.hand = []", "deck", "must be 66"),
        ('stage = "house"', "closing", "is missing"),
        ('stage = "play"\nowed = 1', "owed", "is 1, but cards are taken only at the stage 'take'"),
        ('stage = "last"\ndisplay = ["Ulm", "Ulm", "Basel", "Linz", "Linz", "Lodz"]', "stage", "The game is over"),
        ("audience = {}", "audience", "is not played"),
        ("offices = {}", "offices", "are not played"),
        ('modules = ["offices"]\noffices = { owed = "coin" }', "offices.owed", "one of card, house, or empty"),
        ('modules = ["audience"]\naudience = { carriages = { Baden = "Ulm" } }', "audience.carriages.Baden", "one of"),
        ('modules = ["offices"]\nplayer.1.offices = { cartwright = 3 }', "player", "more cartwright tiles"),
        ('modules = ["audience"]\naudience = { rome = { bishop = [1] } }', "audience.rome.bishop",
         "names seat 1, whose bishop has not been told"),
        ('modules = ["audience"]\naudience = { telling = "Baden" }', "audience.telling", "must be in Rome"),
        ('modules = ["audience"]\naudience = { carriages = { Baden = "Rom" }, told = { Baden = ["bishop", "deacon"] }, '
         'telling = "Baden" }', "audience.telling", "with tiles still to be turned over"),
        ('stage = "begin"\nplayer.1 = { hand = ["Ulm"], route = ["Basel"] }', "stage", "player 1 has a route"),
        ('stage = "begin"\nplayer.1.hand = []', "stage", "has no card to begin a route with"),
        ('player.1.hand = ["Ulm"]\nowed = 2', "owed", "only to a player who begins a turn without any"),
        ('official = "carrier"', "official", "does not help before a card is taken"),
        (f'{CLOSING}\nclosing = {{ housed = ["Ulm"], unused = ["Ulm"] }}', "closing.unused", "got a house"),
        (f'{CLOSING}\nclosing = {{ housed = ["Augsburg"] }}', "closing.housed", "names a city without house"),
        (f'{CLOSING}\nclosing = {{ housed = ["Ulm", "Ulm"] }}', "closing.housed", "cities of the route, each once"),
        (f'{CLOSING}\nclosing = {{ colour = "blue" }}', "closing.colour", "is not known here"),
        (f'{PLACING}\nclosing = {{ waiting = ["Baden"] }}', "closing.waiting", "provinces of the route that the"),
        (f'{PLACING}\nclosing = {{ option = "Baiern", waiting = ["Wuerttemberg"] }}', "closing.waiting",
         "provinces of the route that the option"),
        (f'{CLOSING}\nclosing = {{ unused = ["Lodz"] }}', "closing.unused", "cities of the route, each once"),
        (f'{OFFICES}\noffices = {{ returning = [1, 1] }}', "offices.returning", "names a seat twice"),
        (f'{OFFICES}\noffices = {{ owed = "card", returning = [2, 1, 1] }}', "offices.returning", "names a seat twice"),
        (f'{OFFICES}\noffices = {{ returning = [2] }}', "offices.returning", "names seat 2, which has no office tile"),
        (f'{OFFICES}\noffices = {{ owed = "card", returning = [2, 2] }}', "offices.returning", "which has no office"),
        (f'{OFFICES}\noffices = {{ owed = "card" }}', "offices.owed", "needs a seat that is returning tiles"),
        (f'{OFFICES}\nhouses = {{ {EVERY_HOUSE} }}\noffices = {{ owed = "house", returning = [2] }}', "offices.owed",
         "is a house, but none can be placed"),
        (CARDLESS.format(hand=EVERY_CARD, discards=[]), "offices.owed", "is a card, but none is left"),
        (CARDLESS.format(hand=EVERY_CARD[1:], discards=EVERY_CARD[:1]), "stage", "The discards are shuffled"),
        (f'{CLOSING}\nclosing = {{ waiting = ["Baiern"] }}', "closing.waiting", "the houses are placed"),
        (f'{CLOSING}\nofficial = "carrier"\nclosing = {{ cartwright = true }}', "closing.cartwright",
         "the carrier was the one official"),
        ('houses = { Ulm = [1], Linz = [1] }\nplayer.1.houses = 19', "player.1.houses", "on the board: 2, left: 19"),
    ],
)  # fmt: skip
def test_a_contradiction_is_refused(entries: str, entry: str, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason) as refusal:
        parse_position(f'game = "thurn_and_taxis"\n{entries}\n', "position")
    assert refusal.value.entry == entry


def test_who_has_the_last_carriage_has_the_end_tile_unless_it_is_told() -> None:
    for entries, seat in (("", 2), ("\nending = 1", 1), ('\nstage = "over"', 2), ('\nstage = "over"\nending = 0', 0)):
        state = parse_position(f'game = "thurn_and_taxis"\nplayer.2.carriage = 7{entries}\n', "position").state
        assert state.ending == seat


def test_only_who_discards_may_hold_one_card_more_than_the_limit() -> None:
    text = 'game = "thurn_and_taxis"\nstage = "cut"\nplayer.1.route = ["Ulm"]\n'
    state = parse_position(text, "position").state
    assert [len(holding.hand) for holding in state.holdings] == [4, 3]
