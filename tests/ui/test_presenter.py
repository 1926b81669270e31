"""A table without a screen: what presses, touches and sights do to the record and to the view."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from companion.engine import legal_actions
from companion.session.intents import Intent, IntentKind, IntentResult, Source
from companion.session.session import Session
from tests.every_game import fewest_seats
from tests.session.evenings import clock, play
from tests.tables import sight, table_of
from ui.table.presenter import Presenter
from ui.table.pressing import JUST_NOW, STALE
from ui.view_models.play_view import PieceState, PlayView, VerdictKind


class WatchedTable:
    """A presenter with a clock that the test winds, and a table seen by a good camera."""

    def __init__(self, game: str = "city_of_marble") -> None:
        self.now = 100.0
        self.session = Session.create(None, table_of(game, fewest_seats(game)))
        self.presenter = Presenter(self.session, clock=lambda: self.now)
        self.look = dict(self.session.game.appearance(self.session.state))

    @property
    def view(self) -> PlayView:
        return self.presenter.view()

    @property
    def actions(self) -> list[str]:
        return [entry.summary for entry in self.session.entries]

    def lay(self, pieces: Mapping[str, str]) -> None:
        self.look.update(pieces)

    def see(self, seconds: float = 0.5, **options: Any) -> None:
        self.now += seconds
        board = self.session.table.board
        self.presenter.on_observation(sight(board, self.look, time=self.now, **options))

    def press(self, kind: IntentKind, seat: int | None = None) -> IntentResult:
        self.now += 0.1
        return self.presenter.on_intent(Intent(kind, seat))

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.presenter.on_tick()


def test_a_ward_seen_twice_is_recorded_and_marked_as_the_latest() -> None:
    evening = WatchedTable()
    evening.lay({"ward E8-F8": "red"})
    evening.see()
    assert evening.view.verdict is not None
    assert evening.view.verdict.kind is VerdictKind.PROPOSED
    assert evening.actions == []
    evening.see()
    assert evening.actions == ["ward E8-F8 red"]
    assert ("ward E8-F8", PieceState.LATEST) in {(piece.spot, piece.state) for piece in evening.view.pieces}


def test_a_press_records_what_is_proposed_without_waiting_for_a_second_look() -> None:
    evening = WatchedTable()
    evening.lay({"ward E8-F8": "red"})
    evening.see()
    evening.press(IntentKind.DONE, seat=1)
    evening.see(0.1)
    assert evening.actions == ["ward E8-F8 red"]
    assert evening.view.verdict is not None
    assert evening.view.verdict.kind is VerdictKind.ACCEPTED


def test_a_press_under_a_hand_waits_for_it_and_says_so() -> None:
    evening = WatchedTable()
    evening.see(quiet=False, covered=frozenset({"ward E8-F8"}))
    evening.press(IntentKind.DONE, seat=1)
    assert evening.view.verdict is not None
    assert "hand" in evening.view.verdict.headline
    evening.lay({"ward E8-F8": "red"})
    evening.see(2.0)
    assert evening.actions == ["ward E8-F8 red"]


def test_one_press_records_the_last_action_and_ends_the_turn() -> None:
    evening = WatchedTable()
    evening.presenter.act(evening.session.game.parse_action("draw red blue", evening.session.state))
    evening.lay({"ward E8-F8": "red"})
    evening.see()
    evening.press(IntentKind.DONE, seat=1)
    evening.see(0.1)
    assert evening.actions == ["draw red blue", "ward E8-F8 red", "end"]


@pytest.mark.parametrize("source", [Source.TOUCH, Source.BOX, Source.PHONE])
def test_the_record_says_with_what_a_turn_was_ended_and_a_suggestion_taken(source: Source) -> None:
    evening = WatchedTable()
    evening.presenter.on_intent(Intent(IntentKind.NEXT, 1, source=source))
    evening.presenter.on_intent(Intent(IntentKind.DONE, 1, source=source))
    evening.presenter.act(evening.session.game.parse_action("draw red blue", evening.session.state))
    evening.presenter.on_intent(Intent(IntentKind.DONE, 1, source=source))
    recorded = [(entry.action, entry.source) for entry in evening.session.entries]
    assert recorded[1:] == [("draw red blue", "touch"), ("end", source)]
    assert recorded[0][1] == source


def test_a_press_that_waits_for_the_camera_ends_the_turn_with_what_was_pressed() -> None:
    evening = WatchedTable()
    evening.presenter.act(evening.session.game.parse_action("draw red blue", evening.session.state))
    evening.lay({"ward E8-F8": "red"})
    evening.see()
    evening.now += 0.1
    waits = evening.presenter.on_intent(Intent(IntentKind.DONE, 1, source=Source.BOX))
    assert waits is IntentResult.WAITING
    evening.see(0.1)
    assert [entry.source for entry in evening.session.entries] == ["touch", "camera", "box"]


def test_a_press_that_confirms_does_not_also_keep_the_magistrates() -> None:
    evening = WatchedTable()
    game = evening.session.game
    for text in ("ward E9-E10 red", "draw red blue", "end", "ward F9-F10 blue", "draw red blue", "end"):
        evening.session.submit(game.parse_action(text, evening.session.state))
    evening.look = dict(game.appearance(evening.session.state))
    evening.lay({"ward F9-G8": "green", "magistrate F9-G8": "black"})
    evening.see()
    evening.press(IntentKind.DONE, seat=1)
    evening.see(0.1)
    assert evening.actions[-1] == "ward F9-G8 green magistrate"
    assert evening.view.prompt.startswith("Player 1: send")
    evening.press(IntentKind.DONE, seat=1)
    evening.see(JUST_NOW)
    assert evening.actions[-1] == "keep"


def test_an_illegal_ward_is_refused_with_its_rule_and_may_be_put_back_or_recorded() -> None:
    evening = WatchedTable()
    evening.lay({"ward G7-H7": "red"})
    evening.see()
    evening.see()
    verdict = evening.view.verdict
    assert verdict is not None
    assert verdict.kind is VerdictKind.REFUSED
    assert verdict.sentences[0][1].rule == "COM-WARD-3"
    assert verdict.spots == ("ward G7-H7",)
    assert [choice.key for choice in evening.view.choices] == ["put back", "record anyway"]
    evening.look.pop("ward G7-H7")
    evening.see()
    assert evening.view.verdict is not None
    assert evening.view.verdict.kind is VerdictKind.NOTE
    evening.lay({"ward G7-H7": "red"})
    evening.see()
    evening.see()
    evening.presenter.on_choice("record anyway")
    assert evening.session.entries[-1].kind == "override"
    assert "ward G7-H7" in {piece.spot for piece in evening.view.pieces}


def test_what_is_said_of_a_lost_camera_holds_until_it_shows_the_board_again() -> None:
    evening = WatchedTable()
    evening.see()
    evening.press(IntentKind.DONE, seat=1)
    evening.presenter.on_camera_lost("unplugged")
    assert evening.view.verdict is not None
    assert evening.view.verdict.headline == "The camera is lost. Press again to go on without it."
    evening.wait(2 * STALE)
    evening.see(quiet=False)
    assert evening.view.verdict is not None
    evening.see()
    assert evening.view.verdict is None


def test_a_touched_refusal_stays_until_it_is_answered() -> None:
    evening = WatchedTable()
    evening.presenter.act(evening.session.game.parse_action("draw red red", evening.session.state))
    evening.see()
    assert evening.view.verdict is not None
    assert evening.view.verdict.kind is VerdictKind.REFUSED
    evening.press(IntentKind.NO, seat=1)
    assert evening.actions == []
    assert evening.view.verdict.kind is VerdictKind.NOTE


def test_a_verdict_names_the_entry_it_judges_and_a_refusal_names_none() -> None:
    evening = WatchedTable()
    for action in ("draw red blue", "draw red red"):
        evening.presenter.act(evening.session.game.parse_action(action, evening.session.state))
        verdict, latest = evening.view.verdict, evening.session.moves[-1]
        assert verdict is not None
        assert verdict.entry == (latest.number if verdict.kind is VerdictKind.ACCEPTED else 0)
    assert verdict is not None
    assert verdict.kind is VerdictKind.REFUSED


def test_no_undoes_and_the_button_names_what() -> None:
    evening = WatchedTable()
    evening.presenter.on_choice("draw red blue")
    assert evening.view.undo == "Undo: Player 1: Draw red, blue"
    evening.press(IntentKind.NO, seat=1)
    assert evening.view.undo == ""
    assert evening.view.redo == "Redo: Player 1: Draw red, blue"
    evening.press(IntentKind.REDO)
    assert [line.undone for line in evening.view.log if line.kind == "action"] == [False]


def test_the_box_of_another_seat_cannot_end_this_turn() -> None:
    evening = WatchedTable()
    for text in ("draw red blue", "draw red blue"):
        evening.presenter.on_choice(text)
    evening.press(IntentKind.DONE, seat=2)
    assert evening.actions == ["draw red blue"] * 2
    assert evening.view.verdict is not None
    name = evening.presenter.session.table.players[1].name
    assert evening.view.verdict.headline == f"It is not {name}'s turn."


def test_the_box_of_another_seat_cannot_propose_what_this_one_does_next() -> None:
    evening = WatchedTable()
    proposed = evening.press(IntentKind.NEXT, seat=2)
    assert proposed is IntentResult.NOT_THIS_SEAT
    assert "Press done to record it" not in evening.view.prompt
    assert evening.press(IntentKind.NEXT, seat=1) is IntentResult.ACCEPTED


def test_each_seat_closes_its_own_bid_also_while_the_camera_looks() -> None:
    evening = WatchedTable("capitol")
    for text in ("pass", "pass"):
        evening.presenter.on_choice(text)
    bid = evening.presenter.session.entries[-1].number
    evening.press(IntentKind.DONE, seat=2)
    assert evening.actions[bid:] == ["ready 2"]
    evening.press(IntentKind.DONE, seat=2)
    assert evening.actions[bid:] == ["ready 2"]
    evening.press(IntentKind.UNDO)
    evening.see()
    evening.press(IntentKind.DONE, seat=2)
    evening.press(IntentKind.DONE, seat=1)
    evening.see()
    entries = [entry for entry in evening.session.entries[bid:] if entry.summary.startswith("ready")][-2:]
    assert [(entry.seat, entry.summary) for entry in entries] == [(2, "ready 2"), (1, "ready 1")]
    assert evening.session.game.decide(evening.session.state).step == "open"  # type: ignore[union-attr]


def test_a_press_ends_nothing_while_a_place_cannot_be_read_any_more_and_ends_it_when_pressed_again() -> None:
    evening = WatchedTable("capitol")
    evening.see()
    evening.see(covered=frozenset({"floor Palatine/3", "dome Palatine/3", "gable Palatine/3"}))
    evening.press(IntentKind.DONE, seat=1)
    evening.see(0.1, covered=frozenset({"floor Palatine/3", "dome Palatine/3", "gable Palatine/3"}))
    assert evening.actions == []
    assert evening.view.verdict is not None
    assert "Palatine/3" in evening.view.verdict.headline
    evening.press(IntentKind.DONE, seat=1)
    evening.see(0.1, covered=frozenset({"floor Palatine/3", "dome Palatine/3", "gable Palatine/3"}))
    assert evening.actions == ["pass"]


def test_next_offers_unseen_actions_one_by_one_and_done_records_one() -> None:
    evening = WatchedTable()
    evening.press(IntentKind.NEXT, seat=1)
    evening.press(IntentKind.NEXT, seat=1)
    assert evening.view.prompt.startswith("Draw red, green?")
    evening.press(IntentKind.DONE, seat=1)
    assert evening.actions == ["draw red green"]


def test_a_press_does_nothing_unseen_before_a_camera_that_is_silent_and_acts_at_once_without_one() -> None:
    evening = WatchedTable()
    for text in ("draw red blue", "draw red blue"):
        evening.presenter.on_choice(text)
    evening.see()
    evening.press(IntentKind.DONE, seat=1)
    evening.wait(STALE / 2)
    assert evening.actions[-1] == "draw red blue"
    evening.wait(STALE)
    assert evening.actions[-1] == "draw red blue"
    assert evening.view.eyes == "paused (does not answer)"
    evening.press(IntentKind.DONE, seat=1)
    assert evening.actions[-1] == "end"
    evening.presenter.on_camera_lost("unplugged")
    assert evening.view.eyes == "paused (unplugged)"
    for text in ("draw red blue", "draw red blue"):
        evening.presenter.on_choice(text)
    evening.press(IntentKind.DONE, seat=2)
    assert evening.actions[-1] == "end"


def test_help_lists_what_is_legal_and_a_touched_spot_narrows_it() -> None:
    evening = WatchedTable()
    assert all(choice.text.startswith("Draw") for choice in evening.view.choices)
    evening.press(IntentKind.HELP, seat=1)
    assert "E8-F8" in evening.view.legal_sites
    evening.presenter.on_site("E8-F8")
    assert evening.view.choices
    assert all(choice.sites for choice in evening.view.choices)


def test_what_is_still_to_be_placed_is_owed_in_prompt_and_picture() -> None:
    evening = WatchedTable()
    evening.see()
    evening.presenter.on_choice("ward E8-F8 red")
    assert ("ward E8-F8", PieceState.OWED) in {(piece.spot, piece.state) for piece in evening.view.pieces}
    assert "Still to be put right on the table: ward E8-F8" in evening.view.prompt
    evening.lay({"ward E8-F8": "red"})
    evening.see()
    assert "Still to be put right" not in evening.view.prompt


def test_taking_the_last_ward_up_again_asks_nothing_and_is_not_recorded_by_itself() -> None:
    evening = WatchedTable()
    evening.lay({"ward E8-F8": "red"})
    evening.see()
    evening.see()
    evening.look.pop("ward E8-F8")
    evening.see()
    evening.see()
    assert evening.actions == ["ward E8-F8 red"]
    assert evening.view.choices[0].key == "take back"
    evening.presenter.on_choice("take back")
    assert evening.session.can_undo() is None


def test_a_visit_of_several_actions_is_taken_back_as_a_whole() -> None:
    evening = WatchedTable()
    game = evening.session.game
    for text in ("ward E9-E10 red", "draw red blue", "end", "ward F9-F10 blue", "draw red blue", "end"):
        evening.session.submit(game.parse_action(text, evening.session.state))
    evening.look = dict(game.appearance(evening.session.state))
    empty = dict(evening.look)
    evening.lay({"ward F9-G8": "green", "building F9": "temple", "cube F9": "black", "envoy temple black": "1"})
    evening.see()
    evening.see()
    assert evening.actions[-2:] == ["ward F9-G8 green magistrate", "send F9-G8"]
    evening.look = empty
    evening.see()
    evening.presenter.on_choice("take back")
    assert evening.session.game.appearance(evening.session.state) == empty
    assert [entry.kind for entry in evening.session.entries[-2:]] == ["undo", "undo"]


def test_the_view_is_the_same_object_until_something_changes() -> None:
    evening = WatchedTable()
    evening.see()
    before = evening.view
    evening.see()
    assert evening.view is before
    evening.presenter.on_choice("draw red blue")
    assert evening.view is not before


def test_what_lies_openly_before_everybody_is_shown() -> None:
    evening = WatchedTable("thurn_and_taxis")
    presenter = evening.presenter
    for city in ("Ulm", "Basel", "Linz", "Lodz", "Passau", "Pilsen"):
        presenter.on_choice(f"show {city}")
    shown = dict(evening.view.open_supply)
    assert shown["open cards"] == "Basel, Linz, Lodz, Passau, Pilsen, Ulm"
    assert shown["deck"] == "60"
    assert "Baiern: 5" in shown["next bonus tiles"]


def test_a_touch_where_nothing_is_legal_says_why_and_leaves_the_choices() -> None:
    evening = WatchedTable()
    before = evening.view.choices
    evening.presenter.on_site("B7-B8")
    assert evening.view.verdict is not None
    assert evening.view.verdict.headline == "The rules allow nothing here now."
    assert evening.view.verdict.sentences
    assert evening.view.choices[: len(before)] == before
    imagined = evening.view.choices[len(before)]
    evening.presenter.on_choice(imagined.key)
    assert [choice.key for choice in evening.view.choices] == ["put back", "record anyway"]
    evening.presenter.on_choice("record anyway")
    assert evening.session.entries[-1].kind == "override"


def test_done_in_an_unfinished_turn_says_what_is_missing() -> None:
    evening = WatchedTable()
    evening.press(IntentKind.DONE, seat=1)
    assert evening.view.verdict is not None
    assert any(source.rule == "COM-TURN-3" for _sentence, source in evening.view.verdict.sentences)


def test_a_table_in_another_position_accuses_nobody_of_a_move() -> None:
    evening = WatchedTable()
    evening.lay(dict.fromkeys(("ward A7-B7", "ward A8-B8", "ward L7-M7", "ward L7-L8", "ward L7-M6"), "red"))
    evening.lay({"ward B7-B8": "blue"})
    evening.see()
    evening.see()
    assert evening.view.verdict is not None
    assert "6 spots differ" in evening.view.verdict.headline
    assert evening.presenter.refused is None
    assert {"The table is right", "The record is right"} <= {choice.text for choice in evening.view.choices}


def test_a_press_gives_what_came_of_it() -> None:
    evening = WatchedTable()
    assert evening.press(IntentKind.NO, seat=1) is IntentResult.REFUSED, "there is nothing to undo"
    assert evening.press(IntentKind.DONE, seat=1) is IntentResult.REFUSED, "the turn is not finished"
    assert evening.press(IntentKind.DONE, seat=2) is IntentResult.NOT_THIS_SEAT
    for text in ("draw red blue", "draw red blue"):
        evening.presenter.on_choice(text)
    evening.see()
    assert evening.press(IntentKind.DONE, seat=1) is IntentResult.WAITING
    evening.see()
    assert evening.actions[-1] == "end"
    assert evening.press(IntentKind.NO, seat=2) is IntentResult.ACCEPTED
    assert evening.presenter.on_intent(Intent(IntentKind.CHOOSE, choice=999)) is IntentResult.REFUSED


def test_an_entry_made_elsewhere_reaches_the_view() -> None:
    evening = WatchedTable()
    evening.see()
    before = evening.view
    evening.session.submit(evening.session.game.parse_action("ward E8-F8 red", evening.session.state))
    assert evening.view is not before
    assert evening.presenter.tracker.owed == {"ward E8-F8"}


def test_a_press_without_a_camera_ends_what_may_be_ended_and_says_so() -> None:
    evening = WatchedTable()
    evening.press(IntentKind.UNDO)
    assert evening.view.verdict is not None
    assert evening.view.verdict.headline == "There is nothing to undo."
    assert evening.press(IntentKind.DONE, seat=1) is IntentResult.REFUSED
    assert evening.press(IntentKind.DONE, seat=2) is IntentResult.NOT_THIS_SEAT
    for text in ("draw red blue", "draw red yellow"):
        evening.presenter.act(evening.session.game.parse_action(text, evening.session.state))
    assert evening.press(IntentKind.DONE, seat=1) is IntentResult.ACCEPTED
    assert evening.actions[-1] == "end"


def test_who_has_passed_in_a_construction_is_marked_until_it_is_over() -> None:
    session = Session.create(None, table_of("capitol", 2), clock=clock())
    presenter = Presenter(session)
    play(session, "pass")
    assert [(player.has_passed, player.acts) for player in presenter.view().players] == [(True, False), (False, True)]
    play(session, "pass")
    assert not any(player.has_passed for player in presenter.view().players)


def test_what_was_laid_last_stays_marked_when_the_turn_ends() -> None:
    table = WatchedTable()
    for action in ("ward E8-F8 red", "ward F8-G8 yellow", "end"):
        table.presenter.on_choice(action)
    assert table.session.actors == (2,)
    assert [piece.spot for piece in table.view.pieces if piece.state is PieceState.LATEST] == ["ward F8-G8"]


def test_ending_the_turn_stands_out_where_else_only_what_is_seldom_done_is_left() -> None:
    table, random = WatchedTable(), Random(3)
    game = table.session.game
    turn_end, seldom = game.info.turn_end, game.info.seldom_before_end
    assert turn_end is not None
    told = set()
    for _action in range(150):
        legal = legal_actions(game, table.session.state)
        others = [action for action in legal if not isinstance(action, turn_end)]
        if len(others) < len(legal) and others:
            done = next(button for button in Presenter(table.session).view().buttons if button.intent == "done")
            assert done.strong == all(isinstance(action, seldom) for action in others)
            told.add(done.strong)
        table.session.submit(random.choice(legal))
    assert True in told
