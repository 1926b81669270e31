"""What may be done now: listed once a state, narrowed by touch, suggested one after the other."""

from __future__ import annotations

from companion.session.session import Session
from companion.wording.texts import GameTexts
from tests.tables import table_of
from ui.services.text import translated_texts
from ui.table.legal_choices import LegalChoices, concerned_sites


def begun() -> tuple[Session, LegalChoices, GameTexts]:
    session = Session.create(None, table_of("city_of_marble", 2))
    return session, LegalChoices(session), translated_texts("city_of_marble")


def test_the_same_legal_actions_are_given_until_the_state_is_another_one() -> None:
    session, offers, _texts = begun()
    first = offers.legal
    assert list(first) == session.legal_actions()
    assert offers.legal is first
    session.submit(first[0])
    assert list(offers.legal) == session.legal_actions()
    assert offers.legal is not first
    session.undo()
    assert list(offers.legal) == list(first)


def test_nothing_is_offered_once_the_table_has_ended_early() -> None:
    session, offers, texts = begun()
    offers.are_shown = True
    assert offers.choices(texts)
    session.end_early("time is up")
    assert offers.legal == ()
    assert offers.choices(texts) == ()


def test_a_touched_site_leaves_what_concerns_it_and_touched_again_all_that_is_unseen() -> None:
    session, offers, texts = begun()
    kinds = session.game.info.unseen
    action = next(action for action in offers.legal if not isinstance(action, kinds) and offers.sites(action))
    assert action.text not in {choice.key for choice in offers.choices(texts)}
    site = next(iter(sorted(offers.sites(action))))
    offers.mark(site)
    assert action.text in {choice.key for choice in offers.choices(texts)}
    assert offers.possible_sites() == {site}
    offers.mark(site)
    assert [choice.key for choice in offers.choices(texts)] == [each.text for each in offers.unseen]
    assert offers.possible_sites() == frozenset()


def test_the_sites_of_an_action_follow_the_state() -> None:
    session, offers, _texts = begun()
    for number in range(12):
        for action in offers.legal[:: 7 + number]:
            assert offers.sites(action) == concerned_sites(session, action)
        session.submit(offers.legal[number % len(offers.legal)])


def test_suggestions_go_round_and_end_with_the_state() -> None:
    session, offers, _texts = begun()
    unseen = offers.unseen
    assert offers.suggested is None
    for action in (*unseen, unseen[0]):
        offers.suggest_next()
        assert offers.suggested == action
    session.submit(unseen[0])
    offers.forget()
    assert offers.suggested is None


def test_places_of_a_map_are_found_by_their_names() -> None:
    session = Session.create(None, table_of("thurn_and_taxis", 2))
    offers, texts = LegalChoices(session), translated_texts("thurn_and_taxis")
    offers.are_shown = True
    assert offers.possible_sites() == set(session.table.board.groups["city"].sites)
    offers.mark("city/Ulm")
    assert [choice.key for choice in offers.choices(texts) if choice.is_meant] == ["show Ulm"]
