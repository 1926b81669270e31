"""Positions of Thurn and Taxis as documents: contradictions are refused, defaults follow from the rest."""

from __future__ import annotations

import pytest

from companion.errors import InvalidDocument
from companion.games.thurn_and_taxis.events import DisplayFilled
from companion.games.thurn_and_taxis.game import GAME
from companion.games.thurn_and_taxis.geometry import ROME
from companion.games.thurn_and_taxis.state import UNSEEN, State
from companion.position import parse_position

BOTH = 'modules = ["both"]'
CLOSING = 'stage = "house"\nplayer.1.route = ["Ulm", "Augsburg", "Muenchen"]'
MOVING = f'{BOTH}\nstage = "move"\nplayer.1.route = ["Ulm", "Augsburg", "Muenchen"]'
IN_ROME = f'{BOTH}\naudience.carriages.Baden = "{ROME}"'


def read(entries: str) -> State:
    state: State = parse_position(f'game = "thurn_and_taxis"\n{entries}\n', "position").state
    return state


@pytest.mark.parametrize(
    ("entries", "entry", "reason"),
    [
        ("ward = 1", "ward", "is not known"),
        ("houses.Rome = [1]", "houses.Rome", "is not known"),
        ("houses.Ulm = [1, 1]", "houses.Ulm", "names a seat twice"),
        ("houses.Ulm = [3]", "houses.Ulm[1]", "from 1 to 2"),
        ("player.3.hand = []", "player.3", "is not known"),
        ("player.1.coins = 3", "player.1.coins", "is not known"),
        ("player.1.houses = 19", "player.1.houses", "there are 20 (on the board: 0, left: 19)"),
        ("houses.Ulm = [1]\nplayer.1.houses = 20", "player.1.houses", "there are 20 (on the board: 1, left: 20)"),
        ("player.1.carriage = 2", "player.1.carriage", "is 2; there are 0, 3, 4, 5, 6, 7"),
        ("player.1.chips = 1", "player.1.chips", "is not known"),
        (f"{BOTH}\nplayer.1.offices.mayor = 1", "player.1.offices.mayor", "is not known"),
        (f"{BOTH}\nplayer.1.offices.cartwright = 9", "player.1.offices.cartwright", "from 0 to 8"),
        (f"{BOTH}\nplayer.1.offices.cartwright = 8", "player", "more cartwright tiles than the"),
        (f"{BOTH}\nrulings.chips = 'twelve'\nplayer.1.chips = 13", "player", "13 victory point chips; the box has 12"),
        ('player.1.route = ["Ulm", "Lodz"]', "player.1.route[2]", "Lodz does not go on from Ulm"),
        ('player.1.route = ["Ulm", "Augsburg", "Ulm"]', "player.1.route[3]", "Ulm does not go on from Augsburg"),
        ('player.1.hand = ["Ulmo"]', "player.1.hand[1]", "'Ulmo' is no city of the board"),
        (f'player.1.route = ["{UNSEEN}"]', "player.1.route[1]", "is no city of the board"),
        ('player.1.tiles = ["Baden 4"]', "player.1.tiles[1]", "'Baden 4' is no bonus tile"),
        ('player.1.tiles = ["Baden 3", "Baden 2"]', "player.1.tiles[2]", "is a second tile of Baden"),
        ('player.1.tiles = ["Baden 2"]', "player", "tiles of the stack 'Baden' must be taken from the top"),
        ('player.1.tiles = ["Baden 3"]\nplayer.2.tiles = ["Baden 3"]', "player", "from the top, each once"),
        ('player.1.hand = ["Ulm", "Ulm", "Ulm"]\nplayer.1.route = ["Ulm"]', "player", "name 4 cards Ulm; there are 3"),
        ("deck = 67", "deck", "from 0 to 66"),
        ('deck = 61\nplayer.1.hand = []\nplayer.2.hand = []\ndisplay = []\ndiscards = []', "deck", "must be 66"),
        ('stage = "over"\nto_move = 3', "to_move", "from 1 to 2"),
        ("audience.telling = ''", "audience", "is not played at this table; see modules"),
        ("offices.owed = ''", "offices", "are not played at this table; see modules"),
        (f"{BOTH}\naudience.popes = 1", "audience.popes", "is not known"),
        (f"{BOTH}\naudience.carriages.pink = 'Rome'", "audience.carriages.pink", "is not known"),
        (f"{BOTH}\naudience.carriages.Baden = 'Paris'", "audience.carriages.Baden", "must be one of"),
        (f"{BOTH}\naudience.told.pink = []", "audience.told.pink", "is not known"),
        (f"{BOTH}\naudience.told.Baden = ['bishop']", "audience.told.Baden", "must name 2 tiles of a carriage in Rome"),
        (f"{IN_ROME}\naudience.told.Baden = ['bishop']", "audience.told.Baden", "must name 2 tiles"),
        (f"{IN_ROME}\naudience.told.Baden = ['bishop', 'pope']", "audience.told.Baden", "'pope' is no rank; they are"),
        (f"{BOTH}\naudience.rome.pope = [1]", "audience.rome.pope", "is not known"),
        (f"{BOTH}\naudience.rome.bishop = [1]", "audience.rome.bishop", "names seat 1, whose bishop has not been told"),
        (f"{BOTH}\naudience.telling = 'Baden'", "audience.telling", "Baden must be in Rome with tiles still"),
        (f"{BOTH}\noffices.returning = [1]", "offices.returning", "names seat 1, which has no office tile"),
        (f"{BOTH}\noffices.returning = [1, 1]", "offices.returning", "names a seat twice"),
        (f"{BOTH}\noffices.owed = 'card'", "offices.owed", "needs a seat that is returning tiles"),
        (f"{BOTH}\noffices.left = 1", "offices.left", "is not known"),
        ('stage = "begin"\nplayer.1.hand = []', "stage", "is 'begin', but player 1 has no card to begin a route with"),
        ('stage = "begin"\nplayer.1.route = ["Ulm"]\nplayer.1.hand = ["Lodz"]', "stage", "but player 1 has a route"),
        ('stage = "cut"\nplayer.1.hand = ["Ulm", "Ulm", "Lodz"]', "stage", "need not discard any of the 3 cards"),
        ('official = "postmaster"', "official", "who does not help before a card is taken"),
        ("owed = 0", "owed", "is 0, but a card is still to be taken at the stage 'take'"),
        ('stage = "play"\nowed = 1', "owed", "is 1, but cards are taken only at the stage 'take'"),
        ("owed = 3", "owed", "from 0 to 2"),
        ("taken = true\nowed = 2", "owed", "is 2, but two cards are owed only to a player who begins a turn"),
        ("player.1.carriage = 7\nending = 0", "ending", "is 0, but player 1 has the last carriage"),
        ("closing.option = 'each'", "closing", "belongs to the stages house and move, not to take"),
        (f"{CLOSING}\nclosing.route = []", "closing.route", "is not known"),
        (f"{CLOSING}\nclosing.housed = ['Linz']", "closing.housed", "must name cities of the route, each once"),
        (f"{CLOSING}\nclosing.housed = ['Ulm', 'Ulm']", "closing.housed", "must name cities of the route, each once"),
        (f"{CLOSING}\nclosing.housed = ['Ulm']", "closing.housed", "names a city without house"),
        (f"{CLOSING}\nclosing.unused = ['Ulm']", "closing.unused", "belongs to The Audience, at the stage move"),
        (f"{CLOSING}\nclosing.waiting = ['Boehmen']", "closing.waiting", "must name provinces of the route"),
        (f"{MOVING}\nclosing.waiting = ['Baiern']", "closing.waiting", "but at the stage move the houses are placed"),
        (f"{MOVING}\nclosing.unused = ['Ulm']\nclosing.housed = ['Ulm']\nhouses.Ulm = [1]", "closing.unused",
         "names a city that got a house"),
        (f"{CLOSING}\n{BOTH}\nofficial = 'postmaster'\nclosing.cartwright = true", "closing.cartwright",
         "the postmaster was the one official of this turn"),
    ],
)  # fmt: skip
def test_a_contradiction_is_refused(entries: str, entry: str, reason: str) -> None:
    with pytest.raises(InvalidDocument) as refusal:
        read(entries)
    assert refusal.value.entry == entry
    assert reason in str(refusal.value)


