"""The same public game with two different closed hands: every byte to everybody but their owner is the same."""

from datetime import UTC, datetime
from random import Random

import pytest

from companion.session.session import Session
from companion.session.viewing import Viewer, ViewerKind
from tests.tables import table_of
from tests.ui.web.visiting import Phone, PhoneTable
from ui.hardware.lamps import seat_states
from ui.services.speech import announcement
from ui.table.table_menu import TableMenu

OWNER = Viewer(ViewerKind.SEAT, 2)
STARTS = {
    "capitol": None,
    "thurn_and_taxis": {
        "display": ["Ulm", "Basel", "Lodz", "Linz", "Passau", "Pilsen"],
        "player": {"1": {"hand": ["?", "Mannheim"]}, "2": {"hand": ["?", "?", "Kempten"]}},
    },
    "city_of_marble": {"player": {"1": {"bridges": 1}, "2": {"bridges": 3}}},
}


class Evening:
    """One table with a phone at each of two seats and a spectator."""

    def __init__(self, table: PhoneTable, random: Random) -> None:
        self.table, self.random = table, random
        self.phones = [table.phone(1), table.phone(2)]
        self.spectator = table.phone()

    def tell(self, seat: int, random: Random) -> None:
        """The owner of a seat says what its closed pieces are, where that is not known: by lot."""
        closed = self.table.service._phones._views.closed
        log = closed.known_to(Viewer(ViewerKind.SEAT, seat))
        pieces = log.game.closed_pieces(log.state, seat)
        if all(piece.is_known for piece in pieces):
            return
        for _attempt in range(100):
            names = tuple(random.choice(piece.may_be) for piece in pieces)
            try:
                log.game.with_closed_pieces(log.state, seat, names)
            except ValueError:
                continue
            self.phones[seat - 1].post(hand="told", piece=list(names))
            return

    def own(self) -> list[str]:
        """What the seat that acts may choose, on its phone."""
        views = self.table.service._phones._views
        (seat, *_others) = self.table.session.actors
        return [action.text for action in views.closed.own_actions(seat)]

    def public(self) -> dict[str, str]:
        """All that anybody but the owner of seat 2 is shown, told or given."""
        presenter, session = self.table.presenter, self.table.session
        menu = TableMenu(presenter, lambda: None)
        pages = {}
        for page in ("open", "history", "secrets", "end"):
            menu.touch("page", page)
            pages[page] = repr(menu.rows())
        return pages | {
            "phone of seat 1": self.page(self.phones[0]),
            "phone of a spectator": self.page(self.spectator),
            "tablet": repr(presenter.view()),
            "record": session.export(),
            "broker": repr(seat_states(presenter.view(), {1, 2})),
            "voice": announcement(presenter.view(), "all"),
            "legal": repr(presenter.legal),
        }

    def page(self, phone: Phone) -> str:
        answer = phone.get()
        assert answer.status == 200
        headers = {name: value for name, value in answer.headers.items() if name != "date"}
        return f"{headers}{answer.body}"


@pytest.fixture
def evenings(tmp_path, table_with_phones):
    """The same game twice, its owner of seat 2 dealt other pieces each time."""

    def begin(game_id: str, start=None) -> tuple[Evening, Evening]:
        noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
        pair = []
        for world in (1, 2):
            game = table_of(game_id, 2), start or STARTS[game_id]
            session = Session.create(None, *game, clock=lambda: noon, game_id="game")
            folder = tmp_path / str(world)
            folder.mkdir()
            pair.append(Evening(PhoneTable(folder, session=session, plain=True, art=True), Random(world)))
        return pair[0], pair[1]

    return begin


@pytest.mark.parametrize("game_id", STARTS)
def test_every_byte_to_everybody_else_is_equal(evenings, caplog, game_id):
    caplog.set_level("DEBUG")
    one, other = evenings(game_id)
    public = Random(5)
    differed = 0
    try:
        for _turn in range(9):
            common = public.random()
            for evening in (one, other):
                evening.tell(1, Random(common))
                evening.tell(2, evening.random)
            assert one.public() == other.public()
            hands = [each.table.service._phones._views.hand(2) for each in (one, other)]
            differed += hands[0] != hands[1]
            both = [key for key in one.own() if key in set(other.own())]
            if not both:
                break
            key = public.choice(["take deck"] if "take deck" in both and public.random() < 0.5 else both)
            seat = one.table.session.actors[0]
            for evening in (one, other):
                evening.phones[seat - 1].post(choose=key)
            assert one.table.session.entries[-1].action == key
        for evening in (one, other):
            secret = {piece.name for piece in evening.table.service._phones._views.hand(2)}
            assert evening.table.session.actors
            assert not any(f"'{name}'" in record.getMessage() for name in secret for record in caplog.records)
    finally:
        for evening in (one, other):
            evening.table.close()
    assert differed > 1


