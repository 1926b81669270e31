"""Help with the rules, without a screen."""

import pytest

from companion.registry import GAMES, load_game
from companion.wording.guide import game_guide
from ui.menus.rules_help import PLAY, RULINGS, RulesHelp
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
        assert known.source in rule.source


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
    assert "IT" in help_.view().note
    help_.search("20 below zero")
    assert opening in help_.view().rules


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_topic_of_a_guide_has_a_name_and_rules(game_id):
    guide = game_guide(game_id)
    named = {guide.topic(rule) for rule in load_game(game_id).rulebook.rules}
    assert named == set(guide.topics.values())


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
