"""The newest of every table: what counts as a change, in what order cards stand, whose turn it is on the big screen."""

from companion.publishing.table_state import PublishedPlayer, TableState
from ui.hub.batches import Reason
from ui.hub.boards import Boards
from ui.hub.cards import ALL_COUNT, SOME, HubCards, Size, with_minutes
from ui.hub.overview import SECONDS_UNTIL_SILENT, Overview, ShownTable, Situation, by_urgency
from ui.hub.refused_page import reasons
from ui.hub.screen_page import SECONDS_EACH, table_at
from ui.services.text import use_language
from ui.web.markup import Html


def playing(table_id: str, place: int, **more) -> ShownTable:
    return ShownTable(table_id, place, game="g", is_silent=False, is_online=True, **more)


def test_only_what_pages_show_is_a_change():
    overview = Overview()
    overview.put(playing("a", 1), 0.0)
    overview.put(playing("b", 2), 0.0)
    revision = overview.revision
    overview.put(playing("a", 1, heard=5.0), 5.0)
    overview.hear("a", 6.0)
    assert overview.revision == revision
    assert overview.table("a").heard == 6.0
    overview.put(playing("a", 1, wants_help=True), 7.0)
    at, changed, removed = overview.changed_since(revision)
    assert [table.table_id for table in changed] == ["a"]
    overview.remove("b")
    assert overview.changed_since(at) == (at + 1, [], ["b"])
    counts = overview.counts()
    assert (counts[Situation.HELP], counts[Situation.PLAYING], removed) == (1, 0, [])


def test_a_table_of_which_nothing_is_heard_falls_silent_and_wakes_up():
    overview = Overview()
    overview.put(playing("a", 1, heard=100.0), 100.0)
    overview.find_silent(100.0 + SECONDS_UNTIL_SILENT)
    assert overview.table("a").situation is Situation.PLAYING
    overview.find_silent(101.0 + SECONDS_UNTIL_SILENT)
    assert overview.table("a").situation is Situation.SILENT
    overview.hear("a", 200.0)
    assert overview.table("a").situation is Situation.PLAYING
    overview.find_silent(200.0 - 7200.0)  # the hub's clock was put back by two hours
    assert overview.table("a").situation is Situation.SILENT
    overview.hear("a", 210.0 - 7200.0)
    overview.find_silent(211.0 - 7200.0)
    assert overview.table("a").situation is Situation.PLAYING


def test_help_comes_first_and_the_oldest_call_before_all():
    overview = Overview()
    overview.put(playing("late", 1, wants_help=True), 20.0)
    overview.put(playing("early", 2, wants_help=True), 10.0)
    overview.put(playing("quarrel", 3, is_disputed=True), 5.0)
    overview.put(playing("over", 4, is_over=True), 0.0)
    overview.put(ShownTable("gone", 5, game="g"), 0.0)
    overview.put(playing("calm", 6), 0.0)
    overview.put(ShownTable("free", 7, is_silent=False), 0.0)
    order = [table.table_id for table in sorted(overview.all(), key=by_urgency)]
    assert order == ["early", "late", "quarrel", "gone", "calm", "over", "free"]


def test_a_call_that_was_not_heard_of_for_a_while_is_as_old_as_it_is():
    overview, asking = Overview(), TableState(help=True, game="g", rules="capitol")
    overview.put(playing("early", 1, heard=10.0).told(1, "{}", asking, 10.0), 10.0)
    overview.put(playing("late", 2, heard=20.0).told(1, "{}", asking, 20.0), 20.0)
    overview.hear("late", 60.0)
    overview.find_silent(60.0)
    silent = overview.table("early")
    assert (silent.situation, silent.since) == (Situation.SILENT, 10.0)
    overview.hear("early", 61.0)
    assert [table.table_id for table in sorted(overview.all(), key=by_urgency)] == ["early", "late"]
    assert overview.table("early").since == 10.0


def test_the_minutes_of_a_card_go_on_while_nothing_else_changes():
    now = [1000.0]
    cards = HubCards(Boards(draws=False), lambda: now[0])
    silent = ShownTable("a", 1, game="g", heard=900.0, since=900.0)
    calling = playing("b", 2, wants_help=True, is_judge_coming=True, since=900.0)
    shown = [cards.card(table, Size.SMALL, organises=False) for table in (silent, calling)]
    assert all("1 min" in card for card in shown)
    now[0] += 300.0
    shown = [cards.card(table, Size.SMALL, organises=False) for table in (silent, calling)]
    assert all("6 min" in card for card in shown)


def test_a_card_of_which_nothing_has_changed_is_not_made_again(monkeypatch):
    made = []
    monkeypatch.setattr("ui.hub.cards.pill", lambda table, now: made.append(now) or Html("pill"))
    now = [1000.0]
    cards = HubCards(Boards(draws=False), lambda: now[0])
    table = playing("a", 1, began=1000.0)
    first = cards.card(table, Size.ROW, organises=True)
    now[0] += 59.0
    assert cards.card(table, Size.ROW, organises=True) is first
    assert made == [1000.0]
    now[0] += 1.0
    assert "1 min" in cards.card(table, Size.ROW, organises=True)
    assert made == [1000.0, 1060.0]
    calling = playing("b", 2, wants_help=True, since=1060.0)
    assert "asks for the judge" in cards.card(calling, Size.ROW, organises=True)
    use_language("de")
    try:
        assert "asks" not in cards.card(calling, Size.ROW, organises=True)
    finally:
        use_language("en")


def test_of_many_tables_those_count_minutes_that_wait_for_somebody():
    few = [playing(str(number), number) for number in range(ALL_COUNT)]
    assert with_minutes(few) == few
    silent, calling = ShownTable("gone", 999, game="g"), playing("asks", 998, wants_help=True)
    assert with_minutes([*few, silent, calling]) == [calling, silent]
    assert len(with_minutes([ShownTable(str(number), number, game="g") for number in range(2000)])) == SOME


def test_a_new_game_begins_anew_and_an_answered_call_is_forgotten():
    first = TableState(help=True, game="one", rules="capitol", players=(PublishedPlayer(1, "red", "Ann", 3, 1),))
    table = playing("a", 1).told(1, "{}", first, 10.0)
    coming = ShownTable(**{name: getattr(table, name) for name in table.__slots__} | {"is_judge_coming": True})
    same = coming.told(2, "{}", TableState(help=True, game="one", rules="capitol"), 20.0)
    assert (same.began, same.is_judge_coming) == (10.0, True)
    other = same.told(3, "{}", TableState(game="two", rules="capitol"), 30.0)
    assert (other.began, other.is_judge_coming) == (30.0, False)


def test_the_big_screen_leafs_through_tables_that_play():
    tables = [playing("b", 2), playing("a", 1, wants_help=True), ShownTable("gone", 3, game="g")]
    shown = [table_at(tables, turn * SECONDS_EACH).table_id for turn in range(3)]
    assert shown == ["a", "b", "a"]
    assert table_at([], 0.0) is None


def test_every_reason_has_words():
    assert set(reasons()) == set(Reason)
