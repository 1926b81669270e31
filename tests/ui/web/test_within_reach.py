"""Whatever a seat may do is within reach of its finger, and what it may not do says why."""

import re
from random import Random

import pytest

from companion.registry import GAMES, print_and_play_board
from companion.session.viewing import ClosedPieces
from tests.every_game import fewest_seats
from ui.drawing.board_frame import site_centre
from ui.table.phone_views import PhoneViews
from ui.view_models.phone_view import PhoneChoice, PhoneView
from ui.web.choices_part import MOST_LISTED, ChoicesPart, looked_at
from ui.web.faces import Faces
from ui.web.pages import Focus


@pytest.mark.parametrize("game_id", GAMES)
def test_every_choice_is_listed_or_lies_at_a_place_or_in_the_hand(game_id, table_with_phones):
    table = table_with_phones(game_id, fewest_seats(game_id))
    random = Random(7)

    def is_on_board(site: str) -> bool:
        return site_centre(table.presenter.board, site) is not None

    for _action in range(120):
        if table.session.is_over:
            break
        views = PhoneViews(table.presenter, ClosedPieces(table.session, []))
        for choice in views.choices(table.session.actors[0]):
            assert choice.is_usual or choice.piece or any(is_on_board(site) for site in choice.sites), choice
        table.presenter.act(random.choice(table.presenter.legal))


def test_a_card_that_cannot_be_played_says_why(table_with_phones):
    table = table_with_phones("thurn_and_taxis", 2)
    for text in DEALT:
        table.presenter.act(table.session.game.parse_action(text, table.session.state))
    phone = table.phone(1)
    page = phone.get("/?piece=Ulm")
    assert "Ulm: why not?" in page.text
    assert "No road joins Ulm to Linz, where that end of the route lies." in page.text
    assert "Discard Ulm" not in page.text
    assert "why not?" not in table.phone(2).get("/?piece=Ulm").text


def test_places_to_choose_from_have_their_names():
    board, faces = print_and_play_board("thurn_and_taxis"), Faces(None, None)
    sites = sorted(
        "city/" + spot.site.partition("/")[2] for spot in board.spots.values() if spot.site.startswith("blue/")
    )
    choices = tuple(PhoneChoice(site, site, "Place a house", (site,)) for site in sites)
    view = PhoneView("", "", seat=1, is_mine=True, choices=choices)
    part = ChoicesPart(view, looked_at(view, Focus(kind="Place a house"), ()), board, faces, "blue")
    names = re.findall("<option[^>]*>([^<]*)", part.html())
    assert len(names) == len(sites) > MOST_LISTED
    assert "Zürich" in names
    assert not [name for name in names if "/" in name]


DEALT = (
    "show Ulm", "show Lodz", "show Basel", "show Linz", "show Pilsen", "show Passau",
    "take Ulm", "show Kempten", "take Linz", "show Ulm", "play Linz new", "end",
    "take Lodz", "show Nuernberg", "take Pilsen", "show Basel", "play Lodz new", "end",
    "take Basel", "show Mannheim",
)  # fmt: skip
