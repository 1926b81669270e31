"""Help with the rules, without a screen."""

import pytest

from companion.frozen import FrozenDict
from companion.registry import GAMES, load_game, print_and_play_board
from companion.table import Player, Table
from companion.wording.guide import game_guide
from ui.menus.rules_help import PLAY, RULINGS, RulesHelp
from ui.services.sources import spelled_sources
from ui.services.text import LANGUAGES, use_language


@pytest.fixture(autouse=True)
def english():
    yield
    use_language("en")


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_rule_and_ruling_is_under_one_topic_with_its_source(game_id):
    book, help_ = load_game(game_id).rulebook, RulesHelp(game_id)
    found = []
    assert help_.view().topics[0].key == PLAY
    for topic in help_.view().topics[1:]:
        help_.choose_topic(topic.key)
        found += help_.view().rules
    usual = [rule.id for rule in book.rules.values() if rule.stated(book.defaults())]
    assert len(usual) > 0.8 * len(book.rules)
    assert sorted(rule.id for rule in found) == sorted((*usual, *book.rulings))
    for rule in found:
        assert rule.title
        assert rule.text
        known = book.rules.get(rule.id) or book.rulings[rule.id]
        assert spelled_sources(known.source) in rule.source


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", list(GAMES))
def test_rules_read_whole_where_no_case_is_at_hand(game_id, language):
    use_language(language)
    help_ = RulesHelp(game_id)
    for topic in help_.view().topics:
        help_.choose_topic(topic.key)
        for rule in help_.view().rules:
            assert rule.text
            assert not set("{}…") & set(rule.title + rule.text)


def test_help_begins_with_how_the_game_is_played():
    help_ = RulesHelp("thurn_and_taxis")
    (opening,) = help_.view().rules
    assert "20 below zero" in opening.text
    assert "where it stands" in help_.view().note
    help_.search("20 below zero")
    assert opening in help_.view().rules


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_topic_of_a_guide_has_a_name_and_rules(game_id):
    guide = game_guide(game_id)
    named = {guide.topic(rule) for rule in load_game(game_id).rulebook.rules}
    unlike = sorted(named ^ set(guide.topics.values()))
    assert not unlike, f"[topic] of guide.toml and the ids of rules do not agree about {', '.join(unlike)}"


def test_words_are_searched_in_all_topics_and_a_topic_ends_the_search():
    help_ = RulesHelp("city_of_marble")
    help_.choose_topic("Coins")
    help_.search("  FOUNTAIN coin ")
    found = help_.view()
    assert "COM-COIN-1" in {rule.id for rule in found.rules}
    assert all("fountain" in (rule.title + rule.text).casefold() for rule in found.rules)
    assert found.rules
    assert not any(topic.chosen for topic in found.topics)
    help_.choose_topic(RULINGS)
    assert {rule.id for rule in help_.view().rules} == set(load_game("city_of_marble").rulebook.rulings)


def test_a_rule_is_found_by_its_id():
    help_ = RulesHelp("city_of_marble")
    help_.search("com-ward-4")
    assert [rule.id for rule in help_.view().rules] == ["COM-WARD-4"]


def test_words_that_no_rule_has_are_told():
    help_ = RulesHelp("capitol")
    help_.search("zeppelin")
    assert help_.view().rules == ()
    assert "zeppelin" in help_.view().note
    help_.choose_game("aqua_romana")
    assert help_.view().games[2].chosen


def test_the_rules_of_an_open_table_are_those_of_its_rulings() -> None:
    board = print_and_play_board("city_of_marble")
    book = load_game("city_of_marble").rulebook
    players = (Player("Ada", board.palette[0]), Player("Bea", board.palette[1]))
    rulings = book.chosen({"collecting": "optional", "line_onto_source": "forbidden"})
    table = Table("city_of_marble", players, rulings, FrozenDict(), board)
    help_ = RulesHelp(table=table)
    assert help_.game == "city_of_marble"
    help_.search("com-imp-7")
    assert [rule.id for rule in help_.view().rules] == ["COM-IMP-7"], "a rule only under this table's ruling"
    help_.search("com-imp-1 may")
    assert [rule.id for rule in help_.view().rules] == ["COM-IMP-1"]
    help_.choose_topic(RULINGS)
    (collecting,) = [rule for rule in help_.view().rules if rule.id == "collecting"]
    assert "come home. (this table's)" in collecting.text
    assert "(usual)" in collecting.text
    assert "the table that is open" in help_.view().note
    help_.choose_game("capitol")
    assert "the table that is open" not in help_.view().note


@pytest.mark.parametrize("game_id", list(GAMES))
def test_no_rule_is_stated_twice_and_no_source_names_an_id_of_a_ruling(game_id: str) -> None:
    book = load_game(game_id).rulebook
    stated = [text for rule in book.rules.values() if (text := rule.stated(book.defaults()))]
    assert len(stated) == len(set(stated))
    for rule in book.rules.values():
        assert not any(f" {ruling}" in f" {rule.source}" for ruling in book.rulings if "_" in ruling)


def test_an_open_table_has_no_rules_of_what_it_does_not_play() -> None:
    board = print_and_play_board("thurn_and_taxis")
    book = load_game("thurn_and_taxis").rulebook
    players = (Player("Ada", board.palette[0]), Player("Bea", board.palette[1]))

    def found(modules: str) -> set[str]:
        table = Table(
            "thurn_and_taxis", players, book.defaults(), FrozenDict[str, tuple[str, ...]](modules=(modules,)), board
        )
        help_ = RulesHelp(table=table)
        ids: set[str] = set()
        for topic in help_.view().topics:
            help_.choose_topic(topic.key)
            ids |= {rule.id for rule in help_.view().rules}
        return ids

    assert not any(name.startswith("ARR-") or name in ("chips", "fifth_rank") for name in found("none"))
    assert {"ARR-MOVE-5", "fifth_rank"} <= found("audience")
    assert not {"ARR-OFFICE-1", "chips"} & found("audience")
    assert {"ARR-MOVE-5", "fifth_rank", "ARR-OFFICE-1", "chips", "TT-TURN-1"} <= found("both")


def test_a_search_gives_the_rules_found_before_how_the_game_is_played_and_says_how_many():
    help_ = RulesHelp("city_of_marble")
    help_.search("magistrate")
    view = help_.view()
    assert view.rules[-1].id == PLAY
    assert len(view.rules) > 2
    assert view.count == f"{len(view.rules)} rules have these words."
    help_.choose_topic(PLAY)
    assert not help_.view().count
