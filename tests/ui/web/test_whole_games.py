"""Whole games played on phones alone, hands told on their own phones, to the final score on every page."""

from random import Random

import pytest

from companion.session.session import Session
from companion.session.viewing import Viewer, ViewerKind
from tests.tables import table_of
from tests.ui.web.visiting import PhoneTable
from ui.web.posts import Deed, Post

MOST_TAPS = 300
"""after which the table stops early: random players never finish some games"""
LIKED = {"PlayWard": 6, "PlayPermit": 8, "Lay": 3, "Play": 4, "Close": 5, "House": 5, "Pass": 0.3, "Recall": 0}


class Players:
    """A phone at each seat, tapped on the table's thread as the routes hand it over."""

    def __init__(self, table: PhoneTable, seed: int) -> None:
        self.table, self.random, self.taps = table, Random(seed), 0
        self.phones = table.service._phones
        self.of_seat = {}
        for seat in table.session.table.seats:
            key = self.phones.roster.admit(self.phones.roster.token)
            table.tick()
            phone = self.phones.roster.phone_of(key)
            self.tap(phone, Deed.SEAT, str(seat))
            table.touch("Yes")
            self.of_seat[seat] = phone

    def tap(self, phone: str, deed: Deed, value: str = "", names: tuple[str, ...] = ()) -> None:
        self.taps += 1
        self.phones.do_and_show(phone, Post(deed, str(self.taps), self.table.session.state_id, value, names))

    def tell(self, seat: int) -> None:
        """The owner of a seat says what its pieces are, where that is open: by lot, as far as it can be."""
        closed = self.phones._views.closed
        log = closed.known_to(Viewer(ViewerKind.SEAT, seat))
        pieces = log.game.closed_pieces(log.state, seat)
        if all(piece.is_known for piece in pieces):
            return
        for _attempt in range(20):
            names = tuple(self.random.choice(piece.may_be) for piece in pieces)
            try:
                log.game.with_closed_pieces(self.table.session.state, seat, names)
            except ValueError:
                continue
            self.tap(self.of_seat[seat], Deed.HAND, "told", names)
            return

    def turn(self) -> None:
        """Whoever acts taps on one of the choices of the own page."""
        seat = self.table.session.actors[0]
        self.tell(seat)
        actions = self.phones._views.closed.own_actions(seat)
        weights = [LIKED.get(type(action).__name__, 1) + 0.01 for action in actions]
        action = self.random.choices(actions, weights)[0]
        before = self.table.session.state_id
        self.tap(self.of_seat[seat], Deed.CHOOSE, action.text)
        assert self.table.session.state_id == before + 1, (action.text, self.phones._phones[self.of_seat[seat]].state)


@pytest.mark.parametrize(
    ("game_id", "seats"), [("aqua_romana", 4), ("capitol", 2), ("city_of_marble", 3), ("thurn_and_taxis", 2)]
)
def test_a_whole_game_is_played_on_phones_alone(table_with_phones, game_id, seats):
    table = table_with_phones(session=Session.create(None, table_of(game_id, seats)))
    players = Players(table, 4)
    while table.session.actors and players.taps < MOST_TAPS:
        players.turn()
    if table.session.actors:
        table.presenter.on_end_early("Time is up")
        table.tick()
    assert table.session.is_over
    assert {entry.source for entry in table.session.entries if entry.action} == {"phone"}
    score = table.presenter.view().score
    for phone in players.of_seat.values():
        view = players.phones.roster.shown(phone).view
        assert view.score == score
        assert view.choices == ()
    totals = [player.points for player in table.presenter.view().players]
    assert sorted(points for _seat, _name, points, _rank in score.ranking) == sorted(totals)
