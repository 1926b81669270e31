"""What changed spots or a touched site may mean is offered with the likeliest meaning first."""

import pytest

from companion.position import parse_position
from companion.registry import load_game

ROUTE = 'stage = "close"\nplayer = { 1 = { route = ["Ulm", "Augsburg", "Muenchen"], hand = ["Basel"] } }'
WARD = 'wards = ["E8-F8 red 1"]'
BUILDERS = 'players = 4\nbuilders = { 3 = "curve", 38 = "curve" }'
FOUNTAIN = f'{BUILDERS}\nstep = "fountain"\nfountain = "curve"'


@pytest.mark.parametrize(
    ("game", "entries", "spots", "texts"),
    [
        ("city_of_marble", "", {"ward E8-F8": "red"}, ["ward E8-F8 red", "ward E8-F8 red magistrate"]),
        (
            "city_of_marble",
            "",
            {"ward E8-F8": "red", "magistrate E8-F8": "purple"},
            ["ward E8-F8 red magistrate", "ward E8-F8 red"],
        ),
        ("city_of_marble", WARD, {"magistrate E8-F8": ""}, ["send E8-F8", "recall E8-F8"]),
        (
            "aqua_romana",
            BUILDERS,
            {"tile C2": "curve 270", "builder path/38": ""},
            ["build C2 curve 270 by 38", "build C2 curve 270 by 3", "move 38"],
        ),
        (
            "aqua_romana",
            BUILDERS,
            {"tile C2": "curve 270", "builder path/3": ""},
            ["build C2 curve 270 by 3", "build C2 curve 270 by 38", "move 3"],
        ),
        ("aqua_romana", FOUNTAIN, {"tile C2": "curve 270"}, ["fountain C2 curve 270"]),
        ("capitol", "", {"floor Aventine/2": "1", "gable Aventine/2": "green"}, ["red 1-triangular Aventine/2"]),
        ("thurn_and_taxis", ROUTE, {"house blue/Muenchen": "blue"}, ["close each", "close each cartwright"]),
        (
            "thurn_and_taxis",
            ROUTE,
            {"house blue/Augsburg": "blue", "house blue/Muenchen": "blue"},
            ["close Baiern", "close Baiern cartwright", "close each", "close each cartwright"],
        ),
        (
            "thurn_and_taxis",
            ROUTE,
            {"house blue/Ulm": "blue", "house blue/Muenchen": "blue"},
            ["close each", "close each cartwright", "close Wuerttemberg"],
        ),
    ],
)
def test_changed_spots(game: str, entries: str, spots: dict[str, str], texts: list[str]) -> None:
    rules, state = load_game(game), parse_position(f'game = "{game}"\n{entries}', "table").state
    assert [action.text for action in rules.seen_actions(state, spots)][: len(texts)] == texts


@pytest.mark.parametrize(
    ("game", "entries", "site", "texts"),
    [
        ("city_of_marble", WARD, "E8-F8", ["send E8-F8", "recall E8-F8", "ward E8-F8 red"]),
        ("city_of_marble", WARD, "E8", ["ward E8-F8 red", "ward E8-F8 yellow"]),
        ("city_of_marble", WARD, "treasury", ["collect treasury", "recall treasury"]),
        ("city_of_marble", WARD, "F8-G8", ["ward F8-G8 red", "ward F8-G8 yellow", "ward F8-G8 green"]),
        ("aqua_romana", BUILDERS, "C2", ["build C2 curve 0 by 3", "build C2 curve 90 by 3"]),
        ("aqua_romana", FOUNTAIN, "C2", ["fountain C2 curve 0", "fountain C2 curve 90"]),
        ("aqua_romana", BUILDERS, "D1/S", ["close D1/S", "build D2 curve 0 by 3"]),
        ("aqua_romana", BUILDERS, "path/3", ["place curve 3"]),
        ("aqua_romana", BUILDERS, "podium/7", ["close C1/S", "close D1/S", "close C1/W"]),
        ("aqua_romana", BUILDERS, "reserve/curve", ["take curve"]),
        ("capitol", "", "Aventine/2", ["red 1-round Aventine/2", "red 1-triangular Aventine/2"]),
        (
            "thurn_and_taxis",
            ROUTE,
            "city/Muenchen",
            ["house Muenchen", "close each", "close each cartwright", "close Baiern", "close Baiern cartwright"],
        ),
        ("thurn_and_taxis", ROUTE, "city/Lodz", ["house Lodz", "play Lodz left", "play Lodz right", "take Lodz"]),
    ],
)
def test_a_touched_site(game: str, entries: str, site: str, texts: list[str]) -> None:
    rules, state = load_game(game), parse_position(f'game = "{game}"\n{entries}', "table").state
    assert [action.text for action in rules.gestures_at(state, site)][: len(texts)] == texts