def test_where_each_city_of_the_route_may_get_a_house_all_its_provinces_wait() -> None:
    route = 'stage = "house"\nplayer.1.route = ["Stuttgart", "Ulm", "Augsburg", "Muenchen"]'
    closing = read(f"{route}\nclosing = {{}}").closing
    assert closing is not None
    assert (closing.option, closing.waiting) == ("each", ("Wuerttemberg", "Baiern"))


@pytest.mark.parametrize(
    ("entries", "hands"),
    [
        ("display = []", (0, 0)), ("taken = true\nowed = 1", (3, 3)), ("owed = 2", (0, 0)), ("to_move = 2", (3, 3)),
        ("to_move = 2\nowed = 2", (3, 0)), ("owed = 1", (0, 0)), ('stage = "over"', (0, 0)),
        ('player.1.hand = ["Ulm"]', (1, 3)), ("deck = 56", (3, 1)), ("deck = 40", (3, 3)),
    ],
)  # fmt: skip
def test_hands_left_out_are_empty_at_set_up_and_unseen_later(entries: str, hands: tuple[int, int]) -> None:
    assert tuple(len(holding.hand) for holding in read(entries).holdings) == hands


def test_cards_that_lie_nowhere_else_are_in_the_hand_left_out_of_the_first_seat() -> None:
    entries = "players = 3\nplayer.1.hand = []\ndisplay = []\ndiscards = []\ndeck = 56"
    assert [len(holding.hand) for holding in read(entries).holdings] == [0, 7, 3]


def test_a_carriage_in_rome_of_which_no_tile_is_told_yet_has_told_nothing() -> None:
    audience = read(f"{IN_ROME}\naudience.told.Baden = []\naudience.telling = 'Baden'").audience
    assert audience is not None
    assert (dict(audience.told), audience.telling) == ({}, "Baden")


def test_houses_at_the_end_need_no_cities() -> None:
    assert read('stage = "over"\nplayer.1.houses = 3').holding(1).houses == 3


def test_what_is_turned_up_unseen_comes_from_the_deck() -> None:
    before = read('detail = "table"')
    filled = GAME.evolve(before, DisplayFilled(2))
    assert (len(filled.display) - len(before.display), filled.deck) == (2, before.deck - 2)
