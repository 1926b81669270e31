"""What the pages of phones weigh, with their style, wherever a game has come to and whatever is looked at."""

import re
from dataclasses import replace
from html import unescape
from random import Random
from urllib.parse import parse_qsl, urlsplit

import pytest

from companion.registry import GAMES, load_game
from companion.session.session import Session
from tests.tables import table_of
from tests.ui.web.test_whole_games import Players
from tests.ui.web.visiting import PhoneTable
from ui.services.text import use_language
from ui.view_models.play_view import VerdictKind
from ui.web.pages import focus_of
from ui.web.posts import Deed
from ui.web.site import Site

HEAVIEST = 40_000
"""bytes of a page with its style, before it is compressed"""
NAMES = ("Annemarie", "Bartholomew", "Caterina", "Friedrich", "Guglielmo")
LANGUAGES = ("en", "de", "it")
MOST_ACTIONS = 300
"""after which a game of random players is left"""


class Weighing:
    """Phones that play a game, and what their pages weigh on the way."""

    def __init__(self, table: PhoneTable, seed: int) -> None:
        self.table, self.chance, self.players = table, Random(seed), Players(table, seed)
        self.site = Site(self.players.phones, None, None, hosts=frozenset(), port=0)
        self.heaviest = 0, ""

    def page(self, seat: int, address: str = "/") -> str:
        """A page of the phone at a seat; it is weighed."""
        phone, focus = self.players.of_seat[seat], focus_of(dict(parse_qsl(urlsplit(address).query)))
        more = self.players.phones.forbidden_at(phone, focus.site, focus.piece) if focus.site else ()
        page = self.site.whole(phone, focus, more, "n" * 22)
        self.heaviest = max(self.heaviest, (len(page.encode()), f"{address} of {seat} at {self._state}"))
        return page

    @property
    def _state(self) -> int:
        return self.table.session.state_id

    def look_around(self, language: str) -> None:
        """All that the phone that acts can look at: each kind of choices, a place, a card, why not elsewhere."""
        use_language(language)
        seat = self.table.session.actors[0]
        for shows_all in (False, True):
            if self.table.presenter.shows_all != shows_all:
                self.players.tap(self.players.of_seat[seat], Deed.BUTTON, "help")
            assert self.table.presenter.shows_all == shows_all
            page = self.page(seat)
            for name in ("kind", "site", "piece"):
                found = [unescape(each) for each in re.findall(rf'href="(/?\?{name}=[^"#]*)', page)]
                for address in found if name == "kind" else self.chance.sample(found, min(2, len(found))):
                    self.page(seat, address)
            self._be_refused(seat)
        self.page(seat, "/?look=board")
        self.page(seat, "/?look=history")
        self.page(seat % len(self.table.session.table.players) + 1)
        use_language("en")

    def _be_refused(self, seat: int) -> None:
        """Touch a place where nothing may be done, choose it all the same, and put the refusal away."""
        anywhere = sorted({spot.site for spot in self.table.presenter.board.spots.values()})
        site, phone = self.chance.choice(anywhere), self.players.of_seat[seat]
        self.page(seat, f"/?site={site}")
        forbidden = self.players.phones.forbidden_at(phone, site)
        if forbidden:
            self.players.tap(phone, Deed.CHOOSE, self.chance.choice(forbidden).key)
            self.page(seat)
            if self.players.phones.roster.shown(phone).view.verdict.kind is VerdictKind.REFUSED:
                self.players.tap(phone, Deed.BUTTON, "no")

    def play(self, every: int, languages: tuple[str, ...] = LANGUAGES) -> None:
        """Play on, and look around after every so many actions, before hands are told and after, in turn."""
        while self.table.session.actors and self._state < MOST_ACTIONS:
            if self._state % every == 0:
                for language in languages:
                    self.look_around(language)
            if self._state % 3 == 0:
                self.players.tell(self.table.session.actors[0])
            self.players.turn()


def game_of(game_id: str, seats: int) -> Session:
    """A game of players with names of some length."""
    table = table_of(game_id, seats)
    named = (replace(player, name=name) for player, name in zip(table.players, NAMES, strict=False))
    return Session.create(None, replace(table, players=tuple(named)))


@pytest.mark.parametrize("game_id", GAMES)
def test_every_page_of_a_game_is_small_also_with_all_that_may_be_done(table_with_phones, game_id):
    weighing = Weighing(table_with_phones(session=game_of(game_id, load_game(game_id).info.seats[1]), art=True), 3)
    weighing.play(40)
    assert weighing.heaviest[0] <= HEAVIEST, weighing.heaviest