@pytest.mark.parametrize(
    ("action", "rule"),
    [
        ("floor-8 nothing", "That cannot be floor card 8"),
        ("red-1 1-round Capitoline/1", "Capitoline is a white area"),
        ("red 1-round Capitoline/1", "Capitoline is a white area"),
    ],
)
def test_what_is_refused_on_a_phone_says_nothing_more_to_the_table(evenings, action, rule):
    one, other = evenings("capitol")
    hands = (
        ("floor-1", "floor-2", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2"),
        ("floor-3", "floor-4", "black-1", "black-2", "white-5", "white-6", "roof-3", "roof-4"),
    )
    try:
        for evening, hand in zip((one, other), hands, strict=True):
            evening.phones[0].post(choose="pass")
            evening.phones[1].post(hand="told", piece=list(hand))
            answer = evening.phones[1].post(choose=action)
            assert "is not allowed" in answer.text
            assert len(evening.table.session.entries) == 1
        assert rule in one.phones[1].get().text
        assert one.public() == other.public()
        assert "Refused on the phone." in one.public()["tablet"]
    finally:
        for evening in (one, other):
            evening.table.close()


BID = ("pass", "pass", "ready 1", "ready 2", "senator")
FLOORS = "floor-1", "floor-2", "red-1", "red-2", "white-3", "white-4", "roof-1", "roof-2"
OTHERS = "floor-3", "floor-4", "black-1", "black-2", "white-5", "white-6", "roof-3", "roof-4"
REVEALING = {"stage": "reveal", "player": {"1": {"bridges": 0}, "2": {"bridges": 3}}}


@pytest.mark.parametrize(
    ("game_id", "start", "before", "hands", "refused", "reveals"),
    [
        (
            "city_of_marble", REVEALING, (), (("1", "2", "2"), ("3", "4", "4")),
            [("bridges 1 1 2", "bridges 3 3 4"), ("bridges 1 2 9", "bridges 3 4 9"), ("bridges 1", "bridges 3 3")],
            ("bridges 1 2 2", "bridges 3 4 4"),
        ),
        (
            "capitol", None, BID, (FLOORS, OTHERS),
            [("reveal floor-8", "reveal floor-7"), ("reveal floor-9", "reveal roof-9")],
            ("reveal floor-2", "reveal roof-3"),
        ),
    ],
    ids=["bridge tiles", "a bid"],
)  # fmt: skip
def test_bridge_tiles_and_bids_are_told_to_nobody_before_they_are_turned_over(
    evenings, game_id, start, before, hands, refused, reveals
):
    pair = evenings(game_id, start)
    try:
        for evening in pair:
            for action in before:
                evening.table.presenter.act(
                    evening.table.session.game.parse_action(action, evening.table.session.state)
                )
            evening.table.tick()
            assert evening.table.session.actors == (2,)
        for evening, hand in zip(pair, hands, strict=True):
            evening.phones[1].post(hand="told", piece=list(hand))
        assert pair[0].public() == pair[1].public()
        for tried in refused:
            for evening, action in zip(pair, tried, strict=True):
                assert "is not allowed" in evening.phones[1].post(choose=action).text
                assert len(evening.table.session.entries) == len(before)
            assert pair[0].public() == pair[1].public(), tried
        for evening, action in zip(pair, reveals, strict=True):
            evening.phones[1].post(choose=action)
            assert evening.table.session.entries[-1].action == action
        assert pair[0].public() != pair[1].public()
    finally:
        for evening in pair:
            evening.table.close()


def test_told_bridge_tiles_are_offered_as_they_are_at_once(table_with_phones):
    table = table_with_phones(session=Session.create(None, table_of("city_of_marble", 2), REVEALING))
    phone = table.phone(2)
    phone.post(hand="told", piece=["1", "2", "2"])
    assert phone.get().values("choose") == ["bridges 1 2 2"]
